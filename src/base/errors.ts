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
  | 'decode/api-error'
  | 'decode/unexpected-block'; // of another block than the caller expects

export type ValidatorSetErrorCode =
  | 'validators/empty'
  | 'validators/zero-weight'
  | 'validators/repeated-key'
  | 'validators/weight-overflow'
  | 'validators/bad-key'
  | 'validators/bad-main';

export type EngineErrorCode = 'engine/no-wasm' | 'engine/self-test' | 'engine/out-of-memory' | 'engine/worker';

export type UsageErrorCode =
  | 'usage/bad-option'
  | 'usage/bad-policy'
  | 'usage/incomplete-coverage'
  | 'usage/closed'
  | 'usage/callback'; // a function of the caller's threw

/** Rules of the chain of trust (consensus specification, sections 7 and 12), one code a rule. */
export type TrustErrorCode =
  | 'trust/anchor-hash' // the given anchor is not the pinned block
  | 'trust/root-hash' // a proof proves another block than the one it is for
  | 'trust/file-hash' // the file is not the one the id names
  | 'trust/header' // the proven header does not describe the block id
  | 'trust/wrong-workchain' // not a masterchain block where one is due
  | 'trust/wrong-network' // another global id than the checkpoint's
  | 'trust/not-key-block' // only key blocks move trust
  | 'trust/key-block-flag' // the places that say "key block" disagree
  | 'trust/not-next' // the block names another key block before it than the one it is judged from
  | 'trust/incomplete' // the answer ends before the block that was asked for
  | 'trust/not-connected' // a link does not start where the one before it ended
  | 'trust/backwards' // trust never moves to an older block
  | 'trust/catchain-seqno' // the signatures are of another catchain session than the header
  | 'trust/set-hash' // the validator set is not the one the header names
  | 'trust/signed-weight' // the weight written beside the signatures is not theirs
  | 'trust/not-final' // the signatures do not make the block final
  | 'trust/hardfork' // a hardfork carries no signatures and must be pinned by hand
  | 'trust/pruned' // the proof leaves out a cell that has to be read
  | 'trust/state-hash' // a state proof is not of the state the header names
  | 'trust/not-listed' // the block is not in the list that should hold it
  | 'trust/no-config' // the block or state holds no configuration where it should
  | 'trust/stale-start' // the walk began with a set past its time, and nobody accepts that by name
  | 'trust/checkpoint' // a checkpoint that is damaged, edited, or of another version
  | 'trust/unproven-block' // a block or report that was put together by hand stands where a proven one is due
  | 'trust/wrong-shard' // the block cannot hold this account
  | 'trust/transaction-hash' // the transaction is not the one that the block holds
  | 'trust/account-hash' // the account is not the one that the state holds
  | 'trust/library-hash' // the library is not the one that the state holds
  | 'trust/contradiction' // proof and answer disagree on whether something exists
  | 'trust/state-missing' // proven to exist, but not given
  | 'trust/message' // a message that its transaction cannot have
  | 'trust/aborted' // the transaction did not succeed, and success was asked for
  | 'trust/block-list' // the list of transactions is not the block's
  | 'trust/history'; // a chain of transactions that is broken

/** What is wrong with a certificate as such. What it proves is judged by the rules of `TrustErrorCode`. */
export type CertificateErrorCode =
  | 'cert/version' // no certificate, or one of another version
  | 'cert/not-canonical' // the same content has another spelling, which is the only one that is read
  | 'cert/unused-cells' // it holds cells that nothing in it needs
  | 'cert/claim' // what it says of itself is not what it proves
  | 'cert/insufficient' // too few signatures to make one
  | 'cert/anchor' // it starts from another block than the one that its reader trusts
  | 'cert/too-large' // more bytes, steps or facts than are read
  | 'cert/equivocation'; // two certificates do not contradict each other

/** What keeps an audit from going on. What it finds is a row of its ledger, never one of these. */
export type AuditErrorCode =
  | 'audit/ledger' // a line of a ledger was changed, removed or moved, or is none
  | 'audit/plan' // the ledger is of another audit than the one that is asked for
  | 'audit/parts' // ledgers that do not make one
  | 'audit/write' // the ledger cannot be written: the disk is full, say
  | 'audit/queue'; // the jobs of a fleet are not there, or of another audit

/** What went wrong while fetching, by remedy. Which of them are worth another try is said by `SourceError.retryable`. */
export type SourceErrorCode =
  | 'source/rate-limited' // wait, or use a key
  | 'source/not-ready' // the block is not there yet, or pruned
  | 'source/missing' // no file that was given holds the block
  | 'source/upstream' // the server's own server failed, or there is no connection
  | 'source/tls' // no safe connection: a certificate that does not hold, or no TLS at all
  | 'source/server' // an error of the server itself
  | 'source/bad-request' // the request or the base URL is wrong
  | 'source/auth' // the key is wrong
  | 'source/malformed' // an answer that cannot be read
  | 'source/wrong-block' // a readable answer about another block
  | 'source/wrong-network' // a server of another network
  | 'source/other-chain' // a server that does not know the trusted block
  | 'source/clock' // this machine's clock and the servers' disagree, so nothing can be said of a head's age
  | 'source/too-large' // a body over the cap
  | 'source/timeout' // no answer in time
  | 'source/aborted' // the caller's signal
  | 'source/disagree'; // servers contradict each other

