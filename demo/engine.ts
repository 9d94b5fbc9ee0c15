/** What checks Ed25519 in this browser: the kernel, or the reference engine where WebAssembly is missing or forbidden. */
import { createKernelEngine, type Ed25519Engine, EngineError, referenceEngine } from '../src/index.ts';
import type { EngineNews, Tell } from './protocol.ts';

export interface ChosenEngine extends EngineNews {
  readonly engine: Ed25519Engine;
}

let chosen: Promise<ChosenEngine> | undefined;

async function choose(): Promise<ChosenEngine> {
  try {
    const engine = await createKernelEngine({ tableWidth: 0 }); // one block at a time: tables would not pay
    return { engine, name: engine.name };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { engine: referenceEngine, name: referenceEngine.name, why: error.message };
  }
}

/** Chooses the engine at the first call, and returns that engine at each call. */
export function chooseOnce(): Promise<ChosenEngine> {
  chosen ??= choose();
  return chosen;
}

/** Signatures between two reports of progress: the slowest engine takes a fiftieth of a second for them. */
const STEP = 20;

/** Wraps an engine so that it reports its progress. */
export function watched(engine: Ed25519Engine, tell: Tell): Ed25519Engine {
  return {
    name: engine.name,
    open(publicKeys) {
      const ring = engine.open(publicKeys);
      return {
        verify(message, keyIndexes, signatures) {
          const of = signatures.length;
          const valid: boolean[] = [];
          for (let at = 0; at < of; at += STEP) {
            tell({ words: 'Checking signatures', done: at, of });
            valid.push(...ring.verify(message, keyIndexes.slice(at, at + STEP), signatures.slice(at, at + STEP)));
          }
          return valid;
        },
        close: () => ring.close(),
      };
    },
  };
}
