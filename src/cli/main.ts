/** Finds the command, runs it, and turns whatever it throws into words and an exit code. */
import { readFile } from 'node:fs/promises';
import { UsageError } from '../base/errors.ts';
import { checkpointCommand } from './commands/checkpoint.ts';
import { followCommand } from './commands/follow.ts';
import { syncCommand } from './commands/sync.ts';
import { validatorsCommand } from './commands/validators.ts';
import { verifyCommand } from './commands/verify.ts';
import { verifyEvidenceCommand } from './commands/verify-evidence.ts';
import { EXIT, exitCodeOfError } from './exit-code.ts';
import { printError, printResult } from './output.ts';

const USAGE = `ton-finality: proves a TON masterchain block final from its validators' signatures

  ton-finality verify FILE|- --validators FILE   one block: verdict, coverage, signers
  ton-finality verify SEQNO|latest --base-url URL --validators FILE
                                                 the same, fetched from a server first
  ton-finality verify FILE|- --checkpoint FILE   the same under a set that is proven
  ton-finality validators FILE|-                 the validator set in a configuration, key block or proof
  ton-finality checkpoint init|advance|show      a trust state: from a pinned block, along proofs
  ton-finality sync --checkpoint FILE --config FILE
                                                 to today's head over lite servers, none of which is believed
  ton-finality follow --checkpoint FILE --config FILE
                                                 every new block, proven the same way
  ton-finality verify-evidence FILE|-            two certified blocks of one number, checked without a server
  ton-finality COMMAND --help                    a command's options
  ton-finality --version`;

const COMMANDS: Readonly<Record<string, (words: readonly string[]) => Promise<number>>> = {
  verify: verifyCommand,
  validators: validatorsCommand,
  checkpoint: checkpointCommand,
  sync: syncCommand,
  follow: followCommand,
  'verify-evidence': verifyEvidenceCommand,
};

/** Where the package's own package.json stands, seen from `build/src/cli/`. */
const PACKAGE_JSON = new URL('../../../package.json', import.meta.url);

async function run(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words;
  if (first === '--help' || first === '-h') {
    await printResult(USAGE);
    return 0;
  }
  if (first === '--version') {
    const { version } = JSON.parse(await readFile(PACKAGE_JSON, 'utf8')) as { version: string }; // our own file
    await printResult(version);
    return 0;
  }
  const command = first !== undefined && Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  if (command === undefined) {
    const got = first === undefined ? 'nothing' : JSON.stringify(first.slice(0, 80));
    throw new UsageError('usage/bad-option', `expected a command, got ${got}`, { hint: 'see ton-finality --help' });
  }
  return command(rest);
}

/** @returns the exit code. Never throws. */
export async function main(words: readonly string[]): Promise<number> {
  try {
    return await run(words);
  } catch (error) {
    await printError(error, words.includes('--json')).catch(() => {}); // nobody is left to tell
    return error instanceof Error ? exitCodeOfError(error) : EXIT.badInput;
  }
}
