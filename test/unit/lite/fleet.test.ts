import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceError, type SourceErrorCode } from '../../../src/core/base/errors.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { climb } from '../../../src/net/lite/climb.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { runOver } from '../../../src/net/lite/timed-call.ts';
import { LITE_REST_CAP_MS, LITE_REST_MS } from '../../../src/net/machine/standing.ts';
import { failureOf } from '../../../src/net/sources/failure-hints.ts';
import { makeBlockId } from '../../helpers/make-block.ts';

const ONES = new Uint8Array(32).fill(1);

/** A server as far as a fleet looks at it. */
const clientAt = (port: number, answers: object = {}) =>
  ({
    name: `lite://127.0.0.1:${port}`,
    server: { host: '127.0.0.1', port, publicKey: new Uint8Array(32).fill(port) },
    masterchainInfo() {},
    blockProof() {},
    lookup() {},
    close() {},
    ...answers,
  }) as unknown as LiteServerClient;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a server that names blocks which nobody can prove', () => {
  it('rests for longer each time, however well it answers in between, until one of them is proven', async () => {
    const [boaster, honest] = [clientAt(1), clientAt(2)];
    const fleet = new Fleet([boaster, honest]);
    const isAsked = () => fleet.usable().includes(boaster);
    let restMs = LITE_REST_MS;
    for (let time = 0; time < 8; time++, restMs = Math.min(LITE_REST_CAP_MS, 2 * restMs)) {
      await fleet.ask(boaster, async () => 'a head');
      fleet.doubt(boaster, new Error('nobody leads there'));
      vi.advanceTimersByTime(restMs - 1);
      expect(isAsked()).toBe(false);
      vi.advanceTimersByTime(1);
      expect(isAsked()).toBe(true);
    }
    expect(restMs).toBe(LITE_REST_CAP_MS);
    fleet.believe(boaster);
    fleet.doubt(boaster, new Error('nobody leads there'));
    vi.advanceTimersByTime(LITE_REST_MS);
    expect(isAsked()).toBe(true);
    expect(fleet.usable()).toContain(honest);
  });

  it('rests no shorter because it fails to answer as well', () => {
    const [boaster, honest] = [clientAt(1), clientAt(2)];
    const fleet = new Fleet([boaster, honest]);
    for (let time = 0; time < 3; time++) fleet.doubt(boaster, new Error('nobody leads there'));
    fleet.rest(boaster, new Error('no answer'));
    vi.advanceTimersByTime(4 * LITE_REST_MS - 1);
    expect(fleet.usable()).toEqual([honest]);
    vi.advanceTimersByTime(1);
    expect(fleet.usable()).toContain(boaster);
  });
});

it('a server that does not know where another one led rests no longer once that way is left, unless it named blocks in vain', () => {
  const [stranger, broken, boaster, other] = [1, 2, 3, 4].map((port) => clientAt(port));
  const fleet = new Fleet([stranger!, broken!, boaster!, other!]);
  const unknown = new SourceError('source/other-chain', 'the block is unknown');
  fleet.rest(stranger!, unknown);
  fleet.rest(broken!, new SourceError('source/timeout', 'no answer in time'));
  fleet.doubt(boaster!, unknown);
  expect(fleet.usable()).toEqual([other]);
  fleet.excuseStrangers();
  expect(new Set(fleet.usable())).toEqual(new Set([stranger, other]));
});

it('of servers asked for an id, those that are silent rest, and not those that have another one, or none', async () => {
  const target = { workchain: -1, shard: -(2n ** 63n), seqno: 9, rootHash: ONES, fileHash: ONES };
  const failing = (code: SourceErrorCode) => async () => Promise.reject(new SourceError(code, 'as told'));
  const proofless = { blockProof: failing('source/not-ready') };
  const named = clientAt(1, proofless);
  const asked = [
    failing('source/timeout'),
    failing('source/upstream'),
    failing('source/not-ready'),
    async () => ({ id: { ...target, rootHash: new Uint8Array(32) }, tl: ONES }),
  ].map((lookup, at) => clientAt(2 + at, { ...proofless, lookup }));
  const fleet = new Fleet([named, ...asked]);
  const opts = { nowSeconds: Date.now() / 1000, namedBy: named };
  const start = { ...target, seqno: 0 };
  await expect(climb(fleet, start, target, opts)).rejects.toThrow('no lite server leads');
  expect(asked.map((client) => fleet.stateOf(client))).toEqual(['down', 'down', 'up', 'up']);
});

it('a server that lacks a block is not asked for its id by a later climb of the round, and one that fails otherwise is', async () => {
  const target = { workchain: -1, shard: -(2n ** 63n), seqno: 9, rootHash: ONES, fileHash: ONES };
  const asked: number[] = [];
  const clients = (['source/not-ready', 'source/timeout', 'source/rate-limited'] as const).map((code, port) => {
    const blockProof = async () => Promise.reject(new SourceError('source/not-ready', 'as told'));
    const lookup = async () => {
      asked.push(port);
      throw new SourceError(code, 'as told');
    };
    return clientAt(port + 2, { blockProof, lookup });
  });
  const named = clientAt(1, { blockProof: clients[0]!.blockProof });
  const opts = { nowSeconds: Date.now() / 1000, namedBy: named, silent: new Map() };
  const climbTo = (seqno: number) =>
    expect(
      climb(new Fleet([named, ...clients]), { ...target, seqno: 0 }, { ...target, seqno }, opts),
    ).rejects.toThrow();
  for (const seqno of [9, 9, 8]) await climbTo(seqno);
  // The silent one is asked for no id any more, and the one that lacks block 9 for that of block 8.
  expect(asked).toEqual([0, 1, 2, 2, 0, 2]);
});

