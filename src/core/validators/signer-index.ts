/**
 * Finds the validator of a signature entry. The index of a set made here is built once and kept together with the set.
 */
import { equalBytes } from '../base/bytes.ts';
import type { Hash256 } from '../base/fields.ts';
import { nodeIdShort } from './node-id-short.ts';
import { membersOf, ownSet, type ValidatorSet } from './validator-set.ts';

/** The members of one set by node id, with their weights and keys. Positions are those of `ValidatorSet.validators`. */
export interface SignerIndex {
  /** The members themselves, for `find` only: do not return them to a caller. */
  readonly nodeIds: readonly Hash256[];
  /** Copies, made on each call. */
  readonly publicKeys: readonly Uint8Array[];
  readonly weights: readonly bigint[];
  readonly totalWeight: bigint;
  /** The validator's position, or `undefined` for a signer outside the set. */
  find(nodeIdShort: Hash256): number | undefined;
}

/** The first four bytes of a node id. A node id is a hash, so these bytes differ for almost all signers. */
function prefixOf(id: Hash256): number {
  return (id[0]! << 24) | (id[1]! << 16) | (id[2]! << 8) | id[3]!;
}

/** A lookup by node id that allocates nothing. */
function finder(nodeIds: readonly Hash256[]): SignerIndex['find'] {
  const byPrefix = new Map<number, number[]>();
  for (const [position, id] of nodeIds.entries()) {
    const prefix = prefixOf(id);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), position]);
  }
  return (id) => byPrefix.get(prefixOf(id))?.find((position) => equalBytes(nodeIds[position]!, id));
}

const indexes = new WeakMap<ValidatorSet, SignerIndex>();

/**
 * Returns the index of a set, and keeps it for a set made here. A look-alike is checked and indexed again each time,
 * since it may have changed and its stated total weight is not trusted.
 * @throws ValidatorSetError, UsageError as `ownSet`
 */
export function signerIndex(set: ValidatorSet): SignerIndex {
  const own = ownSet(set);
  const known = indexes.get(own);
  if (known !== undefined) return known;
  const members = membersOf(own);
  const nodeIds = members.map(({ publicKey }) => nodeIdShort(publicKey));
  const index: SignerIndex = Object.freeze({
    nodeIds,
    get publicKeys() {
      return members.map(({ publicKey }) => new Uint8Array(publicKey));
    },
    weights: members.map(({ weight }) => weight),
    totalWeight: own.totalWeight,
    find: finder(nodeIds),
  });
  indexes.set(own, index);
  return index;
}
