/**
 * Faults that are put back by hand: for each rule that live code keeps, the change of its source that breaks it, and the
 * invariant by which worlds have to notice.
 */
import type { Patch } from './bundle.ts';
import type { Invariant } from './invariants.ts';
import { live, planOf, type Tried } from './runner.ts';

export interface Mutant {
  readonly rule: string;
  readonly breaks: string;
  readonly patches: readonly Patch[];
  readonly noticed: Invariant;
}

const CLIMB = 'src/net/lite/climb.ts';
const CLIMB_MACHINE = 'src/net/machine/climb.ts';
const CONTRADICTION = 'src/net/machine/contradiction.ts';
const AGREEMENT = 'src/net/machine/agreement.ts';
const SYNC_RESULT = 'src/net/lite/sync-result.ts';
const SYNC_MACHINE = 'src/net/machine/sync.ts';
const TARGETS = 'src/net/machine/targets.ts';
const WITNESSES = 'src/net/lite/witnesses.ts';
const FOLLOW = 'src/net/lite/follow-lite.ts';
const HEADS = 'src/net/machine/heads.ts';
const CLIENT = 'src/net/lite/client.ts';
const BUDGET = 'src/net/machine/budget.ts';
const DESCENT = 'src/net/lite/descent.ts';
const REQUESTER = 'src/net/lite/requester.ts';
const STALL = 'src/net/machine/stall.ts';
const STALL_REPORTS = 'src/net/follow/stall-reports.ts';
const LOCK = 'src/app/files/lock-file.ts';
const WRITE_FILE = 'src/app/files/write-file.ts';
const LATE_NOTES = 'src/app/cli/follow/follow-state.ts';
/** What the command does around the library, in worlds. */
const ADAPTER = 'test/simulation/today/adapter.ts';
/** What proves what: `differential.test.ts` holds it to the real walk. */
const JUDGE = 'test/simulation/judge.ts';

/** Links may lead past the target. */
const PAST: Patch = { file: CLIMB, find: 'if (to.seqno > target.seqno) {', put: 'if (false) {' };

