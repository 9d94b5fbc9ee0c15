/**
 * Verifies every new block of a chain for as long as the caller wants: without gaps or duplicates, and through restarts
 * of the server. Reports when it cannot keep up, or when there is nothing to keep up with. Its only state is its place.
 */

import { SourceError } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import { tell } from '../async/callbacks.ts';
import { sleep } from '../async/timer.ts';
import { type BlocksEvent, startBlocks, stepBlocks } from '../machine/follow-blocks.ts';
import { stallCode } from '../machine/stall.ts';
import { type BlockSource, requireSource } from '../sources/block-source.ts';
import { headOf } from '../sources/signed-answer.ts';
import { isSignedEnough } from '../sources/until-good.ts';
import { type FollowOptions, type FollowSettings, readFollowOptions } from './follow-options.ts';
import { createPatience } from './follow-retries.ts';
import { followWitnesses, type Reported } from './follow-witnesses.ts';
import { Voice } from './stall-reports.ts';
import { createBlockJudge } from './verify-followed-block.ts';

/** How often a block may fail to come before the head is looked at again: the block may not exist. */
const FAILURES_BEFORE_HEAD = 3;

/** Milliseconds. If a question would have to wait longer than this for its turn, it is not asked early. */
const MAX_PREFETCH_WAIT_MS = 1000;

/**
 * Asks for blocks before their turn, so that slow answers do not make a follower slow. @param depth questions at a time
 * @param waitMs returns how long a question would wait for its turn
 */
function createPrefetch<T>(ask: (seqno: number) => Promise<T>, depth: number, waitMs: () => number) {
  const asked = new Map<number, Promise<T>>();
  return {
    /** Asks for the blocks from `next`, up to `last`, as far as the depth allows. */
    fill(next: number, last: number): void {
      for (const seqno of asked.keys()) if (seqno < next || seqno >= next + depth) asked.delete(seqno);
      for (let seqno = next; seqno <= last && seqno < next + depth && waitMs() <= MAX_PREFETCH_WAIT_MS; seqno++) {
        if (asked.has(seqno)) continue;
        const answer = ask(seqno);
        answer.catch(() => {}); // the error is seen when the block's turn comes, which may be never
        asked.set(seqno, answer);
      }
    },
    /** Takes the early question for a block, once; `undefined` where there is none. */
    take(seqno: number): Promise<T> | undefined {
      const answer = asked.get(seqno);
      asked.delete(seqno);
      return answer;
    },
    /** Drops all early questions. */
    drop: () => asked.clear(),
  };
}

/**
 * Yields one report per block, in order of seqno. The iteration ends when the signal fires or the consumer leaves its
 * loop.
 * @param source a server, or several combined by `firstOf` or `quorumOf`
 * @param opts the validator set, and optionally the first block, witnesses, patience and observers
 * @returns an iteration over reports
 * @throws UsageError at once for options that cannot be used. While it runs:
 * - SourceError for a wrong key or a wrong request before the first answer, and for three rejections of the key in a
 *   row
 * - SourceError for other failures, or a chain that does not advance, after `maxOutageMs`
 * - ForkError where one of `others` shows a different block signed by the same set
 * - TrustError `trust/too-few-witnesses` where too few of `others` agree for `maxOutageMs`
 * - TrustError `trust/stale-start` where a set whose validators can have withdrawn their stakes signed two blocks of
 *   one number
 * - UsageError `usage/callback` for a callback that throws; ValidatorSetError from verification
 * @example
 * ```ts
 * import { parseValidatorSet } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * import { followBlocks, toncenterV2 } from 'ton-finality/servers';
 * const source = toncenterV2({ baseUrl: 'https://toncenter.com/api/v2' });
 * const validators = parseValidatorSet(simplexSample.validators);
 * for await (const { verdict, coverage } of followBlocks(source, { validators, from: 59379986, clock: () => 1775775496 })) {
 *   console.log(verdict.status, coverage.blockId.seqno); // final 59379986
 *   break;
 * }
 * ```
 */
export function followBlocks(source: BlockSource, opts: FollowOptions): AsyncGenerator<VerificationReport> {
  requireSource(source, 'source');
  return follow(source, readFollowOptions(opts));
}

