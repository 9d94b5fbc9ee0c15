/** Policies: fills in defaults and refuses any that would let less than the node's 2/3 be final. */

import { UsageError } from '../base/errors.ts';
import { FINALITY_THRESHOLD } from '../base/limits.ts';
import { asGiven, requireOptions } from '../base/options.ts';
import { ownMembers } from '../base/present.ts';
import type { Policy, ResolvedPolicy } from './report.ts';

const SWITCHES = ['acceptClaimed', 'acceptUnbound', 'requireBoundId', 'requireProvenSet', 'requireHeader'] as const;

/** The names of `Policy`. */
export const POLICY_KEYS: readonly string[] = ['onDefect', 'threshold', ...SWITCHES];

/** The policy in a table of options: `resolvePolicy` looks at the values. */
export const POLICY_READERS = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ POLICY_KEYS.map((key) => [key, asGiven]),
) as unknown as Record<keyof Policy, typeof asGiven>; // those are its names

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
 * Fills in the defaults. Whether all members are known is looked at where the policy comes in.
 * @throws UsageError `bad-policy` unless 2/3 <= num/den < 1, for values of another type, and for contradictions
 */
export function resolvePolicy(policy: Policy = {}): ResolvedPolicy {
  const own = ownMembers(policy); // what is on a prototype was not asked for
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
