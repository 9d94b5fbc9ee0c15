/**
 * The facts of a certificate in their stored form: the request, the path down to the block, and the proofs. Presence or
 * absence is only stored as the kind, which must agree with the proofs.
 *
 * cert_way$0 proof:^(MERKLE_PROOF Block) next:(Maybe ^CertLink) = CertWay; cert_link$_ proof:^(MERKLE_PROOF Block)
 * next:(Maybe ^CertLink) = CertLink; cert_way_by_state$1 block:^(MERKLE_PROOF Block) state:^(MERKLE_PROOF ShardState) =
 * CertWay; cert_account$_ workchain:int32 address:bits256 = CertAccount; shard_block#02 key:uint64 workchain:int32
 * shard:uint64 seqno:uint32 way:(Maybe ^CertWay); transaction#03, absent_transaction#06 account:CertAccount lt:uint64
 * way:(Maybe ^CertWay) block:^(MERKLE_PROOF Block)   transaction:(Maybe ^Transaction); message#04 index:uint16 and the
 * same, 65535 for the incoming message; account#05, absent_account#07 account:CertAccount way:(Maybe ^CertWay)
 * state:(Maybe ^CertState) contents:(Maybe ^Account); config#08 param:int32 state:(Either ^CertState ^(MERKLE_PROOF
 * Block)); library#09 hash:bits256 state:^CertState library:(Maybe ^Cell); cert_state$_ block:^(MERKLE_PROOF Block)
 * state:^(MERKLE_PROOF ShardState) = CertState;
 */

import { DecodeError } from '../base/errors.ts';
import { MAX_CERTIFICATE_LINKS } from '../base/limits.ts';
import { Cell } from '../cells/cell.ts';
import { CellBuilder, type NewCell } from '../cells/new-cell.ts';
import { Slice } from '../cells/slice.ts';
import type { AccountId } from '../facts/account-id.ts';
import { tooMany } from './certificate-error.ts';

/** The way from the masterchain block down to the block of a shard. */
export type WayPart =
  /** The masterchain block's own list, then from each block to the previous one. */
  | { readonly by: 'links'; readonly proofs: readonly Cell[] }
  /** The list in the state of the masterchain block. */
  | ({ readonly by: 'state' } & StatePart);

export interface StatePart {
  readonly block: Cell;
  readonly state: Cell;
}

/** The value of `index` that means the incoming message. */
export const IN_MESSAGE = 0xffff;

/**
 * Returns the canonical key of a path between two shards: the middle of the narrower shard. Every key inside gives the
 * same path, so only this one is allowed. A path up a merge and down a split again can only be written through the
 * right half.
 */
export function keyOfWay(top: bigint, shard: bigint): bigint {
  const [a, b] = [BigInt.asUintN(64, top), BigInt.asUintN(64, shard)];
  return (a & -a) < (b & -b) ? a : b; // the longer the prefix, the lower the bit that ends it
}

/** Members that are proofs or contain some. Every other cell is the content of what is proven. */
const PROOFS = ['way', 'proofs', 'proof', 'block', 'state'];

/** Replaces every Merkle proof of the parts, first those of the path. */
export function mapProofs<T>(part: T, replace: (proof: Cell) => Cell): T {
  const map = (value: unknown): unknown => {
    if (value instanceof Cell) return replace(value);
    if (Array.isArray(value)) return value.map(map);
    return value === undefined ? value : mapProofs(value, replace);
  };
  const members = Object.entries(part as object).map(([name, value]) => [
    name,
    PROOFS.includes(name) ? map(value) : value,
  ]);
  return Object.fromEntries(members) as T; // each member keeps its type
}

function linkCell(proofs: readonly Cell[], head: CellBuilder): NewCell {
  let next: NewCell | undefined;
  for (let k = proofs.length - 1; k > 0; k--) next = new CellBuilder().ref(proofs[k]!).maybeRef(next).build();
  return head.ref(proofs[0]!).maybeRef(next).build();
}

function wayCell(way: WayPart): NewCell {
  const head = new CellBuilder().uint(way.by === 'state' ? 1 : 0, 1);
  return way.by === 'state' ? stateCell(way, head) : linkCell(way.proofs, head);
}

function stateCell({ block, state }: StatePart, head = new CellBuilder()): NewCell {
  return head.ref(block).ref(state).build();
}

/** A reference that has to be a Merkle proof, unread. */
export function proofRef(slice: Slice): Cell {
  const cell = slice.ref();
  if (cell.kind === 'merkle-proof') return cell;
  throw new DecodeError('decode/boc', `expected a Merkle proof, got a cell that is ${cell.kind}`, { path: slice.path });
}

/** The paths that were already read, by the place of their first cell: facts of one block share a path. */
export type Ways = Map<number, WayPart>;

function readWay(slice: Slice, ways: Ways): WayPart | undefined {
  if (!slice.bit()) return undefined;
  const first = slice.ref();
  const known = ways.get(first.index);
  if (known !== undefined) return known;
  const way = readLinks(new Slice(first, `${slice.path}.way`));
  ways.set(first.index, way);
  return way;
}