export const MUTANTS: readonly Mutant[] = [
  {
    rule: 'contradictions are judged from where trust began',
    breaks: 'a server that contradicts is asked from the newest key block only',
    patches: [
      {
        file: CONTRADICTION,
        find: 'return all.filter((_, at) => at === all.length - 1 || (at & (at - 1)) === 0);',
        put: 'return all.slice(0, 1);',
      },
    ],
    noticed: 'forks',
  },
  {
    rule: 'only a proof that came and does not hold shows a lie',
    breaks: 'a server that cannot prove its block at this moment is called a liar',
    patches: [{ file: WITNESSES, find: "return reportOf('contradicts', {", put: "return reportOf('refuted', {" }],
    noticed: 'honest-servers',
  },
  {
    rule: 'what is reported for a number is that block',
    breaks: 'no link is held against the target, and the end is not compared',
    patches: [PAST, { file: SYNC_RESULT, find: 'if (to !== undefined && tip.seqno !== to) {', put: 'if (false) {' }],
    noticed: 'asked-block',
  },
  {
    rule: 'a climb ends with signatures of its target',
    breaks: 'an answer may lead past the target and back, and ends without a header',
    patches: [
      PAST,
      { file: CLIMB, find: "if (kind === 'back' && !(isPinned && at === 0)) {", put: 'if (false) {' },
      {
        file: CLIMB,
        find: "if (tip.seqno <= blockOf(from).seqno || link?.kind !== 'forward' || header === undefined || report === undefined) {",
        put: 'if (tip.seqno <= blockOf(from).seqno) {',
      },
      { file: CLIMB, find: 'if (!isThere && !header.keyBlock) {', put: 'if (!isThere && !header!.keyBlock) {' },
    ],
    noticed: 'typed-errors',
  },
  {
    rule: 'no answer leads past the target',
    breaks: 'trust moves past the target, and a run that asked for a block by its number ends without it',
    patches: [PAST],
    noticed: 'ends',
  },
  {
    rule: 'every server that is not out is compared',
    breaks: 'no other server is asked for the block',
    patches: [
      {
        file: WITNESSES,
        find: '.filter((client) => client !== compared.prover)',
        put: '.filter((client) => client === undefined)',
      },
    ],
    noticed: 'forks',
  },
  {
    rule: 'a stale base is final only with two servers that agree',
    breaks: 'one server is enough whatever the age of the base',
    patches: [
      {
        file: AGREEMENT,
        find: "if (!acceptStaleStart && agreed < STALE_START_WITNESSES) return 'stale-set';",
        put: '',
      },
    ],
    noticed: 'honest-chain',
  },
  {
    rule: 'what old keys could have made is kept in no file',
    breaks: 'a stale base is not seen by sync',
    patches: [
      { file: SYNC_MACHINE, find: 'startIsStale: state.startIsStale || led.startIsStale,', put: '' },
      { file: SYNC_MACHINE, find: 'startIsStale: state.startIsStale || nowSeconds > state.stakesEnd', put: '' },
    ],
    noticed: 'files',
  },
  {
    rule: 'a follower holds the base of every climb against the clock',
    breaks: 'a follower that slept continues with a set that is past its stakes',
    patches: [
      {
        file: FOLLOW,
        find: 'this.#best = { done, way, isBaseStale: isStale };',
        put: 'this.#best = { done, way, isBaseStale: () => false };',
      },
    ],
    noticed: 'honest-chain',
  },
  {
    rule: 'a head that is no newer than what is proven is nothing new',
    breaks: 'a follower climbs to the block that it trusts',
    patches: [
      {
        file: HEADS,
        find: 'block.seqno > above &&',
        put: 'block.seqno >= above &&',
      },
    ],
    noticed: 'honest-servers',
  },
  {
    rule: 'a follower goes for the highest heads of different servers',
    breaks: 'the server that comes first is asked alone, however little it admits to',
    patches: [
      {
        file: HEADS,
        find: 'return first === undefined ? ordered :',
        put: 'return first === undefined || true ? ordered.slice(0, 1) :',
      },
      {
        file: HEADS,
        find: 'const ordered = inOrder(known,',
        put: 'const ordered = known.filter(() => true) ?? inOrder(known,',
      },
    ],
    noticed: 'ends',
  },
  {
    rule: 'followed blocks have no gap',
    breaks: 'one block between two signed ones is left out',
    patches: [
      {
        file: FOLLOW,
        find: "...between.map((one) => block(one.header, 'descendant'))",
        put: "...between.slice(1).map((one) => block(one.header, 'descendant'))",
      },
    ],
    noticed: 'no-gap',
  },
  {
    rule: 'a block that nobody can prove keeps no run from its end',
    breaks: 'the newest head is gone for, and all servers are asked for it and put to rest',
    patches: [
      {
        file: TARGETS,
        find: 'doubt(a) - doubt(b) || b.block.seqno - a.block.seqno);',
        put: 'Math.min(doubt(a), 0) || b.block.seqno - a.block.seqno).slice(0, 1);',
      },
      {
        file: CLIMB_MACHINE,
        find: 'const server = serversLeft(state, pool).find((one) => named.has(one));',
        put: 'const server = left[0];',
      },
      { file: SYNC_MACHINE, find: "[{ kind: 'doubt', server, failed: id }],", put: '[],' },
    ],
    noticed: 'ends',
  },
  {
    rule: 'a clock is wrong only where all servers that say a time say so',
    breaks: 'one server whose clock differs ends a run',
    patches: [
      {
        file: HEADS,
        find: 'const isBehind = clocks.every(',
        put: 'const isBehind = clocks.some(',
      },
    ],
    noticed: 'ends',
  },
  {
    rule: 'a follower that hands out nothing says why',
    breaks: 'trouble is reported only after half a minute',
    patches: [{ file: STALL, find: 'const SILENT_MS = 10_000;', put: 'const SILENT_MS = 30_000;' }],
    noticed: 'silence',
  },
  {
    rule: 'one process at a time has a file',
    breaks: 'a lock of another process that runs is passed over',
    patches: [
      {
        file: LOCK,
        find: 'if (blocking === undefined && own.isHeld) return own.keep();',
        put: 'if (own.isHeld) return own.keep();',
      },
    ],
    noticed: 'files',
  },
  {
    rule: 'a file is replaced as a whole',
    breaks: 'it is written in its place',
    patches: [
      {
        file: WRITE_FILE,
        find: 'try {\n      fs.writeFileSync(fresh.handle, text);',
        put: 'try {\n      fs.writeFileSync(path, text);\n      fs.writeFileSync(fresh.handle, text);',
      },
    ],
    noticed: 'files',
  },
  {
    rule: 'a file is on the disk before it gets its name',
    breaks: 'its content is not brought to disk',
    patches: [
      {
        file: WRITE_FILE,
        find: '  fs.fsyncSync(handle);\n  fs.closeSync(handle);\n  putInPlace',
        put: '  fs.closeSync(handle);\n  putInPlace',
      },
    ],
    noticed: 'files',
  },
  {
    rule: 'what is noted with --sync is there after a power cut',
    breaks: 'the name of the file is not brought to disk',
    patches: [{ file: WRITE_FILE, find: 'if (lasts) syncFolder(dirname(path));', put: '' }],
    noticed: 'no-gap',
  },
  {
    rule: 'a block that was taken is noted soon, or before the next one',
    breaks: 'notes wait for a second',
    patches: [{ file: LATE_NOTES, find: 'const LATE_MS = 100;', put: 'const LATE_MS = 1000;' }],
    noticed: 'no-gap',
  },
  {
    rule: 'a block is noted when it was taken',
    breaks: 'the state moves to the block that comes',
    patches: [
      {
        file: ADAPTER,
        find: '      state.beforeNext();\n',
        put: '      state.note({ after: id, checkpoint: moved, start: begun });\n      state.keep();\n',
      },
    ],
    noticed: 'no-gap',
  },
  {
    rule: 'a command that is over leaves nothing behind',
    breaks: 'the timer of a follower runs on',
    patches: [
      {
        file: STALL_REPORTS,
        find: '    this.hush();\n    this.#forget();',
        put: '    this.listen();\n    this.#forget();',
      },
    ],
    noticed: 'leftovers',
  },
  {
    rule: 'a server is asked for nothing that it has answered',
    breaks: 'a server is asked the same as often as it answers',
    patches: [{ file: BUDGET, find: '- timesAt(asked ?? NEVER_ASKED, nowMs, length) - open', put: '' }],
    noticed: 'questions',
  },
  {
    rule: 'two questions at a time are in flight to a server',
    breaks: 'eight blocks at a time are asked of a server',
    patches: [
      { file: DESCENT, find: 'const AHEAD = QUESTIONS_IN_FLIGHT;', put: 'const AHEAD = 8 * QUESTIONS_IN_FLIGHT;' },
      { file: REQUESTER, find: 'IN_FLIGHT, QUESTIONS_IN_FLIGHT)', put: 'IN_FLIGHT, 4 * QUESTIONS_IN_FLIGHT)' },
    ],
    noticed: 'questions',
  },
  {
    rule: 'nothing leads over a hardfork',
    breaks: 'a hardfork that validators sign is walked over',
    patches: [{ file: JUDGE, find: 'if (dest.vert !== config.vert)', put: 'if (false)' }],
    noticed: 'networks',
  },
  {
    rule: 'nothing leads into another network',
    breaks: 'blocks that the same validators signed for another network are taken',
    patches: [{ file: JUDGE, find: 'if (dest.globalId !== config.globalId)', put: 'if (false)' }],
    noticed: 'networks',
  },
  {
    rule: 'a server of another network is asked nothing more',
    breaks: 'the zerostate of a server is not compared',
    patches: [
      {
        file: CLIENT,
        find: '    if (isOfNetwork) return;\n    const got',
        put: '    if (network !== undefined) return;\n    const got',
      },
    ],
    noticed: 'networks',
  },
  {
    rule: 'what stands on a stale start says so',
    breaks: 'a follower forgets that its start was stale',
    patches: [{ file: FOLLOW, find: 'this.#startIsStale ||= baseIsStale;', put: '' }],
    noticed: 'marks',
  },
  {
    rule: 'a report has the mark of its start',
    breaks: 'the report of a head that was synchronised to has no mark',
    patches: [
      {
        file: SYNC_RESULT,
        find: "const marked = withMark(one, startIsStale ? mark : 'none');",
        put: 'const marked = one;',
      },
    ],
    noticed: 'marks',
  },
];

