/**
 * Fetches blocks from servers over HTTP. Such servers prove nothing. Their headers are used only against a set: to see
 * where another set takes over.
 */

import { SourceError } from '../../core/base/errors.ts';
import { readOptions, requireType, whole } from '../../core/base/options.ts';
import { ownList } from '../../core/base/own-bytes.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { BlockHeaderFacts } from '../../core/verify/report.ts';
import { sleepUnlessStopped, startTimer, withinOneDeadline } from '../../net/async/timer.ts';
import { type AskOptions, type BlockSource, requireSource, type SignedAnswer } from '../../net/sources/block-source.ts';
import { readSigned } from '../../net/sources/signed-answer.ts';
import type { AuditRange, AuditSource, FetchedBlock } from './audit-source.ts';

/** Fetches a block's header as a server claims it, such as `ToncenterV2.header`. */
export type AskHeader = (seqno: number, opts?: AskOptions) => Promise<{ readonly prevKeyBlockSeqno: number }>;

/** Options of an audit over HTTP. */
export interface AuditServerOptions {
  /**
   * Fetches a few headers to see where one validator set ends: about log2(n) for each end in a range of n blocks. With
   * a function for each server, a claim counts against a set only if no other server claims that the set is right. Default:
   * none, and blocks of another set can be `rejected`.
   */
  readonly header?: AskHeader | readonly AskHeader[];
  /** Questions at a time, in addition to the source's own pace. Default 8. */
  readonly ahead?: number;
}

const MAX_AHEAD = 1024;
/** Blocks whose headers are tried if one header cannot be fetched. */
const MAX_NEIGHBOURS = 8;

/**
 * Most ends of sets in one range. Six years of the masterchain have about 10,000; a server that names more makes them
 * up.
 */
const MAX_EPOCHS = 32_768;
/** Ends of sets in a range of n blocks, n / `BLOCKS_A_FEW` and `FEW_EPOCHS`, beyond which another server is asked first. */
const FEW_EPOCHS = 16;
const BLOCKS_A_FEW = 64;

/** Milliseconds after which the next server is asked for its headers as well: one may be slow without end. */
const NEXT_SERVER_MS = 10_000;
/** Time for the headers of one more server: so many milliseconds, and so many times what the first server took. */
const MORE_MS = 30_000;
const TIMES_FIRST = 4;

/** Blocks under one key block, up to and including `to`. */
interface Epoch {
  readonly to: number;
  readonly keyBlock: number;
}

/** The key block that a server says rules a block, and whether the header of the block says so, and not that of a neighbour. */
type KeyBlockClaim = Awaited<ReturnType<typeof keyBlockNear>>;

function madeUp(message: string): SourceError {
  return new SourceError('source/wrong-block', message, {
    hint: 'ask another server, or audit a shorter range into a new ledger',
  });
}

/**
 * Asks for the key block that a server says rules a block, or a neighbour if the header of the block cannot be fetched.
 */
async function keyBlockNear(seqno: number, { first, to }: AuditRange, ask: AskHeader, signal: Signal) {
  const near = Array.from({ length: MAX_NEIGHBOURS }, (_, n) => n);
  const places = [...near.map((n) => seqno + n), ...near.map((n) => seqno - n - 1)];
  let failure: unknown;
  for (const at of places.filter((place) => place >= first && place <= to)) {
    let keyBlock: number;
    try {
      keyBlock = (await ask(at, { signal })).prevKeyBlockSeqno;
    } catch (error) {
      if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
      failure ??= error;
      continue;
    }
    if (keyBlock >= at) throw madeUp(`the header of block ${at} names key block ${keyBlock} as an earlier one`);
    return { keyBlock, isOwn: at === seqno };
  }
  throw failure;
}

/** Checks that a later block does not have an earlier key block. @throws SourceError `source/wrong-block` */
function requireInOrder(earlier: KeyBlockClaim, later: KeyBlockClaim, seqno: number): void {
  if (later.keyBlock >= earlier.keyBlock || !earlier.isOwn || !later.isOwn) return;
  throw madeUp(`headers up to block ${seqno} name key block ${later.keyBlock} after key block ${earlier.keyBlock}`);
}

/**
 * Finds where key blocks divide the range, by bisection.
 * @param most ends of sets that are plausible
 * @returns `undefined` if the headers name more
 * @throws SourceError for headers that cannot be fetched, or contradict each other
 */
