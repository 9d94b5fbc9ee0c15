/** A survey of a ledger in a file, read once and held a line at a time. */
import { AuditError, UsageError } from '../../../core/base/errors.ts';
import { seqnoOf } from '../ledger-lines.ts';
import { checkLedger } from '../read-ledger.ts';
import { type Survey, Surveyor } from './survey.ts';

export interface SurveyOptions {
  /** The last block that counts, within the range of the audit. Default: the last of the audit. */
  readonly to?: number;
}

/** A survey, and what of the file is no line of it. */
export interface SurveyedLedger {
  readonly survey: Survey;
  /** Bytes after the last newline: a line that was never finished. */
  readonly tailBytes: number;
}

/**
 * Every line of the file is checked, those after `to` too.
 * @throws AuditError `audit/ledger` for a file that is no ledger or was changed; UsageError for one that cannot be read, or a
 *   `to` outside of the range
 */
export async function surveyLedger(file: string, { to }: SurveyOptions = {}): Promise<SurveyedLedger> {
  const surveyor = new Surveyor();
  const { tailBytes, state } = await checkLedger(file, (line) => {
    if (line.type === 'audit' && to !== undefined && (to < line.from || to > line.to)) {
      throw new UsageError('usage/bad-option', `expected ${line.from} to ${line.to}, got ${to}`, { path: 'to' });
    }
    const isRow = line.type === 'block' || line.type === 'failure';
    if (!isRow || to === undefined || seqnoOf(line) <= to) surveyor.add(line);
  });
  const survey = surveyor.finish(state.hash, to);
  if (survey !== undefined) return { survey, tailBytes };
  throw new AuditError('audit/ledger', 'expected the first line of an audit, got none', { path: `${file}:1` });
}
