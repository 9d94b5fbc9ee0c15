/**
 * Indexes a folder: finds the block of each answer, and the files that may prove something of a block. Contents decide;
 * a name is only a hint.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DecodeError, FinalityError, SourceError } from '../../core/base/errors.ts';
import { badShape, badTypeName, isObject, joinPath, requireAtMost } from '../../core/base/json-structure.ts';
import { parseJsonBytes } from '../../core/base/json-text.ts';
import { MASTERCHAIN_WORKCHAIN, MAX_BOC_BYTES } from '../../core/base/limits.ts';
import { type BlockIdExt, readBlockId } from '../../core/block/block-id.ts';
import { unwrapAnswer } from '../../core/block/envelope.ts';
import { openBlock, readBlock, readHeader } from '../../core/chain/block-header.ts';
import { badFile, cannotRead, codeOf } from '../files/system-error.ts';
import { withFileName } from '../files/with-file-name.ts';
import { unlessRefused } from './audit-source.ts';
import { UnnumberedEntries, Unreadable } from './unreadable.ts';

/**
 * Most files and levels of folders that are read, and most bytes of one file. A folder counts once for each link to it.
 */
const MAX_FILES = 1_000_000;
const MAX_DEPTH = 8;
const MAX_ANSWER_BYTES = 1 << 26;

/** Place of an answer: a file, and an index in it if the file is a list. */
export interface AnswerPlace {
  readonly file: string;
  readonly at?: number;
}

/** The first answer of a number, and where a different block claims the same number. */
export interface IndexedAnswer {
  readonly place: AnswerPlace;
  /** Both hashes. */
  readonly hashes: string;
  other?: AnswerPlace;
}

export function nameOf({ file, at }: AnswerPlace): string {
  return at === undefined ? file : `${file}[${at}]`;
}

/** @param place of the answer that counts @param other of a different block under its number */
export function twoBlocks(seqno: number, place: string, other: string): DecodeError {
  return new DecodeError('decode/two-blocks', `expected one block ${seqno}, got a different one in ${other}`, {
    path: place,
    hint: 'remove the answer with the wrong number',
  });
}

export type FolderIndex = ReturnType<typeof emptyIndex>;

/** Makes the error of JSON that is not the answer of a server. */
function noAnswer(result: unknown, path: string): DecodeError {
  const wanted = 'signatures of a block, as getMasterchainBlockSignatures gives them';
  if (!isObject(result) || !Object.hasOwn(result, '@type')) return badShape(wanted, result, path);
  return badTypeName(wanted, result['@type'], joinPath(path, ['@type']));
}

/** Members that show that JSON without the type of an answer was meant as one. */
const OF_ANSWERS = ['signatures', 'answer'];

/**
 * Returns the block of an answer; `undefined` for JSON of another kind.
 * @throws DecodeError for an error of a server, an invalid block id, or an answer without its type
 */
function readId(json: unknown): BlockIdExt | undefined {
  const { result, path } = unwrapAnswer(json);
  if (!isObject(result)) return undefined;
  if (String(result['@type']).startsWith('blocks.blockSignatures')) {
    return readBlockId(result.id, joinPath(path, ['id']));
  }
  if (OF_ANSWERS.some((member) => Object.hasOwn(result, member))) throw noAnswer(result, path);
  return undefined;
}