function readLinks(first: Slice): WayPart {
  let link = first;
  const { path } = link;
  if (link.bit()) return { by: 'state', ...readState(link) };
  const proofs: Cell[] = [];
  for (;;) {
    if (proofs.length === MAX_CERTIFICATE_LINKS) throw tooMany('links', MAX_CERTIFICATE_LINKS, path);
    proofs.push(proofRef(link));
    const next: Slice | undefined = link.maybeSlice('next');
    link.end();
    if (next === undefined) return { by: 'links', proofs };
    link = next;
  }
}

function readState(slice: Slice): StatePart {
  const part = { block: proofRef(slice), state: proofRef(slice) };
  slice.end();
  return part;
}

/** The form in which a member of a fact is stored. */
interface Field<T> {
  read(slice: Slice, ways: Ways): T;
  write(cell: CellBuilder, value: T): unknown;
}

const INT32: Field<number> = { read: (slice) => slice.int32(), write: (cell, value) => cell.int32(value) };
const uint = (bits: number): Field<number> => ({
  read: (slice) => slice.uint(bits),
  write: (cell, value) => cell.uint(value, bits),
});
const UINT64: Field<bigint> = { read: (slice) => slice.uint64(), write: (cell, value) => cell.uint64(value) };
const SHARD: Field<bigint> = { ...UINT64, read: (slice) => BigInt.asIntN(64, slice.uint64()) };
const BYTES32: Field<Uint8Array> = { read: (slice) => slice.bytes(32), write: (cell, value) => cell.bytes(value) };
const ACCOUNT: Field<AccountId> = {
  read: (slice) => Object.freeze({ workchain: slice.int32(), address: slice.bytes(32) }),
  write: (cell, { workchain, address }) => cell.int32(workchain).bytes(address),
};
const PROOF: Field<Cell> = { read: proofRef, write: (cell, proof) => cell.ref(proof) };
const MAYBE_CELL: Field<Cell | undefined> = {
  read: (slice) => slice.maybeRef(),
  write: (cell, content) => cell.maybeRef(content),
};
const WAY: Field<WayPart | undefined> = { read: readWay, write: (cell, way) => cell.maybeRef(way && wayCell(way)) };
const STATE: Field<StatePart> = {
  read: (slice) => readState(slice.refSlice('state')),
  write: (cell, state) => cell.ref(stateCell(state)),
};
const MAYBE_STATE: Field<StatePart | undefined> = {
  read: (slice, ways) => (slice.bit() ? STATE.read(slice, ways) : undefined),
  write: (cell, state) => cell.maybeRef(state && stateCell(state)),
};
const STATE_OR_PROOF: Field<StatePart | Cell> = {
  read: (slice, ways) => (slice.bit() ? PROOF : STATE).read(slice, ways),
  write: (cell, proof) => ('state' in proof ? STATE.write(cell.uint(0, 1), proof) : cell.uint(1, 1).ref(proof)),
};

const TRANSACTION = { account: ACCOUNT, lt: UINT64, way: WAY, block: PROOF, transaction: MAYBE_CELL };
const STATE_OF_ACCOUNT = { account: ACCOUNT, way: WAY, state: MAYBE_STATE, contents: MAYBE_CELL };

/** The kinds of facts. Each kind has a number, and members in the order of their storage. */
export const FACT_LAYOUTS = {
  // The key chooses a shard at splits and merges: `keyOfWay`.
  'shard-block': { number: 2, members: { key: UINT64, workchain: INT32, shard: SHARD, seqno: uint(32), way: WAY } },
  transaction: { number: 3, members: TRANSACTION },
  message: { number: 4, members: { index: uint(16), ...TRANSACTION } },
  account: { number: 5, members: STATE_OF_ACCOUNT },
  'absent-transaction': { number: 6, members: TRANSACTION },
  'absent-account': { number: 7, members: STATE_OF_ACCOUNT },
  config: { number: 8, members: { param: INT32, proof: STATE_OR_PROOF } },
  library: { number: 9, members: { hash: BYTES32, state: STATE, library: MAYBE_CELL } },
} as const;

/** The kinds of facts that a certificate can carry. */
export type FactKind = keyof typeof FACT_LAYOUTS;

type MembersOf<M> = { readonly [Name in keyof M]: M[Name] extends Field<infer T> ? T : never };
export type FactParts = {
  [Kind in FactKind]: { readonly kind: Kind } & MembersOf<(typeof FACT_LAYOUTS)[Kind]['members']>;
}[FactKind];

/** The body of a fact. */
export function factCell(part: FactParts): NewCell {
  const cell = new CellBuilder();
  const { members } = FACT_LAYOUTS[part.kind];
  for (const [name, { write }] of Object.entries<Field<unknown>>(members)) write(cell, part[name as keyof FactParts]);
  return cell.build();
}

/**
 * Reads the body of a fact.
 * @param ways the paths of earlier facts in the same bag
 * @throws DecodeError `decode/boc`
 */
export function readFactParts(number: number, cell: Cell, path: string, ways: Ways): FactParts {
  const slice = new Slice(cell, path);
  const [kind, layout] = Object.entries(FACT_LAYOUTS).find(([, one]) => one.number === number) ?? [];
  if (layout === undefined) throw slice.error(`expected a known kind of fact, got ${number}`);
  const part: Record<string, unknown> = { kind };
  for (const [name, { read }] of Object.entries<Field<unknown>>(layout.members)) part[name] = read(slice, ways);
  slice.end();
  return part as FactParts; // the members of its layout
}
