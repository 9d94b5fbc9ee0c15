/** Verifies one fact of a certificate below a proven masterchain block. The rules are those of `facts/`. */

import type { CertificateError } from '../base/errors.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import { type Cell, ownReading, type WorkMeter } from '../cells/cell.ts';
import { openMerkleProof } from '../cells/merkle-proof.ts';
import { readStepBack } from '../chain/shard-link.ts';
import { trustError } from '../chain/shared-checks.ts';
import { type AccountId, shardContains } from '../facts/account-id.ts';
import { type AccountFact, checkAccount, type NoAccount, noShard } from '../facts/account-state.ts';
import { type ConfigFact, checkConfigParam } from '../facts/config-param.ts';
import { checkLibrary, type LibraryFact } from '../facts/library.ts';
import { type ListedMessages, listMessages, type MessageFact, readListed } from '../facts/messages.ts';
import { type BlockFacts, type FactBase, factBase, factsBelow, type ProofStep } from '../facts/proven-block.ts';
import { checkShardTop, checkShardTopInBlock, notListed } from '../facts/shard-top.ts';
import { checkTransaction, type NoTransaction, type TransactionFact, withContents } from '../facts/transaction.ts';
import { certError } from './certificate-error.ts';
import { type FactParts, IN_MESSAGE, keyOfWay, mapProofs, type StatePart, type WayPart } from './fact-parts.ts';
import { markNeeded, requireAllUsed } from './no-extra-cells.ts';
import { COPY_COST, MESSAGE_COST, STEP_COST, spend, unbounded } from './work-limit.ts';

/** A block of a shard that a certificate proves. */
export interface ShardBlockFact extends FactBase {
  readonly kind: 'shard-block';
}

/** A message of a transaction that a certificate proves. */
export interface CertifiedMessage extends FactBase {
  readonly kind: 'message';
  readonly message: MessageFact;
  readonly transaction: TransactionFact;
}

/** A fact that a certificate proves, in addition to the finality of its block. */
export type CertifiedFact =
  | ShardBlockFact
  | CertifiedMessage
  | TransactionFact
  | NoTransaction
  | AccountFact
  | NoAccount
  | ConfigFact
  | LibraryFact;

/** Opens a Merkle proof. A whole tree, which only the maker of a certificate has, is its own root. */
function open(cell: Cell, path: string): Cell {
  return cell.kind === 'merkle-proof' ? openMerkleProof(cell, path) : cell;
}

function openState({ block, state }: StatePart, path: string) {
  return { block: open(block, path), state: open(state, path) };
}

/** A place in a shard, which determines the path down to it. */
function accountAt(workchain: number, key: bigint): AccountId {
  const address = new Uint8Array(32);
  new DataView(address.buffer).setBigUint64(0, key);
  return { workchain, address };
}

/** The block at the end of a path; the masterchain block itself without a path. */
function goDown(way: WayPart | undefined, facts: BlockFacts, account: AccountId, path: string): BlockFacts {
  if (way === undefined) return facts;
  if (way.by === 'state') {
    const { below } = checkShardTop(openState(way, path), facts, account);
    if (below === undefined) throw notListed(account, path);
    return below;
  }
  const [first, ...rest] = way.proofs;
  const top = checkShardTopInBlock(open(first!, path), facts, account);
  if (top === undefined) throw notListed(account, path);
  const steps: ProofStep[] = [{ by: 'listed', block: top }];
  let current = top;
  for (const [k, proof] of rest.entries()) {
    const at = `${path}.links[${k + 1}]`;
    const { header, previous } = readStepBack(open(proof, at), current, facts.globalId, at);
    const next = previous.find((id) => shardContains(id, account));
    if (next === undefined) throw trustError('trust/wrong-shard', 'the way leads away from the shard', at);
    steps.push({ ...steps.pop()!, genUtime: header.genUtime }, { by: 'precedes', block: next });
    current = next;
  }
  return factsBelow(facts, steps);
}

function wrongClaim(part: FactParts, path: string): CertificateError {
  return certError('cert/claim', `the proofs do not say what a fact of the kind ${part.kind} says`, path);
}

type AnyTransactionPart = Extract<FactParts, { readonly lt: bigint }>;
type MessagePart = Extract<FactParts, { readonly kind: 'message' }>;
type AccountPart = Extract<FactParts, { readonly kind: 'account' | 'absent-account' }>;

