import { expect, it } from 'vitest';
import { soakQuorum } from '../helpers/quorum-soak.ts';

it('10 000 questions to 2 of 3 servers, one of them faulty, get no wrong answer, and every failure is laid at its door', async () => {
  const before = process.memoryUsage().rss;
  const { asked, wrong, failed, faults, oddByServer, unanswered, badServer } = await soakQuorum(10_000, 7);
  expect({ asked, wrong, failed, unanswered }).toEqual({ asked: 10_000, wrong: 0, failed: 0, unanswered: 0 });
  expect(faults).toBeGreaterThan(3000);
  expect(oddByServer).toEqual({ [badServer]: faults });
  expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
  console.log({ asked, wrong, failed, faults, oddByServer });
}, 900_000);
