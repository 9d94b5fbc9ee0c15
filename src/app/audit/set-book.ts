/** Knows which set signs a block: the set that was given, or the set of its key block, proven from a checkpoint. */

import { TrustError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { SignatureList } from '../../core/block/signature-list.ts';
import { advanceCheckpoint } from '../../core/chain/advance.ts';
import { type Checkpoint, markedCheckpoint, validatorSetAt } from '../../core/chain/checkpoint.ts';
import type { ValidatorSet } from '../../core/validators/validator-set.ts';
import type { ResolvedPolicy } from '../../core/verify/report.ts';
import { type AuditSource, firstShown, type GivenBlock } from './audit-source.ts';
import type { AuditItem } from './block-items.ts';

type Threshold = ResolvedPolicy['threshold'];

/** The start of an audit's trust. */
export type AuditStart = { readonly validators: ValidatorSet } | { readonly checkpoint: Checkpoint };

export class SetBook {
  readonly #given: ValidatorSet | undefined;
  readonly #source: Pick<AuditSource, 'lead' | 'isOld' | 'compare'>;
  readonly #threshold: Threshold;
  /** The newest checkpoint that is proven, and the one before. Blocks come in order, so trust never goes back. */
  #newest: Checkpoint | undefined;
  #before: Checkpoint | undefined;
  /** Old checkpoints, each with the mark that its start is accepted. */
  readonly #accepted = new WeakMap<Checkpoint, Checkpoint>();
  /** Checkpoints by their sets, as they were proven. */
  readonly #checkpoints = new WeakMap<ValidatorSet, Checkpoint>();
  /** A key block whose signatures are not enough for this audit. Trust does not pass it. */
  #refused: number | undefined;

  /** @param threshold of the audit; key blocks on the way have to exceed it too */
  constructor(start: AuditStart, source: Pick<AuditSource, 'lead' | 'isOld' | 'compare'>, threshold: Threshold) {
    this.#source = source;
    this.#threshold = threshold;
    if ('validators' in start) this.#given = start.validators;
    else this.#newest = start.checkpoint;
  }

  /** Whether key blocks can change the set. */
  get isProven(): boolean {
    return this.#given === undefined;
  }

  /** The checkpoints proven last, the older one first, for a later run. */
  get checkpoints(): readonly Checkpoint[] {
    return [this.#before, this.#newest].filter((one) => one !== undefined);
  }

  /** Adds a proven checkpoint. */
  add(checkpoint: Checkpoint): void {
    if (this.#newest !== undefined && checkpoint.keyBlock.seqno <= this.#newest.keyBlock.seqno) return;
    this.#before = this.#newest;
    this.#newest = checkpoint;
  }

  /** Returns the newest checkpoint before a block, else the oldest. */
  #checkpointFor(seqno: number): Checkpoint {
    const [before, newest] = [this.#before, this.#newest!]; // there is one if no set was given
    return newest.keyBlock.seqno < seqno ? newest : (before ?? newest);
  }

  /**
   * Returns the set to judge a block by: that of the newest proven key block before it. If another set rules the block, the judge reports
   * it.
   * @throws TrustError `trust/wrong-network` for a block of a different network; errors of the way to a key block
   */
  async setFor(item: Extract<AuditItem, { type: 'signed' }>, signal: Signal): Promise<ValidatorSet> {
    if (this.#given !== undefined) return this.#given;
    const header = item.known?.header;
    const from = this.#checkpointFor(item.seqno);
    if (header === undefined) return this.#setOf(from);
    if (header.globalId !== from.globalId) {
      const words = `block ${item.seqno} is of network ${header.globalId}, the checkpoint of ${from.globalId}`;
      throw new TrustError('trust/wrong-network', words);
    }
    const isBehind = from.keyBlock.seqno < header.prevKeyBlockSeqno;
    if (isBehind && this.#source.lead !== undefined && (this.#refused ?? item.seqno) >= item.seqno) {
      const led = await this.#source.lead(from, item.seqno, this.#threshold, signal);
      this.#refused = led.refused;
      this.add(led.checkpoint);
    }
    return this.#setOf(this.#checkpointFor(item.seqno));
  }

  /**
   * Returns a checkpoint with the mark of its rows. An audit writes final rows under an old one only if the caller
   * accepts that, or if `compare` passes.
   */
  #marked(checkpoint: Checkpoint): Checkpoint {
    if (this.#source.isOld?.(checkpoint) !== true) return checkpoint;
    const marked = this.#accepted.get(checkpoint) ?? markedCheckpoint(checkpoint, 'accepted');
    this.#accepted.set(checkpoint, marked);
    return marked;
  }

  #setOf(checkpoint: Checkpoint): ValidatorSet {
    const set = validatorSetAt(this.#marked(checkpoint));
    this.#checkpoints.set(set, checkpoint);
    return set;
  }

  /**
   * Holds a block against other servers if the keys of its set can be in any hands by now.
   * @param set that signed the block, as `setFor` returned it
   * @throws TrustError `trust/stale-start`; SourceError
   */
  async compare(set: ValidatorSet, given: GivenBlock, signal: Signal): Promise<void> {
    const from = this.#checkpoints.get(set); // none for a set that was given: the user guarantees for it
    if (from !== undefined) await this.#source.compare?.(from, given, signal);
  }

  /**
   * Moves on with a key block that is final by the policy of the audit.
   * @returns whether one of its proofs shows the new set
   */
  advance(seqno: number, signatures: SignatureList, proofs: readonly Uint8Array[]): boolean {
    const from = this.#marked(this.#checkpointFor(seqno));
    const next = firstShown(proofs, (block) => advanceCheckpoint({ block, signatures }, from));
    if (next !== undefined) this.add(next);
    return next !== undefined;
  }
}
