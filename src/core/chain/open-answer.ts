/** Opens an answer of a lite server: the requested one, or the server's error. */
import { DecodeError } from '../base/errors.ts';
import { MAX_BOC_BYTES, MAX_FRAME_BYTES, MAX_SERVER_TEXT_CHARS } from '../base/limits.ts';
import { cleanServerText } from '../block/envelope.ts';
import { readTlBytes } from '../tl/bytes.ts';
import { LITE_SERVER_BUSY, LITE_SERVER_ERROR } from '../tl/constructors.ts';
import { TlReader } from '../tl/reader.ts';

/** liteServer.error as a value, like any other answer. */
export interface LiteServerError {
  /** int32. */
  readonly code: number;
  /** The server's text: cleaned, at most 500 characters. */
  readonly text: string;
}

/**
 * Bytes of text that are examined. One character can have several bytes, so this is more than the text that is kept.
 */
const MAX_TEXT_BYTES = 8 * MAX_SERVER_TEXT_CHARS;
/** Code of a proxy's serverBusy, whose own code is not used. */
const BUSY_CODE = 429;

/**
 * Reads the error after its constructor id. A text of any length is accepted and shortened.
 * @returns `undefined` if the id is not that of an error
 */
export function readTlError(tl: TlReader, id: number): LiteServerError | undefined {
  if (id !== LITE_SERVER_ERROR && id !== LITE_SERVER_BUSY) return undefined;
  const said = tl.int32();
  const words = readTlBytes(tl, MAX_FRAME_BYTES);
  tl.end();
  const text = cleanServerText(new TextDecoder().decode(words.subarray(0, MAX_TEXT_BYTES)));
  return { code: id === LITE_SERVER_BUSY ? BUSY_CODE : said, text };
}

/**
 * Reads the constructor id of an answer.
 * @param type what is expected, in words, and the ids that it may have
 * @throws DecodeError `decode/api-error` with the server's text, `decode/tl` for a different answer
 */
export function openAnswer(answer: Uint8Array, path: string, type: string, ...ids: readonly number[]) {
  const tl = new TlReader(answer, path);
  const id = tl.constructorId(type, ...ids, LITE_SERVER_ERROR, LITE_SERVER_BUSY);
  const error = readTlError(tl, id);
  if (error === undefined) return { tl, id };
  const { code, text } = error;
  throw new DecodeError('decode/api-error', `the lite server answered with an error: ${text} (code ${code})`, { path });
}

/** A bag of cells, unread. */
export function readBag(tl: TlReader): Uint8Array {
  return readTlBytes(tl, MAX_BOC_BYTES);
}
