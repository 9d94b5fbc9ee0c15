/** The strictest options in one call: what a bridge asks before it releases money. */

import { requireSeconds } from '../base/arguments.ts';
import { requireOptions } from '../base/options.ts';
import { present } from '../base/present.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import { resolveEvidence } from './evidence.ts';
import type { BlockHeaderFacts } from './report.ts';
import type { BlockOptions } from './verifier.ts';

/** The inputs that `strict` needs. */
export interface StrictOptions {
  /** Unix seconds: this machine's clock, or the time of the run that is repeated. */
  readonly nowSeconds: number;
  /** The block that it has to be; an answer about another one throws. */
  readonly expect?: BlockIdExt;
  /** The header, proven: without it network and epoch are not known, and nothing is final. */
  readonly header?: BlockHeaderFacts | undefined;
}

/**
 * Options for `verifyBlock` under which a block is final only if its header is proven, its whole id bound, its set proven from
 * a checkpoint and young enough, and nothing is excepted. The clock and the header are in its `evidence`: whoever replaces that member
 * takes them away.
 * @throws UsageError `bad-option` without a clock
 */
export function strict(given: StrictOptions): BlockOptions {
  const { nowSeconds, expect, header } = requireOptions(given, ['nowSeconds', 'expect', 'header'], '', {
    engine: 'an option of verifyBlock: { ...strict({ nowSeconds }), engine }',
    evidence: 'header and nowSeconds stand here by themselves',
  });
  const evidence = {
    nowSeconds: requireSeconds(nowSeconds, 'nowSeconds'),
    ...present({ header }),
  };
  return Object.freeze({
    onDefect: 'reject',
    acceptClaimed: false,
    acceptUnbound: false,
    requireBoundId: true,
    requireProvenSet: true,
    requireHeader: true,
    evidence: Object.freeze(resolveEvidence(evidence)),
    ...(expect === undefined ? {} : { expect: copyBlockId(expect, 'expect') }),
  });
}
