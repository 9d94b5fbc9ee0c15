/** How configuration parameters are read from bags of cells. */

import { parseSingleRoot } from '../../core/cells/boc.ts';
import { parseValidatorConfig, readCatchainConfig } from '../../core/validators/from-config.ts';
import type { ConfigReaders } from './claimed-set.ts';

export const configReaders: ConfigReaders = {
  readValidators: parseValidatorConfig,
  readShuffle: (boc) => readCatchainConfig(parseSingleRoot(boc, 'param 28'), 'param 28').shuffle,
};
