/**
 * Every new block of a chain, verified, as long as the caller wants: no gap, no duplicate, through restarts of the
 * server. Says so when it cannot keep up. Keeps nothing but its place.
 */

import { SourceError, type SourceErrorCode, UsageError } from '../base/errors.ts';
import { MAX_SEQNO, RETRY_BASE_MS, RETRY_CAP_MS } from '../base/limits.ts';
import { parseOrNothing } from '../decode/json-text.ts';
import { parseSignatureSet, type SignatureSet } from '../decode/signature-set.ts';
import type { Ed25519Engine } from '../ed25519/engine.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import { pickPolicy } from '../verify/policy.ts';
import type { Evidence, Policy, VerificationReport } from '../verify/report.ts';
import { createVerifier, type Verifier } from '../verify/verifier.ts';
import type { BlockSource } from './block-source.ts';
import { sleep } from './timer.ts';

/** How far behind the chain's head the next report is. */
export interface FollowLag {
  /** Seqno of the next block to be reported. */
  readonly next: number;
  /** Seqno of the newest block the source knows. */
  readonly head: number;
  /** Blocks that are there and not reported yet. */
  readonly behind: number;
  /** Blocks left out just now; 0 unless sampling. */
  readonly skipped: number;
}

export interface FollowOptions extends Policy {
  /** The set, or who knows the set of each block: it is asked anew for every block, and may answer with the same object. */
  readonly validators: ValidatorSet | ((set: SignatureSet) => ValidatorSet | Promise<ValidatorSet>);
  /** First seqno. Default: the head at the start. */
  readonly from?: number;
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal;
  readonly engine?: Ed25519Engine;
  /** What else is known of a block, such as its header: see `crossCheck`. A SourceError here counts as trouble: the block is tried again. */
  readonly evidenceOf?: (set: SignatureSet, opts: { readonly signal?: AbortSignal }) => Promise<Evidence>;
  /** Milliseconds between looks at the head when there is nothing new. Default 400, the chain's own pace. */
  readonly pollMs?: number;
  /** Blocks behind the head from which on the lag is told. Default 10. */
  readonly lagAfter?: number;
  /** Default false: every block, ever later. true: when behind by `lagAfter`, go on at the head and leave the rest out. */
  readonly sample?: boolean;
  readonly onLag?: (lag: FollowLag) => void;
  /** Sees every failure that is tried again. */
  readonly onTrouble?: (error: SourceError) => void;
  /** Milliseconds of trouble without an answer after which its last error is thrown. Default 10 minutes. */
  readonly maxOutageMs?: number;
}

const DEFAULT_POLL_MS = 400;
const DEFAULT_LAG_AFTER = 10;
const DEFAULT_MAX_OUTAGE_MS = 10 * 60 * 1000;
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
export async function* followBlocks(source: BlockSource, opts: FollowOptions): AsyncGenerator<VerificationReport> {
  const { pollMs = DEFAULT_POLL_MS, lagAfter = DEFAULT_LAG_AFTER } = opts;
  if (opts.from !== undefined && !(Number.isInteger(opts.from) && opts.from > 0 && opts.from <= MAX_SEQNO)) {
    throw new UsageError('usage/bad-option', `expected 1 to ${MAX_SEQNO}, got ${opts.from}`, { path: 'from' });
  }
  const verifiers = verifierCache(opts);
  const progress: Progress = { hasAnswered: false };
  try {
    let head = await persist(opts, progress, (signal) => source.latestSeqno({ signal }));
    let headAt = performance.now();
    let next = opts.from ?? head;
    let lowest = opts.from ?? 1; // no block before this one may be reported
    for (;;) {
      if (next > head || performance.now() - headAt > HEAD_EVERY_MS) {
        const newest = await persist(opts, progress, (signal) => source.latestSeqno({ signal }));
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
        const skipped = opts.sample === true ? head - next : 0;
        opts.onLag?.({ next: next + skipped, head, behind, skipped });
        next += skipped;
      }
      const report = await reportOn(source, next, opts, verifiers, progress);
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
      if (opts.sample === true && behind >= lagAfter) headAt = Number.NEGATIVE_INFINITY; // a sample is of the head as it is now
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
  opts: FollowOptions,
  verifiers: VerifierCache,
  progress: Progress,
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
      const head = await source.latestSeqno({ signal });
      if (head < seqno) return head;
      throw error;
    }
    let report: VerificationReport | undefined;
    for (const answer of answers) {
      const set = parseSignatureSet(answer);
      const evidence = await opts.evidenceOf?.(set, { signal });
      const verifier = await verifiers.of(set);
      const next = verifier.verify(set, { ...pickPolicy(opts), ...(evidence === undefined ? {} : { evidence }) });
      // Servers agree on the block, not on the list: one good list is enough, and the first stands for the bad ones.
      if (report === undefined || next.verdict.status === 'final') report = next;
      if (report.verdict.status === 'final') break;
    }
    if (report === undefined) throw new SourceError('source/malformed', `${source.name}: no answer about ${seqno}`);
    return report;
  });
}

interface VerifierCache {
  of(set: SignatureSet): Promise<Verifier>;
  close(): void;
}

function verifierCache(opts: FollowOptions): VerifierCache {
  let current: { readonly validators: ValidatorSet; readonly verifier: Verifier } | undefined;
  return {
    async of(set) {
      const validators = typeof opts.validators === 'function' ? await opts.validators(set) : opts.validators;
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
  opts: FollowOptions,
  progress: Progress,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { maxOutageMs = DEFAULT_MAX_OUTAGE_MS } = opts;
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