/** A transaction of a certificate. Several facts may be about it. */
interface KnownTransaction {
  readonly fact: TransactionFact | NoTransaction;
  /** The message list, which is read for the first fact about a message. */
  messages?: ListedMessages;
}

/** Results that all facts of a certificate share, and the limit of their common work. */
export type Findings = ReturnType<typeof noFindings>;

export function noFindings(work: WorkMeter) {
  return {
    work,
    /** By their way. Facts of one certificate share the object of a way. */
    transactions: new Map<WayPart | undefined, Map<string, KnownTransaction>>(),
    /** Paths that were already verified: the block at the end, and one block of each shard on the way. */
    ways: new Map<WayPart, { readonly below: BlockFacts; readonly shards: readonly BlockIdExt[] }>(),
  };
}

/** The transaction of a fact, and its proof. */
function transactionName({ account, lt, block, transaction }: AnyTransactionPart): string {
  return [account.workchain, account.address, lt, transaction?.index, block.index].join();
}

function judgeMessage(part: MessagePart, known: KnownTransaction, path: string, work: WorkMeter) {
  const { fact } = known;
  if (!fact.found) throw wrongClaim(part, path);
  known.messages ??= listMessages(fact);
  spend(work, MESSAGE_COST, path);
  const place = part.index === IN_MESSAGE ? 'in' : part.index;
  const message = readListed(known.messages, place, (cells) => spend(work, COPY_COST * cells, path));
  if (message === undefined) throw wrongClaim(part, path);
  const { account: _account, lt: _lt, hash: _hash, found: _found, transaction: _transaction, ...base } = fact;
  return Object.freeze({ ...base, kind: 'message' as const, message, transaction: fact });
}

function judgeAccount(part: AccountPart, facts: BlockFacts, path: string, whole: boolean): AccountFact | NoAccount {
  const { account, state, way } = part;
  if (state === undefined) {
    // The masterchain's list of shards does not contain the masterchain, whose accounts exist all the same.
    if (way?.by !== 'state' || account.workchain === facts.id.workchain) throw wrongClaim(part, path);
    const { below, genUtime } = checkShardTop(openState(way, path), facts, account);
    if (below !== undefined) throw wrongClaim(part, path);
    return noShard(facts, account, genUtime);
  }
  const parts = { state: openState(state, path), account: whole ? part.contents : undefined, onlyHash: true };
  return checkAccount(parts, goDown(way, facts, account, path), account);
}

/**
 * Verifies the proofs of a fact. @param whole true: together with the contents next to the proofs; false: the proofs
 * alone
 */
function verifyPart(part: FactParts, facts: BlockFacts, path: string, whole: boolean, work?: WorkMeter): CertifiedFact {
  switch (part.kind) {
    case 'shard-block': {
      const { key, workchain, shard, seqno } = part;
      const below = goDown(part.way, facts, accountAt(workchain, key), path);
      const { id, path: steps } = below;
      const top = steps.find(({ by }) => by === 'listed')?.block;
      if (top === undefined || id.workchain !== workchain || id.shard !== shard || id.seqno !== seqno)
        throw wrongClaim(part, path);
      if (key !== keyOfWay(top.shard, shard)) {
        throw certError('cert/not-canonical', 'another place that leads the same way', path);
      }
      return Object.freeze({ kind: 'shard-block', ...factBase(below) });
    }
    case 'account':
    case 'absent-account':
      return judgeAccount(part, facts, path, whole);
    case 'config': {
      const { proof, param } = part;
      const opened = 'state' in proof ? openState(proof, path) : open(proof, path);
      const fact = checkConfigParam(opened, facts, param);
      if (fact.found) {
        if (fact.cell.level !== 0) throw trustError('trust/pruned', 'a part of the parameter is omitted', path);
        if (!whole) markNeeded(fact.cell, path, work);
      }
      return fact;
    }
    case 'library':
      return checkLibrary(openState(part.state, path), facts, part.hash, whole ? part.library : undefined);
    default: {
      const below = goDown(part.way, facts, part.account, path);
      const parts = { block: open(part.block, path), transaction: undefined, onlyHash: true };
      return checkTransaction(parts, below, part.account, part.lt);
    }
  }
}

