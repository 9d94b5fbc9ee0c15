/** A hundred audits, each ended from outside at random points and run again until it is done: one ledger, a hundred times. */
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkpointToJson } from '../../src/core/chain/checkpoint.ts';
import { auditChain, FIRST_UTIME, httpChain, scratch } from '../helpers/audit-chain.ts';
import { endedAudit, killedAudit, random } from '../helpers/killed-audit.ts';
import { LiteChain } from '../helpers/lite-chain.ts';
import { liteFlags } from '../helpers/lite-cli.ts';
import { startLiteStandIn } from '../helpers/lite-stand-in.ts';
import { startOf } from '../helpers/networks.ts';
import { startStandIn } from '../helpers/stand-in.ts';

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const points = Number(process.env.NUM ?? 100);

it(`${points} killed audits give one ledger (SEED=${seed})`, async () => {
  const place = scratch();
  const chain = auditChain(20);
  const standIn = await startStandIn({ chain: httpChain(chain) });
  try {
    const checkpoint = place.next('checkpoint.json');
    writeFileSync(checkpoint, JSON.stringify(checkpointToJson(startOf(chain))));
    const result = await killedAudit({ standIn, checkpoint, to: 20, folder: place.next('kills'), points, seed });
    expect(result.different).toEqual([]);
    expect(result.kills).toBeGreaterThan(points / 2);
  } finally {
    await standIn.close();
    place.remove();
  }
}, 1_800_000);

it(`${points} audits that lead down from signed blocks, with a threshold of 9/10, killed, cut or on a full disk, give one ledger (SEED=${seed})`, async () => {
  const place = scratch();
  // Key block 30 has 75 % of the weight: trust gets that far, however often the way to it is gone.
  const signersOf = (seqno: number) => (seqno === 30 ? 3 : 4);
  const chain = new LiteChain({ length: 45, firstUtime: FIRST_UTIME, name: 'audit', signersOf });
  let onQuestion = () => {};
  const standIn = await startLiteStandIn({
    answer: (asked) => {
      onQuestion();
      return chain.answer(asked);
    },
  });
  try {
    const checkpoint = place.next('checkpoint.json');
    writeFileSync(checkpoint, JSON.stringify(checkpointToJson(startOf(chain))));
    const range = ['--from', '1', '--to', '45', '--sign-every', '7', '--threshold', '9/10'];
    const { different, ...counts } = await endedAudit({
      words: ['audit', ...range, '--checkpoint', checkpoint, '--accept-stale-start', '--quiet', ...liteFlags(standIn)],
      code: 1,
      listen: (listener) => {
        onQuestion = listener;
      },
      folder: place.next('ends'),
      points,
      draw: random(seed),
      ends: ['kill', 'cut', 'full'],
    });
    process.stderr.write(`${points} audits: ${JSON.stringify(counts)}\n`);
    expect(different).toEqual([]);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(points / 10);
  } finally {
    await standIn.close();
    place.remove();
  }
}, 1_800_000);
