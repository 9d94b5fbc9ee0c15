/** Lists all commands, in the order of help texts. The first words of a command line, and options that tell commands apart, select one. */
import { beforeNames } from './command.ts';
import { type CommandRow, firstWordsOf } from './command-table.ts';

// Only the selected command is loaded, to keep the start fast.
const verify = async () => (await import('./commands/verify.ts')).verifyCommand;
const verifyLite = async () => (await import('./commands/verify-lite.ts')).verifyLiteCommand;
const verifyCertificate = async () => (await import('./commands/verify-certificate.ts')).verifyCertificateCommand;
const validators = async () => (await import('./commands/validators.ts')).validatorsCommand;
const checkpointInit = async () => (await import('./commands/checkpoint.ts')).checkpointInitCommand;
const checkpointAdvance = async () => (await import('./commands/checkpoint.ts')).checkpointAdvanceCommand;
const checkpointShow = async () => (await import('./commands/checkpoint.ts')).checkpointShowCommand;
const sync = async () => (await import('./commands/sync.ts')).syncCommand;
const followLite = async () => (await import('./commands/follow.ts')).followCommand;
const followHttp = async () => (await import('./commands/follow-http.ts')).followHttpCommand;
const prove = async () => (await import('./commands/prove.ts')).proveCommand;
const certify = async () => (await import('./commands/certify.ts')).certifyCommand;
const audit = async () => (await import('./commands/audit.ts')).auditCommand;
const auditMerge = async () => (await import('./commands/audit.ts')).auditMergeCommand;
const auditCheck = async () => (await import('./commands/audit-check.ts')).auditCheckCommand;
const auditEnqueue = async () => (await import('./commands/audit-fleet.ts')).auditEnqueueCommand;
const auditWorker = async () => (await import('./commands/audit-fleet.ts')).auditWorkerCommand;
const auditStatus = async () => (await import('./commands/audit-fleet.ts')).auditStatusCommand;
const report = async () => (await import('./commands/report.ts')).reportCommand;
const verifyEvidence = async () => (await import('./commands/verify-evidence.ts')).verifyEvidenceCommand;
const completion = async () => (await import('./commands/completion.ts')).completionCommand;

const ROWS: readonly (readonly [name: string, about: string, load: CommandRow['load'], when?: CommandRow['when']])[] = [
  ['verify', 'verify one block from a file or from HTTP servers; print verdict, weight, signers', verify],
  ['verify --lite', 'prove one block, or the newest, over untrusted lite servers', verifyLite, ['lite', 'config']],
  ['verify --certificate', 'verify a certificate, starting from a block you trust', verifyCertificate, ['certificate']],
  ['validators', 'print the validator set of a configuration, key block, state, proof or checkpoint', validators],
  ['checkpoint init', 'make a checkpoint from a block you pin', checkpointInit],
  ['checkpoint advance', 'move a checkpoint along a proof, or to the next key block', checkpointAdvance],
  ['checkpoint show', 'verify a checkpoint and print it', checkpointShow],
  ['sync', "move a checkpoint to today's head, over untrusted lite servers", sync],
  ['follow', 'print every new block, proven over lite servers; can resume', followLite],
  ['follow --base-url', 'print every new block over HTTP, under a fixed validator set', followHttp, ['base-url']],
  ['prove', 'prove that a final block contains, or lacks, a transaction, message, account or parameter', prove],
  ['certify', 'write a certificate: one file that proves a block and a fact in it', certify],
  ['audit', 'check a range of blocks, one ledger row for each; can resume', audit],
  ['audit merge', 'join the ledgers of the parts of a range', auditMerge],
  ['audit check', 'fetch the blocks of a ledger and judge them again', auditCheck],
  ['audit enqueue', 'share one audit between many machines over Redis: hand out its parts', auditEnqueue],
  ['audit worker', 'work on parts that audit enqueue hands out', auditWorker],
  ['audit status', 'show the progress of audit enqueue', auditStatus],
  ['report', 'summarize an audit ledger (text, JSON, CSV, JUnit or HTML)', report],
  ['verify-evidence', 'verify fork evidence: two certified blocks of one number, offline', verifyEvidence],
  ['completion', 'print a script that completes commands and options in bash, zsh or fish', completion],
];

export const COMMANDS: readonly CommandRow[] = ROWS.map(([name, about, load, when]) => ({ name, about, load, when }));

/** Returns whether an option selects a command. With one dash it does too: the error then names the option. */
function isMeant({ when }: CommandRow, options: readonly string[]): boolean {
  return when?.some((name) => options.some((word) => new RegExp(`^--?${name}(?:=|$)`).test(word))) === true;
}

/** Finds the command of a command line. @returns the command and the rest of its words; `undefined` for no command */
export function findCommand(words: readonly string[]) {
  const fits = (row: CommandRow) => firstWordsOf(row).every((word, at) => words[at] === word);
  const longest = Math.max(...COMMANDS.filter(fits).map((row) => firstWordsOf(row).length));
  const rows = COMMANDS.filter((row) => fits(row) && firstWordsOf(row).length === longest);
  const rest = words.slice(longest);
  const row = rows.find((one) => isMeant(one, beforeNames(rest))) ?? rows.find(({ when }) => when === undefined);
  return row && { row, rest };
}
