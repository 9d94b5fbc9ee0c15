/** CRC-32C (Castagnoli), the checksum of bags of cells and of validator lists. It detects accidents, never forgery. */

/** 1EDC6F41 with its bits in reverse order. Source: RFC 3720, appendix B.4; ton `crypto/common/util.cpp`. */
const POLYNOMIAL = 0x82f63b78;

const TABLE = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

/** The CRC-32C of `bytes[start..end)` as uint32. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = 0xffffffff;
  for (let at = start; at < end; at++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[at]!) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}
