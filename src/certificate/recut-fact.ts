/** Cuts the proofs of a fact down to what judging it opens, and gives its contents bags of their own. */
import { CertificateError } from '../base/errors.ts';
import { parseSingleRoot } from '../cells/boc.ts';
import { buildMerkleProof } from '../cells/build-proof.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import { writeBoc } from '../cells/write-boc.ts';
import type { BlockFacts } from '../inclusion/proven-block.ts';
import { type FactParts, mapProofs } from './fact-parts.ts';
import { readProofs } from './judge-fact.ts';

function cutCell(cell: Cell): Cell {
  const root = cell.kind === 'merkle-proof' ? cell.ref(0) : cell;
  return parseSingleRoot(buildMerkleProof(root), 'proof');
}

/** A tree in a bag of its own, so that reading it opens nothing elsewhere. */
export function ownBag(cell: Cell | undefined): Cell | undefined {
  return cell === undefined ? undefined : parseSingleRoot(writeBoc(cell), 'contents');
}

/** What is said of something that is there, and what of the same that is not. */
const ABSENT = { transaction: 'absent-transaction', account: 'absent-account' } as const;

/** account_none$0 = Account: what servers send for an account that was deleted. Source: ton `crypto/block/block.tlb`. */
function isNone(contents: Cell | undefined): boolean {
  return contents?.bitLength === 1 && contents.refCount === 0 && !new Slice(contents, 'contents').bit();
}

/** Reads the proofs of a fact, and finds out by them whether what is asked for is there. */
function settleKind(part: FactParts, facts: BlockFacts, path: string): FactParts {
  try {
    readProofs(part, facts, path);
    return part;
  } catch (error) {
    const isOther = error instanceof CertificateError && error.code === 'cert/claim';
    if (!isOther || (part.kind !== 'transaction' && part.kind !== 'account')) throw error;
    const rest = part.kind === 'account' && isNone(part.contents) ? { ...part, contents: undefined } : part;
    const absent = { ...rest, kind: ABSENT[part.kind] } as FactParts; // the same members, of the other kind
    readProofs(absent, facts, path);
    return absent;
  }
}

/** @throws TrustError, DecodeError, CertificateError as `judgeFact`, for what the proofs say without the contents */
export function recutFact(input: FactParts, facts: BlockFacts, path: string): FactParts {
  return mapProofs(settleKind(input, facts, path), cutCell);
}
