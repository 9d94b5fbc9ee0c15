/** Which failures of servers end a run over all of them: none of one server alone. */
import { expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteServers } from '../../helpers/lite-servers.ts';

const serve = liteServers();
const chain = new LiteChain({ length: 57 });

it('goes on with other servers where one answers with more than an answer may have', async () => {
  const [one, two] = [await serve((asked) => chain.answer(asked)), await serve((asked) => chain.answer(asked))];
  const ghost = { ...chain.id(57), rootHash: new Uint8Array(32).fill(7) };
  const liar = {
    ...one.client,
    masterchainInfo: async (...given: readonly never[]) => {
      const answer = await one.client.masterchainInfo(...given);
      return { ...answer, claimed: { ...answer.claimed, last: ghost } };
    },
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
