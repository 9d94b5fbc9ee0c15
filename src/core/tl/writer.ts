/** Writes TL wire data, each value in its one canonical spelling. It knows no schema. */

/** A constructor id, `#`, or an int read as unsigned: four bytes, little-endian. */
export function tlUint32(value: number): Uint8Array {
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
}

/** TL `long` read as unsigned: eight bytes, little-endian. */
export function tlUint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

/** TL `bytes`: shortest length form, data, zeros up to a multiple of four. At most 2^24 - 1 bytes. */
export function tlBytes(data: Uint8Array): Uint8Array {
  const head = data.length < 0xfe ? 1 : 4;
  const bytes = new Uint8Array(Math.ceil((head + data.length) / 4) * 4);
  if (head === 1) bytes[0] = data.length;
  else new DataView(bytes.buffer).setUint32(0, (data.length << 8) | 0xfe, true);
  bytes.set(data, head);
  return bytes;
}
