/**
 * Every error this library throws, and the table of their codes. The comment of each code is *cause → remedy*, and docs/errors.md is
 * made of these comments (`npm run docs`). A class names the room that throws it, and a code names a distinct remedy. Verification results are
 * never errors: a bad signature is a row in the coverage.
 */
import { ownMembers } from './present.ts';

/** Faults of bytes or JSON from outside. */
export type DecodeErrorCode =
  | 'decode/shape' // JSON of an unexpected shape: a member is missing, has a different type, or has a different name → pass the answer as the server sent it; `path` names the place
  | 'decode/base64' // text that is not in the one accepted spelling of base64 or hex → do not re-encode what a server sent; base64 with padding, no blanks
  | 'decode/length' // a hash, key or signature with a wrong length → look for a truncated value, or hex in place of base64
  | 'decode/range' // a number, shard or workchain that no block has, or digits that may already be lost → keep 64-bit numbers as text or bigint; masterchain blocks only
  | 'decode/tl' // TL bytes of an unexpected shape, too short, or with trailing bytes → pass the whole answer of the named method, and nothing else
  | 'decode/boc' // bytes that are not a bag of cells, or cells with an unexpected layout → pass the file as it was written; decode base64 first
  | 'decode/candidate-mismatch' // the simplex candidate names a different block than the block id in the answer → do not trust the sender: it attached valid signatures to a different block
  | 'decode/two-blocks' // two different blocks where there can be one; at most one of the two can be right → ask a different server, or remove the wrong file
  | 'decode/too-large' // more bytes, entries, cells or levels than the limit → no valid input is that large; ask a different server
  | 'decode/api-error' // the answer is a server's error, not data → read the server's text in the message; ask again, or ask a different server
  | 'decode/unexpected-block'; // the answer is about a different block than `expect` or `--expect-…` names → ask for the block that you expect; if you did, do not act on this block

/** Why a node would reject a list of validators. */
export type ValidatorSetErrorCode =
  | 'validators/empty' // a list of validators without members → use the whole parameter 34 of a key block
  | 'validators/zero-weight' // a validator without weight → use the list as the network has it; nodes reject entries with zero weight too
  | 'validators/repeated-key' // a list contains a key twice → use the list as the network has it
  | 'validators/weight-overflow' // weights that add up to more than 2^61 → check that the weights have the units of the configuration
  | 'validators/bad-key' // a key or ADNL address with a wrong length, or a key that is not valid → give 32 bytes: hex of 64 digits or base64 of 44 characters
  | 'validators/bad-main'; // `main` is 0, or more than the list has → give the number from parameter 34, not the one from parameter 16

/** Why an engine cannot run here. */
export type EngineErrorCode =
  | 'engine/no-wasm' // this runtime has no WebAssembly, or a page forbids it → let `chooseEngine` pick a different engine, or allow WebAssembly: docs/browser.md
  | 'engine/self-test' // an engine did not give the expected answers → do not use the engine: the runtime or the machine is broken; `referenceEngine` does not depend on them
  | 'engine/out-of-memory' // no memory for the tables of keys → give a smaller `maxTableBytes`, or close verifiers that you no longer need
  | 'engine/worker'; // worker threads cannot be started, or all died → allow worker threads (`--allow-worker`); in a bundle give `workerUrl`; without a pool everything works on one thread

/** Mistakes in a call. */
export type UsageErrorCode =
  | 'usage/bad-option' // an option or argument that is unknown, has the wrong type or order, or has no value; or an unreadable or unwritable file → read the message, which names the option; `path` has its place
  | 'usage/bad-policy' // a policy laxer than the node, or one that contradicts itself → give at least 2/3; enable exceptions with their own options
  | 'usage/closed' // a verifier, key ring or worker pool was used after `close` → make a new one, or close it later
  | 'usage/callback'; // a function that you passed threw an error → read `cause`, which is the error

