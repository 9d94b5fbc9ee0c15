/**
 * What an answer of a server comes to, over HTTP and lite servers alike: one vocabulary, one table from error codes to it, and
 * one table of what each outcome does to a server's standing. Pure: it knows no clock and no server.
 */
import type { SourceErrorCode } from '../../base/errors.ts';

/**
 * answered. not-yet: the server does not have the block yet. unknown-block: it does not know the block that was asked from.
 * pruned: it no longer has the block. busy: it wants fewer questions. failed: no answer came. broken: the answer cannot be read.
 * false: the answer can be read, and is not true.
 */
export type Outcome = 'answered' | 'not-yet' | 'unknown-block' | 'pruned' | 'busy' | 'failed' | 'broken' | 'false';

/** What each code says of the server that was asked; `none` for a code that says nothing of one server. */
export const OUTCOMES: Readonly<Record<SourceErrorCode, Outcome | 'none'>> = {
  'source/aborted': 'none',
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
  'source/too-large': 'broken',
  'source/wrong-network': 'false',
  'source/other-chain': 'unknown-block',
};

/** What an outcome does to a standing. Only what is false says anything of honesty; all other failures make a server rest. */
export const EFFECTS: Readonly<Record<Outcome | 'none', 'good' | 'none' | 'rest' | 'out'>> = {
  none: 'none',
  answered: 'good',
  'not-yet': 'rest',
  'unknown-block': 'rest',
  pruned: 'rest',
  busy: 'rest',
  failed: 'rest',
  broken: 'rest',
  false: 'out',
};

/** Whether a server says that it does not have the block that it was asked for, or asked from. */
export function lacksBlock(code: SourceErrorCode): boolean {
  return OUTCOMES[code] === 'not-yet' || OUTCOMES[code] === 'unknown-block';
}