async function epochsOf(range: AuditRange, ask: AskHeader, most: number, signal: Signal) {
  const { first, to } = range;
  const keyBlockAt = (seqno: number) => keyBlockNear(seqno, range, ask, signal);
  const epochs: Epoch[] = [];
  const look = async (from: number, low: KeyBlockClaim, last: number, high: KeyBlockClaim): Promise<void> => {
    requireInOrder(low, high, last);
    if (low.keyBlock === high.keyBlock || epochs.length > most) return;
    if (last - from <= 1) {
      epochs.push({ to: from, keyBlock: low.keyBlock });
      return;
    }
    const middle = (from + last) >>> 1;
    const between = await keyBlockAt(middle);
    await look(from, low, middle, between);
    await look(middle, between, last, high);
  };
  const [low, high] = [await keyBlockAt(first), await keyBlockAt(to)];
  await look(first, low, to, high);
  if (epochs.length > most) return undefined;
  return [...epochs, { to, keyBlock: high.keyBlock }];
}

/** Returns the key block that a server says rules a block. */
type ClaimAt = (seqno: number) => BlockHeaderFacts | undefined;

function claimsOf(epochs: readonly Epoch[]): ClaimAt {
  let at = 0; // blocks are asked for nearly in order
  return (seqno) => {
    while (at > 0 && seqno <= epochs[at - 1]!.to) at -= 1;
    while (at < epochs.length && seqno > epochs[at]!.to) at += 1;
    const epoch = epochs[at];
    return epoch && { source: 'claimed', prevKeyBlockSeqno: epoch.keyBlock };
  };
}

type BlockClaim = Pick<FetchedBlock, 'claimed' | 'anotherClaim'>;

/** The claims of one server. */
interface Claims {
  readonly ask: AskHeader;
  readonly claimAt: ClaimAt;
  /** Milliseconds that its headers took. */
  readonly tookMs: number;
}

/**
 * Asks a server for its claims.
 * @param most ends of sets that are plausible
 * @param failures filled with the error if the server fails
 * @returns `undefined` if the server fails, or makes implausible ones
 */
async function claimsFrom(
  range: AuditRange,
  ask: AskHeader,
  most: number,
  failures: SourceError[],
  limits: { readonly signal: Signal; readonly deadlineMs?: number },
): Promise<ClaimAt | undefined> {
  try {
    const epochs = await withinOneDeadline('headers', limits, [], (signal) => epochsOf(range, ask, most, signal));
    return epochs && claimsOf(epochs);
  } catch (error) {
    if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
    failures.push(error);
    return undefined;
  }
}

/**
 * Asks one server after the other for claims. The next one is asked as well if a server takes long.
 * @param most ends of sets that are plausible
 * @param failures filled with the errors of servers
 * @returns the first plausible claims
 */
async function firstClaims(
  range: AuditRange,
  headers: readonly AskHeader[],
  most: number,
  failures: SourceError[],
  signal: Signal,
): Promise<Claims | undefined> {
  const timer = startTimer(Number.POSITIVE_INFINITY, signal);
  const open = new Map<AskHeader, Promise<Claims | undefined>>();
  async function timed(ask: AskHeader): Promise<Claims | undefined> {
    const startMs = performance.now();
    const claimAt = await claimsFrom(range, ask, most, failures, timer).finally(() => open.delete(ask));
    return claimAt && { ask, claimAt, tookMs: performance.now() - startMs };
  }
  try {
    const late = () => sleepUnlessStopped(NEXT_SERVER_MS, timer.signal).then(() => undefined);
    for (let next = 0; next < headers.length || open.size > 0; next++) {
      const ask = headers[next];
      if (ask !== undefined) open.set(ask, timed(ask));
      const found = await Promise.race([...open.values(), ...(ask === undefined ? [] : [late()])]);
      if (found !== undefined) return found;
    }
    return undefined;
  } finally {
    timer.stop();
  }
}

/**
 * Finds the claims of the first server that makes plausible ones. The others are asked when a block needs them.
 * @throws SourceError of the first server, if none makes plausible claims
 */
