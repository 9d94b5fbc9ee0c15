import { expect, it } from 'vitest';
import { soakQuorum } from '../../helpers/quorum-soak.ts';

it('200 questions to 2 of 3 servers, one of them faulty, get no wrong answer, and every failure is laid at its door', async () => {
  const { asked, wrong, failed, faults, oddByServer, unanswered, badServer } = await soakQuorum(200);
  expect({ asked, wrong, failed, unanswered }).toEqual({ asked: 200, wrong: 0, failed: 0, unanswered: 0 });
  expect(faults).toBeGreaterThan(50);
  expect(oddByServer).toEqual({ [badServer]: faults });
});
