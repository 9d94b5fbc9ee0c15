/** The engines that run anywhere: the chosen one, the kernel where WebAssembly may be compiled, the reference. */
import { chooseEngine, createKernelEngine, referenceEngine } from 'ton-finality';

export const ENGINES = {
  chosen: chooseEngine,
  kernel: () => createKernelEngine().catch(() => undefined),
  reference: () => referenceEngine,
};
