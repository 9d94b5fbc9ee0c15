/** Dictionaries in cells, every label in the long form: those with sums at each node (HashmapAug), and those of blocks and states made of them. */
import type { Builder } from '@ton/core';
import type { AccountId } from '../../src/core/facts/account-id.ts';
import { beginCell, type CoreCell } from './cells.ts';

export type Write = (builder: Builder) => Builder;

export interface DictionaryEntry {
  readonly key: bigint;
  readonly value: Write;
}

/** Nodes that were made before, for a dictionary that only grows. */
export type MadeNodes = Map<string, CoreCell>;

/** A sum that is nothing, in so many bits. */
export const noSum = (bits: number) => (): Write => (builder) => builder.storeUint(0, bits);

/**
 * The root node of a dictionary. @param entries at least one, each key once @param bits of a key
 * @param sum what each node says of the entries below it: none in a plain dictionary
 */
export function dictionaryCell<E extends DictionaryEntry>(
  entries: readonly E[],
  bits: number,
  sum: (below: readonly E[]) => Write = noSum(0),
  made?: MadeNodes,
): CoreCell {
  const sorted = [...entries].sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  const node = (below: readonly E[], left: number): CoreCell => {
    const name = `${left} ${below[0]!.key} ${below.length}`;
    const cell = made?.get(name) ?? makeNode(below, left);
    made?.set(name, cell);
    return cell;
  };
  const makeNode = (below: readonly E[], left: number): CoreCell => {
    const rest = BigInt.asUintN(left, below[0]!.key);
    const apart = rest ^ BigInt.asUintN(left, below.at(-1)!.key);
    const common = apart === 0n ? left : left - apart.toString(2).length;
    const cell = beginCell()
      .storeUint(0b10, 2)
      .storeUint(common, 32 - Math.clz32(left))
      .storeUint(rest >> BigInt(left - common), common);
    if (common === left) return cell.store(sum(below)).store(below[0]!.value).endCell();
    const next = left - common - 1;
    const isOne = ({ key }: E) => ((key >> BigInt(next)) & 1n) === 1n;
    const middle = below.findIndex(isOne);
    return cell
      .storeRef(node(below.slice(0, middle), next))
      .storeRef(node(below.slice(middle), next))
      .store(sum(below))
      .endCell();
  };
  return node(sorted, bits);
}

/** HashmapAugE with sums that are nothing. */
export function dictionaryOrNone(entries: readonly DictionaryEntry[], bits: number, sumBits: number): CoreCell {
  const cell = beginCell().storeMaybeRef(entries.length === 0 ? null : dictionaryCell(entries, bits, noSum(sumBits)));
  return cell.storeUint(0, sumBits).endCell();
}

const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

export interface StoredAccount {
  readonly account: Pick<AccountId, 'address'>;
  readonly cell: CoreCell;
  /** Its last transaction. */
  readonly last?: { readonly lt: bigint; readonly hash: Uint8Array } | undefined;
}

/** ShardAccounts: the accounts of a state. */
export function accountsWith(accounts: readonly StoredAccount[]): CoreCell {
  const entries = accounts.map(({ account: { address }, cell, last }) => ({
    key: numberOf(address),
    value: (builder: Builder) =>
      builder
        .storeRef(cell)
        .storeBuffer(Buffer.from(last?.hash ?? new Uint8Array(32)))
        .storeUint(last?.lt ?? 1000n, 64),
  }));
  return dictionaryOrNone(entries, 256, 10);
}

export interface ListedTransaction {
  readonly lt: bigint;
  readonly cell: CoreCell;
}

/** How the state of an account changed, which nothing here reads: HASH_UPDATE of two numbers. */
export const HASH_UPDATE = beginCell().storeUint(0x72, 8).storeUint(1, 256).storeUint(2, 256).endCell();

/** AccountBlock: an account with its transactions. */
export const accountBlock =
  (address: Uint8Array, transactions: readonly ListedTransaction[], update = HASH_UPDATE): Write =>
  (builder) =>
    builder
      .storeUint(5, 4)
      .storeBuffer(Buffer.from(address))
      .storeSlice(
        dictionaryCell(
          transactions.map(({ lt, cell }) => ({ key: lt, value: (leaf: Builder) => leaf.storeRef(cell) })),
          64,
          noSum(5),
        ).beginParse(),
      )
      .storeRef(update);

/** ShardAccountBlocks: the transactions of a block. */
export function accountBlocksWith(
  blocks: readonly {
    readonly account: Pick<AccountId, 'address'>;
    readonly transactions: readonly ListedTransaction[];
  }[],
): CoreCell {
  const entries = blocks.map(({ account: { address }, transactions }) => ({
    key: numberOf(address),
    value: accountBlock(address, transactions),
  }));
  return dictionaryOrNone(entries, 256, 5);
}

/** What a state says of its whole: no history, balance or fees, and one library, which one account publishes. @param under by which hash */
export function totalsWith(library: CoreCell, under: Uint8Array = library.hash()): CoreCell {
  const publishers = dictionaryCell([{ key: 5n, value: (leaf) => leaf }], 256);
  const shared: Write = (leaf) => leaf.storeUint(0, 2).storeRef(library).storeSlice(publishers.beginParse());
  return beginCell()
    .storeUint(0, 138)
    .storeMaybeRef(dictionaryCell([{ key: numberOf(under), value: shared }], 256))
    .storeBit(false)
    .endCell();
}
