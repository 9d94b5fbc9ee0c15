/** `scripts/*.txt`: what a user types, and all that the command prints. `test/real-time/cli/scripts.test.ts` plays the other ones. */
import { describe, expect, it } from 'vitest';
import { playScript, readScript, scriptText, wordsOf } from '../helpers/cli-script.ts';
import { PLAYED_FIRST, testScripts } from '../helpers/script-tests.ts';

testScripts(PLAYED_FIRST);

describe('a script', () => {
  const play = async (text: string) => scriptText(await playScript(readScript(text)));
  const version = '# The version\n\n$ ton-finality version\n';

  it('that expects another line, stream or exit code differs from its run', async () => {
    const run = await play(version);
    expect(run).toMatch(/^# The version\n\n\$ ton-finality version\n\| \d+\.\d+\.\d+\n$/);
    for (const wrong of ['| 9.9.9\n', '! 0.1.0\n', 'exit 1\n', ''])
      expect(await play(version + wrong), wrong).toBe(run);
    const refused = await play('# No command\n\n$ ton-finality verfiy\n');
    expect(refused).toContain('\n! ton-finality: expected a command, got "verfiy"; did you mean verify?\n');
    expect(refused).toMatch(/\nexit 2\n$/);
  });

  it('takes a placeholder for what its pattern fits, and for nothing else', async () => {
    for (const [pattern, isKept] of [
      ['[0-9.]+', true],
      ['[0-9]+', false],
    ] as const) {
      const text = `{version} = ${pattern}\n${version}| {version}\n`;
      expect((await play(text)) === text, pattern).toBe(isKept);
    }
    expect(await play(`${version}| {version}\n`)).not.toContain('{version}');
  });

  it('has the files that it names, a shell for what is more than words, and says where output does not end a line', async () => {
    const text = `A=b\n# A shell\n\n$ cat $A.txt; echo no >&2; printf x; \\\n> exit 3\n| in it\n| x\n| (no line end)\n! no\nexit 3\n\n-- b.txt --\nin it\n`;
    expect(await play(text)).toBe(text);
  });

  it.each([
    'text\n',
    '# a\nloose\n',
    '# a\n| before a command\n',
    '# a\n$ b\n> not continued\n',
    '# a\n$ b\n|no space\n',
  ])('that is none is refused: %j', (text) => {
    expect(() => readScript(text)).toThrow(/expected/);
  });

  it('reads words as a shell does', () => {
    expect(wordsOf(`a --b=c 'd e' "f g"h $I/j '$I'`, { I: 'i' })).toEqual(['a', '--b=c', 'd e', 'f gh', 'i/j', '$I']);
    expect(wordsOf('$A x', { A: 'a b' })).toEqual(['a', 'b', 'x']);
    for (const line of ['a | b', 'a > b', 'A=1 b', 'a; b', 'a *', 'a $(b)', 'a & b', 'a \\b', 'a `b`', "a 'b"])
      expect(wordsOf(line, {}), line).toBeUndefined();
    expect(() => wordsOf('a $B', {})).toThrow('$B: expected a variable');
  });
});
