/** How the command reads configuration parameters from bags of cells. */
import type { ConfigReaders } from '../http/claimed-set.ts';

/** `undefined` while the reader of cells is not part of the build. */
export const configReaders: ConfigReaders | undefined = undefined;
