/**
 * Asks for one fact below a proven block, one lite server after the other, until the answers of a server prove the
 * fact.
 */
import { badOption } from '../../core/base/arguments.ts';
import { type FinalityError, SourceError, TrustError } from '../../core/base/errors.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN, MAX_SEQNO, QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, formatBlockPlace } from '../../core/block/block-id.ts';
import type { FactInput } from '../../core/certificate/build-fact.ts';
import { verifyHeader } from '../../core/chain/block-header.ts';
import { trustError } from '../../core/chain/shared-checks.ts';
import type { AccountId } from '../../core/facts/account-id.ts';
import { type AccountFact, type NoAccount, verifyAccount } from '../../core/facts/account-state.ts';
import { type ConfigFact, verifyConfig } from '../../core/facts/config-param.ts';
import type { ProvenBlock } from '../../core/facts/proven-block.ts';
import { verifyShardBlock } from '../../core/facts/shard-top.ts';
import { type NoTransaction, type TransactionFact, verifyTransaction } from '../../core/facts/transaction.ts';
import { parseLiteAnswer } from '../lite-api/read-answers.ts';
import { configParamsRequest, lookupByLtRequest } from '../lite-api/write-requests.ts';
import { effectOf, isA } from '../machine/outcome.ts';
import type { Questions } from './budget.ts';
import type { LiteServerClient } from './client.ts';
import { brokenProof, isBrokenProof } from './climb.ts';
import type { Fleet } from './fleet.ts';
import type { LiteAskOptions } from './requester.ts';

/** The fact to ask for. */
export type FactQuestion =
  | {
      readonly kind: 'transaction';
      readonly account: AccountId;
      readonly lt: bigint;
      readonly message?: number | 'in';
    }
  | { readonly kind: 'account'; readonly account: AccountId }
  | { readonly kind: 'config'; readonly param: number };

/** The answers of one server, and the masterchain block that they are judged under. */
export interface AskedFact<L> {
  readonly input: FactInput;
  readonly led: L;
  /**
   * Whether the server named the block to look in. If the fact is not in that block, it may still be in a different
   * one.
   */
  readonly inServersBlock: boolean;
  readonly answers: readonly Uint8Array[];
}

/** Returns the masterchain block of a number, proven; without a number, the newest. */
export type Reach<L> = (seqno: number | undefined) => Promise<L>;

/** Reads the block of an answer, whose header must be the one of its id. */
function blockNamed(answer: Uint8Array): BlockIdExt {
  const { id, headerProof } = parseLiteAnswer(answer, 'block-header');
  verifyHeader(headerProof, id);
  return id;
}

/**
 * Returns the number of the masterchain block that a server names. The claim is checked here, because the next check is
 * the one of the caller's own numbers, whose error would end the call. @throws TrustError for a block that is in no
 * masterchain
 */
export function namedSeqno(id: BlockIdExt): number {
  const { workchain, shard, seqno } = id;
  const isMasterchain = workchain === MASTERCHAIN_WORKCHAIN && shard === MASTERCHAIN_SHARD;
  if (isMasterchain && seqno >= 1 && seqno <= MAX_SEQNO) return seqno;
  throw trustError('trust/wrong-workchain', `no masterchain has the block ${formatBlockPlace(id)}`, 'masterchain_id');
}

/**
 * Asks one server for a fact.
 * @param seqno of the masterchain block to prove it under. Default: the newest; for a transaction, the one that a
 * server names. A transaction of a shard has none
 */
export async function askFact<L extends { readonly block: ProvenBlock }>(
  questions: Questions,
  question: FactQuestion,
  reach: Reach<L>,
  seqno: number | undefined,
  opts: LiteAskOptions,
): Promise<AskedFact<L>> {
  const answers: Uint8Array[] = [];
  const heard = <T extends { readonly tl: Uint8Array }>(answer: T): T => {
    answers.push(answer.tl);
    return answer;
  };
  const ask = async (request: Uint8Array) => heard({ tl: await questions.ask(request, opts) }).tl;
  if (question.kind === 'config') {
    const led = await reach(seqno);
    const answer = parseLiteAnswer(await ask(configParamsRequest(led.block.id, [question.param])), 'config');
    return { led, answers, inServersBlock: false, input: { ...question, answer } };
  }
  const { account } = question;
  if (question.kind === 'account') {
    const led = await reach(seqno);
    const { claimed: answer } = heard(await questions.accountState(led.block.id, account, opts));
    return { led, answers, inServersBlock: false, input: { ...question, answer } };
  }
  const inServersBlock = seqno === undefined;
  const named = inServersBlock ? blockNamed(await ask(lookupByLtRequest(account, question.lt))) : undefined;
  const inShard = named !== undefined && account.workchain !== MASTERCHAIN_WORKCHAIN;
  const links = inShard ? heard(await questions.shardProof(named, opts)).claimed : undefined;
  const top = links?.masterchainId ?? named;
  const led = await reach(top === undefined ? seqno : namedSeqno(top));
  const block = inShard ? named : led.block.id;
  const { claimed: answer } = heard(await questions.transaction(block, account, question.lt, opts));
  return { led, answers, inServersBlock, input: { ...question, answer, ...(links && { way: { links } }) } };
}

