/** What a person can do about a verdict that is not final. Computes no verdict. */
import type { UndecidedReason, VerificationReport } from '../../core/verify/report.ts';

const UNDECIDED_HINTS: Readonly<Record<UndecidedReason, string>> = {
  'wrong-validator-set':
    'another validator set signed this block: take config parameter 34 of the key block named in its header',
  'no-known-signer':
    'not one signer is in this validator set: it is of another epoch or another network, and says nothing of the block',
  'claimed-set': 'the validator set is only a server’s word: prove it from a checkpoint, or accept it by name',
  'stale-set': 'the validator set is too old to vouch for a head: move the checkpoint forward first',
  'unknown-age':
    'until when the validator set was elected is not known, so no clock can judge it: say so with utime_until in its file, or --valid-until SECONDS',
  'stale-head': 'the newest block is old: the server is behind, or the network stands; ask other servers',
  'unbound-id': 'an ordinary set signs two hashes only: give the block or its header proof to bind the seqno',
  'epoch-not-checked':
    'network and epoch were not compared: give the block or its header proof, and for a set of your own its global id',
};

/** A set that its caller vouches for is not enough where a proven one is asked for. */
const NOT_PROVEN = 'a proven set is asked for, and this one is only given: take it from a checkpoint, which proves it';

/** One line each; none for a final block and for one that has signatures and just lacks weight. */
export function hintsOf({ coverage, verdict, validators }: VerificationReport): readonly string[] {
  if (verdict.status === 'undecided') {
    const isGiven = verdict.reason === 'claimed-set' && validators.provenance.kind === 'given';
    return [isGiven ? NOT_PROVEN : UNDECIDED_HINTS[verdict.reason]];
  }
  const { signatures } = coverage;
  if (verdict.status === 'insufficient' && signatures.length === 0) {
    return ['the list of signatures is empty: fetch it again, from another server if you can'];
  }
  if (verdict.status !== 'rejected') return [];
  const unknown = signatures.filter(({ outcome }) => outcome === 'unknown-signer').length;
  if (3 * unknown > signatures.length) {
    return ['take the validator set of the key block that the header of this block names'];
  }
  const fitsNothing = signatures.every(({ outcome }) => outcome === 'bad-signature' || outcome === 'unknown-signer');
  return fitsNothing
    ? ['no signature fits this block: the server may have sent those of the block before it, or of the other kind']
    : ['a node would refuse this set as it stands: fetch it again, from another server if you can'];
}
