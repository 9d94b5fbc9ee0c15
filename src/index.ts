/** `ton-finality`: decode, message, validators, engines, verify. Runs anywhere; imports nothing of a runtime. */

export {
  DecodeError,
  type DecodeErrorCode,
  EngineError,
  type EngineErrorCode,
  FinalityError,
  type FinalityErrorCode,
  UsageError,
  type UsageErrorCode,
  ValidatorSetError,
  type ValidatorSetErrorCode,
} from './core/base/errors.ts';
export type { Hash256 } from './core/base/fields.ts';
export { type BlockIdExt, type BlockIdField, formatBlockId, parseBlockId } from './core/block/block-id.ts';
export { parseSignatureList, type SignatureEntry, type SignatureList } from './core/block/signature-list.ts';
export { chooseEngine } from './core/ed25519/choose.ts';
export type { Ed25519Engine, KeyRing } from './core/ed25519/engine.ts';
export { createKernelEngine, type KernelEngine, type KernelOptions } from './core/ed25519/kernel.ts';
export type { KernelKeyRing } from './core/ed25519/kernel-ring.ts';
export type { TableWidth } from './core/ed25519/kernel-tables.ts';
export { referenceEngine } from './core/ed25519/reference.ts';
export { signedMessage } from './core/message/signed-message.ts';
export { parseValidatorSet } from './core/validators/from-json.ts';
export { validatorListHashShort } from './core/validators/list-hash-short.ts';
export { nodeIdShort } from './core/validators/node-id-short.ts';
export { selectMasterchainValidators, type ValidatorConfig } from './core/validators/select-masterchain.ts';
export {
  createValidatorSet,
  type Provenance,
  type StatedProvenance,
  type Validator,
  type ValidatorSet,
  type ValidatorSetOptions,
} from './core/validators/validator-set.ts';
export { type CheckOptions, checkSignatures } from './core/verify/check-signatures.ts';
export { judge } from './core/verify/judge.ts';
export type {
  BlockContext,
  BlockHeaderFacts,
  CheckedSignature,
  Coverage,
  Policy,
  ResolvedPolicy,
  SignatureOutcome,
  UndecidedReason,
  ValidatorSetCheck,
  Verdict,
  VerificationReport,
  Warning,
} from './core/verify/report.ts';
export { type StrictOptions, strict } from './core/verify/strict.ts';
export {
  type BlockOptions,
  type BlockToVerify,
  createVerifier,
  type Verifier,
  type VerifyOptions,
  verifyBlock,
} from './core/verify/verifier.ts';
