/**
 * What a certificate takes beside its signature checks is bounded by its size: of 20 kB, 200 kB and 2 MB, those whose cells are shared
 * the most, or are the smallest, take at most three times what honest ones of the size take. In counted work, and in time of the
 * processor as a ratio: each is read between honest ones, so that whatever else runs slows both down.
 */
import { describe, expect, it } from 'vitest';
import { MAX_BOC_CELLS } from '../../src/core/base/limits.ts';
import { NewCell } from '../../src/core/cells/new-cell.ts';
import { writeBoc } from '../../src/core/cells/write-boc.ts';
import {
  cpuRatio,
  DEAR,
  dearCertificate,
  HONEST,
  honestCertificate,
  ofSize,
  workTaken,
} from '../helpers/dear-certificates.ts';

const perByte = (bytes: Uint8Array) => workTaken(bytes).work / bytes.length;

describe.each([
  [20_000, [8, 255]],
  [200_000, [8, 255]],
  [2_000_000, [16]],
] as const)('a certificate of some %i bytes', (size, numbers) => {
  it('takes three times what an honest one takes at most', { timeout: 1_800_000 }, () => {
    const honest = HONEST.map((shape) => [shape, ofSize(size, (n) => honestCertificate(shape, n))] as const);
    for (const [shape, bytes] of honest) expect([shape, workTaken(bytes).isTaken]).toEqual([shape, true]);
    const dearest = Math.max(...honest.map(([, bytes]) => perByte(bytes)));
    const rows = DEAR.flatMap((shape) =>
      numbers.map((facts) => {
        const bytes = ofSize(size, (n) => dearCertificate(shape, n, facts));
        const { work, isTaken } = workTaken(bytes);
        const others = honest.map(([, other]) => other);
        let cpu = cpuRatio(bytes, others, size < 1_000_000 ? 5 : 3);
        if (cpu > 2.7) cpu = Math.min(cpu, cpuRatio(bytes, others, 9)); // something else may have been slow
        const [count, ratio] = [work / bytes.length / dearest, cpu.toFixed(2)];
        console.log(
          `${size}: ${shape}, ${facts}: ${bytes.length} bytes, ${isTaken ? 'taken' : 'refused'}, work ${count.toFixed(2)}, time ${ratio}`,
        );
        return { shape, facts, count, cpu };
      }),
    );
    expect(rows.filter(({ count, cpu }) => count > 3 || cpu > 3)).toEqual([]);
  });
});

it('a bag of more cells than a bag holds is not written', { timeout: 60_000 }, () => {
  const cellOf = (bytes: Uint8Array, refs: readonly NewCell[]) => new NewCell(bytes, 8 * bytes.length, refs);
  const many = Array.from({ length: MAX_BOC_CELLS }, (_, n) => cellOf(Uint8Array.of(n >> 16, n >> 8, n), []));
  // More references than a cell has: only their number matters here.
  expect(() => writeBoc(cellOf(new Uint8Array(0), many))).toThrow(
    expect.objectContaining({ code: 'decode/too-large' }),
  );
});
