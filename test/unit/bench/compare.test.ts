import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changes, type StoredRun, storedRuns } from '../../../bench/compare.ts';
import { summary } from '../../../bench/first-calls.ts';
import { speedTable } from '../../../scripts/speed-table.mjs';
import { ROOT } from '../../helpers/vectors.ts';

const stored: unknown = JSON.parse(readFileSync(join(ROOT, 'bench/results/2026-11-20-epyc-2core.json'), 'utf8'));

describe('the comparison with a stored run', () => {
  it('reads files of the first format as one run, and those of now as theirs', () => {
    const [run] = storedRuns(stored);
    expect(run!.node).toBe('v20.20.2');
    expect(storedRuns({ runs: [run, run] })).toEqual([run, run]);
    for (const other of [null, {}, [], { node: 'v20.0.0' }]) expect(() => storedRuns(other)).toThrow(TypeError);
  });

  it('says by how much each ratio changed, in the same major version of Node', () => {
    const run = (node: string, timesNode: number, p99TimesNode?: number): StoredRun => ({
      node,
      steady: [{ name: 'kernel', timesNode }],
      ...(p99TimesNode === undefined ? {} : { firstCalls: { p99TimesNode } }),
    });
    const before = [run('v20.1.0', 7), run('v24.1.0', 8, 1.5)];
    const after = [run('v20.2.0', 7.7, 1), run('v24.9.0', 10, 1.2), run('v26.0.0', 9)];
    expect(changes(before, after)).toEqual([
      { node: 'v20.2.0', name: 'kernel: times faster', before: 7, after: 7.7, change: expect.closeTo(0.1) },
      { node: 'v24.9.0', name: 'kernel: times faster', before: 8, after: 10, change: 0.25 },
      { node: 'v24.9.0', name: 'p99 of calls 2 to 200: x node', before: 1.5, after: 1.2, change: expect.closeTo(-0.2) },
    ]);
    expect(changes(storedRuns(stored), storedRuns(stored)).every(({ change }) => change === 0)).toBe(true);
  });
});

describe('the first calls of a process', () => {
  it('are told by their slow ones, by when the kernel is faster, and by what is reached', () => {
    const node = Array.from({ length: 200 }, (_, n) => (n === 150 ? 12 : n === 151 ? 10 : 8));
    // Slow at first, one of many fast ones slow again.
    const kernel = node.map((_, n) => (n === 0 ? 50 : n === 3 ? 20 : n < 30 ? 7 : n === 60 ? 15 : 2));
    const told = summary({ node, kernel });
    expect(told).toMatchObject({ worstMs: 20, p99Ms: 15, nodeP99Ms: 10, p99TimesNode: 1.5 });
    expect(told.takeoverCall).toBe(26); // half of calls 26 to 35 are fast
    expect(told.from100MedianTimesNode).toBe(4);
    expect(told.from100TimesNode).toBeCloseTo((101 * 8 + 4 + 2) / (101 * 2));
    expect(summary({ node, kernel: node.map(() => 7) }).takeoverCall).toBe(201);
  });
});

describe("README's table", () => {
  it('has columns for each version of Node that was measured', () => {
    const [run] = storedRuns(stored) as readonly object[];
    const other = { ...run, node: 'v24.21.0' };
    const table = speedTable({ runs: [run, other] }).split('\n');
    expect(table[0]).toBe(
      '| one signature of a 100-signature block, steady | µs Node 20 | x node | µs Node 24 | x node | x noble |',
    );
    expect(table[2]).toMatch(/\| 9\.0 \| 7\.51 \| 9\.0 \| 7\.51 \| 109\.5 \|$/);
    expect(speedTable(stored).split('\n')[0]).toBe(
      '| one signature of a 100-signature block, steady | µs | x node | x noble |',
    );
  });
});