/** Rules of the chain of trust (consensus specification, sections 7 and 12), one code a rule. */
export type TrustErrorCode =
  | 'trust/anchor-hash' // the given block is not the pinned block → compare the number and both hashes with their source; get the file again
  | 'trust/root-hash' // a proof proves a different block than the requested one → ask for the proof of this block; if you did, ask a different server
  | 'trust/file-hash' // the bytes of a block do not hash to the file hash in its id → get the file again; it was damaged or rewritten
  | 'trust/header' // the proven header contradicts the block id → do not trust the id: number, workchain or shard were changed
  | 'trust/wrong-workchain' // a block of another workchain in place of a masterchain block → pin and walk masterchain blocks; use `verifyShardTop` and `verifyShardBlock` for shards
  | 'trust/wrong-network' // the block belongs to a different network than the checkpoint → use a checkpoint and servers of one network
  | 'trust/not-key-block' // trust has to move to a block that shows no configuration → give the key block, as `prev_key_block_seqno` of a header names it
  | 'trust/key-block-flag' // the header and the content disagree on whether this is a key block → ask a different server: no node makes such a block
  | 'trust/not-next' // a different key block rules the block → walk over the key blocks in between, in order
  | 'trust/incomplete' // a proof ends before the requested block → ask again from the last proven block: lite servers send at most 16 links an answer
  | 'trust/not-connected' // a link does not start where the link before ended → give the answers in order, each whole
  | 'trust/backwards' // trust would have to move to an older block → start from an older checkpoint; `proveOlderBlock` or `verifyOlderBlock` prove older blocks
  | 'trust/catchain-seqno' // the signatures belong to a different session than the header names → ask a different server: the proof was put together from two proofs
  | 'trust/set-hash' // the proof shows different validators than the header names → ask a different server; a proof with a different list proves nothing
  | 'trust/signed-weight' // the stated weight of the signatures is wrong → ask a different server
  | 'trust/not-final' // the signatures do not make the block final: too few, or bad ones → ask a different server; never act on the block before it is final
  | 'trust/hardfork' // the proof leads over a hardfork, which carries no signatures → check by other means whether people follow the hardfork, and pin a key block after it
  | 'trust/pruned' // a proof omits a cell that has to be read → ask for the whole proof; an omitted cell does not prove absence
  | 'trust/state-hash' // a state does not belong to the block → ask for the state and the block at the same block id
  | 'trust/not-listed' // a block or shard is not in the list that should hold it → ask from the masterchain block that lists the block; if you did, the block is not final there
  | 'trust/no-config' // a block or state does not show the configuration that is needed → give a key block, or a proof that shows header and configuration
  | 'trust/stale-start' // the walk began with expired keys, and `acceptStaleStart` was not given → start from a younger block, have two other servers name the head, or give `acceptStaleStart`; the checkpoint keeps a mark (`staleStart`)
  | 'trust/too-few-witnesses' // fewer servers than `witnesses` or `strict` asks for name the block, for ten minutes → give more servers of independent operators
  | 'trust/checkpoint' // a checkpoint that is damaged, edited, or of a different version → make it again from the block that you pinned
  | 'trust/unproven-block' // a copy, a clone or a look-alike in place of a proven block or report → prove the block here: `blockOfReport`, `blockOfWalk`, `blockOfCheckpoint`; or call `assumeFinal`
  | 'trust/wrong-shard' // the block cannot hold this account → ask for the shard of the account: `verifyShardTop` finds it
  | 'trust/transaction-hash' // the block contains a different transaction → do not act on it; ask a different server
  | 'trust/account-hash' // the state contains a different account → do not act on it; ask a different server
  | 'trust/library-hash' // the state contains a different library → do not use it; ask a different server
  | 'trust/contradiction' // proof and answer disagree on whether something exists → the server is wrong or lies: ask a different one
  | 'trust/no-account' // the account is proven not to exist → compare address and network; deploy it first
  | 'trust/state-missing' // an object is proven to exist, but its content was not given → ask for the full state, not only its proof
  | 'trust/message' // the transaction cannot have this message → do not act on it; ask a different server
  | 'trust/aborted' // the transaction did not succeed, and you required success → do not pay; `outcome` says what happened
  | 'trust/block-list' // a list of transactions does not belong to the block → ask for the list again, with proof
  | 'trust/history'; // a chain of transactions has a gap or a wrong order, is longer than `limit`, or begins after `afterLt` → continue from the last proven transaction, or raise `limit`. If the account was deployed again, its earlier transactions are only in blocks: look there, then pass 0n

