/** A block of any size: recorded transactions, over and over, under accounts and times of their own. */
import { assumeFinal, type ProvenBlock } from '../../src/core/facts/proven-block.ts';
import { beginCell, type CoreCell } from './cells.ts';
import { coreCell } from './cut-proofs.ts';
import { accountBlocksWith } from './dictionaries.ts';
import { bytesOf, caseNamed } from './inclusion.ts';
import { makeShardBlock, WHOLE } from './make-shards.ts';

const PER_ACCOUNT = 4;
/** Of a transaction and its places in the lists, about: its messages stand in the block once for all. */
const UNIQUE_BYTES = 198;

/** @param bytes at least so large @returns the whole block, taken for final, and how many transactions it holds */
export function makeLargeBlock(bytes: number): { proof: Uint8Array; block: ProvenBlock; count: number } {
  const root = coreCell(bytesOf(caseNamed('transaction/mainnet-2026-05-jetton-notification-1'), 'transaction'));
  const accounts = Math.ceil(bytes / (UNIQUE_BYTES * PER_ACCOUNT));
  const keys = Array.from({ length: accounts }, (_, account) =>
    (account * 0x9e3779b1 + 1).toString(2).padStart(64, '0').slice(-64).padEnd(256, '01'),
  ).sort();
  const startLt = 1000n;
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
  const blocks = keys.map((key, at) => ({
    account: { address: Buffer.from(BigInt(`0b${key}`).toString(16).padStart(64, '0'), 'hex') },
    transactions: Array.from({ length: PER_ACCOUNT }, (_, k) => {
      const lt = startLt + BigInt(at * PER_ACCOUNT + k + 1);
      return { lt, cell: variant(key, lt) };
    }),
  }));
  const endLt = startLt + BigInt(accounts * PER_ACCOUNT + 1);
  const block = makeShardBlock(12, WHOLE, { accountBlocks: accountBlocksWith(blocks), ltRange: [startLt, endLt] });
  return { proof: block.boc, block: assumeFinal(block.id), count: accounts * PER_ACCOUNT };
}
