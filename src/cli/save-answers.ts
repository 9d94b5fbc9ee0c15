/** `--save DIR`: every body of a run as it came, one file each, numbered in the order they arrived. Never overwrites. */

import { constants } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { RecordedAnswer } from '../http/toncenter-options.ts';

/** Files of earlier runs in the same folder that are stepped over. */
const MAX_NUMBER = 99_999;

function nameOf({ operation, source, status, query, body }: RecordedAnswer, number: number): string {
  const host = source.replace(/^https?:\/\//, '').replace(/[^\w.-]+/g, '_');
  const seqno = /^\d+$/.test(query.seqno ?? '') ? `-${query.seqno}` : '';
  const param = /^\d+$/.test(query.config_id ?? '') ? `-param${query.config_id}` : '';
  const failed = status === 200 ? '' : `-${status}`;
  const extension = body[0] === 0x7b ? 'json' : 'txt'; // an opening brace
  return `${String(number).padStart(3, '0')}-${operation}${param}${seqno}-${host}${failed}.${extension}`;
}

function cannotWrite(error: unknown): UsageError {
  const code = String((error as NodeJS.ErrnoException).code); // whatever was thrown, reading a property is safe
  return new UsageError('usage/bad-option', `cannot be written (${code})`, { path: '--save', cause: error });
}

/** Makes the folder, before anybody is asked anything. @throws UsageError when it cannot be written */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw cannotWrite(error);
  }
}

/** Where the verdict came from. */
export interface UsedAnswer {
  /** The server whose signatures were judged. */
  readonly source: string;
  /** Whether the validator set came from a server too. */
  readonly isSetClaimed: boolean;
}

/** What was saved, and how to verify it again without a server. */
function words(
  folder: string,
  answers: readonly RecordedAnswer[],
  paths: readonly string[],
  used: UsedAnswer | undefined,
): string {
  // A server is asked again after a failure, and no more once its answer was taken: the last one is it.
  const at = answers
    .map(
      ({ operation, status, source }) =>
        operation === 'getMasterchainBlockSignatures' && status === 200 && source === used?.source,
    )
    .lastIndexOf(true);
  const set = used?.isSetClaimed === true ? ', with a set that is then given, not claimed' : '';
  const again = at < 0 ? '' : `; offline again${set}: ton-finality verify ${paths[at]} --validators FILE`;
  return `saved ${paths.length} ${paths.length === 1 ? 'answer' : 'answers'} to ${folder}${again}`;
}

/**
 * @param used left out when there was no verdict
 * @returns what to tell the user. @throws UsageError when the folder cannot be written
 */
export async function saveAnswers(
  folder: string,
  answers: readonly RecordedAnswer[],
  used: UsedAnswer | undefined,
): Promise<string> {
  const paths: string[] = [];
  try {
    let number = 1;
    for (const answer of answers) {
      for (;;) {
        const path = join(folder, nameOf(answer, number++));
        try {
          await writeFile(path, answer.body, { flag: 'wx', mode: 0o644 });
          paths.push(path);
          break;
        } catch (error) {
          const taken = (error as NodeJS.ErrnoException).code === 'EEXIST'; // whatever was thrown, reading a property is safe
          if (!taken || number > MAX_NUMBER) throw error;
        }
      }
    }
  } catch (error) {
    throw cannotWrite(error);
  }
  return words(folder, answers, paths, used);
}
