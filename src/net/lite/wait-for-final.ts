/**
 * Waits until a block, or the block of a transaction, is final, over lite servers. No answer is trusted without proof.
 */
import { badArgument, isObject, requireInteger } from '../../core/base/arguments.ts';
import { SourceError, TrustError } from '../../core/base/errors.ts';
import { MASTERCHAIN_WORKCHAIN, MAX_SEQNO } from '../../core/base/limits.ts';
import { callback, number, optional, readOptions } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import { type BlockIdExt, copyBlockId, differingField, formatBlockId } from '../../core/block/block-id.ts';
import { type Checkpoint, ownCheckpoint } from '../../core/chain/checkpoint.ts';
import type { ProvenBlock } from '../../core/facts/proven-block.ts';
import { verifyShardBlock } from '../../core/facts/shard-top.ts';
import type { TransactionFact } from '../../core/facts/transaction.ts';
import { consult } from '../async/callbacks.ts';
import { sleep } from '../async/timer.ts';
import { factReaders } from '../follow/live-options.ts';
import { lacksBlock, mayPass } from '../machine/outcome.ts';
import { startWait, stepWait, type WaitEvent } from '../machine/wait-for-final.ts';
import { namedSeqno } from './ask-fact.ts';
import type { LiteServerClient } from './client.ts';
import { type Call, fromOne, type Head, masterchainAt, type Reached, reached, reachHead } from './fact-head.ts';
import { Fleet, requireDistinctServers } from './fleet.ts';
import { requireClock, watchHeads } from './heads.ts';
import {
  type OwnWanted,
  readWanted,
  scanLimit,
  transactionBelow,
  type WantedByHash,
  type WantedTransaction,
} from './prove-facts.ts';
import { type FactOptions, readSyncOptions } from './sync-options.ts';
import { runOver } from './timed-call.ts';

/** The block to wait for: a masterchain block by its number, or any block by its id. */
export type WantedBlock = { readonly seqno: number } | { readonly id: BlockIdExt };

/** The progress of a wait. */
export interface WaitProgress {
  /**
   * waiting: no server names the block. proving: a server names the block, or a newer head that may hold the transaction.
   * failed: servers failed, and the wait continues.
   */
  readonly state: 'waiting' | 'proving' | 'failed';
  /** The newest masterchain block that a server claims; 0 before the first answer. */
  readonly said: number;
  /** The checkpoint so far: keep it, and pass it to a later wait. */
  readonly checkpoint: Checkpoint;
  /** Milliseconds since the wait began. */
  readonly forMs: number;
  /** The failure, in state `failed`. */
  readonly error?: SourceError | TrustError;
}

/** How long to wait, and which events to report meanwhile. */
export interface WaitOptions extends Omit<FactOptions, 'onProgress'> {
  /**
   * Milliseconds for the whole wait, after which it ends with `source/timeout`. Default 10 minutes; at most one day.
   */
  readonly deadlineMs?: number;
  /** Called before each pause and each proof; the wait continues after it. An error of this callback ends the wait. */
  readonly onProgress?: (progress: WaitProgress) => void | Promise<void>;
  /** How many transactions a search by hash reads at most, each time. Default 10000. */
  readonly limit?: number;
}

/** A block that is final. */
export interface FinalBlock extends Reached {
  readonly block: ProvenBlock;
}

/** A transaction in a final block. The transaction may have failed: see `fact.transaction.outcome`. */
export interface FinalTransaction extends FinalBlock {
  readonly fact: TransactionFact;
}

/** Ten minutes, and one day. */
const [WAIT_MS, MOST_WAIT_MS] = [600_000, 86_400_000];
/** Milliseconds for the heads of servers. */
const LOOK_MS = 3_000;

type Awaited = WantedBlock | OwnWanted;

