/** The way down beside a server that says nothing, by a clock of the test. */
import { expect, it, vi } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import type { LiteServerClient, LookedUpBlock } from '../../../src/net/lite/client.ts';
import { descend } from '../../../src/net/lite/descent.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteServers } from '../../helpers/lite-servers.ts';

const serve = liteServers();
const chain = new LiteChain({ length: 30, firstUtime: 1_700_000_000 });
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
const honest = () => serve((asked) => chain.answer(asked));

it('asks another server after a second, for the rest of the way too, and lets the late one rest', async () => {
  const [one, other] = [await honest(), await honest()];
  const known = new Map<number, LookedUpBlock>();
  for (const seqno of range(10, 20)) known.set(seqno, await other.client.lookup(seqno));
  other.client.close(); // a connection that is open sets timers of its own
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const stopped: number[] = [];
    const silent: LiteServerClient = {
      ...one.client,
      lookup: (seqno, { signal } = {}) =>
        new Promise((_, reject) => {
          signal!.addEventListener('abort', () => {
            stopped.push(seqno);
            reject(new SourceError('source/aborted', 'stopped'));
          });
        }),
    };
    const quick: LiteServerClient = { ...other.client, lookup: (seqno) => Promise.resolve(known.get(seqno)!) };
    const fleet = new Fleet([silent, quick]);
    const descent = descend(fleet, chain.id(20), { seqno: 9 }, { servers: [silent] });
    let isOver = false;
    void descent.then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect([isOver, fleet.usable().length]).toEqual([false, 2]);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
    expect((await descent).blocks.map(({ id }) => id)).toEqual(range(10, 20).map((seqno) => chain.id(seqno)));
    expect(stopped).toEqual([20, 19, 18]);
    expect([fleet.stateOf(silent), fleet.isKept(silent), fleet.usable().includes(silent)]).toEqual([
      'slow',
      true,
      false,
    ]);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
