import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import type { BlockSource } from '../../../src/net/sources/block-source.ts';
import { createEndpoint, isLoopback } from '../../../src/net/toncenter/endpoint.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { share } from '../../helpers/share.ts';

const KEY = 'k3y-0123456789abcdef';

async function failureOf(source: BlockSource, ask: 'latestSeqno' | 'signatures'): Promise<unknown> {
  const answer = ask === 'latestSeqno' ? source.latestSeqno() : source.signatures(5);
  return await answer.catch((error: unknown) => error);
}

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
  });

  it('shows no part of a path that looks like a token, and uses it', () => {
    const endpoint = createEndpoint({ baseUrl: 'https://host/0123456789abcdef0123/rest' });
    expect(endpoint.label).toBe('https://host/…/rest');
    expect(endpoint.urlOf('op', {})).toBe('https://host/0123456789abcdef0123/rest/op');
    expect(endpoint.redact('at /0123456789abcdef0123/rest')).toBe('at /[redacted]/rest');
  });

  it.each([
    ['abcdefghijklmnop', '…'],
    ['abcdefghijklmnopqrstuv==', '…'],
    ['abc-defghijk-lmnop-qrstuvw', '…'],
    ['0f8fad5b-d9cb-469f-a165-70867728950e', '…'],
    ['tok3n-aaaaaaaaaa', '…'],
    ['abcdefghijklmno', 'abcdefghijklmno'],
    ['json-rpc-error-200', 'json-rpc-error-200'],
    ['rate-limit-retry-after', 'rate-limit-retry-after'],
    ['jsonRPC', 'jsonRPC'],
  ])('shows the path part %s as %s', (part, shown) => {
    const endpoint = createEndpoint({ baseUrl: `https://host/${part}/v2` });
    expect(endpoint.label).toBe(`https://host/${shown}/v2`);
    expect(endpoint.redact(`at ${part}`)).toBe(shown === part ? `at ${part}` : 'at [redacted]');
  });

  it('blanks out a password of any length and the bare base64 of credentials', () => {
    const { redact } = createEndpoint({ baseUrl: 'https://me:p%c3%a4@host', headers: { 'X-Auth': 'Bearer abcdef-1' } });
    expect(redact(`no pä, no p%C3%A4, no p\\u00E4, no bWU6cMOk`)).toBe(
      'no [redacted], no [redacted], no [redacted], no [redacted]',
    );
    expect(redact('token abcdef-1')).toBe('token [redacted]');
    expect(createEndpoint({ baseUrl: 'https://user-name:@host' }).redact('a user-name')).toBe('a [redacted]');
  });

  it('blanks out what JSON writes with escapes', () => {
    const { redact } = createEndpoint({ baseUrl: 'https://host', apiKey: 'abc/def+1' });
    expect(redact('{"a":"abc\\/def+1","b":"\\u0061bc\\u002Fdef\\u002b1"}')).toBe('{"a":"[redacted]","b":"[redacted]"}');
  });

  it('blanks out keys in every spelling', () => {
    const { redact } = createEndpoint({ baseUrl: 'https://host', apiKey: 'a"b c+d/0' });
    expect(redact('"a\\"b c+d/0", a%22b%20c%2Bd%2F0, a"b c+d/0')).toBe('"[redacted]", [redacted], [redacted]');
  });

  it.each([
    ['in other case', 'no SECRET-Key-0123456789 here'],
    [
      'percent-encoded throughout',
      `no ${Array.from('secret-KEY-0123456789', (c) => `%${c.charCodeAt(0).toString(16)}`).join('')} here`,
    ],
    ['percent-encoded in part', 'no secret%2DKEY%2d0123456789 here'],
    ['in base64', `no ${btoa('secret-KEY-0123456789')} here`],
    ['in base64url without padding', `no ${Buffer.from('secret-KEY-0123456789').toString('base64url')} here`],
  ])('blanks out a key %s', (_, text) => {
    const { redact } = createEndpoint({ baseUrl: 'https://host', apiKey: 'secret-KEY-0123456789' });
    expect(redact(text)).toBe('no [redacted] here');
  });

  it.each([0, 1, 2, 3, 4])(
    'blanks out what a key decides of base64 of something longer, %d bytes before it',
    (before) => {
      const key = 'secret-KEY-0123456789';
      const { redact } = createEndpoint({ baseUrl: 'https://host', apiKey: key });
      const clean = redact(btoa(`${'u'.repeat(before)}${key}, and more`));
      expect(clean).toContain('[redacted]');
      // Three bytes are four digits, so two characters of the key at either end may stay in what is left.
      const left = clean.split('[redacted]').map((part) => atob(part.slice(0, part.length - (part.length % 4))));
      for (let at = 0; at + 4 <= key.length; at++) expect(left.join('|')).not.toContain(key.slice(at, at + 4));
    },
  );

  it('leaves other text as it is', () => {
    const { redact } = createEndpoint({ baseUrl: 'https://host', apiKey: 'secret-KEY-0123456789' });
    const text = JSON.stringify({ a: 'secret-KEY', b: btoa('secret'), c: '%73%65%63' });
    expect(redact(text)).toBe(text);
  });

  it.each([
    ['not a url', 'expected a whole URL'],
    ['ftp://host', 'expected https or http'],
    [`host/${KEY}`, 'expected a whole URL'],
    ['http://toncenter.com/api/v2', 'expected https for toncenter.com'],
    ['http://127.0.0.1.evil.example', 'expected https for'],
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

  it('of text that is cut, wherever the cut goes through the key', async () => {
    const leaks: string[] = [];
    // Any 6 characters of the key in a row are too many.
    const pieces = Array.from({ length: KEY.length - 5 }, (_, at) => KEY.slice(at, at + 6));
    for (const cut of [64, 200, 500]) {
      for (let at = cut - KEY.length - 22; at <= cut + 2; at += share(3, 1)) {
        const echo = 'x'.repeat(Math.max(0, at)) + KEY;
        const escaped = echo.replace('k3y', '\\u006b3y');
        const fetches = [
          async () => new Response(`{"ok":false,"error":"${escaped}","code":401}`, { status: 401 }),
          async () => new Response(`{"ok":false,"error":{"message":"${echo}"}}`),
          async () => new Response(`<p>${echo}</p>`, { status: 502 }),
          async () => new Response(echo),
          async () => new Response(`{"ok":true,"result":{"@type":"${escaped}","id":{"@type":"${echo}"}}}`),
          async () =>
            new Response(`{"ok":true,"result":{"@type":"blocks.masterchainInfo","last":{"@type":"${echo}"}}}`),
          async () => {
            throw new TypeError('failed', { cause: new Error(echo) });
          },
        ];
        for (const [which, fetch] of fetches.entries()) {
          const opts = { baseUrl: 'https://node.example', apiKey: KEY, retries: 0, fetch, requestsPerSecond: Infinity };
          for (const ask of ['latestSeqno', 'signatures'] as const) {
            const error = await failureOf(toncenterV2(opts), ask);
            expect(error).toBeInstanceOf(SourceError);
            const text = printed(error);
            if (pieces.some((piece) => text.includes(piece))) leaks.push(`${which} ${ask} ${at}`);
          }
        }
      }
    }
    expect(leaks).toEqual([]);
  });

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
      const error = await failureOf(toncenterV2({ ...opts, onAnswer }), ask);
      expect(error).toBeInstanceOf(SourceError);
      for (const secret of secrets) expect(printed(error) + recorded).not.toContain(secret);
    }
  });
});
