/** Decides where a follower resumes, from the checkpoint of the user and the state of an earlier run. The two may contradict each other. */
import type { UsageError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../../../core/block/block-id.ts';
import type { Checkpoint } from '../../../core/chain/checkpoint.ts';
import { badFlag } from '../input/option-rows.ts';
import type { SavedFollowState } from './follow-state.ts';

export interface FollowPlace {
  readonly checkpoint: Checkpoint;
  readonly after?: BlockIdExt;
  readonly from?: number;
  /** A key block that the user pinned since then. The way has to pass it. */
  readonly through?: BlockIdExt;
  /** A key block of the state that has to be proven from the checkpoint first: nothing shows yet that it comes after the checkpoint. */
  readonly unproven?: BlockIdExt;
}

/** Checks the order of two block numbers. @throws UsageError if a run would end before it begins */
export function requireOrder(first: number | undefined, to: number | undefined): void {
  if (first === undefined || to === undefined || first <= to) return;
  const hint = 'give an earlier --from, or a later --to';
  throw badFlag('to', `block ${to} is before block ${first}, where the run begins`, hint);
}

/** Checks that a run begins and ends after the checkpoint. @throws UsageError for a block that the checkpoint cannot prove */
export function requireAfterCheckpoint(
  { keyBlock: { seqno } }: Checkpoint,
  blocks: Readonly<Record<'from' | 'to', number | undefined>>,
): void {
  const hint =
    'pass a checkpoint of an earlier block; to prove one older block, run ton-finality verify SEQNO with these servers';
  for (const [name, block] of Object.entries(blocks)) {
    if (block === undefined || block > seqno) continue;
    throw badFlag(name, `expected a block after ${seqno}, the key block of the checkpoint, got ${block}`, hint);
  }
}

const REFUSED_HINT =
  'to start at the checkpoint, pass another state file or remove this one; to resume from the state, pass the checkpoint it was started with';

const refuse = (message: string) => badFlag('state', message, REFUSED_HINT);

function requireOne(ours: BlockIdExt, theirs: BlockIdExt): void {
  if (ours.seqno !== theirs.seqno || differingField(ours, theirs) === undefined) return;
  throw refuse(
    `block ${ours.seqno} is ${formatBlockId(theirs)} in the state, ${formatBlockId(ours)} in the checkpoint`,
  );
}

/** Makes the error for a state that the checkpoint does not lead to. */
export function notOnTheWay(keyBlock: BlockIdExt, start: Checkpoint): UsageError {
  return refuse(
    `key block ${keyBlock.seqno} of the state does not descend from key block ${start.keyBlock.seqno} of the checkpoint`,
  );
}

/** Returns where to resume. @throws UsageError `usage/bad-option` for a state at another block, or of another chain */
export function placeOf(kept: SavedFollowState | undefined, start: Checkpoint, from: number | undefined): FollowPlace {
  if (kept === undefined) return { checkpoint: start, ...present({ from }) };
  const { after, from: first, checkpoint, start: begun } = kept;
  const pinned = start.keyBlock;
  const place = present({ after, from: first });
  const next = after === undefined ? first! : after.seqno + 1; // a state has one of the two
  const isPassed = pinned.seqno >= next;
  if (after === undefined && !isPassed) return { checkpoint: start, ...place };
  if (after !== undefined) requireOne(pinned, after);
  if (checkpoint === undefined) {
    if (!isPassed) return { checkpoint: start, ...place };
    throw refuse(`block ${next} comes next in the state, the checkpoint is already at block ${pinned.seqno}`);
  }
  const { anchor, keyBlock } = checkpoint;
  if (differingField(anchor, start.anchor) !== undefined) {
    throw refuse(
      `trust in the state began at block ${formatBlockId(anchor)}, in the checkpoint at ${formatBlockId(start.anchor)}`,
    );
  }
  requireOne(pinned, keyBlock);
  if (isPassed) return { checkpoint, ...place, through: pinned };
  if (pinned.seqno > keyBlock.seqno) return { checkpoint: start, ...place };
  const isAsBegun = pinned.seqno === keyBlock.seqno || begun === formatBlockId(pinned);
  return { checkpoint, ...place, ...(isAsBegun ? {} : { unproven: keyBlock }) };
}
