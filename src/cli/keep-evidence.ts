/** Writes the evidence of a fork to a file. */
import { UsageError } from '../base/errors.ts';
import { ForkError } from '../net/sources/fork-error.ts';
import { printEvent } from './output.ts';
import { writeFileAtomically } from './write-file.ts';

/** Never throws for a file that cannot be written: the fork is what has to be told. @returns what to tell the user */
export function keepEvidence({ evidence }: Pick<ForkError, 'evidence'>, file: string | undefined): string {
  const path = file ?? `fork-evidence-${evidence.seqno}.json`;
  try {
    writeFileAtomically(path, `${JSON.stringify(evidence, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return `the evidence is lost: ${error.message}; run it again with --evidence and a file that can be written`;
  }
  return `the evidence is in ${path}: ton-finality verify-evidence ${path}`;
}

/** Keeps the evidence of a fork that ends the run, and says where it is; nothing for any other error. */
export async function tellEvidence(
  error: unknown,
  { evidence, json }: { readonly evidence?: string | undefined; readonly json?: boolean | undefined },
): Promise<void> {
  if (error instanceof ForkError) await printEvent('evidence', keepEvidence(error, evidence), json === true);
}
