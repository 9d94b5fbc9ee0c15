/** What puts a server out: an answer that can be read and is not true. One that cannot be read makes it rest. */
import { expect, it } from 'vitest';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { climb } from '../../../src/net/lite/climb.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { but, liteServers } from '../../helpers/lite-servers.ts';
import type { LiteAsked } from '../../helpers/lite-stand-in.ts';

const serve = liteServers();
const chain = new LiteChain({ length: 25 });
const BAG = Buffer.from('b5ee9c72', 'hex');

/** The answer with the first bag of cells in it spoiled: TL all the same, and nothing that can be read. */
async function spoiled(asked: LiteAsked): Promise<Buffer> {
  const answer = Buffer.from(await chain.answer(asked));
  answer[answer.indexOf(BAG)]! ^= 1;
  return answer;
}

/** The header of the block before, under the id that was asked for. */
async function exchanged(asked: LiteAsked): Promise<Buffer> {
  const before = Buffer.from(asked.request);
  before.writeUInt32LE(before.readUInt32LE(20) - 1, 20);
  const [answer, other] = await Promise.all(
    [asked.request, before].map(async (request) => Buffer.from(await chain.answer({ ...asked, request }))),
  );
  return Buffer.concat([answer!.subarray(0, 84), other!.subarray(84)]); // constructor and id of the one
}

const standingOf = (fleet: Fleet, client: LiteServerClient) => [fleet.isKept(client), fleet.usable().includes(client)];

it('a header of another block puts the server out, one that cannot be read makes it rest', async () => {
  const liar = await serve(but(chain, 'lookup', exchanged));
  const broken = await serve(but(chain, 'lookup', spoiled));
  const honest = await serve((asked) => chain.answer(asked));
  const fleet = new Fleet([liar.client, broken.client, honest.client]);
  for (const { client } of [liar, broken]) {
    await expect(fleet.ask(client, (one) => one.lookup(7, { retries: 0 }))).rejects.toMatchObject({
      code: 'source/malformed',
    });
  }
  expect(standingOf(fleet, liar.client)).toEqual([false, false]);
  expect(standingOf(fleet, broken.client)).toEqual([true, false]);
});

it('a proof with cells that cannot be read makes the server rest, and another one leads on', async () => {
  const broken = await serve(but(chain, 'proof', spoiled));
  const honest = await serve((asked) => chain.answer(asked));
  const fleet = new Fleet([broken.client, honest.client]);
  const opts = { nowSeconds: Date.now() / 1000, namedBy: broken.client };
  const { leg } = await climb(fleet, chain.zerostateId, chain.id(25), opts);
  expect(leg.client).toBe(honest.client);
  expect(standingOf(fleet, broken.client)).toEqual([true, false]);
  const alone = new Fleet([broken.client]);
  await expect(climb(alone, chain.zerostateId, chain.id(25), opts)).rejects.toMatchObject({ code: 'source/malformed' });
  expect(alone.isKept(broken.client)).toBe(true);
});
