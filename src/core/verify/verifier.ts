/**
 * Verifies blocks: signed message, signatures and verdict become one report. For a single block, or for a stream of
 * blocks.
 */
import { requireMembers } from '../base/arguments.ts';
import { DecodeError, UsageError } from '../base/errors.ts';
import { requireEngine, requireOptions } from '../base/options.ts';
import { type Own, ownList } from '../base/own-bytes.ts';
import { type BlockIdExt, copyBlockId, differingField, formatBlockId } from '../block/block-id.ts';
import { copySignatureList, type SignatureList } from '../block/signature-list.ts';
import { chooseEngine, fastestSyncEngine } from '../ed25519/choose.ts';
import type { Ed25519Engine, KeyRing } from '../ed25519/engine.ts';
import { signerIndex } from '../validators/signer-index.ts';
import { originOf, ownProvenance, ownSet, type ValidatorSet } from '../validators/validator-set.ts';
import { beginManySignatures, checkOwn } from './check-signatures.ts';
import { resolveContext } from './context.ts';
import { boundFields, judgeResolved } from './judge.ts';
import { makeOwn } from './own-report.ts';
import { POLICY_KEYS, resolvePolicy } from './policy.ts';
import type { BlockContext, Coverage, Policy, ResolvedPolicy, VerificationReport } from './report.ts';
import { checkSet } from './set-check.ts';
import { networkCheck } from './successor.ts';
import { warningsOf } from './warnings.ts';
import { requiredWeight } from './weights.ts';

/** Policy, context and expectation of one block. */
export interface BlockOptions extends Policy {
  readonly context?: BlockContext;
  /**
   * The block that you expect, in all five fields. An answer about a different block throws `decode/unexpected-block`.
   */
  readonly expect?: BlockIdExt;
}

/** Options of `verifyBlock`: the options of a block, and the Ed25519 engine. */
export interface VerifyOptions extends BlockOptions {
  /** Default: the fastest synchronous engine. */
  readonly engine?: Ed25519Engine;
}

/** One of many blocks: its signature list, and the inputs for this block alone. */
export interface BlockToVerify {
  readonly signatures: SignatureList;
  readonly context?: BlockContext;
  /** As in `BlockOptions`. */
  readonly expect?: BlockIdExt;
}

/** Verifies many blocks under one validator set. Keys are prepared once, and tables grow as keys repeat. */
export interface Verifier {
  /** Name of the Ed25519 engine. */
  readonly engine: string;
  /** Verifies one block. @throws DecodeError, UsageError; an invalid signature is never an error */
  verify(signatures: SignatureList, opts?: BlockOptions): VerificationReport;
  /**
   * Verifies many blocks together, for audits. The reports are those of as many calls of `verify`, in order, but a pool
   * of workers needs less time, since no thread waits for the others after each block.
   * @param opts for all blocks; the context and expectation of a single block replace those here
   * @throws as `verify` for any of the blocks; there are no reports then
   */
  verifyMany(blocks: readonly BlockToVerify[], opts?: BlockOptions): VerificationReport[];
  /** Frees tables. The verifier cannot be used afterwards. */
  close(): void;
}

/** `BlockOptions` after reading. */
interface Resolved {
  readonly policy: ResolvedPolicy;
  readonly context: BlockContext;
  readonly expect: BlockIdExt | undefined;
  readonly engine?: Ed25519Engine | undefined;
}

const BLOCK_KEYS: readonly string[] = [...POLICY_KEYS, 'context', 'expect'];
const VERIFY_KEYS: readonly string[] = [...BLOCK_KEYS, 'engine'];
const MANY_KEYS: readonly string[] = ['signatures', 'context', 'expect'];
/** Blocks that are copied and checked together: enough to keep threads busy, few enough for the memory. */
const BLOCKS_AT_ONCE = 64;

/** Members that callers often put at the top level by mistake. */
const ELSEWHERE = {
  header: 'write context: { header }',
  nowSeconds: 'write context: { nowSeconds }',
  policy: 'its members are options themselves',
  engine: 'createVerifier takes the engine',
};

function resolveOptions(opts: VerifyOptions, known: readonly string[]): Resolved {
  const own = requireOptions(opts, known, '', ELSEWHERE) as VerifyOptions; // their types are checked below
  const { context = {}, expect, engine } = own;
  requireEngine(engine);
  return {
    policy: resolvePolicy(own),
    context: resolveContext(context),
    expect: expect === undefined ? undefined : copyBlockId(expect, 'expect'),
    engine,
  };
}

