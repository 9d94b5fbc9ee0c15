/** Reads lines of files of any size. Memory holds one piece of the file or one line at a time. */
import { type FileHandle, open } from 'node:fs/promises';
import { cannotRead } from '../files/system-error.ts';

const CHUNK_BYTES = 1 << 18;

/**
 * Most bytes of one line. A set of 65,535 validators has about 7 MB; signatures of a block with the block have less.
 */
export const MAX_LINE_BYTES = 1 << 24;

export const NEWLINE = 0x0a;

/** @throws UsageError for a file that cannot be read */
export async function openToRead(file: string, flags: string | number): Promise<FileHandle> {
  try {
    return await open(file, flags);
  } catch (cause) {
    throw cannotRead(file, cause);
  }
}

/**
 * Yields the bytes of a file from its beginning; reads the next piece while you use one. The file stays open at its end.
 * @throws UsageError when a read fails
 */
export async function* chunksOf(handle: FileHandle, file: string): AsyncGenerator<Buffer> {
  try {
    yield* handle.createReadStream({ autoClose: false, highWaterMark: CHUNK_BYTES }); // without an encoding it yields bytes
  } catch (cause) {
    throw cannotRead(file, cause);
  }
}

/**
 * Yields lines that end with a newline, all lines of a piece together. Each is valid until you ask for the next.
 * @param isLastWhole whether the text after the last newline is a line too
 * @returns `undefined` in the place of a line that is too long
 */
export async function* linesIn(
  chunks: AsyncIterable<Buffer>,
  isLastWhole: boolean,
): AsyncGenerator<(Buffer | undefined)[], void> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let isSkipped = false;
  for await (const chunk of chunks) {
    const lines: (Buffer | undefined)[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, end);
      const isTooLong = restBytes + piece.length > MAX_LINE_BYTES;
      if (!isSkipped && !isTooLong) lines.push(restBytes === 0 ? piece : Buffer.concat([...rest, piece]));
      else if (!isSkipped) lines.push(undefined);
      rest = [];
      restBytes = 0;
      isSkipped = false;
      from = end + 1;
    }
    if (!isSkipped && from < chunk.length) {
      rest.push(Buffer.from(chunk.subarray(from)));
      restBytes += chunk.length - from;
    }
    if (restBytes > MAX_LINE_BYTES) {
      lines.push(undefined);
      rest = [];
      restBytes = 0;
      isSkipped = true; // the rest of it is skipped too
    }
    if (lines.length > 0) yield lines;
  }
  if (isLastWhole && restBytes > 0) yield [Buffer.concat(rest)];
}
