/** Converts the facts of a certificate and the report of its verification to JSON. */
import { ownMembers } from '../base/present.ts';
import { type Json, membersToJson } from '../facts/to-json.ts';
import type { CertifiedFact } from './judge-fact.ts';

/** The description of a fact. Its place is only described if it is not that of all facts. */
export function factClaim({ masterchain: _masterchain, provenance: _provenance, path, ...fact }: CertifiedFact): Json {
  const below = path.slice(1);
  const said = below.length === 0 ? fact : { ...fact, path: below };
  if (fact.kind === 'message') {
    const { account, lt, hash, transaction } = fact.transaction;
    const success = transaction?.outcome.success;
    return membersToJson({ ...said, account, lt, transactionHash: hash, success, transaction: undefined });
  }
  if (fact.kind !== 'transaction' || !fact.found || fact.transaction === undefined) return membersToJson(said);
  return membersToJson({ ...said, success: fact.transaction.outcome.success, transaction: undefined });
}

/** The identifier in the JSON of a certificate's report. */
export const CERTIFICATE_REPORT_SCHEMA = 'ton-finality/certificate-report@1';

/** The members of a report that its JSON has, and those that it leaves out. */
interface Report {
  readonly facts: readonly CertifiedFact[];
  readonly report?: unknown;
  readonly proven?: unknown;
}

/** Converts a report. The caller has checked that it was made here. */
export function reportClaims(given: Report): Json {
  const { report: _report, proven: _proven, facts, ...said } = ownMembers(given);
  return { schema: CERTIFICATE_REPORT_SCHEMA, ...membersToJson(said), facts: facts.map(factClaim) };
}
