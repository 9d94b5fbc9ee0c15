/** Facts: states what each entry of a signature set is. It judges nothing; that is `judge.ts`. */
import { FINALITY_THRESHOLD } from '../base/limits.ts';
import type { SignatureSet } from '../decode/signature-set.ts';
import { fastestSyncEngine } from '../ed25519/choose.ts';
import type { KeyRing } from '../ed25519/engine.ts';
import { signedMessage } from '../message/signed-message.ts';
import { type SignerIndex, signerIndex } from '../validators/signer-index.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { CheckedSignature, Coverage, SignatureOutcome } from './report.ts';
import { type Attribution, attributeEntries, exceeds } from './tally.ts';

/** How to check. */
export interface CheckOptions {
  /** Keys of exactly this validator set, opened by any engine. Default: a ring of the fastest synchronous engine. */
  readonly ring?: KeyRing;
  /**
   * For audits: finds duplicates and unknowns first, then checks the heaviest signers until more than 2/3 have signed
   * and leaves the rest 'unchecked'. Such a coverage can be judged only with `onDefect: 'ignore'`.
   */
  readonly stopAtQuorum?: boolean;
}

const defaultRings = new WeakMap<SignerIndex, KeyRing>();

function defaultRing(index: SignerIndex): KeyRing {
  const known = defaultRings.get(index);
  if (known !== undefined) return known;
  const ring = fastestSyncEngine().open(index.publicKeys);
  defaultRings.set(index, ring);
  return ring;
}

/** An entry that is neither unknown nor repeated, so that its signature is worth checking. */
interface Candidate {
  readonly entry: number;
  readonly position: number;
}

function soleEntries(attributions: readonly Attribution[]): Candidate[] {
  const sole: Candidate[] = [];
  for (const [entry, { standing, position }] of attributions.entries()) {
    if (standing === 'sole' && position !== undefined) sole.push({ entry, position });
  }
  return sole;
}

/** The shortest run of candidates whose weight, were all valid, takes `signed` above 2/3; all that are left, if none does. */
function nextBatch(candidates: readonly Candidate[], from: number, signed: bigint, index: SignerIndex): Candidate[] {
  const batch: Candidate[] = [];
  let hoped = signed;
  for (let at = from; at < candidates.length && !exceeds(hoped, index.totalWeight, FINALITY_THRESHOLD); at++) {
    const candidate = candidates[at]!;
    batch.push(candidate);
    hoped += index.weights[candidate.position]!;
  }
  return batch;
}

/**
 * States what each entry is. Checks every entry unless `stopAtQuorum` is set.
 * @throws DecodeError as `signedMessage`; ValidatorSetError for a set the node would refuse. Never for a bad signature.
 * Source of the outcomes: ton `crypto/block/signature-set.cpp`, check_signatures.
 */
export function checkSignatures(set: SignatureSet, validators: ValidatorSet, opts: CheckOptions = {}): Coverage {
  const message = signedMessage(set);
  const index = signerIndex(validators);
  const ring = opts.ring ?? defaultRing(index);
  const attributions = attributeEntries(set.signatures, index);
  const outcomes = attributions.map(({ standing }): SignatureOutcome => (standing === 'sole' ? 'unchecked' : standing));
  let signedWeight = 0n;

  const check = (batch: readonly Candidate[]): void => {
    const answers = ring.verify(
      message,
      batch.map(({ position }) => position),
      batch.map(({ entry }) => set.signatures[entry]!.signature),
    );
    for (const [i, { entry, position }] of batch.entries()) {
      const isValid = answers[i] === true;
      outcomes[entry] = isValid ? 'valid' : 'bad-signature';
      if (isValid) signedWeight += index.weights[position]!;
    }
  };

  const candidates = soleEntries(attributions);
  if (opts.stopAtQuorum === true) {
    candidates.sort((a, b) => (index.weights[a.position]! < index.weights[b.position]! ? 1 : -1));
    for (let from = 0; from < candidates.length; ) {
      const batch = nextBatch(candidates, from, signedWeight, index);
      if (batch.length === 0) break;
      check(batch);
      from += batch.length;
    }
  } else {
    check(candidates);
  }

  const signatures = attributions.map(
    ({ position }, entry): CheckedSignature =>
      Object.freeze({
        index: entry,
        nodeIdShort: set.signatures[entry]!.nodeIdShort,
        outcome: outcomes[entry]!,
        weight: position === undefined ? 0n : index.weights[position]!,
      }),
  );
  const present = new Set(attributions.map(({ position }) => position));
  return Object.freeze({
    blockId: set.blockId,
    kind: set.kind,
    signedWeight,
    totalWeight: index.totalWeight,
    complete: !outcomes.includes('unchecked'),
    signatures: Object.freeze(signatures),
    missing: Object.freeze(index.nodeIds.filter((_, position) => !present.has(position))),
  });
}
