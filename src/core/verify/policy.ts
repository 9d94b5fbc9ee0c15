/** Fills in the defaults of a policy, and rejects any policy that would accept less than the node's 2/3. */

import { UsageError } from '../base/errors.ts';
import { FINALITY_THRESHOLD } from '../base/limits.ts';
import { asGiven, requireOptions } from '../base/options.ts';
import { ownMembers } from '../base/present.ts';
import type { Policy, ResolvedPolicy } from './report.ts';

const SWITCHES = ['acceptClaimed', 'acceptUnbound', 'requireBoundId', 'requireProvenSet', 'requireHeader'] as const;

/** The names of `Policy`. */
export const POLICY_KEYS: readonly string[] = ['onDefect', 'threshold', ...SWITCHES];

/** The members of a policy in a table of options. `resolvePolicy` checks the values. */
export const POLICY_READERS = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ POLICY_KEYS.map((key) => [key, asGiven]),
) as unknown as Record<keyof Policy, typeof asGiven>; // the names of `POLICY`

function badPolicy(path: string, message: string): UsageError {
  return new UsageError('usage/bad-policy', message, { path });
}

/** An exception and the demand that rules it out. */
const CONTRADICTIONS = [
  ['acceptClaimed', 'requireProvenSet'],
  ['acceptUnbound', 'requireBoundId'],
] as const;

/** The policy among other options. */
export function pickPolicy(options: Policy): Policy {
  return Object.fromEntries(Object.entries(options).filter(([key]) => POLICY_KEYS.includes(key)));
}

/**
 * Fills in the defaults. The caller has checked that all members are known.
 * @throws UsageError `bad-policy` unless 2/3 <= num/den < 1, for values of a wrong type, and for contradictions
 */
export function resolvePolicy(policy: Policy = {}): ResolvedPolicy {
  const own = ownMembers(policy); // a member of a prototype was not requested
  const { onDefect = 'reject', threshold = FINALITY_THRESHOLD } = own;
  const switches = ownMembers({} as Record<(typeof SWITCHES)[number], boolean>);
  for (const name of SWITCHES) {
    const { [name]: value = false } = own;
    if (typeof value !== 'boolean') throw badPolicy(name, 'expected true or false');
    switches[name] = value;
  }
  for (const [exception, demand] of CONTRADICTIONS) {
    if (switches[exception] && switches[demand]) throw badPolicy(exception, `contradicts ${demand}`);
  }
  const { num, den } = requireOptions(threshold, ['num', 'den'], 'threshold');
  if (typeof num !== 'bigint' || typeof den !== 'bigint') {
    throw badPolicy('threshold', 'expected two bigints, as in { num: 2n, den: 3n }');
  }
  const isAtLeastTwoThirds = num * FINALITY_THRESHOLD.den >= den * FINALITY_THRESHOLD.num;
  if (den <= 0n || !isAtLeastTwoThirds || num >= den) {
    throw badPolicy('threshold', `expected 2/3 <= threshold < 1, got ${num}/${den}`);
  }
  if (onDefect !== 'reject' && onDefect !== 'ignore') throw badPolicy('onDefect', "expected 'reject' or 'ignore'");
  return Object.freeze({ onDefect, threshold: Object.freeze({ num, den }), ...switches });
}
