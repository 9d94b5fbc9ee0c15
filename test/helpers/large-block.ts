/** A block of any size: recorded transactions, over and over, under accounts and times of their own. */
import { assumeFinal, type ProvenBlock } from '../../src/core/facts/proven-block.ts';
import { beginCell, type CoreCell } from './cells.ts';
import { coreCell } from './cut-proofs.ts';
import { bytesOf, caseNamed } from './inclusion.ts';
import { makeShardBlock, WHOLE } from './make-shards.ts';

const PER_ACCOUNT = 4;
/** Of a transaction and its places in the lists, about: its messages stand in the block once for all. */
const UNIQUE_BYTES = 198;

/** Whole dictionary nodes with long labels over sorted hex keys; leaves and extras of no currency. */
function dictionary(
  keys: readonly string[],
  leaf: (at: number, head: ReturnType<typeof beginCell>) => ReturnType<typeof beginCell>,
  from = 0,
  done = 0,
): ReturnType<typeof beginCell> {
  const [first, last] = [keys[0]!, keys.at(-1)!];
  const left = first.length - done;
  let common = 0;
  while (common < left && first[done + common] === last[done + common]) common++;
  const builder = beginCell()
    .storeUint(0b10, 2)
    .storeUint(common, 32 - Math.clz32(left));
  for (const bit of first.slice(done, done + common)) builder.storeBit(bit === '1');
  if (common === left) return leaf(from, builder.storeUint(0, 5));
  const split = keys.findIndex((key) => key[done + common] === '1');
  const sides = [
    dictionary(keys.slice(0, split), leaf, from, done + common + 1),
    dictionary(keys.slice(split), leaf, from + split, done + common + 1),
  ];
  for (const side of sides) builder.storeRef(side.endCell());
  return builder.storeUint(0, 5);
}

/** @param bytes at least so large @returns the whole block, taken for final, and how many transactions it holds */
export function makeLargeBlock(bytes: number): { proof: Uint8Array; block: ProvenBlock; count: number } {
  const root = coreCell(bytesOf(caseNamed('transaction/mainnet-2026-05-jetton-notification-1'), 'transaction'));
  const update = beginCell().storeUint(0x72, 8).storeUint(1, 256).storeUint(2, 256).endCell();
  const accounts = Math.ceil(bytes / (UNIQUE_BYTES * PER_ACCOUNT));
  const hex = (account: number) =>
    (account * 0x9e3779b1 + 1).toString(2).padStart(64, '0').slice(-64).padEnd(256, '01');
  const keys = Array.from({ length: accounts }, (_, account) => hex(account)).sort();
  const startLt = 1000n;
  const bits = (lt: bigint) => lt.toString(2).padStart(64, '0');
  /** The same transaction of another account and time. */
  const variant = (key: string, lt: bigint): CoreCell => {
    const slice = root.beginParse();
    const head = beginCell().storeUint(slice.loadUint(4), 4);
    slice.skip(256 + 64);
    for (const bit of key) head.storeBit(bit === '1');
    head.storeUint(lt, 64).storeBits(slice.loadBits(slice.remainingBits));
    const refs = [...root.refs];
    refs[1] = beginCell()
      .storeUint(0x72, 8)
      .storeUint(BigInt(`0b${key}`), 256)
      .storeUint(lt, 256)
      .endCell();
    for (const ref of refs) head.storeRef(ref);
    return head.endCell();
  };
  const tree = dictionary(keys, (at, leaf) => {
    const key = keys[at]!;
    leaf.storeUint(5, 4);
    for (const bit of key) leaf.storeBit(bit === '1');
    const lts = Array.from({ length: PER_ACCOUNT }, (_, k) => startLt + BigInt(at * PER_ACCOUNT + k + 1));
    const list = dictionary(lts.map(bits), (k, entry) => entry.storeRef(variant(key, lts[k]!)));
    return leaf.storeBuilder(list).storeRef(update);
  });
  const accountBlocks = beginCell().storeBit(true).storeUint(0, 5).storeRef(tree.endCell()).endCell();
  const endLt = startLt + BigInt(accounts * PER_ACCOUNT + 1);
  const block = makeShardBlock(12, WHOLE, { accountBlocks, ltRange: [startLt, endLt] });
  return { proof: block.boc, block: assumeFinal(block.id), count: accounts * PER_ACCOUNT };
}
