/** What other lite servers said of a block, in words. */
import type { SyncResult } from '../net/lite/sync-result.ts';
import { askedOf, type WitnessReport } from '../net/lite/witnesses.ts';
import { keepEvidence } from './keep-evidence.ts';
import { printEvent } from './output.ts';

/** Words for those that did not name the same block; those that have none are the good case. */
const OTHERS = {
  behind: 'do not have it yet',
  silent: 'did not answer',
  contradicts: 'name another block, without a proof',
  refuted: 'named another block, by a proof that does not hold',
  forked: 'proved another block by old keys',
} as const;

/** One line: how many name the same block, who they are, and what the others said. */
export function witnessWords(witnesses: WitnessReport): string {
  const asked = askedOf(witnesses);
  if (asked === 0) return 'none: one server was asked';
  const { agreed } = witnesses;
  const names = agreed.length === 0 ? '' : `: ${agreed.join(', ')}`;
  const others = (Object.keys(OTHERS) as (keyof typeof OTHERS)[]) // its own members
    .flatMap((kind) => (witnesses[kind].length === 0 ? [] : `; ${witnesses[kind].length} ${OTHERS[kind]}`));
  return `${agreed.length} of ${asked} name the same block${names}${others.join('')}`;
}

/** Tells on stderr what a run that went on has to tell, and keeps what evidence there is. */
export async function noteWitnesses(
  { warnings, witnesses: { evidence } }: Pick<SyncResult, 'warnings' | 'witnesses'>,
  file: string | undefined,
  asJson = false,
): Promise<void> {
  for (const warning of warnings) await printEvent(warning.slice(0, warning.indexOf(':')), warning, asJson);
  const [first] = evidence;
  if (first !== undefined) await printEvent('evidence', keepEvidence({ evidence: first }, file), asJson);
}
