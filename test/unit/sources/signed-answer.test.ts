/** Sources are a public interface: what one gives is looked at before it is used, and never ends in a raw error. */
import { describe, expect, it } from 'vitest';
import { auditServers } from '../../../src/app/audit/http-source.ts';
import { SourceError } from '../../../src/core/base/errors.ts';
import { followBlocks } from '../../../src/net/follow/follow-blocks.ts';
import type { BlockSource, SignedAnswer } from '../../../src/net/sources/block-source.ts';
import { firstOf } from '../../../src/net/sources/first-of.ts';
import { quorumOf } from '../../../src/net/sources/quorum-of.ts';
import { readSigned } from '../../../src/net/sources/signed-answer.ts';
import { answer, failing, fakeSource, signed } from '../../helpers/fake-source.ts';
import { makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const throwing = () =>
  Object.defineProperty({ source: 'a' }, 'signatures', {
    get() {
      throw new TypeError('a getter of the source');
    },
  });
const simplex = makeSignedSet('simplex', makeSigners([1n]), 5);
const whole = { signatures: signed(5), source: 'a' };

const MALFORMED: readonly (readonly [string, () => unknown])[] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['text', () => 'signatures'],
  ['a list', () => [whole]],
  ['bytes', () => new Uint8Array(8)],
  ['the JSON of a server', () => answer(5)],
  ['a bare signature set', () => signed(5)],
  ['no signatures', () => ({ source: 'a' })],
  ['signatures as JSON', () => ({ ...whole, signatures: answer(5) })],
  [
    'too many entries',
    () => ({ ...whole, signatures: withEntries(signed(5), Array(4097).fill(signed(5).signatures[0])) }),
  ],
  ['an entry that is none', () => ({ ...whole, signatures: withEntries(signed(5), [{} as never]) })],
  ['a list with holes', () => ({ ...whole, signatures: withEntries(signed(5), Array(3)) })],
  ['a candidate that cannot be read', () => ({ ...whole, signatures: { ...simplex, candidate: new Uint8Array(4) } })],
  ['a source that is no text', () => ({ ...whole, source: 7 })],
  ['a body that is text', () => ({ ...whole, body: '{}' })],
  ['another that is no function', () => ({ ...whole, another: {} })],
  ['blame that is no function', () => ({ ...whole, blame: true })],
  ['signatures that are a proxy that was revoked', () => ({ ...whole, signatures: revoked() })],
  ['a getter that throws', throwing],
];
const ELSEWHERE: readonly (readonly [string, () => unknown])[] = [
  ['another number', () => ({ ...whole, signatures: signed(6) })],
  [
    'another shard',
    () => ({ ...whole, signatures: { ...signed(5), blockId: { ...signed(5).blockId, workchain: 0 } } }),
  ],
  [
    'a candidate of another block',
    () => ({
      ...whole,
      signatures: { ...simplex, blockId: { ...simplex.blockId, rootHash: new Uint8Array(32) } },
    }),
  ],
];

const source = (name: string, give: () => unknown): BlockSource => ({
  name,
  latestSeqno: async () => 5,
  signatures: async () => give() as SignedAnswer,
});

async function failureOf(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SourceError)) throw new Error(`expected a SourceError, got ${String(error)}`);
  return error;
}

describe.each([
  ...MALFORMED.map(([what, give]) => [what, give, 'source/malformed'] as const),
  ...ELSEWHERE.map(([what, give]) => [what, give, 'source/wrong-block'] as const),
])('a source that gives %s', (_, give, code) => {
  it('is refused, and named, where it is followed, audited or asked with others', async () => {
    const odd = source('odd', give);
    const direct = await failureOf((async () => readSigned(give(), 5, 'odd'))());
    expect(direct).toMatchObject({ code, hint: expect.any(String) });
    const following = followBlocks(odd, { validators: makeSet(makeSigners([1n])), from: 5, pollMs: 1, maxOutageMs: 1 });
    const audited = async () => {
      const signal = new AbortController().signal;
      const blocks = await auditServers(odd).open({ first: 5, from: 5, to: 5, signEvery: 1 }, signal);
      return await blocks.signed(5, signal);
    };
    for (const work of [
      () => following.next(),
      audited,
      () => firstOf([odd]).signatures(5),
      () => quorumOf([odd], 1).signatures(5),
    ]) {
      expect((await failureOf(work())).code).toBe(code);
    }
  });

  it('costs nothing where another server has the block', async () => {
    const [odd, good] = [source('odd', give), fakeSource('good')];
    expect(await firstOf([odd, good]).signatures(5)).toMatchObject({ source: 'good', signatures: signed(5) });
  });
});

describe('what a source gives', () => {
  it('is a frozen copy: what the source does to its own later changes nothing', () => {
    const given = { signatures: structuredClone(signed(5)), source: 'a', body: new Uint8Array(3) };
    const read = readSigned(given, 5, 'a');
    given.signatures.signatures[0]!.signature.fill(0);
    given.source = 'b';
    expect(read).toEqual({ signatures: signed(5), source: 'a', body: new Uint8Array(3) });
    expect([read, read.signatures, read.signatures.signatures].every(Object.isFrozen)).toBe(true);
  });

  it('lends its own methods their object', async () => {
    class Answer {
      readonly signatures = signed(5);
      readonly source = 'a';
      blamed = 0;
      another = async function (this: Answer) {
        return this.blamed === 0 ? undefined : this;
      };
      blame = function (this: Answer) {
        this.blamed += 1;
      };
    }
    const given = new Answer();
    const read = readSigned(given, 5, 'a');
    expect(await read.another!()).toBeUndefined();
    read.blame!();
    expect(await read.another!()).toBe(given);
  });
});

describe('another server is asked', () => {
  it('behind a source first, and then the sources beside it, though one behind it fails', async () => {
    const gone = fakeSource('gone', { give: failing('source/upstream') });
    const inner = firstOf([fakeSource('a'), gone]);
    const first = await firstOf([inner, fakeSource('b')]).signatures(5);
    const second = await first.another!();
    expect([first.source, second!.source]).toEqual(['a', 'b']);
    expect(await second!.another!()).toBeUndefined();
    expect(gone.calls).toHaveLength(1);
  });

  it('again after a failure, and the failure is told where it was the last', async () => {
    let isThere = false;
    const late = fakeSource('late', { give: (seqno) => (isThere ? signed(seqno) : failing('source/upstream')()) });
    const first = await firstOf([fakeSource('a'), late]).signatures(5);
    expect((await failureOf(first.another!())).code).toBe('source/upstream');
    isThere = true;
    expect((await first.another!())!.source).toBe('late');
    const nested = await firstOf([
      firstOf([fakeSource('a'), fakeSource('gone', { give: failing('source/auth') })]),
    ]).signatures(5);
    expect((await failureOf(nested.another!())).code).toBe('source/auth');
  });

  it('of those that agree first, and of the others only about the same block', async () => {
    const other = (seqno: number) => ({
      ...signed(seqno),
      blockId: { ...signed(seqno).blockId, rootHash: new Uint8Array(32) },
    });
    const list = [
      fakeSource('a'),
      fakeSource('b'),
      fakeSource('liar', { give: other }),
      fakeSource('d', { afterMs: 50 }),
    ];
    const seen: string[] = [];
    let at: SignedAnswer | undefined = await quorumOf(list, 2).signatures(5);
    for (; at !== undefined; at = await at.another!()) seen.push(at.source);
    expect(seen).toEqual(['a', 'b', 'd']);
  });
});
