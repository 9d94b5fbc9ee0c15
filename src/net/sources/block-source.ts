/** What a source of blocks is, and the options of a question to one. */

import { badArgument, isList, isObject } from '../../core/base/arguments.ts';
import { UsageError } from '../../core/base/errors.ts';
import { MAX_SOURCES } from '../../core/base/limits.ts';
import { requireNumber, requireOptions, requireSignal, requireType } from '../../core/base/options.ts';
import { ownList } from '../../core/base/own-bytes.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { SignatureList } from '../../core/block/signature-set.ts';
import type { Warning } from '../../core/verify/report.ts';

/** Options of one question. */
export interface AskOptions {
  /** Stops the question, its waiting and its open connection at once; the error is then `source/aborted`. */
  readonly signal?: Signal;
  /** Milliseconds for the question with all its attempts; default that of the source. */
  readonly deadlineMs?: number;
  /** Default false; true asks again in steps of a second or so, until the deadline, while the block is not ready. */
  readonly waitForBlock?: boolean;
}

/** The signatures of one block, as one server sent them. */
export interface SignedAnswer {
  /**
   * That they name the masterchain block asked for has been looked at, and for simplex that the candidate does; whether they
   * are any good has not.
   */
  readonly signatures: SignatureList;
  /** The server that gave them: a label without keys. */
  readonly source: string;
  /** The answer as it was received, with keys struck out; absent where the source has no bytes of it. */
  readonly body?: Uint8Array | undefined;
  /**
   * For signatures that turn out to be no good: those of the same block by another server, one that gave none of the answers
   * before it; `undefined` when no server is left. Absent where there is one server only. @throws SourceError
   */
  readonly another?: ((opts?: AskOptions) => Promise<SignedAnswer | undefined>) | undefined;
  /** Tells that these were no good and another server's were: the server that gave them is asked last for a while. */
  readonly blame?: (() => void) | undefined;
}

/** A server, or several combined, that gives the newest block and signatures of blocks. */
export interface BlockSource {
  /** Shown in errors: a label without keys. */
  readonly name: string;
  /** Seqno of the newest masterchain block the source knows. @throws SourceError */
  latestSeqno(opts?: AskOptions): Promise<number>;
  /** The signatures of this masterchain block, unverified. @throws SourceError */
  signatures(seqno: number, opts?: AskOptions): Promise<SignedAnswer>;
  /** Milliseconds until a question asked now would be sent, where the source knows: it may be paced, or told to rest. */
  waitMs?(): number;
  /** What to know about it before it is relied on, such as `split-quorum`. */
  readonly warnings?: readonly Warning[];
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

/**
 * A copy of the list. Names tell servers apart in errors, and one server must not count twice.
 * @throws UsageError for anything but a list of distinct sources
 */
export function requireDistinct(given: readonly BlockSource[]): readonly BlockSource[] {
  if (!isList(given)) {
    throw badArgument('sources', 'a list of sources', given, 'write [toncenterV2({ baseUrl }), …]');
  }
  const sources: readonly BlockSource[] = ownList(given, 'sources', MAX_SOURCES); // holes too
  if (sources.length === 0) {
    throw new UsageError('usage/bad-option', 'expected at least one source', { path: 'sources' });
  }
  for (const [at, source] of sources.entries()) requireSource(source, `sources[${at}]`);
  const names = new Set<string>();
  for (const { name } of sources) {
    if (names.has(name)) {
      throw new UsageError('usage/bad-option', `${name} is given twice: one server must not count twice`, {
        path: 'sources',
      });
    }
    names.add(name);
  }
  return Object.freeze(sources);
}
