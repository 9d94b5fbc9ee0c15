/**
 * Implements `prove … --lite`: asks lite servers for a fact and for the way to its block. No server is trusted: an answer is a valid proof,
 * or it is rejected.
 */
import { SourceError, type SourceStatement, TrustError, UsageError } from '../../core/base/errors.ts';
import { MASTERCHAIN_WORKCHAIN } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { FactInput } from '../../core/certificate/build-fact.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import type { KeyBlock } from '../../core/chain/key-blocks.ts';
import type { AccountId } from '../../core/facts/account-id.ts';
import { blockOfCheckpoint } from '../../core/facts/final-block.ts';
import type { ProvenBlock } from '../../core/facts/proven-block.ts';
import { verifyOlderBlock } from '../../core/facts/shard-top.ts';
import type { Fact } from '../../core/facts/to-json.ts';
import { askFact, type FactQuestion, firstThatProves, requireThere, verifyFact } from '../../net/lite/ask-fact.ts';
import { requireAhead, withAnswer } from '../../net/lite/certify.ts';
import { isBrokenProof } from '../../net/lite/climb.ts';
import { syncedBlock } from '../../net/lite/fact-head.ts';
import { Fleet } from '../../net/lite/fleet.ts';
import { proveOlderBlock } from '../../net/lite/prove.ts';
import { requireUpToHead } from '../../net/lite/said-heads.ts';
import { syncOver } from '../../net/lite/sync.ts';
import type { SyncProgress } from '../../net/lite/sync-options.ts';
import type { SyncResult } from '../../net/lite/sync-result.ts';
import { unsupportedBy } from '../../net/machine/upgrade.ts';
import { noAgreement } from '../../net/sources/no-agreement.ts';
import { keyBlockOfCheckpoint, type LedTo, type NamedFact, type QuestionFlags, withKeyBlocks } from './fact-inputs.ts';
import { type LitePlan, openLite } from './input/lite-options.ts';
import { tellFork } from './keep-evidence.ts';
import { sayWhileWaiting, type Waiting } from './say-while-waiting.ts';
import { noteWitnesses } from './witness-words.ts';

/** A fact with the answers that prove it, and its masterchain block. */
export interface FetchedFact extends LedBy {
  readonly checkpoint: Checkpoint;
  readonly input: FactInput;
  /** The state of the given wallet, under the same masterchain block. */
  readonly beside?: FactInput;
}

/** A masterchain block, and the answers that lead to it from the checkpoint. */
interface LedBy extends LedTo {
  readonly proofs: readonly Uint8Array[];
}

/** A question for lite servers. */
export interface LiteFactQuestion {
  readonly kind: NamedFact;
  readonly question: QuestionFlags;
  readonly checkpoint: Checkpoint;
  /** The masterchain block to prove the fact under; default: the head, or the block that holds the transaction. */
  readonly seqno?: number;
  /** File for evidence, if two blocks of one number are certified. */
  readonly evidence?: string;
  /** Prints events on standard error as JSON. */
  readonly asJson?: boolean;
  /** A jetton wallet whose state is fetched with a transaction. */
  readonly wallet?: AccountId;
  /** Rejects a block before the checkpoint: a certificate proves forward only. */
  readonly forward?: boolean;
}

/** Doubts about a proven block, and what to do. */
const DOUBTS: Partial<Record<string, readonly [string, string]>> = {
  'stale-set': [
    'the validators of the checkpoint can have withdrawn their stakes',
    'run ton-finality sync with more servers to make a newer checkpoint: an attacker with the old keys could forge later blocks',
  ],
  contradicted: [
    'the validators of the checkpoint can have withdrawn their stakes, and a server names a different block',
    'exclude the server that is wrong with --without SERVER, or pass a newer checkpoint',
  ],
};

/** `syncedBlock`, with errors that name the flags of the command. @param wanted the number that the user gave */
function syncedBlockFor(result: SyncResult, wanted?: number): ProvenBlock {
  const { verdict, tip, headAgeSeconds } = result;
  if (wanted !== undefined && tip.seqno !== wanted) {
    throw new SourceError('source/wrong-block', `asked for block ${wanted}, block ${tip.seqno} was proven`);
  }
  const doubt = verdict.status === 'undecided' ? DOUBTS[verdict.reason] : undefined;
  if (doubt !== undefined) {
    const [message, hint] = doubt;
    throw new TrustError('trust/stale-start', message, { path: '--checkpoint', hint });
  }
  if (verdict.status === 'undecided' && verdict.reason === 'stale-head') {
    throw new SourceError(
      'source/not-ready',
      `the newest block, ${tip.seqno}, is ${Math.round(headAgeSeconds)} s old`,
      {
        hint: 'ask other servers, or pass --seqno N to prove the fact at a block you choose',
      },
    );
  }
  return syncedBlock(result);
}

