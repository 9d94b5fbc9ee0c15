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
} from './base/errors.ts';
export { type BlockIdExt, type BlockIdField, formatBlockId, parseBlockId } from './decode/block-id.ts';
export type { Hash256 } from './decode/fields.ts';
export { parseSignatureSet, type SignatureEntry, type SignatureSet } from './decode/signature-set.ts';
export { chooseEngine } from './ed25519/choose.ts';
export type { Ed25519Engine, KeyRing } from './ed25519/engine.ts';
export { createKernelEngine, type KernelEngine, type KernelOptions } from './ed25519/kernel.ts';
export type { KernelKeyRing } from './ed25519/kernel-ring.ts';
export type { TableWidth } from './ed25519/kernel-tables.ts';
export { referenceEngine } from './ed25519/reference.ts';
export { signedMessage } from './message/signed-message.ts';
export { validatorSetFromJson } from './validators/from-json.ts';
export { validatorListHashShort } from './validators/list-hash-short.ts';
export { nodeIdShort } from './validators/node-id-short.ts';
export { selectMasterchainValidators, type ValidatorConfig } from './validators/select-masterchain.ts';
export {
  createValidatorSet,
  type Provenance,
  type StatedProvenance,
  type Validator,
  type ValidatorSet,
  type ValidatorSetOptions,
} from './validators/validator-set.ts';
export { type CheckOptions, checkSignatures } from './verify/check-signatures.ts';
export { judge } from './verify/judge.ts';
export type {
  BlockHeaderFacts,
  CheckedSignature,
  Coverage,
  Evidence,
  Policy,
  ResolvedPolicy,
  SetCheck,
  SignatureOutcome,
  UndecidedReason,
  Verdict,
  VerificationReport,
} from './verify/report.ts';
export { type StrictOptions, strict } from './verify/strict.ts';
export {
  type BlockOptions,
  type BlockToVerify,
  createVerifier,
  type Verifier,
  type VerifyOptions,
  verifyBlock,
} from './verify/verifier.ts';
