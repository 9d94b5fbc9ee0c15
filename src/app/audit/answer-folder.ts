/**
 * Indexes a folder: finds the block of each answer, and the files that may prove something of a block. Contents decide;
 * a name is only a hint.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DecodeError, FinalityError, SourceError } from '../../core/base/errors.ts';
import { isObject, requireAtMost } from '../../core/base/json-structure.ts';
import { parseJsonBytes } from '../../core/base/json-text.ts';
import { MAX_BOC_BYTES } from '../../core/base/limits.ts';
import { readBlockId } from '../../core/block/block-id.ts';
import { unwrapAnswer } from '../../core/block/envelope.ts';
import { badFile, cannotRead, codeOf } from '../files/system-error.ts';

/**
 * Most files and levels of folders that are read, and most bytes of one file. A folder counts once for each link to it.
 */
const MAX_FILES = 1_000_000;
const MAX_DEPTH = 8;
const MAX_ANSWER_BYTES = 1 << 26;

/** Most proofs that are remembered for one block. */
const MAX_PROOFS = 16;

/** Place of an answer: a file, and an index in it if the file is a list. */
export interface AnswerPlace {
  readonly file: string;
  readonly at?: number;
}

export interface FolderIndex {
  readonly answers: ReadonlyMap<number, AnswerPlace>;
  /** Files that may prove something about a block, by the number in their names. */
  readonly proofs: ReadonlyMap<number, readonly string[]>;
  /** Files that should be answers but cannot be read, by the number in their names. */
  readonly unreadable: ReadonlyMap<number, DecodeError>;
}

/**
 * Returns the seqno of an answer; `undefined` for JSON of another kind.
 * @throws DecodeError for an error of a server, or an invalid block id
 */
function readSeqno(json: unknown): number | undefined {
  const { result, path } = unwrapAnswer(json);
  if (!isObject(result) || !String(result['@type']).startsWith('blocks.blockSignatures')) return undefined;
  return readBlockId(result.id, path).seqno;
}

/** Returns the block number of a signature answer; `undefined` for any other JSON. */
export function seqnoOfAnswer(json: unknown): number | undefined {
  try {
    return readSeqno(json);
  } catch (error) {
    if (error instanceof DecodeError) return undefined; // an error of a server, or no answer at all
    throw error;
  }
}

/** Returns the last number in a path, folders included. It is usually the number of a block. */
function numberIn(path: string): number | undefined {
  const digits = path.match(/(?<![0-9])[0-9]{1,10}(?![0-9])/g)?.at(-1);
  return digits === undefined ? undefined : Number(digits);
}

/** Rejects a folder that contains itself through links. */
function requireNoLoop(path: string, real: string, above: readonly string[]): void {
  if (!above.includes(real)) return;
  throw badFile(path, 'a link to a folder that contains the link', 'remove the link');
}

/**
 * Lists all files below a folder. Links are followed under their own names. A path that cannot be read is an error:
 * otherwise blocks would be missing without a message.
 */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  let seen = 0;
  const look = async (path: string, above: readonly string[]): Promise<void> => {
    const real = await orRefuse(path, () => realpath(path));
    requireNoLoop(path, real, above);
    if (above.length >= MAX_DEPTH) throw badFile(path, `expected at most ${MAX_DEPTH} levels of folders, got more`);
    const entries = await orRefuse(path, () => readdir(path, { withFileTypes: true }));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      seen += 1;
      if (seen > MAX_FILES) throw badFile(folder, `expected at most ${MAX_FILES} files, got more`);
      const name = join(path, entry.name);
      const kind = entry.isSymbolicLink() ? await stat(name).catch(() => undefined) : entry;
      if (kind?.isDirectory()) await look(name, [...above, real]);
      else if (kind?.isFile()) files.push(name);
      else if (IS_READ.test(name)) {
        const got = kind === undefined ? 'a broken link' : 'something else';
        throw badFile(name, `expected a plain file, got ${got}`);
      }
    }
  };
  await look(folder, []);
  return files;
}

/** Names of the files that are read. */
const IS_READ = /\.(?:boc|json)$/;

/**
 * @throws SourceError for a file that was removed after the folder was listed, UsageError for a file that cannot be
 * read
 */
async function orRefuse<T>(file: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (cause instanceof FinalityError) throw cause;
    if (codeOf(cause) !== 'ENOENT') throw cannotRead(file, cause);
    throw new SourceError('source/missing', `${file}: no such file`, { cause });
  }
}

/** @throws DecodeError, SourceError, UsageError */
export function readAnswers(file: string): Promise<unknown> {
  return orRefuse(file, async () => {
    const { size } = await stat(file);
    requireAtMost(MAX_ANSWER_BYTES, size, file, ' bytes');
    return parseJsonBytes(await readFile(file), file);
  });
}

/** Adds the answers of one file, one or a list. The first answer of a block counts. */
function addAnswers(answers: Map<number, AnswerPlace>, json: unknown, file: string): void {
  const isList = Array.isArray(json);
  for (const [at, answer] of (isList ? json : [json]).entries()) {
    const seqno = seqnoOfAnswer(answer);
    if (seqno !== undefined && !answers.has(seqno)) answers.set(seqno, isList ? { file, at } : { file });
  }
}

/** Reads one file with an answer, or a list of them. @throws DecodeError, SourceError, UsageError */
export async function indexFile(file: string): Promise<FolderIndex> {
  const answers = new Map<number, AnswerPlace>();
  addAnswers(answers, await readAnswers(file), file);
  return { answers, proofs: new Map(), unreadable: new Map() };
}

/** Reads every file of a folder once. If several answers are for one block, the first by file name counts. */
export async function indexFolder(folder: string): Promise<FolderIndex> {
  const answers = new Map<number, AnswerPlace>();
  const proofs = new Map<number, string[]>();
  const unreadable = new Map<number, DecodeError>();
  for (const file of await filesBelow(folder)) {
    const seqno = numberIn(file.slice(folder.length).split(sep).join('/'));
    if (file.endsWith('.boc')) {
      if (seqno === undefined) continue;
      const known = proofs.get(seqno) ?? [];
      if (known.length < MAX_PROOFS) known.push(file);
      proofs.set(seqno, known);
    } else if (file.endsWith('.json')) {
      try {
        const json = await readAnswers(file);
        if (!Array.isArray(json)) readSeqno(json); // throws the error of a server
        addAnswers(answers, json, file);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        if (seqno !== undefined && !unreadable.has(seqno)) unreadable.set(seqno, error);
      }
    }
  }
  return { answers, proofs, unreadable };
}

/** Reads a proof; `undefined` for a file that is too large for one. @throws SourceError, UsageError */
export function readProof(file: string): Promise<Uint8Array | undefined> {
  return orRefuse(file, async () => {
    const { size } = await stat(file);
    return size > MAX_BOC_BYTES ? undefined : await readFile(file);
  });
}
