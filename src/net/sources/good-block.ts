/**
 * Asks several servers for one block until its signatures are valid. Bad signatures are reported only when every other
 * server that can be asked has nothing better.
 */
import { type FinalityError, SourceError } from '../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { limitUntil, withinOneDeadline } from '../async/timer.ts';
import type { AskOptions, BlockSource, SignedAnswer } from './block-source.ts';
import { hintFor } from './failure-hints.ts';
import { firstOf } from './first-of.ts';
import { quorumOf } from './quorum-of.ts';
import { askSigned } from './signed-answer.ts';
import { type Assessed, isBest, isOfServer, isSignedEnough, type Tried, untilGood } from './until-good.ts';

/** Which block to ask for, and how. */
export interface Search {
  readonly wanted: number | 'latest';
  /** How many servers have to name the same block. Default: the first server with a good block is enough. */
  readonly need?: number | undefined;
  /** Milliseconds for all servers together. Default: as long as they take, or a minute where several name heads. */
  readonly deadlineMs?: number | undefined;
  readonly signal?: Signal;
}

/** A value together with the answer that it was made from. */
export type Signed<T> = T & { readonly answer: SignedAnswer };

export interface Found<T> extends Tried<Signed<T>> {
  readonly errors: readonly FinalityError[];
}

/** Milliseconds that servers have to name their heads, once one of them has. */
const HEADS_MS = 3_000;
/** Milliseconds for servers that answer differently, so that they are not asked again. */
const GRACE_MS = 500;
/** Milliseconds for all heads together, because all of them but one may be made up. */
const ALL_HEADS_MS = 60_000;

/** Milliseconds after its limit that a source has to report its own reason for not answering. */
const SAY_WHY_MS = 250;

/** Returns the error for a block that servers name as the latest, but give no signatures of. */
function withoutSignatures(namers: readonly BlockSource[], seqno: number, cause: SourceError): SourceError {
  const names = namers.map(({ name }) => name);
  const { code, statements, hint } = cause;
  const verb = names.length === 1 ? 'names' : 'name';
  const message = `${names.join(', ')} ${verb} block ${seqno} as the latest, but no server gave its signatures: ${cause.message}`;
  // at least one server named it
  return new SourceError(code, message, { endpoint: names[0]!, statements, cause, hint });
}

/**
 * Returns the first good block; without one, all blocks that could be judged. The signatures of a latest block are
 * asked only of servers that name this block or a later one, the highest block first.
 * @param judge errors that it throws about a server concern that answer only
 * @throws UsageError; errors that are not about a server
 */
export async function goodBlock<T extends Pick<Assessed, 'report'>>(
  sources: readonly BlockSource[],
  { wanted, need, deadlineMs, signal }: Search,
  judge: (answer: SignedAnswer, limit: Pick<AskOptions, 'deadlineMs'>) => Promise<T>,
): Promise<Found<T>> {
  const errors: FinalityError[] = [];
  const judged: Signed<T>[] = [];
  const limitTo = (end: number) => present({ signal, ...limitUntil(end) });
  function requireOfServer(error: unknown): asserts error is FinalityError {
    if (!isOfServer(error) || signal?.aborted) throw error;
  }
  /** Limits the time of a question, because a source that the caller wrote may ignore the deadline. */
  async function within<T>(end: number, { name }: BlockSource, ask: (opts: AskOptions) => Promise<T>): Promise<T> {
    const limit = limitTo(end);
    const { deadlineMs: ms = Number.POSITIVE_INFINITY } = limit;
    try {
      const outer = { ...limit, deadlineMs: ms + SAY_WHY_MS };
      return await withinOneDeadline(name, outer, [], (stop) => ask({ ...limit, signal: stop }));
    } catch (error) {
      if (!(error instanceof SourceError) || error.hint !== undefined) throw error;
      const { code, message, statements, cause } = error;
      throw new SourceError(code, message, { endpoint: name, statements, cause, hint: hintFor(code) });
    }
  }
  const together = (list: readonly BlockSource[]) => {
    if (need !== undefined) return quorumOf(list, need, { graceMs: GRACE_MS });
    return list.length === 1 ? list[0]! : firstOf(list); // a single source needs no combination
  };

  async function tryBlock(
    source: BlockSource,
    seqno: number,
    end: number,
    inWords: (error: SourceError) => SourceError = (error) => error,
  ): Promise<Signed<T> | undefined> {
    const tried = await untilGood<SignedAnswer, Signed<T>>([], {
      judge: async (answer) => ({ ...(await judge(answer, limitTo(end))), answer }),
      isGood: ({ report }) => isBest(report),
      isRefusal: isOfServer,
      async another(refused) {
        const last = refused.at(-1);
        try {
          if (last === undefined) {
            const waitForBlock = wanted === 'latest';
            return await within(end, source, (limit) => askSigned(source, seqno, { waitForBlock, ...limit }));
          }
          return performance.now() < end ? await last.another?.(limitTo(end)) : undefined;
        } catch (error) {
          requireOfServer(error);
          errors.push(error instanceof SourceError ? inWords(error) : error);
          return undefined;
        }
      },
    });
    judged.push(...tried.judged);
    errors.push(...(tried.errors as FinalityError[])); // `isRefusal` lets only errors of this class in
    return tried.good;
  }

  /** Returns the blocks that servers name as the latest, the highest first, each with the servers that name it. */
  async function heads(end: number): Promise<readonly (readonly [number, readonly BlockSource[]])[]> {
    const soon = Math.min(end, performance.now() + HEADS_MS);
    const said = await Promise.all(
      sources.map(async (source) => {
        try {
          return [{ source, seqno: await within(soon, source, (limit) => source.latestSeqno(limit)) }];
        } catch (error) {
          requireOfServer(error);
          return [];
        }
      }),
    );
    const known = said.flat();
    const seqnos = [...new Set(known.map(({ seqno }) => seqno))].sort((a, b) => b - a);
    // A server that names a later block may have made it up, so the servers that name exactly this one come first.
    const namers = (head: number) => known.filter(({ seqno }) => seqno >= head).sort((a, b) => a.seqno - b.seqno);
    return seqnos.map((head) => [head, namers(head).map(({ source }) => source)]);
  }

  async function search(): Promise<Signed<T> | undefined> {
    const end = performance.now() + (deadlineMs ?? Number.POSITIVE_INFINITY);
    if (wanted !== 'latest') return await tryBlock(together(sources), wanted, end);
    const named = need === undefined && sources.length > 1 ? await heads(end) : [];
    if (named.length === 0) {
      const source = together(sources);
      const seqno = await within(end, source, (limit) => source.latestSeqno(limit));
      return await tryBlock(source, seqno, end, (error) => withoutSignatures(sources, seqno, error));
    }
    const last = Math.min(end, performance.now() + ALL_HEADS_MS);
    for (const [at, [seqno, namers]] of named.entries()) {
      const now = performance.now();
      if (now >= last) break;
      const left = named.length - at;
      const until = left === 1 ? end : now + Math.min(QUESTION_DEADLINE_MS, (last - now) / left);
      const good = await tryBlock(together(namers), seqno, until, (error) => withoutSignatures(namers, seqno, error));
      if (good !== undefined) return good;
    }
    return undefined;
  }

  const good = (await search()) ?? judged.find(({ report }) => isSignedEnough(report));
  return { good, judged, errors };
}
