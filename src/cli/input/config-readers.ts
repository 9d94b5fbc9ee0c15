/** How the command reads configuration parameters from bags of cells. */

import { parseSingleRoot } from '../../cells/boc.ts';
import type { ConfigReaders } from '../../sources/claimed-set.ts';
import { parseValidatorConfig, readCatchainConfig } from '../../validators/from-config.ts';

export const configReaders: ConfigReaders = {
  readValidators: parseValidatorConfig,
  readShuffle: (boc) => readCatchainConfig(parseSingleRoot(boc, 'param 28'), 'param 28').shuffle,
};
