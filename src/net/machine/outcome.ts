/**
 * The meaning of a server's answer, over HTTP and lite servers alike. This file has one vocabulary, one table from error codes
 * to that vocabulary, and one table from outcomes to a server's standing. It also has all other decisions that depend on a code.
 * No other file decides by a list of codes. Pure: it knows no clock and no server.
 */
import {
  DecodeError,
  SourceError,
  type SourceErrorCode,
  TrustError,
  UnknownKind,
  ValidatorSetError,
} from '../../core/base/errors.ts';

/**
 * The outcome of a question:
 * - answered;
 * - not-yet: the server does not have the block yet;
 * - unknown-block: the server does not know the block that was asked from;
 * - pruned: the server no longer has the block;
 * - busy: the server asks for fewer questions;
 * - failed: no answer came;
 * - broken: the answer cannot be read;
 * - false: the answer can be read, and is not true;
 * - unsupported: the answer has a form that this version does not know.
 */
export type Outcome =
  | 'answered'
  | 'not-yet'
  | 'unknown-block'
  | 'pruned'
  | 'busy'
  | 'failed'
  | 'broken'
  | 'unsupported'
  | 'false';

/** The outcome of each code for the server that was asked; `none` for a code that says nothing about one server. */
export const OUTCOMES: Readonly<Record<SourceErrorCode, Outcome | 'none'>> = {
  'source/aborted': 'none',
  'source/budget': 'none',
  'source/rate-limited': 'busy',
  'source/not-ready': 'not-yet',
  'source/missing': 'pruned',
  'source/upstream': 'failed',
  'source/tls': 'failed',
  'source/server': 'failed',
  'source/bad-request': 'failed',
  'source/auth': 'failed',
  'source/timeout': 'failed',
  'source/clock': 'failed',
  'source/disagree': 'failed',
  'source/malformed': 'broken',
  'source/wrong-block': 'broken',
  'source/unsupported': 'unsupported',
  'source/too-large': 'broken',
  'source/wrong-network': 'false',
  'source/other-chain': 'unknown-block',
};

/**
 * The effect of an outcome on a standing. Only a false answer counts against honesty. A server that does not have the block yet
 * is behind, which is not a fault. All other failures make a server rest.
 */
export const EFFECTS: Readonly<Record<Outcome | 'none', 'good' | 'none' | 'behind' | 'rest' | 'out'>> = {
  none: 'none',
  answered: 'good',
  'not-yet': 'behind',
  'unknown-block': 'rest',
  pruned: 'rest',
  busy: 'rest',
  failed: 'rest',
  broken: 'rest',
  unsupported: 'rest',
  false: 'out',
};

/** Decisions by code other than the standing of the server. */
const TRAITS = {
  /** Another try may help, but only one: a server that lacks the block will hardly have it a moment later. */
  'once-more': ['source/not-ready', 'source/server'],
  /** The failure concerns the source as a whole, and not one block: an audit ends. */
  'whole-source': ['source/aborted', 'source/auth', 'source/wrong-network', 'source/other-chain', 'source/tls'],
  /** Before the first answer this code means that the caller's options are wrong, so another try cannot help. */
  'wrong-at-first': ['source/auth', 'source/bad-request', 'source/wrong-network', 'source/too-large'],
  /** The server rejects the caller. A single rejection after a first answer may be a slip; several in a row are not. */
  refusal: ['source/auth', 'source/wrong-network'],
  /** How servers report that a parameter does not exist: an error of their own, or an answer without bytes. */
  'perhaps-absent': ['source/server', 'source/malformed', 'source/bad-request'],
  /** The answer is about a different block or chain: a contradiction, not a missing answer. */
  contradiction: ['source/disagree', 'source/wrong-block', 'source/wrong-network'],
  /** No other server can help: the caller stopped, the way is too long, or two histories are proven. */
  final: ['source/aborted', 'source/too-large', 'source/disagree'],
  /** No server is at fault: the caller stopped, two histories are proven, or this machine's clock is wrong. */
  faultless: ['source/aborted', 'source/clock', 'source/disagree'],
  /** No answer came, so it does not matter what was asked. */
  silence: ['source/timeout', 'source/upstream'],
  /** More time cannot help: the clock is wrong, or two histories are proven. */
  'ends-following': ['source/disagree', 'source/clock'],
} as const satisfies Readonly<Record<string, readonly SourceErrorCode[]>>;

export type Trait = keyof typeof TRAITS;

/** Whether a code has a trait. */
export function isA(code: SourceErrorCode, trait: Trait): boolean {
  return (TRAITS[trait] as readonly SourceErrorCode[]).includes(code);
}

/** Whether another try may help: servers may answer later, and more of them may agree. */
export function mayPass(error: unknown): error is SourceError | TrustError {
  if (error instanceof TrustError) return error.code === 'trust/too-few-witnesses';
  return error instanceof SourceError && !isA(error.code, 'ends-following');
}

/** Returns the unknown form that made an answer unreadable, if there is one. */
export function unknownIn(cause: unknown): UnknownKind | undefined {
  return cause instanceof DecodeError && cause.cause instanceof UnknownKind ? cause.cause : undefined;
}

/**
 * Returns the code of an unreadable answer, by the reason. One server may have made up an unknown kind of answer; only
 * if several servers send it, the network has changed.
 */
export function codeOfUnreadable(cause: unknown): 'source/malformed' | 'source/unsupported' {
  return unknownIn(cause)?.isWhole === false ? 'source/unsupported' : 'source/malformed';
}

/** The outcome of a failed question. An answer that could be read, and that does not prove what it should, is false. */
export function outcomeOf({ code, cause }: Pick<SourceError, 'code' | 'cause'>): Outcome | 'none' {
  const isRead = cause instanceof TrustError || cause instanceof ValidatorSetError;
  return code === 'source/malformed' && isRead ? 'false' : OUTCOMES[code];
}

/** The effect of a failed question on the server's standing. */
export function effectOf(error: Pick<SourceError, 'code' | 'cause'>): 'none' | 'behind' | 'rest' | 'out' {
  // no error has the outcome of an answer
  return EFFECTS[outcomeOf(error)] as Exclude<(typeof EFFECTS)[Outcome], 'good'>;
}

/** Whether a server reports that it lacks the block that it was asked for, or asked from. */
export function lacksBlock(code: SourceErrorCode): boolean {
  return OUTCOMES[code] === 'not-yet' || OUTCOMES[code] === 'unknown-block';
}
