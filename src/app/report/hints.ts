/** Says what a person can do about a verdict that is not final. It computes no verdict. */
import type { UndecidedReason, VerificationReport } from '../../core/verify/report.ts';

const UNDECIDED_HINTS: Readonly<Record<UndecidedReason, string>> = {
  'wrong-validator-set':
    'use config parameter 34 of the key block named in the header: a different validator set signed this block',
  'no-known-signer':
    'pass the validator set of this network and round, or run `ton-finality sync` and retry: none of the signers is in this validator set',
  'claimed-set':
    'prove the validator set from a checkpoint, or pass acceptClaimed (--accept-claimed): only a server claims this set',
  'stale-set':
    'run `ton-finality sync` to move the checkpoint forward: the validator set is too old to prove a recent block',
  'unknown-age':
    'add utime_until to the file of the validator set, or pass --valid-until SECONDS: the validator set has no expiry time',
  'stale-head': 'ask other servers: this server is behind, or the network has stopped',
  'unbound-id': 'pass the block or its header proof to bind the seqno: ordinary signatures cover only two hashes',
  'epoch-not-checked':
    'pass the block or its header proof and, for a given validator set, its global id: network and epoch were not compared',
};

/** Hint for a set that the caller gave, where a proven one is required. */
const NOT_PROVEN = 'pass a checkpoint: a proven validator set is required, and this set is only given';

/** Hint for a set that a checkpoint proves, and that does not sign this block. */
const OTHER_EPOCH =
  'pass a checkpoint at the newest key block before this block; `ton-finality sync` moves yours to the head: a different validator set signed this block';

/** Returns one line each; none for a final block, and none for a block whose signatures are valid but lack weight. */
export function hintsOf({ coverage, verdict, validators }: VerificationReport): readonly string[] {
  if (verdict.status === 'undecided') {
    const { reason } = verdict;
    const { kind } = validators.provenance;
    if (reason === 'claimed-set' && kind === 'given') return [NOT_PROVEN];
    return [reason === 'wrong-validator-set' && kind === 'proven' ? OTHER_EPOCH : UNDECIDED_HINTS[reason]];
  }
  const { signatures } = coverage;
  if (verdict.status === 'insufficient' && signatures.length === 0) {
    return ['fetch the signatures again, preferably from another server: the list is empty'];
  }
  if (verdict.status !== 'rejected') return [];
  const unknown = signatures.filter(({ outcome }) => outcome === 'unknown-signer').length;
  if (3 * unknown > signatures.length) {
    return ['use the validator set of the key block named in the header of this block'];
  }
  const fitsNothing = signatures.every(({ outcome }) => outcome === 'bad-signature' || outcome === 'unknown-signer');
  return fitsNothing
    ? [
        'fetch the signatures again: no signature fits this block, so the server may have sent those of a different block or kind',
      ]
    : ['fetch the signatures again, preferably from another server: a node would reject this signature list'];
}
