/**
 * One server: its URL, its label, its credentials, and the one place that knows what must never be printed. Sends
 * nothing.
 */
import { UsageError } from '../base/errors.ts';
import type { ToncenterOptions } from './source.ts';

export interface Endpoint {
  /** Scheme, host and path; no credentials, no query, no path part that looks like a token. */
  readonly label: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether credentials go along with a request. */
  readonly hasCredentials: boolean;
  readonly allowHttp: boolean;
  urlOf(operation: string, query: Readonly<Record<string, string>>): string;
  /** The text with everything blanked out that grants access. */
  redact(text: string): string;
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether plain http to this host stays on this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

// Hosted nodes put their token into the path: 16 or more characters with a digit among them.
const TOKEN_LIKE = /^(?=.*\d)[\w.~-]{16,}$/;
// Shorter values (a network name, a version) are no secrets, and blanking them out would garble messages.
const MIN_SECRET_CHARS = 6;
const HEADER_VALUE = /^[\x20-\x7e]+$/;

function badOption(path: string, message: string, hint?: string): UsageError {
  return new UsageError('usage/bad-option', message, { path, ...(hint === undefined ? {} : { hint }) });
}

function parseBaseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // The text may hold a key, so it is not repeated and the cause is dropped.
    throw badOption('baseUrl', 'expected a whole URL', 'write it as https://host/api/v2');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw badOption('baseUrl', `expected https or http, got ${url.protocol.slice(0, -1)}`);
  }
  return url;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @throws UsageError for a URL or a header that cannot be used; its text is never repeated */
export function createEndpoint(opts: ToncenterOptions): Endpoint {
  const url = parseBaseUrl(opts.baseUrl);
  const allowHttp = opts.allowHttp === true;
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const shown = parts.map((part) => (TOKEN_LIKE.test(part) ? '…' : part));
  const label = `${url.protocol}//${url.host}${shown.length > 0 ? '/' : ''}${shown.join('/')}`;
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowHttp) {
    throw badOption(
      'baseUrl',
      `plain http to ${url.host} can be read and changed on the way`,
      'use https, or allow it',
    );
  }

  const headers: Record<string, string> = { accept: 'application/json', ...opts.headers };
  const secrets = new Set<string>([
    ...parts.filter((part) => TOKEN_LIKE.test(part)),
    ...Object.values(opts.headers ?? {}),
  ]);
  const queryKey = url.searchParams.get('api_key');
  url.searchParams.delete('api_key');
  const apiKey = opts.apiKey ?? queryKey ?? undefined;
  if (apiKey !== undefined) headers['X-API-Key'] = apiKey;
  if (url.username !== '' || url.password !== '') {
    // fetch refuses credentials in a URL, and prints it.
    const [user, password] = [safeDecode(url.username), safeDecode(url.password)];
    headers.Authorization = `Basic ${btoa(`${user}:${password}`)}`;
    for (const secret of [user, password]) secrets.add(secret);
  }
  url.username = '';
  url.password = '';
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_VALUE.test(value)) {
      const path = name === 'X-API-Key' ? 'apiKey' : `headers.${name}`;
      throw badOption(path, 'expected visible ASCII characters without a line break');
    }
  }
  for (const secret of [apiKey, headers.Authorization, ...url.searchParams.values()]) {
    if (secret !== undefined) secrets.add(secret);
  }
  const base = `${url.origin}/${parts.join('/')}${parts.length > 0 ? '/' : ''}`;
  const baseQuery = url.searchParams;
  const hidden = [...secrets]
    .filter((secret) => secret.length >= MIN_SECRET_CHARS || secret === apiKey)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .sort((a, b) => b.length - a.length); // the longest first, so that no remainder of one stays

  return Object.freeze({
    label,
    headers: Object.freeze(headers),
    hasCredentials: apiKey !== undefined || headers.Authorization !== undefined || opts.headers !== undefined,
    allowHttp,
    urlOf(operation: string, query: Readonly<Record<string, string>>): string {
      const all = new URLSearchParams(baseQuery);
      for (const [name, value] of Object.entries(query)) all.set(name, value);
      const text = all.toString();
      return `${base}${operation}${text === '' ? '' : `?${text}`}`;
    },
    redact(text: string): string {
      let clean = text;
      for (const secret of hidden) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[redacted]');
      return clean;
    },
  });
}
