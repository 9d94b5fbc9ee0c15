/** Which failures of servers end a run over all of them: none of one server alone. */
import { expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { syncCheckpoint, syncOver } from '../../../src/net/lite/sync.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteServers } from '../../helpers/lite-servers.ts';

const serve = liteServers();
const chain = new LiteChain({ length: 57 });
const ghost = { ...chain.id(57), rootHash: new Uint8Array(32).fill(7) };
const namesGhost =
  (client: LiteServerClient) =>
  async (...given: Parameters<LiteServerClient['masterchainInfo']>) => {
    const answer = await client.masterchainInfo(...given);
    return { ...answer, claimed: { ...answer.claimed, last: ghost } };
  };

it('goes on with other servers where one answers with more than an answer may have', async () => {
  const [one, two] = [await serve((asked) => chain.answer(asked)), await serve((asked) => chain.answer(asked))];
  const liar = {
    ...one.client,
    masterchainInfo: namesGhost(one.client),
    blockProof: async () => {
      throw new SourceError('source/too-large', `${one.client.name}: a frame of 20000000 bytes`, {
        endpoint: one.client.name,
      });
    },
  } as LiteServerClient;
  let asked = 0;
  const slow = {
    ...two.client,
    async blockProof(...given: Parameters<LiteServerClient['blockProof']>) {
      if (asked++ === 0)
        throw new SourceError('source/timeout', `${two.client.name}: 3 s`, { endpoint: two.client.name });
      return await two.client.blockProof(...given);
    },
  } as LiteServerClient;
  const result = await syncCheckpoint([liar, slow], chain.zerostateId, { maxHeadAgeSeconds: 1e6 });
  expect(result.verdict).toEqual({ status: 'final' });
  expect(result.tip).toEqual(chain.id(57));
});

// test/slow/forged-long-way.test.ts makes such a way.
it('goes on with other servers where the way of one that is asked alone is too long', async () => {
  const [one, two] = [await serve((asked) => chain.answer(asked)), await serve((asked) => chain.answer(asked))];
  const liar = {
    ...one.client,
    masterchainInfo: namesGhost(one.client),
    blockProof: async () => {
      throw new SourceError('source/too-large', '4096 links and block 57 is not reached');
    },
  } as LiteServerClient;
  const fleet = new Fleet([liar, two.client]);
  fleet.lastErrorOf = () => undefined; // answers that hold are no failure of the server
  const result = await syncOver(fleet, chain.zerostateId, { maxHeadAgeSeconds: 1e6 });
  expect(result.tip).toEqual(chain.id(57));
});
