/** Signature sets that nobody but who checks them holds, so that they are not copied again. */
import type { SignatureSet } from './signature-set.ts';

const handedOver = new WeakSet<SignatureSet>();

/**
 * Says of a set that was just made by a parser that nobody holds it but who checks it.
 * @param set frozen, of bytes that nobody else can write to
 */
export function handOver(set: SignatureSet): SignatureSet {
  handedOver.add(set);
  return set;
}

export function isHandedOver(set: SignatureSet): boolean {
  return handedOver.has(set);
}
