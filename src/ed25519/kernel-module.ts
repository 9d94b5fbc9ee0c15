/** Turns the embedded bytes into a compiled WebAssembly module, with vectors where the runtime has them. */
import { decodeBase64 } from '../base/bytes.ts';
import { EngineError } from '../base/errors.ts';
import { inflateRaw } from './inflate.ts';
import { KERNELS, SCALAR_KERNEL_BYTES, SIMD_KERNEL_BYTES } from './kernel-bytes.ts';

/** A module whose one function uses two vector instructions: valid exactly where there is SIMD. */
const SIMD_PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];

/** `auto` takes vectors where they are. */
export type KernelVariant = 'auto' | 'simd' | 'scalar';

function hasSimd(): boolean {
  return WebAssembly.validate(new Uint8Array(SIMD_PROBE));
}

/** @throws EngineError `engine/no-wasm` where there is no WebAssembly, or the embedded bytes are damaged */
export function kernelBytes(variant: KernelVariant = 'auto'): Uint8Array<ArrayBuffer> {
  if (typeof WebAssembly !== 'object') throw new EngineError('engine/no-wasm', 'this runtime has no WebAssembly');
  const simd = variant === 'simd' || (variant === 'auto' && hasSimd());
  try {
    // A base64 text that is damaged gives undefined; inflateRaw throws on it like on any other damage.
    // The one with vectors comes first, so that the other need not be inflated to get at it.
    const bytes = inflateRaw(decodeBase64(KERNELS)!, SIMD_KERNEL_BYTES + (simd ? 0 : SCALAR_KERNEL_BYTES));
    return simd ? bytes : bytes.slice(SIMD_KERNEL_BYTES);
  } catch (cause) {
    throw new EngineError('engine/no-wasm', 'the embedded kernel is damaged', { cause });
  }
}

function notCompiled(cause: unknown): EngineError {
  return new EngineError('engine/no-wasm', 'this runtime does not compile the kernel', { cause });
}

/** Compiles without blocking. @throws EngineError `engine/no-wasm` */
export async function compileKernel(bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw notCompiled(cause);
  }
}

/** Compiles at once: for runtimes that allow it on their main thread. @throws EngineError `engine/no-wasm` */
export function compileKernelSync(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw notCompiled(cause);
  }
}
