/** The newest block that enough of several servers know. */

import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { noAgreement } from './attribution.ts';
import type { AskOptions, BlockSource } from './block-source.ts';
import { withinOneDeadline } from './shared-deadline.ts';

/** How long the head of a slow server is waited for once enough others have told theirs. */
const HEAD_GRACE_MS = 500;

/** What came of asking for heads. */
export interface Heads {
  readonly head: number;
  /** Who told a head, by name. */
  readonly told: readonly string[];
  readonly failures: readonly SourceStatement[];
  /** Who was waited for in vain. */
  readonly missed: readonly BlockSource[];
}

/**
 * The `need`-th highest of the heads.
 * @param waitedFor who is waited for a little once enough have told theirs
 * @throws SourceError when too few tell theirs
 */
export async function headOf(
  sources: readonly BlockSource[],
  need: number,
  options: AskOptions,
  ask: (source: BlockSource, opts: AskOptions) => Promise<number>,
  waitedFor: ReadonlySet<BlockSource>,
): Promise<Heads> {
  const heads: number[] = [];
  const told: string[] = [];
  const failures: SourceStatement[] = [];
  const awaited = new Set(waitedFor);
  await withinOneDeadline(
    `${need} of ${sources.length} servers`,
    options,
    failures,
    (signal) =>
      new Promise<void>((resolve, reject) => {
        let grace: ReturnType<typeof setTimeout> | undefined;
        const onHeard = (source: BlockSource) => {
          awaited.delete(source);
          const isOver = heads.length + failures.length === sources.length;
          if (isOver || (heads.length >= need && awaited.size === 0)) {
            clearTimeout(grace);
            resolve();
          } else if (heads.length >= need) grace ??= setTimeout(resolve, HEAD_GRACE_MS);
        };
        signal.addEventListener('abort', () => clearTimeout(grace), { once: true });
        for (const source of sources) {
          ask(source, { ...options, signal })
            .then((seqno) => {
              heads.push(seqno);
              told.push(source.name);
            })
            .catch((error: unknown) => {
              if (!(error instanceof SourceError)) throw error;
              if (!signal.aborted) failures.push({ source: source.name, error });
            })
            .then(() => onHeard(source))
            .catch(reject);
        }
      }),
  );
  if (heads.length < need) {
    const few = heads.length > 0 ? `only ${heads.length} told its head` : 'none told its head';
    throw noAgreement(`${need} of ${sources.length} servers are needed and ${few}`, failures);
  }
  const head = [...heads].sort((a, b) => b - a)[need - 1]!; // there are at least `need`
  return { head, told, failures, missed: [...awaited] };
}
