/** Describes what other servers reported of a block. */

import type { SyncResult } from '../../net/lite/sync-result.ts';
import { askedOf, type LiveWarning, type WitnessReport, witnessWarnings } from '../../net/sources/witness-report.ts';
import { warningWords } from '../report/render-report.ts';
import { tellEvidence } from './keep-evidence.ts';
import { printEvent } from './output.ts';

/** Words for servers that did not name the same block; the usual case needs none. */
const OTHERS = {
  behind: 'do not have it yet',
  silent: 'did not answer',
  contradicts: 'name a different block, without a proof',
  refuted: 'named a different block, with an invalid proof',
  forked: 'proved a different block with old keys',
} as const;

/** Returns one line: how many servers name the same block, which they are, and what the others reported. */
export function witnessWords(witnesses: WitnessReport): string {
  const asked = askedOf(witnesses);
  if (asked === 0) return 'none: only one server was asked';
  const { agreed, voices } = witnesses;
  const names = agreed.length === 0 ? '' : `: ${agreed.join(', ')}`;
  const counted = voices === undefined ? '' : `; they count as ${voices}, by address block and host name`;
  const others = (Object.keys(OTHERS) as (keyof typeof OTHERS)[]) // its own members
    .flatMap((kind) => (witnesses[kind].length === 0 ? [] : `; ${witnesses[kind].length} ${OTHERS[kind]}`));
  return `${agreed.length} of ${asked} name the same block${names}${counted}${others.join('')}`;
}

/** Prints a warning that does not end the run to stderr, with `--json` an event for each server, and keeps the evidence that there is. */
export async function tellWarning(
  { code, message, servers = [], evidence }: LiveWarning,
  file: string | undefined,
  asJson: boolean,
): Promise<void> {
  if (!asJson || servers.length === 0)
    await printEvent(code, asJson ? message : warningWords({ code, message }), asJson);
  else for (const server of servers) await printEvent(code, message, true, { server });
  if (evidence !== undefined) await tellEvidence({ evidence }, file, asJson);
}

/** Prints warnings about what other servers reported of one block. */
export async function noteWitnesses(
  { tip, witnesses }: Pick<SyncResult, 'tip' | 'witnesses'>,
  file: string | undefined,
  asJson = false,
): Promise<void> {
  for (const warning of witnessWarnings(tip.seqno, witnesses)) await tellWarning(warning, file, asJson);
}
