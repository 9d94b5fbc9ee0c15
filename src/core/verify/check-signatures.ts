/** Facts: states what each entry of a signature set is. It judges nothing; that is `judge.ts`. */
import { badArgument, requireMembers } from '../base/arguments.ts';
import { FINALITY_THRESHOLD, HASH_BYTES } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import { privateMember } from '../base/private-member.ts';
import { type BlockIdExt, copyBlockId, requireMasterchain } from '../block/block-id.ts';
import { copySignatureSet } from '../block/copy-signature-set.ts';
import type { SignatureEntry, SignatureSet } from '../block/signature-set.ts';
import { fastestSyncEngine } from '../ed25519/choose.ts';
import type { KeyRing, RingBlock } from '../ed25519/engine.ts';
import { messageOf } from '../message/signed-message.ts';
import { type SignerIndex, signerIndex } from '../validators/signer-index.ts';
import { ownSet, type ValidatorSet } from '../validators/validator-set.ts';
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

/** What a coverage was made with. */
export interface CoverageSource {
  /** The set as it was passed, by which it is known again. */
  readonly passed: ValidatorSet;
  /** The same, or a copy of what somebody put together by hand, as it was at that time. */
  readonly validators: ValidatorSet;
  /** The block whose signatures were checked: what the coverage shows of it can be written to. Not for handing out. */
  readonly blockId: BlockIdExt;
  /** What was checked, entry by entry. Not for handing out either. */
  readonly signatures: readonly SignatureEntry[];
}

const sources = privateMember<CoverageSource>();

/**
 * What a coverage was made with.
 * @throws UsageError `bad-option` for one that was not made here
 */
