/** Where trust begins in a little network: its zerostate, and the checkpoint of one who pins that. */
import { type Checkpoint, checkpointFromZerostate } from '../../src/core/chain/checkpoint.ts';
import type { CoreCell } from './cells.ts';
import { type Committee, type ConfigForm, configCell, type MadeZerostate, makeZerostate } from './make-chain.ts';

export function startOf({ zerostate: { boc, id } }: { readonly zerostate: MadeZerostate }): Checkpoint {
  return checkpointFromZerostate(boc, id);
}

export interface SmallNetwork {
  readonly config: CoreCell;
  readonly zerostate: MadeZerostate;
  readonly checkpoint: Checkpoint;
}

/** @param elected who signs its blocks @param form more of its configuration */
export function networkOf(elected: Committee, form: Omit<ConfigForm, 'elected'> = {}): SmallNetwork {
  const config = configCell({ elected, ...form });
  const zerostate = makeZerostate(config);
  return { config, zerostate, checkpoint: startOf({ zerostate }) };
}
