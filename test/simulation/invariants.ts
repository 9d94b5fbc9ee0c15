/** What must never be, looked at after every answer, report and write. Each rule has its number; each exception to the first its letter. */

import { encodeHex } from '../../src/core/base/bytes.ts';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { type Block, type Chain, type Fork, STAKES_SECONDS, type Strangers, sameId } from './chain.ts';
import type { Plan, Step } from './plan.ts';
import type { Answer, Command, FileName, Kept, Question, Report } from './port.ts';
import { AskedQuestions } from './questions.ts';
import type { Server } from './servers.ts';

/**
 * honest-chain: nothing is reported final, I1. asked-block: what is reported for N is block N, I2. files: what stands on disk, I3.
 * no-gap: I4. honest-servers: I5. forks: I6. ends: I7. typed-errors: I10. networks: nothing of another network, or beyond a hardfork,
 * is reported or kept, whatever the user accepts, and one that says another network is asked nothing more. silence: I8, of a follower.
 * leftovers: I9, no timer and no question is left behind. questions: I9, how many a server is asked. marks: R5, what stands on a
 * stale start that was taken says so.
 */
export type Invariant =
  | 'honest-chain'
  | 'asked-block'
  | 'files'
  | 'no-gap'
  | 'honest-servers'
  | 'forks'
  | 'ends'
  | 'typed-errors'
  | 'networks'
  | 'silence'
  | 'leftovers'
  | 'questions'
  | 'marks';
export const INVARIANTS: readonly Invariant[] = [
  'honest-chain',
  'asked-block',
  'files',
  'no-gap',
  'honest-servers',
  'forks',
  'ends',
  'typed-errors',
  'networks',
  'silence',
  'leftovers',
  'questions',
  'marks',
];

/** a to f, as the rules name them. */
export type Exception = 'a' | 'b' | 'c' | 'd' | 'e' | 'f';

/** Milliseconds within which a command has to be over that has one good server. */
const WITHIN_MS = 60_000;
/** Seconds by which a follower may be behind, on top of the time between two signed blocks. */
const BEHIND_SECONDS = 6;
/** Before its first block, a follower waits for each server that it compares that block with: the deadline of a question (R3). */
const FIRST_COMPARISON_SECONDS = 10;
/** A question without an answer takes 10 s, and it begins after the heads have come. */
const LAST_QUESTION_SECONDS = 12;
/** Seconds that the last question and its answer are on the way: the slowest servers take up to three. */
const ON_THE_WAY_SECONDS = 3;
const CLOCK_SECONDS = 30;
/** Seconds between the first and the last time that a run asks for heads. */
const ROUNDS_SECONDS = 3;
/** Seconds for which a good server has to be one. */
const GOOD_SECONDS = 30;
/** By which any clock may be wrong. */
const SMALL_SECONDS = 5;
/** A process that did not touch its lock for so long gives it up. */
const LOCK_SECONDS = 45;
/** Milliseconds for which a block may be handed out, taken, and not noted. */
const UNNOTED_MS = 100;
/** Milliseconds after which a follower that hands out nothing says why. */
const SILENT_MS = 10_000;

/** Whether a file says that old keys could have made its key block. */
const isMarked = ({ staleStart }: Kept) => staleStart === 'accepted' || staleStart === 'refused';

/** Servers left out by name are counted, and excuse nothing: those that are left are all that the rules speak of. */
const excused = (now: ReadonlySet<Exception>) => [...now].filter((letter) => letter !== 'f');

export interface WatchScene {
  readonly plan: Plan;
  readonly honest: Chain;
  readonly strangers: Strangers;
  readonly servers: readonly Server[];
  readonly root: Block;
  readonly forkMade: Fork | undefined;
  now(): number;
  readonly upgradeAt: number;
  /** By how much the machine's clock is wrong. */
  skewSeconds(): number;
  runMs(): number;
  /** Milliseconds of a clock that stands still while the machine sleeps. */
  awakeMs(): number;
  fileOf(name: FileName): Kept | undefined;
  has(name: FileName): boolean;
  name(id: BlockIdExt): string;
  note(line: string | (() => string)): void;
}

