/**
 * Every error this library throws, and the table of their codes. A class names the room that throws it, a code names a
 * distinct remedy. Verification results are never errors: a bad signature is a row in the coverage.
 */

export type DecodeErrorCode =
  | 'decode/shape'
  | 'decode/base64'
  | 'decode/length'
  | 'decode/range'
  | 'decode/tl'
  | 'decode/boc'
  | 'decode/candidate-mismatch'
  | 'decode/too-large'
  | 'decode/api-error';

export type ValidatorSetErrorCode =
  | 'validators/empty'
  | 'validators/zero-weight'
  | 'validators/repeated-key'
  | 'validators/weight-overflow'
  | 'validators/bad-key'
  | 'validators/bad-main';

export type EngineErrorCode = 'engine/no-wasm' | 'engine/self-test' | 'engine/out-of-memory';

export type UsageErrorCode = 'usage/bad-option' | 'usage/bad-policy' | 'usage/incomplete-coverage';

export type FinalityErrorCode = DecodeErrorCode | ValidatorSetErrorCode | EngineErrorCode | UsageErrorCode;

export interface FinalityErrorOptions {
  /** JSON path or cell path of the offending value, as in `result.signatures[3].signature`. */
  readonly path?: string;
  /** What the user can do next, in one line. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** The base of every error thrown here. The message reads *where: what was wrong, wanted what, got what*. */
export abstract class FinalityError<Code extends FinalityErrorCode = FinalityErrorCode> extends Error {
  readonly code: Code;
  readonly path: string | undefined;
  readonly hint: string | undefined;

  constructor(code: Code, message: string, { path, hint, cause }: FinalityErrorOptions = {}) {
    super(path ? `${path}: ${message}` : message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.path = path;
    this.hint = hint;
  }
}

/** Bytes or JSON from outside that are not what they should be. Never worth a retry with the same input. */
export class DecodeError extends FinalityError<DecodeErrorCode> {
  override readonly name = 'DecodeError'; // spelled out: minifiers rename classes
}

/** A validator list that the node itself would refuse (`mc-config.cpp`, unpack_validator_set). */
export class ValidatorSetError extends FinalityError<ValidatorSetErrorCode> {
  override readonly name = 'ValidatorSetError'; // spelled out: minifiers rename classes
}

/** An Ed25519 engine that cannot run here. Another engine can: `chooseEngine` picks it. */
export class EngineError extends FinalityError<EngineErrorCode> {
  override readonly name = 'EngineError'; // spelled out: minifiers rename classes
}

/** A call that cannot be carried out as asked: an option, a policy or a combination of them. */
export class UsageError extends FinalityError<UsageErrorCode> {
  override readonly name = 'UsageError'; // spelled out: minifiers rename classes
}
