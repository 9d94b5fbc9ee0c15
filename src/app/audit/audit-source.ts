/** Defines the sources of an audit's blocks: signatures of a block, and its header if there is a proof of it. */
import { FinalityError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { SignatureList } from '../../core/block/signature-list.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import type { BlockHeaderFacts, ResolvedPolicy } from '../../core/verify/report.ts';
import type { HeaderOfRow } from './report-to-row.ts';

/** Passes over input that was rejected. @throws any other error */
export function passOver(error: unknown): undefined {
  if (!(error instanceof FinalityError)) throw error;
}

/** Returns the result of a reader, or the error with which it rejects its input. @throws any other error */
export function resultOrRefusal<T>(read: () => T): T | FinalityError {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FinalityError)) throw error;
    return error;
  }
}

/**
 * Returns the result of a proof reader; `undefined` if it rejects the proof, which may be a proof of something else.
 */
export function unlessRefused<T>(read: () => T): T | undefined {
  const result = resultOrRefusal(read);
  return result instanceof FinalityError ? undefined : result;
}

/** Returns what the first proof shows that its reader accepts; `undefined` if it accepts none. */
export function firstShown<T>(proofs: readonly Uint8Array[], read: (proof: Uint8Array) => T): T | undefined {
  for (const proof of proofs) {
    const shown = unlessRefused(() => read(proof));
    if (shown !== undefined) return shown;
  }
  return undefined;
}

/** The signatures of one block, and the header that its source has. */
export interface FetchedBlock {
  readonly signatures: SignatureList;
  /** The proven header. */
  readonly known?: HeaderOfRow;
  /** The header as a server claims it, without proof. It can only count against a set. */
  readonly claimed?: BlockHeaderFacts;
  /** Asks a server that made no claim about this block yet; `undefined` when none is left. @throws SourceError */
  anotherClaim?(signal: Signal): Promise<Pick<FetchedBlock, 'claimed' | 'anotherClaim'> | undefined>;
  /** Block files or proofs of the block. One of them may show the configuration of a key block. */
  readonly proofs: readonly Uint8Array[];
  /** Name of the server or file that gave the block. */
  readonly from: string;
  /** Asks a server that has not yet given the block; `undefined` when none is left. @throws SourceError */
  another?(signal: Signal): Promise<FetchedBlock | undefined>;
  /** Records that these signatures were invalid: another server gave valid ones. */
  blame?(): void;
}

/** A block, and the name of the server that gave it. */
export type GivenBlock = Pick<FetchedBlock, 'signatures' | 'from'>;

/** Fetches single blocks. */
export interface BlockGetter {
  /** Blocks fetched ahead: the number of questions at a time. */
  readonly ahead: number;
  /** @throws FinalityError for a block that cannot be fetched or read */
  signed(seqno: number, signal: Signal): Promise<FetchedBlock>;
  /** Proofs of a header, the most likely first. @throws FinalityError */
  proofs?(seqno: number, signal: Signal): Promise<readonly Uint8Array[]>;
  /** Key blocks of the range with signatures and proofs, in order. @throws FinalityError */
  keyBlocks?(signal: Signal): AsyncIterable<FetchedBlock>;
  /** Frees what is held for blocks up to this number. */
  release?(seqno: number): void;
  close?(): Promise<void>;
}

/** The source of an audit's blocks. */
export interface AuditSource {
  readonly name: string;
  /** Whether it can prove which block a number belongs to. Servers over HTTP cannot. */
  readonly bindsIds: boolean;
  /** Proofs that an open source could not read and that may be of any block, and the first of their errors. */
  readonly skipped?: { readonly count: number; readonly first: FinalityError } | undefined;
  /** Starts fetching blocks. @throws FinalityError */
  open(range: AuditRange, signal: Signal): Promise<BlockGetter>;
  /**
   * Proves the checkpoint of the key block that rules a block, from an earlier checkpoint. Absent if the source has no
   * proofs of key blocks.
   * @param threshold share that the signatures of each key block on the way have to exceed
   */
  lead?(from: Checkpoint, seqno: number, threshold: ResolvedPolicy['threshold'], signal: Signal): Promise<AuditLead>;
  /**
   * Whether the validators of a checkpoint can have withdrawn their stakes, or trust in it began so and that was not
   * accepted. Absent if the source has no servers to ask.
   */
  isOld?(from: Checkpoint): boolean;
  /**
   * Compares a block with other servers if the checkpoint of its set is old. Absent if the source has no servers to ask.
   * @param from the checkpoint of the set that signed the block
   * @throws TrustError `trust/stale-start` if too few servers name the block; SourceError
   */
  compare?(from: Checkpoint, given: GivenBlock, signal: Signal): Promise<void>;
}

/** Result of `lead`: how far the proofs of a source reach. */
export interface AuditLead {
  readonly checkpoint: Checkpoint;
  /** Seqno of the next key block, if its signatures were not enough; absent if the way was not cut short. */
  readonly refused?: number;
}

/** The range of blocks that an audit asks for. */
export interface AuditRange {
  /**
   * First block of the whole audit, from which every n-th block is counted, and the first block that is still needed.
   */
  readonly first: number;
  readonly from: number;
  readonly to: number;
  readonly signEvery: number;
}
