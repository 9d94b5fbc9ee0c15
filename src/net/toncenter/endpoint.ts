/** The URL, the label and the credentials of one server. Only this file knows which text must never be printed. */

import { badOption } from '../../core/base/arguments.ts';
import { encodeBase64 } from '../../core/base/bytes.ts';
import { createRedaction } from './redaction.ts';
import type { ToncenterOptions } from './toncenter-options.ts';

export interface Endpoint {
  /** Scheme, host and path, without credentials, query, or path parts that look like a token. */
  readonly label: string;
  readonly headers: Readonly<Record<string, string>>;
  urlOf(operation: string, query: Readonly<Record<string, string>>): string;
  /** Returns the text without anything that grants access. */
  redact(text: string): string;
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether plain http to this host stays on this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

// Hosted nodes put their token into the path, and no other part of such a path is that long: 16 or more characters.
const MIN_TOKEN_CHARS = 16;
// A part of plain words up to this length is not a token, as in /json-rpc-error-200: otherwise two such paths would get
// one label.
const MAX_WORDS_CHARS = 23;
const NAME = /^[a-z]{2,12}(?:-[a-z]{2,12})+(?:-\d{1,4})?$/;
// Shorter values (a network name, a version) are not secrets, and removing them would garble messages.
const MIN_SECRET_CHARS = 6;
const HEADER_VALUE = /^[\x20-\x7e]+$/;

function parseBaseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // The text may hold a key, so it is not repeated and the cause is dropped.
    const hint = 'write https://host/api/v2; in a page, put location.origin before a path';
    throw badOption('expected a whole URL', 'baseUrl', hint);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw badOption(`expected https or http, got ${url.protocol.slice(0, -1)}`, 'baseUrl');
  }
  return url;
}

function isTokenLike(part: string): boolean {
  return part.length >= MIN_TOKEN_CHARS && !(part.length <= MAX_WORDS_CHARS && NAME.test(part));
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Checks the address and credentials of a server. @throws UsageError for a URL or a header that cannot be used; its
 * text is never repeated
 */
export function createEndpoint(opts: ToncenterOptions): Endpoint {
  const url = parseBaseUrl(opts.baseUrl);
  const allowHttp = opts.allowHttp === true;
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const shown = parts.map((part) => (isTokenLike(part) ? '…' : part));
  const label = `${url.protocol}//${url.host}${shown.length > 0 ? '/' : ''}${shown.join('/')}`;
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowHttp) {
    const message = `expected https for ${url.host}, got http, which others can read and change`;
    throw badOption(message, 'baseUrl', 'use https, or pass allowHttp (--allow-http)');
  }

  const headers: Record<string, string> = { accept: 'application/json', ...opts.headers };
  const secrets = new Set<string>([
    ...parts.filter(isTokenLike).flatMap((part) => [part, safeDecode(part)]),
    // The value, and the part after the scheme in "Bearer …".
    ...Object.values(opts.headers ?? {}).flatMap((value) => [value, value.replace(/^\w+ +/, '')]),
  ]);
  const anyLength = new Set<string>(); // a password is a secret however short it is
  const queryKey = url.searchParams.get('api_key');
  url.searchParams.delete('api_key');
  const apiKey = opts.apiKey ?? queryKey ?? undefined;
  if (apiKey !== undefined) headers['X-API-Key'] = apiKey;
  if (url.username !== '' || url.password !== '') {
    // fetch rejects credentials in a URL, and prints them.
    const [user, password] = [safeDecode(url.username), safeDecode(url.password)];
    const pair = encodeBase64(new TextEncoder().encode(`${user}:${password}`)); // UTF-8, as RFC 7617 requires
    headers.Authorization = `Basic ${pair}`;
    for (const secret of [user, pair]) secrets.add(secret);
    for (const secret of [password, url.password]) anyLength.add(secret);
  }
  url.username = '';
  url.password = '';
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_VALUE.test(value)) {
      const path = name === 'X-API-Key' ? 'apiKey' : `headers.${name}`;
      throw badOption('expected visible ASCII characters without a line break', path);
    }
  }
  if (apiKey !== undefined) anyLength.add(apiKey);
  for (const secret of [headers.Authorization, ...url.searchParams.values()]) {
    if (secret !== undefined) secrets.add(secret);
  }
  const base = `${url.origin}/${parts.join('/')}${parts.length > 0 ? '/' : ''}`;
  const baseQuery = url.searchParams;
  const long = [...secrets].filter((secret) => secret.length >= MIN_SECRET_CHARS);
  const hidden = [...long, ...anyLength].filter((secret) => secret !== '');

  return Object.freeze({
    label,
    headers: Object.freeze(headers),
    urlOf(operation: string, query: Readonly<Record<string, string>>): string {
      const all = new URLSearchParams(baseQuery);
      for (const [name, value] of Object.entries(query)) all.set(name, value);
      const text = all.toString();
      return `${base}${operation}${text === '' ? '' : `?${text}`}`;
    },
    redact: createRedaction(hidden),
  });
}
