/** What a climb tells of the servers that it asked. */
import { expect, it } from 'vitest';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { climb } from '../../../src/net/lite/climb.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { but, liteServers } from '../../helpers/lite-servers.ts';
import { liteError } from '../../helpers/lite-stand-in.ts';

const serve = liteServers();
const chain = new LiteChain({ length: 25 });
const LACKS = liteError(651, 'block is not in db');
const OTHER = liteError(-400, 'proof source block is unknown from the perspective of reference block');

it('tells which servers are on another way: they do not know the block, or named the target and lack the block', async () => {
  const [named, other, pruned] = await Promise.all(
    [LACKS, OTHER, LACKS].map((answer) => serve(but(chain, 'proof', () => answer))),
  );
  const clients = [named!.client, other!.client, pruned!.client];
  const unknownTo = new Set<LiteServerClient>();
  const opts = { nowSeconds: Date.now() / 1000, namedBy: clients[0]!, unknownTo };
  await expect(climb(new Fleet(clients), chain.zerostateId, chain.id(25), opts)).rejects.toMatchObject({
    statements: clients.map(({ name }) => ({ source: name })),
  });
  expect([...unknownTo].map(({ name }) => name).sort()).toEqual([named!.client.name, other!.client.name].sort());
  const honest = await serve((asked) => chain.answer(asked));
  await climb(new Fleet([...clients, honest.client]), chain.zerostateId, chain.id(25), opts);
  expect(unknownTo.size).toBe(0); // its way goes on
});
