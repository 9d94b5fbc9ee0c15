/**
 * Turns the embedded bytes, raw DEFLATE of RFC 1951, into a compiled WebAssembly module, with the vectors that the runtime
 * has.
 */
import { EngineError } from '../base/errors.ts';
import { builtinModule } from './builtin.ts';
import { KERNELS, RELAXED_KERNEL_BYTES, SCALAR_KERNEL_BYTES, SIMD_KERNEL_BYTES } from './kernel-bytes.ts';

/** A module whose one function uses two vector instructions: valid exactly where there is SIMD. */
const SIMD_PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];

/** A probe with `f64x2.relaxed_madd`: valid exactly where there is relaxed SIMD. */
const RELAXED_PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 96, 3, 123, 123, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32, 1, 32, 2,
  253, 135, 2, 11,
];

/** The kernels, the fastest first, in the order of the embedded bytes. */
const VARIANTS = ['relaxed', 'simd', 'scalar'] as const;
/** `auto` is the fastest variant that the runtime supports. */
export type KernelVariant = 'auto' | (typeof VARIANTS)[number];

const PROBES = { relaxed: RELAXED_PROBE, simd: SIMD_PROBE, scalar: SIMD_PROBE.slice(0, 8) };
const SIZES = { relaxed: RELAXED_KERNEL_BYTES, simd: SIMD_KERNEL_BYTES, scalar: SCALAR_KERNEL_BYTES };

/** Whether the runtime supports the instructions of a variant. */
export function hasVariant(variant: (typeof VARIANTS)[number]): boolean {
  return WebAssembly.validate(new Uint8Array(PROBES[variant]));
}

/** Decompresses asynchronously. @throws TypeError on damaged data, or without a DecompressionStream */
export async function inflate(deflated: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Decodes base64 with the runtime's code, since JavaScript code takes milliseconds until it is compiled. @throws
 * DOMException on invalid text
 */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Decompresses synchronously, in runtimes with a zlib. @throws Error on damaged data; TypeError without a zlib */
export function inflateSync(deflated: Uint8Array): Uint8Array<ArrayBuffer> {
  const zlib = builtinModule('zlib') as { inflateRawSync(data: Uint8Array): Uint8Array }; // without a zlib the next line throws a TypeError
  return new Uint8Array(zlib.inflateRawSync(deflated));
}

function requireWasm(): void {
  if (typeof WebAssembly !== 'object') throw new EngineError('engine/no-wasm', 'this runtime has no WebAssembly');
}

/** Finds the module in the inflated bytes. */
function pick(inflated: Uint8Array<ArrayBuffer>, variant: KernelVariant): Uint8Array<ArrayBuffer> {
  const wanted = variant === 'auto' ? VARIANTS.find(hasVariant)! : variant; // the last one is valid wherever there is WebAssembly
  let [start, all] = [0, 0];
  for (const name of VARIANTS) {
    if (name === wanted) start = all;
    all += SIZES[name];
  }
  if (inflated.length !== all) throw new RangeError('wrong length');
  return inflated.slice(start, start + SIZES[wanted]);
}

function notInflated(cause: unknown): EngineError {
  return new EngineError('engine/no-wasm', 'the embedded kernel is damaged, or cannot be inflated here', { cause });
}

/** A symbol that only marks the type of a compiled kernel for the compiler. */
declare const compiled: unique symbol;

/** A compiled kernel. The type avoids names of the runtime, which a user's compiler may lack. */
export interface CompiledKernel {
  readonly [compiled]: true;
}

/**
 * Checks that a kernel can be loaded. @throws EngineError `engine/no-wasm` without WebAssembly or DecompressionStream,
 * and for damaged bytes
 */
export async function kernelBytes(variant: KernelVariant = 'auto'): Promise<Uint8Array> {
  requireWasm();
  try {
    return pick(await inflate(decodeBase64(KERNELS)), variant);
  } catch (cause) {
    throw notInflated(cause);
  }
}

/** Returns the bytes of a kernel synchronously, in runtimes with a zlib. @throws EngineError `engine/no-wasm` */
export function kernelBytesSync(variant: KernelVariant = 'auto'): Uint8Array {
  requireWasm();
  try {
    return pick(inflateSync(decodeBase64(KERNELS)), variant);
  } catch (cause) {
    throw notInflated(cause);
  }
}

function notCompiled(cause: unknown): EngineError {
  return new EngineError('engine/no-wasm', 'this runtime does not compile the kernel', { cause });
}

const asCompiled = (module: WebAssembly.Module): CompiledKernel => module as object as CompiledKernel; // the only way to make one
const unshared = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>; // the compiler of the runtime rejects shared memory

/** Returns the exports of a new instance. @throws what the runtime throws */
export function instantiate(kernel: CompiledKernel, imports: object): object {
  return new WebAssembly.Instance(kernel as object as WebAssembly.Module, imports as WebAssembly.Imports).exports; // made by `asCompiled`; the runtime checks the second argument
}

/** Compiles without blocking. @throws EngineError `engine/no-wasm` */
export async function compileKernel(bytes: Uint8Array): Promise<CompiledKernel> {
  try {
    return asCompiled(await WebAssembly.compile(unshared(bytes)));
  } catch (cause) {
    throw notCompiled(cause);
  }
}

/** Compiles synchronously, for runtimes that allow it on their main thread. @throws EngineError `engine/no-wasm` */
export function compileKernelSync(bytes: Uint8Array): CompiledKernel {
  try {
    return asCompiled(new WebAssembly.Module(unshared(bytes)));
  } catch (cause) {
    throw notCompiled(cause);
  }
}
