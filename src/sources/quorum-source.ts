/** Several servers that must agree, as one source of blocks. */

import { SourceError, type SourceStatement } from '../base/errors.ts';
import { requireNumber, requireOptions, requireType } from '../base/option-checks.ts';
import type { BlockIdExt } from '../decode/block-id.ts';
import { signatureAnswerBlock } from '../decode/signature-answer.ts';
import { bodyOf } from './answer-body.ts';
import { keepGiver } from './answer-giver.ts';
import { blockIdKey, noAgreement, requireDistinct } from './attribution.ts';
import type { AskOptions, BlockSource } from './block-source.ts';
import { type KnownBlocks, knownBlocks } from './known-blocks.ts';
import { gatherQuorum, MAX_GRACE_MS, requireNeed } from './quorum.ts';
import { withinOneDeadline } from './shared-deadline.ts';

/** How long the head of a slow server is waited for once enough others have told theirs. */
const HEAD_GRACE_MS = 500;

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

/** What a quorum tells while it works. */
export interface QuorumOfOptions {
  /** Milliseconds that the rest may still take to have their say once enough agree. Default 0: they are stopped. */
  readonly graceMs?: number;
  /** Told of every source that failed or said something else while the others agreed. */
  readonly onOdd?: (statement: SourceStatement) => void;
}

/**
 * `need` of the sources as one. Heads differ from server to server, so the latest seqno is the `need`-th highest that
 * they report: the newest block that enough of them know. An answer with the root hash of a block that the quorum gave
 * under another number counts as a failure, `source/wrong-block`, of the server that sent it.
 * @throws UsageError for a need that cannot be met, or a source given twice
 */
export function quorumOf(sources: readonly BlockSource[], need: number, opts: QuorumOfOptions = {}): BlockSource {
  const list = requireDistinct(sources);
  requireNeed(need, list.length);
  requireOptions(opts, ['graceMs', 'onOdd'] satisfies (keyof QuorumOfOptions)[], 'options');
  requireNumber(opts.graceMs, 0, MAX_GRACE_MS, 'graceMs');
  requireType(opts.onOdd, 'function', 'onOdd');
  const { graceMs, onOdd } = opts;
  const grace = graceMs === undefined ? {} : { graceMs };
  const known = knownBlocks();

  async function agreedSignatures(seqno: number, options: AskOptions = {}): Promise<readonly unknown[]> {
    const ids = new Map<unknown, BlockIdExt>();
    const ask = async (source: BlockSource, { signal }: { signal: AbortSignal }) => {
      const answer = await source.signatures(seqno, { ...options, signal });
      ids.set(answer, requireThisBlock(answer, seqno, source.name, known));
      return answer;
    };
    const keyOf = (answer: unknown) => blockIdKey(ids.get(answer)!); // `ask` gives no answer without its id
    const { signal, deadlineMs } = options;
    const limits = { ...(signal && { signal }), ...(deadlineMs === undefined ? {} : { deadlineMs }), ...grace };
    const { agreed, odd } = await gatherQuorum(list, need, ask, keyOf, limits);
    const [first] = agreed;
    // Again: another number may have been given with the same root hash in the meantime.
    if (first !== undefined) known.note(ids.get(first.answer)!, agreed.map(({ source }) => source).join(' and '));
    for (const statement of odd) onOdd?.(statement);
    for (const { answer, source } of agreed) keepGiver(answer, source);
    return agreed.map(({ answer }) => answer);
  }
  return Object.freeze({
    name: `${need} of (${list.map(({ name }) => name).join(', ')})`,
    latestSeqno: (options: AskOptions = {}) => headOf(list, need, options, onOdd),
    agreedSignatures,
    async signatures(seqno: number, options?: AskOptions) {
      return (await agreedSignatures(seqno, options))[0];
    },
  });
}

/** The `need`-th highest of the heads, waiting a little for the slow once enough are known. */
async function headOf(
  sources: readonly BlockSource[],
  need: number,
  options: AskOptions,
  onOdd: ((statement: SourceStatement) => void) | undefined,
): Promise<number> {
  const heads: number[] = [];
  const failures: SourceStatement[] = [];
  await withinOneDeadline(
    `${need} of ${sources.length} servers`,
    options,
    failures,
    (signal) =>
      new Promise<void>((resolve, reject) => {
        let grace: ReturnType<typeof setTimeout> | undefined;
        const onHeard = () => {
          if (heads.length + failures.length === sources.length) {
            clearTimeout(grace);
            resolve();
          } else if (heads.length >= need) grace ??= setTimeout(resolve, HEAD_GRACE_MS);
        };
        signal.addEventListener('abort', () => clearTimeout(grace), { once: true });
        for (const source of sources) {
          source
            .latestSeqno({ ...options, signal })
            .then((seqno) => void heads.push(seqno))
            .catch((error: unknown) => {
              if (!(error instanceof SourceError)) throw error;
              if (!signal.aborted) failures.push({ source: source.name, error });
            })
            .then(onHeard)
            .catch(reject);
        }
      }),
  );
  if (heads.length < need) {
    const told = heads.length > 0 ? `only ${heads.length} told its head` : 'none told its head';
    throw noAgreement(`${need} of ${sources.length} servers are needed and ${told}`, failures);
  }
  for (const failure of failures) onOdd?.(failure);
  return heads.sort((a, b) => b - a)[need - 1]!; // there are at least `need`
}
