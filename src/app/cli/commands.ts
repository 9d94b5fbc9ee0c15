/** All commands, in the order of help texts. The first words of a command line, and options that tell commands apart, find the one. */
import { beforeNames } from './command.ts';
import type { CommandRow } from './command-table.ts';

export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'verify',
    about: 'one block from a file, or from servers over HTTP: verdict, coverage, signers',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  {
    name: 'verify --lite',
    when: ['lite', 'config'],
    about: 'a block, or the newest, proven over lite servers, none of which is believed',
    load: async () => (await import('./commands/verify-lite.ts')).verifyLiteCommand,
  },
  {
    name: 'verify --certificate',
    when: ['certificate'],
    about: 'a certificate, from a block that you trust',
    load: async () => (await import('./commands/verify-certificate.ts')).verifyCertificateCommand,
  },
  {
    name: 'validators',
    about: 'the validator set in a configuration, key block, state, proof or checkpoint',
    load: async () => (await import('./commands/validators.ts')).validatorsCommand,
  },
  {
    name: 'checkpoint init',
    about: 'a checkpoint from a block that you pin',
    load: async () => (await import('./commands/checkpoint.ts')).checkpointInitCommand,
  },
  {
    name: 'checkpoint advance',
    about: 'a checkpoint moved along a proof, or to the next key block',
    load: async () => (await import('./commands/checkpoint.ts')).checkpointAdvanceCommand,
  },
  {
    name: 'checkpoint show',
    about: 'a checkpoint in words, proven again',
    load: async () => (await import('./commands/checkpoint.ts')).checkpointShowCommand,
  },
  {
    name: 'sync',
    about: "from a block that you trust to today's head, over lite servers",
    load: async () => (await import('./commands/sync.ts')).syncCommand,
  },
  {
    name: 'follow',
    about: 'every new block, proven over lite servers; goes on where it stopped',
    load: async () => (await import('./commands/follow.ts')).followCommand,
  },
  {
    name: 'follow --base-url',
    when: ['base-url'],
    about: 'every new block over HTTP, under a set that stays as it is',
    load: async () => (await import('./commands/follow-http.ts')).followHttpCommand,
  },
  {
    name: 'prove',
    about: 'a transaction, message, account or parameter in a final block, or that it is not there',
    load: async () => (await import('./commands/prove.ts')).proveCommand,
  },
  {
    name: 'certify',
    about: 'one file that proves a block and a fact in it to others',
    load: async () => (await import('./commands/certify.ts')).certifyCommand,
  },
  {
    name: 'audit',
    about: 'a range of blocks, one row each, into a ledger; goes on where it stopped',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  {
    name: 'audit merge',
    about: 'the ledgers of the parts of a range, joined',
    load: async () => (await import('./commands/audit.ts')).auditMergeCommand,
  },
  {
    name: 'audit check',
    about: 'the blocks of a ledger fetched and judged again',
    load: async () => (await import('./commands/audit-check.ts')).auditCheckCommand,
  },
  {
    name: 'audit enqueue',
    about: 'one audit by many machines over a Redis: hands out its parts',
    load: async () => (await import('./commands/audit-fleet.ts')).auditEnqueueCommand,
  },
  {
    name: 'audit worker',
    about: 'works on parts that audit enqueue hands out',
    load: async () => (await import('./commands/audit-fleet.ts')).auditWorkerCommand,
  },
  {
    name: 'audit status',
    about: 'how far the parts of audit enqueue have come',
    load: async () => (await import('./commands/audit-fleet.ts')).auditStatusCommand,
  },
  {
    name: 'report',
    about: 'what the ledger of an audit comes to: words, JSON, CSV, JUnit, a page',
    load: async () => (await import('./commands/report.ts')).reportCommand,
  },
  {
    name: 'verify-evidence',
    about: 'two certified blocks of one number, checked without a server',
    load: async () => (await import('./commands/verify-evidence.ts')).verifyEvidenceCommand,
  },
  {
    name: 'completion',
    about: 'what makes a shell complete commands and options: bash, zsh, fish',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
];

/** The words that a command begins with. */
export function firstWordsOf({ name }: Pick<CommandRow, 'name'>): readonly string[] {
  return name.split(' ').filter((word) => !word.startsWith('-'));
}

function isMeant({ when }: CommandRow, options: readonly string[]): boolean {
  return when?.some((name) => options.some((word) => word === `--${name}` || word.startsWith(`--${name}=`))) === true;
}

/** @returns the command that a line means, and what follows its first words; `undefined` for none */
export function findCommand(
  words: readonly string[],
): { readonly row: CommandRow; readonly rest: readonly string[] } | undefined {
  const fits = (row: CommandRow) => firstWordsOf(row).every((word, at) => words[at] === word);
  const longest = Math.max(...COMMANDS.filter(fits).map((row) => firstWordsOf(row).length));
  const rows = COMMANDS.filter((row) => fits(row) && firstWordsOf(row).length === longest);
  const rest = words.slice(longest);
  const row = rows.find((one) => isMeant(one, beforeNames(rest))) ?? rows.find(({ when }) => when === undefined);
  return row && { row, rest };
}
