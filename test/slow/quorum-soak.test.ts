import { expect, it } from 'vitest';
import { soakQuorum } from '../helpers/quorum-soak.ts';

it('10 000 questions to 2 of 3 servers, one of them faulty, get no wrong answer, and every failure is laid at its door', async () => {
  const before = process.memoryUsage().rss;
  const { asked, wrong, failed, faults, oddByServer, connectionsLeft, badServer } = await soakQuorum(10_000, 7);
  expect({ asked, wrong, failed, connectionsLeft }).toEqual({ asked: 10_000, wrong: 0, failed: 0, connectionsLeft: 0 });
  expect(faults).toBeGreaterThan(3000);
  expect(oddByServer).toEqual({ [badServer]: faults });
  expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
  console.log({ asked, wrong, failed, faults, oddByServer });
}, 900_000);
