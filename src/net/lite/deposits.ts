/** Fetches all transactions of a vault from lite servers, proven and without gaps. */
import { optional, readOptions } from '../../core/base/options.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import { type AccountId, type AccountLike, requireAccount } from '../../core/facts/account-id.ts';
import type { AccountFact } from '../../core/facts/account-state.ts';
import { requireLt } from '../../core/facts/fact-checks.ts';
import type { HistoryFact } from '../../core/facts/history.ts';
import { iterateOver } from '../async/read-at-call.ts';
import { factReaders } from '../follow/live-options.ts';
import { historyAfter, requireState } from './account-history.ts';
import type { LiteServerClient } from './client.ts';
import { overFleet, proveOne, type Reached, reached, reachHead, readCall } from './fact-head.ts';
import { scanLimit } from './prove-facts.ts';
import type { FactOptions } from './sync-options.ts';

/** An incoming transaction of a vault, as proof for `acceptDeposit`. */
export interface Arrival extends Reached {
  /** The transaction's logical time. Pass it as `afterLt` to begin the next scan. */
  readonly lt: bigint;
  /** The transaction and, where a wallet was named, its state under the same masterchain block. */
  readonly facts: readonly [HistoryFact, ...AccountFact[]];
}

/** The start of a scan, and what else to prove for each transaction. */
export interface DepositsOptions extends FactOptions {
  /** Logical time of the last transaction that you have; 0n for all. Every later transaction is yielded. */
  readonly afterLt: bigint;
  /** The vault's jetton wallet, whose state goes with each transaction. */
  readonly wallet?: AccountLike;
  /**
   * The largest number of transactions, 1 to 1000000. Default 10000. If there are more, raise the limit; a later
   * `afterLt` would leave some out.
   */
  readonly limit?: number;
}

/**
 * Yields every transaction of a vault up to the newest block, the oldest first. No transaction is left out, because
 * each names the one before, beginning at the proven state of the vault. The iteration ends at the newest block; call
 * again with the `lt` of the last transaction as `afterLt`.
 * @param clients one or more clients of lite servers; a server that fails or lies is passed over
 * @param checkpoint the key block that you trust, from `readCheckpoint` or `syncCheckpoint`
 * @param vault the account of the vault
 * @param options `afterLt` is the logical time of the last transaction that you have, 0n for all; `limit` is 10000 by
 * default
 * @returns an iteration over transactions, each with facts for `acceptDeposit`
 * @throws as `proveAccount`; `trust/history` for more transactions than `limit`; `trust/no-account` for a vault that
 * does not exist; `source/not-ready` for an `afterLt` after the vault's newest transaction
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseAccountId } from 'ton-finality/facts';
 * import { readCheckpoint } from 'ton-finality/node';
 * import { connectLite, parseGlobalConfig, depositsOf } from 'ton-finality/servers';
 * const { servers } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * const clients = servers.map((server) => connectLite(server));
 * const vault = parseAccountId(`0:${'11'.repeat(32)}`);
 * for await (const { lt, facts } of depositsOf(clients, readCheckpoint('checkpoint.json'), vault, { afterLt: 3000010n })) {
 *   console.log(lt, facts[0].kind); // 13000010n history
 * }
 * for (const client of clients) client.close();
 * ```
 */
export function depositsOf(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  vault: AccountLike,
  options: DepositsOptions,
): AsyncGenerator<Arrival, void, undefined> {
  return iterateOver(() => readScan(clients, checkpoint, vault, options), scan);
}

/** Returns what to scan, in bytes that no caller can change. @throws UsageError */
function readScan(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  vault: AccountLike,
  options: DepositsOptions,
) {
  const account = requireAccount(vault, 'vault');
  const { afterLt, limit, wallet, ...more } = readOptions(options, '', {
    ...factReaders(),
    afterLt: requireLt,
    wallet: optional(requireAccount),
    limit: scanLimit(),
  });
  const call = readCall(clients, checkpoint, more);
  return { account, afterLt, limit, wallet: wallet as AccountId | undefined, call }; // its reader made this type
}

async function* scan({ account, afterLt, wallet, limit, call }: ReturnType<typeof readScan>): AsyncGenerator<Arrival> {
  yield* await overFleet(call, async (run): Promise<Arrival[]> => {
    const head = await reachHead(run);
    const state = await requireState(head, account, 'vault');
    const history = await historyAfter(head, state, afterLt, limit);
    if (history.length === 0) return [];
    const beside = wallet && (await proveOne(head, { kind: 'account', account: wallet })).fact;
    const wallets = beside?.found === true ? [beside] : [];
    return [...history].reverse().map((fact) =>
      Object.freeze({
        lt: fact.lt,
        facts: Object.freeze([fact, ...wallets] as const),
        ...reached(head.result),
      }),
    );
  });
}
