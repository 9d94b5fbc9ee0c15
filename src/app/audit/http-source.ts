/**
 * Fetches blocks from servers over HTTP. Such servers prove nothing. Their headers are used only against a set: to see
 * where another set takes over.
 */

import { SourceError } from '../../core/base/errors.ts';
import { callback, readOptions, whole } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { BlockHeaderFacts } from '../../core/verify/report.ts';
import { type AskOptions, type BlockSource, requireSource, type SignedAnswer } from '../../net/sources/block-source.ts';
import { readSigned } from '../../net/sources/signed-answer.ts';
import type { AuditRange, AuditSource, FetchedBlock } from './audit-source.ts';

/** Fetches a block's header as a server claims it, such as `ToncenterV2.header`. */
export type AskHeader = (
  seqno: number,
  opts?: AskOptions,
) => Promise<{
  readonly prevKeyBlockSeqno: number;
}>;

/** Options of an audit over HTTP. */
export interface AuditServerOptions {
  /** Fetches a few headers to see where one validator set ends: about log2(n) for each end in a range of n blocks. */
  readonly header?: AskHeader;
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

/** Blocks under one key block, up to and including `to`. */
interface Epoch {
  readonly to: number;
  readonly keyBlock: number;
}

/**
 * Asks for the key block that a server says rules a block, or a neighbour if the header of the block cannot be fetched.
 */
async function keyBlockNear(seqno: number, { first, to }: AuditRange, ask: AskHeader, signal: Signal): Promise<number> {
  const near = Array.from({ length: MAX_NEIGHBOURS }, (_, n) => n);
  const places = [...near.map((n) => seqno + n), ...near.map((n) => seqno - n - 1)];
  let failure: unknown;
  for (const at of places.filter((place) => place >= first && place <= to)) {
    try {
      return (await ask(at, { signal })).prevKeyBlockSeqno;
    } catch (error) {
      if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
      failure ??= error;
    }
  }
  throw failure;
}

/** Finds where key blocks divide the range, by bisection. */
async function epochsOf(range: AuditRange, ask: AskHeader, signal: Signal): Promise<readonly Epoch[]> {
  const { first, to } = range;
  const keyBlockAt = (seqno: number) => keyBlockNear(seqno, range, ask, signal);
  const epochs: Epoch[] = [];
  const look = async (from: number, fromKey: number, last: number, lastKey: number): Promise<void> => {
    if (fromKey === lastKey) return;
    if (last - from <= 1) {
      epochs.push({ to: from, keyBlock: fromKey });
      if (epochs.length <= MAX_EPOCHS) return;
      throw new SourceError('source/wrong-block', `headers name more than ${MAX_EPOCHS} key blocks in this range`, {
        hint: 'ask another server, or for a shorter range',
      });
    }
    const middle = (from + last) >>> 1;
    const key = await keyBlockAt(middle);
    await look(from, fromKey, middle, key);
    await look(middle, key, last, lastKey);
  };
  const [firstKey, lastKey] = [await keyBlockAt(first), await keyBlockAt(to)];
  await look(first, firstKey, to, lastKey);
  epochs.push({ to, keyBlock: lastKey });
  return epochs;
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
  const { header, ahead } = readOptions(opts, '', { header: callback(), ahead: whole(1, MAX_AHEAD, 8) });
  return Object.freeze({
    name: source.name,
    bindsIds: false,
    async open(range: AuditRange, signal: Signal) {
      const epochs = header === undefined ? [] : await epochsOf(range, header, signal);
      let at = 0; // blocks are asked for nearly in order
      const claimedAt = (seqno: number): { readonly claimed?: BlockHeaderFacts } => {
        while (at > 0 && seqno <= epochs[at - 1]!.to) at -= 1;
        while (at < epochs.length && seqno > epochs[at]!.to) at += 1;
        const epoch = epochs[at];
        return epoch === undefined ? {} : { claimed: { source: 'claimed', prevKeyBlockSeqno: epoch.keyBlock } };
      };
      return {
        ahead,
        async signed(seqno: number, asked: Signal) {
          const answer = await source.signatures(seqno, { signal: asked });
          return { ...fetchedBlock(answer, seqno, source.name), ...claimedAt(seqno) };
        },
      };
    },
  });
}
