import { expect, it } from 'vitest';
import { soakQuorum } from '../../helpers/quorum-soak.ts';

it('200 questions to 2 of 3 servers, one of them faulty, get no wrong answer, and every failure is laid at its door', async () => {
  const { asked, wrong, failed, faults, oddByServer, connectionsLeft, badServer } = await soakQuorum(200);
  expect({ asked, wrong, failed, connectionsLeft }).toEqual({ asked: 200, wrong: 0, failed: 0, connectionsLeft: 0 });
  expect(faults).toBeGreaterThan(50);
  expect(oddByServer).toEqual({ [badServer]: faults });
});
