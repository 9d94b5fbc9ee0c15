/** Defines a source of blocks, and the options of a question to a source. */

import { badArgument, badOption, isList, isObject } from '../../core/base/arguments.ts';
import { MAX_SOURCES } from '../../core/base/limits.ts';
import { abortSignal, flag, number, type Read } from '../../core/base/options.ts';
import { ownList } from '../../core/base/own-bytes.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { SignatureList } from '../../core/block/signature-list.ts';
import type { Warning } from '../../core/verify/report.ts';

/** Options of one question. */
export interface AskOptions {
  /** Stops the question, its waiting and its open connection at once; the error is then `source/aborted`. */
  readonly signal?: Signal;
  /** Milliseconds for the question with all its attempts. Default: that of the source. */
  readonly deadlineMs?: number;
  /** If true, asks again about every second until the deadline, while the block is not ready. Default false. */
  readonly waitForBlock?: boolean;
}

/** The signatures of one block, as one server sent them. */
export interface SignedAnswer {
  /**
   * The list, unverified. The source has checked that it names the block asked for; for simplex, that the candidate
   * does too.
   */
  readonly signatures: SignatureList;
  /** The label of the server that gave the signatures, without keys. */
  readonly source: string;
  /** The answer as it was received, with keys struck out; absent where the source has no bytes of it. */
  readonly body?: Uint8Array | undefined;
  /**
   * Asks for the same block's signatures again, when these turn out to be invalid, from a server that gave none of the
   * answers so far.
   * Resolves to `undefined` when no server is left; absent where there is only one server. @throws SourceError
   */
  readonly another?: ((opts?: AskOptions) => Promise<SignedAnswer | undefined>) | undefined;
  /**
   * Reports that these signatures were invalid and another server's were valid: this server is then asked last for a
   * while.
   */
  readonly blame?: (() => void) | undefined;
}

/** A server, or several combined, that gives the newest block and the signatures of blocks. */
export interface BlockSource {
  /** The label shown in errors, without keys. */
  readonly name: string;
  /** Returns the seqno of the newest masterchain block that the source knows. @throws SourceError */
  latestSeqno(opts?: AskOptions): Promise<number>;
  /** Returns the signatures of this masterchain block, unverified. @throws SourceError */
  signatures(seqno: number, opts?: AskOptions): Promise<SignedAnswer>;
  /**
   * Returns the milliseconds until a question asked now would be sent, where the source knows: it may be paced or
   * resting.
   */
  waitMs?(): number;
  /** Warnings that concern the source as a whole, such as `split-quorum`. */
  readonly warnings?: readonly Warning[];
}

/** Readers of the options of a question. */
export const ASK_OPTIONS: { readonly [K in keyof AskOptions]-?: Read<AskOptions[K] | undefined> } =
  /* @__PURE__ */ Object.freeze({
    signal: abortSignal,
    deadlineMs: /* @__PURE__ */ number(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
    waitForBlock: /* @__PURE__ */ flag(),
  });

/**
 * Checks that a value has the members of a source. @throws UsageError for anything else, such as the URL of a server
 */
export function requireSource(source: unknown, path: string): void {
  const { name, latestSeqno, signatures }: Partial<Record<keyof BlockSource, unknown>> = isObject(source) ? source : {};
  const isSource = typeof name === 'string' && typeof latestSeqno === 'function' && typeof signatures === 'function';
  if (isSource) return;
  const hint = 'toncenterV2({ baseUrl }) makes a source of a URL';
  throw badArgument(path, 'a source of blocks', source, hint);
}

/**
 * Checks a list of sources, and returns a copy. Names must differ, because one server must not count twice.
 * @throws UsageError for anything but a list of distinct sources
 */
export function requireDistinct(given: readonly BlockSource[]): readonly BlockSource[] {
  if (!isList(given)) {
    throw badArgument('sources', 'a list of sources', given, 'write [toncenterV2({ baseUrl }), …]');
  }
  const sources: readonly BlockSource[] = ownList(given, 'sources', MAX_SOURCES); // rejects holes too
  if (sources.length === 0) {
    throw badOption('expected at least one source', 'sources');
  }
  for (const [at, source] of sources.entries()) requireSource(source, `sources[${at}]`);
  const names = new Set<string>();
  for (const { name } of sources) {
    if (names.has(name)) {
      throw badOption(`${name} is given twice: one server must not count twice`, 'sources');
    }
    names.add(name);
  }
  return Object.freeze(sources);
}
