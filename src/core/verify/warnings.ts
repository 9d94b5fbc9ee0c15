/** Makes the warnings of a report. They do not change the verdict. */
import { encodeHex } from '../base/bytes.ts';
import { isSmallOrder } from '../ed25519/small-order.ts';
import { membersOf, originOf, type ValidatorSet } from '../validators/validator-set.ts';
import { boundFields } from './judge.ts';
import type { BlockContext, Coverage, Warning } from './report.ts';
import { checkSet, isStale } from './set-check.ts';

/** With this share of unknown signers the set is more likely wrong than under attack. */
const MANY_UNKNOWN = 1 / 3;

function warning(code: string, message: string): Warning {
  return Object.freeze({ code, message });
}

function smallOrderKeys(validators: ValidatorSet): Warning[] {
  return membersOf(validators).flatMap(({ publicKey }, position) => {
    if (!isSmallOrder(publicKey)) return [];
    const message = `validator ${position} has the small-order key ${encodeHex(publicKey)}: anyone can sign for it`;
    return [warning('small-order-key', message)];
  });
}

function strangers({ signatures }: Coverage): Warning[] {
  const unknown = signatures.filter(({ outcome }) => outcome === 'unknown-signer').length;
  if (unknown <= signatures.length * MANY_UNKNOWN) return [];
  const message = `${unknown} of ${signatures.length} signers are not in this set: it may be of another epoch`;
  return [warning('unknown-signers', message)];
}

/** A given clock decides. Without a clock the time of the block says whether the set was already long expired. */
export function staleSet(
  validators: Pick<ValidatorSet, 'utimeUntil'>,
  { header, nowSeconds }: BlockContext,
): readonly Warning[] {
  if (!isStale(validators, nowSeconds ?? header?.genUtime)) return [];
  const than = nowSeconds === undefined ? 'the block is' : 'now is';
  const message = `${than} long after ${new Date(validators.utimeUntil! * 1000).toISOString()}, when this set expired`;
  return [warning('stale-set', message)];
}

/** The warning of a report whose stale start was accepted. */
export const STALE_START = /* @__PURE__ */ warning(
  'stale-start',
  'trust began with validators that could have withdrawn their stakes: their old keys could have forged this block',
);

function unboundSeqno(coverage: Coverage, context: BlockContext): Warning[] {
  if (boundFields(coverage, context).includes('seqno')) return [];
  const message = `the signatures cover two hashes; the number ${coverage.blockId.seqno} is an unverified claim`;
  return [warning('unbound-seqno', message)];
}

function uncompared(validators: ValidatorSet, { header }: BlockContext): Warning[] {
  if (header?.validatorListHashShort === undefined || checkSet(validators, header) !== 'not-checked') return [];
  const message = 'the header names a set, but this set has no ADNL addresses or shuffle flag to compare';
  return [warning('set-not-compared', message)];
}

/** Returns the warnings of a report. */
export function warningsOf(coverage: Coverage, validators: ValidatorSet, context: BlockContext): readonly Warning[] {
  return Object.freeze([
    ...smallOrderKeys(validators),
    ...strangers(coverage),
    ...unboundSeqno(coverage, context),
    ...staleSet(validators, context),
    ...uncompared(validators, context),
    ...(originOf(validators)?.staleStart === 'accepted' ? [STALE_START] : []),
  ]);
}