/** Reads the signature lists and the options of each. @throws UsageError for anything but a list of blocks */
function resolveBlocks(blocks: readonly BlockToVerify[], opts: BlockOptions) {
  const shared = resolveOptions(opts, BLOCK_KEYS);
  return ownList(blocks, 'blocks').map((block, at) => {
    const path = `blocks[${at}]`;
    requireMembers(block, 'a block to verify', path, 'write { signatures }');
    const own = requireOptions(block, MANY_KEYS, path, ELSEWHERE);
    const { signatures, context, expect } = own as unknown as BlockToVerify; // their types are looked at below
    const resolved: Resolved = {
      policy: shared.policy,
      context: context === undefined ? shared.context : resolveContext(context),
      expect: expect === undefined ? shared.expect : copyBlockId(expect, 'expect'),
    };
    return { signatures, resolved };
  });
}

/** Requires the expected block. @throws DecodeError `decode/unexpected-block` */
function requireExpected({ blockId }: Coverage, expect: BlockIdExt | undefined): void {
  const field = expect && differingField(blockId, expect);
  if (field === undefined) return;
  throw new DecodeError('decode/unexpected-block', `${field} differs: the answer is about ${formatBlockId(blockId)}`, {
    path: 'expect',
  });
}

function makeReport(
  coverage: Coverage,
  validators: ValidatorSet,
  { policy, context, expect }: Resolved,
  engine: string,
): VerificationReport {
  requireExpected(coverage, expect);
  const report = {
    coverage,
    verdict: judgeResolved(coverage, validators, context, policy),
    requiredWeight: requiredWeight(coverage.totalWeight, policy.threshold),
    bound: boundFields(coverage, context),
    validators: Object.freeze({
      provenance: ownProvenance(validators),
      count: validators.validators.length,
      setCheck: checkSet(validators, context.header),
    }),
    network: networkCheck(validators, context.header),
    policy,
    warnings: warningsOf(coverage, validators, context),
    engine,
  };
  return makeOwn(report, originOf(validators)?.staleStart);
}

/**
 * Verifies one masterchain block: rebuilds the signed message, checks every signature, and applies the policy.
 * @param signatures the signature list of the block
 * @param validators the set whose members may sign
 * @param opts the policy, `context` (header and clock), `expect` (the block id that you wait for), and `engine`. By
 * default the policy is that of the node, without clock, header and expectation, with the fastest synchronous engine.
 * @returns the report: verdict, covered fields, the outcome of each signature, and warnings
 * @throws DecodeError for a candidate that is unreadable or names a different block, `decode/unexpected-block` for a
 * different block than `expect`; TrustError `trust/wrong-network`, `trust/hardfork`, `trust/backwards` for a block
 * whose proven header belongs to a different network than the set, comes after a hardfork, or is older than the key
 * block; ValidatorSetError; UsageError for a policy below 2/3, for options that are unknown or of a wrong type, and for
 * arguments in a wrong order. An invalid signature is never an error: the coverage and the verdict report it.
 * @example
 * ```ts
 * import { parseSignatureList, parseValidatorSet, verifyBlock } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const signatures = parseSignatureList(simplexSample.signatures);
 * const validators = parseValidatorSet(simplexSample.validators);
 * const { verdict } = verifyBlock(signatures, validators);
 * console.log(verdict.status); // final
 * ```
 */
export function verifyBlock(
  signatures: SignatureList,
  validators: ValidatorSet,
  opts: VerifyOptions = {},
): VerificationReport {
  return verifyOwn(copySignatureList(signatures), validators, opts);
}

/** `verifyBlock` for a list that no other code can write to. The report keeps it, so never show it to a caller. */
export function verifyOwn(
  signatures: Own<SignatureList>,
  validators: ValidatorSet,
  opts: VerifyOptions = {},
): VerificationReport {
  const resolved = resolveOptions(opts, VERIFY_KEYS);
  const own = ownSet(validators);
  const { engine } = resolved;
  const ring = engine?.open(signerIndex(own).publicKeys);
  try {
    return makeReport(checkOwn(signatures, own, ring), own, resolved, (engine ?? fastestSyncEngine()).name);
  } finally {
    ring?.close();
  }
}

