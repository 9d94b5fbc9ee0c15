/** Fetches the transactions of an account over lite servers, from its proven state backwards and without gaps. */
import { SourceError, TrustError } from '../../core/base/errors.ts';
import { MAX_HISTORY_TRANSACTIONS } from '../../core/base/limits.ts';
import type { AccountId } from '../../core/facts/account-id.ts';
import type { AccountFact } from '../../core/facts/account-state.ts';
import { type HistoryFact, type HistoryProof, verifyHistory } from '../../core/facts/history.ts';
import { type GivenPage, inPageOrder } from '../machine/page-order.ts';
import type { Questions } from './budget.ts';
import type { LiteServerClient } from './client.ts';
import { fromOne, type Head, proveOne } from './fact-head.ts';
import type { LiteAskOptions } from './requester.ts';

function tooMany(limit: number, afterLt: bigint): TrustError {
  return new TrustError('trust/history', `more than ${limit} transactions after ${afterLt}`, {
    path: 'limit',
    hint: 'allow more (`limit`): a later afterLt leaves some out',
  });
}

/**
 * Returns the error for a history that begins after `afterLt`. An account that is deleted and deployed again begins a new
 * history, which lacks the transactions before.
 */
function begunAfter(first: HistoryFact, afterLt: bigint): TrustError {
  return new TrustError('trust/history', `the history begins at lt ${first.lt}, after ${afterLt}`, {
    path: 'afterLt',
    hint: 'if it was deployed again, look in blocks for earlier ones, then pass 0n',
  });
}

/** Proves the account's state after the head. @throws TrustError `trust/no-account` */
export async function requireState(head: Head, account: AccountId, path: string): Promise<AccountFact> {
  const { fact } = await proveOne(head, { kind: 'account', account });
  if (fact.found) return fact;
  const words = `there is no such account after block ${head.block.id.seqno} (${fact.reason})`;
  throw new TrustError('trust/no-account', words, {
    path,
    hint: 'compare its address and the network; deploy it first',
  });
}

/**
 * Reads an account's transactions backwards, to a known one or to one that is looked for.
 * @returns the transactions after `afterLt`, the newest first; in a search, up to the one with the hash if there is one
 * @throws TrustError `trust/history` for more than `limit`, or where the history begins after `afterLt`; SourceError
 * `source/not-ready` where `afterLt` is after the newest
 */
export async function historyAfter(
  head: Head,
  account: AccountFact,
  afterLt: bigint,
  limit: number,
  isSought: (fact: HistoryFact) => boolean = () => false,
): Promise<readonly HistoryFact[]> {
  if (afterLt > account.lastTransLt) {
    const words = `the newest transaction is lt ${account.lastTransLt}, before ${afterLt}`;
    throw new SourceError('source/not-ready', words, {
      hint: 'wait, or pass an afterLt of this account',
    });
  }
  const pages: HistoryProof[] = [];
  const given = new Map<LiteServerClient, GivenPage>();
  let next = { lt: account.lastTransLt, hash: account.lastTransHash };
  for (let seen = 0; next.lt > afterLt; ) {
    if (seen > limit) throw tooMany(limit, afterLt);
    const start = { account: account.account, ...next };
    const ask = async (questions: Questions, opts: LiteAskOptions, client: LiteServerClient) => {
      const newest = { ...next, count: MAX_HISTORY_TRANSACTIONS };
      const sinceMs = performance.now();
      const { claimed, tl } = await questions.transactions(start.account, newest, opts);
      const facts = verifyHistory([claimed], start);
      const rows = facts.length;
      if (rows === 0) throw new SourceError('source/wrong-block', `no transaction ${start.lt}`);
      const isShort = rows < MAX_HISTORY_TRANSACTIONS;
      given.set(client, { rows, ms: performance.now() - sinceMs, isShort });
      return { claimed, facts, answers: [tl], links: rows };
    };
    const page = await fromOne(head, 'a history', ask, (servers) => inPageOrder(servers, (one) => given.get(one)));
    pages.push(page.claimed);
    seen += page.links;
    const first = page.facts.at(-1)!; // a page is never empty
    next = { lt: first.transaction.prevTransLt, hash: first.transaction.prevTransHash };
    if (page.facts.some(isSought)) break;
    if (next.lt === 0n && afterLt > 0n && first.lt > afterLt) throw begunAfter(first, afterLt);
  }
  const limited = { limit: limit + MAX_HISTORY_TRANSACTIONS };
  const all = verifyHistory(pages, account, limited).filter(({ lt }) => lt > afterLt);
  const at = all.findIndex(isSought);
  const wanted = at < 0 ? all : all.slice(0, at + 1);
  if (wanted.length > limit) throw tooMany(limit, afterLt);
  return wanted;
}
