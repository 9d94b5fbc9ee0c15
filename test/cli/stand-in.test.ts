/** The words of the stand-in server's command, which a reader of the docs meets first. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/vectors.ts';

const run = (...words: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'build', 'test', 'helpers', 'stand-in-main.js'), ...words], {
    encoding: 'utf8',
  });

it('says how it is used, and what is wrong with an option that it does not have', () => {
  expect(run('--help')).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('--bridge') });
  const odd = run('--brigde');
  expect(odd).toMatchObject({ status: 2, stdout: '' });
  expect(odd.stderr).toMatch(/^Unknown option '--brigde'\n\nnpm run stand-in/);
});
