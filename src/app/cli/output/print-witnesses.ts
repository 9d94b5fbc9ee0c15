/** Tells what other servers reported of a block: in words, as warnings, and as evidence of a fork. */
import { UsageError } from '../../../core/base/errors.ts';
import type { SyncResult } from '../../../net/lite/sync-result.ts';
import { ForkError, type ForkEvidence } from '../../../net/sources/fork-error.ts';
import { askedOf, type LiveWarning, type WitnessReport, witnessWarnings } from '../../../net/sources/witness-report.ts';
import { writeFileAtomically } from '../../files/write-file.ts';
import { warningWords } from '../../report/render-report.ts';
import { printEvent } from './print.ts';

/** Words for servers that did not name the same block; the usual case needs none. */
const OTHERS = {
  behind: 'do not have it yet',
  silent: 'did not answer',
  contradicts: 'name a different block, without a proof',
  refuted: 'named a different block, with an invalid proof',
  forked: 'proved a different block with old keys',
} as const;

/** The kinds of servers that did not name the same block. */
export const OTHER_WITNESSES = Object.keys(OTHERS) as readonly (keyof typeof OTHERS)[]; // its own members

/** Returns one line: how many servers name the same block, which they are, and what the others reported. */
export function witnessWords(witnesses: WitnessReport): string {
  const asked = askedOf(witnesses);
  if (asked === 0) return 'none: only one server was asked';
  const { agreed, voices } = witnesses;
  const names = agreed.length === 0 ? '' : `: ${agreed.join(', ')}`;
  const counted = voices === undefined ? '' : `; they count as ${voices}, by address block and host name`;
  const others = OTHER_WITNESSES.flatMap((kind) =>
    witnesses[kind].length === 0 ? [] : `; ${witnesses[kind].length} ${OTHERS[kind]}`,
  );
  return `${agreed.length} of ${asked} name the same block${names}${counted}${others.join('')}`;
}

/** The options that say where evidence goes, and how events are printed. */
export interface TellOptions {
  readonly evidence: string | undefined;
  /** Prints events on standard error as JSON. */
  readonly json: boolean;
}

/** Writes and reports evidence. It never throws for a file that cannot be written, because the fork has to be reported. */
async function tellEvidence(evidence: ForkEvidence, { evidence: file, json }: TellOptions): Promise<void> {
  const path = file ?? `fork-evidence-${evidence.seqno}.json`;
  const about = { seqno: evidence.seqno };
  try {
    writeFileAtomically(path, `${JSON.stringify(evidence, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const words = `cannot write the fork evidence: ${error.message}; run again with --evidence and a writable file`;
    return await printEvent('evidence-lost', words, json, about);
  }
  const words = `wrote the fork evidence to ${path}; check it with ton-finality verify-evidence ${path}`;
  await printEvent('evidence', words, json, { ...about, file: path });
}

/** Writes and reports the evidence in an error that ended a run; does nothing for an error that is not a fork. */
export async function tellFork(error: unknown, options: TellOptions): Promise<void> {
  if (error instanceof ForkError) await tellEvidence(error.evidence, options);
}

/** Prints a warning that does not end the run to stderr, with `--json` an event for each server, and keeps the evidence that there is. */
export async function tellWarning(
  { code, message, servers = [], evidence }: LiveWarning,
  options: TellOptions,
): Promise<void> {
  const { json } = options;
  if (!json || servers.length === 0) await printEvent(code, json ? message : warningWords({ code, message }), json);
  else for (const server of servers) await printEvent(code, message, true, { server });
  if (evidence !== undefined) await tellEvidence(evidence, options);
}

/** Prints warnings about what other servers reported of one block. */
export async function noteWitnesses(
  { tip, witnesses }: Pick<SyncResult, 'tip' | 'witnesses'>,
  options: TellOptions,
): Promise<void> {
  for (const warning of witnessWarnings(tip.seqno, witnesses)) await tellWarning(warning, options);
}
