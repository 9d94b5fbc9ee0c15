/** Certificates of random content, which prove nothing: for the form alone. */

import { MASTERCHAIN_SHARD } from '../../src/core/base/limits.ts';
import { parseSingleRoot } from '../../src/core/cells/boc.ts';
import { Cell } from '../../src/core/cells/cell.ts';
import { writeBoc } from '../../src/core/cells/write-boc.ts';
import type { FactParts, WayPart } from '../../src/core/certificate/fact-parts.ts';
import { certificateToBoc, parseCertificate, partsOf } from '../../src/core/certificate/parse.ts';
import { type CertificateParts, certificateCell, type SignedPart } from '../../src/core/certificate/parts.ts';
import { beginCell, bocOf, merkleProof, prunedBranch, seededRandom } from './cells.ts';

/** Merkle proofs and plain trees to pick from. */
function pool(random: () => number) {
  const trees = Array.from({ length: 12 }, (_, k) => {
    const leaf = beginCell().storeUint(k, 32).endCell();
    return beginCell()
      .storeUint(Math.floor(random() * 2 ** 32), 32)
      .storeRef(leaf)
      .endCell();
  });
  const proofs = trees.map((tree) =>
    merkleProof(beginCell().storeUint(7, 9).storeRef(prunedBranch(tree)).storeRef(tree.refs[0]!).endCell()),
  );
  return {
    trees: trees.map((tree) => parseSingleRoot(bocOf(tree))),
    proofs: proofs.map((proof) => parseSingleRoot(bocOf(proof))),
  };
}

export function randomParts(random: () => number, { trees, proofs } = pool(random)): CertificateParts {
  const below = (n: number) => Math.floor(random() * n);
  const maybe = <T>(make: () => T): T | undefined => (random() < 0.5 ? make() : undefined);
  const bytes = (length: number) => {
    const made = new Uint8Array(length);
    for (let k = 0; k < length; k++) made[k] = below(256);
    return made;
  };
  const uint64 = () => (BigInt(below(2 ** 32)) << 32n) | BigInt(below(2 ** 32));
  const int32 = () => below(2 ** 32) | 0;
  const one = (cells: readonly Cell[]) => cells[below(cells.length)]!;
  const signed = (): SignedPart => {
    // Dense and sparse, so that labels of every spelling come up.
    const [most, range] = random() < 0.2 ? [40, 48] : [5, 2 ** (1 + below(16))];
    const indexes = new Set(Array.from({ length: below(most + 1) }, () => below(range)));
    const signatures = [...indexes].sort((a, b) => a - b).map((index) => ({ index, signature: bytes(64) }));
    const simplex = maybe(() => ({
      sessionId: bytes(32),
      slot: below(2 ** 32),
      candidate: bytes(below(4) * 127 + below(3)),
    }));
    return { fileHash: bytes(32), signatures, ...(simplex === undefined ? {} : { simplex }) };
  };
  const state = () => ({ block: one(proofs), state: one(proofs) });
  const way = (): WayPart =>
    random() < 0.5
      ? { by: 'state', ...state() }
      : { by: 'links', proofs: Array.from({ length: 1 + below(4) }, () => one(proofs)) };
  const account = () => ({ workchain: int32(), address: bytes(32) });
  const transaction = () => ({
    account: account(),
    lt: uint64(),
    way: maybe(way),
    block: one(proofs),
    transaction: maybe(() => one(trees)),
  });
  const facts: readonly (() => FactParts)[] = [
    () => ({
      kind: 'shard-block',
      key: uint64(),
      workchain: int32(),
      shard: BigInt.asIntN(64, uint64()),
      seqno: below(2 ** 32),
      way: maybe(way),
    }),
    () => ({ kind: 'transaction', ...transaction() }),
    () => ({ kind: 'absent-transaction', ...transaction() }),
    () => ({ kind: 'message', index: below(2 ** 16), ...transaction() }),
    () => ({
      kind: 'account',
      account: account(),
      way: maybe(way),
      state: maybe(state),
      contents: maybe(() => one(trees)),
    }),
    () => ({ kind: 'absent-account', account: account(), way: maybe(way), state: maybe(state), contents: undefined }),
    () => ({ kind: 'config', param: int32(), proof: random() < 0.5 ? one(proofs) : state() }),
    () => ({ kind: 'library', hash: bytes(32), state: state(), library: maybe(() => one(trees)) }),
  ];
  return {
    globalId: int32(),
    anchor: {
      workchain: -1,
      shard: MASTERCHAIN_SHARD,
      seqno: below(2 ** 32),
      rootHash: bytes(32),
      fileHash: bytes(32),
    },
    steps: Array.from({ length: 1 + below(4) }, (_, k) => ({
      proof: one(proofs),
      signed: k === 0 ? undefined : signed(),
    })),
    last: { proof: one(proofs), signed: signed() },
    facts: Array.from({ length: below(4) }, () => facts[below(facts.length)]!()),
  };
}

/** Whether two parts say the same: cells by hash, and what is left out is as good as undefined. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (a instanceof Cell) return b instanceof Cell && Buffer.compare(a.hash(), b.hash()) === 0;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (Array.isArray(a) !== Array.isArray(b) || b instanceof Cell || b instanceof Uint8Array) return false;
  const [one, other] = [a, b] as Record<string, unknown>[]; // neither is an array or of a class, or both are arrays
  for (const name in one) if (!isSame(one[name], other![name])) return false;
  for (const name in other) if (other[name] !== undefined && !(name in one!)) return false;
  return true;
}

/** Writes and reads random certificates. @returns what did not come back as it went */
export function roundTrips(cases: number, seed: number): string[] {
  const random = seededRandom(seed);
  const cells = pool(random);
  const failures: string[] = [];
  for (let k = 0; k < cases && failures.length < 10; k++) {
    const parts = randomParts(random, cells);
    const bytes = writeBoc(certificateCell(parts));
    try {
      const read = parseCertificate(bytes);
      if (!isSame(partsOf(read).parts, parts)) failures.push(`case ${k}: other parts`);
      if (!Buffer.from(writeBoc(certificateCell(partsOf(read).parts))).equals(bytes))
        failures.push(`case ${k}: other bytes`);
      if (!Buffer.from(certificateToBoc(read)).equals(bytes)) failures.push(`case ${k}: not its bytes`);
    } catch (error) {
      failures.push(`case ${k}: ${String(error)}`);
    }
  }
  return failures;
}
