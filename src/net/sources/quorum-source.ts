/** Several servers that must agree, as one source of blocks. */

import { requireOptions } from '../../base/arguments.ts';
import { FinalityError, SourceError, type SourceErrorCode, type SourceStatement } from '../../base/errors.ts';
import { requireNumber, requireType } from '../../base/option-values.ts';
import type { Signal } from '../../base/runtime-types.ts';
import { type BlockIdExt, formatBlockId } from '../../decode/block-id.ts';
import { signatureAnswerBlock } from '../../decode/signature-answer.ts';
import { tell } from '../async/callbacks.ts';
import { bodyOf } from './answer-body.ts';
import { keepGiver } from './answer-giver.ts';
import { requireDistinct } from './attribution.ts';
import type { AskOptions, BlockSource } from './block-source.ts';
import { type Candidate, createHealth } from './health.ts';
import { type KnownBlocks, knownBlocks } from './known-blocks.ts';
import { gatherQuorum, MAX_GRACE_MS, requireNeed } from './quorum.ts';
import { headOf } from './quorum-heads.ts';
import { type HealthChange, observed, type ServerObservers } from './server-events.ts';

/** Whether the answer is about the block asked for, and not about one that was given under another number. @throws SourceError, DecodeError */
function requireThisBlock(answer: unknown, seqno: number, said: string, known: KnownBlocks): BlockIdExt {
  const id = signatureAnswerBlock(answer);
  if (id.seqno !== seqno) {
    throw new SourceError('source/wrong-block', `${said}: asked for block ${seqno}, got block ${id.seqno}`, {
      endpoint: said,
      body: bodyOf(answer),
    });
  }
  known.requireNew(id, said, bodyOf(answer));
  return id;
}

/** How long a quorum waits for the rest, and what it tells while it works. */
export interface QuorumOfOptions extends ServerObservers {
  /** Milliseconds that the rest may still take to have their say once enough agree. Default 0: they are stopped. */
  readonly graceMs?: number;
  /** Told of every source that failed or said something else while the others agreed. */
  readonly onOdd?: (statement: SourceStatement) => void;
  /** Told when a server is found healthy or down. One that is down is not waited for once enough have told their heads. */
  readonly onHealth?: (change: HealthChange) => void;
}

const OPTIONS = ['graceMs', 'onOdd', 'onServer', 'onHealth'] as const satisfies readonly (keyof QuorumOfOptions)[];

function warningsOf(need: number, count: number): readonly string[] {
  if (need * 2 > count) return [];
  const rest = count - need;
  return [
    `split-quorum: ${need} of ${count} servers is not more than half: while these name one block, the other ${rest} may name another`,
  ];
}

/**
 * `need` of the sources as one. Heads differ from server to server, so the latest seqno is the `need`-th highest that
 * they report: the newest block that enough of them know. An answer with the root hash of a block that the quorum gave
 * under another number counts as a failure, `source/wrong-block`, of the server that sent it.
 *
 * Half of the sources or fewer can split: two such quorums may name different blocks at the same time. `warnings` of the
 * source says so.
 * @throws UsageError for a need that cannot be met, or a source given twice
 */
