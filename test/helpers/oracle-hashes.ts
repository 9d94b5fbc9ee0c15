/**
 * @ton/core hashes each cell that it makes by a program in JavaScript, over hex, which was a tenth of what tests took. Here OpenSSL hashes
 * for it: as far from the hashes of the library under test as the other was. It also copies bit after bit, here byte after byte where it can.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { BitBuilder, type BitString } from '@ton/core';

const primitives = createRequire(import.meta.url)('@ton/crypto/dist/primitives/sha256.js') as {
  sha256_sync: (source: Uint8Array | string) => Buffer;
}; // what @ton/core asks at each hash

primitives.sha256_sync = (source) => createHash('sha256').update(source).digest();

const { writeBits } = BitBuilder.prototype;
BitBuilder.prototype.writeBits = function copied(this: BitBuilder, source: BitString) {
  const inBytes = source.length - (source.length % 8);
  const bytes = this.length % 8 === 0 ? source.subbuffer(0, inBytes) : null;
  if (bytes === null) return writeBits.call(this, source);
  this.writeBuffer(bytes);
  for (let at = inBytes; at < source.length; at++) this.writeBit(source.at(at));
};
