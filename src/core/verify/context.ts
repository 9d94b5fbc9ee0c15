/** Checks and copies what a caller says of a block, its context, and knows which headers are proven. */
import { badArgument, requireInteger, requireSeconds } from '../base/arguments.ts';
import { requireOptions } from '../base/options.ts';
import { present } from '../base/present.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import type { BlockContext, BlockHeaderFacts } from './report.ts';

/**
 * Headers that `chain/` has read from cells that hash to the block's root hash, and what was read: the hashes in a header
 * that a caller holds can be written to. Nothing else gets in here.
 */
const proven = new WeakMap<object, BlockHeaderFacts>();

/** Registers a header as proven. For `chain/` only, which has checked the proof. */
export function markProven<T extends BlockHeaderFacts & { readonly blockId: BlockIdExt }>(header: T): T {
  const facts: BlockHeaderFacts = header;
  const own = Object.freeze({ ...facts, blockId: copyBlockId(header.blockId, 'blockId') });
  proven.set(own, own);
  proven.set(header, own);
  return header;
}

/** Whether this very object is a header that was proven here. */
export function isProven(header: BlockHeaderFacts | undefined): boolean {
  return proven.has(header as object); // of none it says no
}

/** The names of `BlockContext`. */
export const CONTEXT_KEYS: readonly string[] = ['header', 'nowSeconds', 'maxHeadAgeSeconds'];

const NUMBERS = ['seqno', 'genUtime', 'catchainSeqno', 'validatorListHashShort', 'prevKeyBlockSeqno'] as const;

/** The members of `BlockHeaderFacts`, and the further members of a proven header. */
const HEADER_KEYS = ['source', 'blockId', ...NUMBERS, 'globalId', 'keyBlock', 'vertSeqno', 'vertSeqnoIncr'];

/** Copies a header of the caller. A copy that says it is proven is only given. */
function copyHeader(header: BlockHeaderFacts): BlockHeaderFacts {
  const path = 'context.header';
  const own = requireOptions(header, HEADER_KEYS, path, { id: 'write blockId' });
  const { source, blockId } = own;
  if (source !== 'proven' && source !== 'claimed' && source !== 'given') {
    throw badArgument(`${path}.source`, "'given' or 'claimed'", source, 'verifyHeader makes proven ones');
  }
  const facts: Partial<Record<(typeof NUMBERS)[number], number>> = {};
  for (const name of NUMBERS) {
    // Servers print uint32 fields as negative numbers.
    if (own[name] !== undefined)
      facts[name] = requireInteger(own[name], `${path}.${name}`, -(2 ** 31), 2 ** 32 - 1) >>> 0;
  }
  return Object.freeze({
    __proto__: null, // what it does not say is not found on one
    source: source === 'proven' ? 'given' : source,
    ...(blockId === undefined ? {} : { blockId: copyBlockId(blockId, `${path}.blockId`) }),
    ...facts,
  });
}

/** @throws UsageError `bad-option` for members that are unknown or of another type */
export function resolveContext(context: BlockContext): BlockContext {
  const { header, nowSeconds, maxHeadAgeSeconds } = requireOptions(context, CONTEXT_KEYS, 'context', {
    requireBoundId: 'a policy is an option beside context',
  }) as BlockContext; // their types are looked at below
  if (maxHeadAgeSeconds !== undefined && nowSeconds === undefined) {
    throw badArgument(
      'context.nowSeconds',
      'a number of seconds',
      undefined,
      'maxHeadAgeSeconds is counted back from it',
    );
  }
  const seconds = (value: unknown, name: string) =>
    value === undefined ? value : requireSeconds(value, `context.${name}`);
  return present({
    header: header === undefined ? header : (proven.get(header) ?? copyHeader(header)),
    nowSeconds: seconds(nowSeconds, 'nowSeconds'),
    maxHeadAgeSeconds: seconds(maxHeadAgeSeconds, 'maxHeadAgeSeconds'),
  });
}
