/** Finds the command, runs it, and turns errors into messages and an exit code. */
import { UsageError } from '../../core/base/errors.ts';
import { codeOf } from '../files/system-error.ts';
import { beforeNames, didYouMean, readWords } from './command.ts';
import { firstWordsOf } from './command-table.ts';
import { COMMANDS, findCommand } from './commands.ts';
import { shown } from './input/option-rows.ts';
import { EXIT, exitCodeOfError } from './output/exit-code.ts';
import { printAside, printError, printResult } from './output/print.ts';
import { readVersion } from './package-files.ts';

const HELP = ['help', '--help', '-h'];
const VERSION_WORDS = ['version', '--version', '-v'];

/** Handles words that no command begins with. @throws UsageError unless they ask for the help of a group */
async function helpOfOthers(words: readonly string[]): Promise<string> {
  const [first = '', second] = words;
  const isGroup = COMMANDS.some((row) => firstWordsOf(row)[0] === first);
  const asks = second === undefined ? false : HELP.includes(second);
  if (isGroup && asks) return (await import('./help.ts')).helpOfGroup(first, COMMANDS);
  const at = isGroup ? 1 : 0;
  const known = COMMANDS.map(firstWordsOf).filter((all) => at === 0 || all[0] === first);
  const next = [...new Set(known.flatMap((all) => all[at] ?? []))];
  const list = `${next.slice(0, -1).join(', ')} or ${next.at(-1)}`;
  const wanted = isGroup ? `${COMMANDS.some(({ name }) => name === first) ? 'options, ' : ''}${list}` : 'a command';
  const got = words[at];
  const meant = got === undefined ? '' : didYouMean(got, at === 0 ? [...next, 'help', 'version'] : next);
  const hint = isGroup ? `run ton-finality ${first} --help` : 'run ton-finality --help';
  const message = `expected ${wanted}, got ${got === undefined ? 'nothing' : shown(got)}${meant}`;
  throw new UsageError('usage/bad-option', message, { hint });
}

/** Returns whether a word should name a subcommand but does not, as in `audit chek`. */
function isMisspelt({ row, rest: [next] }: NonNullable<ReturnType<typeof findCommand>>): boolean {
  return (
    next?.startsWith('-') === false &&
    COMMANDS.some(({ name }) => /^[a-z]/.test(name.slice(row.name.length + 1)) && name.startsWith(`${row.name} `))
  );
}

async function run(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words;
  if (first === undefined) {
    // An unset variable in a script must not look like a final block.
    await printAside((await import('./help.ts')).overview(COMMANDS));
    return EXIT.badInput;
  }
  const isVersion = VERSION_WORDS.includes(first);
  if (HELP.includes(isVersion ? (rest[0] ?? '') : first) && (first !== 'help' || rest.length === 0)) {
    await printResult((await import('./help.ts')).overview(COMMANDS));
    return 0;
  }
  if (first === 'help') return await run([...rest, '--help']);
  if (isVersion) {
    readWords({ options: {} }, rest);
    await printResult(await readVersion());
    return 0;
  }
  const found = findCommand(words);
  if (found === undefined || isMisspelt(found)) {
    await printResult(await helpOfOthers(words));
    return 0;
  }
  const { load, name } = found.row;
  return await (await load()).main({ name, words: found.rest, all: words, commands: COMMANDS });
}

/** Makes a UsageError of a reached limit on open files, or a removed folder, since that is not a defect of this program. */
function told(error: unknown): unknown {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd') {
    return new UsageError('usage/bad-option', 'the current folder was removed', { hint: 'change to another one' });
  }
  if (!/^E[MN]FILE$/.test(codeOf(error) ?? '')) return error;
  const hint = 'allow more open files: ulimit -n 1024';
  return new UsageError('usage/bad-option', (error as Error).message, { hint }); // an error with such a code is an Error
}

/** Runs a command line. It never throws. @returns the exit code */
export async function main(words: readonly string[]): Promise<number> {
  try {
    return await run(words);
  } catch (thrown) {
    const error = told(thrown);
    await printError(error, beforeNames(words).includes('--json')).catch(() => {}); // there is no reader left
    return exitCodeOfError(error);
  }
}
