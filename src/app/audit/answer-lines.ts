/** Reads answers from a file of lines, in the order of their blocks and on demand. */
import { decodeBase64 } from '../../core/base/bytes.ts';
import { DecodeError } from '../../core/base/errors.ts';
import { OPEN_BRACE } from '../../core/base/json-scan.ts';
import { describeJson, isObject, type JsonObject } from '../../core/base/json-structure.ts';
import { MAX_BOC_BYTES } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import { parseAnswer, readAnswerJson } from '../../core/block/answer-bytes.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';
import type { SignatureList } from '../../core/block/signature-list.ts';
import { badFile } from '../files/system-error.ts';
import { namingFile } from '../files/with-file-name.ts';
import { blockOfAnswer, twoBlocks } from './answer-folder.ts';
import { chunksOf, linesIn, MAX_LINE_BYTES, openToRead } from './file-lines.ts';

/** One block of the file. */
export interface AnswerLine {
  readonly id: BlockIdExt;
  readonly signatures: SignatureList;
  /** A block file or a proof of it, where the line has one. */
  readonly proof: Uint8Array | undefined;
  /** File and line number, for errors. */
  readonly place: string;
}

/** A line that could not be read. Without the id of a block, it counts for a block that is missing at this place. */
export interface BadLine {
  readonly id?: BlockIdExt;
  /** Makes the error on demand: a file may consist of such lines only. */
  readonly makeError: () => DecodeError;
}

const [SPACE, BYTE_ORDER_MARK] = [0x20, 0xef];

/** A cheap check before parsing: the error of a JSON parser costs a hundred times as much. */
function mayBeObject(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > SPACE);
  return first === OPEN_BRACE || first === BYTE_ORDER_MARK;
}

/** Reads `{ "answer": …, "block": base64 }`, or the answer itself. @param bytes `undefined` for a line that is too long */
function readLine(bytes: Uint8Array | undefined, place: string): AnswerLine | BadLine {
  const bad = (code: 'decode/shape' | 'decode/too-large', message: string): BadLine => ({
    makeError: () => new DecodeError(code, message, { path: place }),
  });
  if (bytes === undefined) return bad('decode/too-large', `expected lines of at most ${MAX_LINE_BYTES} bytes`);
  if (!mayBeObject(bytes)) return bad('decode/shape', 'expected an object, got text that does not begin with {');
  let id: BlockIdExt | undefined;
  try {
    const { json, entries } = readAnswerJson(bytes, '');
    const isPair = isObject(json) && Object.hasOwn(json, 'answer');
    const answer = isPair ? json.answer : json;
    if (isPair) requireKnownMembers(json);
    id = blockOfAnswer(answer);
    return { id, signatures: parseAnswer(answer, entries), proof: isPair ? proofIn(json.block) : undefined, place };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { ...present({ id }), makeError: () => namingFile(place, error) };
  }
}

/** Rejects unknown members: a misspelt `block` would bind fewer members of the id, without any message. */
function requireKnownMembers(pair: JsonObject): void {
  const odd = Object.keys(pair).find((member) => member !== 'answer' && member !== 'block');
  if (odd === undefined) return;
  const got = JSON.stringify(odd.slice(0, 80));
  throw new DecodeError('decode/shape', `expected the members answer and block, got ${got}`);
}

function proofIn(block: unknown): Uint8Array | undefined {
  if (block === undefined) return undefined;
  const fits = typeof block === 'string' && block.length <= (MAX_BOC_BYTES / 3) * 4;
  const proof = fits ? decodeBase64(block) : undefined;
  if (proof !== undefined) return proof;
  throw new DecodeError('decode/base64', `expected a block in base64, got ${describeJson(block)}`, { path: 'block' });
}

/**
 * Yields the blocks of a file, in order. If several lines name one block, the first counts. A different block under the same number is an
 * error of that number, after the line that it contradicts.
 * @throws UsageError if they are not in order (a file of that size is not sorted here), or the file cannot be read
 */
export async function* readAnswerLines(file: string): AsyncGenerator<AnswerLine | BadLine> {
  const handle = await openToRead(file, 'r');
  let number = 0;
  let last: { readonly id: BlockIdExt; readonly place: string } | undefined;
  try {
    for await (const lines of linesIn(chunksOf(handle, file), true)) {
      for (const bytes of lines) {
        number += 1;
        if (bytes?.length === 0) continue;
        const place = `${file}:${number}`;
        const line = readLine(bytes, place);
        const { id } = line;
        const before = last;
        if (id === undefined || before === undefined || id.seqno > before.id.seqno) {
          if (id !== undefined) last = { id, place };
          yield line;
        } else if (id.seqno < before.id.seqno) {
          const message = `block ${id.seqno} after block ${before.id.seqno}: expected them in order`;
          throw badFile(place, message, 'sort the lines by seqno, one for each block');
        } else if (differingField(id, before.id) !== undefined) {
          yield { id, makeError: () => twoBlocks(id.seqno, before.place, place) };
        }
      }
    }
  } finally {
    await handle.close();
  }
}
