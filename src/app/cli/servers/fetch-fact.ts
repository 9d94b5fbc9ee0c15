/**
 * Implements `prove … --lite`: asks lite servers for a fact and for the way to its block. No server is trusted: an answer is a valid proof,
 * or it is rejected.
 */
import { SourceError, type SourceStatement, TrustError, type TrustErrorCode } from '../../../core/base/errors.ts';
import { MASTERCHAIN_WORKCHAIN, MAX_HEAD_AGE_SECONDS } from '../../../core/base/limits.ts';
import { present } from '../../../core/base/present.ts';
import type { FactInput } from '../../../core/certificate/build-fact.ts';
import type { Checkpoint } from '../../../core/chain/checkpoint.ts';
import type { KeyBlock } from '../../../core/chain/key-blocks.ts';
import type { AccountId } from '../../../core/facts/account-id.ts';
import { blockOfCheckpoint } from '../../../core/facts/final-block.ts';
import { factsOf, type ProvenBlock } from '../../../core/facts/proven-block.ts';
import { verifyOlderBlock } from '../../../core/facts/shard-top.ts';
import { askFact, firstThatProves, judged } from '../../../net/lite/ask-fact.ts';
import { requireAhead, withAnswer } from '../../../net/lite/certify.ts';
import { isBrokenProof } from '../../../net/lite/climb.ts';
import { requireUpToHead, syncedBlock } from '../../../net/lite/fact-head.ts';
import { Fleet } from '../../../net/lite/fleet.ts';
import { proveOlderBlock } from '../../../net/lite/prove.ts';
import { syncOver } from '../../../net/lite/sync.ts';
import type { SyncOptions } from '../../../net/lite/sync-options.ts';
import type { SyncResult } from '../../../net/lite/sync-result.ts';
import { unsupportedBy } from '../../../net/machine/newer-network.ts';
import { noAgreement } from '../../../net/sources/no-agreement.ts';
import { MORE_SERVERS } from '../../../net/sources/witness-report.ts';
import { keyBlockOfCheckpoint, type LedTo, type NamedQuestion, withKeyBlocks } from '../input/fact-inputs.ts';
import type { LitePlan } from '../input/lite-options.ts';
import { badFlag } from '../input/option-rows.ts';
import { readWitnesses, type Wanted } from '../input/server-options.ts';
import { noteWitnesses, type TellOptions } from '../output/print-witnesses.ts';
import type { Waiting } from '../output/say-while-waiting.ts';
import { overLite, requireWantedBlock } from './lite-run.ts';

/** A fact with the answers that prove it, its masterchain block, and the answers that lead there from the checkpoint. */
export interface FetchedFact extends LedBy {
  readonly input: FactInput;
  /** The state of the given wallet, under the same masterchain block. */
  readonly beside?: FactInput;
}

interface LedBy extends LedTo {
  readonly proofs: readonly Uint8Array[];
}

/** A question for lite servers. */
interface ServerQuestion extends NamedQuestion {
  readonly checkpoint: Checkpoint;
  /** `seqno`: the masterchain block to prove the fact under; default: the head, or the block that holds the transaction. */
  readonly options: TellOptions & {
    readonly seqno: number | undefined;
    readonly witnesses: string | undefined;
    readonly strict: boolean;
  };
  /** A jetton wallet whose state is fetched with a transaction. */
  readonly wallet?: AccountId | undefined;
  /** Rejects a block before the checkpoint: a certificate proves forward only. */
  readonly forward?: true;
}

/** Doubts about a proven block: the error, the flag that it is about, and what to do. */
const DOUBTS: Partial<Record<string, readonly [TrustErrorCode, string, string, string]>> = {
  'stale-set': [
    'trust/stale-start',
    '--checkpoint',
    'the validators of the checkpoint can have withdrawn their stakes',
    'run ton-finality sync with more servers to make a newer checkpoint: an attacker with the old keys could forge later blocks',
  ],
  contradicted: [
    'trust/stale-start',
    '--checkpoint',
    'the validators of the checkpoint can have withdrawn their stakes, and a server names a different block',
    'exclude the server that is wrong with --without SERVER, or pass a newer checkpoint',
  ],
  'too-few-witnesses': ['trust/too-few-witnesses', '--witnesses', 'too few other servers name the block', MORE_SERVERS],
};

/** `syncedBlock`, with errors that name the flags of the command. @param wanted the number that the user gave */
function syncedBlockFor(result: SyncResult, wanted: Wanted): ProvenBlock {
  const { verdict, tip, headAgeSeconds } = result;
  requireWantedBlock(tip.seqno, wanted);
  const doubt = verdict.status === 'undecided' ? DOUBTS[verdict.reason] : undefined;
  if (doubt !== undefined) {
    const [code, path, message, hint] = doubt;
    throw new TrustError(code, message, { path, hint });
  }
  if (verdict.status === 'undecided' && verdict.reason === 'stale-head') {
    const hint = 'ask other servers, or pass --seqno N to prove the fact at a block you choose';
    const message = `the newest block, ${tip.seqno}, is ${Math.round(headAgeSeconds)} s old`;
    throw new SourceError('source/not-ready', message, { hint });
  }
  return syncedBlock(result);
}

/** The servers of a run. */
interface FactServers {
  readonly fleet: Fleet;
  readonly terms: Pick<SyncOptions, 'countEachServer' | 'strict' | 'witnesses'>;
  readonly waiting: Waiting;
  readonly requireNotNewer: ReturnType<typeof requireUpToHead>;
}

