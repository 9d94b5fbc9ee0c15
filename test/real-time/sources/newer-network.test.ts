/** Servers over HTTP that answer in a form that this program does not know: what several of them come to, followed and audited too. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditRange } from '../../../src/app/audit/audit-range.ts';
import { auditServers } from '../../../src/app/audit/http-source.ts';
import type { SourceError } from '../../../src/core/base/errors.ts';
import { opensslEngine } from '../../../src/core/ed25519/openssl.ts';
import { followBlocks } from '../../../src/net/follow/follow-blocks.ts';
import type { BlockSource } from '../../../src/net/sources/block-source.ts';
import { firstOf } from '../../../src/net/sources/first-of.ts';
import { quorumOf } from '../../../src/net/sources/quorum-of.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { failing, fakeSource, signed, signers } from '../../helpers/fake-source.ts';
import { makeSet } from '../../helpers/make-validators.ts';
import { type StandIn, startStandIn } from '../../helpers/stand-in.ts';

const UPGRADE = {
  code: 'source/unsupported',
  hint: expect.stringMatching(/upgrade: this program is older than the network/),
};
const newer = (name: string, from = 0) =>
  fakeSource(name, { head: 9, give: (seqno) => (seqno < from ? signed(seqno) : failing('source/unsupported')()) });
const good = (name: string, afterMs = 0) => fakeSource(name, { head: 9, afterMs });
const validators = makeSet(signers, { utimeUntil: 2_000_000_000 });
const SIGNED = { validators, acceptUnbound: true } as const;

describe('an answer with a kind of signatures that is not known', () => {
  let standIn: StandIn;
  beforeEach(async () => {
    standIn = await startStandIn({ latest: 3082201 });
  });
  afterEach(() => standIn.close());

  it('is told as that, with the bytes', async () => {
    const source = toncenterV2({ baseUrl: `${standIn.origin}/fault/unknown-type/api/v2`, retries: 0 });
    const error: unknown = await source.signatures(3082200).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ ...UPGRADE, retryable: false });
    expect(String(error)).toMatch(/blocks\.blockSignatures\.quantum/);
    expect((error as SourceError).body?.length).toBeGreaterThan(100);
  });
});

describe('several servers', () => {
  it('of which one answers in a known form give its answer, whoever is asked first', async () => {
    const first = firstOf([newer('a'), newer('b'), good('c', 20)]);
    expect((await first.signatures(5)).source).toBe('c');
    const two = quorumOf([newer('a'), good('b'), good('c')], 2);
    expect((await two.signatures(5)).signatures.blockId.seqno).toBe(5);
  });

  it('of which most do not are told to be newer than this program', async () => {
    await expect(firstOf([newer('a'), newer('b')]).signatures(5)).rejects.toMatchObject(UPGRADE);
    await expect(quorumOf([newer('a'), newer('b'), good('c')], 2).signatures(5)).rejects.toMatchObject(UPGRADE);
    const down = fakeSource('c', { give: failing('source/upstream') });
    await expect(firstOf([newer('a'), newer('b'), down]).signatures(5)).rejects.toMatchObject(UPGRADE);
  });

  it('of which fewer do not are told by what the others did', async () => {
    const late = (name: string) => fakeSource(name, { give: failing('source/not-ready') });
    await expect(firstOf([newer('a'), late('b'), late('c')]).signatures(5)).rejects.toMatchObject({
      code: 'source/not-ready',
    });
    const odd = (name: string) => fakeSource(name, { give: failing('source/wrong-block') });
    await expect(firstOf([newer('a'), odd('b')]).signatures(5)).rejects.toMatchObject({ code: 'source/malformed' });
  });
});

describe('a follower', () => {
  async function follow(source: BlockSource): Promise<readonly [number[], unknown]> {
    const seqnos: number[] = [];
    try {
      for await (const { coverage } of followBlocks(source, {
        ...SIGNED,
        from: 5,
        pollMs: 1,
        clock: () => 1_900_000_000,
      })) {
        seqnos.push(coverage.blockId.seqno);
        if (seqnos.length === 5) break;
      }
    } catch (error) {
      return [seqnos, error];
    }
    return [seqnos, undefined];
  }

  it('ends at the upgrade when all servers have said so three times', async () => {
    const [a, b] = [newer('a', 7), newer('b', 7)];
    const [seqnos, error] = await follow(firstOf([a, b]));
    expect(seqnos).toEqual([5, 6]);
    expect(error).toMatchObject(UPGRADE);
    expect(a.calls.filter((call) => call === 'signatures 7')).toHaveLength(3);
  });

  it('is not ended by most of them while another one is silent', async () => {
    let asked = 0;
    const waking = fakeSource('c', {
      head: 9,
      give: (seqno) => (seqno === 7 && ++asked < 5 ? failing('source/upstream')() : signed(seqno)),
    });
    const [seqnos, error] = await follow(firstOf([newer('a', 7), newer('b', 7), waking]));
    expect([seqnos, error]).toEqual([[5, 6, 7, 8, 9], undefined]);
  });
});

describe('an audit', () => {
  async function codesOf(source: BlockSource): Promise<string[]> {
    const codes: string[] = [];
    const rows = auditRange({
      ...SIGNED,
      from: 5,
      to: 9,
      blocks: auditServers(source),
      maxFailures: 100,
      engine: opensslEngine,
    });
    for await (const row of rows) codes.push(row.type === 'failure' ? row.code : row.type);
    return codes;
  }

  it('ends where all servers say so', async () => {
    await expect(codesOf(firstOf([newer('a', 7), newer('b', 7)]))).rejects.toMatchObject(UPGRADE);
  });

  it('goes on where another one only does not answer', async () => {
    const down = fakeSource('c', {
      head: 9,
      give: (seqno) => (seqno < 7 ? signed(seqno) : failing('source/upstream')()),
    });
    const codes = await codesOf(firstOf([newer('a', 7), newer('b', 7), down]));
    expect(codes.slice(2)).toEqual(Array.from({ length: 3 }, () => 'source/unsupported'));
  });
});
