/** Checks each entry of a signature list and reports the result. The verdict comes from `judge.ts`. */
import { badArgument, requireMembers } from '../base/arguments.ts';
import { HASH_BYTES } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import type { Own } from '../base/own-bytes.ts';
import { registry } from '../base/registry.ts';
import { type BlockIdExt, copyBlockId, requireMasterchain } from '../block/block-id.ts';
import { copySignatureList, type SignatureEntry, type SignatureList } from '../block/signature-list.ts';
import { fastestSyncEngine } from '../ed25519/choose.ts';
import type { KeyRing, RingBlock } from '../ed25519/engine.ts';
import { messageOf } from '../message/signed-message.ts';
import { type SignerIndex, signerIndex } from '../validators/signer-index.ts';
import { ownSet, type ValidatorSet } from '../validators/validator-set.ts';
import type { CheckedSignature, Coverage } from './report.ts';
import { attributeEntries } from './weights.ts';

/** Options of `checkSignatures`. */
export interface CheckOptions {
  /** Keys of exactly this validator set, opened by any engine. Default: a ring of the fastest synchronous engine. */
  readonly ring?: KeyRing;
}

/** The inputs of a coverage. */
export interface CoverageSource {
  /** The list as the caller passed it, to recognize it again. */
  readonly passed: ValidatorSet;
  /** The set of the caller, or a copy of a look-alike as it was at that time. */
  readonly validators: ValidatorSet;
  /** The block whose signatures were checked. A caller can write to the id in the coverage, but not to this copy. */
  readonly blockId: BlockIdExt;
  /** The checked entries, also not accessible to a caller. */
  readonly signatures: readonly SignatureEntry[];
  /** The validator of each entry; `undefined` for a signer outside the set. */
  readonly positions: readonly (number | undefined)[];
  /** The validators without an entry. */
  readonly missing: readonly number[];
}

const sources = registry<CoverageSource>();

/**
 * Returns the inputs of a coverage.
 * @throws UsageError `bad-option` for a coverage that was not made here
 */
export function sourceOf(coverage: Coverage): CoverageSource {
  const source = sources.own(coverage);
  if (source !== undefined) return source;
  throw badArgument('coverage', 'the coverage object of checkSignatures', coverage, 'check the signatures again');
}

const defaultRings = new WeakMap<SignerIndex, KeyRing>();

function defaultRing(index: SignerIndex): KeyRing {
  const known = defaultRings.get(index);
  if (known !== undefined) return known;
  const ring = fastestSyncEngine().open(index.publicKeys);
  defaultRings.set(index, ring);
  return ring;
}

function requireRing(ring: KeyRing): KeyRing {
  const { verify } = requireMembers(ring, 'a key ring', 'ring', 'engine.open(publicKeys) makes one');
  if (typeof verify === 'function') return ring;
  throw badArgument('ring', 'a key ring', ring, 'engine.open(publicKeys) makes one');
}

/** Prepares a check: copies of what has to be checked, and the question for a ring of keys. @throws as `checkSignatures` */
function start(own: Own<SignatureList>, passed: ValidatorSet) {
  requireMasterchain(own.blockId, 'blockId');
  const message = messageOf(own);
  const validators = ownSet(passed);
  const index = signerIndex(validators);
  const attribution = attributeEntries(own.signatures, index);
  const { positions, outcomes } = attribution;
  // The entries whose signatures decide, in the order of the question.
  const pending = [...outcomes.keys()].filter((entry) => outcomes[entry] === undefined);
  const question: RingBlock = {
    message,
    keyIndexes: pending.map((entry) => positions[entry]!),
    signatures: pending.map((entry) => own.signatures[entry]!.signature),
  };
  return { own, passed, validators, index, attribution, pending, question };
}

