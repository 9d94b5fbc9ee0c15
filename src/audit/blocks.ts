/**
 * Where an audit takes its blocks from, whatever that is: signatures of a block, its header where there is a proof of it, and
 * from these the blocks of a range in order, fetched ahead.
 */
import { FinalityError, SourceError, type SourceErrorCode } from '../base/errors.ts';
import { readParent } from '../chain/ancestor.ts';
import type { Checkpoint } from '../chain/checkpoint.ts';
import type { BlockIdExt } from '../decode/block-id.ts';
import type { SignatureSet } from '../decode/signature-set.ts';
import type { BlockHeaderFacts } from '../verify/report.ts';
import type { HeaderOfRow } from './make-row.ts';

/** The signatures of one block, and what else its source has of it. */
export interface FetchedBlock {
  readonly set: SignatureSet;
  /** Proven. */
  readonly known?: HeaderOfRow;
  /** What a server says of the header, where nothing is proven: only ever evidence against a set. */
  readonly claimed?: BlockHeaderFacts;
  /** Block files or proofs of it, of which one may show the configuration of a key block. */
  readonly proofs: readonly Uint8Array[];
  /** Who gave it. */
  readonly from: string;
}

/** Hands over single blocks. */
export interface BlockGetter {
  /** Questions at a time. */
  readonly ahead: number;
  /** @throws FinalityError for a block that cannot be had, or not be read */
  signed(seqno: number, signal: AbortSignal): Promise<FetchedBlock>;
  /** The proofs there are of a header, the likeliest first. @throws FinalityError */
  proofs?(seqno: number, signal: AbortSignal): Promise<readonly Uint8Array[]>;
  /** Nothing below that number is asked for any more. */
  release?(seqno: number): void;
  close?(): Promise<void>;
}

/** Where an audit takes its blocks from. */
export interface AuditSource {
  readonly name: string;
  /** Whether it can prove which block a number belongs to; a server over HTTP cannot. */
  readonly bindsIds: boolean;
  /** Begins to hand over blocks. @throws FinalityError */
  open(range: AuditRange, signal: AbortSignal): Promise<BlockGetter>;
  /** The checkpoint of the key block that rules a block, proven from an earlier one, where the source has proofs of the way. */
  lead?(from: Checkpoint, seqno: number, signal: AbortSignal): Promise<Checkpoint>;
}

/** What is asked for. */
export interface AuditRange {
  /** The first block of the whole audit, from which every n-th is counted, and the first that is wanted now. */
  readonly first: number;
  readonly from: number;
  readonly to: number;
  readonly signEvery: number;
}

/** One block of the range, in order. */
export type AuditItem =
  | ({ readonly type: 'signed'; readonly seqno: number } & FetchedBlock)
  /** A block that the one with number `of` leads down to; that one comes after it. */
  | {
      readonly type: 'linked';
      readonly seqno: number;
      readonly blockId: BlockIdExt;
      readonly known: HeaderOfRow;
      readonly of: number;
    }
  | { readonly type: 'failure'; readonly seqno: number; readonly error: FinalityError };

/** What is wrong with a source as a whole, and not with one block. */
const ENDS_THE_AUDIT: ReadonlySet<SourceErrorCode> = new Set([
  'source/aborted',
  'source/auth',
  'source/wrong-network',
  'source/other-chain',
  'source/tls',
]);

/** The failure of one block. @throws what ends the audit */
function asFailure(seqno: number, error: unknown): AuditItem {
  const isOfSource = error instanceof SourceError && ENDS_THE_AUDIT.has(error.code);
  if (!(error instanceof FinalityError) || isOfSource || error.code.startsWith('usage/')) throw error;
  return { type: 'failure', seqno, error };
}

async function signedItem(getter: BlockGetter, seqno: number, signal: AbortSignal): Promise<AuditItem> {
  try {
    return { type: 'signed', seqno, ...(await getter.signed(seqno, signal)) };
  } catch (error) {
    return asFailure(seqno, error);
  }
}

/** Every block by its own signatures. */
async function* everyBlock(getter: BlockGetter, range: AuditRange, signal: AbortSignal): AsyncGenerator<AuditItem> {
  const asked: Promise<AuditItem>[] = [];
  let next = range.from;
  const fill = () => {
    for (; next <= range.to && asked.length < getter.ahead; next++) {
      const item = signedItem(getter, next, signal);
      item.catch(() => {}); // seen when its turn comes, which may be never
      asked.push(item);
    }
  };
  for (fill(); asked.length > 0; fill()) {
    const item = await asked.shift()!;
    getter.release?.(item.seqno);
    yield item;
  }
}

/** The block and the one before it, from the first proof that shows both. */
function linkOf(proofs: readonly Uint8Array[], id: BlockIdExt): HeaderOfRow | undefined {
  for (const proof of proofs) {
    try {
      return readParent(proof, id);
    } catch (error) {
      if (!(error instanceof FinalityError)) throw error; // else it is a proof of something else
    }
  }
  return undefined;
}

/** The proofs of many headers, a few questions at a time. */
async function proofsOf(
  getter: BlockGetter,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, readonly Uint8Array[]>> {
  const found = new Map<number, readonly Uint8Array[]>();
  let next = to;
  const ask = async (): Promise<void> => {
    while (next >= from) {
      const seqno = next--;
      const proofs = await getter.proofs?.(seqno, signal).catch((error: unknown) => {
        asFailure(seqno, error); // what ends the audit is thrown; the block is then asked for its signatures
        return [];
      });
      found.set(seqno, proofs ?? []);
    }
  };
  await Promise.all(Array.from({ length: getter.ahead }, ask));
  return found;
}

/**
 * From a block with signatures down to another one: each is named by the header of the one after it. Where a proof is
 * missing, the block is asked for its own signatures, and the way goes on from it.
 */
async function oneHop(getter: BlockGetter, from: number, to: number, signal: AbortSignal): Promise<AuditItem[]> {
  const top = await signedItem(getter, to, signal);
  const items = [top];
  const proofs = await proofsOf(getter, from, to - 1, signal);
  let of = to;
  let parent = top.type === 'signed' ? (top.known?.parent ?? linkOf(top.proofs, top.set.blockId)?.parent) : undefined;
  for (let seqno = to - 1; seqno >= from; seqno--) {
    const known = parent === undefined ? undefined : linkOf(proofs.get(seqno) ?? [], parent);
    if (parent !== undefined && known !== undefined) {
      items.push({ type: 'linked', seqno, blockId: parent, known, of });
      parent = known.parent;
      continue;
    }
    const item = await signedItem(getter, seqno, signal);
    items.push(item);
    of = seqno;
    parent = item.type === 'signed' ? item.known?.parent : undefined;
  }
  getter.release?.(to);
  return items.reverse();
}

/** The blocks of a range, in order; whatever cannot be had is an item too. @throws FinalityError for what ends the audit */
export async function* itemsOf(getter: BlockGetter, range: AuditRange, signal: AbortSignal): AsyncGenerator<AuditItem> {
  if (range.signEvery === 1) {
    yield* everyBlock(getter, range, signal);
    return;
  }
  for (let from = range.from; from <= range.to; ) {
    const hop = Math.ceil((from - range.first + 1) / range.signEvery);
    const to = Math.min(range.to, range.first - 1 + hop * range.signEvery);
    yield* await oneHop(getter, from, to, signal);
    from = to + 1;
  }
}
