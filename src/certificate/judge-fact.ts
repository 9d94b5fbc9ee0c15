/** One fact of a certificate: what its proofs prove below a proven masterchain block. The rules are those of `inclusion/`. */
import { CertificateError } from '../base/errors.ts';
import type { Cell } from '../cells/cell.ts';
import { openMerkleProof } from '../cells/merkle-proof.ts';
import { readStepBack } from '../chain/shard-link.ts';
import { trustError } from '../chain/shared-checks.ts';
import { type AccountId, shardContains } from '../inclusion/account-id.ts';
import { type AccountFact, checkAccount, type NoAccount, noShard } from '../inclusion/account-state.ts';
import { type ConfigFact, checkConfigParam } from '../inclusion/config-param.ts';
import { checkLibrary, type LibraryFact } from '../inclusion/library.ts';
import { type Copies, type MessageFact, messagesOf } from '../inclusion/messages.ts';
import {
  type BlockFacts,
  type FactBase,
  factBase,
  factsOf,
  makeBelow,
  type ProofStep,
} from '../inclusion/proven-block.ts';
import { checkShardTop, checkShardTopInBlock, listedBelow, notListed } from '../inclusion/shard-top.ts';
import { checkTransaction, type NoTransaction, type TransactionFact } from '../inclusion/transaction.ts';
import { type FactParts, IN_MESSAGE, keyOfWay, mapProofs, type StatePart, type WayPart } from './fact-parts.ts';
import { forgetOpened, markNeeded, requireAllUsed, type Visits } from './used-cells.ts';

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

/** What a certificate proves beside the finality of its block. */
export type CertifiedFact =
  | ShardBlockFact
  | CertifiedMessage
  | TransactionFact
  | NoTransaction
  | AccountFact
  | NoAccount
  | ConfigFact
  | LibraryFact;

/** A Merkle proof opened; a whole tree, which only the maker of a certificate has, is its own root. */
function open(cell: Cell, path: string): Cell {
  return cell.kind === 'merkle-proof' ? openMerkleProof(cell, path) : cell;
}

function openState({ block, state }: StatePart, path: string) {
  return { block: open(block, path), state: open(state, path) };
}

/** Something in a shard, by which the way down to it is found. */
function accountAt(workchain: number, key: bigint): AccountId {
  const address = new Uint8Array(32);
  new DataView(address.buffer).setBigUint64(0, key);
  return { workchain, address };
}