export type FinalityErrorCode =
  | DecodeErrorCode
  | ValidatorSetErrorCode
  | EngineErrorCode
  | UsageErrorCode
  | TrustErrorCode
  | CertificateErrorCode
  | AuditErrorCode
  | SourceErrorCode;

export interface FinalityErrorOptions {
  /** JSON path or cell path of the offending value, as in `result.signatures[3].signature`. */
  readonly path?: string;
  /** What the user can do next, in one line. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Characters of a message or a path; nothing longer helps anybody, and a payload does not belong there. */
const MAX_CHARS = 2000;

/** Text that is safe to print: control and direction characters become spaces, and it is cut after `max` characters. */
export function printable(text: string, max: number): string {
  const clean = text.slice(0, 4 * max).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return clean.length > max ? `${clean.slice(0, max)}…` : clean;
}

/**
 * The base of every error thrown here. The message reads *where: what was wrong, wanted what, got what*; whatever of it
 * came from outside is printable.
 */
export abstract class FinalityError<Code extends FinalityErrorCode = FinalityErrorCode> extends Error {
  readonly code: Code;
  readonly path: string | undefined;
  readonly hint: string | undefined;

  constructor(code: Code, message: string, { path, hint, cause }: FinalityErrorOptions = {}) {
    super(printable(path ? `${path}: ${message}` : message, MAX_CHARS), cause === undefined ? undefined : { cause });
    this.code = code;
    this.path = path && printable(path, MAX_CHARS);
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

/** A proof that does not hold, or that proves something else. The input may be well formed; it must not be believed. */
export class TrustError extends FinalityError<TrustErrorCode> {
  override readonly name = 'TrustError'; // spelled out: minifiers rename classes
}

/** A certificate that is no proper one. Whether its proofs hold is another question: see `TrustError`. */
export class CertificateError extends FinalityError<CertificateErrorCode> {
  override readonly name = 'CertificateError'; // spelled out: minifiers rename classes
}

/** An audit that cannot begin or go on. Its ledger stands as far as it came. */
export class AuditError extends FinalityError<AuditErrorCode> {
  override readonly name = 'AuditError'; // spelled out: minifiers rename classes
}

/** What one server said when several were asked. */
export interface SourceStatement {
  /** The server, by its label: never with a key, a query or credentials. */
  readonly source: string;
  /** What its answer comes down to, such as the block id; absent when it failed. */
  readonly key?: string;
  /** The body as it came, where the server answered: kept so that the odd one can be shown. */
  readonly body?: Uint8Array;
  /** Why it gave no answer. */
  readonly error?: unknown;
}

export interface SourceErrorOptions extends FinalityErrorOptions {
  readonly endpoint?: string | undefined;
  readonly status?: number | undefined;
  readonly serverCode?: number | undefined;
  readonly serverText?: string | undefined;
  readonly attempts?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly body?: Uint8Array | undefined;
  readonly statements?: readonly SourceStatement[] | undefined;
  readonly retryable?: boolean | undefined;
}

const RETRYABLE: ReadonlySet<SourceErrorCode> = new Set([
  'source/rate-limited',
  'source/not-ready',
  'source/upstream',
  'source/server',
  'source/timeout',
]);

/** A server that did not give the answer asked for, or several that do not agree. Carries no key, query or payload. */
export class SourceError extends FinalityError<SourceErrorCode> {
  override readonly name = 'SourceError'; // spelled out: minifiers rename classes
  /** The server, by its label; absent when several were asked: see `statements`. */
  readonly endpoint: string | undefined;
  /** HTTP status, when there was one. */
  readonly status: number | undefined;
  /** The integer `code` of the body, when there was one. */
  readonly serverCode: number | undefined;
  /** The server's own words: at most 500 characters, no control characters, no key. */
  readonly serverText: string | undefined;
  /** How often this was tried, all told. */
  readonly attempts: number;
  /** What a Retry-After header asked for. */
  readonly retryAfterMs: number | undefined;
  /** The body of an answer that came in whole and was refused. Not enumerable: never printed by accident. */
  declare readonly body: Uint8Array | undefined;
  /** Who said what, when several servers were asked. */
  readonly statements: readonly SourceStatement[];
  /** Whether the same question may be answered later. */
  readonly retryable: boolean;

  constructor(code: SourceErrorCode, message: string, options: SourceErrorOptions = {}) {
    super(code, message, options);
    this.endpoint = options.endpoint;
    this.status = options.status;
    this.serverCode = options.serverCode;
    this.serverText = options.serverText;
    this.attempts = options.attempts ?? 1;
    this.retryAfterMs = options.retryAfterMs;
    this.statements = options.statements ?? [];
    this.retryable = options.retryable ?? RETRYABLE.has(code);
    Object.defineProperty(this, 'body', { value: options.body, enumerable: false });
  }
}