/** Faults of a certificate's form. The rules of `TrustErrorCode` judge its proofs. */
export type CertificateErrorCode =
  | 'cert/version' // the input is not a certificate, or has a different version → give the file that `certify` wrote; use a version of this library that knows it
  | 'cert/not-canonical' // the content is not in the one accepted encoding → ask the maker of the certificate for the original file
  | 'cert/unused-cells' // cells that nothing in the certificate needs → ask the maker for a valid certificate: hidden cells are not allowed
  | 'cert/claim' // the claims of the certificate differ from its proofs → do not trust the claims; the binary form has none
  | 'cert/insufficient' // too few valid signatures to make a certificate → fetch the signatures again, and check that the block is final
  | 'cert/anchor' // the certificate starts from a different block than your anchor → ask for a certificate that starts from your block, or give the checkpoint whose key block it contains
  | 'cert/too-large' // more bytes, steps or facts than the limit → make the certificate from a younger anchor, or make several
  | 'cert/equivocation'; // two certificates do not contradict each other → do nothing: both belong to one chain

/** Why a deposit is not accepted: one code a rule of `acceptDeposit`. `retryable` says whether another proof can change that. */
export type DepositErrorCode =
  | 'deposit/absent' // the facts contain no transaction, or prove that it is absent → wait for the block that contains the transaction, and prove it there
  | 'deposit/ambiguous' // the facts contain several transactions → give one at a time, as `{ facts: [transaction, wallet] }`; of a certificate, make one for each
  | 'deposit/not-final' // the block was not proven from signatures of a proven set: it was assumed, given, or judged undecided → prove the block from your checkpoint
  | 'deposit/exception' // the block is final only with an exception, such as an option that enabled one or an epoch that was not checked → prove the block again without the exception
  | 'deposit/other-network' // your checkpoint belongs to a different network than `network` names → correct your configuration before you accept anything
  | 'deposit/other-trust' // the proof neither begins at the key block of your checkpoint nor is signed by its set → prove the transaction again from the checkpoint that you pass
  | 'deposit/stale-start' // the validators of your checkpoint have expired, so anyone with their old keys may have made the proof → move the checkpoint, then prove again
  | 'deposit/clock' // the block is from the future by your clock → set the clock, then prove again
  | 'deposit/other-workchain' // the transaction belongs to an account in a different workchain → do not pay
  | 'deposit/other-account' // the transaction belongs to a different account than your vault → do not pay
  | 'deposit/incomplete' // the transaction is proven to exist, but its content was not given → prove the transaction with its content
  | 'deposit/too-old' // the transaction is older than `since` → do not pay: you may have paid it before your records begin
  | 'deposit/not-ordinary' // no message caused the transaction → do not pay
  | 'deposit/no-message' // no message came in → do not pay
  | 'deposit/outbound' // the certificate is about a message that the account sent → do not pay: a sent message is not a deposit; if a deposit came in the same transaction, certify the transaction, or its message `in`
  | 'deposit/external' // the message came from outside of the chain and carries no value → do not pay
  | 'deposit/bounced' // the message is the return of a failed message → do not pay: a return is not a deposit
  | 'deposit/anycast' // an address of the message is not the plain address of an account → do not pay
  | 'deposit/account-status' // the vault was not active before or after the transaction → do not pay; check the vault
  | 'deposit/compute' // the code of the vault did not run, or failed → do not pay
  | 'deposit/action' // the actions of the vault failed, or did not run → do not pay
  | 'deposit/aborted' // the transaction was aborted, or destroyed the vault → do not pay
  | 'deposit/bounce-phase' // the message was sent back, or should have been → do not pay
  | 'deposit/answered' // the vault sent a message to the sender in the same transaction, which may be a refund → do not pay; give `mayAnswer` if your vault always answers
  | 'deposit/other-wallet' // the message is not from the jetton wallet that you pinned → do not pay: anyone can send such a message
  | 'deposit/notification' // the message is not a complete transfer notification → do not pay
  | 'deposit/wallet-state' // the whole state of the wallet is not proven under the masterchain block of the transaction → prove the wallet there and pass both facts
  | 'deposit/wallet-code' // the wallet is not active, or its code is not listed → do not pay; check the wallet
  | 'deposit/no-credit' // the transaction credited nothing → do not pay
  | 'deposit/other-currency' // other currencies came with the TON → do not pay; `ignoreExtraCurrencies` keeps them and counts the TON
  | 'deposit/too-little' // the amount is below `atLeast` → do not pay
  | 'deposit/from-vault' // the vault sent it to itself → do not pay: nothing came in
  | 'deposit/other-sender' // the sender differs from `sender` → do not pay
  | 'deposit/encrypted' // the comment is encrypted → do not pay: the library cannot read the recipient
  | 'deposit/recipient'; // the body is not a comment, or your `payload` found no recipient → do not pay; return the money yourself

