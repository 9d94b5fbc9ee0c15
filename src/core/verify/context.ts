/** Checks and copies the context of a block that a caller passes, and knows which headers are proven. */
import { badArgument, requireInteger, requireSeconds } from '../base/arguments.ts';
import { requireOptions } from '../base/options.ts';
import { present } from '../base/present.ts';
import { registry } from '../base/registry.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import type { BlockContext, BlockHeaderFacts } from './report.ts';

/**
 * The headers that `chain/` has read from cells with the block's root hash, each with a copy of its content. A caller
 * can write to the hashes of a header, but not to this copy.
 */
const proven = registry<BlockHeaderFacts>();

/** Registers and freezes a header as proven. For `chain/` only, which has checked the proof. */
export function markProven<T extends BlockHeaderFacts & { readonly blockId: BlockIdExt }>(header: T): Readonly<T> {
  const facts: BlockHeaderFacts = header;
  const own = { ...facts, blockId: copyBlockId(header.blockId, 'blockId') };
  proven.make(own, own);
  return proven.make(header, own);
}

/** Whether this object is a header that was proven here; copies are not. */
export function isProven(header: BlockHeaderFacts | undefined): boolean {
  return proven.has(header);
}

/** The names of `BlockContext`. */
export const CONTEXT_KEYS: readonly string[] = ['header', 'nowSeconds', 'maxHeadAgeSeconds'];

const NUMBERS = ['seqno', 'genUtime', 'catchainSeqno', 'validatorListHashShort', 'prevKeyBlockSeqno'] as const;

/** The members of `BlockHeaderFacts`, and the further members of a proven header. */
const HEADER_KEYS = ['source', 'blockId', ...NUMBERS, 'globalId', 'keyBlock', 'vertSeqno', 'vertSeqnoIncr'];

/** Copies a header of the caller. A copy that says it is proven counts as given. */
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
    __proto__: null, // so that a missing member is not found on a prototype
    source: source === 'proven' ? 'given' : source,
    ...(blockId === undefined ? {} : { blockId: copyBlockId(blockId, `${path}.blockId`) }),
    ...facts,
  });
}

/** Reads a context. @throws UsageError `bad-option` for members that are unknown or of a wrong type */
export function resolveContext(context: BlockContext): BlockContext {
  const { header, nowSeconds, maxHeadAgeSeconds } = requireOptions(context, CONTEXT_KEYS, 'context', {
    requireBoundId: 'pass a policy next to context, not inside it',
  }) as BlockContext; // their types are checked below
  if (maxHeadAgeSeconds !== undefined && nowSeconds === undefined) {
    const hint = 'maxHeadAgeSeconds is counted back from it';
    throw badArgument('context.nowSeconds', 'a number of seconds', undefined, hint);
  }
  const seconds = (value: unknown, name: string) =>
    value === undefined ? value : requireSeconds(value, `context.${name}`);
  return present({
    header: header === undefined ? header : (proven.own(header) ?? copyHeader(header)),
    nowSeconds: seconds(nowSeconds, 'nowSeconds'),
    maxHeadAgeSeconds: seconds(maxHeadAgeSeconds, 'maxHeadAgeSeconds'),
  });
}
