/** Where an audit takes its blocks from, whatever that is: signatures of a block, and its header where there is a proof of it. */
import { FinalityError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { SignatureList } from '../../core/block/signature-set.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import type { BlockHeaderFacts, ResolvedPolicy } from '../../core/verify/report.ts';
import type { HeaderOfRow } from './report-to-row.ts';

/** What a reader of proofs gives; `undefined` where it refuses one, which may be a proof of something else. */
export function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FinalityError) return undefined;
    throw error;
  }
}

/** The signatures of one block, and the header that its source has. */
export interface FetchedBlock {
  readonly set: SignatureList;
  /** Proven. */
  readonly known?: HeaderOfRow;
  /** What a server says of the header, where nothing is proven. It can only speak against a set. */
  readonly claimed?: BlockHeaderFacts;
  /** Block files or proofs of it, of which one may show the configuration of a key block. */
  readonly proofs: readonly Uint8Array[];
  /** Who gave it. */
  readonly from: string;
  /** Where several servers can be asked: what to do when the signatures are no good. */
  readonly others?: {
    /** The same block by a server that gave none of those so far; `undefined` when there is none left. @throws SourceError */
    next(signal: Signal): Promise<FetchedBlock | undefined>;
    /** A better one was found. */
    blame(): void;
  };
}

/** Fetches single blocks. */
export interface BlockGetter {
  /** Questions at a time. */
  readonly ahead: number;
  /** @throws FinalityError for a block that cannot be had, or not be read */
  signed(seqno: number, signal: Signal): Promise<FetchedBlock>;
  /** The proofs there are of a header, the likeliest first. @throws FinalityError */
  proofs?(seqno: number, signal: Signal): Promise<readonly Uint8Array[]>;
  /** The key blocks of the range, as far as there are signatures and proofs of them, in order. @throws FinalityError */
  keyBlocks?(signal: Signal): AsyncIterable<FetchedBlock>;
  /** Nothing up to that number is asked for any more. */
  release?(seqno: number): void;
  close?(): Promise<void>;
}

/** The source of an audit's blocks. */
export interface AuditSource {
  readonly name: string;
  /** Whether it can prove which block a number belongs to; a server over HTTP cannot. */
  readonly bindsIds: boolean;
  /** Begins to hand over blocks. @throws FinalityError */
  open(range: AuditRange, signal: Signal): Promise<BlockGetter>;
  /**
   * The checkpoint of the key block that rules a block, proven from an earlier one, where the source has proofs of the way.
   * @param threshold that the signatures of each key block on the way have to exceed
   */
  lead?(from: Checkpoint, seqno: number, threshold: ResolvedPolicy['threshold'], signal: Signal): Promise<AuditLead>;
}

/** How far the proofs of a source lead. */
export interface AuditLead {
  readonly checkpoint: Checkpoint;
  /** The key block after it whose signatures are not enough; absent where the way was not cut short. */
  readonly refused?: number;
}

/** The range of blocks that an audit asks for. */
export interface AuditRange {
  /** The first block of the whole audit, from which every n-th is counted, and the first that is wanted now. */
  readonly first: number;
  readonly from: number;
  readonly to: number;
  readonly signEvery: number;
}