/**
 * Prepares a validator set for a stream of blocks.
 * @param validators the set whose members may sign
 * @param opts `engine`, by default that of `chooseEngine()`, the fastest of this runtime
 * @returns a verifier; call `close` when you no longer need it
 * @throws ValidatorSetError; EngineError if the given engine cannot run here; UsageError `bad-option`
 * @example
 * ```ts
 * import { createVerifier, parseSignatureList, parseValidatorSet } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const signatures = parseSignatureList(simplexSample.signatures);
 * const validators = parseValidatorSet(simplexSample.validators);
 * const verifier = await createVerifier(validators);
 * const { verdict } = verifier.verify(signatures);
 * verifier.close();
 * console.log(verdict.status); // final
 * ```
 */
export async function createVerifier(
  validators: ValidatorSet,
  opts: { readonly engine?: Ed25519Engine } = {},
): Promise<Verifier> {
  const elsewhere = Object.fromEntries(BLOCK_KEYS.map((key) => [key, 'it is for verifier.verify']));
  const given = requireOptions(opts, ['engine'], '', elsewhere) as typeof opts; // its type is checked below
  const own = ownSet(validators);
  requireEngine(given.engine);
  const engine = given.engine ?? (await chooseEngine());
  const { verify, verifyMany, close } = openVerifier(own, engine);
  return Object.freeze({
    // Read on each access: an engine that switches to a different one then reports the current name.
    get engine(): string {
      return engine.name;
    },
    verify: (signatures: SignatureList, options?: BlockOptions) => verify(copySignatureList(signatures), options),
    verifyMany,
    close,
  });
}

/** A verifier that can do other work while threads check signatures. */
export interface AheadVerifier extends Omit<Verifier, 'engine' | 'verify'> {
  /** `verify` for a list that no other code can write to. The report keeps it, so never show it to a caller. */
  verify(signatures: Own<SignatureList>, opts?: BlockOptions): VerificationReport;
  /**
   * `verifyMany` in two halves. The second half returns for each block a function that makes its report.
   * @throws as `verifyMany`, before anything is checked; a function throws if the context belongs to a different block
   */
  beginMany(blocks: readonly BlockToVerify[], opts?: BlockOptions): () => (() => VerificationReport)[];
}

/** Opens a verifier. `own` must come from `ownSet`, and `engine` must have been checked. */
export function openVerifier(own: ValidatorSet, engine: Ed25519Engine): AheadVerifier {
  let ring: KeyRing | undefined = engine.open(signerIndex(own).publicKeys);
  const openRing = (): KeyRing => {
    if (ring !== undefined) return ring;
    throw new UsageError('usage/closed', 'this verifier is closed');
  };
  return {
    verify(signatures, options = {}): VerificationReport {
      const resolved = resolveOptions(options, BLOCK_KEYS);
      return makeReport(checkOwn(signatures, own, openRing()), own, resolved, engine.name);
    },
    verifyMany(blocks: readonly BlockToVerify[], options: BlockOptions = {}): VerificationReport[] {
      openRing();
      const all = resolveBlocks(blocks, options); // runs getters of the caller, which may close this verifier
      const reports: VerificationReport[] = [];
      for (let at = 0; at < all.length; at += BLOCKS_AT_ONCE) {
        const finish = beginReports(all.slice(at, at + BLOCKS_AT_ONCE), own, openRing(), engine);
        for (const report of finish()) reports.push(report());
      }
      return reports;
    },
    beginMany(blocks: readonly BlockToVerify[], options: BlockOptions = {}): () => (() => VerificationReport)[] {
      openRing();
      const all = resolveBlocks(blocks, options);
      return beginReports(all, own, openRing(), engine);
    },
    close(): void {
      ring?.close();
      ring = undefined;
    },
  };
}

function beginReports(
  blocks: ReturnType<typeof resolveBlocks>,
  own: ValidatorSet,
  ring: KeyRing,
  engine: Ed25519Engine,
): () => (() => VerificationReport)[] {
  const lists = blocks.map(({ signatures }) => signatures);
  const finish = beginManySignatures(lists, own, ring);
  return () => finish().map((coverage, n) => () => makeReport(coverage, own, blocks[n]!.resolved, engine.name));
}