/** @param answers whether each signature of the question is valid */
function coverageOf(started: ReturnType<typeof start>, answers: readonly boolean[]): Coverage {
  const { own, passed, validators, index, attribution, pending } = started;
  const { positions } = attribution;
  const outcomes = [...attribution.outcomes];
  for (const [at, entry] of pending.entries()) outcomes[entry] = answers[at] === true ? 'valid' : 'bad-signature';
  let signedWeight = 0n;
  const shown = new Uint8Array(own.signatures.length * HASH_BYTES); // for the coverage alone: a caller may write to it
  const signatures = own.signatures.map(({ nodeIdShort: checked }, entry): CheckedSignature => {
    const nodeIdShort = shown.subarray(entry * HASH_BYTES, (entry + 1) * HASH_BYTES);
    nodeIdShort.set(checked);
    const position = positions[entry];
    const weight = position === undefined ? 0n : index.weights[position]!;
    const outcome = outcomes[entry]!; // known in advance, or from the answer
    if (outcome === 'valid') signedWeight += weight;
    return Object.freeze({ index: entry, nodeIdShort, outcome, weight });
  });
  const present = new Set(positions);
  const missing = [...index.nodeIds.keys()].filter((position) => !present.has(position));
  const coverage = {
    blockId: copyBlockId(own.blockId, 'blockId'),
    kind: own.kind,
    signedWeight,
    totalWeight: index.totalWeight,
    signatures: Object.freeze(signatures),
    missing: Object.freeze(missing.map((position) => new Uint8Array(index.nodeIds[position]!))),
  };
  return sources.make(coverage, {
    passed,
    validators,
    blockId: own.blockId,
    signatures: own.signatures,
    positions,
    missing,
  });
}

/**
 * Checks each signature and returns the result of each entry. The function copies the list first, so later changes of
 * the caller's object have no effect.
 * @param signatures the signature list
 * @param validators the set whose members may sign
 * @param opts `ring`, keys of exactly this validator set in an engine; by default a new ring of the fastest synchronous
 * engine
 * @returns the coverage: an outcome for each entry, and the weights. Pass it to `judge` for a verdict.
 * @throws DecodeError as `signedMessage`, `decode/length` for a node id or a signature with a wrong length,
 * `decode/range` for an id outside the masterchain, and `decode/too-large` for more than 4096 entries;
 * ValidatorSetError for a set that the node would reject; UsageError `bad-option` for arguments of a wrong kind. An
 * invalid signature is an outcome, never an error. Source of the outcomes: ton `crypto/block/signature-set.cpp`,
 * check_signatures.
 * @example
 * ```ts
 * import { checkSignatures, parseSignatureList, parseValidatorSet } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const signatures = parseSignatureList(simplexSample.signatures);
 * const validators = parseValidatorSet(simplexSample.validators);
 * const coverage = checkSignatures(signatures, validators);
 * console.log(coverage.signatures.length); // 66
 * ```
 */
export function checkSignatures(
  signatures: SignatureList,
  validators: ValidatorSet,
  opts: CheckOptions = {},
): Coverage {
  const { ring: given } = requireOptions(opts, ['ring'], '', {
    engine: 'give its ring: { ring: engine.open(publicKeys) }, or use verifyBlock',
    onDefect: 'a policy is for judge',
  });
  return checkOwn(copySignatureList(signatures), validators, given === undefined ? given : requireRing(given));
}

/** `checkSignatures` for a list that no other code can write to. */
export function checkOwn(own: Own<SignatureList>, validators: ValidatorSet, ring?: KeyRing): Coverage {
  const started = start(own, validators);
  const { message, keyIndexes, signatures } = started.question;
  return coverageOf(started, (ring ?? defaultRing(started.index)).verify(message, keyIndexes, signatures));
}

/**
 * `checkSignatures` for many lists, in two halves. An engine with several threads keeps them busy from one list to the
 * next and until the second half is called.
 * @throws as `checkSignatures`, before anything is checked
 */
export function beginManySignatures(
  lists: readonly SignatureList[],
  validators: ValidatorSet,
  ring: KeyRing,
): () => Coverage[] {
  const started = lists.map((list) => start(copySignatureList(list), validators));
  const finish = beginIn(
    ring,
    started.map(({ question }) => question),
  );
  return () => {
    const answers = finish();
    return started.map((one, at) => coverageOf(one, answers[at] ?? []));
  };
}

function beginIn(ring: KeyRing, blocks: readonly RingBlock[]): () => boolean[][] {
  if (ring.beginMany !== undefined) return ring.beginMany(blocks);
  return () =>
    ring.verifyMany?.(blocks) ?? blocks.map((block) => ring.verify(block.message, block.keyIndexes, block.signatures));
}
