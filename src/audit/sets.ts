/** Which set signs a block: the one that was given, or that of its key block, proven from a checkpoint and kept. */

import { FinalityError, TrustError } from '../base/errors.ts';
import type { Signal } from '../base/runtime-types.ts';
import { advance } from '../chain/advance.ts';
import { type Checkpoint, validatorSetAt } from '../chain/checkpoint.ts';
import type { SignatureSet } from '../decode/signature-set.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { AuditItem, AuditSource } from './blocks.ts';

/** What trust begins with. */
export type AuditStart = { readonly validators: ValidatorSet } | { readonly checkpoint: Checkpoint };

/** Checkpoints that are kept: blocks come in order, so older ones are not asked for again. */
const MAX_KEPT = 8;

export class SetBook {
  readonly #given: ValidatorSet | undefined;
  readonly #lead: AuditSource['lead'];
  readonly #globalId: number | undefined;
  /** By seqno of their key blocks, the oldest first. */
  readonly #checkpoints: Checkpoint[] = [];

  constructor(start: AuditStart, lead: AuditSource['lead']) {
    this.#lead = lead;
    if ('validators' in start) this.#given = start.validators;
    else {
      this.#checkpoints.push(start.checkpoint);
      this.#globalId = start.checkpoint.globalId;
    }
  }

  /** Whether key blocks change anything. */
  get isProven(): boolean {
    return this.#given === undefined;
  }

  /** Those proven so far, the oldest first: for a later run. */
  get checkpoints(): readonly Checkpoint[] {
    return this.#checkpoints;
  }

  /** Takes in a checkpoint that is proven. */
  add(checkpoint: Checkpoint): void {
    const { seqno } = checkpoint.keyBlock;
    if (this.#checkpoints.some(({ keyBlock }) => keyBlock.seqno === seqno)) return;
    this.#checkpoints.push(checkpoint);
    this.#checkpoints.sort((a, b) => a.keyBlock.seqno - b.keyBlock.seqno);
    if (this.#checkpoints.length > MAX_KEPT) this.#checkpoints.shift();
  }

  /** The newest checkpoint before a block; the oldest there is where none is. */
  #before(seqno: number): Checkpoint {
    return this.#checkpoints.filter(({ keyBlock }) => keyBlock.seqno < seqno).at(-1) ?? this.#checkpoints[0]!; // one at the start
  }

  /**
   * The set to judge a block by. Where its key block is not proven, the newest set before it: the judge sees that it is
   * another one.
   * @throws TrustError `trust/wrong-network` for a block of another network; what the way to a key block throws
   */
  async setFor(item: Extract<AuditItem, { type: 'signed' }>, signal: Signal): Promise<ValidatorSet> {
    if (this.#given !== undefined) return this.#given;
    const header = item.known?.header;
    if (header === undefined) return validatorSetAt(this.#before(item.seqno));
    if (header.globalId !== this.#globalId) {
      throw new TrustError(
        'trust/wrong-network',
        `block ${item.seqno} is of network ${header.globalId}, the checkpoint of ${this.#globalId}`,
      );
    }
    const ruling = () => this.#checkpoints.find(({ keyBlock }) => keyBlock.seqno === header.prevKeyBlockSeqno);
    const from = this.#before(item.seqno);
    if (ruling() === undefined && this.#lead !== undefined && from.keyBlock.seqno < header.prevKeyBlockSeqno) {
      this.add(await this.#lead(from, item.seqno, signal));
    }
    return validatorSetAt(ruling() ?? from);
  }

  /**
   * Moves on with a key block that is final.
   * @returns whether one of its proofs shows the new set
   */
  advance(seqno: number, signatures: SignatureSet, proofs: readonly Uint8Array[]): boolean {
    const from = this.#before(seqno);
    for (const block of proofs) {
      try {
        this.add(advance(from, { block, signatures }));
        return true;
      } catch (error) {
        if (!(error instanceof FinalityError)) throw error; // a proof of something else, or one that shows no set
      }
    }
    return false;
  }
}
