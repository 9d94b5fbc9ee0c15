/** Requests to other machines: the page sends one after the user has pressed a button, and never before. */
import { SourceError } from '../src/core/base/errors.ts';
import { UsageError, type ValidatorSet } from '../src/index.ts';
import { toncenterV2 } from '../src/servers.ts';
import type { DownloadRequest, FetchRequest, Obtained, Tell } from './protocol.ts';
import { inPartAsync } from './trouble.ts';

const NUMBER = /^[1-9][0-9]{0,9}$/;
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Writes a validator set in the list form that `parseValidatorSet` reads. */
function setText({ validators, utimeUntil, shuffle }: ValidatorSet): string {
  const json = {
    main: validators.length,
    ...(utimeUntil === undefined ? {} : { utime_until: utimeUntil }),
    ...(shuffle === undefined ? {} : { shuffle_mc_validators: shuffle }),
    validators: validators.map(({ publicKey, weight, adnlAddr }) => ({
      public_key: hex(publicKey),
      weight: weight.toString(),
      ...(adnlAddr === undefined ? {} : { adnl_addr: hex(adnlAddr) }),
    })),
  };
  return JSON.stringify(json, null, 1);
}

/** Asks one server, which the page does not trust. @throws SourceError, UsageError */
export function fetchFromServer({ what, baseUrl, block }: FetchRequest, tell: Tell): Promise<Obtained> {
  return inPartAsync('server', async () => {
    const server = toncenterV2({ baseUrl: baseUrl.trim() });
    if (block !== 'latest' && !NUMBER.test(block)) {
      throw new UsageError('usage/bad-option', 'expected the number of a block, or latest', { path: 'block' });
    }
    tell({ words: 'Asking the server' });
    const seqno = block === 'latest' ? await server.latestSeqno() : Number(block);
    if (what === 'signatures') {
      const { body } = await server.signatures(seqno);
      const answer = JSON.stringify(JSON.parse(new TextDecoder().decode(body)), null, 1);
      const bytes = new TextEncoder().encode(answer);
      const given = { name: `signatures of block ${seqno}`, bytes, askedOf: server.name };
      return { kind: 'obtained', given, words: `Signatures of block ${seqno}, from ${server.name}.` };
    }
    const set = await server.claimedSet(seqno);
    const claimedBy = set.provenance.kind === 'claimed' ? set.provenance.source : server.name;
    const given = { name: `set of block ${seqno}`, bytes: new TextEncoder().encode(setText(set)), claimedBy };
    return { kind: 'obtained', given, words: `The set of block ${seqno}, as ${claimedBy} claims it.` };
  });
}

/** Plain HTTP to these only, as the page's policy says too. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1)$/;
/** Limit of a name that is taken from a URL. */
const MAX_NAME_CHARS = 100;

/** The URL may hold a key, so no message repeats it. @throws UsageError */
function fileUrl(text: string): URL {
  const refused = (message: string, hint?: string) =>
    new UsageError('usage/bad-option', message, { path: 'url', ...(hint === undefined ? {} : { hint }) });
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw refused('expected a whole URL', 'write it as https://host/file');
  }
  const { protocol, hostname, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') throw refused(`expected https, got ${protocol.slice(0, -1)}`);
  if (protocol === 'http:' && !LOOPBACK.test(hostname)) {
    throw refused(`plain http to ${hostname}, which others can read and change`, 'use https, or download the file');
  }
  if (username !== '' || password !== '') throw refused('expected a URL without a name and a password');
  return url;
}

/** @throws SourceError for more bytes than that, and whatever the stream throws */
async function readAll(body: ReadableStream<Uint8Array<ArrayBuffer>>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (length <= maxBytes) continue;
    reader.cancel().catch(() => {}); // the rest of the answer is not needed
    throw new SourceError('source/too-large', `expected at most ${maxBytes} bytes, got more`);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

const MAY_BE_CORS = 'the server may not allow pages to ask it (CORS): download the file, and drop it here';

/** A file by its URL, and from nowhere else. @throws SourceError, UsageError */
export function download({ url: text, maxBytes, deadlineMs }: DownloadRequest, tell: Tell): Promise<Obtained> {
  return inPartAsync('server', async () => {
    const url = fileUrl(text);
    tell({ words: 'Fetching' });
    const signal = AbortSignal.timeout(deadlineMs);
    const failed = (what: string, more: { readonly cause?: unknown; readonly hint?: string } = {}) => {
      if (!signal.aborted) return new SourceError('source/upstream', what, more);
      return new SourceError('source/timeout', `no whole file within ${deadlineMs / 1000} s`);
    };
    let response: Response;
    try {
      // With "error" the page could not distinguish a redirect from a missing connection. "follow" could lead to any other machine.
      const redirect = 'manual';
      response = await fetch(url, {
        redirect,
        signal,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      });
    } catch (cause) {
      throw failed('the file could not be fetched', { cause, hint: MAY_BE_CORS });
    }
    const { status, type, body } = response;
    if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      throw failed('the server redirects, and redirects are not followed', {
        hint: 'pass the URL of the redirect, if you trust it',
      });
    }
    if (!response.ok || body === null) {
      body?.cancel().catch(() => {}); // the page does not need the body
      throw failed(`the server answered ${status}`);
    }
    let bytes: Uint8Array;
    try {
      bytes = await readAll(body, maxBytes);
    } catch (cause) {
      if (cause instanceof SourceError) throw cause;
      throw failed('the file broke off: the connection ended before its end', { cause, hint: 'fetch it again' });
    }
    const name = url.pathname.split('/').at(-1)?.slice(0, MAX_NAME_CHARS) || 'fetched file';
    return { kind: 'obtained', given: { name, bytes }, words: `Fetched ${bytes.length} bytes.` };
  });
}
