/** Walks to the set of a block along the key blocks of a source. Each key block is judged like a block of the audit. */
import { encodeHex } from '../../core/base/bytes.ts';
import type { ResolvedAudit } from './audit-options.ts';
import type { FetchedBlock } from './audit-source.ts';
import type { BatchJudge } from './judge-batch.ts';
import type { LedgerCheck } from './ledger-check.ts';
import type { SetBook } from './set-book.ts';
import type { SeqnoRange } from './split-range.ts';

/** The range and source of a walk. */
type WalkRange = Pick<ResolvedAudit, 'start' | 'blocks' | 'signal'> & { readonly head: SeqnoRange };

/** @param known the audit's own ledger; the key blocks that it has judged are not judged again */
export function setWalk(
  { start, blocks, signal, head }: WalkRange,
  book: SetBook,
  judge: BatchJudge,
  known?: Pick<LedgerCheck, 'hasFinal'>,
) {
  const from = 'validators' in start ? Number.POSITIVE_INFINITY : start.checkpoint.keyBlock.seqno + 1;
  const keyBlocks = allKeyBlocks();
  /** The next key block, or the end of them. */
  let next: IteratorResult<FetchedBlock, void> | undefined;

  /** Yields the key blocks from the checkpoint on. The source is opened for the first. */
  async function* allKeyBlocks(): AsyncGenerator<FetchedBlock, void> {
    const getter = await blocks.open({ first: from, from, to: head.to, signEvery: 1 }, signal);
    try {
      yield* getter.keyBlocks?.(signal) ?? [];
    } finally {
      await getter.close?.();
    }
  }

  async function pass(block: FetchedBlock): Promise<void> {
    const { blockId } = block.signatures;
    const { seqno } = blockId;
    if (block.known?.header.keyBlock !== true) return;
    const item = { type: 'signed', seqno, ...block } as const;
    const isKnown = seqno < head.from ? undefined : known?.hasFinal(encodeHex(blockId.rootHash));
    const isFinal = isKnown ?? (await (await judge.begin([item], signal))()).final.has(seqno);
    if (isFinal) book.advance(seqno, block.signatures, block.proofs);
  }

  return {
    /** Moves trust over all key blocks before a block. Call it with increasing numbers. @throws FinalityError for errors that end an audit */
    async moveTo(seqno: number): Promise<void> {
      if (seqno <= from || blocks.lead !== undefined || !blocks.bindsIds) return;
      for (;;) {
        next ??= await keyBlocks.next();
        if (next.done === true || next.value.signatures.blockId.seqno >= seqno) return;
        const block = next.value;
        next = undefined;
        await pass(block);
      }
    },
    async close(): Promise<void> {
      await keyBlocks.return();
    },
  };
}
