/** What a ledger that is gone on with says of key blocks: which one rules now, and which were found final. */
import type { BlockIdExt } from '../decode/block-id.ts';
import { blockIdToJson } from '../decode/block-id-json.ts';
import { type AuditBlock, type AuditLine, type AuditRow, seqnoOf } from './row.ts';

/** The key block that rules the block after a row, where its header says so. */
export function rulingKeyBlock(row: AuditRow | undefined): number | undefined {
  const header = row?.type === 'block' ? row.header : null;
  if (row === undefined || header === null) return undefined;
  return header.keyBlock ? seqnoOf(row) : header.prevKeyBlock;
}

/** The last key blocks that a ledger found final by their own signatures. */
export class KeyBlockRows {
  readonly #rows = new Map<number, AuditBlock>();

  add(line: AuditLine): void {
    if (line.type !== 'block' || line.header?.keyBlock !== true) return;
    if (line.verdict.status !== 'final' || line.provenance.by !== 'signatures') return;
    this.#rows.set(line.block.seqno, line);
    if (this.#rows.size > 2) this.#rows.delete(this.#rows.keys().next().value!); // there are some
  }

  /** Whether the ledger says of that very block that it is a key block, and final: nothing less makes a kept set a proven one. */
  has(keyBlock: BlockIdExt): boolean {
    const row = this.#rows.get(keyBlock.seqno);
    return row !== undefined && JSON.stringify(row.block) === JSON.stringify(blockIdToJson(keyBlock));
  }
}
