/**
 * Yields the blocks of a range in order, fetched ahead: each with signatures, with the hashes that lead down to it, or with the reason why
 * it is missing.
 */

import { FinalityError, SourceError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { readParent } from '../../core/chain/ancestor.ts';
import { openBlock, readBlock, readHeader } from '../../core/chain/block-header.ts';
import { isOlderForAll } from '../../net/machine/newer-network.ts';
import { isA } from '../../net/machine/outcome.ts';
import { type AuditRange, type BlockGetter, type FetchedBlock, firstShown, unlessRefused } from './audit-source.ts';
import type { HeaderOfRow } from './report-to-row.ts';

/** One block of the range, in order. */
export type AuditItem =
  | ({ readonly type: 'signed'; readonly seqno: number } & FetchedBlock)
  /** A block that is proven by hashes from the block with number `of`, which comes later. */
  | {
      readonly type: 'linked';
      readonly seqno: number;
      readonly blockId: BlockIdExt;
      readonly known: HeaderOfRow;
      readonly of: number;
    }
  | { readonly type: 'failure'; readonly seqno: number; readonly error: FinalityError };

/** Turns the error of one block into an item. @throws errors that end the audit */
function asFailure(seqno: number, error: unknown): AuditItem {
  const isOfSource = error instanceof SourceError && (isA(error.code, 'whole-source') || isOlderForAll(error));
  if (!(error instanceof FinalityError) || isOfSource || error.code.startsWith('usage/')) throw error;
  return { type: 'failure', seqno, error };
}

async function signedItem(getter: BlockGetter, seqno: number, signal: Signal): Promise<AuditItem> {
  try {
    return { type: 'signed', seqno, ...(await getter.signed(seqno, signal)) };
  } catch (error) {
    return asFailure(seqno, error);
  }
}

/** Yields every block with its own signatures. */
async function* everyBlock(getter: BlockGetter, range: AuditRange, signal: Signal): AsyncGenerator<AuditItem> {
  const asked: Promise<AuditItem>[] = [];
  let next = range.from;
  const fill = () => {
    for (; next <= range.to && asked.length < getter.ahead; next++) {
      const item = signedItem(getter, next, signal);
      item.catch(() => {}); // the error is handled in its turn, if there is one
      asked.push(item);
    }
  };
  for (fill(); asked.length > 0; fill()) {
    const item = await asked.shift()!;
    getter.release?.(item.seqno);
    yield item;
  }
}

type Proofs = Map<number, readonly Uint8Array[]>;

/** Fetches missing proofs of headers, a few at a time. */
async function fetchProofs(getter: BlockGetter, into: Proofs, from: number, to: number, signal: Signal): Promise<void> {
  let next = from;
  const ask = async (): Promise<void> => {
    while (next <= to) {
      const seqno = next++;
      if (into.has(seqno)) continue;
      const proofs = await getter.proofs?.(seqno, signal).catch((error: unknown) => {
        asFailure(seqno, error); // throws what ends the audit; any other error makes the block one that needs signatures
        return [];
      });
      into.set(seqno, proofs ?? []);
    }
  };
  await Promise.all(Array.from({ length: getter.ahead }, ask));
}

/** Returns the header that a proof shows, of any block. */
export function headerIn(proof: Uint8Array) {
  return unlessRefused(() => readHeader(readBlock(openBlock(proof, 'block').root, 'block'), 'block'));
}

/** Returns whether a proof claims to be of a key block. The claim only tells where to look. */
export function saysKeyBlock(proof: Uint8Array, seqno: number): boolean {
  const header = headerIn(proof);
  return header?.keyBlock === true && header.seqno === seqno;
}

/**
 * Proves blocks by hashes, from a signed block down to an earlier one: the header of each names the block before it. If
 * a proof is missing, the block needs its own signatures, and the hop continues from it.
 */
async function oneHop(getter: BlockGetter, proofs: Proofs, from: number, to: number, signal: Signal) {
  const top = await signedItem(getter, to, signal);
  const items = [top];
  let of = to;
  let parent = parentOf(top);
  for (let seqno = to - 1; seqno >= from; seqno--) {
    const id = parent;
    const known = id && firstShown(proofs.get(seqno) ?? [], (proof) => readParent(proof, id));
    const isLinked = id !== undefined && known !== undefined;
    if (!isLinked) of = seqno;
    const item: AuditItem = isLinked
      ? { type: 'linked', seqno, blockId: id, known, of }
      : await signedItem(getter, seqno, signal);
    items.push(item);
    parent = parentOf(item);
  }
  return items.reverse();
}

function parentOf(item: AuditItem): BlockIdExt | undefined {
  return item.type === 'failure' ? undefined : item.known?.parent;
}

/** Yields every n-th block and every key block with its signatures. Only key blocks move trust to another set. */
async function* everyNth(getter: BlockGetter, range: AuditRange, signal: Signal): AsyncGenerator<AuditItem> {
  const { first, signEvery } = range;
  const proofs: Proofs = new Map();
  for (let from = range.from; from <= range.to; ) {
    const hop = Math.ceil((from - first + 1) / signEvery);
    const end = Math.min(range.to, first - 1 + hop * signEvery);
    await fetchProofs(getter, proofs, from, end - 1, signal);
    const isKeyBlock = (seqno: number) => (proofs.get(seqno) ?? []).some((proof) => saysKeyBlock(proof, seqno));
    let to = from;
    while (to < end && !isKeyBlock(to)) to += 1;
    yield* await oneHop(getter, proofs, from, to, signal);
    getter.release?.(to);
    for (const seqno of [...proofs.keys()]) if (seqno <= to) proofs.delete(seqno);
    from = to + 1;
  }
}

/**
 * Yields the blocks of a range in order. A block that cannot be fetched is an item too. @throws FinalityError for
 * errors that end the audit
 */
export function itemsOf(getter: BlockGetter, range: AuditRange, signal: Signal): AsyncGenerator<AuditItem> {
  return range.signEvery === 1 ? everyBlock(getter, range, signal) : everyNth(getter, range, signal);
}
