/** What a folder holds: which block each answer in it is of, and where proofs of a block may be. Contents decide, names help. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DecodeError, FinalityError, SourceError, UsageError } from '../../core/base/errors.ts';
import { isObject } from '../../core/base/json-structure.ts';
import { parseJsonBytes } from '../../core/base/json-text.ts';
import { MAX_BOC_BYTES } from '../../core/base/limits.ts';
import { readBlockId } from '../../core/block/block-id.ts';
import { unwrapAnswer } from '../../core/block/envelope.ts';
import { cannotRead, codeOf } from '../files/system-error.ts';

/** Files and levels of folders that are looked at, and bytes of one file. Folders that links lead to count each time. */
const MAX_FILES = 1_000_000;
const MAX_DEPTH = 8;
const MAX_ANSWER_BYTES = 1 << 26;

/** Proofs that are kept in mind for one block. */
const MAX_PROOFS = 16;

/** Where an answer stands: a file, and its place in it where the file is a list. */
export interface AnswerPlace {
  readonly file: string;
  readonly at?: number;
}

export interface FolderIndex {
  readonly answers: ReadonlyMap<number, AnswerPlace>;
  /** Files that may prove something of a block, by the number in their names. */
  readonly proofs: ReadonlyMap<number, readonly string[]>;
  /** Files that should be answers and cannot be read, by the number in their names. */
  readonly unreadable: ReadonlyMap<number, DecodeError>;
}

/** @returns `undefined` for JSON of another kind @throws DecodeError for an error of a server, or a block id that is none */
function readSeqno(json: unknown): number | undefined {
  const { result, path } = unwrapAnswer(json);
  if (!isObject(result) || !String(result['@type']).startsWith('blocks.blockSignatures')) return undefined;
  return readBlockId(result.id, path).seqno;
}

/** The block of a signature answer, as far as it can be told; `undefined` for any other JSON. */
export function seqnoOfAnswer(json: unknown): number | undefined {
  try {
    return readSeqno(json);
  } catch (error) {
    if (error instanceof DecodeError) return undefined; // an error of a server, or no answer at all
    throw error;
  }
}

/** The last number in a path, folders included: that of a block, mostly. */
function numberIn(path: string): number | undefined {
  const digits = path.match(/(?<![0-9])[0-9]{1,10}(?![0-9])/g)?.at(-1);
  return digits === undefined ? undefined : Number(digits);
}

/** A folder that leads into itself. */
function requireNoLoop(path: string, real: string, above: readonly string[]): void {
  if (!above.includes(real)) return;
  throw new UsageError('usage/bad-option', 'a link to a folder that contains the link', {
    path,
    hint: 'remove the link',
  });
}

/** Links are followed: their own names count. Whatever cannot be looked into is refused, since blocks would be missing without a word. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  let seen = 0;
  const look = async (path: string, above: readonly string[]): Promise<void> => {
    const real = await orRefuse(path, () => realpath(path));
    requireNoLoop(path, real, above);
    if (above.length >= MAX_DEPTH) {
      throw new UsageError('usage/bad-option', `expected at most ${MAX_DEPTH} levels of folders, got more`, { path });
    }
    const entries = await orRefuse(path, () => readdir(path, { withFileTypes: true }));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      seen += 1;
      if (seen > MAX_FILES) {
        throw new UsageError('usage/bad-option', `expected at most ${MAX_FILES} files, got more`, { path: folder });
      }
      const name = join(path, entry.name);
      const kind = entry.isSymbolicLink() ? await stat(name).catch(() => undefined) : entry;
      if (kind?.isDirectory()) await look(name, [...above, real]);
      else if (kind?.isFile()) files.push(name);
      else if (IS_READ.test(name)) {
        const got = kind === undefined ? 'a broken link' : 'something else';
        throw new UsageError('usage/bad-option', `expected a plain file, got ${got}`, { path: name });
      }
    }
  };
  await look(folder, []);
  return files;
}

/** Names of files that are read. */
const IS_READ = /\.(?:boc|json)$/;

/** @throws SourceError for a file that is gone since the folder was looked through, UsageError for one that cannot be read */
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
    if (size > MAX_ANSWER_BYTES) {
      throw new DecodeError('decode/too-large', `expected at most ${MAX_ANSWER_BYTES} bytes, got ${size}`, {
        path: file,
      });
    }
    return parseJsonBytes(await readFile(file), file);
  });
}

/** Reads every file once. Of several answers for one block the first counts, in the order of names. */
export async function indexFolder(folder: string): Promise<FolderIndex> {
  const answers = new Map<number, AnswerPlace>();
  const proofs = new Map<number, string[]>();
  const unreadable = new Map<number, DecodeError>();
  const add = (seqno: number | undefined, place: AnswerPlace) => {
    if (seqno !== undefined && !answers.has(seqno)) answers.set(seqno, place);
  };
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
        if (!Array.isArray(json)) add(readSeqno(json), { file });
        else for (const [at, one] of json.entries()) add(seqnoOfAnswer(one), { file, at });
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        if (seqno !== undefined && !unreadable.has(seqno)) unreadable.set(seqno, error);
      }
    }
  }
  return { answers, proofs, unreadable };
}

/** A proof as it stands in its file; `undefined` for one that is too large to be one. @throws SourceError, UsageError */
export function readProof(file: string): Promise<Uint8Array | undefined> {
  return orRefuse(file, async () => {
    const { size } = await stat(file);
    return size > MAX_BOC_BYTES ? undefined : await readFile(file);
  });
}
