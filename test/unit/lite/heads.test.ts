/** The heads that servers name, and whether this machine's clock is believed beside theirs. */
import { describe, expect, it } from 'vitest';
import type { SourceError } from '../../../src/core/base/errors.ts';
import { MAX_CLOCK_SKEW_SECONDS } from '../../../src/core/base/limits.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { askHeads, requireClock, type ServerHead } from '../../../src/net/lite/heads.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { but, liteServers } from '../../helpers/lite-servers.ts';
import { liteError } from '../../helpers/lite-stand-in.ts';

const serve = liteServers();
const chain = new LiteChain({ length: 12 });
const honest = () => serve((asked) => chain.answer(asked));

/** What a server says; who says it is of no matter here. */
const at = 1_700_000_000;
const said = (seqno: number, now?: number, heldAgainst: ServerHead['heldAgainst'] = [at, at]) =>
  ({ head: { last: { seqno }, ...(now === undefined ? {} : { now }) }, heldAgainst }) as unknown as ServerHead;
const clock = () => at;

describe('this machine’s clock', () => {
  const skew = MAX_CLOCK_SKEW_SECONDS;
  const refused = (...args: Parameters<typeof requireClock>) =>
    expect(() => requireClock(...args)).toThrow(
      expect.objectContaining({ code: 'source/clock', hint: expect.stringMatching(/clock/) }),
    );

  it('may be off by as much as is allowed, either way, and no more', () => {
    for (const sign of [-1, 1]) {
      const off = (by: number) => Array.from({ length: 2 }, () => said(1, at + sign * by));
      requireClock(off(skew));
      refused(off(skew + 1));
    }
  });

  it('is wrong only where all servers that say a time say so, to the same side, and two at least', () => {
    const [late, early] = [at + 9 * skew, at - 9 * skew];
    refused([said(1, late), said(1, late), said(1)]);
    refused([said(1, early), said(1, early)]);
    requireClock([said(1, late)]);
    requireClock([said(1, late), said(1)]);
    requireClock([said(1, late), said(1, early)]);
    requireClock([said(1, late), said(1, late), said(1, at)]);
    requireClock([said(1, late), said(1, late), said(1, late), said(1, early)]);
  });

  it('is right where it was so at any time between question and answer, as where the machine slept', () => {
    const week = 604_800;
    requireClock([said(1, at, [at, at + week]), said(1, at + 1, [at, at + week])]);
    requireClock([said(1, at + week, [at, at + week]), said(1, at + week, [at + week, at])]);
    refused([said(1, at - skew - 1, [at, at + week]), said(1, at - skew - 1, [at, at])]);
    refused([said(1, at + week + skew + 1, [at, at + week]), said(1, at + week + skew + 1, [at, at])]);
  });

  it('is believed where no server says what time it is', () => {
    requireClock([said(1), said(1)]);
  });

  it('is not compared with that of a server which differs from the block that it just proved by ten minutes', () => {
    const [odd, other] = [said(1, at + 601), said(1, at + 601)].map((head, port) => ({
      ...head,
      client: { name: `${port}` } as LiteServerClient,
    })) as [ServerHead, ServerHead];
    requireClock([odd, other], { client: odd.client, genUtime: at });
    refused([odd, other]);
    refused([odd, other, odd], { client: odd.client, genUtime: at + 1 });
  });
});

describe('the heads of all servers', () => {
  const refusing = (code: number) => serve(but(chain, 'head', () => liteError(code, 'no')));

  it('are those of all that answer; who does not rests, and is asked last', async () => {
    const [first, mute, last] = [await honest(), await refusing(652), await honest()];
    const fleet = new Fleet([first.client, mute.client, last.client]);
    const heads = await askHeads(fleet, undefined, clock);
    expect(heads.map(({ client, head }) => [client, head.last])).toEqual(
      [first, last].map(({ client }) => [client, chain.id(12)]),
    );
    expect(fleet.kept()).toHaveLength(3);
    expect(fleet.usable()).not.toContain(mute.client);
  });

  it('are asked for with five seconds each, twice at most, until the signal', async () => {
    const { client } = await honest();
    const given: unknown[] = [];
    const watched: LiteServerClient = {
      ...client,
      masterchainInfo(opts) {
        given.push(opts);
        return client.masterchainInfo(opts);
      },
    };
    const { signal } = new AbortController();
    await askHeads(new Fleet([watched]), undefined, clock);
    await askHeads(new Fleet([watched]), signal, clock);
    expect(given).toEqual([
      { deadlineMs: 5000, retries: 1, maxBytes: 16_777_216, onAttempt: expect.any(Function) },
      { deadlineMs: 5000, retries: 1, maxBytes: 16_777_216, onAttempt: expect.any(Function), signal },
    ]);
  });

  it('are not those of another network, whose server is out', async () => {
    const ours = await honest();
    const network = new LiteChain({ length: 1, name: 'another' }).zerostateId;
    const stranger = await serve((asked) => chain.answer(asked), { network });
    const fleet = new Fleet([stranger.client, ours.client]);
    expect(await askHeads(fleet, undefined, clock)).toHaveLength(1);
    expect(fleet.kept()).toEqual([ours.client]);
  });

  it('are an error when nobody answers, with the words of each', async () => {
    const [one, other] = [await refusing(652), await refusing(-400)];
    await expect(askHeads(new Fleet([one.client, other.client]), undefined, clock)).rejects.toMatchObject({
      code: 'source/server',
      message: expect.stringMatching(/^no lite server answers: /),
      statements: expect.arrayContaining([
        { source: one.client.name, error: expect.objectContaining({ code: 'source/server' }) },
        { source: other.client.name, error: expect.objectContaining({ code: 'source/bad-request' }) },
      ]),
    });
    const error = await askHeads(new Fleet([one.client, other.client]), undefined, clock).catch(
      (caught: unknown) => caught,
    );
    expect((error as SourceError).statements).toHaveLength(2);
  });

  it('are given up at the signal, and at a fault of the program', async () => {
    const [one, other] = [await honest(), await honest()];
    const fleet = new Fleet([one.client, other.client]);
    await expect(askHeads(fleet, AbortSignal.abort(), clock)).rejects.toMatchObject({
      code: 'source/aborted',
      statements: [],
    });
    const faulty = { ...one.client, masterchainInfo: () => Promise.reject(new TypeError('a fault')) };
    await expect(askHeads(new Fleet([faulty, other.client]), undefined, clock)).rejects.toThrow(
      new TypeError('a fault'),
    );
  });
});
