/**
 * Every error this library throws, and the table of their codes: beside each code stands *cause → remedy*, and docs/errors.md is
 * made of it (`npm run docs`). A class names the room that throws it, a code names a distinct remedy. Verification results are
 * never errors: a bad signature is a row in the coverage.
 */
import { ownMembers } from './present.ts';

/** Faults of bytes or JSON from outside. */
export type DecodeErrorCode =
  | 'decode/shape' // JSON of another shape than is read: a member missing, of another type, or under another name → hand in the answer as the server sent it; `path` names the place
  | 'decode/base64' // bytes that are not written in the one spelling of base64 or hex that is read → do not re-encode what a server sent; base64 with padding, no blanks
  | 'decode/length' // a hash, key or signature of another length than it has → look for a value that was cut off, or hex where base64 is due
  | 'decode/range' // a number, shard or workchain that no block has, or digits that may already be lost → keep 64-bit numbers as text or bigint; masterchain blocks only
  | 'decode/tl' // TL bytes of another shape, too short, or with something behind them → hand in the whole answer of the method that is named, and nothing else
  | 'decode/boc' // bytes that are no bag of cells, or cells of another layout → hand in the file as it was written; base64 is to be decoded first
  | 'decode/candidate-mismatch' // the simplex candidate names another block than the id beside it → do not believe whoever sent it: good signatures were put to another block
  | 'decode/two-blocks' // a list that has one block twice, of which at most one can be right → ask another server
  | 'decode/too-large' // more bytes, entries, cells or levels than are read → no true input is that large; ask another server
  | 'decode/api-error' // the answer is a server's error, not data → read its words in the message; ask again, or ask another server
  | 'decode/unexpected-block'; // the answer is about another block than `expect` or `--expect-…` names → ask for the block that you expect; if you did, do not act on this one

/** Why a node would reject a list of validators. */
export type ValidatorSetErrorCode =
  | 'validators/empty' // a list of validators without members → take the whole parameter 34 of a key block
  | 'validators/zero-weight' // a validator without weight → take the list as the network has it; zero-weight entries are refused by nodes too
  | 'validators/repeated-key' // a key stands twice in one list → take the list as the network has it
  | 'validators/weight-overflow' // weights that add up to more than 2^61 → look for weights in other units than the configuration has
  | 'validators/bad-key' // a key or ADNL address of a length that it cannot have, or a key that is no key → give 32 bytes: hex of 64 digits or base64 of 44 characters
  | 'validators/bad-main'; // `main` is 0, or more than the list has → give the number from parameter 34, not that of parameter 16

/** Why an engine cannot run here. */
export type EngineErrorCode =
  | 'engine/no-wasm' // this runtime has no WebAssembly, or a page forbids it → let `chooseEngine` pick another engine, or allow it: docs/browser.md
  | 'engine/self-test' // an engine did not give the known answers → do not use it: runtime or machine is broken; `referenceEngine` needs neither
  | 'engine/out-of-memory' // no memory for the tables of keys → give a smaller `maxTableBytes`, or close verifiers that are done
  | 'engine/worker'; // worker threads cannot be started, or all died → allow them (`--allow-worker`); in a bundle say where their file is; without a pool all works, on one thread

/** Mistakes in a call. */
export type UsageErrorCode =
  | 'usage/bad-option' // an option or argument that nobody knows, of another kind, in another order, or without a value; a file that cannot be read or written → the message names it, and `path` where there is one
  | 'usage/bad-policy' // a policy laxer than the node, or one that contradicts itself → at least 2/3; name exceptions by their own options
  | 'usage/closed' // a verifier, engine, pool or client is used after `close` → make a new one, or close later
  | 'usage/callback'; // a function that you gave has thrown → `cause` is what it threw

