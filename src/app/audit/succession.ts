/**
 * Checks that a row agrees with the rows before it: parent, key block, time, and its hop of hashes. Its state has a fixed size, however
 * many rows there were.
 */
import type { BlockIdJson } from '../../core/block/block-id-json.ts';
import { type Contradiction, contradictionBetween, contradictionOfStart, idOf, misnumbered } from './contradictions.ts';
import {
  type AuditHeader,
  type AuditPlan,
  type AuditRow,
  type AuditSet,
  isFinal,
  isSigned,
  seqnoOf,
} from './ledger-lines.ts';

/** The newest final block whose header is proven, or the key block that trust begins with. */
interface NewestFinal {
  readonly seqno: number;
  readonly genUtime: number;
  /** The key block whose set signs the next block, and the id of that key block if a row or the first line has it. */
  readonly keyBlock: number;
  readonly keyBlockId: string | undefined;
  /** The previous key block, if a header names it; there is none between the two. */
  readonly before: number | undefined;
}

/** The set that was named last, and the key block that proves it. */
interface RulingSet {
  readonly set: string;
  readonly keyBlock: number;
}

/** A state to which the check can be reset. A set is known only of proven trust, and then `newest` is known too. */
export interface SuccessionState {
  readonly set?: RulingSet | undefined;
  readonly last?: AuditRow;
  readonly newest?: NewestFinal | undefined;
}

const UNKNOWN = { keyBlockId: undefined, before: undefined };

const CHANGED_HINT = 'the ledger was modified or damaged: audit these blocks again';

function changed(message: string): Contradiction {
  return { message, hint: CHANGED_HINT };
}

export class Succession {
  /** May be set to an earlier state, which forgets all later rows. */
  state: SuccessionState = {};
  readonly #head: AuditPlan;

  constructor(head: AuditPlan) {
    this.#head = head;
    const { trust } = head;
    if (trust.kind !== 'proven') return;
    const { keyBlock } = trust;
    const { seqno } = keyBlock;
    const newest = { seqno, genUtime: 0, keyBlock: seqno, keyBlockId: idOf(keyBlock), before: undefined };
    this.state = { newest };
  }

  add(row: AuditRow): void {
    const { set } = this.state;
    let { newest } = this.state;
    if (isFinal(row) && row.header !== null) newest = this.#newestWith(row.block, row.header);
    this.state = { last: row, newest, set };
  }

  #newestWith(block: BlockIdJson, { keyBlock, prevKeyBlock, genUtime }: AuditHeader): NewestFinal {
    const { seqno } = block;
    if (keyBlock) return { seqno, genUtime, keyBlock: seqno, keyBlockId: idOf(block), before: prevKeyBlock };
    const { newest } = this.state;
    const { keyBlockId, before } = newest?.keyBlock === prevKeyBlock ? newest : UNKNOWN;
    return { seqno, genUtime, keyBlock: prevKeyBlock, keyBlockId, before };
  }

  /** Returns how a row contradicts earlier rows; `undefined` where nothing does, or nothing is known. */
  contradiction(row: AuditRow): Contradiction | undefined {
    return (
      contradictionBetween(this.state.last, row) ??
      (isFinal(row) ? contradictionOfStart(row, this.#head) : undefined) ??
      this.#brokenHop(row) ??
      this.#outOfOrder(row) ??
      this.#underAnother(row)
    );
  }

  /**
   * Checks that trust never goes back: a block under an earlier set is final only if a later key block may have installed that set again.
   */
  #underAnother(row: AuditRow): Contradiction | undefined {
    const { newest, set } = this.state;
    if (set === undefined || !isFinal(row) || row.set === null || row.set === set.set) return undefined;
    const isNext = newest!.seqno === row.block.seqno - 1; // known where a set is
    const ruling = row.header?.prevKeyBlock ?? (isNext ? newest!.keyBlock : undefined);
    if (ruling === undefined || ruling > set.keyBlock) return undefined;
    return changed(`block ${row.block.seqno} is final under a different set than that of key block ${set.keyBlock}`);
  }

  /** Takes in a set that agrees with the rows. */
  name({ set, provenance }: AuditSet): void {
    if (provenance.kind === 'proven') this.state = { ...this.state, set: { set, keyBlock: provenance.keyBlock.seqno } };
  }

  /**
   * Checks a hop, from its first row by descendant up to the signed block: each block names the one before it, and all are final or none.
   */
  #brokenHop(row: AuditRow): Contradiction | undefined {
    const { last } = this.state;
    if (last?.type !== 'block' || last.provenance.by !== 'descendant') return undefined;
    const { seqno: ground } = last.provenance; // the block that the last rows wait for, as it leads down to them
    const isGround = seqnoOf(row) === ground;
    const wasFinal = last.verdict.status === 'final';
    if (row.type === 'failure') {
      if (isGround && !wasFinal) return undefined;
      return changed(`blocks before it are final by block ${ground}, and there is none`);
    }
    if (isGround && isFinal(row) !== wasFinal) {
      return changed(
        wasFinal
          ? 'blocks before it are final by this one, which is not final by its own signatures'
          : 'blocks before it lead up to this one, which is final, and say that it is not',
      );
    }
    if (isGround !== isSigned(row) || (!isGround && isFinal(row) !== wasFinal)) {
      return changed(`expected another row of the hop up to block ${ground}`);
    }
    if (row.provenance.by === 'descendant' && row.provenance.seqno !== ground) {
      return changed(`provenance.seqno: expected that of the row before, ${ground}`);
    }
    if (row.header?.parent === last.block.rootHash) return undefined;
    return changed(`header.parent: expected the row before, from which this one is said to lead down`);
  }

  /** Checks final blocks of one chain: time never runs back, and key blocks are where headers name them. */
  #outOfOrder(row: AuditRow): Contradiction | undefined {
    const { newest } = this.state;
    if (newest === undefined || !isFinal(row) || row.header === null) return undefined;
    const { genUtime, prevKeyBlock } = row.header;
    const { seqno } = row.block;
    if (genUtime < newest.genUtime) {
      return misnumbered(`block ${seqno} was made before block ${newest.seqno}, both final`);
    }
    if (prevKeyBlock === newest.keyBlock || prevKeyBlock > newest.seqno) return undefined;
    return misnumbered(
      `block ${seqno} follows key block ${prevKeyBlock}, by the header of final block ${newest.seqno} it is ${newest.keyBlock}`,
    );
  }

  /** Returns how a set contradicts the rows, if a key block is said to prove it before block `next`. */
  contradictionOfSet({ provenance }: AuditSet, next: number): Contradiction | undefined {
    if (provenance.kind !== 'proven') return undefined;
    const { set } = this.state;
    const newest = this.state.newest!; // known from the start where trust is proven
    const { seqno } = provenance.keyBlock;
    const id = idOf(provenance.keyBlock);
    if (set !== undefined && seqno <= set.keyBlock) {
      return changed(`a set of key block ${seqno}, after one of key block ${set.keyBlock}`);
    }
    if (newest.keyBlockId !== id && seqno >= next) {
      return changed(`a set of key block ${seqno}, which comes after block ${next}`);
    }
    if (seqno > newest.seqno || seqno <= (newest.before ?? newest.keyBlock - 1)) return undefined;
    const isIt = seqno === newest.keyBlock && (newest.keyBlockId ?? id) === id;
    return isIt ? undefined : changed(`a set of key block ${seqno}, which the rows before say is another block`);
  }
}
