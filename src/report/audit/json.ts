/** A survey as JSON: schema `ton-finality/audit-summary@1`, a public contract, see `schemas/audit-summary-1.json`. */
import type { AuditHead, AuditSetProvenance, AuditTrust } from '../../audit/row.ts';
import { conclusionOf, rowsOf, type Survey } from '../../audit/survey/survey.ts';
import type { BlockIdJson } from '../../decode/block-id-json.ts';
import type { ReportRun } from './text.ts';

export const AUDIT_SUMMARY_SCHEMA = 'ton-finality/audit-summary@1';

/** The members that the format has: whoever wrote the ledger may have put in more, of any size. */
function idOf({ workchain, shard, seqno, rootHash, fileHash }: BlockIdJson): BlockIdJson {
  return { workchain, shard, seqno, rootHash, fileHash };
}

function policyOf({ threshold, onDefect, requireBoundId, acceptUnbound }: AuditHead['policy']): AuditHead['policy'] {
  return { threshold, onDefect, requireBoundId, acceptUnbound };
}

function trustOf(trust: AuditTrust): AuditTrust {
  if (trust.kind === 'given') return { kind: trust.kind, set: trust.set };
  return { kind: trust.kind, anchor: idOf(trust.anchor), keyBlock: idOf(trust.keyBlock) };
}

function provenanceOf(provenance: AuditSetProvenance): AuditSetProvenance {
  if (provenance.kind === 'given') return { kind: provenance.kind };
  return { kind: provenance.kind, keyBlock: idOf(provenance.keyBlock), anchor: idOf(provenance.anchor) };
}

export function auditSummaryToJson(survey: Survey, run?: ReportRun) {
  const { head, outcomes, thinnest, meanCoverage } = survey;
  return {
    schema: AUDIT_SUMMARY_SCHEMA,
    conclusion: conclusionOf(survey),
    from: head.from,
    to: survey.to,
    rows: rowsOf(survey),
    finished: survey.isFinished,
    ledgerHash: survey.hash,
    holdsSignatures: false,
    ...(run === undefined
      ? {}
      : {
          run: { tool: 'ton-finality', version: run.version, inputs: [{ name: run.ledger, ledgerHash: survey.hash }] },
        }),
    signEvery: head.signEvery,
    policy: policyOf(head.policy),
    trust: trustOf(head.trust),
    counts: outcomes,
    reasons: Object.fromEntries([...survey.reasons].sort(([a], [b]) => (a < b ? -1 : 1))),
    judged: {
      bySignatures: survey.bySignatures,
      byDescendant: survey.byDescendant,
      unbound: survey.unbound,
      setNotChecked: survey.unchecked,
    },
    meanCoverage: meanCoverage ?? null,
    thinnest: thinnest ?? null,
    validators: survey.keys.length,
    sets: survey.sets.map(({ line, members, blocks, first, last }) => ({
      set: line.set,
      validators: members.length,
      totalWeight: line.totalWeight,
      provenance: provenanceOf(line.provenance),
      blocks,
      first: first === 0 ? null : first,
      last: last === 0 ? null : last,
    })),
    setChanges: survey.changes.map(({ seqno, set, joined, left }) => ({
      seqno,
      set: survey.sets[set]!.line.set,
      joined,
      left,
    })),
    notFinal: survey.runs.map(({ first, last, outcome, detail }) => ({
      first,
      last,
      outcome,
      detail: detail === '' ? null : detail,
    })),
    unlisted: { notFinal: survey.unlisted.runs, setChanges: survey.unlisted.changes },
  };
}
