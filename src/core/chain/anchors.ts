/**
 * Well-known blocks of the TON mainnet that can serve as trust anchors. If you learn a block id from a source of your
 * own, pin that block instead.
 */
import { decodeHex } from '../base/bytes.ts';
import { MAINNET_HASHES, MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN } from '../base/limits.ts';
import type { BlockIdExt } from '../block/block-id.ts';

function anchor(seqno: number, rootHash: string, fileHash: string): BlockIdExt {
  return Object.freeze({
    workchain: MASTERCHAIN_WORKCHAIN,
    shard: MASTERCHAIN_SHARD,
    seqno,
    // The texts below are valid: they are constants, and a test parses them.
    rootHash: decodeHex(rootHash) ?? new Uint8Array(0),
    fileHash: decodeHex(fileHash) ?? new Uint8Array(0),
  });
}

/**
 * Two blocks of the TON mainnet to pin: the zerostate, and a key block of April 2025, whose validators have no stake
 * any more.
 *
 * `zerostate` has seqno 0. Source: `zero_state` of the global configuration at https://ton.org/global.config.json; the
 * recorded file `vectors/real/mainnet-genesis/zerostate.boc` has both hashes.
 *
 * `initBlock` is key block 46894135, made at 2025-04-16T22:28:28Z. Source: the configuration stored in
 * nirapod-labs/ton-net at 9e43419ab58a8f5d41f26edc9845ee07ce2c5481, whose recorded proof chain starts there. The stakes
 * of the validators that this block installed were free from 2025-04-17T09:51:04Z on, so they can no longer be
 * penalized, and every walk from the block begins with such keys (`startIsStale`). An attacker with more than 2/3 of
 * these keys could have made a false chain up to today. Use the block to find the chain, and compare the end of the
 * walk with a source that you trust; or pin a key block of less than nine hours.
 */
export const MAINNET: { readonly zerostate: BlockIdExt; readonly initBlock: BlockIdExt } =
  /* @__PURE__ */ Object.freeze({
    zerostate: /* @__PURE__ */ anchor(0, MAINNET_HASHES.rootHash, MAINNET_HASHES.fileHash),
    initBlock: /* @__PURE__ */ anchor(
      46_894_135,
      '3048e69a12cf946ebc99b4cf9ca61c3ff4b3fcc88c4015763ac01204ecc1bf9f',
      'bbdac0b4543e9141449ceb37c3c63ba6e9cc4e2c904d77f56d17e44acf1d1bed',
    ),
  });

/** Unix seconds at which `MAINNET.initBlock` was made, 2025-04-16T22:28:28Z according to its header. */
export const MAINNET_INIT_BLOCK_UTIME = 1_744_842_508;
