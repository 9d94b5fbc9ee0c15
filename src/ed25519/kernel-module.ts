/** Turns the embedded bytes into a compiled WebAssembly module, with vectors where the runtime has them. */
import { decodeBase64 } from '../base/bytes.ts';
import { EngineError } from '../base/errors.ts';
import { inflate, inflateSync } from './inflate.ts';
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

function requireWasm(): void {
  if (typeof WebAssembly !== 'object') throw new EngineError('engine/no-wasm', 'this runtime has no WebAssembly');
}

/** The module in the inflated bytes: the one with vectors stands first, the other behind it. */
function pick(inflated: Uint8Array<ArrayBuffer>, variant: KernelVariant): Uint8Array<ArrayBuffer> {
  if (inflated.length !== SIMD_KERNEL_BYTES + SCALAR_KERNEL_BYTES) throw new RangeError('wrong length');
  const simd = variant === 'simd' || (variant === 'auto' && hasSimd());
  return simd ? inflated.slice(0, SIMD_KERNEL_BYTES) : inflated.slice(SIMD_KERNEL_BYTES);
}

function notInflated(cause: unknown): EngineError {
  return new EngineError('engine/no-wasm', 'the embedded kernel is damaged, or cannot be inflated here', { cause });
}

/** The embedded bytes; a base64 text that is damaged gives nothing, which no inflater takes. */
const deflated = (): Uint8Array<ArrayBuffer> => new Uint8Array(decodeBase64(KERNELS) ?? []);

/** @throws EngineError `engine/no-wasm` where there is no WebAssembly or no DecompressionStream, or the bytes are damaged */
export async function kernelBytes(variant: KernelVariant = 'auto'): Promise<Uint8Array<ArrayBuffer>> {
  requireWasm();
  try {
    return pick(await inflate(deflated()), variant);
  } catch (cause) {
    throw notInflated(cause);
  }
}

/** The same at once, in runtimes with a zlib of their own. @throws EngineError `engine/no-wasm` */
export function kernelBytesSync(variant: KernelVariant = 'auto'): Uint8Array<ArrayBuffer> {
  requireWasm();
  try {
    return pick(inflateSync(deflated()), variant);
  } catch (cause) {
    throw notInflated(cause);
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
