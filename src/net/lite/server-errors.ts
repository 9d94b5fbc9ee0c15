/** What a lite server's error means. Codes differ from one implementation to the next, so a few fixed words are looked at too. */
import type { SourceErrorCode } from '../../base/errors.ts';
import type { LiteServerError } from '../../decode/lite-answers.ts';

const NOT_READY_WORDS = /^LITE_SERVER_(?:NOTREADY|NOTFOUND)\b/;
const TIMEOUT_WORDS = /^LITE_SERVER_TIMEOUT\b/;
const INVALID_WORDS = /^LITE_SERVER_INVALID_/;
/** A server that is behind, or one of several behind one address that is. */
const BEHIND_WORDS =
  /client knows block .{0,300} newer than the reference|is newer than base|no handle for|cannot load handle/i;
const OTHER_CHAIN_WORDS = /is unknown from the perspective of (?:the )?reference block/i;

/**
 * Sources: ton `validator/manager.cpp` and `validator/impl/liteserver.cpp`; RSquad/ton-rust-node at 343357f,
 * node/src/network/liteserver.rs; xssnick/tonutils-liteserver-proxy at c292a06, internal/server/server.go.
 * @param hasWaited whether the question told the server to wait for a block
 */
export function classifyLiteError({ code, text }: LiteServerError, hasWaited: boolean): SourceErrorCode {
  if (code === 651 || NOT_READY_WORDS.test(text)) return 'source/not-ready';
  if (code === 652 || (code === -503 && /timeout/i.test(text)) || TIMEOUT_WORDS.test(text)) {
    return hasWaited ? 'source/not-ready' : 'source/server';
  }
  if (OTHER_CHAIN_WORDS.test(text)) return 'source/other-chain';
  if (BEHIND_WORDS.test(text)) return 'source/not-ready';
  if (code === 429 || code === 228) return 'source/rate-limited';
  if (code === -400 || code === 0 || code === 621 || code === 400 || INVALID_WORDS.test(text)) {
    return 'source/bad-request';
  }
  return 'source/server';
}

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
