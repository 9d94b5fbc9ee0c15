/**
 * @ton/core hashes each cell that it makes by a program in JavaScript, over hex, which was a tenth of what tests took. Here OpenSSL hashes
 * for it: as far from the hashes of the library under test as the other was.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

const primitives = createRequire(import.meta.url)('@ton/crypto/dist/primitives/sha256.js') as {
  sha256_sync: (source: Uint8Array | string) => Buffer;
}; // what @ton/core asks at each hash

primitives.sha256_sync = (source) => createHash('sha256').update(source).digest();