async function* follow(source: BlockSource, opts: FollowSettings): AsyncGenerator<VerificationReport> {
  const { from, pollMs, lagAfter, sample, maxOutageMs, stallAfterMs } = opts;
  const maxStandMs = Math.max(maxOutageMs, stallAfterMs);
  let state = startBlocks({ from, pollMs, lagAfter, sample, maxStandMs });
  let isAnswered = false;
  let lastError: SourceError | undefined;
  const voice = new Voice({
    ...{ signal: opts.signal, onStall: opts.onStall, maxOutageMs, stallAfterMs },
    reason() {
      const { said } = state.seen;
      const last = (state.next ?? 1) - 1;
      const code = stallCode({ said, head: last, isAnswered, isClimbing: false, areFew: witnesses.areFew });
      return { code, head: last, said, ...present({ error: lastError }) };
    },
  });
  const { signal } = voice;
  const persist = createPatience(opts, voice, (error) => {
    lastError = error;
  });
  const judge = createBlockJudge(source, opts);
  const witnesses = followWitnesses(opts, signal, (error) => voice.fail(error));
  const prefetch = createPrefetch(
    (seqno) => source.signatures(seqno, { signal }),
    opts.prefetch,
    () => source.waitMs?.() ?? 0,
  );

  /** Returns the report, or the actual head where the block turns out to be beyond it. */
  async function reportOn(seqno: number): Promise<Reported | number> {
    let failures = 0;
    return await persist(async () => {
      try {
        const answer = await (prefetch.take(seqno) ?? source.signatures(seqno, { signal }));
        const reported = await judge.report(seqno, answer, signal);
        // The server may have given the next blocks too: each would be asked for again in its turn, one by one.
        if (reported.isOfAnother) prefetch.drop();
        return reported;
      } catch (error) {
        if (!(error instanceof SourceError) || signal.aborted || ++failures < FAILURES_BEFORE_HEAD) throw error;
        const head = await headOf(source, { signal }).catch((of: unknown) => {
          throw of instanceof SourceError ? error : of; // the failure of the block says more
        });
        if (head < seqno) return head;
        throw error;
      }
    });
  }

  async function forkAt(reported: Reported): Promise<SourceError | undefined> {
    return await persist(() => witnesses.forkAt(reported)).catch((error: unknown) => {
      throw witnesses.endOf(error);
    });
  }

  async function look(): Promise<BlocksEvent> {
    const said = await persist(async () => {
      const head = headOf(source, { signal });
      isAnswered = await head.then(
        () => true,
        () => false,
      );
      return await head;
    });
    return { kind: 'looked', said, nowMs: performance.now(), stuckMs: voice.stuckMs };
  }

  try {
    voice.listen();
    let event: BlocksEvent = { kind: 'begin' };
    for (;;) {
      const [after, actions] = stepBlocks(state, event);
      state = after;
      for (const action of actions) {
        if (action.kind === 'look') event = await look();
        else if (action.kind === 'alive') voice.proved();
        else if (action.kind === 'say') voice.say();
        else if (action.kind === 'lag') {
          const { kind: _, ...lag } = action;
          tell('onLag', opts.onLag, lag);
        } else if (action.kind === 'wait') {
          await sleep(action.ms, signal);
          event = { kind: 'waited', nowMs: performance.now() };
        } else if (action.kind === 'end') throw voice.outage();
        else {
          if (!sample) prefetch.fill(action.seqno, action.head);
          const reported = await reportOn(action.seqno);
          if (typeof reported === 'number') event = { kind: 'beyond', head: reported, nowMs: performance.now() };
          else {
            const { report } = reported;
            const fork = isSignedEnough(report) ? await forkAt(reported) : undefined;
            if (fork !== undefined) throw fork; // no other try helps
            voice.hush();
            let isLeft = true;
            try {
              yield report;
              isLeft = false;
            } finally {
              if (isLeft) await witnesses.settle();
              voice.requireNoFault();
            }
            voice.listen();
            event = { kind: 'taken', nowMs: performance.now() };
          }
        }
      }
    }
  } catch (error) {
    voice.requireNoFault();
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    voice.close();
    judge.close();
  }
}
