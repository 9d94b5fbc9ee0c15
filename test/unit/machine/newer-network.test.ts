/** When a program may say that it is older than the network: where most servers answer in a form that it does not know. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError, SourceError, type SourceErrorCode, UnknownKind } from '../../../src/core/base/errors.ts';
import { isOlderForAll, type LastWord, unsupportedBy } from '../../../src/net/machine/newer-network.ts';

const failed = (code: SourceErrorCode, cause?: unknown): LastWord => ({ error: new SourceError(code, 'x', { cause }) });
const newer = failed('source/unsupported');
const good: LastWord = {};
const whole = (id: string): LastWord =>
  failed('source/malformed', new DecodeError('decode/tl', 'x', { cause: new UnknownKind(id, true) }));

describe('how many servers answer in a form that is not known', () => {
  it.each([
    [[], 'few'],
    [[good], 'few'],
    [[newer], 'all'],
    [[newer, newer], 'all'],
    [[newer, good], 'few'],
    [[newer, newer, good], 'most'],
    [[newer, newer, good, good], 'few'],
  ] as const)('%# is told of those that answered', (servers, wanted) => {
    expect(unsupportedBy(servers)).toBe(wanted);
  });

  it.each(['source/upstream', 'source/timeout', 'source/rate-limited', 'source/server', 'source/aborted'] as const)(
    '%s is no answer, so it changes nothing but that not all say so',
    (code) => {
      expect(unsupportedBy([newer, failed(code), failed(code), failed(code)])).toBe('most');
      expect(unsupportedBy([failed(code)])).toBe('few');
    },
  );

  it.each([
    'source/not-ready',
    'source/missing',
    'source/other-chain',
    'source/malformed',
    'source/wrong-network',
  ] as const)('%s is an answer in a form that is known', (code) => {
    expect(unsupportedBy([newer, failed(code)])).toBe('few');
    expect(unsupportedBy([newer, newer, failed(code)])).toBe('most');
  });

  it('a whole answer that is not known counts only where another server sends the same', () => {
    expect(unsupportedBy([whole('00000001')])).toBe('few');
    expect(unsupportedBy([whole('00000001'), whole('00000002')])).toBe('few');
    expect(unsupportedBy([whole('00000001'), whole('00000001')])).toBe('all');
    expect(unsupportedBy([whole('00000001'), good, whole('00000001')])).toBe('most');
    expect(unsupportedBy([whole('00000001'), newer])).toBe('few');
    expect(unsupportedBy([whole('00000001'), newer, newer])).toBe('most');
  });

  it('an answer that was read by the caller counts as one that a server was asked for', () => {
    expect(unsupportedBy([{ error: new DecodeError('decode/boc', 'x', { cause: new UnknownKind('13') }) }])).toBe(
      'all',
    );
    expect(unsupportedBy([{ error: new DecodeError('decode/boc', 'x') }])).toBe('few');
    expect(unsupportedBy([{ error: new DecodeError('decode/boc', 'x', { cause: '13' }) }])).toBe('few');
  });

  it('no minority of those that answered says it for the others, in whatever order', () => {
    const said = fc.constantFrom(newer, good, whole('0a'), failed('source/timeout'), failed('source/not-ready'));
    fc.assert(
      fc.property(fc.array(said, { maxLength: 9 }), (servers) => {
        const told = unsupportedBy(servers);
        expect(unsupportedBy([...servers].reverse())).toBe(told);
        const silent = servers.filter(
          (one) => one.error !== undefined && /timeout/.test(String((one.error as SourceError).code)),
        );
        const heard = servers.length - silent.length;
        const mostLiars = servers.filter(
          (one) => one === newer || (one.error as SourceError)?.cause !== undefined,
        ).length;
        if (told !== 'few') expect(2 * mostLiars).toBeGreaterThan(heard);
        if (told === 'all') expect([mostLiars, silent.length]).toEqual([servers.length, 0]);
        if (servers.includes(good)) expect(told).not.toBe('all');
      }),
    );
  });
});

describe('an error that no other try can help', () => {
  const joined = (statements: readonly LastWord[], code: SourceErrorCode = 'source/unsupported') =>
    new SourceError(code, 'x', { statements: statements.map((one, at) => ({ source: `s${at}`, ...one })) });

  it('is one of the only server, or of all', () => {
    expect(isOlderForAll(joined([]))).toBe(true);
    expect(isOlderForAll(joined([newer, newer]))).toBe(true);
    expect(isOlderForAll(joined([newer, newer, failed('source/timeout')]))).toBe(false);
    expect(isOlderForAll(joined([newer], 'source/malformed'))).toBe(false);
    expect(isOlderForAll(joined([], 'source/timeout'))).toBe(false);
  });
});
