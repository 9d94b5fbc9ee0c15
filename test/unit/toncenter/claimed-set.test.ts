import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { ownMs } from '../../helpers/own-time.ts';
import { type StandIn, startStandIn } from '../../helpers/stand-in.ts';

const SEQNO = 46920655;
const OPTS = { requestsPerSecond: Number.POSITIVE_INFINITY, retries: 0 } as const;

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(() => standIn.close());
const server = (opts: object = {}) => toncenterV2({ baseUrl: `${standIn.origin}/api/v2`, ...OPTS, ...opts });

describe('the set that a server claims', () => {
  it('is that of the key block before, says whose word it is, and makes nothing final by itself', async () => {
    const source = server();
    const validators = await source.claimedSet(SEQNO);
    expect(validators.provenance).toEqual({ kind: 'claimed', source: source.name });
    expect(validators.totalWeight).toBe(379393671839235982n);
    const set = (await source.signatures(SEQNO)).signatures;
    const { verdict } = verifyBlock(set, validators);
    expect(verdict).toEqual({ status: 'undecided', reason: 'claimed-set' });
    expect(verifyBlock(set, validators, { acceptClaimed: true }).verdict.status).toBe('final');
  });

  it('is a failure of the server where its configuration cannot be read', async () => {
    const garbage = { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes: 'AAAA' } };
    const fetch = async (input: URL | RequestInfo, init?: RequestInit) =>
      String(input).includes('getConfigParam')
        ? Response.json({ ok: true, result: garbage })
        : await globalThis.fetch(input, init);
    const source = server({ fetch });
    await expect(source.claimedSet(SEQNO)).rejects.toMatchObject({ code: 'source/malformed', endpoint: source.name });
  });

  it('has one time limit for all of its questions', async () => {
    const start = ownMs();
    const slow = async (input: URL | RequestInfo, init?: RequestInit) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return await globalThis.fetch(input, init);
    };
    await expect(server({ fetch: slow }).claimedSet(SEQNO, { deadlineMs: 100 })).rejects.toMatchObject({
      code: 'source/timeout',
    });
    expect(ownMs() - start).toBeLessThan(2000);
  });

  it.each([0, 1.5, '5'])('of block %s is a wrong question', async (seqno) => {
    await expect(server().claimedSet(seqno as number)).rejects.toMatchObject({ code: 'usage/bad-option' });
    await expect(server().claimedSet(SEQNO, { deadlinems: 5 } as object)).rejects.toMatchObject({ path: 'deadlinems' });
  });
});
