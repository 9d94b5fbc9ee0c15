/** What a user can do about each class of failure, in one line. */
import type { SourceErrorCode } from '../../base/errors.ts';

const HINTS: Partial<Record<SourceErrorCode, string>> = {
  'source/rate-limited': 'wait a second or more, or use an API key',
  'source/not-ready': 'the block may be too new or pruned on this server: ask again, or ask another server',
  'source/upstream': 'ask again later, or ask another server',
  'source/tls':
    'check the URL and this machine’s clock; for a certificate of your own set NODE_EXTRA_CA_CERTS to the file of its CA',
  'source/server': 'ask another server',
  'source/bad-request': 'check the base URL: the method name is appended to it, as in https://host/api/v2',
  'source/auth': 'check the API key and that it is for this network',
  'source/malformed': 'ask another server',
  'source/wrong-block': 'ask another server',
  'source/wrong-network': 'give a server of the network you mean',
  'source/too-large': 'ask another server, or raise the limit',
  'source/timeout': 'ask again, ask another server, or allow more time',
};

/** What a user can do about it. */
export function hintFor(code: SourceErrorCode): string | undefined {
  return HINTS[code];
}
