/**
 * Implements `--save DIR` for lite servers: writes every answer unchanged, one `.tl` file each, numbered by arrival. No file is
 * overwritten.
 */
import { writeFileSync } from 'node:fs';
import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedLiteAnswer } from '../../net/lite/requester.ts';
import { cannotWrite, codeOf } from '../files/system-error.ts';
import { MAX_NUMBER } from './save-answers.ts';

export interface LiteSaver {
  /** Writes one answer at once. It never throws: a failure is reported at the end. */
  keep(answer: RecordedLiteAnswer): void;
  summary(): string;
}

/** Makes the folder, before any server is asked. @throws UsageError when it cannot be written */
export async function saveLiteAnswers(folder: string): Promise<LiteSaver> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw cannotWrite('--save', error);
  }
  let number = 0;
  let saved = 0;
  let failure: unknown;
  return {
    keep({ operation, source, answer }) {
      const host = source
        .replace(/^lite:\/\//, '')
        .replace(/[^\w.-]+/g, '_')
        .slice(0, 100);
      while (failure === undefined && number < MAX_NUMBER) {
        number += 1;
        const name = `${String(number).padStart(3, '0')}-${operation.replace(/\W+/g, '_')}-${host}.tl`;
        try {
          writeFileSync(join(folder, name), answer, { flag: 'wx', mode: 0o644 });
          saved += 1;
          return;
        } catch (error) {
          if (codeOf(error) !== 'EEXIST') failure = error;
        }
      }
    },
    summary() {
      const lost = failure === undefined ? '' : `; the rest cannot be written (${codeOf(failure)})`;
      return `saved ${saved} ${saved === 1 ? 'answer' : 'answers'} to ${folder}${lost}`;
    },
  };
}
