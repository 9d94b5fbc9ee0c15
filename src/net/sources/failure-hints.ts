/**
 * Hints for each class of failure, in one line: for every server, and where servers over HTTP and lite servers differ,
 * for each.
 */
import { SourceError, type SourceErrorCode, type SourceErrorOptions } from '../../core/base/errors.ts';

type Hints = Readonly<Partial<Record<SourceErrorCode, string>>>;

const HINTS: Hints = {
  'source/not-ready': 'the block may be too new, pruned or of another network: ask again, or ask another server',
  'source/upstream': 'ask again later, or ask another server',
  'source/server': 'ask another server',
  'source/malformed': 'ask another server',
  'source/wrong-block': 'ask another server',
  'source/unsupported': 'ask another server; if most answer so, upgrade: this program is older than the network',
  'source/other-chain': 'the server, or the checkpoint, is of a different chain',
  'source/wrong-network': 'use a server of your network',
  'source/budget': 'exclude the servers that cost most: their answers are padded or useless',
  'source/timeout': 'ask again, ask another server, or allow more time',
};

const HTTP: Hints = {
  'source/rate-limited': 'wait a second or more, or use an API key',
  'source/tls': 'check the URL and this machine’s clock; NODE_EXTRA_CA_CERTS names the file of a private authority',
  'source/bad-request': 'check the base URL: a method name is appended, as in https://host/api/v2',
  'source/auth': 'check the API key and that it is for this network',
  'source/too-large': 'ask another server, or raise the limit',
};

const LITE: Hints = {
  'source/rate-limited': 'wait a second or more, or ask another server',
  'source/bad-request': 'ask another server',
  'source/clock': "set this machine's clock, which tells an old head from a new one",
};

/** Returns the hint for a failure of a server over HTTP. */
export function hintFor(code: SourceErrorCode): string | undefined {
  return HTTP[code] ?? HINTS[code];
}

/** Returns the hint for a failure of a lite server. */
export function liteHint(code: SourceErrorCode): string | undefined {
  return LITE[code] ?? HINTS[code];
}

/** Returns the error of one server. The message begins with its name; the hint is that of the code, or the given one. */
export function failureOf(
  name: string,
  code: SourceErrorCode,
  what: string,
  more: SourceErrorOptions = {},
): SourceError {
  return new SourceError(code, `${name}: ${what}`, { endpoint: name, hint: HINTS[code], ...more });
}
