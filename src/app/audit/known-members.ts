/**
 * Rows as this version writes them: the members that the format has, in their order. Whoever made a row may have put in more, of any
 * size. Computes nothing.
 */
import type { BlockIdJson } from '../../core/block/block-id-json.ts';
import type {
  AuditBlock,
  AuditHead,
  AuditRow,
  AuditSet,
  AuditSetProvenance,
  AuditTrust,
  AuditVerdict,
} from './ledger-lines.ts';

export function knownId({ workchain, shard, seqno, rootHash, fileHash }: BlockIdJson): BlockIdJson {
  return { workchain, shard, seqno, rootHash, fileHash };
}

export function knownPolicy(policy: AuditHead['policy']): AuditHead['policy'] {
  const { threshold, onDefect, requireBoundId, acceptUnbound } = policy;
  return { threshold, onDefect, requireBoundId, acceptUnbound };
}

export function knownTrust(trust: AuditTrust): AuditTrust {
  if (trust.kind === 'given') return { kind: trust.kind, set: trust.set };
  return { kind: trust.kind, anchor: knownId(trust.anchor), keyBlock: knownId(trust.keyBlock) };
}

export function knownProvenance(provenance: AuditSetProvenance): AuditSetProvenance {
  if (provenance.kind === 'given') return { kind: provenance.kind };
  return { kind: provenance.kind, keyBlock: knownId(provenance.keyBlock), anchor: knownId(provenance.anchor) };
}

function knownVerdict(verdict: AuditVerdict): AuditVerdict {
  const { status } = verdict;
  if (status === 'rejected') return { status, defects: verdict.defects };
  return status === 'undecided' ? { status, reason: verdict.reason } : { status };
}

function knownBlock(row: AuditBlock): AuditBlock {
  const { type, block, kind, verdict, bound, signedWeight, totalWeight, requiredWeight, margin } = row;
  const { set, setCheck, absent, bad, unknown, header, provenance } = row;
  const { genUtime, keyBlock, prevKeyBlock, parent } = header ?? {};
  return {
    ...{ type, block: knownId(block), kind, verdict: knownVerdict(verdict), bound },
    ...{ signedWeight, totalWeight, requiredWeight, margin, set, setCheck, absent, bad, unknown },
    header: header === null ? null : { genUtime, keyBlock, prevKeyBlock, parent },
    provenance:
      provenance.by === 'signatures'
        ? { by: provenance.by, set: provenance.set }
        : { by: provenance.by, seqno: provenance.seqno },
  } as AuditBlock; // the same members
}

/** A line without anything that the format does not have, and without its hash. */
export function knownMembers(line: AuditSet | AuditRow): AuditSet | AuditRow {
  if (line.type === 'block') return knownBlock(line);
  if (line.type === 'failure') return { type: line.type, seqno: line.seqno, code: line.code };
  const { type, set, totalWeight, provenance } = line;
  const validators = line.validators.map(({ publicKey, weight }) => ({ publicKey, weight }));
  return { type, set, totalWeight, provenance: knownProvenance(provenance), validators };
}
