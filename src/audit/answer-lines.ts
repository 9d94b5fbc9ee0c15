/** Answers from a file of lines, in the order of their blocks, read as they are asked for. */
import { createReadStream } from 'node:fs';
import { decodeBase64 } from '../base/bytes.ts';
import { DecodeError, type FinalityError, UsageError } from '../base/errors.ts';
import { MAX_BOC_BYTES } from '../base/limits.ts';
import { parseAnswer, readAnswerJson } from '../decode/answer-bytes.ts';
import { isObject } from '../decode/json-structure.ts';
import type { SignatureSet } from '../decode/signature-set.ts';
import { seqnoOfAnswer } from './answer-files.ts';

/** Bytes of one line that will be held: signatures of a block, and the block. */
const MAX_LINE_BYTES = 1 << 24;
const NEWLINE = 0x0a;

/** One block of the file. */
export interface AnswerLine {
  readonly seqno: number;
  readonly set: SignatureSet;
  /** A block file or a proof of it, where the line has one. */
  readonly proof: Uint8Array | undefined;
  /** The file and the line, for errors. */
  readonly place: string;
}

/** A line that could not be read: where it does not say of which block it is, of one that is missing there. */
export interface BadLine {
  readonly seqno?: number;
  readonly error: FinalityError;
}

/** `{ "answer": …, "block": base64 }`, or the answer itself. */
function readLine(bytes: Uint8Array, place: string): AnswerLine | BadLine {
  const { json, entries } = readAnswerJson(bytes, place);
  const isPair = isObject(json) && Object.hasOwn(json, 'answer');
  const answer = isPair ? json.answer : json;
  const seqno = seqnoOfAnswer(answer);
  if (seqno === undefined) {
    throw new DecodeError(
      'decode/shape',
      'expected signatures of a block, as getMasterchainBlockSignatures gives them',
      { path: place },
    );
  }
  try {
    return { seqno, set: parseAnswer(answer, entries), proof: isPair ? proofIn(json.block, place) : undefined, place };
  } catch (error) {
    if (error instanceof DecodeError) return { seqno, error };
    throw error;
  }
}

function proofIn(block: unknown, place: string): Uint8Array | undefined {
  if (block === undefined) return undefined;
  const fits = typeof block === 'string' && block.length <= (MAX_BOC_BYTES / 3) * 4;
  const proof = fits ? decodeBase64(block) : undefined;
  if (proof !== undefined) return proof;
  throw new DecodeError('decode/base64', 'expected a block in base64', { path: `${place}: block` });
}

/** @throws UsageError for a file that cannot be read, DecodeError for a line without an end */
async function* rawLines(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  const stream = createReadStream(file, { highWaterMark: 1 << 20 });
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        const piece = chunk.subarray(from, end);
        yield restBytes === 0 ? piece : Buffer.concat([...rest, piece]);
        rest = [];
        restBytes = 0;
        from = end + 1;
      }
      if (from < chunk.length) {
        rest.push(chunk.subarray(from));
        restBytes += chunk.length - from;
      }
      if (restBytes > MAX_LINE_BYTES) {
        throw new DecodeError('decode/too-large', `expected lines of at most ${MAX_LINE_BYTES} bytes`, { path: file });
      }
    }
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    const code = String((error as NodeJS.ErrnoException).code); // whatever was thrown, reading a property is safe
    const why = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`;
    throw new UsageError('usage/bad-option', why, { path: file, cause: error });
  }
  if (restBytes > 0) yield Buffer.concat(rest);
}

/**
 * The blocks of a file, in order.
 * @throws UsageError when they are not in order, since a file of that size is not sorted here, or cannot be read
 */
export async function* readAnswerLines(file: string): AsyncGenerator<AnswerLine | BadLine> {
  let number = 0;
  let last = -1;
  for await (const bytes of rawLines(file)) {
    number += 1;
    if (bytes.length === 0) continue;
    const place = `${file}:${number}`;
    let line: AnswerLine | BadLine;
    try {
      line = readLine(bytes, place);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      yield { error };
      continue;
    }
    const { seqno = last + 1 } = line;
    if (seqno <= last) {
      throw new UsageError('usage/bad-option', `block ${seqno} after block ${last}: expected them in order`, {
        path: place,
        hint: 'sort the lines by seqno, one for each block',
      });
    }
    last = seqno;
    yield line;
  }
}
