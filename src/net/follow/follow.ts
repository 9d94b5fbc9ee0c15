/**
 * Every new block of a chain, verified, as long as the caller wants: no gap, no duplicate, through restarts of the
 * server. Says so when it cannot keep up, or when there is nothing to keep up with. Keeps nothing but its place.
 */

import { SourceError } from '../../base/errors.ts';
import { MAX_SEQNO } from '../../base/limits.ts';
import { present } from '../../base/present.ts';
import type { Signal } from '../../base/runtime-types.ts';
import { describeJson } from '../../decode/json-structure.ts';
import type { VerificationReport } from '../../verify/report.ts';
import { tell } from '../async/callbacks.ts';
import { createPrefetch } from '../async/prefetch.ts';
import { isFarBehind, type SeenHeads, sawHead, stallCode } from '../machine/stall.ts';
import { type BlockSource, requireSource, type SignedAnswer } from '../sources/block-source.ts';
import { isSigned } from '../sources/signed-enough.ts';
import { createBlockJudge } from './follow-judge.ts';
import { type FollowOptions, type FollowSettings, readFollowOptions } from './follow-options.ts';
import { createTrouble, Stopped } from './follow-trouble.ts';
import { FollowWitnesses, type Reported } from './follow-witnesses.ts';
import { Voice } from './voice.ts';

/** How often the head is looked at while catching up; each look costs a request that a block could have had. */
const HEAD_EVERY_MS = 5000;

/** Times a block is said not to be there before its head is looked at again. */
const NOT_READY_BEFORE_HEAD = 3;

/**
 * One report per block, in order of seqno. The iteration ends when the signal fires or the consumer leaves its loop.
 * @throws UsageError at once for options that cannot be used. While it runs: SourceError for a wrong key or a wrong request
 * before the first answer, for three refusals of the key in a row, for other trouble or a chain that stands after
 * `maxOutageMs`; ForkError where one of `others` shows another block signed by the same set, TrustError `trust/too-few-witnesses` where
 * too few of them agree for that long; UsageError `usage/callback` for a callback that throws; ValidatorSetError from verification
 */
export function followBlocks(source: BlockSource, opts: FollowOptions): AsyncGenerator<VerificationReport> {
  requireSource(source, 'source');
  return follow(source, readFollowOptions(opts));
}

/** The newest block of a source. @throws SourceError also for what is no seqno */
async function askHead(source: BlockSource, signal: Signal): Promise<number> {
  const head = await source.latestSeqno({ signal });
  if (Number.isInteger(head) && head >= 0 && head <= MAX_SEQNO) return head;
  throw new SourceError('source/malformed', `${source.name}: expected a seqno as its head, got ${describeJson(head)}`, {
    endpoint: source.name,
  });
}

async function* follow(source: BlockSource, opts: FollowSettings): AsyncGenerator<VerificationReport> {
  const { pollMs, lagAfter } = opts;
  let heads: SeenHeads = { said: 0, head: 0, highest: 0 };
  let next = opts.from ?? 0;
  let isAnswered = false;
  let lastError: SourceError | undefined;
  const voice = new Voice({
    ...opts,
    signal: opts.signal,
    onStall: opts.onStall,
    reason() {
      const { said, head } = heads;
      const code = stallCode({ said, head: next - 1, isAnswered, isClimbing: false, areFew: witnesses.areFew });
      return { code, head: Math.max(head, next - 1), said, ...present({ error: lastError }) };
    },
  });
  const { signal } = voice;
  const { persist, pause } = createTrouble(opts, voice, (error) => {
    lastError = error;
  });
  const judge = createBlockJudge(source, opts);
  const witnesses = new FollowWitnesses(opts, signal);
  const prefetch = createPrefetch(
    (seqno) => source.signatures(seqno, { signal }),
    opts.prefetch,
    () => source.waitMs?.() ?? 0,
  );

  /** The report, or the head as it really is where that block turns out to be beyond it. */
  async function reportOn(seqno: number, isHead: boolean): Promise<Reported | number> {
    let notReady = 0;
    let tries = 0;
    return await persist(async () => {
      let answer: SignedAnswer;
      try {
        answer = await (prefetch.take(seqno) ?? source.signatures(seqno, { signal }));
      } catch (error) {
        if (!(error instanceof SourceError) || error.code !== 'source/not-ready') throw error;
        if (++notReady < NOT_READY_BEFORE_HEAD) throw error;
        const head = await askHead(source, signal);
        if (head < seqno) return head;
        throw error;
      }
      return await judge.report({ seqno, isHead, tries: tries++ }, answer, signal);
    });
  }

  let headAt = 0;
  /** A restarted server may be behind itself: what was seen was there. */
  async function look(): Promise<void> {
    const said = await persist(async () => {
      const head = askHead(source, signal);
      isAnswered = await head.then(
        () => true,
        () => false,
      );
      return await head;
    });
    const { seen, moved, wentBack } = sawHead(heads, said);
    heads = seen;
    headAt = performance.now();
    if (moved && said < next) voice.proved(); // no block is due yet
    if (wentBack) voice.say();
  }

  try {
    voice.listen();
    await look();
    if (opts.from === undefined) next = heads.head;
    else if (isFarBehind(heads.head, next - 1)) voice.say();
    let lowest = opts.from ?? 1; // no block before this one may be reported
    for (;;) {
      if (next > heads.head || performance.now() - headAt > HEAD_EVERY_MS) await look();
      const { head } = heads;
      if (next > head) {
        voice.requirePatience();
        await pause(pollMs);
        continue;
      }
      const behind = head - next + 1;
      if (behind >= lagAfter) {
        const skipped = opts.sample ? head - next : 0;
        tell('onLag', opts.onLag, { next: next + skipped, head, behind, skipped });
        next += skipped;
      }
      if (!opts.sample) prefetch.fill(next, head);
      const reported = await reportOn(next, next === head);
      if (typeof reported === 'number') {
        // The head had been far too high. What it made this run leave out, or start at, is taken back.
        heads = { ...heads, said: reported, head: reported };
        headAt = performance.now();
        next = Math.max(lowest, reported);
        continue;
      }
      const { report } = reported;
      if (isSigned(report)) {
        const fork = await persist(() => witnesses.forkAt(reported)).catch((error: unknown) => {
          throw witnesses.endOf(error);
        });
        if (fork !== undefined) throw fork; // no other try mends it
      }
      voice.hush();
      yield report;
      next++;
      voice.listen();
      lowest = next;
      if (opts.sample && behind >= lagAfter) headAt = Number.NEGATIVE_INFINITY; // a sample is of the head as it is now
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    voice.requireNoFault();
  } finally {
    voice.close();
    judge.close();
  }
}
