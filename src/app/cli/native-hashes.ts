/**
 * What the shipped command has in the place of `@noble/hashes/sha2.js` (`scripts/bundle-command.mjs`): a hash at one go is the
 * runtime's. A start hashes the names of a hundred validators, and is over before JavaScript that hashes has become fast.
 * What is hashed in steps (`create`: cells by the thousand) stays with noble.
 */
import { hash } from 'node:crypto';
import { sha256 as portable256, sha512 as portable512 } from '@noble/hashes/sha2.js';

function atOneGo(name: string): (bytes: Uint8Array) => Uint8Array<ArrayBuffer> {
  return (bytes) => new Uint8Array(hash(name, bytes, 'buffer'));
}

export const sha256 = Object.assign(atOneGo('sha256'), { create: portable256.create });
export const sha512 = Object.assign(atOneGo('sha512'), { create: portable512.create });
