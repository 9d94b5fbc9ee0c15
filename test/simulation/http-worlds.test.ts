/**
 * Simulated worlds of servers over HTTP: honest ones that lag or fail, and liars that say what they like, with whatever keys the
 * adversary holds. A world is made from its seed; time is virtual, and signatures are real.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { FinalityError, SourceError, UsageError } from '../../src/core/base/errors.ts';
import { MAX_SEQNO } from '../../src/core/base/limits.ts';
import type { SignatureList } from '../../src/core/block/signature-list.ts';
import { signedMessage } from '../../src/core/message/signed-message.ts';
import { nodeIdShort } from '../../src/core/validators/node-id-short.ts';
import { createValidatorSet } from '../../src/core/validators/validator-set.ts';
import { verifyBlock } from '../../src/core/verify/verifier.ts';
import { followBlocks } from '../../src/net/follow/follow-blocks.ts';
import { verifyForkEvidence } from '../../src/net/lite/fork-evidence.ts';
import type { AskOptions, BlockSource } from '../../src/net/sources/block-source.ts';
import { firstOf } from '../../src/net/sources/first-of.ts';
import { ForkError } from '../../src/net/sources/fork-error.ts';
import { verifyFrom } from '../../src/net/sources/verify-from.ts';
import type { WitnessReport } from '../../src/net/sources/witness-report.ts';
import { entryOf, makeBlockId, type SetKind, toAnswer, unsignedSet } from '../helpers/make-block.ts';
import { makeSigners } from '../helpers/make-validators.ts';
import { share } from '../helpers/share.ts';
import { random } from './random.ts';

const WORLDS = { verify: share(100, 300), follow: share(20, 60) };
/** Later worlds that once showed a fault. */
const FOUND = { verify: [], follow: [749] };
const NOW = 1_800_000_000;
/** Seconds after its election ended for which the stakes of a set are held, and then some. */
const LONG_AGO = 2_000_000;
const HEAD = 9;
/** As long as a question over HTTP takes by default. */
const QUESTION_MS = 30_000;
const signers = makeSigners([1n, 1n, 1n, 1n, 1n, 1n], 'http worlds');
const strangers = makeSigners([1n, 1n, 1n, 1n, 1n, 1n], 'http strangers');
const members = signers.map(({ publicKey, weight }) => ({ publicKey, weight }));
const nodeIds = signers.map(({ publicKey }) => encodeHex(nodeIdShort(publicKey)));

/** Made once: signing costs more than all else. */
const made = new Map<string, SignatureList>();
function signed(seqno: number, fork: number, kind: SetKind, by: readonly (typeof signers)[number][]): SignatureList {
  const key = [seqno, fork, kind, by.length, by[0] === strangers[0]].join();
  const known = made.get(key);
  if (known !== undefined) return known;
  const id = makeBlockId(seqno);
  const unsigned = unsignedSet(kind, {
    ...id,
    rootHash: id.rootHash.map((byte, at) => (at === 0 ? byte ^ fork : byte)),
  });
  const message = signedMessage(unsigned);
  const set = { ...unsigned, signatures: by.map((signer) => entryOf(signer, message)) };
  made.set(key, set);
  return set;
}

const LIES = [
  'truth',
  'fork',
  'stranger',
  'damaged',
  'empty',
  'replay',
  'busy',
  'not-ready',
  'silence',
  'garbage',
] as const;

interface World {
  readonly seed: number;
  readonly kind: SetKind;
  /** How many of six validators the adversary holds. */
  readonly held: number;
  readonly isOld: boolean;
  readonly acceptUnbound: boolean;
  readonly witnesses: number;
  readonly need: number | undefined;
  readonly wanted: number | 'latest';
  readonly servers: readonly {
    readonly name: string;
    readonly isHonest: boolean;
    readonly head: number;
    readonly loss: number;
  }[];
}

