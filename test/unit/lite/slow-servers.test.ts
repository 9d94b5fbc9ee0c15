/** Servers that cost a call its time: that name blocks which nobody has, that answer in small pieces, or not at all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certifyTransaction } from '../../../src/net/lite/certify.ts';
import { connectLite, type LiteServerClient } from '../../../src/net/lite/client.ts';
import { VAULT } from '../../helpers/deposits.ts';
import { liteServers, lookedUp } from '../../helpers/lite-servers.ts';
import type { LiteAsked } from '../../helpers/lite-stand-in.ts';
import { type Bridge, startBridge } from '../../helpers/start-bridge.ts';

const BLOCKS = 14;
const SHARD_PROOF = '5003a64c';
const options = { maxHeadAgeSeconds: 3600 };
const serve = liteServers();
let bridge: Bridge;
let honest: LiteServerClient;
let lt: bigint;

beforeAll(async () => {
  bridge = await startBridge({ firstUtime: Math.floor(Date.now() / 1000) - BLOCKS });
  for (let seqno = 2; seqno <= BLOCKS; seqno++) {
    if (seqno === 7) bridge.network.deposit('ton');
    bridge.nextBlock();
  }
  ({ lt } = bridge.network.deposits[0]!);
  honest = connectLite(bridge.lite.server);
});
afterAll(async () => {
  honest.close();
  await bridge.close();
});

/** Answers as an honest server, but lists the shard's block in a masterchain block of this number. */
const listedIn = (seqno: number, change: (asked: LiteAsked, answer: Buffer) => Buffer = (_, answer) => answer) =>
  serve(async (asked) => {
    const answer = Buffer.from(await bridge.network.answer(asked));
    if (asked.constructorId === SHARD_PROOF) answer.writeUInt32LE(seqno, 16);
    return change(asked, answer);
  });

describe('a certificate', () => {
  it('waits for no block above the head, however many servers name one, and whatever heads they name', async () => {
    const high = 0x7ffffff0;
    const withHead = (asked: LiteAsked, answer: Buffer) => {
      if (asked.constructorId === 'df71a670') answer.writeUInt32LE(high + 9, 32);
      return answer;
    };
    const liars = [await listedIn(high), await listedIn(high + 1, withHead), await listedIn(high + 2, withHead)];
    const servers = [...liars.map(({ client }) => client), honest];
    const wanted = { account: VAULT, lt };
    const { fact } = await certifyTransaction(servers, bridge.network.checkpoint, wanted, options);
    expect(fact).toMatchObject({ found: true, lt });
    for (const { asked } of [...liars.map(({ standIn }) => standIn), bridge.lite]) {
      const waits = asked.filter(({ waitFor }) => (waitFor?.seqno ?? 0) > BLOCKS && (waitFor?.seqno ?? 0) < high + 9);
      expect(waits).toEqual([]);
    }
    expect(lookedUp(bridge.lite).filter((seqno) => seqno > BLOCKS && seqno < high + 9)).toEqual([]);
  });

  it('is made of a block that only one server has yet', async () => {
    const behind = await serve(async (asked) => {
      const answer = Buffer.from(await bridge.network.answer(asked));
      if (asked.constructorId === 'df71a670') answer.writeUInt32LE(5, 32);
      return answer;
    });
    const servers = [behind.client, honest];
    const { fact } = await certifyTransaction(servers, bridge.network.checkpoint, { account: VAULT, lt }, options);
    expect(fact.found).toBe(true);
  });
});