/** The block that a way leads to; the masterchain block itself without one. */
function goDown(way: WayPart | undefined, facts: BlockFacts, account: AccountId, path: string): BlockFacts {
  if (way === undefined) return facts;
  if (way.by === 'state') {
    const { top, genUtime, globalId } = checkShardTop(openState(way, path), facts, account);
    if (top === undefined) throw notListed(account, path);
    return factsOf(listedBelow(facts, top, genUtime, globalId));
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
  return factsOf(makeBelow(facts, steps));
}

function wrongClaim(part: FactParts, path: string): CertificateError {
  return new CertificateError('cert/claim', `the proofs do not say what a fact of the kind ${part.kind} says`, {
    path,
  });
}

function judgeTransaction(
  part: Extract<FactParts, { readonly lt: bigint }>,
  facts: BlockFacts,
  path: string,
  whole: boolean,
  copies?: Copies,
): CertifiedFact {
  const below = goDown(part.way, facts, part.account, path);
  const parts = { block: open(part.block, path), transaction: whole ? part.transaction : undefined, onlyHash: true };
  const fact = checkTransaction(parts, below, part.account, part.lt);
  if (part.kind !== 'message' || !whole || !fact.found) return fact;
  const wanted = (message: MessageFact) =>
    part.index === IN_MESSAGE ? message.direction === 'in' : message.index === part.index;
  const message = messagesOf(fact, copies).find(wanted);
  if (message === undefined) throw wrongClaim(part, path);
  const { account: _account, lt: _lt, hash: _hash, found: _found, transaction: _transaction, ...place } = fact;
  return Object.freeze({ ...place, kind: 'message', message, transaction: fact });
}

function judgeAccount(
  part: Extract<FactParts, { readonly kind: 'account' | 'absent-account' }>,
  facts: BlockFacts,
  path: string,
  whole: boolean,
): AccountFact | NoAccount {
  const { account, state, way } = part;
  if (state === undefined) {
    if (way?.by !== 'state') throw wrongClaim(part, path);
    const { top, genUtime } = checkShardTop(openState(way, path), facts, account);
    if (top !== undefined) throw wrongClaim(part, path);
    return noShard(facts, account, genUtime);
  }
  const parts = { state: openState(state, path), account: whole ? part.contents : undefined, onlyHash: true };
  return checkAccount(parts, goDown(way, facts, account, path), account);
}

/** @param whole with the contents that stand beside the proofs; without, only what the proofs show */
function judge(
  part: FactParts,
  facts: BlockFacts,
  path: string,
  whole: boolean,
  visits?: Visits,
  copies?: Copies,
): CertifiedFact {
  switch (part.kind) {
    case 'shard-block': {
      const { key, workchain, shard, seqno } = part;
      const below = goDown(part.way, facts, accountAt(workchain, key), path);
      const { id, path: steps } = below;
      const top = steps.find(({ by }) => by === 'listed')?.block;
      if (top === undefined || id.workchain !== workchain || id.shard !== shard || id.seqno !== seqno)
        throw wrongClaim(part, path);
      if (key !== keyOfWay(top.shard, shard)) {
        throw new CertificateError('cert/not-canonical', 'another place that leads the same way', { path });
      }
      return Object.freeze({ kind: 'shard-block', ...factBase(below) });
    }
    case 'account':
    case 'absent-account':
      return judgeAccount(part, facts, path, whole);
    case 'config': {
      const { proof, param } = part;
      const parts = 'state' in proof ? { state: openState(proof, path) } : { keyBlock: open(proof, path) };
      const fact = checkConfigParam(parts, facts, param);
      if (fact.found) {
        if (fact.cell.level !== 0) throw trustError('trust/pruned', 'a part of the parameter is cut off', path);
        if (!whole) markNeeded(fact.cell, path, visits);
      }
      return fact;
    }
    case 'library': {
      return checkLibrary(openState(part.state, path), facts, part.hash, whole ? part.library : undefined);
    }
    default:
      return judgeTransaction(part, facts, path, whole, copies);
  }
}

/** Whether a fact is that a transaction or an account is not there: a kind of its own in certificates. */
export function isAbsent(fact: CertifiedFact): boolean {
  return fact.kind === 'transaction' ? !fact.found : fact.kind === 'account' && !fact.exists;
}

/** Requires the proofs to say what the kind of a part says; what is not there has no contents. */
function requireClaim(part: FactParts, fact: CertifiedFact, path: string): void {
  const absent = isAbsent(fact);
  const contents = 'lt' in part ? part.transaction : 'contents' in part ? part.contents : undefined;
  if (absent !== part.kind.startsWith('absent-') || (absent && contents !== undefined)) throw wrongClaim(part, path);
}

/** Reads the proofs of a fact, and only these, so that what was opened is what they have to show. */
export function readProofs(part: FactParts, facts: BlockFacts, path: string, visits?: Visits) {
  const proofs: Cell[] = [];
  mapProofs(part, (proof) => {
    proofs.push(proof);
    forgetOpened(proof);
    return proof;
  });
  return { proofs, fact: judge(part, facts, path, false, visits) };
}

/**
 * Judges one fact.
 * @param visits what all facts of a certificate may take together @param copies what their messages have taken
 * @throws TrustError naming the rule that is broken; CertificateError `cert/claim`, `cert/unused-cells`, `cert/not-canonical`,
 * `cert/too-large`; DecodeError
 */
export function judgeFact(
  part: FactParts,
  facts: BlockFacts,
  path: string,
  visits?: Visits,
  copies?: Copies,
): CertifiedFact {
  const { proofs, fact } = readProofs(part, facts, path, visits);
  requireClaim(part, fact, path);
  for (const proof of proofs) requireAllUsed(proof, path, visits);
  return judge(part, facts, path, true, visits, copies);
}
