/** Prints one line for a followed block, from lite servers or HTTP. A block that is not final is marked as such. */

import { formatBlockId } from '../../core/block/block-id.ts';
import { blockIdToJson } from '../../core/block/block-id-json.ts';
import type { ProvenHeader } from '../../core/chain/block-header.ts';
import { staleStartOf } from '../../core/verify/own-report.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import { verdictToJson } from '../../core/verify/report-json.ts';

/** A block, the report that proves it, and the proven parts of its header. */
export interface ShownBlock {
  readonly report: VerificationReport;
  readonly provenBy: 'signatures' | 'descendant';
  readonly header?: Pick<ProvenHeader, 'blockId' | 'genUtime' | 'keyBlock'>;
}

/** @param asJson prints one object, `ton-finality/followed@2` */
export function followedLine({ report, provenBy, header }: ShownBlock, asJson: boolean): string {
  const { coverage, verdict, warnings } = report;
  const { signedWeight, totalWeight } = coverage;
  const block = header?.blockId ?? coverage.blockId;
  const isOldStart = staleStartOf(report) !== undefined;
  if (asJson) {
    return JSON.stringify({
      schema: 'ton-finality/followed@2',
      block: blockIdToJson(block),
      verdict: verdictToJson(verdict),
      ...(header === undefined ? {} : { genUtime: header.genUtime, keyBlock: header.keyBlock }),
      provenBy,
      signedBlock: coverage.blockId.seqno,
      signedWeight: String(signedWeight),
      totalWeight: String(totalWeight),
      ...(isOldStart ? { staleStart: true } : {}),
      warnings,
    });
  }
  const reason = verdict.status === 'undecided' ? `, ${verdict.reason}` : '';
  const words = [
    ...(verdict.status === 'final' ? [] : [`${verdict.status.toUpperCase()}${reason}:`]),
    formatBlockId(block),
    provenBy === 'signatures' ? `${signedWeight} of ${totalWeight}` : `by ${coverage.blockId.seqno}`,
    ...(header?.keyBlock === true ? ['key block'] : []),
    ...(isOldStart ? ['stale start'] : []),
  ];
  return words.join(' ');
}
