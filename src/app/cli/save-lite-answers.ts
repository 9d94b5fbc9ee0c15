/** `--save DIR` for lite servers: every answer as it came, one `.tl` file each, numbered in the order they arrived. Never overwrites. */
import { writeFileSync } from 'node:fs';
import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedLiteAnswer } from '../../net/lite/requester.ts';
import { cannotWrite, codeOf } from '../files/system-error.ts';

/** Files of earlier runs in the same folder that are stepped over. */
const MAX_NUMBER = 99_999;

export interface LiteSaver {
  /** Writes one answer down at once. Never throws: what cannot be written is told in the end. */
  keep(answer: RecordedLiteAnswer): void;
  summary(): string;
}

/** Makes the folder, before anybody is asked anything. @throws UsageError when it cannot be written */
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
