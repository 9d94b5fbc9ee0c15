/** The main job: message, facts, judgement, one report. Once for a single block, or as a verifier for a stream of them. */
import type { SignatureSet } from '../decode/signature-set.ts';
import { chooseEngine, fastestSyncEngine } from '../ed25519/choose.ts';
import type { Ed25519Engine, KeyRing } from '../ed25519/engine.ts';
import { signerIndex } from '../validators/signer-index.ts';
import { copyProvenance, ownSet, type ValidatorSet } from '../validators/validator-set.ts';
import { checkSignatures } from './check-signatures.ts';
import { boundFields, judge } from './judge.ts';
import { resolvePolicy } from './policy.ts';
import type { Coverage, Evidence, Policy, VerificationReport } from './report.ts';
import { checkSet } from './set-check.ts';
import { requiredWeight } from './tally.ts';
import { warningsOf } from './warnings.ts';

/** Policy and evidence of one block. */
export interface VerifyOptions extends Policy {
  readonly evidence?: Evidence;
}

/** The same for a stream of blocks under one set: keys are prepared once, tables grow as keys repeat. */
export interface Verifier {
  /** Name of the Ed25519 engine. */
  readonly engine: string;
  /** @throws DecodeError, UsageError; never for a bad signature */
  verify(set: SignatureSet, opts?: VerifyOptions): VerificationReport;
  /** Frees tables. The verifier is not for use afterwards. */
  close(): void;
}

function makeReport(
  coverage: Coverage,
  validators: ValidatorSet,
  opts: VerifyOptions,
  engine: string,
): VerificationReport {
  const { evidence = {} } = opts;
  const policy = resolvePolicy(opts);
  return Object.freeze({
    coverage,
    verdict: judge(coverage, validators, evidence, policy),
    requiredWeight: requiredWeight(coverage.totalWeight, policy.threshold),
    bound: boundFields(coverage, evidence),
    validators: Object.freeze({
      provenance: copyProvenance(validators.provenance),
      count: validators.validators.length,
      setCheck: checkSet(validators, evidence.header),
    }),
    policy,
    warnings: warningsOf(coverage, validators, evidence),
    engine,
  });
}

/**
 * One-shot main job: message, facts, judgement. Uses the given engine, else the fastest synchronous one.
 * @throws DecodeError for an unreadable candidate or one that names another block; ValidatorSetError; UsageError for a
 * policy below 2/3. Never for a bad signature: that is a row in the coverage and a verdict.
 */
export function verifyBlock(
  set: SignatureSet,
  validators: ValidatorSet,
  opts: VerifyOptions & { readonly engine?: Ed25519Engine } = {},
): VerificationReport {
  const { engine } = opts;
  const own = ownSet(validators);
  if (engine === undefined) return makeReport(checkSignatures(set, own), own, opts, fastestSyncEngine().name);
  const ring = engine.open(signerIndex(own).publicKeys);
  try {
    return makeReport(checkSignatures(set, own, { ring }), own, opts, engine.name);
  } finally {
    ring.close();
  }
}

/**
 * Prepares a validator set for a stream of blocks.
 * @param opts.engine default: `chooseEngine()`, the fastest of this runtime
 * @throws ValidatorSetError; EngineError if the given engine cannot run here
 */
export async function createVerifier(
  validators: ValidatorSet,
  opts: { readonly engine?: Ed25519Engine } = {},
): Promise<Verifier> {
  const own = ownSet(validators);
  const engine = opts.engine ?? (await chooseEngine());
  let ring: KeyRing | undefined = engine.open(signerIndex(own).publicKeys);
  return Object.freeze({
    // Asked each time: an engine that helps itself with another one tells which it is now.
    get engine(): string {
      return engine.name;
    },
    verify(set: SignatureSet, options: VerifyOptions = {}): VerificationReport {
      if (ring === undefined) throw new TypeError('closed');
      return makeReport(checkSignatures(set, own, { ring }), own, options, engine.name);
    },
    close(): void {
      ring?.close();
      ring = undefined;
    },
  });
}
