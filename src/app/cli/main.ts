/** Finds the command, runs it, and turns whatever it throws into words and an exit code. */
import { UsageError } from '../../core/base/errors.ts';
import { codeOf } from '../files/system-error.ts';
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
  ton-finality prove transaction|message|account|config FILE
                                                 what stands in a final block, or that it does not; with --lite asked of
                                                 servers in place of FILE
  ton-finality certify … --out FILE.fin.boc      one file that proves it to others
  ton-finality verify --certificate FILE --anchor ID
                                                 checks such a file from a block you trust
  ton-finality sync --checkpoint FILE --config FILE
                                                 to today's head over lite servers, none of which is believed
  ton-finality follow --checkpoint FILE --config FILE
                                                 every new block, proven the same way
  ton-finality audit --from N --to N --out FILE  a range of blocks, one row each; goes on where it stopped
  ton-finality verify-evidence FILE|-            two certified blocks of one number, checked without a server
  ton-finality report FILE                       what the ledger of an audit comes to: words, JSON, CSV, JUnit, a page
  ton-finality COMMAND --help                    a command's options
  ton-finality --version`;

type Command = (words: readonly string[]) => Promise<number>;

/** What `verify` is about, where one of these words says it; each has a command of its own. */
const VERIFY_KINDS = [
  ['verify --certificate', /^--certificate(?:=|$)/],
  ['verify --lite', /^--(?:lite|config|lite-network)(?:=|$)/],
] as const;

function nameOf(first: string, rest: readonly string[]): string {
  if (first !== 'verify') return first;
  const options = beforeNames(rest);
  return VERIFY_KINDS.find(([, option]) => options.some((word) => option.test(word)))?.[0] ?? first;
}

/** After `--` come names, whatever they look like. */
function beforeNames(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

/** Each is read only when it is the one. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  validators: async () => (await import('./commands/validators.ts')).validatorsCommand,
  checkpoint: async () => (await import('./commands/checkpoint.ts')).checkpointCommand,
  prove: async () => (await import('./commands/prove.ts')).proveCommand,
  certify: async () => (await import('./commands/certify.ts')).certifyCommand,
  'verify --certificate': async () => (await import('./commands/verify-certificate.ts')).verifyCertificateCommand,
  'verify --lite': async () => (await import('./commands/verify-lite.ts')).verifyLiteCommand,
  sync: async () => (await import('./commands/sync.ts')).syncCommand,
  follow: async () => (await import('./commands/follow.ts')).followCommand,
  audit: async () => (await import('./commands/audit.ts')).auditCommand,
  report: async () => (await import('./commands/report.ts')).reportCommand,
  'verify-evidence': async () => (await import('./commands/verify-evidence.ts')).verifyEvidenceCommand,
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
  const name = nameOf(first, rest);
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    const got = JSON.stringify(first.slice(0, 80));
    throw new UsageError('usage/bad-option', `expected a command, got ${got}`, { hint: 'see ton-finality --help' });
  }
  const command = await load();
  return command(rest);
}

/** The system's limit on open files is no defect of this program. */
function told(error: unknown): unknown {
  if (!/^E[MN]FILE$/.test(codeOf(error) ?? '')) return error;
  const hint = 'let it open more files: ulimit -n 1024';
  return new UsageError('usage/bad-option', (error as Error).message, { hint }); // what has such a code is one
}

/** @returns the exit code. Never throws. */
export async function main(words: readonly string[]): Promise<number> {
  try {
    return await run(words);
  } catch (thrown) {
    const error = told(thrown);
    await printError(error, beforeNames(words).includes('--json')).catch(() => {}); // nobody is left to tell
    return exitCodeOfError(error);
  }
}