it('an error does not grow with the rounds in which servers name blocks in vain', async () => {
  const target = { workchain: -1, shard: -(2n ** 63n), seqno: 9, rootHash: ONES, fileHash: ONES };
  const failing = (name: string) => async () =>
    Promise.reject(failureOf(name, 'source/not-ready', 'it lacks the block'));
  const clients = [1, 2, 3, 4].map((port) => {
    const fail = failing(`lite://127.0.0.1:${port}`);
    return clientAt(port, { blockProof: fail, lookup: fail });
  });
  const fleet = new Fleet(clients);
  const sizes = new Set<number>();
  for (let round = 0; round < 16; round++) {
    target.fileHash = new Uint8Array(32).fill(round);
    const opts = { nowSeconds: Date.now() / 1000, namedBy: clients[round % 3]! };
    const error = await climb(fleet, { ...target, seqno: 0 }, target, opts).catch((one: unknown) => one);
    if (!(error instanceof SourceError)) throw error;
    expect(error.statements.map(({ source }) => source).sort()).toEqual(clients.map(({ name }) => name));
    fleet.doubt(opts.namedBy, error);
    expect(error.attempts).toBeLessThanOrEqual(clients.length);
    sizes.add(JSON.stringify(error).length);
  }
  expect(sizes.size).toBe(1);
});

describe('a server that lets some questions run into their deadline', () => {
  const timeout = new SourceError('source/timeout', 'no answer in time');
  const failing = (fleet: Fleet, client: LiteServerClient, ms: number, error: SourceError = timeout) =>
    fleet
      .ask(client, async () => {
        vi.advanceTimersByTime(ms);
        throw error;
      })
      .catch(() => {});
  const answering = (fleet: Fleet, client: LiteServerClient, ms: number) =>
    fleet.ask(client, async () => vi.advanceTimersByTime(ms));

  it('is asked after those that answer, when it has rested, for as long as it is slow', async () => {
    const [silent, slow] = [clientAt(1), clientAt(2)];
    const fleet = new Fleet([silent, slow]);
    await answering(fleet, silent, 1);
    await answering(fleet, slow, 100);
    expect(fleet.usable()[0]).toBe(silent);
    await failing(fleet, silent, 10_000);
    vi.advanceTimersByTime(LITE_REST_MS);
    expect(fleet.usable()).toEqual([slow, silent]);
    await answering(fleet, silent, 1);
    expect(fleet.usable()).toEqual([slow, silent]);
    for (let time = 0; time < 6; time++) await answering(fleet, silent, 1);
    expect(fleet.usable()).toEqual([silent, slow]);
  });

  it('rests for longer though it answers others in between', async () => {
    const [silent, other] = [clientAt(1), clientAt(2)];
    const fleet = new Fleet([silent, other]);
    await failing(fleet, silent, 0);
    await failing(fleet, silent, 0);
    await answering(fleet, silent, 0); // as many good answers as failures would make it as good as new
    await failing(fleet, silent, 0);
    vi.advanceTimersByTime(2 * LITE_REST_MS - 1);
    expect(fleet.usable()).toEqual([other]);
    vi.advanceTimersByTime(1);
    expect(fleet.usable()).toHaveLength(2);
  });

  it.each(['rate-limited', 'timeout', 'upstream', 'not-ready', 'other-chain', 'malformed', 'wrong-block'] as const)(
    'is not out for %s, however often',
    async (code) => {
      const [one, other] = [clientAt(1), clientAt(2)];
      const fleet = new Fleet([one, other]);
      for (let time = 0; time < 20; time++) await failing(fleet, one, 0, new SourceError(`source/${code}`, 'no'));
      expect(fleet.kept()).toEqual([one, other]);
      expect(fleet.usable()).toEqual([other]);
    },
  );

  it('is out for being of another network, and rests for nothing that the caller stopped', async () => {
    const [one, other] = [clientAt(1), clientAt(2)];
    const fleet = new Fleet([one, other]);
    await failing(fleet, one, 0, new SourceError('source/aborted', 'stopped'));
    expect(fleet.usable()).toEqual([one, other]);
    await failing(fleet, one, 0, new SourceError('source/wrong-network', 'another'));
    expect(fleet.kept()).toEqual([other]);
  });
});

it('a run without servers, of which one used up its budget, ends with the fork or the wrong clock that it found', async () => {
  const client = clientAt(1);
  const fleet = new Fleet([client]);
  fleet.expel(client, failureOf(client.name, 'source/budget', 'the answers have more than they prove'));
  const ends = async (error: SourceError) =>
    await runOver(fleet, {}, makeBlockId(5), async () => {
      throw error;
    }).catch((thrown: unknown) => thrown);
  for (const code of ['source/disagree', 'source/clock', 'source/aborted'] as const) {
    const error = new SourceError(code, 'not of a server');
    expect(await ends(error)).toBe(error);
  }
  expect(await ends(new SourceError('source/not-ready', 'no server'))).toMatchObject({ code: 'source/budget' });
});
