/** Chooses an engine. All engines give the same answers and differ in speed only. */
import { createAdaptiveEngine } from './adaptive.ts';
import type { Ed25519Engine } from './engine.ts';
import { createKernelEngineOr } from './kernel.ts';
import { hasOpenssl, opensslEngine } from './openssl.ts';
import { referenceEngine } from './reference.ts';

/**
 * The fastest engine that is available synchronously: OpenSSL if it passes its self-test, else the reference engine.
 */
export function fastestSyncEngine(): Ed25519Engine {
  return hasOpenssl() ? opensslEngine : referenceEngine;
}

/**
 * Returns the fastest engine of this runtime that passes its self-test: the kernel, with OpenSSL for first blocks where
 * OpenSSL exists. If no other engine works, it returns the reference engine.
 * @returns an engine for `verifyBlock` and `createVerifier`
 * @example
 * ```ts
 * import { chooseEngine, parseSignatureList, parseValidatorSet, verifyBlock } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const signatures = parseSignatureList(simplexSample.signatures);
 * const validators = parseValidatorSet(simplexSample.validators);
 * const engine = await chooseEngine();
 * console.log(verifyBlock(signatures, validators, { engine }).verdict.status); // final
 * ```
 */
export async function chooseEngine(): Promise<Ed25519Engine> {
  return hasOpenssl() ? createAdaptiveEngine(opensslEngine) : createKernelEngineOr(fastestSyncEngine);
}

/**
 * For many validator sets that are used once or twice, as on the way through key blocks: the kernel without tables,
 * which would not pay off, else as `fastestSyncEngine`.
 */
export async function chooseOneOffEngine(): Promise<Ed25519Engine> {
  return createKernelEngineOr(fastestSyncEngine, { tableWidth: 0 });
}
