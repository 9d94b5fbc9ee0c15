/** Walks to the set of a block along the key blocks of a source. Each key block is judged like a block of the audit. */
import type { Signal } from '../../core/base/runtime-types.ts';
import type { AuditSource, BlockGetter, FetchedBlock } from './audit-source.ts';
import type { BatchJudge } from './judge-batch.ts';
import type { KeyBlockRows } from './ledger-key-blocks.ts';
import type { AuditStart, SetBook } from './set-book.ts';

/** The range and source of a walk. */
interface WalkRange {
  readonly start: AuditStart;
  readonly blocks: AuditSource;
  readonly signal: Signal;
  readonly head: { readonly from: number; readonly to: number };
}

export class SetWalk {
  readonly #way: WalkRange;
  readonly #book: SetBook;
  readonly #judge: BatchJudge;
  readonly #known: KeyBlockRows | undefined;
  #getter: BlockGetter | undefined;
  #keyBlocks: AsyncIterator<FetchedBlock> | undefined;
  /** The next key block, or the end of them. */
  #next: IteratorResult<FetchedBlock, unknown> | undefined;

  /** @param known key blocks that the audit's own ledger has judged; they are not judged again */
  constructor(way: WalkRange, book: SetBook, judge: BatchJudge, known?: KeyBlockRows) {
    this.#way = way;
    this.#book = book;
    this.#judge = judge;
    this.#known = known;
  }

  /** Moves trust over all key blocks before a block. Call it with increasing numbers. @throws FinalityError for errors that end an audit */
  async moveTo(seqno: number): Promise<void> {
    const { start, blocks, signal, head } = this.#way;
    if ('validators' in start || blocks.lead !== undefined || !blocks.bindsIds) return;
    const from = start.checkpoint.keyBlock.seqno + 1;
    if (seqno <= from) return;
    this.#getter ??= await blocks.open({ first: from, from, to: head.to, signEvery: 1 }, signal);
    this.#keyBlocks ??= this.#getter.keyBlocks?.(signal)[Symbol.asyncIterator]();
    for (;;) {
      this.#next ??= (await this.#keyBlocks?.next()) ?? { done: true, value: undefined };
      if (this.#next.done === true || this.#next.value.signatures.blockId.seqno >= seqno) return;
      const block = this.#next.value;
      this.#next = undefined;
      await this.#pass(block);
    }
  }

  async #pass(block: FetchedBlock): Promise<void> {
    const { blockId } = block.signatures;
    const { seqno } = blockId;
    if (block.known?.header.keyBlock !== true) return;
    const known = seqno < this.#way.head.from ? undefined : this.#known?.isFinal(blockId);
    const item = { type: 'signed', seqno, ...block } as const;
    const isFinal = known ?? (await (await this.#judge.begin([item], this.#way.signal))()).final.has(seqno);
    if (isFinal) this.#book.advance(seqno, block.signatures, block.proofs);
  }

  async close(): Promise<void> {
    await this.#keyBlocks?.return?.();
    await this.#getter?.close?.();
  }
}
