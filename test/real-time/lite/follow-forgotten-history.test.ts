/** A follower over a set past its stakes that had another history proven before, when too few servers agreed. */
import { expect, it } from 'vitest';
import { followLite } from '../../../src/net/lite/follow-lite.ts';
import type { LiveWarning } from '../../../src/net/sources/witness-report.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteServers } from '../../helpers/lite-servers.ts';
import { liteError } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';
import { oneOffEngine } from '../../helpers/one-off-engine.ts';

const serve = liteServers();
const DAY = 86_400;

it.each([
  { acceptStaleStart: true, liars: 2 },
  { acceptStaleStart: false, liars: 3 },
])('ends as contradicted, though that history is not shown again: %j', async ({ acceptStaleStart, liars }) => {
  const firstUtime = Math.floor(Date.now() / 1000) - 20 * DAY;
  const options = { length: 40, firstUtime, blockSeconds: (20 * DAY) / 40, electedSeconds: DAY, name: 'forger' };
  const chain = new LiteChain(options);
  const fork = new LiteChain({ ...options, forkAt: 8 });
  let isShown = false; // the honest history was proven, and too few agreed
  const honest = await serve((asked) => (isShown ? liteError(502, 'gone') : chain.answer(asked)));
  const liar = () => serve((asked) => (isShown ? fork.answer(asked) : liteError(502, 'wait')));
  const servers = [honest, ...(await Promise.all(Array.from({ length: liars }, liar)))];
  const warnings: LiveWarning[] = [];
  const blocks = followLite(
    servers.map(({ client }) => client),
    startOf(chain),
    {
      ...{ signEverySeconds: 0, engine: oneOffEngine, acceptStaleStart, witnesses: 1, to: 40 },
      signal: AbortSignal.timeout(20_000),
      onTrouble: () => {
        isShown = true;
      },
      onWarning: (warning) => void warnings.push(warning),
    },
  );
  await expect(blocks.next()).rejects.toMatchObject({
    code: 'trust/stale-start',
    message: expect.stringContaining('contradicted: '),
  });
  expect(warnings.map(({ code }) => code)).toContain('old-keys');
});
