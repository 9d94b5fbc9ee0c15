/** Writes the evidence of a fork to a file. */
import { UsageError } from '../../core/base/errors.ts';
import { ForkError, type ForkEvidence } from '../../net/sources/fork-error.ts';
import { writeFileAtomically } from '../files/write-file.ts';
import { printEvent } from './output.ts';

/** Writes and reports evidence. It never throws for a file that cannot be written, because the fork has to be reported. */
export async function tellEvidence(
  { evidence }: { readonly evidence: ForkEvidence },
  file: string | undefined,
  asJson: boolean,
): Promise<void> {
  const path = file ?? `fork-evidence-${evidence.seqno}.json`;
  const about = { seqno: evidence.seqno };
  try {
    writeFileAtomically(path, `${JSON.stringify(evidence, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const words = `cannot write the fork evidence: ${error.message}; run again with --evidence and a writable file`;
    return await printEvent('evidence-lost', words, asJson, about);
  }
  const words = `wrote the fork evidence to ${path}; check it with ton-finality verify-evidence ${path}`;
  await printEvent('evidence', words, asJson, { ...about, file: path });
}

/** Writes and reports the evidence in an error that ended a run; does nothing for an error that is not a fork. */
export async function tellFork(
  error: unknown,
  { evidence, json }: { readonly evidence?: string | undefined; readonly json?: boolean | undefined },
): Promise<void> {
  if (error instanceof ForkError) await tellEvidence(error, evidence, json === true);
}
