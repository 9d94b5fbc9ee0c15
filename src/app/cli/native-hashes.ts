/**
 * Replaces `@noble/hashes/sha2.js` in the shipped command (`scripts/bundle-command.mjs`): the runtime computes a hash in one call. A start
 * of the command hashes the names of a hundred validators, and ends before JavaScript becomes fast. Hashing in steps (`create`: thousands
 * of cells) stays with noble.
 */
import { hash } from 'node:crypto';
import { sha256 as portable256, sha512 as portable512 } from '@noble/hashes/sha2.js';

function atOneGo(name: string): (bytes: Uint8Array) => Uint8Array<ArrayBuffer> {
  return (bytes) => new Uint8Array(hash(name, bytes, 'buffer'));
}

export const sha256 = Object.assign(atOneGo('sha256'), { create: portable256.create });
export const sha512 = Object.assign(atOneGo('sha512'), { create: portable512.create });
