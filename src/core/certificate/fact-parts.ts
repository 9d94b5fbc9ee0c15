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
import { certError } from './refusals.ts';

/** The way from the masterchain block down to the block of a shard. */
export type WayPart =
  /** The masterchain block's own list, then from each block to the previous one. */
  | { readonly by: 'links'; readonly proofs: readonly Cell[] }
  /** The list in the state of the masterchain block. */
  | { readonly by: 'state'; readonly block: Cell; readonly state: Cell };

export interface StatePart {
  readonly block: Cell;
  readonly state: Cell;
}

/** The value of `index` that means the incoming message. */
export const IN_MESSAGE = 0xffff;

export const KIND_NUMBERS = {
  'shard-block': 2,
  transaction: 3,
  message: 4,
  account: 5,
  'absent-transaction': 6,
  'absent-account': 7,
  config: 8,
  library: 9,
} as const;
/** The kinds of facts that a certificate can carry. */
export type FactKind = keyof typeof KIND_NUMBERS;

/**
 * Returns the canonical key of a path between two shards: the middle of the narrower shard. Every key inside gives the
 * same path, so only this one is allowed. A path up a merge and down a split again can only be written through the
 * right half.
 */
export function keyOfWay(top: bigint, shard: bigint): bigint {
  const [a, b] = [BigInt.asUintN(64, top), BigInt.asUintN(64, shard)];
  return (a & -a) < (b & -b) ? a : b; // the longer the prefix, the lower the bit that ends it
}

interface TransactionPart {
  readonly account: AccountId;
  readonly lt: bigint;
  readonly way: WayPart | undefined;
  readonly block: Cell;
  readonly transaction: Cell | undefined;
}

export type FactParts =
  | {
      readonly kind: 'shard-block';
      /** The key that chooses a shard at splits and merges: `keyOfWay`. */
      readonly key: bigint;
      readonly workchain: number;
      readonly shard: bigint;
      readonly seqno: number;
      readonly way: WayPart | undefined;
    }
  | (TransactionPart & { readonly kind: 'transaction' | 'absent-transaction' })
  | (TransactionPart & { readonly kind: 'message'; readonly index: number })
  | {
      readonly kind: 'account' | 'absent-account';
      readonly account: AccountId;
      readonly way: WayPart | undefined;
      readonly state: StatePart | undefined;
      readonly contents: Cell | undefined;
    }
  | { readonly kind: 'config'; readonly param: number; readonly proof: StatePart | Cell }
  | {
      readonly kind: 'library';
      readonly hash: Uint8Array;
      readonly state: StatePart;
      readonly library: Cell | undefined;
    };

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

function wayCell(way: WayPart | undefined): NewCell | undefined {
  if (way === undefined) return undefined;
  if (way.by === 'links') return linkCell(way.proofs, new CellBuilder().uint(0, 1));
  return new CellBuilder().uint(1, 1).ref(way.block).ref(way.state).build();
}

function stateCell({ block, state }: StatePart): NewCell {
  return new CellBuilder().ref(block).ref(state).build();
}

/** The body of a fact. */
export function factCell(part: FactParts): NewCell {
  const builder = new CellBuilder();
  switch (part.kind) {
    case 'shard-block':
      builder.uint64(part.key).int32(part.workchain).uint64(part.shard).uint(part.seqno, 32);
      return builder.maybeRef(wayCell(part.way)).build();
    case 'account':
    case 'absent-account':
      builder.int32(part.account.workchain).bytes(part.account.address).maybeRef(wayCell(part.way));
      builder.maybeRef(part.state === undefined ? undefined : stateCell(part.state));
      return builder.maybeRef(part.contents).build();
    case 'config': {
      builder.int32(part.param);
      if ('state' in part.proof) return builder.uint(0, 1).ref(stateCell(part.proof)).build();
      return builder.uint(1, 1).ref(part.proof).build();
    }
    case 'library':
      return builder.bytes(part.hash).ref(stateCell(part.state)).maybeRef(part.library).build();
    default:
      if (part.kind === 'message') builder.uint(part.index, 16);
      builder.int32(part.account.workchain).bytes(part.account.address).uint64(part.lt);
      return builder.maybeRef(wayCell(part.way)).ref(part.block).maybeRef(part.transaction).build();
  }
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
  if (link.bit()) {
    const way = { by: 'state' as const, block: proofRef(link), state: proofRef(link) };
    link.end();
    return way;
  }
  const proofs: Cell[] = [];
  for (;;) {
    if (proofs.length === MAX_CERTIFICATE_LINKS) {
      const message = `expected at most ${MAX_CERTIFICATE_LINKS} links`;
      throw certError('cert/too-large', message, path);
    }
    proofs.push(proofRef(link));
    const next: Slice | undefined = link.maybeSlice('next');
    link.end();
    if (next === undefined) return { by: 'links', proofs };
    link = next;
  }
}

function readState(slice: Slice): StatePart {
  const state = slice.refSlice('state');
  const part = { block: proofRef(state), state: proofRef(state) };
  state.end();
  return part;
}

function readAccountId(slice: Slice): AccountId {
  return Object.freeze({ workchain: slice.int32(), address: slice.bytes(32) });
}

const KINDS = new Map(Object.entries(KIND_NUMBERS).map(([kind, number]) => [number as number, kind as FactKind])); // the keys of this table

/**
 * Reads the body of a fact.
 * @param ways the paths of earlier facts in the same bag
 * @throws DecodeError `decode/boc`
 */
export function readFactParts(number: number, cell: Cell, path: string, ways: Ways): FactParts {
  const kind = KINDS.get(number);
  const slice = new Slice(cell, path);
  const read = (): FactParts => {
    switch (kind) {
      case 'shard-block': {
        const key = slice.uint64();
        const workchain = slice.int32();
        const shard = BigInt.asIntN(64, slice.uint64());
        return { kind, key, workchain, shard, seqno: slice.uint(32), way: readWay(slice, ways) };
      }
      case 'account':
      case 'absent-account': {
        const account = readAccountId(slice);
        const way = readWay(slice, ways);
        const state = slice.bit() ? readState(slice) : undefined;
        return { kind, account, way, state, contents: slice.maybeRef() };
      }
      case 'config': {
        const param = slice.int32();
        return { kind, param, proof: slice.bit() ? proofRef(slice) : readState(slice) };
      }
      case 'library': {
        const hash = slice.bytes(32);
        return { kind, hash, state: readState(slice), library: slice.maybeRef() };
      }
      case undefined:
        throw slice.error(`expected a known kind of fact, got ${number}`);
      default: {
        const index = kind === 'message' ? slice.uint(16) : 0;
        const account = readAccountId(slice);
        const lt = slice.uint64();
        const common = {
          account,
          lt,
          way: readWay(slice, ways),
          block: proofRef(slice),
          transaction: slice.maybeRef(),
        };
        return kind === 'message' ? { kind, index, ...common } : { kind, ...common };
      }
    }
  };
  const part = read();
  slice.end();
  return part;
}