function makeWorld(seed: number): World {
  const chance = random('http world', seed);
  const count = chance.int(1, 6);
  const servers = Array.from({ length: count }, (_, at) => ({
    name: `server ${at}`,
    isHonest: chance.chance(at === 0 ? 0.3 : 0.5),
    head: HEAD - chance.int(0, 2),
    loss: chance.chance(0.3) ? 0.3 : 0,
  }));
  const kind = chance.chance(0.7) ? 'simplex' : 'ordinary';
  return {
    seed,
    kind,
    held: chance.pick([0, 1, 2, 5, 6]),
    isOld: chance.chance(0.15),
    acceptUnbound: kind === 'ordinary' && chance.chance(0.7),
    witnesses: chance.chance(0.4) ? chance.int(1, Math.max(1, count - 1)) : 0,
    need: count > 1 && chance.chance(0.2) ? chance.int(1, count) : undefined,
    wanted: chance.chance(0.5) ? chance.int(3, HEAD - 2) : 'latest',
    servers,
  };
}

/** What an honest server said that it was asked, by number. */
type Heard = Map<number, Set<string>>;

function sourceOf(world: World, { name, isHonest, head, loss }: World['servers'][number], heard: Heard): BlockSource {
  const chance = random('http server', world.seed, name);
  const failed = (code: 'source/rate-limited' | 'source/not-ready' | 'source/upstream') =>
    new SourceError(code, `${name}: ${code}`, { endpoint: name });
  /** Until it is given up, at the latest after the time that a question over HTTP takes. */
  const hang = (opts: AskOptions = {}) =>
    new Promise<never>((_, reject) => {
      const late = () => reject(new SourceError('source/timeout', `${name}: no answer`, { endpoint: name }));
      const timeout = setTimeout(late, opts.deadlineMs ?? QUESTION_MS);
      const stop = () => {
        clearTimeout(timeout);
        reject(new SourceError('source/aborted', `${name}: stopped`));
      };
      (opts.signal as AbortSignal | undefined)?.addEventListener('abort', stop, { once: true });
    });
  const given = (signatures: SignatureList) => ({
    signatures,
    source: name,
    body: new TextEncoder().encode(JSON.stringify(toAnswer(signatures))),
  });
  function lieOf(seqno: number, lie: (typeof LIES)[number]): SignatureList | undefined {
    const truth = signed(Math.min(seqno, HEAD), 0, world.kind, signers);
    const adversary = signers.slice(0, world.held);
    switch (lie) {
      case 'truth':
        return truth;
      case 'fork':
        return signed(Math.min(seqno, 1000), 1, world.kind, adversary);
      case 'stranger':
        return signed(Math.min(seqno, 1000), 2, world.kind, strangers);
      case 'damaged': {
        const [first, ...rest] = truth.signatures;
        return { ...truth, signatures: [{ ...first!, signature: first!.signature.map((byte) => byte ^ 1) }, ...rest] };
      }
      case 'empty':
        return { ...signed(Math.min(seqno, 1000), 3, world.kind, strangers), signatures: [] };
      case 'replay': {
        const older = signed(Math.max(1, Math.min(seqno, HEAD) - 1), 0, world.kind, signers);
        return { ...older, blockId: { ...older.blockId, seqno } };
      }
      default:
        return undefined;
    }
  }
  return {
    name,
    async latestSeqno(opts) {
      if (isHonest) {
        if (chance.chance(loss)) throw failed('source/upstream');
        return head;
      }
      const said = chance.pick(['truth', 'ghost', 'old', 'silence', 'busy'] as const);
      if (said === 'silence') return await hang(opts);
      if (said === 'busy') throw failed('source/rate-limited');
      return { truth: HEAD, ghost: chance.pick([HEAD + 1, 1000, MAX_SEQNO]), old: 3 }[said];
    },
    async signatures(seqno, opts) {
      if (isHonest) {
        if (chance.chance(loss)) throw failed('source/upstream');
        if (seqno > head) throw failed('source/not-ready');
        heard.set(seqno, (heard.get(seqno) ?? new Set()).add(name));
        return given(signed(seqno, 0, world.kind, signers));
      }
      const lie = chance.pick(LIES);
      if (lie === 'silence') return await hang(opts);
      if (lie === 'busy') throw failed('source/rate-limited');
      if (lie === 'garbage') return { signatures: { nonsense: seqno }, source: name } as never;
      const said = lieOf(seqno, lie);
      if (said === undefined) throw failed('source/not-ready');
      return given(said);
    },
  };
}

