/** Addresses in messages and accounts. Source: ton `crypto/block/block.tlb`, MsgAddressInt and MsgAddressExt. */

import { HASH_BYTES } from '../base/limits.ts';
import { present } from '../base/present.ts';
import type { Slice } from '../cells/slice.ts';
import { type AccountId, sameAccount } from './account-id.ts';

/** A bit string of any length; zeros fill the last byte. */
export interface BitString {
  readonly bytes: Uint8Array;
  readonly bitLength: number;
}

/** The source or destination of a message. */
export type MessageAddress =
  | { readonly kind: 'none' }
  /** An address outside of the chain. The sender of the message determines the meaning of the bits. */
  | { readonly kind: 'external'; readonly bits: BitString }
  | { readonly kind: 'account'; readonly account: AccountId }
  /**
   * An account whose first bits were replaced: `account` is the receiver of the message, `anycast` the bits that were
   * put in.
   */
  | { readonly kind: 'anycast'; readonly account: AccountId; readonly anycast: BitString }
  /** The long form, with any length and workchain. With `anycast` its first bits are already replaced. */
  | { readonly kind: 'variable'; readonly workchain: number; readonly bits: BitString; readonly anycast?: BitString };

const MAX_ANYCAST_BITS = 30;

/** Reads the next bits, from the top of the first byte on. */
export function readBits(slice: Slice, bitLength: number): BitString {
  const bytes = new Uint8Array((bitLength + 7) >> 3);
  for (let at = 0; at < bitLength; at += 8) {
    const count = Math.min(8, bitLength - at);
    bytes[at >> 3] = slice.uint(count) << (8 - count);
  }
  return Object.freeze({ bytes, bitLength });
}

/** Replaces the first bits by those of an anycast. Source: ton `crypto/block/block-parse.cpp`, do_rewrite_addr. */
function rewrite(address: Uint8Array, anycast: BitString | undefined): Uint8Array {
  if (anycast === undefined) return address;
  for (const [at, byte] of anycast.bytes.entries()) {
    const kept = 0xff >> Math.min(8, anycast.bitLength - 8 * at);
    address[at] = byte | (address[at]! & kept);
  }
  return address;
}

/**
 * addr_none$00; addr_extern$01 len:(## 9) external_address:(bits len); addr_std$10 anycast:(Maybe Anycast)
 *   workchain_id:int8 address:bits256; addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32
 *   address:(bits addr_len); anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth)
 */
export function readMessageAddress(slice: Slice): MessageAddress {
  const tag = slice.uint(2);
  if (tag === 0) return Object.freeze({ kind: 'none' });
  if (tag === 1) return Object.freeze({ kind: 'external', bits: readBits(slice, slice.uint(9)) });
  let anycast: BitString | undefined;
  if (slice.bit()) {
    const depth = slice.uint(5);
    if (depth < 1 || depth > MAX_ANYCAST_BITS) throw slice.error(`an anycast of ${depth} bits`);
    anycast = readBits(slice, depth);
  }
  if (tag === 2) {
    const workchain = (slice.uint(8) << 24) >> 24;
    const account = Object.freeze({ workchain, address: rewrite(slice.bytes(32), anycast) });
    return Object.freeze(anycast === undefined ? { kind: 'account', account } : { kind: 'anycast', account, anycast });
  }
  const bitLength = slice.uint(9);
  const workchain = slice.int32();
  const bits = readBits(slice, bitLength);
  if (anycast !== undefined && anycast.bitLength > bitLength) throw slice.error('an anycast longer than its address');
  rewrite(bits.bytes, anycast);
  return Object.freeze({ kind: 'variable', workchain, bits, ...present({ anycast }) });
}

/**
 * Whether an address of a message is this account, in any form and with replaced bits or not. Source: ton
 * `crypto/block/block-parse.cpp`, MsgAddressInt::extract_std_address.
 */
export function isAccount(address: MessageAddress, account: AccountId): boolean {
  if (address.kind === 'account' || address.kind === 'anycast') return sameAccount(address.account, account);
  if (address.kind !== 'variable' || address.bits.bitLength !== 8 * HASH_BYTES) return false;
  return sameAccount({ workchain: address.workchain, address: address.bits.bytes }, account);
}
