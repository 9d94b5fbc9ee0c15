import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/base/errors.ts';
import { createEndpoint, isLoopback } from '../../../src/http/endpoint.ts';
import { toncenterV2 } from '../../../src/http/toncenter-v2.ts';

const KEY = 'k3y-0123456789abcdef';

describe('an endpoint', () => {
  it.each([
    ['https://host/api/v2', 'https://host/api/v2/op'],
    ['https://host/api/v2/', 'https://host/api/v2/op'],
    ['https://host//api//v2//', 'https://host/api/v2/op'],
    ['https://host', 'https://host/op'],
    ['https://host:8443/?a=1', 'https://host:8443/op?a=1'],
    ['http://127.0.0.1:80/x', 'http://127.0.0.1/x/op'],
  ])('joins %s with exactly one slash', (baseUrl, url) => {
    expect(createEndpoint({ baseUrl }).urlOf('op', {})).toBe(url);
  });

  it('encodes the values of a query', () => {
    expect(createEndpoint({ baseUrl: 'https://host' }).urlOf('op', { hash: 'a+b/c=' })).toBe(
      'https://host/op?hash=a%2Bb%2Fc%3D',
    );
  });

  it('sends a key of the URL as a header, so that no URL has one', () => {
    const endpoint = createEndpoint({ baseUrl: `https://host/v2?api_key=${KEY}&net=main` });
    expect(endpoint.headers['X-API-Key']).toBe(KEY);
    expect(endpoint.urlOf('op', {})).toBe('https://host/v2/op?net=main');
    expect(endpoint.label).toBe('https://host/v2');
  });

  it('sends credentials of the URL as a header', () => {
    const endpoint = createEndpoint({ baseUrl: 'https://user:pass%20word@host/v2' });
    expect(endpoint.headers.Authorization).toBe(`Basic ${btoa('user:pass word')}`);
    expect(endpoint.urlOf('op', {})).toBe('https://host/v2/op');
    expect(endpoint.hasCredentials).toBe(true);
  });

  it('shows no part of a path that looks like a token, and uses it', () => {
    const endpoint = createEndpoint({ baseUrl: 'https://host/0123456789abcdef0123/rest' });
    expect(endpoint.label).toBe('https://host/…/rest');
    expect(endpoint.urlOf('op', {})).toBe('https://host/0123456789abcdef0123/rest/op');
    expect(endpoint.redact('at /0123456789abcdef0123/rest')).toBe('at /[redacted]/rest');
  });

  it('blanks out keys in every spelling', () => {
    const { redact } = createEndpoint({ baseUrl: 'https://host', apiKey: 'a"b c+d/0' });
    expect(redact('"a\\"b c+d/0", a%22b%20c%2Bd%2F0, a"b c+d/0')).toBe('"[redacted]", [redacted], [redacted]');
  });

  it.each([
    ['not a url', 'expected a whole URL'],
    ['ftp://host', 'expected https or http'],
    [`host/${KEY}`, 'expected a whole URL'],
    ['http://toncenter.com/api/v2', 'plain http to toncenter.com'],
    ['http://127.0.0.1.evil.example', 'plain http to'],
  ])('is not made of %s, whose text is not repeated', (baseUrl, message) => {
    expect(() => createEndpoint({ baseUrl })).toThrow(expect.objectContaining({ code: 'usage/bad-option' }) as Error);
    expect(() => createEndpoint({ baseUrl })).toThrow(message);
    expect(() => createEndpoint({ baseUrl })).not.toThrow(KEY);
  });

  it('of plain http elsewhere needs to be allowed', () => {
    expect(createEndpoint({ baseUrl: 'http://10.0.0.1/v2', allowHttp: true }).label).toBe('http://10.0.0.1/v2');
  });

  it('takes no key that would break a header, and does not repeat it', () => {
    const make = () => createEndpoint({ baseUrl: 'https://host', apiKey: `${KEY}\r\nX-Other: 1` });
    expect(make).toThrow(expect.objectContaining({ path: 'apiKey' }) as Error);
    expect(make).not.toThrow(KEY);
  });

  it.each(['127.0.0.1', '127.8.9.1', 'localhost', 'a.localhost', '[::1]'])('knows %s as this machine', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['128.0.0.1', 'localhost.example', '127.0.0.1.example', '0.0.0.0', '[::]'])(
    'does not know %s as this machine',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

describe('no secret is found in an error', () => {
  /** Everything a log could print of an error. */
  function printed(error: unknown): string {
    let all = '';
    for (let at = error; at instanceof Error; at = at.cause) {
      const own = Object.getOwnPropertyNames(at).map((name) => [name, Reflect.get(at as object, name)]);
      const body = at instanceof SourceError && at.body ? Buffer.from(at.body).toString() : '';
      all += `${at.message}\n${at.stack}\n${JSON.stringify(own)}\n${body}`;
    }
    return all;
  }

  const TOKEN = 'tok3n-aaaaaaaaaaaaaaaaaa';
  const secrets = [KEY, encodeURIComponent(KEY), TOKEN, 'hunter2hunter2', 'q-secret-1'];
  const baseUrl = `https://me:hunter2hunter2@node.example/${TOKEN}/api/v2?x=q-secret-1`;
  const echo = JSON.stringify(secrets.join(' ')).slice(1, -1);

  it.each([
    ['a server that quotes it', async () => new Response(`{"ok":false,"error":"${echo}","code":401}`, { status: 401 })],
    ['a page that quotes it', async () => new Response(`<p>${echo}</p>`, { status: 502 })],
    ['an answer that quotes it', async () => new Response(`{"ok":true,"result":{"@type":"${echo}"}}`)],
    ['no JSON that quotes it', async () => new Response(echo)],
    [
      'a fetch that quotes it',
      async () => {
        throw new TypeError(`cannot fetch ${baseUrl}`, { cause: new Error(`${KEY} at ${baseUrl}`) });
      },
    ],
  ])('of %s', async (_, fetch) => {
    const opts = { baseUrl, apiKey: KEY, retries: 0, fetch, requestsPerSecond: Number.POSITIVE_INFINITY };
    let recorded = '';
    const onAnswer = ({ source, body }: { source: string; body: Uint8Array }) => {
      recorded += source + Buffer.from(body).toString();
    };
    for (const ask of ['latestSeqno', 'signatures'] as const) {
      const error = await toncenterV2({ ...opts, onAnswer })
        [ask](5)
        .catch((error: unknown) => error);
      expect(error).toBeInstanceOf(SourceError);
      for (const secret of secrets) expect(printed(error) + recorded).not.toContain(secret);
    }
  });
});
