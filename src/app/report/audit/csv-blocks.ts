/**
 * Renders a row for each block of a ledger as CSV (RFC 4180). Cells contain only numbers, hex and words of this library, so that no program
 * takes a cell for a formula.
 */
import { type AuditLine, defectsOf, reasonOf } from '../../audit/ledger-lines.ts';
import { coverageOf } from '../../audit/survey/block-bins.ts';

export const BLOCKS_CSV_HEADER = `${[
  ...['seqno', 'outcome', 'reason', 'judgedBy', 'rootHash', 'fileHash', 'time', 'kind', 'signedWeight', 'totalWeight'],
  ...['requiredWeight', 'margin', 'coverage', 'set', 'setCheck', 'bound', 'staleStart'],
].join(',')}\r\n`;

/** The form of every cell; a minus is allowed only before digits. */
const HARMLESS = /^(?:-?[0-9.]+|[0-9A-Za-z][\w/ -]*)?$/;

function line(cells: readonly (string | number)[]): string {
  for (const cell of cells) {
    if (typeof cell === 'string' && !HARMLESS.test(cell)) throw new TypeError('a cell that could be a formula');
  }
  return `${cells.join(',')}\r\n`;
}

/** @returns the row of a block; an empty string for a line about something else */
export function blockCsvRow(row: AuditLine): string {
  if (row.type === 'failure') return line([row.seqno, 'failed', row.code, ...new Array<string>(14).fill('')]);
  if (row.type !== 'block') return '';
  const { block, verdict, header, provenance, bound } = row;
  const defects = defectsOf(row);
  const reason = reasonOf(row) ?? (defects === undefined ? '' : `bad entries ${defects.length}`);
  const millionths = coverageOf(row);
  const coverage = millionths === undefined ? '' : (millionths / 1e6).toFixed(6);
  return line([
    ...[block.seqno, verdict.status, reason, provenance.by === 'descendant' ? provenance.seqno : 'signatures'],
    ...[block.rootHash, block.fileHash, header?.genUtime ?? '', row.kind ?? '', row.signedWeight ?? ''],
    ...[row.totalWeight ?? '', row.requiredWeight ?? '', row.margin ?? '', coverage],
    ...[row.set ?? '', row.setCheck ?? '', bound.join(' '), row.staleStart ?? ''],
  ]);
}
