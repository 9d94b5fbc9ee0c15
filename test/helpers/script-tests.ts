/** A test for each case of scripts in `test/cli/scripts`. With `-u` a run writes what was printed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { caseText, playScript, readScript, type Script, scriptText } from './cli-script.ts';
import { ROOT } from './vectors.ts';

export const SCRIPTS = join(ROOT, 'test', 'cli', 'scripts');

/** Scripts of what needs nothing but its input: `npm test` plays them, and `npm run test:real-time` plays all others. */
export const PLAYED_FIRST: readonly string[] = ['mistakes.txt', 'validators.txt', 'verify.txt'];

/** Whether vitest was started with `-u`. */
const isUpdate = () =>
  (expect.getState() as { snapshotState?: { snapshotUpdateState: string } }).snapshotState?.snapshotUpdateState ===
  'all';

export function testScripts(names: readonly string[]): void {
  describe.each(names)('%s', (name) => {
    const text = readFileSync(join(SCRIPTS, name), 'utf8');
    const written = readScript(text);
    let played: Script;
    beforeAll(async () => {
      played = await playScript(written);
    });

    it.each(written.cases.map(({ title }, at) => [title, at] as const))('%s', (_, at) => {
      if (isUpdate()) writeFileSync(join(SCRIPTS, name), scriptText(played));
      else expect(caseText(played.cases[at]!)).toBe(caseText(written.cases[at]!));
    });

    it('is written as it is read: no line is left out of the comparison', () => {
      if (!isUpdate()) expect(scriptText(written)).toBe(text);
    });
  });
}