/** Checks what is wanted. @throws UsageError */
function readAwaited(given: WantedBlock | WantedTransaction | WantedByHash): Awaited {
  if (isObject(given) && !('account' in given || 'lt' in given || 'hash' in given)) {
    const { seqno, id } = readOptions(given as { readonly seqno?: number; readonly id?: BlockIdExt }, 'wanted', {
      seqno: optional((value, path) => requireInteger(value, path, 1, MAX_SEQNO)),
      id: optional((value: BlockIdExt, path) => {
        const id = copyBlockId(value, path);
        requireInteger(id.seqno, `${path}.seqno`, 1, MAX_SEQNO); // a zerostate is pinned, and never proven
        return id;
      }),
    });
    if (seqno !== undefined && id === undefined) return { seqno };
    if (id !== undefined && seqno === undefined) return { id };
    throw badArgument('wanted', 'seqno, id or account', given);
  }
  return readWanted(given as WantedTransaction | WantedByHash);
}

const isNoAccount = (error: unknown) => error instanceof TrustError && error.code === 'trust/no-account';

/** Requires the wanted block. @throws TrustError `trust/not-final` where a different block has its number */
function requireSame(got: BlockIdExt, wanted: BlockIdExt): void {
  if (differingField(got, wanted) === undefined) return;
  const words = `block ${formatBlockId(got)} is final, so that ${formatBlockId(wanted)} never will be`;
  throw new TrustError('trust/not-final', words, {
    path: 'wanted.id',
    hint: 'do not act on it, and ask the source that named it',
  });
}

type FoundBlock = FinalBlock & { readonly fact?: TransactionFact };

/** Number of the awaited masterchain block; `undefined` if any new head may show it. */
function dueOf(wanted: Awaited): number | undefined {
  if ('seqno' in wanted) return wanted.seqno;
  return 'id' in wanted && wanted.id.workchain === MASTERCHAIN_WORKCHAIN ? wanted.id.seqno : undefined;
}

/** Proves the awaited block below a head. @returns the number up to which it is not there, where that is known */
async function below(head: Head, wanted: Awaited, limit: number): Promise<FoundBlock | number> {
  const due = dueOf(wanted);
  const more = reached(head.result);
  if (due !== undefined) return { block: await masterchainAt(head, due), ...more };
  if ('id' in wanted) {
    const { block } = await fromOne(head, 'a block', async (questions, opts) => {
      const { claimed, tl } = await questions.shardProof(wanted.id, opts);
      const top = await masterchainAt(head, namedSeqno(claimed.masterchainId));
      return { block: verifyShardBlock(claimed, top), answers: [tl] };
    });
    return { block, ...more };
  }
  const { fact, block } = await transactionBelow(head, wanted as OwnWanted, limit);
  // a transaction that was found has a block
  return fact.found ? { fact, block: block!, ...more } : head.block.id.seqno;
}

/** Proves the awaited block. @param onHead receives the newest trust @returns as `below` */
async function prove(
  call: Call,
  wanted: Awaited,
  limit: number,
  onHead: (checkpoint: Checkpoint) => void,
): Promise<FoundBlock | number> {
  const due = dueOf(wanted);
  if (due !== undefined && due > call.from.keyBlock.seqno) {
    const { result, block } = await reachHead({ ...call, options: { ...call.options, to: due } });
    return { block, ...reached(result) };
  }
  const head = await reachHead(call);
  onHead(head.result.checkpoint);
  try {
    return await below(head, wanted, limit);
  } catch (error) {
    const isNotYet = error instanceof SourceError ? lacksBlock(error.code) : isNoAccount(error);
    if (isNotYet && due === undefined) return head.block.id.seqno;
    throw error;
  }
}

/**
 * Waits until a block is final, and returns the block with its proof.
 * @param clients one or more clients of lite servers; a server that fails or lies is passed over
 * @param checkpoint the key block that you trust, from `readCheckpoint` or `syncCheckpoint`
 * @param wanted a masterchain block by `seqno`, any block by `id`, or a transaction, whose block is waited for
 * @param options time limits and witnesses; default: 10 minutes (`deadlineMs`), no witness required
 * @returns the proven block; for a transaction, also the transaction as `fact`
 * @throws SourceError `source/timeout` after `deadlineMs`, with the reason; SourceError `source/aborted`; ForkError
 * with evidence of a fork; TrustError `trust/not-final` where a different block has the number, `trust/stale-start`, or
 * `trust/history` as `proveTransaction`; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { readCheckpoint } from 'ton-finality/node';
 * import { connectLite, parseGlobalConfig, waitForFinal } from 'ton-finality/servers';
 * const { servers } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * const clients = servers.map((server) => connectLite(server));
 * const { block } = await waitForFinal(clients, readCheckpoint('checkpoint.json'), { seqno: 5 });
 * console.log(block.id.seqno); // 5
 * for (const client of clients) client.close();
 * ```
 */