/** Rules of the chain of trust (consensus specification, sections 7 and 12), one code a rule. */
export type TrustErrorCode =
  | 'trust/anchor-hash' // what was given as the pinned block is not the block that is pinned → compare number and both hashes with where you have them from; get the file anew
  | 'trust/root-hash' // a proof proves another block than the one it is for → ask for the proof of this block; if you did, ask another server
  | 'trust/file-hash' // the bytes of a block do not hash to the file hash in its id → get the file anew; it was damaged or written anew
  | 'trust/header' // the header that is proven does not say what the block id says → do not believe the id: number, workchain or shard were changed
  | 'trust/wrong-workchain' // a block of another workchain where one of the masterchain is due → pin and walk masterchain blocks; shards have `shardTop` and `shardBlock`
  | 'trust/wrong-network' // a block of another network than the checkpoint → use the checkpoint of this network, or servers of that one
  | 'trust/not-key-block' // trust is to move to a block that shows no configuration → give the key block, as `prev_key_block_seqno` of a header names it
  | 'trust/key-block-flag' // header and content disagree on whether this is a key block → ask another server: no node makes such a block
  | 'trust/not-next' // the block is ruled by another key block than the one it is judged from → walk over the key blocks between, in order
  | 'trust/incomplete' // a proof ends before the block that was asked for → ask again from where it ended: lite servers send at most 16 links an answer
  | 'trust/not-connected' // a link starts elsewhere than the one before it ended → give the answers in order, each whole
  | 'trust/backwards' // trust is to move to an older block → start from an older checkpoint; older blocks are proven by `proveBlock` or `olderBlock`
  | 'trust/catchain-seqno' // signatures of another session than the header names → ask another server: the proof was put together of two
  | 'trust/set-hash' // the validators that were shown are not those that the header names → ask another server; a proof with another list proves nothing
  | 'trust/signed-weight' // the weight written beside signatures is not what they weigh → ask another server
  | 'trust/not-final' // the signatures do not make the block final: too few, or bad ones → ask another server; never act on the block until it is final
  | 'trust/hardfork' // the way leads over a hardfork, which carries no signatures → find out by other means that it is the one that people follow, and pin a key block after it
  | 'trust/pruned' // a proof leaves out a cell that has to be read → ask for the whole proof; nothing was shown to be absent
  | 'trust/state-hash' // a state is not the one that the block leads to → ask for state and block at the same block id
  | 'trust/not-listed' // a block or shard is not in the list that should hold it → ask from the masterchain block that lists it; if you did, it is not final there
  | 'trust/no-config' // a block or state shows no configuration where one is due → give a key block, or a proof that shows header and configuration
  | 'trust/stale-start' // the walk began with keys that are out of use, and the caller did not accept that by name → start from a younger block, have two other servers name the head, or give `acceptStaleStart`; a checkpoint remembers it (`staleStart`)
  | 'trust/too-few-witnesses' // fewer servers than `witnesses` or `strict` asks for name the block, for ten minutes → give more servers, of operators that do not depend on each other
  | 'trust/checkpoint' // a checkpoint that is damaged, edited, or of another version → make it again from the block that you pinned
  | 'trust/unproven-block' // a block or report that was put together by hand, copied or cloned stands where a proven one is due → prove it here: `finalBlock`, `provenTip`, `checkpointBlock`; or `assumeFinal` by name
  | 'trust/wrong-shard' // the block cannot hold this account → ask for the shard of the account: `shardTop` finds it
  | 'trust/transaction-hash' // the transaction is not the one that the block holds → do not act on it; ask another server
  | 'trust/account-hash' // the account is not the one that the state holds → do not act on it; ask another server
  | 'trust/library-hash' // the library is not the one that the state holds → do not use it; ask another server
  | 'trust/contradiction' // proof and answer disagree on whether something exists → the server is wrong or lies: ask another
  | 'trust/no-account' // the account whose transactions are asked for is proven not to exist → compare address and network; deploy it first
  | 'trust/state-missing' // proven to exist, but its contents were not given → ask for the full state, not only its proof
  | 'trust/message' // a message that its transaction cannot have → do not act on it; ask another server
  | 'trust/aborted' // the transaction did not succeed, and success was asked for → nothing was paid; `outcome` says what happened
  | 'trust/block-list' // a list of transactions is not the block's → ask for the list again, with proof
  | 'trust/history'; // a chain of transactions has a gap, or another order → go on from the last one that was proven