export function sourceOf(coverage: Coverage): CoverageSource {
  const source = sources.get(coverage);
  if (source !== undefined) return source;
  throw badArgument(
    'coverage',
    'a coverage of checkSignatures, the very object',
    coverage,
    'check the signatures again',
  );
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

/**
 * How many of the entries, heaviest first, it takes to get above 2/3 if all of them are valid; all, if none does.
 * @param weights of the entries that are still unchecked
 */
function batchSize(weights: readonly bigint[], signed: bigint, total: bigint): number {
  let hoped = signed;
  let size = 0;
  while (size < weights.length && !exceeds(hoped, total, FINALITY_THRESHOLD)) hoped += weights[size++]!;
  return size;
}

/** Copies of what is to be checked, and the message that was signed. */
interface Prepared {
  readonly own: SignatureSet;
  readonly message: Uint8Array;
  readonly passed: ValidatorSet;
  readonly validators: ValidatorSet;
  readonly index: SignerIndex;
}

/** @param own frozen, of bytes that nobody else can write to @throws as `checkSignatures` */
function prepare(own: SignatureSet, validators: ValidatorSet): Prepared {
  requireMasterchain(own.blockId, 'blockId');
  const message = messageOf(own);
  const ownValidators = ownSet(validators);
  return { own, message, passed: validators, validators: ownValidators, index: signerIndex(ownValidators) };
}

/** Asks for verdicts, and ends with what each entry is. */
type Checking = Generator<RingBlock, Coverage, readonly boolean[]>;

/**
 * Asks for some of the entries, and states what each of them is. It stands by itself: for a generator function within another one V8
 * makes a hidden class a call, which keeps all that its scope holds until the next full collection of garbage.
 * @returns the weight of those that are valid
 */
function* check(
  entries: readonly number[],
  { own, message }: Prepared,
  positions: Attribution['positions'],
  weights: readonly bigint[],
  outcomes: SignatureOutcome[],
): Generator<RingBlock, bigint, readonly boolean[]> {
  const answers = yield {
    message,
    keyIndexes: entries.map((entry) => positions[entry]!),
    signatures: entries.map((entry) => own.signatures[entry]!.signature),
  };
  let valid = 0n;
  for (const [i, entry] of entries.entries()) {
    const isValid = answers[i] === true;
    outcomes[entry] = isValid ? 'valid' : 'bad-signature';
    if (isValid) valid += weights[entry]!;
  }
  return valid;
}

function* checking(prepared: Prepared, stopAtQuorum: boolean): Checking {
  const { own, passed, validators, index } = prepared;
  const { positions, outcomes: known } = attributeEntries(own.signatures, index);
  const outcomes = [...known];
  const weights = positions.map((position) => (position === undefined ? 0n : index.weights[position]!));
  let signedWeight = 0n;

  let pending = [...outcomes.keys()].filter((entry) => outcomes[entry] === 'unchecked');
  if (stopAtQuorum) {
    pending.sort((a, b) => Number(weights[b]! - weights[a]!));
    const next = () =>
      batchSize(
        pending.map((entry) => weights[entry]!),
        signedWeight,
        index.totalWeight,
      );
    for (let size = next(); size > 0; size = next()) {
      signedWeight += yield* check(pending.slice(0, size), prepared, positions, weights, outcomes);
      pending = pending.slice(size);
    }
  } else {
    signedWeight += yield* check(pending, prepared, positions, weights, outcomes);
  }

  const shown = new Uint8Array(own.signatures.length * HASH_BYTES); // of the coverage alone: what was checked stays as it was
  const signatures = own.signatures.map(({ nodeIdShort: checked }, entry): CheckedSignature => {
    const nodeIdShort = shown.subarray(entry * HASH_BYTES, (entry + 1) * HASH_BYTES);
    nodeIdShort.set(checked);
    return Object.freeze({ index: entry, nodeIdShort, outcome: outcomes[entry]!, weight: weights[entry]! });
  });
  const present = new Set(positions);
  const coverage = {
    blockId: copyBlockId(own.blockId, 'blockId'),
    kind: own.kind,
    signedWeight,
    totalWeight: index.totalWeight,
    complete: !outcomes.includes('unchecked'),
    signatures: Object.freeze(signatures),
    missing: Object.freeze(
      index.nodeIds.filter((_, position) => !present.has(position)).map((id) => new Uint8Array(id)),
    ),
  };
  sources.put(coverage, { passed, validators, blockId: own.blockId, signatures: own.signatures });
  return Object.freeze(coverage);
}

/**
 * States what each entry is. Checks every entry unless `stopAtQuorum` is set. What is checked, and what the coverage
 * shows, is a copy of the set, made first: nothing that happens to the caller's own can come between.
 * @throws DecodeError as `signedMessage`, `decode/length` for a node id or a signature of another length, `decode/range` for
 * an id outside the masterchain, and `decode/too-large` for more than 4096 entries; ValidatorSetError for a set the node
 * would refuse; UsageError `bad-option` for arguments of another kind. Never for a bad signature.
 * Source of the outcomes: ton `crypto/block/signature-set.cpp`, check_signatures.
 */
export function checkSignatures(set: SignatureSet, validators: ValidatorSet, opts: CheckOptions = {}): Coverage {
  const { ring: given, stopAtQuorum = false } = requireOptions(opts, ['ring', 'stopAtQuorum'], '', {
    engine: 'give its ring: { ring: engine.open(publicKeys) }, or use verifyBlock',
    onDefect: 'a policy is for judge',
  });
  if (typeof stopAtQuorum !== 'boolean') throw badArgument('stopAtQuorum', 'true or false', stopAtQuorum);
  const prepared = prepare(copySignatureSet(set), validators);
  const ring = given === undefined ? defaultRing(prepared.index) : requireRing(given);
  const steps = checking(prepared, stopAtQuorum);
  for (let step = steps.next(); ; ) {
    if (step.done) return step.value;
    const { message, keyIndexes, signatures } = step.value;
    step = steps.next(ring.verify(message, keyIndexes, signatures));
  }
}

/**
 * `checkSignatures` for many sets, every entry of each, in two halves: an engine with several threads keeps all of them busy from one set to
 * the next, and until the second half is called for.
 * @throws as `checkSignatures`, before anything is checked
 */
export function beginManySignatures(
  sets: readonly SignatureSet[],
  validators: ValidatorSet,
  ring: KeyRing,
): () => Coverage[] {
  const started = sets.map((set) => {
    const steps = checking(prepare(copySignatureSet(set), validators), false);
    return { steps, first: steps.next() };
  });
  const asked = started.flatMap(({ first }) => (first.done ? [] : [first.value]));
  const finish = beginIn(ring, asked);
  return () => {
    const answers = finish();
    let next = 0;
    return started.map(({ steps, first }) => {
      const last = first.done ? first : steps.next(answers[next++] ?? []);
      if (last.done) return last.value;
      throw new TypeError('all entries are asked for at once'); // only `stopAtQuorum` asks twice
    });
  };
}

function beginIn(ring: KeyRing, blocks: readonly RingBlock[]): () => boolean[][] {
  if (ring.beginMany !== undefined) return ring.beginMany(blocks);
  return () =>
    ring.verifyMany?.(blocks) ?? blocks.map((block) => ring.verify(block.message, block.keyIndexes, block.signatures));
}
