/**
 * Implements `--save DIR`: writes every answer of a run unchanged, one file each, numbered by arrival. Each is written at once, so that
 * nothing that ends a run can lose it. No file is overwritten.
 */
import { createHash } from 'node:crypto';
import { accessSync, closeSync, constants, mkdirSync, openSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { printable, type UsageError } from '../../../core/base/errors.ts';
import type { Policy } from '../../../core/verify/report.ts';
import type { RecordedLiteAnswer } from '../../../net/lite/requester.ts';
import type { RecordedAnswer } from '../../../net/toncenter/toncenter-options.ts';
import { cannotWrite, codeOf } from '../../files/system-error.ts';
import { counted } from '../../report/layout.ts';
import type { OptionTable } from '../input/option-rows.ts';

/** Most files of earlier runs in the same folder that are skipped. */
const MAX_NUMBER = 99_999;

/** Most characters of a server's name in a file name: the whole name stays well under the 255 of most systems. */
const MAX_NAMED_HOST_CHARS = 100;

type SavedAnswer = RecordedAnswer | RecordedLiteAnswer;

/** Returns a server's label for a file name. A long label is cut, and a hash keeps it distinct. */
function hostPart(source: string): string {
  const host = source.replace(/^(?:https?|lite):\/\//, '').replace(/[^\w.-]+/g, '_');
  if (host.length <= MAX_NAMED_HOST_CHARS) return host;
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 12);
  return `${host.slice(0, MAX_NAMED_HOST_CHARS - hash.length - 1)}-${hash}`;
}

/** Returns the name of an answer's file, without its number. */
function fileNameOf(answer: SavedAnswer): string {
  const { operation } = answer;
  const host = hostPart(answer.source);
  if ('answer' in answer) return `${operation.replace(/\W+/g, '_')}-${host}.tl`;
  const { status, query, body } = answer;
  const seqno = /^\d{1,10}$/.test(query.seqno ?? '') ? `-${query.seqno}` : '';
  const param = /^\d{1,10}$/.test(query.config_id ?? '') ? `-param${query.config_id}` : '';
  const failed = status === 200 ? '' : `-${status}`;
  const extension = body[0] === 0x7b ? 'json' : 'txt'; // an opening brace
  return `${operation}${param}${seqno}-${host}${failed}.${extension}`;
}

function hasSignatures(answer: SavedAnswer): boolean {
  return 'status' in answer && answer.status === 200 && answer.operation === 'getMasterchainBlockSignatures';
}

/** Writes a new file completely or not at all. @returns false if the name exists already */
function writeNew(path: string, body: Uint8Array): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o644);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(file, body);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

const PLAIN = /^[\w./~+:@%,=-]+$/;

/**
 * Returns a path as one word of a POSIX shell, which can be pasted and contains no character that a terminal acts on; with control
 * characters in it, of bash and similar shells.
 */
function shellWord(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path; // not an option
  if (PLAIN.test(word) && !word.startsWith('~')) return word;
  if (printable(word, word.length) === word) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const bytes = [...Buffer.from(word)].map((byte) => {
    const char = String.fromCharCode(byte);
    return PLAIN.test(char) ? char : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `$'${bytes.join('')}'`;
}

/** The answers that led to a verdict of `verify`. */
export interface UsedAnswer {
  /** The server whose signatures were judged. */
  readonly source: string;
  /** Whether the server also named the validator set. */
  readonly hasClaimedSet: boolean;
  /** Options that say how a file is judged. */
  readonly options: OptionTable;
  /** The given texts of each option. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly policy: Policy;
  readonly nowSeconds: number | undefined;
}

/**
 * Returns the words that repeat the run with a file in place of a server: with the clock that was read, and bound to the requested number.
 * FILE replaces a set that came from the server, and standard input.
 */
function wordsAgain({ options, texts, policy, nowSeconds }: UsedAnswer): string {
  const isBound = policy.requireBoundId === true && !texts.has('strict');
  const again = new Map(texts);
  again.delete('accept-claimed');
  again.delete('require-bound-id');
  if (isBound) again.set('require-bound-id', ['']);
  if (nowSeconds !== undefined) again.set('now', [String(nowSeconds)]);
  const words = Object.entries(options).flatMap(([name, { value }]) => {
    const [given] = again.get(name) ?? [];
    if (given === undefined) return [];
    return value === undefined ? [`--${name}`] : [`--${name}`, given === '-' ? 'FILE' : shellWord(given)];
  });
  return (texts.has('validators-from') ? [...words, '--validators', 'FILE'] : words).join(' ');
}

export type SavedAnswers = ReturnType<typeof saveTo>;

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Makes a folder and those above it. The recursive `mkdir` of Node never ends where a folder takes no new one, as `/proc`. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!isFolder(folder)) throw error; // another process made it
  }
}

/** Makes the folder, before any server is asked. @throws UsageError when it cannot be written */
export function saveTo(folder: string) {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw cannotWrite('--save', error, dirname(folder));
  }
  /** The last file with signatures of each server over HTTP. Answers themselves are not kept: a long run has more than memory holds. */
  const signaturesFrom = new Map<string, string>();
  let saved = 0;
  let seen = 0;
  let number = 0;
  let failure: UsageError | undefined;
  return {
    /** Writes one answer. It never throws: a failure is reported at the end, and changes no verdict. */
    keep(answer: SavedAnswer) {
      seen += 1;
      try {
        let path: string;
        do {
          number += 1;
          if (number > MAX_NUMBER) throw Object.assign(new Error('too many files'), { code: 'EEXIST' });
          path = join(folder, `${String(number).padStart(3, '0')}-${fileNameOf(answer)}`);
        } while (!writeNew(path, 'answer' in answer ? answer.answer : answer.body));
        saved += 1;
        if (hasSignatures(answer)) signaturesFrom.set(answer.source, path);
      } catch (error) {
        failure ??= cannotWrite('--save', error, folder);
      }
    },
    /** Says what was saved, and how to verify it again without a server. @param used absent if there was no verdict */
    summary(used?: UsedAnswer) {
      // A server is asked again after a failure, and no more once its answer was accepted. The last answer is therefore the one that was
      // used.
      const signatures = used && signaturesFrom.get(used.source);
      const note = used?.hasClaimedSet ? ', with a set that is then given, not claimed' : '';
      const again =
        used === undefined || signatures === undefined
          ? ''
          : `; offline again${note}: ton-finality verify ${shellWord(signatures)} ${wordsAgain(used)}`;
      const lost = failure === undefined ? '' : `; ${failure.message}`;
      return `saved ${saved < seen ? `${saved} of ` : ''}${counted('answer', seen)} to ${shellWord(folder)}${again}${lost}`;
    },
  };
}