/** Faults of a certificate's form. The rules of `TrustErrorCode` judge its proofs. */
export type CertificateErrorCode =
  | 'cert/version' // no certificate, or one of another version → give the file that `certify` wrote; use a library that knows the version
  | 'cert/not-canonical' // the same content in another spelling than the one that is read → ask its maker for the file as it was written
  | 'cert/unused-cells' // cells that nothing in the certificate needs → ask its maker for a proper one: nothing may be hidden in it
  | 'cert/claim' // what it says of itself is not what it proves → do not believe its words; the binary form has none
  | 'cert/insufficient' // too few good signatures to make one → fetch the signatures again, and see that the block is final
  | 'cert/anchor' // it starts from another block than the one that you trust → ask for one that starts from your block, or give the checkpoint whose key block it has
  | 'cert/too-large' // more bytes, steps or facts than are read → make it from a younger anchor, or several of it
  | 'cert/equivocation'; // two certificates do not contradict each other → nothing is wrong: they are of one chain

/** Why a deposit is not accepted: one code a rule of `acceptDeposit`. `retryable` says whether another proof can change that. */
export type DepositErrorCode =
  | 'deposit/absent' // no transaction is among the facts, or one is proven not to be there → wait for the block that holds it, and prove that
  | 'deposit/ambiguous' // the facts hold several transactions → give one at a time: `{ facts: [transaction, wallet] }`
  | 'deposit/not-final' // the block was not proven from signatures of a proven set: it was assumed, vouched for, or judged undecided → prove it from your checkpoint
  | 'deposit/exception' // the block is final only with an exception that somebody asked for by name → prove it again without the exception
  | 'deposit/other-network' // your checkpoint is of another network than `network` names → look at your configuration; do not accept anything until it is right
  | 'deposit/other-trust' // the proof neither begins at the key block of your checkpoint nor is signed by its set → prove it again from the checkpoint that you give
  | 'deposit/stale-start' // the validators of your checkpoint are past their time, so their old keys may have made the proof → move the checkpoint on, then prove again
  | 'deposit/clock' // the block is younger than your clock says it is now → set the clock
  | 'deposit/other-workchain' // the transaction is of an account in another workchain → do not pay
  | 'deposit/other-account' // the transaction is of another account than your vault → do not pay
  | 'deposit/incomplete' // the transaction is proven to exist and its contents were not given → prove it with its contents
  | 'deposit/too-old' // the transaction is older than `since` → do not pay: it may have been paid before your records begin
  | 'deposit/not-ordinary' // the transaction is none that a message set off → do not pay
  | 'deposit/no-message' // no message came in → do not pay
  | 'deposit/outbound' // the certificate is about a message that the account sent → do not pay: sent is not received
  | 'deposit/external' // the message came from outside of the chain and brings nothing → do not pay
  | 'deposit/bounced' // the message is the return of one that failed → do not pay: it is no deposit
  | 'deposit/anycast' // an address of the message is not the plain one of an account → do not pay
  | 'deposit/account-status' // the vault was not active before or after → do not pay; look after the vault
  | 'deposit/compute' // the code of the vault did not run, or failed → do not pay
  | 'deposit/action' // the actions of the vault failed, or did not run → do not pay
  | 'deposit/aborted' // the transaction was aborted, or destroyed the vault → do not pay
  | 'deposit/bounce-phase' // the message was sent back, or should have been → do not pay
  | 'deposit/answered' // the vault sent a message to the sender at once, which may be a refund → do not pay; `mayAnswer` if your vault always answers
  | 'deposit/other-wallet' // the message is not from the jetton wallet that you pinned → do not pay: anybody can send such a message
  | 'deposit/notification' // the message is no transfer notification that can be read to its end → do not pay
  | 'deposit/wallet-state' // the wallet's state is not proven whole under the masterchain block of the transaction → prove it there and give both
  | 'deposit/wallet-code' // the wallet is not active, or its code is not listed → do not pay; see what became of the wallet
  | 'deposit/no-credit' // the transaction credited nothing → do not pay
  | 'deposit/other-currency' // currencies other than TON came with it → do not pay; `ignoreExtraCurrencies` keeps them and counts the TON
  | 'deposit/too-little' // the amount is below `atLeast` → do not pay
  | 'deposit/from-vault' // the vault sent it to itself → do not pay: nothing came in
  | 'deposit/other-sender' // the sender is another than `sender` names → do not pay
  | 'deposit/encrypted' // the comment is encrypted → do not pay: who may read it could tell anything of it
  | 'deposit/recipient'; // the body is no comment, or your `payload` reads no recipient in it → do not pay; give the money back by hand