export class Watch {
  readonly violations: { invariant: Invariant; what: string }[] = [];
  readonly exceptions = new Set<Exception>();
  readonly #scene: WatchScene;
  readonly #shapes = new Set<string>();
  #heardAtMs = 0;
  #blockAtMs = 0;
  #isTaking = false;
  #command: Command | undefined;
  #step: Extract<Step, { kind: 'run' }> | undefined;
  #base: Kept | undefined;
  #wasStale = false;
  /** What this run can begin with, where all of it is marked, or past its stakes by the machine's clock. */
  #oldStarts: readonly Kept[] = [];
  #hasEnded = false;
  #isStopped = false;
  /** Honest servers that named another block, by its number. */
  readonly #lookups = new Set<string>();
  /** Keys in office were called old in this run. */
  #isForkMissed = false;
  readonly #out = new Set<number>();
  readonly #saidNetwork = new Set<number>();
  /** Servers that said another network. */
  readonly #ofOther = new Set<number>();
  #contradictions = new Map<number, { readonly server: number; readonly id: BlockIdExt }[]>();
  #saysTrueTime = false;
  /** An exception has let the run itself believe what is not so. */
  #isLed = false;
  /** Keys in office have, while nobody showed another history. Once they are old, that is no fork any more. */
  #isForked = false;
  #questions = this.#count();
  #handedOut: BlockIdExt | undefined;
  /** Whether this run handed out a block. */
  #hasBegun = false;
  /** The last block that a consumer was given, in this run or before. */
  #given: BlockIdExt | undefined;
  /** Those that the state on disk does not tell of. */
  #unnoted: { readonly seqno: number; readonly atMs: number }[] = [];
  #isNoteDue = false;
  /** What the state said last. */
  #noted: BlockIdExt | undefined;
  /** The last note that its process brought to disk before the newest one, and when that was written. */
  #notedBefore: BlockIdExt | undefined;
  #notedAtMs = 0;
  /** Whether the run that wrote it promises that it outlives a power cut. */
  #isNoteLasting = false;
  /** The process was killed while the newest note was on its way to the disk: other processes read it, a power cut may take it. */
  #isNoteOpen = false;
  #graceUntilMs = 0;
  /** Where the time begins within which it has to end. */
  #sinceMs = 0;
  #outcome: string | undefined;
  #wasClockWrong = false;
  #wasDiskFull = false;
  #hasFailed = false;
  /** It slept for longer than others wait for its lock. */
  #isLockLost = false;
  /** A state is there that does not begin at what is pinned now. */
  #isStateOther = false;

  constructor(scene: WatchScene) {
    this.#scene = scene;
  }

  #found(invariant: Invariant, what: string): void {
    const shape = `${invariant} ${what.replaceAll(/[0-9a-f]*[0-9][0-9a-f]*/g, 'N')}`;
    if (this.#shapes.has(shape)) return; // said once
    this.#shapes.add(shape);
    this.violations.push({ invariant, what });
    this.#scene.note(`VIOLATED ${invariant}: ${what}`);
  }

