import { expect, it } from 'vitest';
import { soakFollow } from '../../helpers/follow-soak.ts';

it('20 seconds of a chain through three servers that die, freeze, lie and throttle leave no gap, and all blocks are final', async () => {
  const { blocks, disorder, verdicts, left, incidents } = await soakFollow(20, 3);
  expect(disorder).toEqual([]);
  expect(verdicts).toEqual({ final: blocks });
  expect(blocks).toBeGreaterThan(100);
  expect(incidents).toBeGreaterThan(10);
  expect(left).toEqual([]);
}, 60_000);
