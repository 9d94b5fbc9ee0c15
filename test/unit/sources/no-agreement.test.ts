/** One error for several servers: its code is why none of them gives what was asked for. */
import { expect, it } from 'vitest';
import { SourceError, type SourceErrorCode } from '../../../src/core/base/errors.ts';
import { noAgreement } from '../../../src/net/sources/no-agreement.ts';

const codeOf = (...codes: SourceErrorCode[]) =>
  noAgreement(
    'no server gives it',
    codes.map((code, at) => ({ source: `server ${at}`, error: new SourceError(code, `server ${at}: words`) })),
  ).code;

it('is no contradiction where one server contradicted and another one fails', () => {
  expect(codeOf('source/disagree', 'source/missing')).toBe('source/missing');
  expect(codeOf('source/disagree', 'source/missing', 'source/timeout')).toBe('source/timeout');
  expect(codeOf('source/disagree', 'source/disagree')).toBe('source/disagree');
});

it('asks for no pause where no server said anything', () => {
  expect(noAgreement('no server gives it', []).retryAfterMs).toBeUndefined();
});