/** Returns the block of an answer. @throws DecodeError for anything else */
export function blockOfAnswer(json: unknown): BlockIdExt {
  const id = readId(json);
  if (id !== undefined) return id;
  const { result, path } = unwrapAnswer(json);
  throw noAnswer(result, path);
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
    if (above.includes(real)) throw badFile(path, 'a link to a folder that contains the link', 'remove the link');
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

/** Makes an index without answers, and without files that may prove something about a block. */
function emptyIndex() {
  const answers = new Map<number, IndexedAnswer>();
  return { answers, proofs: new Map<number, string[]>(), unreadable: new Unreadable() };
}

/**
 * Adds an answer, unless its number has one. If the answer cannot be read, records why.
 * @param read returns its block
 * @returns the number, if there is one, or why the answer cannot be read
 */
function addAnswer({ answers, unreadable }: FolderIndex, place: AnswerPlace, read: () => BlockIdExt | undefined) {
  try {
    const id = withFileName(nameOf(place), read);
    if (id === undefined) return undefined;
    const hashes = Buffer.concat([id.rootHash, id.fileHash]).toString('latin1');
    const first = answers.get(id.seqno);
    if (first === undefined) answers.set(id.seqno, { place, hashes });
    else if (first.hashes !== hashes) first.other ??= place;
    return id.seqno;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    unreadable.add(() => error);
    return error;
  }
}

/**
 * Adds the answers of a list. If the whole list is in order, an entry that cannot be read
 * counts for the number that is missing there.
 */
function addList(index: FolderIndex, list: readonly unknown[], file: string): void {
  const unnumbered = new UnnumberedEntries<DecodeError>();
  const numbered: (readonly [number, DecodeError])[] = [];
  let isInOrder = true;
  for (const [at, answer] of list.entries()) {
    const seqno = addAnswer(index, { file, at }, () => blockOfAnswer(answer));
    if (seqno instanceof DecodeError) unnumbered.add(seqno);
    else if (seqno !== undefined) {
      isInOrder &&= seqno >= (unnumbered.lastSeqno ?? 0);
      numbered.push(...unnumbered.takeUpTo(seqno));
    }
  }
  if (unnumbered.lastSeqno !== undefined) numbered.push(...unnumbered.takeUpTo(Number.POSITIVE_INFINITY));
  if (isInOrder) for (const [seqno, error] of numbered) index.unreadable.assign(seqno, error);
}

/** Reads one file with an answer, or a list of them. @throws DecodeError, SourceError, UsageError */
export async function indexFile(file: string): Promise<FolderIndex> {
  const index = emptyIndex();
  const json = await readAnswers(file);
  if (Array.isArray(json)) addList(index, json, file);
  else addAnswer(index, { file }, () => blockOfAnswer(json));
  return index;
}

/** Reads a `.json` file of a folder. JSON of another kind is passed over. @param number in its name */
async function addFile(index: FolderIndex, file: string, number: number | undefined): Promise<void> {
  const { unreadable } = index;
  const refuse = (error: DecodeError) => {
    if (number !== undefined) unreadable.assign(number, error);
  };
  let json: unknown;
  try {
    json = await readAnswers(file);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    unreadable.add(() => error);
    return refuse(error);
  }
  const isAnswer = (entry: unknown) => unlessRefused(() => readId(entry)) !== undefined;
  // A folder may hold lists of other things.
  if (Array.isArray(json) && (json.length === 0 || json.some(isAnswer))) return addList(index, json, file);
  if (Array.isArray(json) && !isObject(json[0])) return; // a list of something else
  const [answer, place] = Array.isArray(json) ? [json[0], { file, at: 0 }] : [json, { file }];
  const seqno = addAnswer(index, place, () => readId(answer));
  if (seqno instanceof DecodeError) refuse(seqno);
}

const NUMBERS = /(?<![0-9])[0-9]{1,10}(?![0-9])/g;

/** Reads every file of a folder once. If several answers are for one block, the first by file name counts; two blocks under one number are an error. */
export async function indexFolder(folder: string): Promise<FolderIndex> {
  const index = emptyIndex();
  const files = await filesBelow(folder);
  /** The numbers in a path, folders included. The last one is usually the number of a block. */
  const numbersOf = (file: string) => (file.slice(folder.length).match(NUMBERS) ?? []).map(Number);
  for (const file of files) if (file.endsWith('.json')) await addFile(index, file, numbersOf(file).at(-1));
  for (const file of files) if (file.endsWith('.boc')) await addProof(index, file, numbersOf(file));
  return index;
}

/**
 * Adds a `.boc` file of a folder. Cells of another kind are passed over. The header decides, unless the only number in the path is that of
 * an answer: such a file is read with its answer.
 * @param numbers in its path
 */
async function addProof(index: FolderIndex, file: string, numbers: readonly number[]): Promise<void> {
  const { answers, proofs, unreadable } = index;
  const last = numbers.at(-1);
  const isClear = last !== undefined && answers.has(last) && numbers.every((number) => number === last);
  let seqno = last;
  try {
    if (!isClear) seqno = (await seqnoInHeader(file)) ?? last;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (last === undefined) unreadable.addProof(error);
  }
  const others = seqno === undefined ? undefined : proofs.get(seqno);
  if (others !== undefined) others.push(file);
  else if (seqno !== undefined) proofs.set(seqno, [file]);
}

/**
 * Returns the number of the masterchain block in a file; `undefined` for cells that show none.
 * @throws DecodeError for a file without cells: it may be a damaged block of any number
 */
async function seqnoInHeader(file: string): Promise<number | undefined> {
  const bytes = await readProof(file);
  if (bytes === undefined) throw tooLarge(file);
  const { root } = withFileName(file, () => openBlock(bytes, 'block'));
  const header = unlessRefused(() => readHeader(readBlock(root, 'block'), 'block'));
  return header?.workchain === MASTERCHAIN_WORKCHAIN ? header.seqno : undefined;
}

export function tooLarge(path: string): DecodeError {
  return new DecodeError('decode/too-large', `expected a block or proof of at most ${MAX_BOC_BYTES} bytes`, { path });
}

/** Reads a proof; `undefined` for a file that is too large for one. @throws SourceError, UsageError */
export function readProof(file: string): Promise<Uint8Array | undefined> {
  return orRefuse(file, async () => {
    const { size } = await stat(file);
    return size > MAX_BOC_BYTES ? undefined : await readFile(file);
  });
}
