/** Finds the command, runs it, and turns whatever it throws into words and an exit code. */
import { UsageError } from '../base/errors.ts';
import { checkpointCommand } from './commands/checkpoint.ts';
import { validatorsCommand } from './commands/validators.ts';
import { verifyCommand } from './commands/verify.ts';
import { exitCodeOfError } from './exit-code.ts';
import { printError, printResult } from './output.ts';
import { readVersion } from './version.ts';

const USAGE = `ton-finality: proves a TON masterchain block final from its validators' signatures

  ton-finality verify FILE|- --validators FILE   one block: verdict, coverage, signers
  ton-finality verify SEQNO|latest --base-url URL --validators FILE
                                                 the same, fetched from a server first
  ton-finality verify FILE|- --checkpoint FILE   the same under a set that is proven
  ton-finality validators FILE|-                 the validator set in a configuration, key block or proof
  ton-finality checkpoint init|advance|show      a trust state: from a pinned block, along proofs
  ton-finality COMMAND --help                    a command's options
  ton-finality --version`;

const COMMANDS: Readonly<Record<string, (words: readonly string[]) => Promise<number>>> = {
  verify: verifyCommand,
  validators: validatorsCommand,
  checkpoint: checkpointCommand,
};

async function run(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words;
  if (first === undefined || first === '--help' || first === '-h') {
    await printResult(USAGE);
    return 0;
  }
  if (first === '--version') {
    await printResult(await readVersion());
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  if (command === undefined) {
    const got = JSON.stringify(first.slice(0, 80));
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
    return exitCodeOfError(error);
  }
}
