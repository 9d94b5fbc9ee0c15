/** Cuts the proofs of a fact down to what verification opens, and puts the contents into separate bags. */
import { parseSingleRoot } from '../cells/boc.ts';
import { buildMerkleProof } from '../cells/build-proof.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import { writeBoc } from '../cells/write-boc.ts';
import type { BlockFacts } from '../facts/proven-block.ts';
import { type FactParts, mapProofs } from './fact-parts.ts';
import { isAbsent, readProofs } from './judge-fact.ts';

function cutCell(cell: Cell): Cell {
  const root = cell.kind === 'merkle-proof' ? cell.ref(0) : cell;
  return parseSingleRoot(buildMerkleProof(root), 'proof');
}

/** Copies a tree into a bag of its own, so that reading it does not open cells elsewhere. */
export function copyTree(cell: Cell | undefined): Cell | undefined {
  return cell === undefined ? undefined : parseSingleRoot(writeBoc(cell), 'contents');
}

/** account_none$0 = Account: what servers send for an account that was deleted. Source: ton `crypto/block/block.tlb`. */
function isNone(contents: Cell | undefined): boolean {
  return contents?.bitLength === 1 && contents.refCount === 0 && !new Slice(contents, 'contents').bit();
}

/** Makes the part for an object that is absent. */
function asAbsent(part: FactParts): FactParts {
  if (part.kind === 'transaction') return { ...part, kind: 'absent-transaction' };
  if (part.kind !== 'account') return part; // a message cannot be proven absent
  return { ...part, kind: 'absent-account', contents: isNone(part.contents) ? undefined : part.contents };
}

/**
 * Cuts the proofs of a fact. @throws TrustError, DecodeError, CertificateError as `judgeFact`, for the proofs without
 * contents
 */
export function recutFact(part: FactParts, facts: BlockFacts, path: string): FactParts {
  const { part: read, fact } = readProofs(part, facts, path);
  return mapProofs(isAbsent(fact) ? asAbsent(read) : read, cutCell);
}
