/** What a source of blocks is, and the options of a question to one. */

import { badArgument, isObject, requireOptions } from '../../base/arguments.ts';
import { requireNumber, requireSignal, requireType } from '../../base/option-values.ts';
import type { Signal } from '../../base/runtime-types.ts';

/** Options of one question. */
export interface AskOptions {
  /** Stops the question, its waiting and its open connection at once; the error is then `source/aborted`. */
  readonly signal?: Signal;
  /** Milliseconds for the question with all its attempts; default that of the source. */
  readonly deadlineMs?: number;
  /** Default false; true asks again in steps of a second or so, until the deadline, while the block is not ready. */
  readonly waitForBlock?: boolean;
}

/** Anything that can hand over raw answers. `unknown` on purpose: only decode gives types. */
export interface BlockSource {
  /** Shown in errors: a label without keys. */
  readonly name: string;
  /** Seqno of the newest masterchain block the source knows. @throws SourceError */
  latestSeqno(opts?: AskOptions): Promise<number>;
  /**
   * The v2 getMasterchainBlockSignatures answer, for `parseSignatureSet`. That it names the masterchain block asked for
   * has been looked at, and for simplex that its candidate does; whether its signatures are any good has not. @throws SourceError
   */
  signatures(seqno: number, opts?: AskOptions): Promise<unknown>;
  /**
   * Where several servers are asked: every answer that names the agreed block. Their lists may differ, so a verifier may
   * try the next when one is not final. @throws SourceError
   */
  agreedSignatures?(seqno: number, opts?: AskOptions): Promise<readonly unknown[]>;
  /** Where several servers can be asked: what to do when the signatures of an answer turn out to be no good. */
  readonly others?: OtherAnswers;
  /** Milliseconds until a question asked now would be sent, where the source knows: it may be paced, or told to rest. */
  waitMs?(): number;
  /** What to know about it before it is relied on; each begins with a code, as in `split-quorum: …`. */
  readonly warnings?: readonly string[];
}

/** Other servers' answers to the same question. */
export interface OtherAnswers {
  /** An answer of a server that gave none of these; `undefined` when there is none left to ask. @throws SourceError */
  ask(seqno: number, refused: readonly unknown[], opts?: AskOptions): Promise<unknown>;
  /** A better answer was found: those who gave these are asked last for a while. */
  blame(refused: readonly unknown[]): void;
}

const ASK_OPTIONS: Readonly<Record<keyof AskOptions, true>> = { signal: true, deadlineMs: true, waitForBlock: true };
const ASK_NAMES = Object.keys(ASK_OPTIONS);

/** A copy. @param more names that one question knows beside those of every question. @throws UsageError */
export function requireAskOptions<T extends AskOptions | undefined>(given: T, more: readonly string[] = []): T {
  if (given === undefined) return given;
  const opts = requireOptions(given, more.length === 0 ? ASK_NAMES : [...ASK_NAMES, ...more]);
  requireSignal(opts.signal, 'signal');
  requireNumber(opts.deadlineMs, Number.MIN_VALUE, Number.MAX_SAFE_INTEGER, 'deadlineMs');
  requireType(opts.waitForBlock, 'boolean', 'waitForBlock');
  return opts;
}

/** @throws UsageError for anything that cannot be asked, such as the URL of a server */
export function requireSource(source: unknown, path: string): void {
  const { name, latestSeqno, signatures }: Partial<Record<keyof BlockSource, unknown>> = isObject(source) ? source : {};
  const isSource = typeof name === 'string' && typeof latestSeqno === 'function' && typeof signatures === 'function';
  if (isSource) return;
  const hint = 'toncenterV2({ baseUrl }) makes a source of a URL';
  throw badArgument(path, 'a source of blocks', source, hint);
}
