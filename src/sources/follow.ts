/**
 * Every new block of a chain, verified, as long as the caller wants: no gap, no duplicate, through restarts of the
 * server. Says so when it cannot keep up. Keeps nothing but its place.
 */

import { DecodeError, SourceError, type SourceErrorCode } from '../base/errors.ts';
import { MAX_SEQNO, RETRY_BASE_MS, RETRY_CAP_MS } from '../base/limits.ts';
import { describeJson } from '../decode/json-structure.ts';
import { parseOrNothing } from '../decode/json-text.ts';
import { parseSignatureSet, type SignatureSet } from '../decode/signature-set.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { VerificationReport } from '../verify/report.ts';
import { createVerifier, type Verifier } from '../verify/verifier.ts';
import { bodyOf } from './answer-body.ts';
import { giverOf } from './answer-giver.ts';
import { type BlockSource, requireSource } from './block-source.ts';
import { type FollowOptions, type FollowSettings, readFollowOptions } from './follow-options.ts';
import { type KnownBlocks, knownBlocks } from './known-blocks.ts';
import { sleep } from './timer.ts';

/** How often the head is looked at while catching up; each look costs a request that a block could have had. */
const HEAD_EVERY_MS = 5000;

/** Not worth another try with the same server: only the user can change them. */
const FATAL: ReadonlySet<SourceErrorCode> = new Set([
  'source/auth',
  'source/bad-request',
  'source/wrong-network',
  'source/too-large',
]);

/** Times a block is said not to be there before its head is looked at again. */
const NOT_READY_BEFORE_HEAD = 3;

class Stopped extends Error {}

/** What a run has learned about its source so far. */
interface Progress {
  hasAnswered: boolean;
}

/** A 404 in words of its own, no JSON, is what a gateway says while its server restarts; so may one server of several. */
function isGateway404({ status, body, statements }: SourceError): boolean {
  if (status === 404) return parseOrNothing(new TextDecoder().decode(body)) === undefined;
  return statements.some(({ error }) => error instanceof SourceError && isGateway404(error));
}

/** Whether another try is of no use. Before the first answer a gateway's 404 says that the base URL is wrong. */
function isFatal(error: SourceError, progress: Progress): boolean {
  return FATAL.has(error.code) && !(progress.hasAnswered && isGateway404(error));
}

/**
 * One report per block, in order of seqno. The iteration ends when the signal fires or the consumer leaves its loop.
 * @throws SourceError for a wrong key or a wrong request at once, for other trouble after `maxOutageMs`;
 * ValidatorSetError and UsageError from verification
 */
export function followBlocks(source: BlockSource, opts: FollowOptions): AsyncGenerator<VerificationReport> {
  requireSource(source, 'source');
  return follow(source, readFollowOptions(opts));
}

