/** One world from its plan: time moves, servers answer, the user does as planned, and every step is held to the invariants. */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import {
  type Block,
  Chain,
  type ChainOptions,
  Fork,
  type History,
  makeBlock,
  makeCommittee,
  rulerAfter,
  STAKES_SECONDS,
  Strangers,
} from './chain.ts';
import { Clock, settled } from './clock.ts';
import { Disk, type FileUser, FOLDER } from './disk.ts';
import { type Invariant, Watch, type WatchScene } from './invariants.ts';
import type { Moment, Plan, Step } from './plan.ts';
import type { Answer, Command, FileName, Given, Kept, Port, Processes, Question, Report, Subject } from './port.ts';
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
/** Until the machine is back after a power cut: a lock that was left is then old enough. */
const REBOOT_SECONDS = 90;

/** One that runs, or was killed. */
class Process implements FileUser {
  readonly pid: number;
  readonly killAt: number | null;
  readonly #died: () => void;
  isDead = false;
  isDone = false;
  actions = 0;
  /** Timers and questions. */
  readonly open = new Map<object, string>();

  /** @param killAt the action within which it is killed */
  constructor(pid: number, killAt: number | null, died: () => void) {
    this.pid = pid;
    this.killAt = killAt;
    this.#died = died;
  }

  act(): 'live' | 'dies' | 'dead' {
    if (this.isDead) return 'dead';
    this.actions += 1;
    if (this.killAt === null || this.actions < this.killAt) return 'live';
    this.kill();
    return 'dies';
  }