/** In virtual time. */
async function settled<T>(run: Promise<T>): Promise<T | { readonly thrown: unknown }> {
  let isOver = false;
  const outcome = run.then(
    (value) => value,
    (thrown: unknown) => ({ thrown }),
  );
  void outcome.then(() => {
    isOver = true;
  });
  for (let round = 0; !isOver; round++) {
    if (round > 5000) throw new Error('it does not end');
    await vi.advanceTimersByTimeAsync(500);
  }
  return await outcome;
}

const isTrue = ({ blockId }: { readonly blockId: SignatureList['blockId'] }) =>
  encodeHex(blockId.rootHash) === encodeHex(makeBlockId(blockId.seqno).rootHash);

/** Who is accused, and whether the accusation is true: I5. */
function checkEvidence(world: World, report: Pick<WitnessReport, 'evidence'>): void {
  for (const evidence of report.evidence) {
    const { signedBoth, sides } = verifyForkEvidence(JSON.parse(JSON.stringify(evidence)));
    expect(world.held, 'who holds no two thirds forks nothing').toBeGreaterThan(4);
    expect(signedBoth.map(encodeHex).sort()).toEqual(nodeIds.slice(0, world.held).sort());
    expect(sides.filter(isTrue)).toHaveLength(1);
  }
}

function checkError(world: World, error: unknown): string {
  expect(error, 'no raw error').toBeInstanceOf(FinalityError);
  expect(error).not.toBeInstanceOf(UsageError);
  if (!(error instanceof ForkError)) {
    const { code } = error as FinalityError;
    // Without a quorum only two proven histories contradict each other, and those have evidence.
    if (world.need === undefined) expect(code).not.toBe('source/disagree');
    return code;
  }
  expect(world.isOld, 'old keys are no fork').toBe(false);
  checkEvidence(world, { evidence: [error.evidence] });
  return 'fork';
}

const termsOf = (world: World) => {
  const set = createValidatorSet(members, { utimeUntil: world.isOld ? NOW - LONG_AGO : NOW });
  const judging = { requireBoundId: !world.acceptUnbound, acceptUnbound: world.acceptUnbound };
  return { set, judging, verify: (block: SignatureList) => verifyBlock(block, set, judging) };
};

async function verifyIn(world: World): Promise<string> {
  const heard: Heard = new Map();
  const { set, verify } = termsOf(world);
  const { wanted, need, witnesses } = world;
  const sources = world.servers.map((server) => sourceOf(world, server, heard));
  const terms = { wanted, need, witnesses, nowSeconds: NOW };
  const outcome = await settled(
    verifyFrom(sources, terms, async ({ signatures }) => ({ report: verify(signatures), validators: set, verify })),
  );
  const honest = world.servers.filter(({ isHonest }) => isHonest);
  const steady = honest.filter(({ loss, head }) => loss === 0 && (wanted === 'latest' || head >= wanted));
  if ('thrown' in outcome) return checkError(world, outcome.thrown);
  const { judged, agreement, error, witnesses: said } = outcome;
  checkEvidence(world, said);
  const names = new Set(honest.map(({ name }) => name));
  for (const { source } of [...said.refuted, ...(world.held > 4 ? [] : said.forked)]) {
    expect(names.has(source), `${source} is honest`).toBe(false);
  }
  if (judged === undefined) {
    expect(steady, 'an honest server answers').toHaveLength(need === undefined ? 0 : steady.length);
    return checkError(world, error);
  }
  const { blockId } = judged.report.coverage;
  if (wanted !== 'latest') expect(blockId.seqno, 'what is reported for N is block N').toBe(wanted);
  const { status } = judged.report.verdict;
  if (status !== 'final' || agreement !== 'enough') {
    const isBound = world.kind === 'simplex';
    if (isBound && steady.length > 0 && need === undefined && witnesses === 0 && !world.isOld && wanted !== 'latest') {
      expect.unreachable(`one honest server is enough: ${status} ${agreement}`);
    }
    return status === 'final' ? agreement : status;
  }
  expect(said.agreed.length).toBeGreaterThanOrEqual(witnesses);
  if (isTrue({ blockId })) return 'final';
  // What is not on the chain is final only by the keys of two thirds, or where the user takes a server's word for the number.
  if (!world.acceptUnbound) {
    expect(world.held, `block ${blockId.seqno} is on no chain`).toBeGreaterThan(4);
    if (!world.isOld)
      expect(heard.get(blockId.seqno) ?? new Set(), 'an honest server showed the fork').toEqual(new Set());
  }
  return 'excepted';
}

