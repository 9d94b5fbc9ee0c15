/** Answers from a file of lines, in the order of their blocks, read as they are asked for. */
import { open } from 'node:fs/promises';
import { decodeBase64 } from '../../core/base/bytes.ts';
import { DecodeError, type FinalityError, UsageError } from '../../core/base/errors.ts';
import { isObject, type JsonObject } from '../../core/base/json-structure.ts';
import { MAX_BOC_BYTES } from '../../core/base/limits.ts';
import { parseAnswer, readAnswerJson } from '../../core/block/answer-bytes.ts';
import type { SignatureSet } from '../../core/block/signature-set.ts';
import { codeOf } from '../files/system-error.ts';
import { seqnoOfAnswer } from './answer-folder.ts';
import { chunkFor } from './read-ledger.ts';

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
  /** Made when it is asked for: a file may have nothing but such lines. */
  readonly makeError: () => FinalityError;
}

function noAnswer(path: string): DecodeError {
  const message = 'expected signatures of a block, as getMasterchainBlockSignatures gives them';
  return new DecodeError('decode/shape', message, { path });
}

const [BRACE, SPACE, BYTE_ORDER_MARK] = [0x7b, 0x20, 0xef];

/** Looked at first: the errors of a JSON parser cost a hundred times as much. */
function mayBeObject(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > SPACE);
  return first === BRACE || first === BYTE_ORDER_MARK;
}

/** `{ "answer": …, "block": base64 }`, or the answer itself. */
function readLine(bytes: Uint8Array, place: string): AnswerLine | BadLine {
  if (!mayBeObject(bytes)) return { makeError: () => noAnswer(place) };
  const { json, entries } = readAnswerJson(bytes, place);
  const isPair = isObject(json) && Object.hasOwn(json, 'answer');
  const answer = isPair ? json.answer : json;
  if (isPair) requireKnownMembers(json, place);
  const seqno = seqnoOfAnswer(answer);
  if (seqno === undefined) throw noAnswer(place);
  try {
    return { seqno, set: parseAnswer(answer, entries), proof: isPair ? proofIn(json.block, place) : undefined, place };
  } catch (error) {
    if (error instanceof DecodeError) return { seqno, makeError: () => error };
    throw error;
  }
}

/** A misspelt `block` would only make less of the id bound, and nobody would know. */
function requireKnownMembers(pair: JsonObject, place: string): void {
  const odd = Object.keys(pair).find((member) => member !== 'answer' && member !== 'block');
  if (odd === undefined) return;
  const got = JSON.stringify(odd.slice(0, 80));
  throw new DecodeError('decode/shape', `expected the members answer and block, got ${got}`, { path: place });
}

function proofIn(block: unknown, place: string): Uint8Array | undefined {
  if (block === undefined) return undefined;
  const fits = typeof block === 'string' && block.length <= (MAX_BOC_BYTES / 3) * 4;
  const proof = fits ? decodeBase64(block) : undefined;
  if (proof !== undefined) return proof;
  throw new DecodeError('decode/base64', 'expected a block in base64', { path: `${place}: block` });
}

function tooLong(path: string): DecodeError {
  return new DecodeError('decode/too-large', `expected lines of at most ${MAX_LINE_BYTES} bytes`, { path });
}

/** @throws UsageError */
async function openLines(file: string) {
  try {
    return await open(file, 'r');
  } catch (cause) {
    const code = codeOf(cause);
    const why = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`;
    throw new UsageError('usage/bad-option', why, { path: file, cause });
  }
}

/**
 * Each line is good until the next one is asked for: all are read into one buffer.
 * @returns in the place of a line that is too long, nothing of it
 * @throws UsageError for a file that cannot be read
 */
async function* rawLines(file: string): AsyncGenerator<Uint8Array | undefined> {
  const handle = await openLines(file);
  try {
    const chunkBytes = chunkFor(await handle.stat());
    let buffer = Buffer.allocUnsafe(chunkBytes);
    let filled = 0;
    let isTooLong = false;
    const [one, other] = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)];
    let coming = handle.read(one, 0, chunkBytes, null);
    for (;;) {
      const { bytesRead, buffer: chunk } = await coming;
      if (bytesRead === 0) break;
      coming = handle.read(chunk === one ? other : one, 0, chunkBytes, null); // while these lines are looked at
      coming.catch(() => {}); // seen when its turn comes, which may be never
      const searchFrom = filled;
      if (filled + bytesRead > buffer.length) buffer = Buffer.concat([buffer.subarray(0, filled)], 2 * buffer.length);
      chunk.copy(buffer, filled, 0, bytesRead);
      filled += bytesRead;
      let from = 0;
      const whole = buffer.subarray(0, filled);
      for (let end = whole.indexOf(NEWLINE, searchFrom); end >= 0; end = whole.indexOf(NEWLINE, from)) {
        yield isTooLong || end - from > MAX_LINE_BYTES ? undefined : whole.subarray(from, end);
        isTooLong = false;
        from = end + 1;
      }
      buffer.copyWithin(0, from, filled);
      filled -= from;
      if (!isTooLong && filled <= MAX_LINE_BYTES) continue;
      isTooLong = true;
      filled = 0; // the rest of it goes the same way
    }
    if (isTooLong) yield undefined;
    else if (filled > 0) yield buffer.subarray(0, filled);
  } finally {
    await handle.close();
  }
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
    if (bytes?.length === 0) continue;
    const place = `${file}:${number}`;
    let line: AnswerLine | BadLine;
    try {
      line = bytes === undefined ? { makeError: () => tooLong(place) } : readLine(bytes, place);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      line = { makeError: () => error };
    }
    const { seqno = last + 1 } = line;
    if (seqno <= last) {
      throw new UsageError('usage/bad-option', `block ${seqno} after block ${last}: expected them in order`, {
        path: place,
        hint: 'sort the lines by seqno, one for each block',
      });
    }
    if (line.seqno !== undefined) last = seqno;
    yield line;
  }
}
