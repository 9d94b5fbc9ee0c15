/** One engine for all calls of a process that take one: each would choose its own, and test it for as long as the call takes. */
import { chooseOneOffEngine } from '../../src/core/ed25519/choose.ts';

export const oneOffEngine = await chooseOneOffEngine();
