import { expect, it } from 'vitest';
import { soakFollow } from '../helpers/follow-soak.ts';

const MIB = 1024 * 1024;
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

it('5 minutes of a chain through three servers that die, freeze, lie and throttle leave no gap, all blocks are final, and memory stays flat', async () => {
  const { rss, ...result } = await soakFollow(300, 7);
  const half = Math.floor(rss.length / 2);
  const growth = mean(rss.slice(half)) - mean(rss.slice(0, half));
  console.log({ ...result, rssMiB: { from: rss[0]! / MIB, to: rss.at(-1)! / MIB, growth: growth / MIB } });
  expect(result.disorder).toEqual([]);
  expect(result.verdicts).toEqual({ final: result.blocks });
  expect(result.blocks).toBeGreaterThan(2500);
  expect(result.left).toEqual([]);
  expect(growth).toBeLessThan(24 * MIB);
}, 400_000);
