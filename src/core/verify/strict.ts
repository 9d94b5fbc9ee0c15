/** The strictest options in one call, for a bridge that releases money. */

import { requireSeconds } from '../base/arguments.ts';
import { requireOptions } from '../base/options.ts';
import { present } from '../base/present.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import { resolveContext } from './context.ts';
import { resolvePolicy } from './policy.ts';
import type { BlockHeaderFacts } from './report.ts';
import type { BlockOptions } from './verifier.ts';

/** The inputs that `strict` needs. */
export interface StrictOptions {
  /** Unix seconds: this machine's clock, or the time of the run that you repeat. */
  readonly nowSeconds: number;
  /** The block that you expect. An answer about a different block throws. */
  readonly expect?: BlockIdExt;
  /**
   * The proven header, from `verifyHeader` or from `lookup` of a client that `connectLite` made. Without it the network
   * and the epoch are unknown, and no block is final.
   */
  readonly header?: BlockHeaderFacts | undefined;
}

/**
 * Makes options for `verifyBlock` with every check on. A block is then final only with a proven header, an id that is
 * covered as a whole, a recent set that is proven from a checkpoint, and no exception. Do not replace the member
 * `context` of the result: it has the clock and the header.
 * @param given `nowSeconds` (Unix seconds, required), `header` (proven), and `expect` (the block id that you wait for)
 * @returns options to pass to `verifyBlock`
 * @throws UsageError `bad-option` without a clock
 * @example
 * ```ts
 * import { parseSignatureList, strict, parseValidatorSet, verifyBlock } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const signatures = parseSignatureList(simplexSample.signatures);
 * const validators = parseValidatorSet(simplexSample.validators);
 * const { verdict } = verifyBlock(signatures, validators, strict({ nowSeconds: 1775775496 }));
 * console.log(verdict.status); // undecided, because this validator set is only given
 * ```
 */
export function strict(given: StrictOptions): BlockOptions {
  const { nowSeconds, expect, header } = requireOptions(given, ['nowSeconds', 'expect', 'header'], '', {
    engine: 'an option of verifyBlock: { ...strict({ nowSeconds }), engine }',
    context: 'header and nowSeconds are options here',
    evidence: 'header and nowSeconds are options here',
  });
  const context = { nowSeconds: requireSeconds(nowSeconds, 'nowSeconds'), ...present({ header }) };
  return Object.freeze({
    ...resolvePolicy({ requireBoundId: true, requireProvenSet: true, requireHeader: true }),
    context: Object.freeze(resolveContext(context)),
    ...(expect === undefined ? {} : { expect: copyBlockId(expect, 'expect') }),
  });
}