async function* follow(source: BlockSource, opts: FollowSettings): AsyncGenerator<VerificationReport> {
  const { pollMs, lagAfter } = opts;
  const verifiers = verifierCache(opts);
  const progress: Progress = { hasAnswered: false };
  const known = knownBlocks();
  const look = () => persist(opts, progress, (signal) => askHead(source, signal));
  try {
    let head = await look();
    let headAt = performance.now();
    let next = opts.from ?? head;
    let lowest = opts.from ?? 1; // no block before this one may be reported
    for (;;) {
      if (next > head || performance.now() - headAt > HEAD_EVERY_MS) {
        const newest = await look();
        // A restarted server may be behind itself: what was seen was there.
        head = Math.max(head, newest);
        headAt = performance.now();
      }
      if (next > head) {
        await pause(pollMs, opts.signal);
        continue;
      }
      const behind = head - next + 1;
      if (behind >= lagAfter) {
        const skipped = opts.sample ? head - next : 0;
        opts.onLag?.({ next: next + skipped, head, behind, skipped });
        next += skipped;
      }
      const report = await reportOn(source, next, next === head, opts, verifiers, progress, known);
      if (typeof report === 'number') {
        // The head had been far too high. What it made this run leave out, or start at, is taken back.
        head = report;
        headAt = performance.now();
        next = Math.max(lowest, head);
        continue;
      }
      yield report;
      next++;
      lowest = next;
      if (opts.sample && behind >= lagAfter) headAt = Number.NEGATIVE_INFINITY; // a sample is of the head as it is now
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    verifiers.close();
  }
}

/** The report, or the head as it really is where that block turns out to be beyond it. */
async function reportOn(
  source: BlockSource,
  seqno: number,
  isHead: boolean,
  opts: FollowSettings,
  verifiers: VerifierCache,
  progress: Progress,
  known: KnownBlocks,
): Promise<VerificationReport | number> {
  let notReady = 0;
  return await persist(opts, progress, async (signal) => {
    let answers: readonly unknown[];
    try {
      answers =
        source.agreedSignatures === undefined
          ? [await source.signatures(seqno, { signal })]
          : await source.agreedSignatures(seqno, { signal });
    } catch (error) {
      if (!(error instanceof SourceError) || error.code !== 'source/not-ready') throw error;
      if (++notReady < NOT_READY_BEFORE_HEAD) throw error;
      const head = await askHead(source, signal);
      if (head < seqno) return head;
      throw error;
    }
    let best: { readonly report: VerificationReport; readonly said: string } | undefined;
    for (const answer of answers) {
      const said = giverOf(answer, source.name);
      const set = readAnswer(answer, seqno, said);
      known.requireNew(set.blockId, said, bodyOf(answer));
      // Callbacks get a set of their own: what they do to it changes nothing of what is verified.
      const evidence = await opts.evidenceOf?.(readAnswer(answer, seqno, said), { signal });
      const verifier = await verifiers.of(() => readAnswer(answer, seqno, said));
      const clock = isHead ? { nowSeconds: opts.now() } : {};
      const report = verifier.verify(set, { ...opts.policy, evidence: { ...evidence, ...clock } });
      // Servers agree on the block, not on the list: one good list is enough, and the first stands for the bad ones.
      if (best === undefined || report.verdict.status === 'final') best = { report, said };
      if (report.verdict.status === 'final') break;
    }
    if (best === undefined) throw new SourceError('source/malformed', `${source.name}: no answer about ${seqno}`);
    if (isSigned(best.report)) known.note(best.report.coverage.blockId, best.said);
    return best.report;
  });
}

/** The newest block of a source. @throws SourceError also for what is no seqno */
async function askHead(source: BlockSource, signal: AbortSignal): Promise<number> {
  const head = await source.latestSeqno({ signal });
  if (Number.isInteger(head) && head >= 0 && head <= MAX_SEQNO) return head;
  throw new SourceError('source/malformed', `${source.name}: expected a seqno as its head, got ${describeJson(head)}`, {
    endpoint: source.name,
  });
}

/** @throws SourceError for an answer that cannot be read or is about another block, attributed to who gave it */
function readAnswer(answer: unknown, seqno: number, said: string): SignatureSet {
  const options = { endpoint: said, body: bodyOf(answer) };
  let set: SignatureSet;
  try {
    set = parseSignatureSet(answer);
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    const what = `${said}: an answer that cannot be read: ${cause.message}`;
    throw new SourceError('source/malformed', what, { ...options, cause });
  }
  if (set.blockId.seqno === seqno) return set;
  const what = `${said}: asked for block ${seqno}, got block ${set.blockId.seqno}`;
  throw new SourceError('source/wrong-block', what, options);
}

/** Whether enough of the set signed these hashes, whatever else may be in doubt. */
function isSigned({ verdict }: VerificationReport): boolean {
  if (verdict.status === 'undecided') return !['wrong-validator-set', 'no-known-signer'].includes(verdict.reason);
  return verdict.status === 'final';
}

interface VerifierCache {
  /** @param shown the set for who is asked for its validators */
  of(shown: () => SignatureSet): Promise<Verifier>;
  close(): void;
}

function verifierCache(opts: FollowSettings): VerifierCache {
  let current: { readonly validators: ValidatorSet; readonly verifier: Verifier } | undefined;
  return {
    async of(shown) {
      const validators = typeof opts.validators === 'function' ? await opts.validators(shown()) : opts.validators;
      if (current?.validators !== validators) {
        current?.verifier.close();
        current = undefined;
        const engine = opts.engine === undefined ? {} : { engine: opts.engine };
        current = { validators, verifier: await createVerifier(validators, engine) };
      }
      return current.verifier;
    },
    close() {
      current?.verifier.close();
    },
  };
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch {
    throw new Stopped();
  }
}

/** Tries until it works, the caller stops, or the trouble has lasted too long. */
async function persist<T>(
  opts: FollowSettings,
  progress: Progress,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { maxOutageMs } = opts;
  const signal = opts.signal ?? new AbortController().signal;
  const start = performance.now();
  for (let tries = 0; ; tries++) {
    if (signal.aborted) throw new Stopped();
    try {
      const value = await work(signal);
      progress.hasAnswered = true;
      return value;
    } catch (error) {
      if (signal.aborted) throw new Stopped();
      if (!(error instanceof SourceError) || isFatal(error, progress)) throw error;
      if (performance.now() - start > maxOutageMs) throw error;
      opts.onTrouble?.(error);
    }
    await pause(Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** tries) * (0.5 + Math.random() / 2), signal);
  }
}
