/** Lists all commands, in the order of help texts. The first words of a command line, and options that tell commands apart, select one. */
import { beforeNames } from './command.ts';
import type { CommandRow } from './command-table.ts';

export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'verify',
    about: 'verify one block from a file or from HTTP servers; print verdict, weight, signers',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  {
    name: 'verify --lite',
    when: ['lite', 'config'],
    about: 'prove one block, or the newest, over untrusted lite servers',
    load: async () => (await import('./commands/verify-lite.ts')).verifyLiteCommand,
  },
  {
    name: 'verify --certificate',
    when: ['certificate'],
    about: 'verify a certificate, starting from a block you trust',
    load: async () => (await import('./commands/verify-certificate.ts')).verifyCertificateCommand,
  },
  {
    name: 'validators',
    about: 'print the validator set of a configuration, key block, state, proof or checkpoint',
    load: async () => (await import('./commands/validators.ts')).validatorsCommand,
  },
  {
    name: 'checkpoint init',
    about: 'make a checkpoint from a block you pin',
    load: async () => (await import('./commands/checkpoint.ts')).checkpointInitCommand,
  },
  {
    name: 'checkpoint advance',
    about: 'move a checkpoint along a proof, or to the next key block',
    load: async () => (await import('./commands/checkpoint.ts')).checkpointAdvanceCommand,
  },
  {
    name: 'checkpoint show',
    about: 'verify a checkpoint and print it',
    load: async () => (await import('./commands/checkpoint.ts')).checkpointShowCommand,
  },
  {
    name: 'sync',
    about: "move a checkpoint to today's head, over untrusted lite servers",
    load: async () => (await import('./commands/sync.ts')).syncCommand,
  },
  {
    name: 'follow',
    about: 'print every new block, proven over lite servers; can resume',
    load: async () => (await import('./commands/follow.ts')).followCommand,
  },
  {
    name: 'follow --base-url',
    when: ['base-url'],
    about: 'print every new block over HTTP, under a fixed validator set',
    load: async () => (await import('./commands/follow-http.ts')).followHttpCommand,
  },
  {
    name: 'prove',
    about: 'prove that a final block contains, or lacks, a transaction, message, account or parameter',
    load: async () => (await import('./commands/prove.ts')).proveCommand,
  },
  {
    name: 'certify',
    about: 'write a certificate: one file that proves a block and a fact in it',
    load: async () => (await import('./commands/certify.ts')).certifyCommand,
  },
  {
    name: 'audit',
    about: 'check a range of blocks, one ledger row for each; can resume',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  {
    name: 'audit merge',
    about: 'join the ledgers of the parts of a range',
    load: async () => (await import('./commands/audit.ts')).auditMergeCommand,
  },
  {
    name: 'audit check',
    about: 'fetch the blocks of a ledger and judge them again',
    load: async () => (await import('./commands/audit-check.ts')).auditCheckCommand,
  },
  {
    name: 'audit enqueue',
    about: 'share one audit between many machines over Redis: hand out its parts',
    load: async () => (await import('./commands/audit-fleet.ts')).auditEnqueueCommand,
  },
  {
    name: 'audit worker',
    about: 'work on parts that audit enqueue hands out',
    load: async () => (await import('./commands/audit-fleet.ts')).auditWorkerCommand,
  },
  {
    name: 'audit status',
    about: 'show the progress of audit enqueue',
    load: async () => (await import('./commands/audit-fleet.ts')).auditStatusCommand,
  },
  {
    name: 'report',
    about: 'summarize an audit ledger (text, JSON, CSV, JUnit or HTML)',
    load: async () => (await import('./commands/report.ts')).reportCommand,
  },
  {
    name: 'verify-evidence',
    about: 'verify fork evidence: two certified blocks of one number, offline',
    load: async () => (await import('./commands/verify-evidence.ts')).verifyEvidenceCommand,
  },
  {
    name: 'completion',
    about: 'print a script that completes commands and options in bash, zsh or fish',
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

/** Finds the command of a command line. @returns the command and the rest of its words; `undefined` for no command */
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
