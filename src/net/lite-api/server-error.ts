/**
 * Reads and classifies errors of lite servers. Codes differ between implementations, so a few fixed phrases are matched
 * too.
 */
import type { SourceErrorCode } from '../../core/base/errors.ts';
import { type LiteServerError, readTlError } from '../../core/chain/open-answer.ts';
import { TlReader } from '../../core/tl/reader.ts';

/** Reads an error, if the answer is one. @returns `undefined` for any other answer @throws DecodeError `decode/tl` */
export function readLiteServerError(answer: Uint8Array): LiteServerError | undefined {
  if (answer.length < 4) return undefined;
  const tl = new TlReader(answer, 'answer');
  return readTlError(tl, tl.uint32());
}

const NOT_READY_WORDS = /^LITE_SERVER_(?:NOTREADY|NOTFOUND)\b/;
const TIMEOUT_WORDS = /^LITE_SERVER_TIMEOUT\b/;
const INVALID_WORDS = /^LITE_SERVER_INVALID_/;
/** Phrases of a server that is behind, or of a proxy whose server is. */
const BEHIND_WORDS =
  /client knows block .{0,300} newer than the reference|is newer than base|no handle for|cannot load handle/i;
const OTHER_CHAIN_WORDS = /is unknown from the perspective of (?:the )?reference block/i;

/**
 * Classifies an error. Sources: ton `validator/manager.cpp` and `validator/impl/liteserver.cpp`; RSquad/ton-rust-node
 * at 343357f, node/src/network/liteserver.rs; xssnick/tonutils-liteserver-proxy at c292a06, internal/server/server.go.
 * @param hasWaited whether the question asked the server to wait for a block
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
