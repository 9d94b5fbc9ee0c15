/** What comes from elsewhere, after the user has pressed a button for it, and never before. */
import { SourceError, toncenterV2 } from '../src/http.ts';
import { UsageError, type ValidatorSet } from '../src/index.ts';
import type { DownloadRequest, FetchRequest, Obtained, Tell } from './protocol.ts';
import { inPartAsync } from './trouble.ts';

const NUMBER = /^[1-9][0-9]{0,9}$/;
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** In the list form that `validatorSetFromJson` reads. */
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

/** Asks one server, which is believed in nothing. @throws SourceError, UsageError */
export function fetchFromServer({ what, baseUrl, block }: FetchRequest, tell: Tell): Promise<Obtained> {
  return inPartAsync('server', async () => {
    const server = toncenterV2({ baseUrl: baseUrl.trim() });
    if (block !== 'latest' && !NUMBER.test(block)) {
      throw new UsageError('usage/bad-option', 'expected the number of a block, or latest', { path: 'block' });
    }
    tell({ words: 'Asking the server' });
    const seqno = block === 'latest' ? await server.latestSeqno() : Number(block);
    if (what === 'signatures') {
      const answer = JSON.stringify(await server.signatures(seqno), null, 1);
      const given = { name: `signatures of block ${seqno}`, bytes: new TextEncoder().encode(answer) };
      return { kind: 'obtained', given, words: `Signatures of block ${seqno}, from ${server.name}.` };
    }
    const set = await server.claimedSet(seqno);
    const claimedBy = set.provenance.kind === 'claimed' ? set.provenance.source : server.name;
    const given = { name: `set of block ${seqno}`, bytes: new TextEncoder().encode(setText(set)), claimedBy };
    return { kind: 'obtained', given, words: `The set of block ${seqno}, as ${claimedBy} claims it.` };
  });
}

/** A file by its URL. @throws SourceError */
export function download({ url, maxBytes }: DownloadRequest, tell: Tell): Promise<Obtained> {
  return inPartAsync('server', async () => {
    tell({ words: 'Fetching' });
    const failed = (what: string, cause?: unknown) =>
      new SourceError('source/upstream', what, {
        hint: 'the server may not allow pages to ask it (CORS): download the file, and drop it here',
        ...(cause === undefined ? {} : { cause }),
      });
    let response: Response;
    try {
      response = await fetch(url.trim(), { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' });
    } catch (cause) {
      throw failed('the file could not be fetched', cause);
    }
    if (!response.ok || response.body === null) throw failed(`the server answered ${response.status}`);
    const chunks: Uint8Array[] = [];
    let length = 0;
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      length += value.length;
      if (length <= maxBytes) continue;
      await reader.cancel();
      throw new SourceError('source/too-large', `expected at most ${maxBytes} bytes, got more`);
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    const name = new URL(response.url).pathname.split('/').at(-1) || 'fetched file';
    return { kind: 'obtained', given: { name, bytes }, words: `Fetched ${length} bytes.` };
  });
}