/** Returns the block that an answer is judged under: the shard's block, where the answer leads there. */
function blockBelow(block: ProvenBlock, input: FactInput): ProvenBlock {
  return 'way' in input && input.way !== undefined && 'links' in input.way
    ? verifyShardBlock(input.way.links, block)
    : block;
}

/**
 * Returns the fact that answers prove. @throws TrustError, DecodeError; UsageError for a kind that servers are not
 * asked for
 */
export function verifyFact(
  input: FactInput,
  block: ProvenBlock,
  requireSuccess = false,
): ConfigFact | AccountFact | NoAccount | TransactionFact | NoTransaction {
  if (input.kind === 'config') return verifyConfig(input.answer, block, input.param);
  if (input.kind === 'account') return verifyAccount(input.answer, blockBelow(block, input), input.account);
  if (input.kind !== 'transaction') throw badOption('expected a fact that servers can be asked for', input.kind);
  const { account, lt, answer } = input;
  return verifyTransaction(answer, blockBelow(block, input), { account, lt, requireSuccess });
}

/**
 * Requires what is there to be whole, and the transaction to be there. A block that the server chose proves what it
 * contains, but proves no absence: the transaction may be in a different block. @throws SourceError `source/malformed`
 * for a part, `source/wrong-block`
 */
function requireThere(isServersBlock: boolean, fact: ReturnType<typeof verifyFact>): void {
  if (fact.found) {
    const isWhole = fact.kind === 'transaction' ? fact.transaction : fact.cell?.level === 0;
    if (!isWhole) throw new SourceError('source/malformed', `the ${fact.kind} is not whole`);
  } else if (isServersBlock) {
    const { seqno, workchain } = fact.block;
    const shown = `block ${workchain}:${seqno}, which the server named, lacks the transaction`;
    const hint = 'ask another server, or pass --seqno to prove an absence';
    throw new SourceError('source/wrong-block', shown, { hint });
  }
}

/** Judges the answers of one server. @throws as `verifyFact` and `requireThere` */
export function judged<L extends { readonly block: ProvenBlock }>(asked: AskedFact<L>) {
  const fact = verifyFact(asked.input, asked.led.block);
  requireThere(asked.inServersBlock, fact);
  return { ...asked, fact, block: blockBelow(asked.led.block, asked.input) };
}

/**
 * Whether an error is the server's fault. A fork, a stop by the caller, or a start that is too old is not: the next
 * server may only not know of it.
 */
function isServersFault(error: unknown): error is FinalityError {
  if (error instanceof TrustError) return !OWN_FAULTS.has(error.code);
  if (error instanceof SourceError) return !isA(error.code, 'faultless');
  return isBrokenProof(error);
}

const OWN_FAULTS: ReadonlySet<string> = new Set(['trust/stale-start', 'trust/too-few-witnesses', 'trust/aborted']);

/** Asks one server, and returns what its answers prove, together with the answers. */
export type ProveOver<T> = (questions: Questions, opts: LiteAskOptions, client: LiteServerClient) => Promise<T>;

/**
 * Asks one server after the other until the answers of one hold. Bytes that prove something do not count against that
 * server's budget.
 * @returns `undefined` where no server's answers hold; the fleet then has the error of each server
 * @throws ForkError, and every error that is not the fault of one server
 */
export async function firstThatProves<T extends { readonly answers: readonly Uint8Array[]; readonly links?: number }>(
  fleet: Fleet,
  inOrder: readonly LiteServerClient[],
  what: string,
  signal: Signal | undefined,
  prove: ProveOver<T>,
): Promise<T | undefined> {
  const opts = { deadlineMs: QUESTION_DEADLINE_MS, ...present({ signal }) };
  for (const client of inOrder) {
    if (!fleet.isKept(client)) continue; // an earlier step on the way to the block put this server out
    try {
      const proven = await fleet.query(client, (questions) => prove(questions, opts, client));
      for (const answer of proven.answers) fleet.proved(client, answer, proven.links ?? 1);
      return proven;
    } catch (cause) {
      if (!isServersFault(cause)) throw cause;
      const error = cause instanceof SourceError ? cause : brokenProof(client, what, new Uint8Array(), cause);
      if (error !== cause && effectOf(error) === 'out') fleet.expel(client, error);
      else fleet.rest(client, error);
    }
  }
  return undefined;
}
