/** Any older block, proven final by a head that is: a few kilobytes instead of its signatures. */
import { SourceError, UsageError } from '../base/errors.ts';
import { present } from '../base/present.ts';
import { proveAncestor } from '../chain/ancestor.ts';
import type { ProvenHeader } from '../chain/block-header.ts';
import type { BlockIdExt } from '../decode/block-id.ts';
import { noAgreement } from '../sources/attribution.ts';
import type { AskOptions } from '../sources/block-source.ts';
import { staleStartOf } from '../verify/own-report.ts';
import type { VerificationReport } from '../verify/report.ts';
import type { LiteServerClient } from './client.ts';
import { brokenProof, isBrokenProof } from './climb.ts';
import { Fleet } from './fleet.ts';

/** A head that is final, as `syncCheckpoint` gives one. */
export interface FinalHead {
  readonly tip: BlockIdExt;
  readonly report?: VerificationReport;
}

/** An older block and why it is final: no signatures of its own were looked at. */
export interface AncestorProof {
  readonly blockId: BlockIdExt;
  readonly header: ProvenHeader;
  readonly provenance: {
    readonly kind: 'ancestor';
    /** The block in whose state this one is listed. */
    readonly head: BlockIdExt;
    /** Why the head is final; absent where it is the very block that trust began at. */
    readonly report?: VerificationReport;
  };
  /** The answer, TL. */
  readonly tl: Uint8Array;
}

/**
 * Proves an older masterchain block by a back link from a head. The server needs the head's state, so a fresh one.
 * @param servers one or more; those whose proof does not hold are passed over
 * @throws SourceError when no server has a proof that holds; UsageError for a block that is not older than the head,
 * and for a head that is not final, or whose start is past its stakes and was not accepted
 */
export async function proveBlock(
  servers: readonly LiteServerClient[],
  head: FinalHead,
  seqno: number,
  opts: AskOptions = {},
): Promise<AncestorProof> {
  const { tip, report } = head;
  const isRefused = report !== undefined && staleStartOf(report) === 'refused';
  const verdict = isRefused ? 'undecided: stale-set' : (report?.verdict.status ?? 'final');
  if (verdict !== 'final') {
    throw new UsageError('usage/bad-option', `expected a head that is final, got one that is ${verdict}`, {
      path: 'head',
    });
  }
  if (!(Number.isInteger(seqno) && seqno >= 1 && seqno < tip.seqno)) {
    throw new UsageError('usage/bad-option', `expected 1 to ${tip.seqno - 1}, got ${seqno}`, { path: 'seqno' });
  }
  const fleet = new Fleet(servers);
  for (const client of fleet.usable()) {
    try {
      const { id } = await fleet.ask(client, (one) => one.lookup(seqno, opts));
      const { tl } = await fleet.ask(client, (one) => one.blockProof(tip, id, opts));
      const header = proven(client, tip, tl, id);
      const provenance = Object.freeze({ kind: 'ancestor', head: tip, ...present({ report }) });
      return Object.freeze({ blockId: id, header, provenance, tl });
    } catch (error) {
      if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
      fleet.rest(client, error);
    }
  }
  throw noAgreement(`no lite server proves block ${seqno}`, fleet.statements());
}

function proven(client: LiteServerClient, tip: BlockIdExt, tl: Uint8Array, id: BlockIdExt): ProvenHeader {
  try {
    return proveAncestor(tip, tl, id);
  } catch (error) {
    if (!isBrokenProof(error)) throw error;
    throw brokenProof(client, 'getBlockProof', tl, error);
  }
}