export function waitForFinal(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedBlock,
  options?: WaitOptions,
): Promise<FinalBlock>;
export function waitForFinal(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedTransaction | WantedByHash,
  options?: WaitOptions,
): Promise<FinalTransaction>;
export async function waitForFinal(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedBlock | WantedTransaction | WantedByHash,
  options: WaitOptions = {},
): Promise<FoundBlock> {
  const distinct = requireDistinctServers(clients);
  let from = ownCheckpoint(checkpoint).checkpoint;
  const own = readAwaited(wanted);
  const { limit, onProgress, onStall, deadlineMs, signal, ...ask } = readOptions(options, '', {
    ...factReaders(),
    deadlineMs: number(Number.MIN_VALUE, MOST_WAIT_MS, WAIT_MS),
    onProgress: callback(),
    limit: scanLimit(),
  });
  const { clock } = readSyncOptions(ask, from.keyBlock.seqno, distinct); // checked before a server is asked
  const fleet = new Fleet(distinct, 'lasting', ask.countEachServer);
  const sinceMs = performance.now();
  let said = 0;
  let error: SourceError | TrustError | undefined;
  const limits = present({ deadlineMs, onStall, signal });
  return await runOver(fleet, limits, from.keyBlock, async (stop, onReason) => {
    onReason(() => {
      const head = from.keyBlock.seqno;
      const why = present({ error: error instanceof SourceError ? error : undefined });
      return { code: said === 0 ? 'no-server' : 'not-proven', head, said: Math.max(said, head), ...why };
    });
    const lookAtHeads = watchHeads(fleet, stop, clock);
    const tell = async (state: WaitProgress['state']) => {
      const forMs = performance.now() - sinceMs;
      const why = state === 'failed' ? present({ error }) : {};
      const progress = Object.freeze({ state, said, checkpoint: from, forMs, ...why });
      if (onProgress !== undefined) await consult('onProgress', () => onProgress(progress), stop);
    };
    const look = async (): Promise<WaitEvent> => {
      const heads = await lookAtHeads(LOOK_MS);
      if (heads.length === fleet.kept().length) requireClock(heads);
      said = Math.max(...heads.map(({ head }) => head.last.seqno));
      return { kind: 'looked', said };
    };
    const proof = async (): Promise<WaitEvent | FoundBlock> => {
      const found = await prove({ fleet, from, options: { ...ask, signal: stop } }, own, limit, (newest) => {
        from = ownCheckpoint(newest).checkpoint;
      });
      if (typeof found === 'number') return { kind: 'absent', upTo: found };
      if ('id' in own) requireSame(found.block.id, own.id);
      return found;
    };
    const tried = async (work: () => Promise<WaitEvent | FoundBlock>): Promise<WaitEvent | FoundBlock> => {
      try {
        return await work();
      } catch (cause) {
        if (stop.aborted || !mayPass(cause) || fleet.kept().length === 0) throw cause;
        error = cause;
        return { kind: 'failed', chance: Math.random() };
      }
    };
    let state = startWait(dueOf(own), 0);
    let event: WaitEvent | FoundBlock = { kind: 'begin' };
    try {
      while (!('block' in event)) {
        const [after, action] = stepWait(state, event);
        state = after;
        if (action.kind === 'wait') {
          await tell(event.kind === 'failed' ? 'failed' : 'waiting');
          await sleep(action.ms, stop);
          event = { kind: 'waited' };
        } else {
          if (action.kind === 'prove') await tell('proving');
          event = await tried(action.kind === 'look' ? look : proof);
        }
      }
      return Object.freeze(event);
    } catch (cause) {
      if (cause !== stop.reason) throw cause;
      throw new SourceError('source/aborted', 'stopped by the caller', present({ cause: error }));
    }
  });
}