  /** By the later of the true clock and the machine's: in the seconds between them, both answers are right. */
  #isStale(block: Block): boolean {
    const skew = this.#scene.skewSeconds();
    const ahead = skew > 0 && skew <= CLOCK_SECONDS ? skew : 0;
    return this.#scene.now() + ahead > block.installs!.until + STAKES_SECONDS;
  }

  /** Those that are asked. */
  get #asked(): readonly Server[] {
    return this.#scene.servers.filter(({ index }) => index !== this.#scene.plan.user.without);
  }

  get #liars(): number {
    return this.#asked.filter(({ plan }) => plan.kind !== 'honest').length;
  }

  /** The exceptions that hold now. */
  #now(): Set<Exception> {
    const { plan } = this.#scene;
    const now = new Set<Exception>();
    if (plan.adversary === 'current') now.add('a');
    if (this.#command?.acceptStaleStart === true) now.add('b');
    if (this.#isBaseStale() && this.#liars >= Math.max(2, this.#command?.witnesses ?? 0) + 1) now.add('c');
    const skew = Math.abs(this.#scene.skewSeconds());
    if (skew > CLOCK_SECONDS && !this.#saysTrueTime) now.add('d');
    // What an exception let in before, and is trusted now, is the adversary's as well.
    if (this.#isAstray()) now.add('e');
    if (plan.user.without !== null) now.add('f');
    return now;
  }

  #isBaseStale(): boolean {
    const kept = this.#base;
    return this.#wasStale || kept === undefined || this.#isStale(kept.keyBlock);
  }

  begins(command: Command, step: Extract<Step, { kind: 'run' }>): void {
    const { root } = this.#scene;
    this.#command = command;
    this.#step = step;
    const checkpoint = this.#scene.fileOf('checkpoint');
    const started: Kept = checkpoint ?? { keyBlock: root, anchor: root.id, staleStart: 'none' };
    const state = command.hasState === true ? this.#scene.fileOf('state') : undefined;
    this.#base = state ?? started;
    this.#wasStale = this.#isStale(this.#base.keyBlock);
    const starts = state === undefined ? [started] : [started, state];
    const seconds = this.#scene.now() + this.#scene.skewSeconds();
    const isOld = (kept: Kept) => isMarked(kept) || seconds > kept.keyBlock.installs!.until + STAKES_SECONDS;
    this.#oldStarts = starts.every(isOld) ? starts : [];
    this.#contradictions.clear();
    this.#lookups.clear();
    this.#out.clear();
    this.#saidNetwork.clear();
    this.#ofOther.clear();
    this.#isTaking = false;
    this.#heardAtMs = this.#scene.awakeMs();
    this.#blockAtMs = this.#heardAtMs;
    this.#saysTrueTime = false;
    this.#isLed = false;
    this.#isForked = false;
    this.#isForkMissed = false;
    this.#questions = this.#count();
    this.#hasEnded = false;
    this.#isStopped = false;
    this.#outcome = undefined;
    this.#handedOut = state?.after;
    this.#hasBegun = false;
    this.#graceUntilMs = WITHIN_MS;
    this.#sinceMs = 0;
    this.#wasClockWrong = Math.abs(this.#scene.skewSeconds()) > SMALL_SECONDS;
    this.#wasDiskFull = false;
    this.#isLockLost = false;
    this.#unnoted = [];
    this.#hasFailed = false;
    if (command.hasState === true && this.#given !== undefined) this.#goesOn(state?.after);
    for (const exception of this.#now()) this.exceptions.add(exception);
  }

  /** Where the state stands when a follower is started again. */
  #goesOn(after: BlockIdExt | undefined): void {
    const given = this.#given!;
    if (!this.#scene.has('state')) {
      if (this.#noted !== undefined) this.#found('no-gap', 'the state is gone');
      this.#given = undefined;
      return;
    }
    if (after === undefined) return;
    if (after.seqno > given.seqno)
      this.#found('no-gap', `the state is after block ${after.seqno}, block ${given.seqno} was handed out last`);
    if (this.#noted !== undefined && after.seqno < this.#noted.seqno)
      this.#found('no-gap', `the state is after block ${after.seqno}, block ${this.#noted.seqno} was noted`);
    if (this.#isNoteDue && !sameId(after, given))
      this.#found('no-gap', `the state is after block ${after.seqno}, and a run ended well after block ${given.seqno}`);
  }

  #heard(isBlock: boolean): void {
    this.#heardAtMs = this.#scene.awakeMs();
    if (!isBlock) return;
    this.#blockAtMs = this.#heardAtMs;
    this.#isTaking = true;
  }

  /** What a command that is over has left behind. */
  leaves(words: readonly string[]): void {
    this.#found('leftovers', `it is over, and leaves ${[...words].sort().join(', ')}`);
  }

  #count(): AskedQuestions {
    return new AskedQuestions((what) => this.#found('questions', what));
  }

  /** A question goes out. @returns called when it is over */
  asked(index: number, question: Question): () => void {
    if (this.#ofOther.has(index)) this.#found('networks', `server ${index} of another network is asked on`);
    if (question.kind === 'lookup') this.#lookups.add(`${index} ${question.seqno}`);
    return this.#questions.asked(index);
  }

  answered(index: number, question: Question, answer: Answer): void {
    const server = this.#scene.servers[index]!;
    const isFollowed = this.#command?.name === 'follow';
    this.#questions.answered(index, question, answer, this.#scene.awakeMs(), isFollowed);
    if (answer.kind === 'head') {
      this.#saidNetwork.add(index);
      const { plan, honest } = this.#scene;
      if (plan.user.knowsNetwork && !sameId(answer.zerostate, honest.zerostate.id)) this.#ofOther.add(index);
      if (Math.abs(answer.now - this.#scene.now()) <= CLOCK_SECONDS) this.#saysTrueTime = true;
    }
    if (answer.kind === 'header' && question.kind === 'lookup' && server.isWell && !this.#isUnreadable(answer.id)) {
      const list = this.#contradictions.get(question.seqno) ?? [];
      list.push({ server: index, id: answer.id });
      this.#contradictions.set(question.seqno, list);
    }
  }

  /** After an upgrade: its proof is of a form that this version cannot read, so it proves nothing here. */
  #isUnreadable({ seqno }: BlockIdExt): boolean {
    const { honest, upgradeAt } = this.#scene;
    return (honest.at(seqno)?.genUtime ?? 0) >= upgradeAt;
  }

  reported(report: Report): void {
    if (report.what === 'taken') {
      this.#isTaking = false;
      this.#heardAtMs = this.#scene.awakeMs();
      this.#blockAtMs = this.#heardAtMs;
      if (this.#command?.hasState === true)
        this.#unnoted.push({ seqno: this.#handedOut!.seqno, atMs: this.#scene.awakeMs() }); // what was handed out is taken
      return;
    }
    if (!['out', 'refuted'].includes(report.what)) this.#heard(report.what === 'final' || report.what === 'undecided');
    switch (report.what) {
      case 'final':
        this.#outcome = 'final';
        this.#isFinal(report);
        this.#isSaid(report);
        break;
      case 'undecided':
        this.#outcome = `undecided ${report.reason}`;
        if (this.#command?.name === 'follow' && report.id !== undefined) this.#handOut(report.id);
        break;
      case 'failed':
        this.#outcome = report.code;
        this.#hasFailed = true;
        if (!report.isTyped) this.#found('typed-errors', report.message);
        if (report.signers !== undefined) this.#evidence(report.signers);
        if (report.code === 'source/disagree' && this.#mayForkNobody())
          this.#found('honest-servers', `old keys are called a fork: ${report.message}`);
        break;
      case 'trouble':
        this.#mayMissFork([report]);
        break;
      case 'refuted':
        if (this.#isWronged(report.server)) {
          this.#found('honest-servers', `honest server ${report.server} is called a liar: ${report.why}`);
        }
        break;
      case 'out':
        this.#out.add(report.server);
        if (this.#isWronged(report.server)) {
          this.#found('honest-servers', `honest server ${report.server} is put out`);
        }
        break;
    }
  }

  /** Trust begins before a hardfork: nothing leads over that. */
  #isBeforeHardfork(): boolean {
    const { honest } = this.#scene;
    return honest.before !== undefined && this.#base?.keyBlock.vert !== honest.head.vert;
  }

  /** A block that stands on old keys says so. One of the checkpoint itself is proven by no report. */
  #isSaid({ id, how, warnings }: Extract<Report, { what: 'final' }>): void {
    if (this.#oldStarts.length === 0 || !['signatures', 'descendant'].includes(how)) return;
    if (!warnings.some(({ code }) => code === 'stale-start'))
      this.#found('marks', `${this.#scene.name(id)} is final, and its report lacks the mark of old keys`);
  }

  /** So does a checkpoint that the run moved to, or kept. */
  #isNoted(file: FileName, kept: Kept): void {
    const starts = this.#oldStarts;
    const numbers = starts.map(({ keyBlock }) => keyBlock.seqno);
    const { seqno } = kept.keyBlock;
    const isBeyond = seqno > Math.max(...numbers);
    const isKept = starts.every(isMarked) && seqno >= Math.min(...numbers);
    if (starts.length > 0 && (isBeyond || isKept) && !isMarked(kept))
      this.#found('marks', `${file} has key block ${this.#scene.name(kept.keyBlock.id)} without the mark of old keys`);
  }

  /** On the honest history that trust is in. */
  #isTrue(id: BlockIdExt): boolean {
    const { honest } = this.#scene;
    return (this.#isBeforeHardfork() ? honest.before! : honest).has(id); // there is one
  }

  #isAcross(id: BlockIdExt): boolean {
    const { honest, strangers, plan } = this.#scene;
    const isStrange = plan.servers.some(({ kind }) => kind === 'stranger') && strangers.has(id);
    return isStrange || (this.#isBeforeHardfork() && honest.has(id) && !this.#isTrue(id));
  }

  /** An honest server, on the history that trust is in. */
  #isWronged(index: number): boolean {
    const server = this.#scene.servers[index];
    if (server?.plan.kind !== 'honest' || this.#isAstray()) return false;
    return this.#scene.honest.before === undefined || server.isBehind === this.#isBeforeHardfork();
  }

  /** Trust itself is where no honest server is: what is said of them then is no fault. */
  #isAstray(): boolean {
    return (
      this.#isLed ||
      (this.#isForked && this.#isStale(this.#scene.forkMade!.form.from)) || // what it has is of that one
      this.#scene.root.chain !== 'honest' ||
      (this.#base !== undefined && this.#base.keyBlock.chain !== 'honest')
    );
  }

  /** A clock that was ahead for a moment is no excuse where servers say the true time. */
  #mayMissFork(warnings: readonly { readonly code: string }[]): void {
    const from = this.#scene.forkMade?.form.from;
    const isInOffice = from !== undefined && this.#scene.now() + CLOCK_SECONDS <= from.installs!.until + STAKES_SECONDS;
    if (isInOffice && warnings.some(({ code }) => code === 'old-keys')) this.#isForkMissed = true;
  }

  #isFinal({ id, how, asked, warnings }: Extract<Report, { what: 'final' }>): void {
    const now = this.#now();
    for (const exception of now) this.exceptions.add(exception);
    this.#mayMissFork(warnings);
    if (this.#isForkMissed && !now.has('d') && !now.has('e'))
      this.#found(
        'forks',
        `${this.#scene.name(id)} is final, and keys in office that signed a second history are called old`,
      );
    if (this.#isAcross(id)) this.#found('networks', `${this.#scene.name(id)} is reported final`);
    if (!this.#isTrue(id) && excused(now).some((letter) => letter !== 'a')) this.#isLed = true;
    if (this.#scene.forkMade?.has(id) === true && !this.#isTrue(id)) this.#isForked = true;
    if (!this.#isTrue(id) && excused(now).length === 0)
      this.#found('honest-chain', `${this.#scene.name(id)} is reported final`);
    if (asked !== undefined && id.seqno !== asked)
      this.#found('asked-block', `block ${id.seqno} is reported for block ${asked}`);
    const against = this.#contradictions.get(id.seqno)?.filter((one) => !sameId(one.id, id)) ?? [];
    if (
      against.length > 0 &&
      !this.#isBeforeHardfork() &&
      how !== 'start' &&
      !['b', 'd', 'e'].some((letter) => now.has(letter as Exception))
    ) {
      this.#found(
        'forks',
        `${this.#scene.name(id)} is final, server ${against[0]!.server} named ${this.#scene.name(against[0]!.id)} and could prove it`,
      );
    }
    if (this.#command?.name === 'follow') this.#handOut(id);
    else if (how === 'signatures') this.#areCompared(id);
  }

  /**
   * Before the result every server that is not out is asked for the id at the block's number, but the one that proved it. One that
   * does not say of which network it is has no voice where that is known.
   */
  #areCompared({ seqno }: BlockIdExt): void {
    const isDue = (index: number) =>
      !this.#out.has(index) && (this.#saidNetwork.has(index) || !this.#scene.plan.user.knowsNetwork);
    const unasked = this.#asked.filter(({ index }) => isDue(index) && !this.#lookups.has(`${index} ${seqno}`));
    if (unasked.length > 1)
      this.#found('forks', `block ${seqno} is final, and ${unasked.length} servers were not asked for it`);
  }

  #handOut(id: BlockIdExt): void {
    const last = this.#handedOut;
    if (last !== undefined && id.seqno !== last.seqno + 1) {
      this.#found('no-gap', `block ${id.seqno} is handed out after block ${last.seqno}`);
    }
    const hasState = this.#command?.hasState === true;
    if (last === undefined && hasState && this.#given !== undefined && id.seqno > this.#given.seqno + 1)
      this.#found('no-gap', `block ${id.seqno} is handed out, an earlier run ended with block ${this.#given.seqno}`);
    const [oldest] = this.#unnoted;
    const forMs = this.#scene.awakeMs() - (oldest?.atMs ?? 0);
    if (oldest !== undefined && forMs > UNNOTED_MS)
      this.#found('no-gap', `block ${id.seqno} is handed out, block ${oldest.seqno} is not noted for ${forMs} ms`);
    this.#handedOut = id;
    // The blocks that came while the first was compared are the next step's.
    if (!this.#hasBegun && this.#command?.name === 'follow')
      this.#graceUntilMs = Math.max(this.#graceUntilMs, this.#scene.runMs() + this.#behindSeconds() * 1000);
    this.#hasBegun = true;
    if (hasState) this.#given = id;
  }

  /** A process beside the one that has the files. */
  saidBeside(report: Report): void {
    const keepsFiles = this.#command?.hasState === true || this.#command?.name === 'sync';
    if (keepsFiles && (report.what === 'final' || report.what === 'undecided'))
      this.#found('files', `a second process reports ${report.what} on the same files`);
  }

  isTorn(file: FileName, error: unknown): void {
    this.#found('files', `${file} is not whole: ${error instanceof Error ? error.message : String(error)}`);
  }

  clockWasSet(): void {
    if (!this.#oldStarts.every(isMarked)) this.#oldStarts = []; // by the clock as it is now, they may be in office
    const skew = this.#scene.skewSeconds();
    if (Math.abs(skew) > SMALL_SECONDS) this.#wasClockWrong = true;
    // What servers said before says nothing of a clock that was set back since. Where it is ahead, they can be asked again.
    if (skew < -CLOCK_SECONDS) this.#saysTrueTime = false;
    for (const exception of this.#now()) this.exceptions.add(exception);
  }

  diskWasFull(): void {
    this.#wasDiskFull = true;
  }

  /** The user pins another block. */
  pinned(keepsState: boolean): void {
    if (!keepsState) {
      this.#given = undefined;
      this.#noted = undefined;
    }
    this.#isStateOther = keepsState;
  }

  /** All sets that the adversary holds are past their stakes, also by the machine's clock. */
  #mayForkNobody(): boolean {
    return this.#scene.plan.adversary === 'old' && !this.#wasClockWrong && !this.#isAstray();
  }

  #evidence(signers: readonly string[]): void {
    const fork = this.#scene.forkMade;
    const used =
      fork === undefined
        ? []
        : fork.form.by.map((place) => encodeHex(fork.form.from.installs!.committee.nodeIds[place]!));
    const isSame = used.length === signers.length && used.every((id) => signers.includes(id));
    if (!isSame)
      this.#found('honest-servers', `evidence against ${signers.length} signers, the adversary used ${used.length}`);
  }

  wrote(file: FileName, kept: Kept): void {
    this.#isNoted(file, kept);
    if (file === 'state') {
      if (!this.#isNoteOpen) this.#notedBefore = this.#noted;
      this.#isNoteOpen = false;
      this.#notedAtMs = this.#scene.awakeMs();
      this.#noted = kept.after;
      this.#isNoteLasting = this.#command?.isSynced === true;
      const noted = kept.after?.seqno ?? -1;
      this.#unnoted = this.#unnoted.filter(({ seqno }) => seqno > noted);
    }
    const now = this.#now();
    for (const id of [kept.keyBlock.id, kept.after]) {
      if (id !== undefined && this.#isAcross(id)) this.#found('networks', `${file} has ${this.#scene.name(id)}`);
    }
    const isExcused = excused(now).length > 0;
    if (!isExcused && !this.#isTrue(kept.keyBlock.id))
      this.#found('files', `${file} has key block ${this.#scene.name(kept.keyBlock.id)}`);
    if (kept.after === undefined) return;
    if (!isExcused && !this.#isTrue(kept.after))
      this.#found('files', `${file} stands after ${this.#scene.name(kept.after)}`);
    if (kept.after.seqno < kept.keyBlock.seqno)
      this.#found('files', `${file} stands after ${kept.after.seqno}, before its key block`);
  }

  slept(seconds: number): void {
    if (seconds > LOCK_SECONDS) this.#isLockLost = this.#command?.hasState === true || this.#command?.name === 'sync';
    this.#sinceMs = this.#scene.runMs();
    this.#graceUntilMs = this.#sinceMs + WITHIN_MS;
    if (this.#base !== undefined && this.#isStale(this.#base.keyBlock)) this.#wasStale = true;
    const state = this.#scene.fileOf('state') ?? this.#scene.fileOf('checkpoint');
    if (state !== undefined && this.#isStale(state.keyBlock)) this.#wasStale = true;
    for (const exception of this.#now()) this.exceptions.add(exception);
  }

  stops(): void {
    this.#isStopped = true;
  }

  /** Whether this run has to come to an end, or keep up: a fresh base, one good server, and nobody that can fork. */
  #mustLive(): boolean {
    const { plan } = this.#scene;
    return (
      plan.adversary !== 'current' &&
      !this.#isBaseStale() &&
      !this.#isAstray() &&
      !this.#isBeforeHardfork() &&
      this.#scene.now() < this.#scene.upgradeAt &&
      !this.#wasClockWrong &&
      !this.#wasDiskFull &&
      !this.#isLockLost &&
      !(this.#isStateOther && this.#command?.hasState === true) &&
      this.#command?.witnesses === 0 &&
      this.#command.strict !== true &&
      (this.#command.maxHeadAgeSeconds ?? 60) >= 60 &&
      this.#step?.killAt === null &&
      (this.#command.name === 'follow' || this.#step.seconds > WITHIN_MS / 1000) &&
      this.#command.throwsAt === undefined &&
      this.#asked.some((server) => server.isWell)
    );
  }

  /** Seconds by which a follower may be behind a good server. */
  #behindSeconds(): number {
    return (this.#command?.signEverySeconds ?? 5) + BEHIND_SECONDS;
  }

  tick(): void {
    if (!this.#hasEnded && !this.#isStopped && !this.#isTaking) {
      // It is told after 10 s, 20 s, 40 s and so on.
      const dueMs = Math.max(SILENT_MS, this.#heardAtMs - this.#blockAtMs);
      if (this.#scene.awakeMs() > this.#heardAtMs + dueMs + 1000)
        this.#found('silence', `nothing is told for ${Math.round(dueMs / 1000)} s`);
    }
    if (this.#command?.name !== 'follow' || this.#hasEnded || this.#isStopped) return;
    if ((this.#command.consumerMs ?? 0) > 0 || !this.#mustLive() || this.#scene.runMs() < this.#graceUntilMs) return;
    const behind = this.#behindSeconds() + (this.#hasBegun ? 0 : FIRST_COMPARISON_SECONDS);
    const then = this.#scene.now() - behind;
    const well = this.#asked.filter((server) => server.isWell).map((server) => server.headAt(then).seqno);
    const due = Math.max(...well);
    // It begins behind its key block.
    const at = this.#handedOut?.seqno ?? this.#base?.keyBlock.seqno ?? 0;
    if (at < due) {
      this.#found('ends', `the follower is at block ${at}, a good server had block ${due} ${behind} s ago`);
    }
  }

  ends(how: string): void {
    this.#hasEnded = true;
    const command = this.#command;
    // Every block that this run handed out is noted where nothing went wrong.
    if (command?.hasState === true)
      this.#isNoteDue =
        this.#given === this.#handedOut &&
        !this.#hasFailed &&
        ['over', 'stopped'].includes(how) &&
        command.throwsAt === undefined;
    const isKilled = how === 'killed' || how === 'power cut';
    if (isKilled && this.#notedAtMs === this.#scene.awakeMs()) this.#isNoteOpen = true;
    // A note is promised to outlive a power cut once it was written through, and this one never was.
    if (how === 'power cut' && this.#isNoteOpen) this.#noted = this.#notedBefore;
    if (how === 'power cut') this.#isNoteOpen = false;
    if (how === 'power cut' && !(command?.isSynced === true && this.#isNoteLasting)) {
      this.#given = undefined;
      this.#noted = undefined;
    }
    if (command === undefined || isKilled) return;
    if (how === 'did not end') this.#found('ends', 'the command does not end when it is stopped');
    if (
      how === 'over' &&
      this.#isAllNewer &&
      !/^(?:final|undecided|source\/unsupported)/.test(this.#outcome ?? 'final')
    )
      this.#found('ends', `all servers are of a newer network, and it ends with ${this.#outcome}`);
    if (!this.#mustLive()) {
      const isLate = command.name !== 'follow' && this.#scene.runMs() - this.#sinceMs > 2 * WITHIN_MS;
      const isWatched =
        this.#asked.some((server) => server.isWell) && this.#step?.killAt === null && this.#step.moment === undefined;
      const isReadable = this.#scene.now() < this.#scene.upgradeAt;
      if (isLate && isWatched && isReadable && this.#isBaseStale() && !this.#isAstray())
        this.#found('ends', 'no end in two minutes');
      return;
    }
    if (command.name === 'follow') {
      if (how === 'over') this.#found('ends', `the follower ends by itself: ${this.#outcome}`);
    } else if (this.#outcome === undefined || !this.#outcome.startsWith('final')) {
      const isStanding =
        (this.#outcome === 'undecided stale-head' && this.#isHeadOld()) ||
        (this.#outcome === 'source/not-ready' && this.#isPausedAtRoot());
      if (this.#outcome !== 'undecided nothing to prove' && !isStanding && !this.#isToCome(command))
        this.#found('ends', `no final though a good server was there: ${this.#outcome ?? 'stopped'}`);
    } else if (this.#scene.runMs() - this.#sinceMs > WITHIN_MS)
      this.#found('ends', `final after ${Math.round((this.#scene.runMs() - this.#sinceMs) / 1000)} s`);
  }

  /** It began when all servers had blocks that this version cannot read, and nothing else was wrong. */
  get #isAllNewer(): boolean {
    const { honest, upgradeAt, plan } = this.#scene;
    const beganAt = this.#scene.now() - (this.#scene.runMs() - this.#sinceMs) / 1000;
    const isNewer = honest.head.genUtime >= upgradeAt && beganAt > upgradeAt + 2 * plan.chain.blockSeconds + 2;
    const isPlain = ['sync', 'latest'].includes(this.#command?.name ?? '') && this.#command?.strict !== true;
    const isFault = this.#wasClockWrong || this.#wasDiskFull || this.#isLockLost || this.#isAstray();
    return (
      isNewer && isPlain && !isFault && plan.hardfork === undefined && this.#asked.every((server) => server.isWell)
    );
  }

  /**
   * The block was not there yet when the command ended, or had only come after its last question. Where the chain pauses it may have come so late that no server was good for
   * it for long enough, and each had said before, as often as it may be asked, that it has none.
   */
  #isToCome({ seqno }: Command): boolean {
    const { plan, honest } = this.#scene;
    if (seqno === undefined) return false;
    const since = this.#scene.now() - (plan.chain.pause === undefined ? ON_THE_WAY_SECONDS : GOOD_SECONDS);
    return (honest.at(seqno)?.genUtime ?? Number.POSITIVE_INFINITY) > since;
  }

  /** The chain pauses, or did when the run asked for heads last: since then it may have waited for a question that is never answered. */
  #isHeadOld(): boolean {
    const { plan, honest } = this.#scene;
    const askedAt = this.#scene.now() - LAST_QUESTION_SECONDS;
    const then = honest.blocks.filter(({ genUtime }) => genUtime <= askedAt).at(-1);
    return plan.chain.pause !== undefined && this.#scene.now() - (then?.genUtime ?? 0) > 40;
  }

  /** The pinned block is the newest, and the next one is later than a run waits: the chain pauses, or its blocks are far apart. */
  #isPausedAtRoot(): boolean {
    const { plan, honest, root } = this.#scene;
    const isLate = plan.chain.pause !== undefined || plan.chain.blockSeconds > ROUNDS_SECONDS;
    return isLate && honest.head.seqno <= root.seqno;
  }

  raw(error: unknown): void {
    this.#found('typed-errors', `unhandled: ${error instanceof Error ? error.stack?.slice(0, 300) : String(error)}`);
  }
}