/**
 * The first world that breaks an invariant with the fault, and not without it.
 * @param hint a seed that is tried first
 */
export async function firstToNotice(
  whole: Tried,
  broken: Tried,
  invariant: Invariant,
  seeds: number,
  hint?: number,
): Promise<number | undefined> {
  const isBroken = async (subject: Tried, seed: number) =>
    (await live(subject, planOf(subject, seed))).violations.some((one) => one.invariant === invariant);
  const notices = async (seed: number) => (await isBroken(broken, seed)) && !(await isBroken(whole, seed));
  if (hint !== undefined && (await notices(hint))) return hint;
  for (let seed = 1; seed <= seeds; seed++) if (await notices(seed)) return seed;
  return undefined;
}

/**
 * What is wrong with the recorded seed of a fault. Where the seed shows the fault no more, all worlds are searched for one that does,
 * which takes half a minute: it has to be recorded, or each run would search again.
 */
export async function staleRecordOf(
  whole: Tried,
  broken: Tried,
  { breaks, noticed }: Mutant,
  recorded: readonly { readonly breaks: string; readonly firstSeed: number | null }[],
  worlds: number,
): Promise<string | undefined> {
  const hint = recorded.find((row) => row.breaks === breaks)?.firstSeed ?? undefined;
  const seed = await firstToNotice(whole, broken, noticed, worlds, hint);
  if (seed === undefined) return `no world of ${worlds} shows it`;
  if (seed === hint) return undefined;
  return `seed ${hint} is recorded and seed ${seed} shows it: npm run test:simulation -- --mutants records it anew`;
}
