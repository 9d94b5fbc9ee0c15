/** One world from its plan: time moves, servers answer, the user does as planned, and every step is held to the invariants. */
import type { BlockIdExt } from '../../src/decode/block-id.ts';
import {
  type Block,
  Chain,
  type ChainOptions,
  Fork,
  type History,
  makeBlock,
  makeCommittee,
  STAKES_SECONDS,
  Strangers,
} from './chain.ts';
import { Clock, settled } from './clock.ts';
import { type Invariant, Watch, type WatchScene } from './invariants.ts';
import type { Plan, Step } from './plan.ts';
import type { Answer, Command, FileName, Given, Kept, Port, Question, Report, Subject } from './port.ts';
import { random } from './random.ts';
import { Server } from './servers.ts';

export interface Violation {
  readonly invariant: Invariant;
  readonly what: string;
}

export interface Outcome {
  readonly violations: readonly Violation[];
  readonly trace: readonly string[];
  /** The exceptions to the first invariant that this world falls under. */
  readonly exceptions: readonly string[];
  /** The first answer of the world was a liar's. */
  readonly liarFirst: boolean;
  readonly ends: readonly string[];
  /** What liars did to the bytes of answers that were taken. */
  readonly byteLies: readonly string[];
  /** Reports that a block is final. */
  readonly finals: number;
}

const EPOCH = 1_700_000_000;
/** Milliseconds after an abort within which a command has to be over. */
const ABORT_MS = 15_000;

