/**
 * A deposit whose certificate has one bit changed, and a bridge's whole road, over a network with a split and key blocks and as a real
 * node answered it, with one bit of one answer changed: 20 000 times each. No certificate is accepted, and no road leads to another
 * deposit; those that lead to the true one had their bit where `UNREAD` says that nothing rests on it.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { certificateToBoc } from '../../src/core/certificate/parse.ts';
import { certifyTransaction } from '../../src/net/lite/certify.ts';
import { connectLite } from '../../src/net/lite/client.ts';
import { changeCertificate } from '../helpers/changed-certificate.ts';
import { changeRoads, loadRoads, type RecordedRoads, recordRoads, UNREAD } from '../helpers/changed-road.ts';
import { VAULT } from '../helpers/deposits.ts';
import { startBridge } from '../helpers/start-bridge.ts';
import { VECTORS } from '../helpers/vectors.ts';

const TIMES = 20_000;
const timeout = 7_200_000;

async function expectNoOther(recorded: RecordedRoads): Promise<void> {
  const { refused, other, unread } = await changeRoads(recorded, TIMES / 2); // on each of two roads
  process.stderr.write(`${refused} refused, accepted as what it is: ${JSON.stringify(unread)}\n`);
  expect(other).toBe(0);
  expect(UNREAD).toMatchObject(Object.fromEntries(Object.keys(unread).map((name) => [name, expect.any(String)])));
  expect(refused + Object.values(unread).reduce((sum, one) => sum + one, 0)).toBe(TIMES);
}

it('is refused with any bit of its certificate changed, and of its answers', { timeout }, async () => {
  const bridge = await startBridge();
  const client = connectLite(bridge.lite.server);
  try {
    for (let k = 0; k < 11; k++) bridge.nextBlock(); // a split, and a key block on the way
    bridge.network.deposit('ton');
    bridge.nextBlock();
    const { checkpoint, deposits } = bridge.network;
    const { lt } = deposits[0]!;
    const nowSeconds = Math.floor(Date.now() / 1000) + 60;
    const terms = { ...bridge.network.terms('TON'), nowSeconds };
    const { certificate } = await certifyTransaction([client], checkpoint, { account: VAULT, lt });
    expect(changeCertificate(certificateToBoc(certificate), TIMES, terms)).toEqual({
      refused: TIMES,
      same: 0,
      other: 0,
    });
    const ends = { checkpoint, vault: VAULT, afterLt: 0n, lt, nowSeconds };
    await expectNoOther(await recordRoads(bridge.lite.server, ends));
  } finally {
    client.close();
    await bridge.close();
  }
});

it('is refused with any bit changed of what a real node answered', { timeout }, async () => {
  await expectNoOther(loadRoads(join(VECTORS, 'live', 'bridge-road.json')));
});
