/** Words of a report: what is odd about the input (warnings) and what to do about the verdict (hints). Decides nothing. */
import { encodeHex } from '../base/bytes.ts';
import { isSmallOrder } from '../ed25519/small-order.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { Coverage, Evidence, SetCheck, UndecidedReason, Verdict } from './report.ts';
import { isStale } from './set-check.ts';

/** A set with this share of unknown signers is more likely the wrong set than an attack. */
const MANY_UNKNOWN = 1 / 3;

function smallOrderKeys(validators: ValidatorSet): string[] {
  return validators.validators.flatMap(({ publicKey }, position) =>
    isSmallOrder(publicKey)
      ? [`validator ${position} has the small-order key ${encodeHex(publicKey)}: anybody can sign for it`]
      : [],
  );
}

/** What is odd and did not change the verdict. */
export function warningsOf(validators: ValidatorSet, evidence: Evidence): readonly string[] {
  const warnings = smallOrderKeys(validators);
  if (evidence.nowSeconds === undefined && isStale(validators, evidence.header?.genUtime)) {
    warnings.push('the block was made long after the time for which this validator set was elected');
  }
  return Object.freeze(warnings);
}

const NO_HINTS: readonly string[] = Object.freeze([]);

const REASON_HINTS: Readonly<Record<UndecidedReason, string>> = {
  'wrong-validator-set':
    'another validator set signed this block: take config parameter 34 of the key block named in its header',
  'no-known-signer':
    'not one signer is in this validator set: it is of another epoch or another network, and says nothing of the block',
  'claimed-set': 'the validator set is only a server’s word: prove it from a checkpoint, or accept it by name',
  'stale-set': 'the validator set is too old to vouch for a head: move the checkpoint forward first',
  'unbound-id': 'an ordinary set signs two hashes only: give the block or its header proof to bind the seqno',
};

/** What to do about the verdict. */
export function hintsOf(coverage: Coverage, verdict: Verdict, setCheck: SetCheck): readonly string[] {
  if (verdict.status === 'undecided') return Object.freeze([REASON_HINTS[verdict.reason]]);
  if (verdict.status !== 'rejected') return NO_HINTS;
  const hints: string[] = [];
  const entries = coverage.signatures.length;
  const count = (outcome: string) => verdict.defects.filter((entry) => entry.outcome === outcome).length;
  const unknown = count('unknown-signer');
  const bad = count('bad-signature');
  if (setCheck !== 'match' && unknown > entries * MANY_UNKNOWN) {
    hints.push(
      `${unknown} of ${entries} signers are not in this validator set: it looks like the set of another epoch`,
    );
  }
  if (bad > 0 && bad === entries - unknown) {
    hints.push(
      'no signature fits this block: the server may have sent those of the block before it, or of the other kind',
    );
  }
  return Object.freeze(hints);
}
