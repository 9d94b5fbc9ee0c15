/** A body from a server and a file are read alike: what was fetched and saved can be verified again, and nothing else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { parseJsonBytes } from '../../../src/core/base/json-text.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { share } from '../../helpers/share.ts';
import { ORDINARY_CASE, readVectorBytes, SIMPLEX_CASE } from '../../helpers/vectors.ts';

const KEY = 'live-secret-0123456789';

function live(bytes: Uint8Array, seqno: number, apiKey?: string): Promise<unknown> {
  const fetch = async () => new Response(Uint8Array.from(bytes));
  const key = apiKey === undefined ? {} : { apiKey };
  const opts = { baseUrl: 'https://node.example', requestsPerSecond: Number.POSITIVE_INFINITY, retries: 0, ...key };
  return toncenterV2({ ...opts, fetch }).signatures(seqno);
}

async function isTakenLive(bytes: Uint8Array, seqno: number): Promise<boolean> {
  try {
    await live(bytes, seqno);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(SourceError);
    return false;
  }
}

function isTakenFromFile(bytes: Uint8Array, seqno: number): boolean {
  try {
    return parseSignatureList(parseJsonBytes(bytes, 'file')).blockId.seqno === seqno;
  } catch {
    return false;
  }
}

const CASES = [
  { seqno: 46920655, body: readVectorBytes(`${ORDINARY_CASE}/signatures.json`) },
  { seqno: 59379986, body: readVectorBytes(`${SIMPLEX_CASE}/signatures.json`) },
] as const;

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (words: string) => new TextEncoder().encode(words);
const compact = JSON.stringify(JSON.parse(text(CASES[0].body)));
const withMember = (member: string) => bytes(`{${member},${compact.slice(1)}`);

describe('a body and a file', () => {
  it.each(CASES)('are both taken as recorded: block $seqno', async ({ seqno, body }) => {
    expect(await isTakenLive(body, seqno)).toBe(true);
    expect(isTakenFromFile(body, seqno)).toBe(true);
  });

  it.each<[string, Uint8Array, boolean]>([
    ['a byte order mark', Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes(compact)]), true],
    ['white space around it', bytes(` \r\n\t${compact}\n`), true],
    ['another member', withMember('"@extra":"1"'), true],
    ['a key twice', withMember('"@extra":1,"@extra":1'), false],
    ['a key twice in two spellings', withMember(String.raw`"a":1,"\u0061":1`), false],
    ['its result twice', bytes(compact.replace('"result":', '"result":{},"result":')), false],
    [
      'invalid UTF-8 in a member nobody reads',
      Uint8Array.from([...bytes('{"x":"'), 0xff, ...bytes(`",${compact.slice(1)}`)]),
      false,
    ],
    [
      'a lone surrogate in UTF-8',
      Uint8Array.from([...bytes('{"x":"'), 0xed, 0xa0, 0x80, ...bytes(`",${compact.slice(1)}`)]),
      false,
    ],
    ['UTF-16', new Uint8Array(Buffer.from(compact, 'utf16le')), false],
    ['64 levels', withMember(`"x":${'['.repeat(63)}${']'.repeat(63)}`), true],
    ['65 levels', withMember(`"x":${'['.repeat(64)}${']'.repeat(64)}`), false],
    ['no end', bytes(compact.slice(0, -1)), false],
    ['a comma too many', bytes(`${compact},`), false],
    ['an array around it', bytes(`[${compact}]`), false],
  ])('are treated alike with %s', async (_, body, taken) => {
    expect(await isTakenLive(body, 46920655)).toBe(taken);
    expect(isTakenFromFile(body, 46920655)).toBe(taken);
  });

  it('are treated alike wherever a few bytes of them are others', async () => {
    const original = bytes(compact);
    const change = fc.record({
      at: fc.nat(original.length - 1),
      away: fc.nat(3),
      put: fc.uint8Array({ maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let body: readonly number[] = [...original];
        for (const { at, away, put } of changes) body = [...body.slice(0, at), ...put, ...body.slice(at + away)];
        const changed = Uint8Array.from(body);
        expect(await isTakenLive(changed, 46920655)).toBe(isTakenFromFile(changed, 46920655));
      }),
      { numRuns: share(50, 150) },
    );
  });

  it('that repeats the key as a name, twice, is refused without showing it', async () => {
    const body = bytes(`{"ok":true,"${KEY}":1,"${KEY}":2,"result":{}}`);
    const error = await live(body, 46920655, KEY).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'source/malformed', retryable: false });
    expect(String(error)).toContain('duplicate key "[redacted]" in one object');
    expect(String(error)).not.toContain(KEY.slice(0, 6));
  });
});