async function claimsFor(
  range: AuditRange,
  headers: readonly AskHeader[],
  signal: Signal,
): Promise<(seqno: number) => BlockClaim> {
  if (headers.length === 0) return () => ({});
  const few = FEW_EPOCHS + Math.floor((range.to - range.first) / BLOCKS_A_FEW);
  const failures: SourceError[] = [];
  let found: Claims | undefined;
  // A server may make up as many key blocks as there are blocks. It is asked for all of them only if every server says so.
  for (const most of headers.length > 1 && few < MAX_EPOCHS ? [few, MAX_EPOCHS] : [MAX_EPOCHS]) {
    found ??= await firstClaims(range, headers, most, failures, signal);
  }
  if (found === undefined) throw failures[0] ?? madeUp(`headers name more than ${MAX_EPOCHS} key blocks in this range`);
  const { ask: first, claimAt, tookMs } = found;
  const deadlineMs = MORE_MS + TIMES_FIRST * tookMs;
  const others = headers.filter((ask) => ask !== first);
  const claimsOfOthers: Promise<ClaimAt | undefined>[] = []; // each begins when it is wanted
  async function another(seqno: number, next: number, asked: Signal): Promise<BlockClaim | undefined> {
    for (const [n, ask] of others.entries()) {
      if (n < next) continue;
      claimsOfOthers[n] ??= claimsFrom(range, ask, few, [], { signal: asked, deadlineMs });
      const claimed = (await claimsOfOthers[n])?.(seqno);
      if (claimed !== undefined) return { claimed, anotherClaim: (again) => another(seqno, n + 1, again) };
    }
    return undefined;
  }
  return (seqno) => {
    const claimed = claimAt(seqno);
    return claimed === undefined ? {} : { claimed, anotherClaim: (asked) => another(seqno, 0, asked) };
  };
}

function readHeaders(given: AuditServerOptions['header'], path: string): AuditServerOptions['header'] {
  const list = given === undefined || typeof given === 'function' ? given : ownList(given, path);
  if (Array.isArray(list)) for (const one of list) requireType(one, 'function', path);
  return list;
}

function fetchedBlock(given: SignedAnswer, seqno: number, name: string): FetchedBlock {
  const { signatures, source: from, another, blame } = readSigned(given, seqno, name);
  return {
    signatures,
    from,
    proofs: [],
    async another(signal) {
      const next = await another?.({ signal });
      return next && fetchedBlock(next, seqno, name);
    },
    ...present({ blame }),
  };
}

/**
 * Creates an audit source over servers with HTTP, such as `toncenterV2` or `firstOf`. A checkpoint covers one epoch here: with `header`,
 * rows after the next key block say `wrong-validator-set`.
 * @param source the server, or several as one source
 * @param opts `header`, a function that asks for headers, and `ahead`, the number of questions at a time (default 8)
 * @returns a source for `blocks` of an audit; servers are asked when the audit runs
 * @throws UsageError for a source or an option of a wrong type
 * @example
 * ```ts
 * import { parseValidatorSet } from 'ton-finality';
 * import { auditRange, auditServers } from 'ton-finality/audit';
 * import { opensslEngine } from 'ton-finality/node';
 * import { simplexSample } from 'ton-finality/sample';
 * import { toncenterV2 } from 'ton-finality/servers';
 * const blocks = auditServers(toncenterV2({ baseUrl: 'https://toncenter.com/api/v2' }));
 * const trust = { validators: parseValidatorSet(simplexSample.validators), engine: opensslEngine };
 * for await (const row of auditRange({ from: 59379986, to: 59379986, blocks, ...trust })) {
 *   if (row.type !== 'block') continue;
 *   console.log(row.verdict.status); // final
 * }
 * ```
 */
export function auditServers(source: BlockSource, opts: AuditServerOptions = {}): AuditSource {
  requireSource(source, 'source');
  const { header, ahead } = readOptions(opts, '', { header: readHeaders, ahead: whole(1, MAX_AHEAD, 8) });
  return Object.freeze({
    name: source.name,
    bindsIds: false,
    async open(range: AuditRange, signal: Signal) {
      const headers = typeof header === 'function' ? [header] : (header ?? []);
      const claimAt = await claimsFor(range, headers, signal);
      return {
        ahead,
        async signed(seqno: number, asked: Signal) {
          const answer = await source.signatures(seqno, { signal: asked });
          return { ...fetchedBlock(answer, seqno, source.name), ...claimAt(seqno) };
        },
      };
    },
  });
}
