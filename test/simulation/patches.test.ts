/** A fault that is put back by hand needs the line that it changes: a refactoring moves both. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/vectors.ts';
import { MUTANTS } from './mutants.ts';

it('every fault that worlds have to notice changes a line that is there, once', () => {
  for (const { breaks, patches } of MUTANTS)
    for (const { file, find } of patches) {
      const times = readFileSync(join(ROOT, file), 'utf8').split(find).length - 1;
      expect({ breaks, file, find, times }).toEqual({ breaks, file, find, times: 1 });
    }
});