/** Whether a fact is the absence of a transaction or an account, which is a separate kind in certificates. */
export function isAbsent(fact: CertifiedFact): boolean {
  return (fact.kind === 'transaction' || fact.kind === 'account') && !fact.found;
}

/** The contents next to the proofs of a fact. A kind has one of these members or none. */
function contentsOf(part: FactParts): Cell | undefined {
  const { transaction, contents, library } = part as Partial<
    Record<'transaction' | 'contents' | 'library', Cell | undefined>
  >;
  return transaction ?? contents ?? library;
}

/** Requires the proofs to agree with the kind of a part. An absent object has no contents. */
function requireClaim(part: FactParts, fact: CertifiedFact, path: string): void {
  const absent = isAbsent(fact);
  if (absent !== part.kind.startsWith('absent-') || (absent && contentsOf(part) !== undefined))
    throw wrongClaim(part, path);
}

/**
 * Reads the proofs of a fact and nothing else, so that the opened cells are exactly those that the proofs have to show.
 * Each proof is read separately, even if proofs share cells.
 * @returns the part with the proofs that were read
 */
export function readProofs(given: FactParts, facts: BlockFacts, path: string, work?: WorkMeter) {
  const proofs: Cell[] = [];
  const part = mapProofs(given, (proof) => {
    const own = ownReading(proof);
    proofs.push(own);
    return own;
  });
  return { part, proofs, fact: verifyPart(part, facts, path, false, work) };
}

/**
 * Finds the block at the end of the path, and verifies the fact from there. A path that an earlier fact used is not
 * read again if all its shards contain the object: the same cells would be opened.
 */
function takeWay(part: FactParts, facts: BlockFacts, path: string, { work, ways }: Findings): [FactParts, BlockFacts] {
  const way = 'way' in part ? part.way : undefined;
  if (way === undefined || !('way' in part) || ('state' in part && part.state === undefined)) return [part, facts];
  const account = 'account' in part ? part.account : accountAt(part.workchain, part.key);
  let known = ways.get(way);
  if (!known?.shards.every((block) => shardContains(block, account))) {
    const proofs: Cell[] = [];
    const own = mapProofs({ way }, (proof) => proofs[proofs.push(ownReading(proof)) - 1]!).way;
    const below = goDown(own, facts, account, path);
    for (const proof of proofs) requireAllUsed(proof, path, work);
    const blocks = below.path.slice(facts.path.length).map(({ block }) => block);
    known = { below, shards: [...new Map(blocks.map((block) => [block.shard, block])).values()] };
    ways.set(way, known);
  }
  spend(work, STEP_COST * known.below.path.length, path);
  return [{ ...part, way: undefined }, known.below];
}

/** Verifies the fact, and requires the proofs to agree with it and to show nothing else. */
function judgeProofs(part: FactParts, facts: BlockFacts, path: string, work: WorkMeter): CertifiedFact {
  const { proofs, fact } = readProofs(part, facts, path, work);
  requireClaim(part, fact, path);
  for (const proof of proofs) requireAllUsed(proof, path, work);
  return fact;
}

/**
 * Verifies one fact.
 * @param findings of the other facts of the certificate
 * @throws TrustError naming the broken rule; CertificateError `cert/claim`, `cert/unused-cells`, `cert/not-canonical`,
 * `cert/too-large`; DecodeError
 */
export function judgeFact(
  part: FactParts,
  facts: BlockFacts,
  path: string,
  findings = noFindings(unbounded()),
): CertifiedFact {
  const { work, transactions } = findings;
  if (!('lt' in part)) {
    const [rest, below] = takeWay(part, facts, path, findings);
    const fact = judgeProofs(rest, below, path, work);
    return contentsOf(rest) === undefined ? fact : verifyPart(rest, below, path, true, work);
  }
  const name = transactionName(part);
  const ofWay = transactions.get(part.way) ?? new Map<string, KnownTransaction>();
  transactions.set(part.way, ofWay);
  let known = ofWay.get(name);
  if (known === undefined) {
    const fact = judgeProofs(...takeWay(part, facts, path, findings), path, work) as TransactionFact | NoTransaction; // its part requested this kind
    const given = part.transaction;
    known = { fact: fact.found && given !== undefined ? withContents(fact, given) : fact };
    ofWay.set(name, known);
  }
  if (part.kind === 'message') return judgeMessage(part, known, path, work);
  requireClaim(part, known.fact, path);
  return known.fact;
}
