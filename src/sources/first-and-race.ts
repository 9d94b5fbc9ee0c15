/** Several servers for availability only: in order, or staggered with the fastest winning. Nobody is cross-checked. */
import { SourceError, type SourceStatement } from '../base/errors.ts';
import { DEFAULT_DEADLINE_MS } from '../base/limits.ts';
import { noAgreement, requireDistinct } from './attribution.ts';
import type { AskOptions, BlockSource } from './block-source.ts';
import { withinOneDeadline } from './shared-deadline.ts';
import { sleep } from './timer.ts';

type Ask<T> = (source: BlockSource, opts: AskOptions) => Promise<T>;
type Combine = <T>(opts: AskOptions, heard: SourceStatement[], one: Ask<T>) => Promise<T>;

const WAIT_STEP_MS = 1000;
const DEFAULT_STAGGER_MS = 300;

function namesOf(sources: readonly BlockSource[]): string {
  return sources.map(({ name }) => name).join(', ');
}

function isNotReady(error: unknown): boolean {
  return error instanceof SourceError && error.code === 'source/not-ready';
}

/** The wait for a block is done here, in rounds over all servers, and not on one of them. */
async function inRounds<T>(name: string, opts: AskOptions, combine: Combine, one: Ask<T>): Promise<T> {
  const start = performance.now();
  const leftMs = (limitMs: number) => Math.max(1, limitMs - (performance.now() - start));
  for (;;) {
    const heard: SourceStatement[] = [];
    const limit = opts.deadlineMs === undefined ? {} : { deadlineMs: leftMs(opts.deadlineMs) };
    const caller = opts.signal === undefined ? {} : { signal: opts.signal };
    try {
      return await withinOneDeadline(name, { ...caller, ...limit }, heard, (signal) =>
        combine({ ...limit, signal }, heard, one),
      );
    } catch (error) {
      const leftForWait = leftMs(opts.deadlineMs ?? DEFAULT_DEADLINE_MS);
      if (opts.waitForBlock !== true || !isNotReady(error) || leftForWait <= WAIT_STEP_MS) throw error;
      await withinOneDeadline(name, caller, heard, (signal) => sleep(WAIT_STEP_MS, signal));
    }
  }
}

function combined(name: string, combine: Combine): BlockSource {
  return Object.freeze({
    name,
    latestSeqno: (opts: AskOptions = {}) => inRounds(name, opts, combine, (source, one) => source.latestSeqno(one)),
    signatures: (seqno: number, opts: AskOptions = {}) =>
      inRounds(name, opts, combine, (source, one) => source.signatures(seqno, one)),
  });
}

/** Asks the sources in order, the next one when one fails. @throws UsageError for no source or one given twice */
export function firstOf(sources: readonly BlockSource[]): BlockSource {
  requireDistinct(sources);
  const list = [...sources];
  return combined(`first of (${namesOf(list)})`, async (opts, heard, one) => {
    for (const source of list) {
      try {
        return await one(source, opts);
      } catch (error) {
        if (!(error instanceof SourceError) || opts.signal?.aborted) throw error;
        heard.push({ source: source.name, error });
      }
    }
    throw noAgreement(`none of ${list.length} servers gave an answer`, heard);
  });
}

/**
 * Asks the first source, and one more every `staggerMs` or as soon as one fails; the first answer wins and the others are
 * stopped. @throws UsageError for no source or one given twice
 */
export function raceOf(sources: readonly BlockSource[], opts: { readonly staggerMs?: number } = {}): BlockSource {
  requireDistinct(sources);
  const list = [...sources];
  const { staggerMs = DEFAULT_STAGGER_MS } = opts;
  return combined(`race of (${namesOf(list)})`, (round, heard, one) => race(list, staggerMs, round, heard, one));
}

function race<T>(
  sources: readonly BlockSource[],
  staggerMs: number,
  opts: AskOptions,
  heard: SourceStatement[],
  one: Ask<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let started = 0;
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const startNext = () => {
      clearTimeout(timeout);
      const source = sources[started];
      if (source === undefined || opts.signal?.aborted) return;
      started++;
      if (started < sources.length) timeout = setTimeout(startNext, staggerMs);
      one(source, opts).then(
        (answer) => {
          clearTimeout(timeout);
          resolve(answer);
        },
        (error: unknown) => {
          heard.push({ source: source.name, error });
          if (error instanceof SourceError && heard.length < sources.length) return startNext();
          clearTimeout(timeout);
          reject(
            error instanceof SourceError
              ? noAgreement(`none of ${sources.length} servers gave an answer`, heard)
              : error,
          );
        },
      );
    };
    opts.signal?.addEventListener('abort', () => clearTimeout(timeout), { once: true });
    startNext();
  });
}
