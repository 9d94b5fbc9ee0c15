/** One error for several servers: its code is why none of them gives what was asked for. */
import { expect, it } from 'vitest';
import { SourceError, type SourceErrorCode, TrustError } from '../../../src/core/base/errors.ts';
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

it('keeps the hint of the error that says why, which knows more than one for the code alone', () => {
  const hintOf = (code: SourceErrorCode, hint?: string) => {
    const error = new SourceError(code, 'server 0: words', { hint });
    return noAgreement('no server gives it', [{ source: 'server 0', error }]).hint;
  };
  expect(hintOf('source/wrong-block', 'pass an older checkpoint')).toBe('pass an older checkpoint');
  expect(hintOf('source/wrong-block')).toBe('ask another server');
});

it('asks for no pause where no server said anything', () => {
  expect(noAgreement('no server gives it', []).retryAfterMs).toBeUndefined();
});

it('says that servers lead to a hardfork, of one server and of errors that hold its error', () => {
  const cause = new TrustError('trust/hardfork', 'a block after a hardfork', { path: 'proof' });
  const error = new SourceError('source/other-chain', 'server 0: words', { cause });
  const one = noAgreement('no server gives it', [{ source: 'server 0', error }]);
  const more = noAgreement('no server gives more', [{ source: 'server 0', error: one }]);
  const none = noAgreement('no server gives it', [
    { source: 'server 0', error: new SourceError('source/other-chain', 'server 0: words') },
  ]);
  expect([one.hint, more.hint]).toEqual(Array(2).fill(expect.stringContaining('servers lead to a hard fork')));
  expect(none.hint).toBe('the server, or the checkpoint, is of a different chain');
});
