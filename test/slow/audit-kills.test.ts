/** A hundred audits over HTTP, each killed with SIGKILL at random points and run again until it is done: one ledger, a hundred times. */
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkpointToJson } from '../../src/chain/checkpoint.ts';
import { auditChain, httpChain, scratch, startOf } from '../helpers/audit-chain.ts';
import { killedAudit } from '../helpers/killed-audit.ts';
import { startStandIn } from '../helpers/stand-in.ts';

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

it(`a hundred killed audits give one ledger (SEED=${seed})`, async () => {
  const place = scratch();
  const chain = auditChain(20);
  const standIn = await startStandIn({ chain: httpChain(chain) });
  try {
    const checkpoint = place.next('checkpoint.json');
    writeFileSync(checkpoint, JSON.stringify(checkpointToJson(startOf(chain))));
    const result = await killedAudit({ standIn, checkpoint, to: 20, folder: place.next('kills'), points: 100, seed });
    expect(result.different).toEqual([]);
    expect(result.kills).toBeGreaterThan(50);
  } finally {
    await standIn.close();
    place.remove();
  }
}, 1_800_000);