/** Failures that keep an audit from continuing. Its findings are rows of its ledger, never one of these codes. */
export type AuditErrorCode =
  | 'audit/ledger' // a line of a ledger was changed, removed or moved, or is not a line of a ledger → restore the ledger as it was written, or audit the range again
  | 'audit/plan' // the ledger belongs to a different audit → give the options of the first run, or a different `--out`
  | 'audit/parts' // the ledgers do not fit together → give every part of one audit once
  | 'audit/write' // the ledger cannot be written, for example because the disk is full → free space and run the same command again: it resumes
  | 'audit/queue'; // the jobs of the fleet are missing, or belong to a different audit → run `audit enqueue` first, with the same options

/** Failures of fetching, by remedy. `SourceError.retryable` says which of them are worth another try. */
export type SourceErrorCode =
  | 'source/rate-limited' // the server asks for fewer questions → wait for `retryAfterMs`, ask slower (`requestsPerSecond`, `--rate`), or use a key
  | 'source/not-ready' // the server does not have the block yet, or no longer → wait a second; for old blocks ask an archive node
  | 'source/missing' // none of the given files contains the block → give the file that contains the block, or audit a shorter range into a new ledger
  | 'source/upstream' // a proxy or a server behind it failed, or there is no connection → try again later, or give a second server
  | 'source/tls' // no safe connection: an invalid certificate, or no TLS at all → check the URL and this machine’s clock and certificates; never turn the check off
  | 'source/server' // an error of the server itself → read `serverText`; ask a different server
  | 'source/bad-request' // the server does not know the question, or the base URL is wrong → give the whole base URL, as in `https://host/api/v2`
  | 'source/auth' // the key is wrong, missing, or for a different network → check the key and its network
  | 'source/malformed' // an answer that cannot be read → ask a different server; `body` has the bytes
  | 'source/unsupported' // a form of answer that this version does not know: a kind of signatures, a TL id or a tag → upgrade this program; if one server alone answers so, it is broken
  | 'source/wrong-block' // an answer about a different block, or a block that came under two numbers → ask a different server; `statements` has the answer of each server
  | 'source/wrong-network' // the server belongs to a different network → give servers of your network
  | 'source/other-chain' // the lite server does not know the block that you trust → give other servers: this one may be pruned, or belong to a different network or fork; check that your block is right
  | 'source/clock' // this machine's clock and the servers' differ by more than 30 seconds → set the clock
  | 'source/too-large' // a body over the cap → no valid answer is that large; ask a different server
  | 'source/budget' // the servers sent more unproven bytes than a run may cost → leave out the servers that `statements` name
  | 'source/timeout' // no answer in time → try again, give more time (`timeoutMs`, `deadlineMs`, `--deadline`), or a second server
  | 'source/aborted' // your own signal fired → do nothing: you stopped the run
  | 'source/disagree'; // servers contradict each other → do not act; `statements` has the answer of each server, and for lite servers an evidence file has the proofs

/** Every error code; docs/errors.md has cause and remedy of each. */
export type FinalityErrorCode =
  | DecodeErrorCode
  | ValidatorSetErrorCode
  | EngineErrorCode
  | UsageErrorCode
  | TrustErrorCode
  | CertificateErrorCode
  | DepositErrorCode
  | AuditErrorCode
  | SourceErrorCode;

export interface FinalityErrorOptions {
  /** JSON path or cell path of the offending value, as in `result.signatures[3].signature`. */
  readonly path?: string;
  /** The next step of the user, in one line. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** Characters of a message or a path; nothing longer helps a reader, and a payload does not belong there. */
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

  constructor(code: Code, message: string, more: FinalityErrorOptions = {}) {
    const { path, hint, cause } = ownMembers(more);
    super(printable(path ? `${path}: ${message}` : message, MAX_CHARS), cause === undefined ? undefined : { cause });
    this.code = code;
    this.path = path && printable(path, MAX_CHARS);
    this.hint = hint;
  }
}

/** Malformed bytes or JSON from outside. A retry with the same input never helps. */
export class DecodeError extends FinalityError<DecodeErrorCode> {
  override readonly name = 'DecodeError'; // spelled out: minifiers rename classes
}

