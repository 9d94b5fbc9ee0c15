/** Warnings: what to know beside the verdict. Decides nothing. */
import { encodeHex } from '../base/bytes.ts';
import { isSmallOrder } from '../ed25519/small-order.ts';
import { membersOf, originOf, type ValidatorSet } from '../validators/validator-set.ts';
import { boundFields } from './judge.ts';
import type { Coverage, Evidence } from './report.ts';
import { checkSet, isStale } from './set-check.ts';

/** A set with this share of unknown signers is more likely the wrong set than an attack. */
const MANY_UNKNOWN = 1 / 3;

function smallOrderKeys(validators: ValidatorSet): string[] {
  return membersOf(validators).flatMap(({ publicKey }, position) =>
    isSmallOrder(publicKey)
      ? [`validator ${position} has the small-order key ${encodeHex(publicKey)}: anybody can sign for it`]
      : [],
  );
}

function strangers({ signatures }: Coverage): readonly string[] {
  const unknown = signatures.filter(({ outcome }) => outcome === 'unknown-signer').length;
  if (unknown <= signatures.length * MANY_UNKNOWN) return [];
  return [`${unknown} of ${signatures.length} signers are not in this set: it looks like that of another epoch`];
}

/** A clock decides; without one the time of the block itself says whether the set was long past its own by then. */
export function staleSet(
  validators: Pick<ValidatorSet, 'utimeUntil'>,
  { header, nowSeconds }: Evidence,
): readonly string[] {
  if (!isStale(validators, nowSeconds ?? header?.genUtime)) return [];
  const than = nowSeconds === undefined ? 'the block is' : 'now is';
  return [`stale-set: ${than} long after ${validators.utimeUntil}, the Unix time until which this set was elected`];
}

/** What a report says that stands on a start past its stakes which was taken all the same. */
export const STALE_START =
  'stale-start: trust began with a set past its stakes, and was taken all the same: its old keys could have made this block';

function unboundSeqno(coverage: Coverage, evidence: Evidence): string[] {
  return boundFields(coverage, evidence).includes('seqno')
    ? []
    : [
        `unbound-seqno: the signatures cover two hashes; the number ${coverage.blockId.seqno} is only its sender's word`,
      ];
}

function uncompared(validators: ValidatorSet, { header }: Evidence): string[] {
  return header?.validatorListHashShort !== undefined && checkSet(validators, header) === 'not-checked'
    ? ['the header names a set, but this one has no ADNL addresses or shuffle flag to compare']
    : [];
}

/** What to know beside the verdict. */
export function warningsOf(coverage: Coverage, validators: ValidatorSet, evidence: Evidence): readonly string[] {
  return Object.freeze([
    ...smallOrderKeys(validators),
    ...strangers(coverage),
    ...unboundSeqno(coverage, evidence),
    ...staleSet(validators, evidence),
    ...uncompared(validators, evidence),
    ...(originOf(validators)?.staleStart === 'accepted' ? [STALE_START] : []),
  ]);
}
