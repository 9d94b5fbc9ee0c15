/** A way of more links than one climb may take, made with old keys. */
import { expect, it } from 'vitest';
import { MAX_PROOF_LINKS, MAX_SYNC_LINKS } from '../../src/core/base/limits.ts';
import { syncCheckpoint } from '../../src/net/lite/sync.ts';
import { LiteChain } from '../helpers/lite-chain.ts';
import { ASKS, liteServers } from '../helpers/lite-servers.ts';
import { liteError } from '../helpers/lite-stand-in.ts';
import { oneOffEngine } from '../helpers/one-off-engine.ts';

const serve = liteServers();

it('goes on with other servers where old keys made a way with more links than a climb may take', async () => {
  const length = MAX_SYNC_LINKS + 100;
  const firstUtime = Math.floor(Date.now() / 1000) - length;
  const common = { firstUtime, electedSeconds: -40_000, weights: [10n], name: 'slept' };
  const honest = new LiteChain({ ...common, length, keyEvery: 1000 });
  const forged = new LiteChain({ ...common, length: length + 20, keyEvery: 1, forkAt: 1 });
  let proofs = 0;
  const liar = await serve((asked) =>
    asked.constructorId === ASKS.proof && ++proofs > MAX_SYNC_LINKS / MAX_PROOF_LINKS
      ? liteError(651, 'not in db')
      : forged.answer(asked),
  );
  const { client } = await serve((asked) => honest.answer(asked));
  const options = { acceptStaleStart: true, engine: oneOffEngine };
  const result = await syncCheckpoint([liar.client, client], honest.zerostateId, options);
  expect(proofs).toBeGreaterThanOrEqual(MAX_SYNC_LINKS / MAX_PROOF_LINKS);
  expect(result.tip).toEqual(honest.id(length));
});
