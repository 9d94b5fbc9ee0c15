/** What a user can do about the error of a lite server. */
import type { SourceErrorCode } from '../../base/errors.ts';

const HINTS: Partial<Record<SourceErrorCode, string>> = {
  'source/rate-limited': 'wait a second or more, or ask another server',
  'source/not-ready': 'the block may be too new or pruned on this server: ask again, or ask another server',
  'source/upstream': 'ask again later, or ask another server',
  'source/server': 'ask another server',
  'source/bad-request': 'ask another server',
  'source/malformed': 'ask another server',
  'source/wrong-block': 'ask another server',
  'source/wrong-network': 'give a server of the network you mean',
  'source/other-chain':
    'this server does not know the block that is trusted: it is on another chain, or the checkpoint is',
  'source/clock': "set this machine's clock: without it nobody can tell an old head from a new one",
  'source/timeout': 'ask again, ask another server, or allow more time',
};

/** What a user can do about it. */
export function liteHint(code: SourceErrorCode): string | undefined {
  return HINTS[code];
}