async function ledToMasterchain(
  { fleet, checkpoint: start, evidence, asJson, waiting, countEachServer, forward, seqno: asked, requireNotNewer }: Ask,
  seqno: number | undefined,
): Promise<LedBy> {
  const known = start.keyBlock.seqno;
  let keyBlocks: readonly KeyBlock[] = [keyBlockOfCheckpoint(start)];
  let proofs: readonly Uint8Array[] = [];
  if (forward === true && seqno !== undefined) requireAhead(start, seqno);
  else if (seqno === known) return { block: blockOfCheckpoint(start), keyBlocks, proofs };
  const onProgress = (progress: SyncProgress) => {
    waiting.proved(progress.tip.seqno, progress.target.seqno);
    keyBlocks = withKeyBlocks(keyBlocks, progress.keyBlocks);
    proofs = withAnswer(proofs, progress.answer);
  };
  if (seqno !== undefined && seqno > known) {
    if (asked === undefined) await requireNotNewer(seqno); // a server named it
    const result = await syncOver(fleet, start, { to: seqno, countEachServer, onProgress });
    await noteWitnesses(result, evidence, asJson);
    return { block: syncedBlockFor(result, seqno), keyBlocks, proofs };
  }
  const head = await syncOver(fleet, start, { countEachServer, onProgress });
  await noteWitnesses(head, evidence, asJson);
  const block = syncedBlockFor(head);
  if (seqno === undefined) return { block, keyBlocks, proofs };
  const older = verifyOlderBlock((await proveOlderBlock(fleet.clients, head, seqno)).tl, block);
  if (older.id.seqno === seqno) return { block: older, keyBlocks, proofs };
  throw new SourceError('source/wrong-block', `asked for block ${seqno}, block ${older.id.seqno} was proven`);
}

type Ask = LiteFactQuestion & {
  readonly fleet: Fleet;
  readonly countEachServer: boolean;
  readonly waiting: Waiting;
  readonly requireNotNewer: ReturnType<typeof requireUpToHead>;
};

/** Makes the question from the command line. */
function questionOf({ kind, question: { account, lt, param, message } }: LiteFactQuestion): FactQuestion {
  if (kind === 'config') return { kind, param: param! }; // each was read for its kind
  if (kind === 'account') return { kind, account: account! };
  return { kind: 'transaction', account: account!, lt: lt!, ...present({ message }) };
}

function requireNoSeqnoOfShard({ question: { account, lt }, seqno }: LiteFactQuestion): void {
  if (seqno === undefined || lt === undefined || account?.workchain === MASTERCHAIN_WORKCHAIN) return;
  throw new UsageError('usage/bad-option', 'expected a masterchain account, got an account of a shard', {
    path: '--seqno',
    hint: 'remove --seqno: the masterchain block that lists the shard block is found and proven',
  });
}

/** A fetched fact after its proof was checked. */
interface CheckedFact {
  readonly fact: Exclude<Fact, { kind: 'block-transactions' | 'library' }>;
}

/** Returns why no server proved the fact: the last error, unchanged. */
function lastReason(kind: string, failures: readonly SourceStatement[]): unknown {
  if (unsupportedBy(failures) !== 'few') return noAgreement(`no lite server gives the ${kind}`, failures);
  const { error } = failures.at(-1)!; // there is a server
  return error instanceof SourceError && isBrokenProof(error.cause) ? error.cause : error;
}

/**
 * Asks one server after the other, until the proof of one holds.
 * @param prove checks what came; an error of the proof counts against the server, and the next one is asked
 * @throws SourceError, TrustError: the fault of the last server; `source/wrong-block` when it named a block that does not hold the
 * transaction; ForkError, after its evidence was written
 */
export async function proveOverLite<T extends CheckedFact>(
  plan: LitePlan,
  question: LiteFactQuestion,
  prove: (fetched: FetchedFact) => T,
): Promise<T> {
  requireNoSeqnoOfShard(question);
  const waiting = sayWhileWaiting(question.asJson === true);
  const clients = openLite(plan, { onServer: waiting.onServer });
  const { countEachServer } = plan;
  try {
    // One fleet for all questions: a server that is out for one block is asked no more.
    const fleet = new Fleet(clients, 'run', countEachServer);
    const requireNotNewer = requireUpToHead(fleet, question.checkpoint, { countEachServer });
    const reach = (seqno: number | undefined) =>
      ledToMasterchain({ ...question, fleet, waiting, countEachServer, requireNotNewer }, seqno);
    const found = await firstThatProves(fleet, clients, `the ${question.kind}`, undefined, async (one, opts) => {
      const asked = await askFact(one, questionOf(question), reach, question.seqno, opts);
      const { led, input, answers, inServersBlock } = asked;
      const wallet = question.wallet && ({ kind: 'account', account: question.wallet } as const);
      const beside = wallet && (await askFact(one, wallet, async () => led, undefined, opts));
      if (beside !== undefined) verifyFact(beside.input, led.block);
      const { checkpoint } = question;
      const judged = prove({ ...led, input, checkpoint, ...present({ beside: beside?.input }) });
      requireThere(inServersBlock, judged.fact);
      return { judged, answers: [...answers, ...(beside?.answers ?? [])] };
    });
    if (found === undefined) throw lastReason(question.kind, fleet.statements());
    return found.judged;
  } catch (error) {
    await tellFork(error, { evidence: question.evidence, json: question.asJson });
    throw error;
  } finally {
    waiting.end();
    for (const client of clients) client.close();
  }
}
