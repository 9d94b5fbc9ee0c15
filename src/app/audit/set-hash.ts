/** The hash by which rows name a validator set: of keys and weights in order, whatever the set's provenance. */
import { createHash } from 'node:crypto';
import type { AuditSet } from './row.ts';

/** SHA-256 in hex over the 32 bytes of each key and its weight as a big-endian uint64. */
export function setHashOf({ validators }: Pick<AuditSet, 'validators'>): string {
  const hash = createHash('sha256');
  for (const { publicKey, weight } of validators) {
    const bytes = Buffer.alloc(40);
    bytes.write(publicKey, 'hex');
    bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(weight)), 32);
    hash.update(bytes);
  }
  return hash.digest('hex');
}
