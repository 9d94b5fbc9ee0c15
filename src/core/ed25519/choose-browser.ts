/**
 * Replaces `choose.ts` when a bundler builds for browsers (`browser` in package.json). A browser has no OpenSSL, so the
 * page does not need the code that looks for it. The names and guarantees are the same.
 */
import type { Ed25519Engine } from './engine.ts';
import { createKernelEngineOr } from './kernel.ts';
import { referenceEngine } from './reference.ts';

export function fastestSyncEngine(): Ed25519Engine {
  return referenceEngine;
}

export async function chooseEngine(): Promise<Ed25519Engine> {
  return createKernelEngineOr(fastestSyncEngine);
}

export async function chooseOneOffEngine(): Promise<Ed25519Engine> {
  return createKernelEngineOr(fastestSyncEngine, { tableWidth: 0 });
}