  kill(): void {
    this.isDead = true;
    this.#died();
  }
}

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
  readonly #disk: Disk;
  /** What files say, for as long as they hold the same. */
  readonly #read = new WeakMap<Uint8Array, { readonly kept: Kept | undefined }>();
  readonly #running = new Set<Process>();
  /** The command that is held to the invariants; another one may run beside. */
  #first: Process | undefined;
  #subject: Subject | undefined;
  #processes = 0;
  #boots = 1;
  /** Seconds by which the machine's clock was set, beside what it is wrong by. */
  #stepped = 0;
  /** What is to happen to the clock at an event of the run, and the events of that kind until now. */
  #moment: Moment | undefined;
  #events = 0;
  /** How often its time is read wrong before the clock is right again. */
  #readsLeft: number | undefined;
  readonly #chainOptions: ChainOptions;
  #fork: Fork | undefined;
  #root: Block;
  /** The key block that trust has come to in this run. */
  #followed: Block | undefined;
  #runStartMs = 0;
  /** Locks and temporary files that killed processes left. */
  #strays = 0;
  #firstAnswer: number | undefined;
  #finals = 0;
  readonly #byteLies = new Set<string>();

  constructor(plan: Plan, keepTrace: boolean) {
    const { chain } = plan;
    this.plan = plan;
    this.#keepTrace = keepTrace;
    this.#random = random('world', plan.seed);
    this.#disk = new Disk(
      plan.seed,
      () => this.now() * 1000,
      (path) => this.#changed(path),
    );
    const span = chain.blocks * chain.gapSeconds;
    this.#chainOptions = {
      seed: chain.pool ?? String(plan.seed),
      startUtime: EPOCH - span - chain.gapSeconds - 20,
      keyEvery: chain.keyEvery,
      electedSeconds: chain.electedSeconds,
      sameSetShare: chain.sameSetShare,
      globalId: -239,
      simplexFrom: chain.simplexFrom,
      emptyShare: chain.emptyShare ?? 0,
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
    return this.now() + this.skewSeconds();
  }

  skewSeconds(): number {
    return this.plan.user.skewSeconds + this.#stepped;
  }

  get upgradeAt(): number {
    const { upgradeAfterMs } = this.plan.chain;
    return upgradeAfterMs === undefined ? Number.POSITIVE_INFINITY : EPOCH + upgradeAfterMs / 1000;
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

  /** `undefined` for a file that is not there, or begins at what the user pinned. */
  fileOf(name: FileName): Kept | undefined {
    const content = this.#disk.peek(`${FOLDER}/${name}`);
    if (content === undefined) return undefined;
    let known = this.#read.get(content);
    if (known === undefined) {
      known = { kept: undefined };
      try {
        known = { kept: this.#subject!.read(name, content) };
      } catch (error) {
        this.watch.isTorn(name, error);
      }
      this.#read.set(content, known);
    }
    return known.kept;
  }

  has(name: FileName): boolean {
    return this.#disk.peek(`${FOLDER}/${name}`) !== undefined;
  }

  /** A file has another content. */
  #changed(path: string): void {
    const name = (['checkpoint', 'state'] as const).find((one) => path === `${FOLDER}/${one}`);
    if (name === undefined) return;
    const kept = this.fileOf(name);
    if (kept === undefined) return;
    this.note(
      () =>
        `writes ${name}: ${this.name(kept.keyBlock.id)}${kept.after === undefined ? '' : ` after ${this.name(kept.after)}`}`,
    );
    this.watch.wrote(name, kept);
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
    const base = this.#followed ?? this.fileOf('state')?.keyBlock ?? this.fileOf('checkpoint')?.keyBlock ?? this.#root;
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
    const { blockSeconds, pause } = this.plan.chain;
    const { hardfork } = this.plan;
    if (hardfork !== undefined && this.honest.before === undefined && now >= EPOCH + hardfork.afterMs / 1000) {
      const { id } = this.honest.hardfork(
        hardfork.replaces,
        Math.max(now, this.honest.head.genUtime),
        hardfork.isSigned,
      );
      this.note(`hardfork: ${this.name(id)}`);
    }
    const [from, to] = pause === undefined ? [0, 0] : [EPOCH + pause[0], EPOCH + pause[0] + pause[1]];
    for (let next = this.honest.head.genUtime + blockSeconds; next <= now; next += blockSeconds) {
      if (next > from && next < to) next = to;
      if (next <= now) this.honest.add(next);
    }
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

  #ask(user: Process, index: number, question: Question, done: (answer: Answer) => void): () => void {
    if (user.act() !== 'live') return () => {};
    this.#passes('question');
    const server = this.servers[index]!;
    this.note(() => `${index} ? ${this.#wordsOf(question)}`);
    const isFirst = user === this.#first;
    const over = isFirst ? this.watch.asked(index, question) : () => {};
    let isGone = false;
    let cancel = () => {};
    const ask = (current: Question): void => {
      this.#grow();
      const reply = server.reply(current);
      if (reply === undefined) return;
      cancel = this.clock.after(reply.afterMs, () => {
        if (isGone || user.isDead) return;
        const answer = reply.answer as Answer | { readonly kind: 'again'; readonly wait: Question['wait'] };
        if (answer.kind === 'again') return ask({ ...current, wait: answer.wait! });
        this.#firstAnswer ??= index;
        this.#passes('answer');
        if (answer.kind === 'proof') this.#passes('proof');
        if (answer.kind === 'spoiled') this.#byteLies.add(answer.lie);
        this.note(() => `${index} ! ${this.#wordsOf(question)}: ${this.#wordsOfAnswer(answer)}`);
        over();
        if (isFirst) this.watch.answered(index, question, answer);
        done(answer);
      });
    };
    ask(question);
    return () => {
      isGone = true;
      over();
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

  #reported(user: Process, report: Report): void {
    if (report.what === 'done') {
      user.isDone = true;
      return;
    }
    // To be done with a block is the consumer's act.
    if (report.what !== 'taken' && user.act() !== 'live') return;
    this.note(() => `= ${this.#wordsOfReport(report)}`);
    if (report.what === 'final') {
      this.#finals += 1;
      if (this.honest.has(report.id) && report.how !== 'ancestor')
        this.#followed = rulerAfter(this.honest.at(report.id.seqno)!);
    }
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
        return `nothing yet: ${report.code}`;
      case 'taken':
        return 'the consumer has taken it';
      case 'refuted':
        return `server ${report.server} is called a liar: ${report.why}`;
      default:
        return `server ${'server' in report ? report.server : ''} is put out`;
    }
  }

  #begin(killAt: number | null): Process {
    const made: Process = new Process(++this.#processes, killAt, () => this.note('the process is killed'));
    this.#running.add(made);
    return made;
  }

  #isRunning(pid: number): boolean {
    for (const one of this.#running) if (one.pid === pid) return !one.isDead;
    return false;
  }

  /** @param report what becomes of what it says */
  #port(user: Process, report: (report: Report) => void): Port {
    const { clock } = this;
    const isCurrent = () => !user.isDead && this.#running.has(user);
    const { open } = user;
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
    const processes: Processes = {
      self: user.pid,
      boots: this.#boots,
      isRunning: (pid) => this.#isRunning(pid),
      uptimeSeconds: () => (clock.nowMs + clock.sleptMs) / 1000,
    };
    return {
      nowMs: () => clock.nowMs,
      unixMs: () => {
        if (isCurrent()) this.#passes('read');
        return this.machineNow() * 1000;
      },
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
              this.#ask(user, server, question, (answer) => {
                end();
                done(answer);
              }),
            )
          : () => {},
      report: (one) => isCurrent() && report(one),
      disk: this.#disk.of(user),
      processes,
    };
  }

  // what the user does -------------------------------------------------------------------------------------------

  #commandOf(step: Extract<Step, { kind: 'run' }>): Command | undefined {
    const { back } = step;
    const most = this.servers.length - (this.plan.user.without === null ? 1 : 2);
    const command = { ...step.command, witnesses: Math.max(0, Math.min(step.command.witnesses, most)) };
    const base = this.fileOf('checkpoint')?.keyBlock ?? this.#root;
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
    this.#stepped = 0;
    this.#moment = step.moment;
    this.#events = 0;
    this.#readsLeft = undefined;
    this.#followed = undefined;
    this.#runStartMs = this.clock.nowMs + this.clock.sleptMs;
    const { isPinned, knowsNetwork } = this.plan.user;
    const zerostate = this.honest.zerostate.id;
    const asked = this.servers.flatMap(({ index }) => (index === this.plan.user.without ? [] : [index]));
    const given: Given = { servers: asked, root: this.#root, isPinned, zerostate, knowsNetwork };
    this.note(
      `--- ${command.name}${command.seqno === undefined ? '' : ` ${command.seqno}`} from ${this.name(this.#root.id)}`,
    );
    this.watch.begins(command, step);
    const user = this.#begin(step.killAt);
    this.#first = user;
    const port = this.#port(user, (report) => this.#reported(user, report));
    const running = subject.start(command, given, port);
    const endMs = this.clock.nowMs + step.seconds * 1000;
    this.#happens(step);
    const { secondAfterMs } = step;
    if (secondAfterMs !== undefined) {
      const other = await subject.second();
      this.clock.after(secondAfterMs, () => this.#beside(user, other, command, given));
    }
    this.#everySecond();
    const isOver = () => user.isDone || user.isDead;
    let end = 'over';
    if (!(await this.clock.run(isOver, endMs))) {
      end = 'stopped';
      this.note('the user stops it');
      this.watch.stops();
      running.abort();
      if (!(await this.clock.run(isOver, this.clock.nowMs + ABORT_MS))) end = 'did not end';
    }
    if (user.isDone && !user.isDead) {
      await settled();
      const left = [...user.open.values(), ...Array.from({ length: port.disk.open }, () => 'an open file')];
      if (left.length > 0) this.watch.leaves(left);
      const strays = this.#disk.list().filter((path) => /\.lock\.|\.tmp$/.test(path));
      if (strays.length > this.#strays) this.watch.leaves(strays);
    }
    if (user.isDead && step.isPowerCut === true) {
      this.note('the power is cut');
      this.#disk.cutPower();
      this.#boots += 1;
      this.#goBy(REBOOT_SECONDS, 1);
    }
    this.#strays = this.#disk.list().filter((path) => /\.lock\.|\.tmp$/.test(path)).length;
    for (const name of ['checkpoint', 'state'] as const) this.fileOf(name);
    end = user.isDead ? (step.isPowerCut === true ? 'power cut' : 'killed') : end;
    this.watch.ends(end);
    this.clock.clear();
    this.#disk.isFull = false;
    this.#running.clear();
    return end;
  }

  #sleep(seconds: number): void {
    this.note(`the machine sleeps for ${seconds} s`);
    this.#goBy(seconds, Math.min(60, Math.ceil(seconds / 600)));
    this.watch.slept(seconds);
  }

  #setClock(seconds: number): void {
    this.#stepped += seconds;
    this.note(`the machine's clock is set by ${seconds} s`);
    this.watch.clockWasSet();
  }

  /** An event of a run: the clock may be set at it. */
  #passes(event: Moment['at']): void {
    const moment = this.#moment;
    if (event === 'read' && this.#readsLeft !== undefined && this.#readsLeft-- === 0) {
      this.#readsLeft = undefined;
      this.#setClock(-moment!.seconds); // it was set by these
    }
    if (moment?.at !== event) return;
    this.#events += 1;
    if (this.#events !== moment.nth) return;
    if (moment.isSleep === true) return void this.#sleep(moment.seconds);
    this.#setClock(moment.seconds);
    if (moment.stays !== undefined) this.#readsLeft = moment.stays - (event === 'read' ? 1 : 0);
  }

  /** What happens to the machine meanwhile. */
  #happens({ sleep, clockStep, full }: Extract<Step, { kind: 'run' }>): void {
    if (sleep !== null) this.clock.after(sleep[0], () => this.#sleep(sleep[1]));
    if (clockStep !== undefined) this.clock.after(clockStep[0], () => this.#setClock(clockStep[1]));
    if (full !== undefined) {
      this.clock.after(full[0], () => {
        this.note('the disk is full');
        this.#disk.isFull = true;
        this.watch.diskWasFull();
      });
      this.clock.after(full[0] + full[1], () => {
        this.note('the disk has room again');
        this.#disk.isFull = false;
      });
    }
  }

  /** The same command once more on the same files, for as long as the first one lives. */
  #beside(first: Process, other: Subject, command: Command, given: Given): void {
    if (first.isDone || first.isDead) return;
    this.note('a second process is started');
    const second = this.#begin(null);
    const isBeside = () => !first.isDone && !first.isDead;
    const port = this.#port(second, (report) => {
      if (report.what === 'done') second.isDone = true;
      else if (isBeside()) this.watch.saidBeside(report);
    });
    other.start(command, given, port);
    const look = () => {
      if (!isBeside()) second.isDead = true;
      else if (second.isDone) this.note('the second process is over');
      else this.clock.after(100, look);
    };
    look();
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
    this.#subject = subject;
    const raw = (error: unknown) => this.watch.raw(error);
    process.on('unhandledRejection', raw);
    try {
      for (const step of this.plan.steps) {
        if (step.kind === 'run') ends.push(`${step.command.name}: ${await this.#run(subject, step)}`);
        else if (step.kind === 'rest') this.#goBy(step.seconds, step.blocks);
        else {
          this.#grow();
          this.#root = this.#pinnable().at(-1)!;
          const kept = step.keepsState === true ? [`${FOLDER}/state`] : [];
          for (const path of this.#disk.list()) if (!kept.includes(path)) this.#disk.drop(path);
          this.watch.pinned(step.keepsState === true);
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