const hex = (bytes: Uint8Array) => [...bytes.subarray(0, 3)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export class World implements WatchScene {
  readonly plan: Plan;
  readonly clock = new Clock();
  readonly honest: Chain;
  readonly strangers: Strangers;
  readonly servers: readonly Server[];
  readonly ghosts: Block[] = [];
  readonly trace: string[] = [];
  readonly watch: Watch;
  readonly #keepTrace: boolean;
  readonly #random: ReturnType<typeof random>;
  readonly #files = new Map<FileName, Kept>();
  readonly #chainOptions: ChainOptions;
  #fork: Fork | undefined;
  #root: Block;
  #runStartMs = 0;
  #isDone = false;
  #isDead = false;
  #actions = 0;
  #killAt: number | null = null;
  #firstAnswer: number | undefined;
  #generation = 0;
  /** Timers and questions of the command that runs. */
  #open = new Map<object, string>();
  #finals = 0;
  readonly #byteLies = new Set<string>();

  constructor(plan: Plan, keepTrace: boolean) {
    const { chain } = plan;
    this.plan = plan;
    this.#keepTrace = keepTrace;
    this.#random = random('world', plan.seed);
    const span = chain.blocks * chain.gapSeconds;
    this.#chainOptions = {
      seed: chain.pool ?? String(plan.seed),
      startUtime: EPOCH - span - chain.gapSeconds - 20,
      keyEvery: chain.keyEvery,
      electedSeconds: chain.electedSeconds,
      sameSetShare: chain.sameSetShare,
      globalId: -239,
      simplexFrom: chain.simplexFrom,
    };
    this.honest = new Chain(this.#chainOptions);
    for (let at = 1; at <= chain.blocks; at++) this.honest.add(EPOCH - 20 - (chain.blocks - at) * chain.gapSeconds);
    this.strangers = new Strangers(this.honest, 5);
    this.#grow();
    const keyBlocks = this.#pinnable();
    const trueRoot = keyBlocks[Math.max(0, keyBlocks.length - 1 - plan.user.rootBack)]!;
    this.#root = plan.user.isRootEvil ? this.#evilRoot(trueRoot) : trueRoot;
    this.servers = plan.servers.map((server, index) => new Server(server, index, this));
    this.watch = new Watch(this);
  }

  /** Key blocks that everybody has by now. */
  #pinnable(): Block[] {
    return this.honest.blocks.filter(({ isKey, genUtime }) => isKey && genUtime <= this.now() - 5);
  }

  #evilRoot(root: Block): Block {
    if (root.seqno === 0) return root;
    const committee = makeCommittee(`${this.plan.seed} pinned`, [10, 10, 10, 10]);
    return makeBlock({ ...root, chain: 'pinned', installs: { committee, until: root.genUtime + 1e6 } }, 'pinned');
  }

  // what servers and invariants see ------------------------------------------------------------------------------

  get seed(): number {
    return this.plan.seed;
  }

  /** Unix seconds. */
  now(): number {
    return EPOCH + (this.clock.nowMs + this.clock.sleptMs) / 1000;
  }

  machineNow(): number {
    return this.now() + this.plan.user.skewSeconds;
  }

  runMs(): number {
    return this.clock.nowMs + this.clock.sleptMs - this.#runStartMs;
  }

  awakeMs(): number {
    return this.clock.nowMs;
  }

  get root(): Block {
    return this.#root;
  }

  get forkMade(): Fork | undefined {
    return this.#fork;
  }

  fileOf(name: FileName): Kept | undefined {
    return this.#files.get(name);
  }

  /** The adversary's history, made when it first can be and is asked for. */
  fork(): Chain | undefined {
    if (this.#fork !== undefined) return this.#fork;
    const { adversary, fork } = this.plan;
    if (adversary === 'none') return undefined;
    const now = this.now();
    const isOld = ({ installs }: Block) => now > installs!.until + STAKES_SECONDS;
    const keyBlocks = this.honest.blocks.filter(({ isKey }) => isKey);
    // A set is old once nothing that installed it is within its stakes.
    const inUse = new Set(keyBlocks.filter((block) => !isOld(block)).map(({ installs }) => installs!.committee.name));
    const held = keyBlocks.filter((block) => (adversary === 'old') !== inUse.has(block.installs!.committee.name));
    const base = this.#files.get('state')?.keyBlock ?? this.#files.get('checkpoint')?.keyBlock ?? this.#root;
    const after = held.filter(({ seqno }) => seqno >= base.seqno);
    const from = (fork.fromBase ? after[0] : undefined) ?? after.at(-1);
    if (from === undefined) return undefined;
    const last = this.honest.nextKeyBlock(from.seqno, this.honest.head.seqno)?.seqno ?? this.honest.head.seqno + 1;
    const at = Math.min(from.seqno + fork.offset, last);
    const { weights } = from.installs!.committee;
    this.#fork = new Fork(this.honest, this.#chainOptions, {
      name: 'fork',
      from,
      at,
      by: weights.map((_, place) => place).slice(1),
      firstKey: fork.firstKey,
      keyEvery: fork.keyEvery,
      lead: fork.lead,
      electedSeconds: 65_536,
    });
    this.note(`the adversary signs block ${at} with the set of key block ${from.seqno}`);
    return this.#fork;
  }

  /** Words are put together only for one who reads. */
  note(line: string | (() => string)): void {
    if (!this.#keepTrace) return;
    const words = typeof line === 'string' ? line : line();
    this.trace.push(`${((this.clock.nowMs + this.clock.sleptMs) / 1000).toFixed(3)} ${words}`);
  }

  name(id: BlockIdExt): string {
    const of = (history: History | undefined, words: string) => (history?.has(id) === true ? words : undefined);
    const chain =
      of(this.honest, '') ??
      of(this.#fork, ' of the fork') ??
      of(this.honest.before, ' before the hardfork') ??
      of(this.strangers, ' of another network') ??
      ' of no history';
    return `${id.seqno}:${hex(id.rootHash)}${chain}`;
  }

  #grow(): void {
    const now = this.now();
    const { blockSeconds } = this.plan.chain;
    const { hardfork } = this.plan;
    if (hardfork !== undefined && this.honest.before === undefined && now >= EPOCH + hardfork.afterMs / 1000) {
      const { id } = this.honest.hardfork(
        hardfork.replaces,
        Math.max(now, this.honest.head.genUtime),
        hardfork.isSigned,
      );
      this.note(`hardfork: ${this.name(id)}`);
    }
    for (let next = this.honest.head.genUtime + blockSeconds; next <= now; next += blockSeconds) this.honest.add(next);
  }

  /** Time goes by with nobody watching. */
  #goBy(seconds: number, blocks: number): void {
    this.#grow();
    const start = this.honest.head.genUtime;
    this.clock.sleptMs += seconds * 1000;
    const gap = (this.now() - start) / (blocks + 1);
    for (let at = 1; at <= blocks; at++) this.honest.add(start + at * gap);
    // Slow as it was while nobody looked, the network has been at its pace again for some seconds.
    const { blockSeconds } = this.plan.chain;
    const again = this.now() - 6 * blockSeconds;
    for (let at = Math.max(again, this.honest.head.genUtime + blockSeconds); at <= this.now(); at += blockSeconds) {
      this.honest.add(at);
    }
  }

  // what the code under test sees --------------------------------------------------------------------------------

  #act(): boolean {
    if (this.#isDead) return false;
    this.#actions += 1;
    if (this.#killAt !== null && this.#actions >= this.#killAt) {
      this.#isDead = true;
      this.note('the process is killed');
      this.clock.clear();
      return false;
    }
    return true;
  }

  #ask(index: number, question: Question, done: (answer: Answer) => void): () => void {
    if (!this.#act()) return () => {};
    const server = this.servers[index]!;
    this.note(() => `${index} ? ${this.#wordsOf(question)}`);
    this.watch.asked(index, question);
    let isGone = false;
    let cancel = () => {};
    const ask = (current: Question): void => {
      this.#grow();
      const reply = server.reply(current);
      if (reply === undefined) return;
      cancel = this.clock.after(reply.afterMs, () => {
        if (isGone || this.#isDead) return;
        const answer = reply.answer as Answer | { readonly kind: 'again'; readonly wait: Question['wait'] };
        if (answer.kind === 'again') return ask({ ...current, wait: answer.wait! });
        this.#firstAnswer ??= index;
        if (answer.kind === 'spoiled') this.#byteLies.add(answer.lie);
        this.note(() => `${index} ! ${this.#wordsOf(question)}: ${this.#wordsOfAnswer(answer)}`);
        this.watch.answered(index, question, answer);
        done(answer);
      });
    };
    ask(question);
    return () => {
      isGone = true;
      cancel();
    };
  }

  #wordsOf(question: Question): string {
    const wait = question.wait === undefined ? '' : ` once there is ${question.wait.seqno}`;
    if (question.kind === 'lookup') return `lookup ${question.seqno}${wait}`;
    if (question.kind === 'header') return `header ${this.name(question.id)}`;
    if (question.kind !== 'proof') return `${question.kind}${wait}`;
    return `proof ${this.name(question.known)} to ${this.name(question.target)}${wait}`;
  }

  #wordsOfAnswer(answer: Answer): string {
    switch (answer.kind) {
      case 'head':
        return this.name(answer.last);
      case 'header':
        return this.name(answer.id);
      case 'error':
        return `${answer.code} ${answer.text}`;
      case 'proof': {
        const { complete, links, to } = answer.proof;
        const way = links.map((link) => `${link.kind === 'back' ? '<' : '>'}${this.name(link.to)}`).join(' ');
        return `${complete ? 'complete' : 'not complete'} ${way || 'empty'}, ends at ${this.name(to)}`;
      }
      case 'spoiled':
        return `${this.#wordsOfAnswer(answer.answer)}, its bytes changed: ${answer.lie}`;
      default:
        return answer.kind;
    }
  }

  #reported(report: Report): void {
    if (report.what === 'done') {
      this.#isDone = true;
      return;
    }
    if (!this.#act()) return;
    this.note(() => `= ${this.#wordsOfReport(report)}`);
    if (report.what === 'final') this.#finals += 1;
    this.#grow();
    this.watch.reported(report);
  }

  #wordsOfReport(report: Report): string {
    switch (report.what) {
      case 'final':
        return `FINAL ${this.name(report.id)} by ${report.how}${report.asked === undefined ? '' : `, asked for ${report.asked}`}`;
      case 'undecided':
        return `UNDECIDED ${report.reason}${report.id === undefined ? '' : ` ${this.name(report.id)}`}`;
      case 'failed':
      case 'trouble':
        return `${report.what} ${report.code}: ${report.message.slice(0, 300)}`;
      case 'stall':
        return `hands out nothing: ${report.code}`;
      case 'refuted':
        return `server ${report.server} is called a liar: ${report.why}`;
      default:
        return `server ${'server' in report ? report.server : ''} is put out`;
    }
  }

  #port(): Port {
    const { clock } = this;
    const generation = ++this.#generation;
    const isCurrent = () => generation === this.#generation && !this.#isDead;
    const open = new Map<object, string>();
    this.#open = open;
    /** Begins something that has to be over when the command is. */
    const begin = (words: string, start: (end: () => void) => () => void): (() => void) => {
      const one = {};
      open.set(one, words);
      const end = () => void open.delete(one);
      const cancel = start(end);
      return () => {
        end();
        cancel();
      };
    };
    return {
      nowMs: () => clock.nowMs,
      unixMs: () => this.machineNow() * 1000,
      after: (ms, call) =>
        isCurrent()
          ? begin('a timer', (end) =>
              clock.after(ms, () => {
                end();
                if (isCurrent()) call();
              }),
            )
          : () => {},
      random: () => this.#random(),
      ask: (server, question, done) =>
        isCurrent()
          ? begin('a question', (end) =>
              this.#ask(server, question, (answer) => {
                end();
                done(answer);
              }),
            )
          : () => {},
      report: (report) => isCurrent() && this.#reported(report),
      read: (file) => this.#files.get(file),
      write: (file, kept) => {
        if (!isCurrent() || !this.#act()) return;
        if (kept === undefined) this.#files.delete(file);
        else {
          this.note(
            () =>
              `writes ${file}: ${this.name(kept.keyBlock.id)}${kept.after === undefined ? '' : ` after ${this.name(kept.after)}`}`,
          );
          this.#files.set(file, kept);
          this.watch.wrote(file, kept);
        }
      },
    };
  }

  // what the user does -------------------------------------------------------------------------------------------

  #commandOf(step: Extract<Step, { kind: 'run' }>): Command | undefined {
    const { back } = step;
    const most = this.servers.length - (this.plan.user.without === null ? 1 : 2);
    const command = { ...step.command, witnesses: Math.max(0, Math.min(step.command.witnesses, most)) };
    const base = this.#files.get('checkpoint')?.keyBlock ?? this.#root;
    if (command.name === 'verify') {
      const seqno = Math.max(base.seqno + 1, this.honest.head.seqno - back);
      return { ...command, seqno };
    }
    if (command.name !== 'prove') return command;
    const seqno = base.seqno - back;
    return seqno >= 1 ? { ...command, seqno } : undefined;
  }

  async #run(subject: Subject, step: Extract<Step, { kind: 'run' }>): Promise<string> {
    this.#grow();
    const command = this.#commandOf(step);
    if (command === undefined) return 'nothing to do';
    this.#isDone = false;
    this.#isDead = false;
    this.#actions = 0;
    this.#killAt = step.killAt;
    this.#runStartMs = this.clock.nowMs + this.clock.sleptMs;
    const { isPinned, knowsNetwork } = this.plan.user;
    const zerostate = this.honest.zerostate.id;
    const asked = this.servers.flatMap(({ index }) => (index === this.plan.user.without ? [] : [index]));
    const given: Given = { servers: asked, root: this.#root, isPinned, zerostate, knowsNetwork };
    this.note(
      `--- ${command.name}${command.seqno === undefined ? '' : ` ${command.seqno}`} from ${this.name(this.#root.id)}`,
    );
    this.watch.begins(command, step);
    const port = this.#port();
    const running = subject.start(command, given, port);
    const endMs = this.clock.nowMs + step.seconds * 1000;
    const sleep = step.sleep;
    if (sleep !== null) {
      this.clock.after(sleep[0], () => {
        this.note(`the machine sleeps for ${sleep[1]} s`);
        this.#goBy(sleep[1], Math.min(60, Math.ceil(sleep[1] / 600)));
        this.watch.slept();
      });
    }
    if (command.name === 'follow') this.#everySecond();
    const isOver = () => this.#isDone || this.#isDead;
    let end = 'over';
    if (!(await this.clock.run(isOver, endMs))) {
      end = 'stopped';
      this.note('the user stops it');
      this.watch.stops();
      running.abort();
      if (!(await this.clock.run(isOver, this.clock.nowMs + ABORT_MS))) end = 'did not end';
    }
    if (this.#isDone && !this.#isDead) {
      await settled();
      if (this.#open.size > 0) this.watch.leaves([...this.#open.values()]);
    }
    this.watch.ends(this.#isDead ? 'killed' : end);
    this.clock.clear();
    this.#generation += 1;
    return this.#isDead ? 'killed' : end;
  }

  #everySecond(): void {
    this.clock.after(1000, () => {
      this.#grow();
      this.watch.tick();
      this.#everySecond();
    });
  }

  async live(subject: Subject): Promise<Outcome> {
    const ends: string[] = [];
    const raw = (error: unknown) => this.watch.raw(error);
    process.on('unhandledRejection', raw);
    try {
      for (const step of this.plan.steps) {
        if (step.kind === 'run') ends.push(`${step.command.name}: ${await this.#run(subject, step)}`);
        else if (step.kind === 'rest') this.#goBy(step.seconds, step.blocks);
        else {
          this.#grow();
          this.#root = this.#pinnable().at(-1)!;
          this.#files.clear();
        }
        if (this.watch.violations.length > 0) break;
      }
    } finally {
      process.off('unhandledRejection', raw);
    }
    const { violations, exceptions } = this.watch;
    const liarFirst = this.#firstAnswer !== undefined && this.plan.servers[this.#firstAnswer]?.kind === 'liar';
    return {
      violations,
      trace: this.trace,
      exceptions: [...exceptions],
      liarFirst,
      ends,
      byteLies: [...this.#byteLies],
      finals: this.#finals,
    };
  }
}