/** Failures that keep an audit from continuing. Its findings are rows of its ledger, never one of these codes. */
export type AuditErrorCode =
  | 'audit/ledger' // a line of a ledger was changed, removed or moved, or is none → take the ledger as it was written, or audit the range again
  | 'audit/plan' // the ledger is of another audit than the one that is asked for → give the options of the first run, or another `--out`
  | 'audit/parts' // ledgers that do not make one → give every part of one audit, once
  | 'audit/write' // the ledger cannot be written: the disk is full, say → make room and run the same command again: it goes on
  | 'audit/queue'; // the jobs of a fleet are not there, or of another audit → run `audit enqueue` first, with the same options

/** Failures of fetching, by remedy. `SourceError.retryable` says which of them are worth another try. */
export type SourceErrorCode =
  | 'source/rate-limited' // the server wants fewer questions → wait for `retryAfterMs`, ask slower (`requestsPerSecond`, `--rate`), or take a key
  | 'source/not-ready' // the block is not there yet, or no longer → wait a second; for old blocks ask an archive node
  | 'source/missing' // no file that was given holds the block → give the file that has it, or a shorter range
  | 'source/upstream' // a proxy's or the server's own server failed, or there is no connection → try again later, or give a second server
  | 'source/tls' // no safe connection: a certificate that does not hold, or no TLS at all → look at the URL and at this machine’s clock and certificates; never turn the check off
  | 'source/server' // an error of the server itself → read `serverText`; ask another server
  | 'source/bad-request' // the server does not know the question, or the base URL is wrong → give the whole base URL, as in `https://host/api/v2`
  | 'source/auth' // the key is wrong, missing, or for another network → check the key and that it is for this network
  | 'source/malformed' // an answer that cannot be read → ask another server; `body` has the bytes
  | 'source/unsupported' // most servers answer in a form that this version does not know: a kind of signatures, a TL id or a tag → upgrade this program, which is older than the network; one server alone that answers so is broken
  | 'source/wrong-block' // a readable answer about another block, or a block that came under two numbers → ask another server; `statements` say who said what
  | 'source/wrong-network' // a server of another network → give servers of the network that you mean
  | 'source/other-chain' // a lite server that does not know the block that you trust → it is of another network or fork, or pruned: give others; see that your block is right
  | 'source/clock' // this machine's clock and the servers' differ by more than 30 seconds → set the clock
  | 'source/too-large' // a body over the cap → no true answer is that large; ask another server
  | 'source/budget' // the answers of servers have more bytes than they prove, beyond what a run may cost → leave out the servers that `statements` name
  | 'source/timeout' // no answer in time → try again, give more time (`timeoutMs`, `deadlineMs`, `--deadline`), or a second server
  | 'source/aborted' // your own signal → nothing: you stopped it
  | 'source/disagree'; // servers contradict each other → act on nothing; `statements`, and of lite servers the evidence file, say who said what

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
  /** What the user can do next, in one line. */
  readonly hint?: string | undefined;
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
  /** Of bytes that could be anything: a whole answer, a candidate. */
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
  /** Whether another proof of the same deposit, or a checkpoint that moved on, can be accepted; false is for ever. */
  readonly retryable: boolean;
  /** What it brought, in the asset's smallest unit; `undefined` where that was not read before the rule was broken. */
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
}

/** An audit that cannot begin or continue. Its ledger keeps the rows so far. */
export class AuditError extends FinalityError<AuditErrorCode> {
  override readonly name = 'AuditError'; // spelled out: minifiers rename classes
}

/** The answer of one server when several were asked. */
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
