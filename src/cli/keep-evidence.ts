/** Writes the evidence of a fork to a file. */
import type { ForkError } from '../lite/witnesses.ts';
import { writeFileAtomically } from './write-file.ts';

/** @returns what to tell the user */
export function keepEvidence({ evidence }: ForkError, file: string | undefined): string {
  const path = file ?? `fork-evidence-${evidence.seqno}.json`;
  writeFileAtomically(path, `${JSON.stringify(evidence, null, 2)}\n`);
  return `the evidence is in ${path}: ton-finality verify-evidence ${path}`;
}
