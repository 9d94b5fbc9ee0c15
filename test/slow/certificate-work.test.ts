/**
 * What a certificate takes is bounded by its size, for sizes up to some 150 kB that are too dear for `npm test`: those whose cells are
 * shared the most take at most three times what honest ones take, in counted work.
 */
import { expect, it } from 'vitest';
import { MAX_BOC_CELLS } from '../../src/base/limits.ts';
import { type LooseCell, writeBoc } from '../../src/cells/write-boc.ts';
import { DEAR, dearCertificate, HONEST, honestCertificate, workTaken } from '../helpers/dear-certificates.ts';

const perByte = (bytes: Uint8Array) => workTaken(bytes).work / bytes.length;

it('dear certificates take three times what honest ones take at most', { timeout: 600_000 }, () => {
  const honest = HONEST.map((shape) => honestCertificate(shape, 128));
  for (const bytes of honest) expect(workTaken(bytes).isTaken).toBe(true);
  const dearest = Math.max(...honest.map(perByte));
  for (const shape of DEAR) {
    for (const facts of [64, 255]) {
      const bytes = dearCertificate(shape, 256, facts);
      expect(perByte(bytes), `${shape}, ${facts} facts, ${bytes.length} bytes`).toBeLessThanOrEqual(3 * dearest);
    }
  }
});

it('a bag of more cells than a bag holds is not written', { timeout: 60_000 }, () => {
  let made = 0;
  const cell = (refs: readonly LooseCell[], depth: number): LooseCell => {
    const hash = new Uint8Array(32);
    new DataView(hash.buffer).setUint32(0, made++);
    return { bitLength: 0, data: new Uint8Array(0), refs, hash: () => hash, depth: () => depth };
  };
  const many = Array.from({ length: MAX_BOC_CELLS }, () => cell([], 0));
  expect(() => writeBoc(cell(many, 1))).toThrow(expect.objectContaining({ code: 'decode/too-large' }));
});