/** The cause of a DecodeError about a kind, an id or a tag that this version does not know: damaged, or newer than this program. */
export class UnknownKind {
  /** Hex, or the name of a type. */
  readonly got: string;
  /** Whether the bytes could be anything: a whole answer, a candidate. */
  readonly isWhole: boolean;

  constructor(got: string, isWhole = false) {
    this.got = got;
    this.isWhole = isWhole;
  }
}

/** A validator list that the node itself would reject (`mc-config.cpp`, unpack_validator_set). */
export class ValidatorSetError extends FinalityError<ValidatorSetErrorCode> {
  override readonly name = 'ValidatorSetError'; // spelled out: minifiers rename classes
}

/** An Ed25519 engine that cannot run here. A different engine can: `chooseEngine` picks it. */
export class EngineError extends FinalityError<EngineErrorCode> {
  override readonly name = 'EngineError'; // spelled out: minifiers rename classes
}

/** A call that cannot be carried out: a wrong option, policy or combination of them. */
export class UsageError extends FinalityError<UsageErrorCode> {
  override readonly name = 'UsageError'; // spelled out: minifiers rename classes
}

/** An invalid proof, or a proof of something else. The input may be well formed; do not trust it. */
export class TrustError extends FinalityError<TrustErrorCode> {
  override readonly name = 'TrustError'; // spelled out: minifiers rename classes
}

/** A malformed certificate. `TrustError` reports invalid proofs. */
export class CertificateError extends FinalityError<CertificateErrorCode> {
  override readonly name = 'CertificateError'; // spelled out: minifiers rename classes
}

export interface DepositErrorOptions extends FinalityErrorOptions {
  readonly retryable?: boolean;
  readonly amount?: bigint;
  readonly atLeast?: bigint;
}

/** A deposit that you must not pay, with the rule that it breaks. */
export class DepositError extends FinalityError<DepositErrorCode> {
  override readonly name = 'DepositError'; // spelled out: minifiers rename classes
  /** Whether another proof of the same deposit, or a checkpoint that moved on, can be accepted; false is permanent. */
  readonly retryable: boolean;
  /** The amount, in the asset's smallest unit; `undefined` if the rule broke before the amount was read. */
  readonly amount: bigint | undefined;
  /** The least that the terms demand. */
  readonly atLeast: bigint | undefined;

  constructor(code: DepositErrorCode, message: string, options: DepositErrorOptions = {}) {
    super(code, message, options);
    const { retryable = false, amount, atLeast } = ownMembers(options);
    this.retryable = retryable;
    this.amount = amount;
    this.atLeast = atLeast;
  }

  /** The members with the amounts as decimal text, so that a log can hold the error: JSON has no bigint. */
  toJSON(): object {
    return { ...this, message: this.message, amount: this.amount?.toString(), atLeast: this.atLeast?.toString() };
  }
}

/** An audit that cannot begin or continue. Its ledger keeps the rows so far. */
export class AuditError extends FinalityError<AuditErrorCode> {
  override readonly name = 'AuditError'; // spelled out: minifiers rename classes
}

/** The answer of one server when several were asked. */
export interface SourceStatement {
  /** The server, by its label: never with a key, a query or credentials. */
  readonly source: string;
  /** The essence of its answer, such as the block id; absent when it failed. */
  readonly key?: string;
  /** The body as it came, where the server answered: kept so that you can see which server differs. */
  readonly body?: Uint8Array;
  /** Why it gave no answer. */
  readonly error?: unknown;
}

/** The members of a `SourceError`, each of which may be left out. */
export type SourceErrorOptions = FinalityErrorOptions & {
  readonly [Name in Exclude<keyof SourceError, keyof FinalityError>]?: SourceError[Name] | undefined;
};

const RETRYABLE: ReadonlySet<SourceErrorCode> = new Set([
  'source/rate-limited',
  'source/not-ready',
  'source/upstream',
  'source/server',
  'source/timeout',
]);

/**
 * A server that did not give the requested answer, or several servers that disagree. The error carries no key, query or
 * payload.
 */
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
  /** How often this was tried, in total. */
  readonly attempts: number;
  /** The wait that a Retry-After header asked for. */
  readonly retryAfterMs: number | undefined;
  /** The body of an answer that came in whole and was refused. The member is not enumerable, so that it is never printed by accident. */
  declare readonly body: Uint8Array | undefined;
  /** The answer of each server, when several were asked. */
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
