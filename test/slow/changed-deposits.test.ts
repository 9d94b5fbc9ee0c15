/** A deposit whose certificate, or whose answers, have one bit changed, 20 000 times each: none is accepted as anything but what it is. */
import { expect, it } from 'vitest';
import { connectLite } from '../../src/net/lite/client.ts';
import {
  acceptCertificate,
  certificateOf,
  changeAnswers,
  changeBits,
  depositAnswers,
} from '../helpers/deposit-answers.ts';
import { VAULT } from '../helpers/deposits.ts';
import { startBridge } from '../helpers/start-bridge.ts';

const TIMES = 20_000;

it('is refused with any bit of it changed', { timeout: 1_800_000 }, async () => {
  const bridge = await startBridge();
  const client = connectLite(bridge.lite.server);
  try {
    for (let k = 0; k < 11; k++) bridge.nextBlock(); // a split, and a key block on the way
    bridge.network.deposit('ton');
    bridge.nextBlock();
    const { checkpoint, deposits } = bridge.network;
    const wanted = { account: VAULT, lt: deposits[0]!.lt };
    const terms = { ...bridge.network.terms('TON'), nowSeconds: Math.floor(Date.now() / 1000) + 60 };
    const answers = await depositAnswers(client, checkpoint, wanted);
    const certificate = certificateOf(answers, checkpoint, wanted);
    const changed = changeBits([certificate], TIMES, ([bytes]) => acceptCertificate(bytes!, terms));
    expect(changed).toEqual({ refused: TIMES, same: 0, other: 0 });
    expect(changeAnswers(answers, TIMES, wanted, terms)).toMatchObject({ other: 0 });
  } finally {
    client.close();
    await bridge.close();
  }
});
