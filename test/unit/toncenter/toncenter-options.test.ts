import { describe, expect, it } from 'vitest';
import { type ToncenterOptions, toncenterV2, toncenterV3 } from '../../../src/servers.ts';

const baseUrl = 'https://node.example/api/v2';
const make = (opts: unknown) => () => toncenterV2(opts as ToncenterOptions);
const refused = (path: string) => expect.objectContaining({ code: 'usage/bad-option', path }) as Error;

describe('the options of a server', () => {
  it.each([
    [{}, 'baseUrl'],
    [{ baseUrl: new URL(baseUrl) }, 'baseUrl'],
    [{ apiKey: 5 }, 'apiKey'],
    [{ headers: 'x' }, 'headers'],
    [{ headers: { 'user-agent': 5 } }, 'headers.user-agent'],
    [{ allowHttp: 'yes' }, 'allowHttp'],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs'],
    [{ timeoutMs: '5' }, 'timeoutMs'],
    [{ deadlineMs: 2 ** 40 }, 'deadlineMs'],
    [{ retries: 1e9 }, 'retries'],
    [{ maxBodyBytes: Number.NaN }, 'maxBodyBytes'],
    [{ requestsPerSecond: '10' }, 'requestsPerSecond'],
    [{ concurrency: 0.5 }, 'concurrency'],
    [{ pace: {} }, 'pace'],
    [{ onAnswer: true }, 'onAnswer'],
    [{ fetch: 'fetch' }, 'fetch'],
    [{ timeout: 5 }, 'timeout'],
  ])('are of the right type, or refused: %j', (opts, path) => {
    expect(make(path === 'baseUrl' ? opts : { baseUrl, ...opts })).toThrow(refused(path));
  });

  it('name the one that was probably meant', () => {
    expect(make({ baseUrl, apikey: 'x' })).toThrow(/apikey: unknown option; did you mean apiKey\?/);
    expect(() => toncenterV3({ baseURL: baseUrl } as unknown as ToncenterOptions)).toThrow(
      /baseURL: unknown option; did you mean baseUrl\?/,
    );
  });

  it('are an object and no URL, whose text is not repeated', () => {
    expect(make(`${baseUrl}?api_key=secret`)).toThrow(
      /^options: expected an object with options, got a string of \d+ characters$/,
    );
    expect(make(undefined)).toThrow(refused('options'));
  });

  it('are copied', async () => {
    const headers = { 'user-agent': 'before' };
    const seen: unknown[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      seen.push(new Headers(init?.headers).get('user-agent'));
      return Response.json({ ok: false, error: 'no', code: 401 }, { status: 401 });
    };
    const source = toncenterV2({ baseUrl, headers, fetch });
    headers['user-agent'] = 'after';
    await source.latestSeqno().catch(() => {});
    expect(seen).toEqual(['before']);
  });

  it.each([{ deadlineMS: 5 }, { deadlineMs: -1 }, { signal: 5 }, { waitForBlock: 'yes' }])(
    'of one question are looked at too: %j',
    async (opts) => {
      const ask = toncenterV2({ baseUrl, fetch: async () => Response.json({}) });
      await expect(ask.signatures(5, opts as object)).rejects.toMatchObject({ code: 'usage/bad-option' });
      await expect(ask.latestSeqno(opts as object)).rejects.toMatchObject({ code: 'usage/bad-option' });
    },
  );
});