/** In every second world the clock is ahead for some of the times that it is read, and right before and after. */
function clockOf({ seed }: World): () => number {
  const chance = random('http clock', seed);
  const [from, stays] = [chance.int(1, 20), chance.chance(0.5) ? chance.pick([1, 1, 2, 5]) : 0];
  let reads = 0;
  return () => {
    reads += 1;
    return reads >= from && reads < from + stays ? NOW + LONG_AGO : NOW;
  };
}

async function followIn(world: World): Promise<string> {
  const heard: Heard = new Map();
  const { set, judging } = termsOf(world);
  const sources = world.servers.map((server) => sourceOf(world, server, heard));
  const seen: number[] = [];
  let isForkMissed = false;
  const run = async () => {
    const source = sources.length === 1 ? sources[0]! : firstOf(sources);
    const { witnesses } = world;
    const options = {
      validators: set,
      ...judging,
      from: 3,
      clock: clockOf(world),
      onWarning({ code }: { readonly code: string }) {
        isForkMissed ||= code === 'old-keys' && !world.isOld;
      },
      maxOutageMs: 20_000,
      others: sources,
      witnesses,
    };
    for await (const { coverage, verdict } of followBlocks(source, options)) {
      if (verdict.status !== 'final') return verdict.status;
      seen.push(coverage.blockId.seqno);
      if (isForkMissed) return 'final after a fork by keys in office';
      if (!isTrue(coverage) && !world.acceptUnbound) {
        expect(world.held, `block ${coverage.blockId.seqno} is on no chain`).toBeGreaterThan(4);
      }
      if (coverage.blockId.seqno >= HEAD - 2) return 'final';
    }
    return 'ended';
  };
  const outcome = await settled(run());
  if (isForkMissed) expect(outcome, 'a fork by keys in office ends the run').toHaveProperty('thrown');
  expect(seen, 'no gap, no duplicate').toEqual(seen.map((_, at) => 3 + at));
  return typeof outcome === 'string' ? outcome : checkError(world, outcome.thrown);
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe.each([
  ['verify', verifyIn],
  ['follow', followIn],
] as const)('%s in worlds of servers over HTTP', (name, play) => {
  it('breaks no rule, whatever servers say', async () => {
    const outcomes: Record<string, number> = {};
    for (const seed of [...Array.from({ length: WORLDS[name] }, (_, at) => at + 1), ...FOUND[name]]) {
      const world = makeWorld(seed);
      const outcome = await play(world).catch((error: Error) => {
        error.message = `${name}, world ${JSON.stringify(world)}: ${error.message}`;
        throw error;
      });
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    // The worlds are of all kinds.
    for (const kind of ['final', 'fork'] as const)
      expect(outcomes[kind] ?? 0, JSON.stringify(outcomes)).toBeGreaterThan(WORLDS[name] / 100);
    expect(outcomes.final, JSON.stringify(outcomes)).toBeGreaterThan(WORLDS[name] / 5);
    if (name === 'verify')
      expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(['contradicted', 'too-few-witnesses', 'excepted']));
  });
});
