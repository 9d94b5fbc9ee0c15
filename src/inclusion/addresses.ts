/** Addresses in messages and accounts. Source: ton `crypto/block/block.tlb`, MsgAddressInt and MsgAddressExt. */
import { equalBytes } from '../base/bytes.ts';
import type { Slice } from '../cells/slice.ts';
import type { AccountId } from './account-id.ts';

/** Bits of any number, the last byte filled up with zeros. */
export interface BitString {
  readonly bytes: Uint8Array;
  readonly bitLength: number;
}

/** Where a message comes from or goes to. */
export type MessageAddress =
  | { readonly kind: 'none' }
  /** Outside of the chain; what the bits mean is up to whoever sent the message. */
  | { readonly kind: 'external'; readonly bits: BitString }
  | { readonly kind: 'account'; readonly account: AccountId; readonly anycast?: BitString }
  /** An address of another length than 256 bits. */
  | { readonly kind: 'variable'; readonly workchain: number; readonly bits: BitString; readonly anycast?: BitString };

const MAX_ANYCAST_BITS = 30;

/** The next bits, from the top of the first byte on. */
export function readBits(slice: Slice, bitLength: number): BitString {
  const bytes = new Uint8Array((bitLength + 7) >> 3);
  for (let at = 0; at < bitLength; at += 8) {
    const count = Math.min(8, bitLength - at);
    bytes[at >> 3] = slice.uint(count) << (8 - count);
  }
  return Object.freeze({ bytes, bitLength });
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
  let anycast: { readonly anycast?: BitString } = {};
  if (slice.bit()) {
    const depth = slice.uint(5);
    if (depth < 1 || depth > MAX_ANYCAST_BITS) throw slice.error(`an anycast of ${depth} bits`);
    anycast = { anycast: readBits(slice, depth) };
  }
  if (tag === 2) {
    const workchain = (slice.uint(8) << 24) >> 24;
    return Object.freeze({
      kind: 'account',
      account: Object.freeze({ workchain, address: slice.bytes(32) }),
      ...anycast,
    });
  }
  const bitLength = slice.uint(9);
  const workchain = slice.int32();
  return Object.freeze({ kind: 'variable', workchain, bits: readBits(slice, bitLength), ...anycast });
}

/** Whether an address is plainly this account, without anycast. */
export function isAccount(address: MessageAddress, account: AccountId): boolean {
  return (
    address.kind === 'account' &&
    address.anycast === undefined &&
    address.account.workchain === account.workchain &&
    equalBytes(address.account.address, account.address)
  );
}