export function quorumOf(sources: readonly BlockSource[], need: number, given: QuorumOfOptions = {}): BlockSource {
  const list = requireDistinct(sources);
  requireNeed(need, list.length);
  const opts = requireOptions(given, OPTIONS);
  requireNumber(opts.graceMs, 0, MAX_GRACE_MS, 'graceMs');
  for (const name of ['onOdd', 'onServer', 'onHealth'] as const) requireType(opts[name], 'function', name);
  const { graceMs, onOdd, onServer, onHealth } = opts;
  const observers = onServer === undefined ? {} : { onServer };
  const health = createHealth(list, onHealth);
  const grace = graceMs === undefined ? {} : { graceMs };
  const known = knownBlocks();

  const givers = new WeakMap<object, string>();
  function noteGiver(answer: unknown, name: string): void {
    keepGiver(answer, name);
    if (typeof answer === 'object' && answer !== null) givers.set(answer, name);
  }
  const gave = (answers: readonly unknown[]): ReadonlySet<string | undefined> =>
    new Set(answers.map((answer) => (typeof answer === 'object' && answer !== null ? givers.get(answer) : undefined)));

  /** The same block in the words of those who were not waited for: their lists may differ. */
  async function anotherList(seqno: number, refused: readonly unknown[], options: AskOptions = {}): Promise<unknown> {
    const [first] = refused;
    if (first === undefined) return undefined;
    const wanted = formatBlockId(signatureAnswerBlock(first));
    const before = gave(refused);
    for (const source of list) {
      if (before.has(source.name)) continue;
      try {
        const answer = await source.signatures(seqno, options);
        if (formatBlockId(requireThisBlock(answer, seqno, source.name, known)) !== wanted) continue;
        noteGiver(answer, source.name);
        return answer;
      } catch (error) {
        if (!(error instanceof FinalityError) || options.signal?.aborted) throw error;
      }
    }
    return undefined;
  }

  const byName = new Map(list.map((source) => [source.name, source]));
  /** What was seen of each server just now. */
  function remember(good: readonly string[], odd: readonly SourceStatement[], startedAt: number): void {
    for (const name of good) health.succeeded(byName.get(name)!, startedAt); // the names are those of the list
    for (const { source, error } of odd) {
      const isFailure = error instanceof SourceError && !NO_FAULT.has(error.code);
      if (isFailure) health.failed(byName.get(source)!, 'down', error);
    }
  }

  async function agreedSignatures(seqno: number, options: AskOptions = {}): Promise<readonly unknown[]> {
    const startedAt = performance.now();
    const ids = new Map<unknown, BlockIdExt>();
    const ask = async (source: BlockSource, { signal }: { signal: Signal }) => {
      const answer = await observed(observers, source.name, 'signatures', () =>
        source.signatures(seqno, { ...options, signal }),
      );
      ids.set(answer, requireThisBlock(answer, seqno, source.name, known));
      return answer;
    };
    const keyOf = (answer: unknown) => formatBlockId(ids.get(answer)!); // `ask` gives no answer without its id
    const { signal, deadlineMs } = options;
    const limits = { ...(signal && { signal }), ...(deadlineMs === undefined ? {} : { deadlineMs }), ...grace };
    const { agreed, odd } = await gatherQuorum(list, need, ask, keyOf, limits);
    const [first] = agreed;
    // Again: another number may have been given with the same root hash in the meantime.
    if (first !== undefined) known.note(ids.get(first.answer)!, agreed.map(({ source }) => source).join(' and '));
    for (const statement of odd) tell('onOdd', onOdd, statement);
    remember(
      agreed.map(({ source }) => source),
      odd,
      startedAt,
    );
    for (const { answer, source } of agreed) noteGiver(answer, source);
    return agreed.map(({ answer }) => answer);
  }
  return Object.freeze({
    name: `${need} of (${list.map(({ name }) => name).join(', ')})`,
    warnings: Object.freeze(warningsOf(need, list.length)),
    async latestSeqno(options: AskOptions = {}): Promise<number> {
      const startedAt = performance.now();
      const ask = (source: BlockSource, one: AskOptions) =>
        observed(observers, source.name, 'latestSeqno', () => source.latestSeqno(one));
      const isWaitedFor = ({ source, isProbe }: Candidate) => isProbe || health.stateOf(source) === 'up';
      const waitedFor = health.inOrder('head', Number.POSITIVE_INFINITY).filter(isWaitedFor);
      for (const { source, isProbe } of waitedFor) if (isProbe) health.probing(source);
      const sources = new Set(waitedFor.map(({ source }) => source));
      const { head, told, failures, missed } = await headOf(list, need, options, ask, sources);
      for (const failure of failures) tell('onOdd', onOdd, failure);
      remember(told, failures, startedAt);
      for (const source of missed) health.failed(source, 'slow');
      return head;
    },
    waitMs: () => list.map((source) => source.waitMs?.() ?? 0).sort((a, b) => a - b)[need - 1]!, // `need` is at most their number
    agreedSignatures,
    others: Object.freeze({
      ask: anotherList,
      blame(refused: readonly unknown[]): void {
        for (const name of gave(refused)) {
          const source = name === undefined ? undefined : byName.get(name);
          if (source === undefined) continue;
          const what = `${source.name}: its signatures were no good, those of another server were`;
          health.failed(source, 'down', new SourceError('source/malformed', what, { endpoint: source.name }));
        }
      },
    }),
    async signatures(seqno: number, options?: AskOptions) {
      return (await agreedSignatures(seqno, options))[0];
    },
  });
}

/** Failures that say nothing of the server's health: the block is too new, or it was stopped. */
const NO_FAULT: ReadonlySet<SourceErrorCode> = new Set(['source/not-ready', 'source/aborted']);
