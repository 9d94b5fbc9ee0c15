/**
 * @ton/core hashes each cell that it makes by a program in JavaScript, over hex, which was a tenth of what tests took. Here OpenSSL hashes
 * for it: as far from the hashes of the library under test as the other was. It also copies bit after bit, writes each number by way of
 * a bigint and takes checksums bit after bit: here byte after byte where it can.
 */
import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { BitBuilder, type BitString } from '@ton/core';

const require = createRequire(import.meta.url);
const primitives = require('@ton/crypto/dist/primitives/sha256.js') as {
  sha256_sync: (source: Uint8Array | string) => Buffer;
}; // what @ton/core asks at each hash
primitives.sha256_sync = (source) => hash('sha256', source, 'buffer');

const checksums = require('@ton/core/dist/utils/crc32c.js') as { crc32c: (source: Uint8Array) => Buffer }; // of each bag of cells
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});
checksums.crc32c = (source) => {
  let crc = -1;
  for (let at = 0; at < source.length; at++) crc = table[(crc ^ source[at]!) & 0xff]! ^ (crc >>> 8);
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(~crc);
  return bytes;
};

const { writeBits, writeUint } = BitBuilder.prototype;
BitBuilder.prototype.writeBits = function copied(this: BitBuilder, source: BitString) {
  const inBytes = source.length - (source.length % 8);
  const bytes = this.length % 8 === 0 ? source.subbuffer(0, inBytes) : null;
  if (bytes === null) return writeBits.call(this, source);
  this.writeBuffer(bytes);
  for (let at = inBytes; at < source.length; at++) this.writeBit(source.at(at));
};

BitBuilder.prototype.writeUint = function written(this: BitBuilder, value: number | bigint, bits: number) {
  const self = this as unknown as { readonly _buffer: Buffer; _length: number }; // the members it has
  const low = Number(value);
  const fits = Number.isInteger(low) && low >= 0 && low < 2 ** Math.min(32, bits) && Number.isInteger(bits) && bits > 0;
  // What is large, or no number, or has no room is for the other one to write or to refuse.
  if (!fits || self._length + bits > 8 * self._buffer.length) return writeUint.call(this, value, bits);
  let left = Math.min(32, bits);
  let at = self._length + bits - left; // a buffer holds zeros until something is written
  self._length += bits;
  while (left > 0) {
    const room = 8 - (at & 7);
    const taken = Math.min(room, left);
    left -= taken;
    self._buffer[at >> 3]! |= ((low >>> left) & ((1 << taken) - 1)) << (room - taken);
    at += taken;
  }
};
