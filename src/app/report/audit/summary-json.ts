/** Renders a survey as JSON: schema `ton-finality/audit-summary@1`, a public contract (`schemas/audit-summary-1.json`). */
import { conclusionOf, type Survey } from '../../audit/survey/survey.ts';
import type { ReportRun } from './summary-text.ts';

export const AUDIT_SUMMARY_SCHEMA = 'ton-finality/audit-summary@1';

export function auditSummaryToJson(survey: Survey, run: ReportRun) {
  const { head, outcomes, thinnest, meanCoverage } = survey;
  return {
    schema: AUDIT_SUMMARY_SCHEMA,
    conclusion: conclusionOf(survey),
    from: head.from,
    to: survey.to,
    partOf: head.whole ?? null,
    rows: survey.rows,
    finished: survey.isFinished,
    ledgerHash: survey.hash,
    holdsSignatures: false,
    run: { tool: 'ton-finality', version: run.version, inputs: [{ name: run.ledger, ledgerHash: survey.hash }] },
    signEvery: head.signEvery,
    policy: head.policy,
    trust: head.trust,
    counts: outcomes,
    reasons: Object.fromEntries([...survey.reasons].sort(([a], [b]) => (a < b ? -1 : 1))),
    judged: {
      bySignatures: survey.bySignatures,
      byDescendant: survey.byDescendant,
      unbound: survey.unbound,
      setNotChecked: survey.unchecked,
      staleStart: survey.staleStart || undefined,
    },
    meanCoverage: meanCoverage ?? null,
    thinnest: thinnest ?? null,
    validators: survey.keys.length,
    sets: survey.sets.map(({ line, members, blocks, first, last }) => ({
      set: line.set,
      validators: members.length,
      totalWeight: line.totalWeight,
      provenance: line.provenance,
      blocks,
      first: first === 0 ? null : first,
      last: last === 0 ? null : last,
    })),
    setChanges: survey.changes.map((change) => ({ ...change, set: survey.sets[change.set]!.line.set })),
    notFinal: survey.runs.map((run) => ({ ...run, detail: run.detail || null })),
    unlisted: { notFinal: survey.unlisted.runs, setChanges: survey.unlisted.changes },
  };
}
