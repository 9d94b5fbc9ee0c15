/**
 * Implements `--save DIR`: writes every body of a run unchanged, one file each, numbered by arrival. Each is written at once, so that
 * nothing that ends a run can lose it. No file is overwritten.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { UsageError } from '../../core/base/errors.ts';
import type { RecordedAnswer } from '../../net/toncenter/toncenter-options.ts';
import { cannotWrite, codeOf } from '../files/system-error.ts';
import { shellWord } from './shell-word.ts';

/** Most files of earlier runs in the same folder that are skipped. */
export const MAX_NUMBER = 99_999;

/** Most characters of a server's name in a file name: the whole name stays well under the 255 of most systems. */
const MAX_NAMED_HOST_CHARS = 100;

/** Returns a server's label for a file name. A long label is cut, and a hash keeps it distinct. */
function hostPart(source: string): string {
  const host = source.replace(/^https?:\/\//, '').replace(/[^\w.-]+/g, '_');
  if (host.length <= MAX_NAMED_HOST_CHARS) return host;
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 12);
  return `${host.slice(0, MAX_NAMED_HOST_CHARS - hash.length - 1)}-${hash}`;
}

function fileNameOf({ operation, source, status, query, body }: RecordedAnswer, number: number): string {
  const seqno = /^\d{1,10}$/.test(query.seqno ?? '') ? `-${query.seqno}` : '';
  const param = /^\d{1,10}$/.test(query.config_id ?? '') ? `-param${query.config_id}` : '';
  const failed = status === 200 ? '' : `-${status}`;
  const extension = body[0] === 0x7b ? 'json' : 'txt'; // an opening brace
  return `${String(number).padStart(3, '0')}-${operation}${param}${seqno}-${hostPart(source)}${failed}.${extension}`;
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

/** The answers that led to the verdict. */
export interface UsedAnswer {
  /** The server whose signatures were judged. */
  readonly source: string;
  /** A note to print with the command that repeats the run. */
  readonly note: string;
  /** Words of a shell that the command takes after the file, to judge it by the same set, policy and clock. */
  readonly words: readonly string[];
}

export interface SavedAnswers {
  /** Writes one answer. It never throws: a failure is reported at the end, and changes no verdict. */
  keep(answer: RecordedAnswer): void;
  /** Says what was saved, and how to verify it again without a server. @param used absent if there was no verdict */
  summary(used?: UsedAnswer): string;
}

/** Makes the folder, before any server is asked. @throws UsageError when it cannot be written */
export async function saveTo(folder: string): Promise<SavedAnswers> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw cannotWrite('--save', error);
  }
  const saved: (Pick<RecordedAnswer, 'operation' | 'source' | 'status'> & { readonly path: string })[] = [];
  let seen = 0;
  let number = 0;
  let failure: UsageError | undefined;
  return {
    keep(answer) {
      seen += 1;
      try {
        let path: string;
        do {
          number += 1;
          if (number > MAX_NUMBER) throw Object.assign(new Error('too many files'), { code: 'EEXIST' });
          path = join(folder, fileNameOf(answer, number));
        } while (!writeNew(path, answer.body));
        const { operation, source, status } = answer;
        saved.push({ operation, source, status, path });
      } catch (error) {
        failure ??= cannotWrite('--save', error);
      }
    },
    summary(used) {
      const isUsed = ({ operation, status, source }: (typeof saved)[number]) =>
        operation === 'getMasterchainBlockSignatures' && status === 200 && source === used?.source;
      // A server is asked again after a failure, and no more once its answer was accepted. The last answer is therefore the one that was
      // used.
      const signatures = saved.filter(isUsed).at(-1);
      const again =
        used === undefined || signatures === undefined
          ? ''
          : `; offline again${used.note}: ton-finality verify ${shellWord(signatures.path)} ${used.words.join(' ')}`;
      const many = seen === 1 ? '1 answer' : `${seen} answers`;
      const lost = failure === undefined ? '' : `; ${failure.message}`;
      return `saved ${saved.length < seen ? `${saved.length} of ` : ''}${many} to ${shellWord(folder)}${again}${lost}`;
    },
  };
}