/** Proves a masterchain block. @param seqno its number, which the user or a server named; `undefined` for the head */
async function ledToMasterchain(
  { checkpoint: start, forward, options }: ServerQuestion,
  { fleet, terms, waiting, requireNotNewer }: FactServers,
  seqno: number | undefined,
): Promise<LedBy> {
  const known = start.keyBlock.seqno;
  let keyBlocks: readonly KeyBlock[] = [keyBlockOfCheckpoint(start)];
  let proofs: readonly Uint8Array[] = [];
  if (forward && seqno !== undefined) requireAhead(start, seqno);
  const atStart = { block: blockOfCheckpoint(start), keyBlocks, proofs };
  const isCompared = (terms.witnesses ?? Number(terms.strict)) > 0;
  if (seqno === known && !isCompared) return atStart;
  const isAhead = seqno !== undefined && seqno > known;
  if (isAhead && options.seqno === undefined) await requireNotNewer(seqno); // a server named it
  const result = await syncOver(fleet, start, {
    ...(isAhead ? { to: seqno } : {}),
    ...terms,
    onProgress(progress) {
      waiting.proved(progress.tip.seqno, progress.target.seqno);
      keyBlocks = withKeyBlocks(keyBlocks, progress.keyBlocks);
      proofs = withAnswer(proofs, progress.answer);
    },
  });
  await noteWitnesses(result, options);
  const block = syncedBlockFor(result, isAhead ? seqno : 'latest');
  if (seqno === known) return atStart;
  if (isAhead || seqno === undefined) return { block, keyBlocks, proofs };
  const older = verifyOlderBlock((await proveOlderBlock(fleet.servers, result, seqno)).tl, block);
  requireWantedBlock(older.id.seqno, seqno);
  return { block: older, keyBlocks, proofs };
}

/** Whether a block can still be the newest. Servers that gave no fact below it took time. */
function isRecent({ block }: LedBy): boolean {
  return Date.now() / 1000 - (factsOf(block).path[0]?.genUtime ?? 0) <= MAX_HEAD_AGE_SECONDS;
}

function requireNoSeqnoOfShard({ question, options: { seqno } }: ServerQuestion): void {
  if (seqno === undefined || question.kind !== 'transaction') return;
  if (question.account.workchain === MASTERCHAIN_WORKCHAIN) return;
  const hint = 'remove --seqno: the masterchain block that lists the shard block is found and proven';
  throw badFlag('seqno', 'expected a masterchain account, got an account of a shard', hint);
}

/** Returns why no server proved the fact: the last error, unchanged. */
function lastReason(kind: string, failures: readonly SourceStatement[]): unknown {
  if (unsupportedBy(failures) !== 'few') return noAgreement(`no lite server gives the ${kind}`, failures);
  const { error } = failures.at(-1)!; // there is a server
  return error instanceof SourceError && isBrokenProof(error.cause) ? error.cause : error;
}

/**
 * Asks one server after the other, until the proof of one holds.
 * @param use checks what more the user requires of a fact that holds; an error of a proof counts against the server, and the next one is
 * asked
 * @throws SourceError, TrustError: the fault of the last server; `source/wrong-block` when it named a block that does not hold the
 * transaction; ForkError, after its evidence was written
 */
export async function fetchFact<T>(
  plan: LitePlan,
  asked: ServerQuestion,
  use: (fetched: FetchedFact) => T,
): Promise<T> {
  requireNoSeqnoOfShard(asked);
  const { kind, question, checkpoint, wallet, options } = asked;
  const { countEachServer } = plan;
  const witnesses = readWitnesses(options.witnesses, plan.servers.length - 1);
  const terms = { countEachServer, strict: options.strict, ...present({ witnesses }) };
  return await overLite(plan, options, async (clients, waiting) => {
    // One fleet for all questions: a server that is out for one block is asked no more.
    const fleet = new Fleet(clients, 'run', countEachServer);
    const requireNotNewer = requireUpToHead(fleet, checkpoint, { countEachServer });
    const servers = { fleet, terms, waiting, requireNotNewer };
    const known = new Map<number | undefined, LedBy>();
    // A block is proven and compared once: a server whose fact is false is out, and cannot confirm the block again.
    const reach = async (seqno: number | undefined) => {
      const before = known.get(seqno);
      if (before !== undefined && (seqno !== undefined || isRecent(before))) return before;
      const led = await ledToMasterchain(asked, servers, seqno).catch((cause: unknown) => {
        const isFew = cause instanceof TrustError && cause.code === 'trust/too-few-witnesses';
        if (!isFew || seqno === options.seqno) throw cause;
        // The server that is asked may have named a block that the others do not keep: the next one may name another.
        throw new SourceError('source/not-ready', cause.message, { cause });
      });
      known.set(seqno, led);
      return led;
    };
    const found = await firstThatProves(fleet, clients, `the ${kind}`, undefined, async (one, opts) => {
      // Before `use`: an absence in a block that the server chose is not an answer, and must not end the run.
      const { led, input, answers } = judged(await askFact(one, question, reach, options.seqno, opts));
      const beside =
        wallet && judged(await askFact(one, { kind: 'account', account: wallet }, async () => led, undefined, opts));
      const used = use({ ...led, input, ...present({ beside: beside?.input }) });
      return { used, answers: [...answers, ...(beside?.answers ?? [])] };
    });
    if (found === undefined) throw lastReason(kind, fleet.statements());
    return found.used;
  });
}
