/** Remembers what an existing ledger says of key blocks: which were found final, and which was the last. */
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { blockIdToJson } from '../../core/block/block-id-json.ts';
import { idOf } from './contradictions.ts';
import type { AuditLine } from './ledger-lines.ts';

/** Most key blocks that are remembered: ten years of the masterchain have about 20,000. */
const MAX_ROWS = 65_536;

/** The key blocks that a ledger found final by their own signatures. */
export class KeyBlockRows {
  readonly #ids = new Map<number, string>();
  #last = -1;
  /** All key blocks after this number are remembered. */
  #forgotten = -1;

  add(line: AuditLine): void {
    if (line.type !== 'block' || line.header?.keyBlock !== true) return;
    if (line.verdict.status !== 'final' || line.provenance.by !== 'signatures') return;
    this.#last = line.block.seqno;
    this.#ids.set(this.#last, idOf(line.block));
    if (this.#ids.size <= MAX_ROWS) return;
    this.#forgotten = this.#ids.keys().next().value!; // there are some
    this.#ids.delete(this.#forgotten);
  }

  /** Returns whether the ledger found exactly this block final; `undefined` if it is forgotten. */
  isFinal(keyBlock: BlockIdExt): boolean | undefined {
    if (keyBlock.seqno <= this.#forgotten) return undefined;
    return this.#ids.get(keyBlock.seqno) === idOf(blockIdToJson(keyBlock));
  }

  /**
   * Returns whether this block is the last key block of the ledger. Only the last makes a kept set proven, and no newer
   * one rules.
   */
  isLast(keyBlock: BlockIdExt): boolean {
    return keyBlock.seqno === this.#last && this.isFinal(keyBlock) === true;
  }
}
