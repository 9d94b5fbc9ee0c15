/** What other servers said of one block, and what is to be known of it beside the verdict. */

import type { FinalityError, SourceStatement } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import type { Warning } from '../../core/verify/report.ts';
import { agreementOf, type Opinion, type Terms } from '../machine/agreement.ts';
import { type Speaker, voicesOf } from '../machine/voices.ts';
import type { ForkEvidence } from './fork-error.ts';

/** The answers of the other servers. */
export interface WitnessReport {
  /** Servers that name the same block. */
  readonly agreed: readonly string[];
  /** As how many witnesses they count, where that is fewer: servers of one address block or host name are one. */
  readonly voices?: number;
  /** Those that do not have a block of this number yet. */
  readonly behind: readonly SourceStatement[];
  /** Those that did not answer. */
  readonly silent: readonly SourceStatement[];
  /** Those that name another block, with no proof either way: they may be right, or not be able to prove it now. */
  readonly contradicts: readonly SourceStatement[];
  /** Those that name another block, and whose proof of it does not hold. */
  readonly refuted: readonly SourceStatement[];
  /** Those that prove another block by a set that is past its stakes. */
  readonly forked: readonly SourceStatement[];
  /** Two proofs for each of those that forked. */
  readonly evidence: readonly ForkEvidence[];
}

const OPINIONS = [
  'agreed',
  'behind',
  'silent',
  'contradicts',
  'refuted',
  'forked',
] as const satisfies readonly Opinion[];

/** Reports on one block by different servers, as one. */
export function joinReports(reports: readonly WitnessReport[]): WitnessReport {
  const lists = [...OPINIONS, 'evidence'] as const;
  const joined = lists.map((name) => [name, reports.flatMap((report): readonly unknown[] => report[name])]);
  return Object.freeze(Object.fromEntries(joined)) as WitnessReport; // each list is joined with its like
}

export const NOTHING_SAID = joinReports([]);

/** What one server adds to a report. */
export function reportOf(opinion: Opinion, statement: SourceStatement, evidence?: ForkEvidence): WitnessReport {
  const one = opinion === 'agreed' ? statement.source : statement;
  return { ...NOTHING_SAID, [opinion]: [one], evidence: evidence === undefined ? [] : [evidence] };
}

/** The report, with what those that agree count as. */
export function withVoices(report: WitnessReport, voices: number): WitnessReport {
  return voices < report.agreed.length ? { ...report, voices } : report;
}

/** How many servers were asked. */
export function askedOf(report: WitnessReport): number {
  return OPINIONS.reduce((sum, opinion) => sum + report[opinion].length, 0);
}

/** What has to agree, and who is a witness. */
export interface WitnessTerms extends Terms {
  /** Who gave the block: what is of its voice is no witness of it. */
  readonly prover: Speaker | undefined;
  /** Servers of one address block or host name are a witness each. */
  readonly countEachServer: boolean | undefined;
  /** How many contradict by good signatures, where the number of neither block is proven. */
  readonly rivals?: number;
}

/** What the others said, as one decision, and as how many witnesses those count that agree. */
export function weighWitnesses({ agreed, contradicts, forked }: WitnessReport, terms: WitnessTerms) {
  const servers = agreed.map((name) => ({ name }));
  const voices = voicesOf(servers, terms.prover, terms.countEachServer);
  const said = {
    agreed: voices,
    contradicts: contradicts.length,
    forked: forked.length,
    ...present({ rivals: terms.rivals }),
  };
  return { voices, agreement: agreementOf(said, terms) };
}

/** A warning that does not end a run, for the user of the run. */
export interface LiveWarning extends Warning {
  /**
   * server-out: a server gave a proof that does not hold, and is asked no more. stale-set: trust goes on from a set past its
   * stakes. contradicted: a server names another block, without a proof. old-keys: a server proved another one by a set past its stakes.
   */
  readonly code: 'server-out' | 'stale-set' | 'contradicted' | 'old-keys';
  /** The servers that it is about, by their labels; absent for `stale-set`. */
  readonly servers?: readonly string[];
  /** Of `old-keys`: both histories. */
  readonly evidence?: ForkEvidence;
}

/** What is to be known of a comparison beside the verdict. */
export function warningsOf(seqno: number, { contradicts, forked, evidence }: WitnessReport): readonly LiveWarning[] {
  const about = (list: readonly SourceStatement[]) => list.map(({ source }) => source);
  const warnings: LiveWarning[] = [];
  if (contradicts.length > 0) {
    const servers = about(contradicts);
    const message = `${servers.join(', ')} named a different block ${seqno}, without a proof`;
    warnings.push({ code: 'contradicted', message, servers });
  }
  if (forked.length > 0) {
    const servers = about(forked);
    const message = `${servers.join(', ')} proved a different history, with validators that can have withdrawn their stakes`;
    warnings.push({ code: 'old-keys', message, servers, ...present({ evidence: evidence[0] }) });
  }
  return warnings;
}

/** A failure that ends nothing, as what to know beside the verdict: its code is that of the error. */
export function warningOf({ code, message }: FinalityError): Warning {
  return { code, message };
}

/** Each once, by its words, and without what a report does not show. */
export function distinctWarnings(warnings: readonly Warning[]): readonly Warning[] {
  return [...new Map(warnings.map(({ code, message }) => [message, Object.freeze({ code, message })])).values()];
}
