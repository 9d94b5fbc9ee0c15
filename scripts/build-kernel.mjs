/**
 * Compiles `src/core/ed25519/assembly` into `src/core/ed25519/kernel-bytes.ts`: the kernels with relaxed vectors, with vectors and without,
 * deflated, in base64. The same source gives the same WebAssembly bytes. Nothing is compiled while the source is the one the file was made from.
 *
 *   node scripts/build-kernel.mjs            rebuild
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = 'src/core/ed25519/assembly';
const target = join(root, 'src/core/ed25519/kernel-bytes.ts');

const FEATURES = {
  relaxed: ['--enable', 'simd', '--enable', 'relaxed-simd'],
  simd: ['--enable', 'simd'],
  scalar: ['--disable', 'simd'],
};

/**
 * @param {'relaxed' | 'simd' | 'scalar'} variant
 * @param {{ assertions?: boolean }} [options] assertions: the debug build, which checks every bound as it runs
 * @returns {Promise<Uint8Array>}
 */
export async function compileKernel(variant, { assertions = false } = {}) {
  const files = new Map();
  const flags = assertions ? ['-O2'] : [variant === 'scalar' ? '-Oz' : '-O3', '--noAssert'];
  // To read the compiler takes a second, and most runs compile nothing.
  const { default: asc } = await import('assemblyscript/asc');
  const { error, stderr } = await asc.main(
    [
      `${source}/${assertions ? 'debug' : 'index'}.ts`,
      '--outFile',
      'kernel.wasm',
      '--runtime',
      'stub',
      ...flags,
      ...FEATURES[variant],
    ],
    {
      readFile(name, base) {
        const swapped =
          variant === 'scalar' ? name.replace(/assembly\/(lanes|products)\.ts$/, 'assembly/$1-scalar.ts') : name;
        try {
          return readFileSync(join(base === '.' || base === undefined ? root : join(root, base), swapped), 'utf8');
        } catch {
          return null;
        }
      },
      writeFile: (name, contents) => void files.set(name, contents),
      listFiles: () => [],
    },
  );
  const wasm = files.get('kernel.wasm');
  if (error || wasm === undefined) throw new Error(`the ${variant} kernel does not compile:\n${stderr.toString()}`);
  return wasm;
}

/** @param {Uint8Array} bytes */
export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

function moduleText(kernels, hash) {
  const { relaxed, simd, scalar } = kernels;
  const deflated = deflateRawSync(Buffer.concat([relaxed, simd, scalar]), { level: 9 });
  return `/**
 * The compiled kernels, one after the other, deflated together, in base64. Made by \`scripts/build-kernel.mjs\` from
 * \`assembly/\`; not edited by hand.
 *  with relaxed vectors: ${relaxed.length} bytes, SHA-256 ${sha256(relaxed)}
 *  with vectors:         ${simd.length} bytes, SHA-256 ${sha256(simd)}
 *  without:              ${scalar.length} bytes, SHA-256 ${sha256(scalar)}
 *  source:               ${hash}
 */

export const RELAXED_KERNEL_BYTES = ${relaxed.length};
export const SIMD_KERNEL_BYTES = ${simd.length};
export const SCALAR_KERNEL_BYTES = ${scalar.length};
export const KERNELS: string =
  '${deflated.toString('base64')}';
`;
}

/** Changes whenever the bytes could. */
function sourceHash() {
  const hash = createHash('sha256');
  for (const name of readdirSync(join(root, source)).sort())
    hash.update(name).update(readFileSync(join(root, source, name)));
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/assemblyscript/package.json'), 'utf8'));
  return hash
    .update(version)
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex');
}

async function main() {
  const hash = sourceHash();
  if (existsSync(target) && readFileSync(target, 'utf8').includes(hash)) return;
  const [relaxed, simd, scalar] = [
    await compileKernel('relaxed'),
    await compileKernel('simd'),
    await compileKernel('scalar'),
  ];
  writeFileSync(target, moduleText({ relaxed, simd, scalar }, hash));
  process.stderr.write(`kernel: ${relaxed.length}, ${simd.length} and ${scalar.length} bytes\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
