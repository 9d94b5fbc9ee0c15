/** What other servers named as one block, and the warnings that follow from it. */

import type { FinalityError, SourceStatement } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import type { Warning } from '../../core/verify/report.ts';
import { agreementOf, type Opinion, type Terms } from '../machine/agreement.ts';
import { type Speaker, voicesOf } from '../machine/witness-count.ts';
import type { ForkEvidence } from './fork-error.ts';

/** The answers of the other servers. */
export interface WitnessReport {
  /** Servers that name the same block. */
  readonly agreed: readonly string[];
  /**
   * The number of witnesses, where it is smaller than the number of servers: servers of one address block or host name
   * count once.
   */
  readonly voices?: number;
  /** Servers that do not have a block of this number yet. */
  readonly behind: readonly SourceStatement[];
  /** Servers that did not answer. */
  readonly silent: readonly SourceStatement[];
  /**
   * Servers that name a different block, without a proof either way: a server may be right, or unable to prove its
   * block now.
   */
  readonly contradicts: readonly SourceStatement[];
  /** Servers that name a different block, and whose proof of it does not hold. */
  readonly refuted: readonly SourceStatement[];
  /** Servers that prove a different block with a set whose validators can have withdrawn their stakes. */
  readonly forked: readonly SourceStatement[];
  /** Two proofs for each server in `forked`. */
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

/** Joins reports on one block by different servers. */
export function joinReports(reports: readonly WitnessReport[]): WitnessReport {
  const lists = [...OPINIONS, 'evidence'] as const;
  const joined = lists.map((name) => [name, reports.flatMap((report): readonly unknown[] => report[name])]);
  // each list is joined with the lists of the same name
  return Object.freeze(Object.fromEntries(joined)) as WitnessReport;
}

export const NOTHING_SAID = joinReports([]);

/** Returns a report with the answer of one server. */
export function reportOf(opinion: Opinion, statement: SourceStatement, evidence?: ForkEvidence): WitnessReport {
  const one = opinion === 'agreed' ? statement.source : statement;
  return { ...NOTHING_SAID, [opinion]: [one], evidence: evidence === undefined ? [] : [evidence] };
}

/** Returns the report with the number of witnesses that agree. */
export function withVoices(report: WitnessReport, voices: number): WitnessReport {
  return voices < report.agreed.length ? { ...report, voices } : report;
}

/** Returns how many servers were asked. */
export function askedOf(report: WitnessReport): number {
  return OPINIONS.reduce((sum, opinion) => sum + report[opinion].length, 0);
}

/** How many witnesses have to agree, and which servers are witnesses. */
export interface WitnessTerms extends Terms {
  /** The server that gave the block. Servers that count as the same witness cannot confirm it. */
  readonly prover: Speaker | undefined;
  /** Whether servers of one address block or host name count as a witness each. */
  readonly countEachServer: boolean | undefined;
  /** How many servers contradict with valid signatures, where the number of neither block is proven. */
  readonly rivals?: number;
}

/** Counts the witnesses that agree, and decides whether they are enough. */
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
   * The kind of warning:
   * - `server-out`: a server gave a proof that does not hold, and is not asked again.
   * - `stale-set`: trust continues from a set whose validators can have withdrawn their stakes.
   * - `contradicted`: a server names a different block, without a proof.
   * - `old-keys`: a server proved a different block with a set whose validators can have withdrawn their stakes.
   */
  readonly code: 'server-out' | 'stale-set' | 'contradicted' | 'old-keys';
  /** The labels of the servers concerned; absent for `stale-set`. */
  readonly servers?: readonly string[];
  /** Both histories, with `old-keys`. */
  readonly evidence?: ForkEvidence;
}

/** Returns the warnings that follow from a comparison. */
export function witnessWarnings(
  seqno: number,
  { contradicts, forked, evidence }: WitnessReport,
): readonly LiveWarning[] {
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

/** Returns a failure that ends nothing as a warning, with the error's code. */
export function warningOf({ code, message }: FinalityError): Warning {
  return { code, message };
}

/** Returns each warning once, by its message, and without members that a report does not show. */
export function distinctWarnings(warnings: readonly Warning[]): readonly Warning[] {
  return [...new Map(warnings.map(({ code, message }) => [message, Object.freeze({ code, message })])).values()];
}

/** What to do where too few servers agree. */
export const MORE_SERVERS = 'pass more servers, run by independent operators';

/** Returns the words for a block that too few servers name. */
export function tooFewAgree(agreed: number, seqno: number, needed: number): string {
  return `too-few-witnesses: ${agreed} other servers name block ${seqno}, ${needed} are needed`;
}
