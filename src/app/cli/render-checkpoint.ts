/** Renders checkpoints and walks as text. */
import { encodeHex } from '../../core/base/bytes.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { type Checkpoint, validatorSetAt } from '../../core/chain/checkpoint.ts';
import type { BlockWalk } from '../../core/chain/walk.ts';
import { isoTime, wideRow } from '../report/layout.ts';

const STARTS: Readonly<Record<Exclude<Checkpoint['staleStart'], 'none'>, string>> = {
  refused: 'validators could have withdrawn their stakes, not accepted: no block under this checkpoint is final',
  accepted: 'validators could have withdrawn their stakes, accepted with --accept-stale-start',
  unknown: 'unknown: the file has version 1, or was made without a clock',
};

/** A checkpoint in a few lines. */
export function renderCheckpoint(checkpoint: Checkpoint): string {
  const { keyBlock, anchor, config, globalId, genUtime, configProof, staleStart } = checkpoint;
  const set = validatorSetAt(checkpoint);
  const block = (id: BlockIdExt) => (id.seqno === 0 ? 'zerostate' : `block ${id.seqno}`);
  return [
    `checkpoint at key block ${keyBlock.seqno}, made ${isoTime(genUtime)}`,
    '',
    wideRow('root hash', encodeHex(keyBlock.rootHash)),
    wideRow('file hash', encodeHex(keyBlock.fileHash)),
    wideRow('proven from', `${block(anchor)}, root hash ${encodeHex(anchor.rootHash)}`),
    ...(staleStart === 'none' ? [] : [wideRow('began', STARTS[staleStart])]),
    wideRow('network', `global id ${globalId}`),
    wideRow(
      'validators',
      `${set.validators.length} of ${config.list.length} sign the masterchain, weight ${set.totalWeight}`,
    ),
    wideRow('elected', `${isoTime(config.utimeSince)} to ${isoTime(config.utimeUntil)}`),
    wideRow('proof', `${configProof.length} bytes`),
  ].join('\n');
}

/** Warning of a walk that began with validators whose term was over. */
export const STALE_START_LINE =
  '  the first validators could have withdrawn their stakes, accepted with --accept-stale-start: an attacker with the old keys could have forged all of it';

/** Says where a proof ended, and with which coverage. */
export function renderWalk({ reports, tip, complete, checkpoint }: BlockWalk): string {
  const lines = reports.map(({ coverage, validators, verdict }) => {
    const { blockId, signedWeight, totalWeight } = coverage;
    const by = validators.provenance.kind === 'proven' ? validators.provenance.keyBlock.seqno : '?';
    const words = verdict.status === 'undecided' ? `undecided, ${verdict.reason}` : verdict.status;
    return `  block ${blockId.seqno} is ${words}: ${signedWeight} of ${totalWeight} signed, set of key block ${by}`;
  });
  if (reports.length === 0)
    lines.push(`  the proof has no newer key block: the checkpoint stays at ${checkpoint.keyBlock.seqno}`);
  if (tip.seqno > checkpoint.keyBlock.seqno) {
    lines.push(
      `  the proof ends at block ${tip.seqno}; the checkpoint is at the last key block whose validator set it shows`,
    );
  }
  if (!complete) lines.push('  the server stopped before the requested block: ask again from where it ended');
  return lines.join('\n');
}
