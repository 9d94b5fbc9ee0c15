/**
 * Compiles `src/ed25519/assembly` into `src/ed25519/kernel-bytes.ts`: the kernel with vectors and the one without, deflated,
 * in base64. The same source gives the same WebAssembly bytes; the file is written only when they change.
 *
 *   node scripts/build-kernel.mjs            rebuild
 *   node scripts/build-kernel.mjs --check    fail if the file does not hold what the source gives
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import asc from 'assemblyscript/asc';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = 'src/ed25519/assembly';
const target = join(root, 'src/ed25519/kernel-bytes.ts');

/**
 * @param {'simd' | 'scalar'} variant
 * @param {{ assertions?: boolean }} [options] assertions: the debug build, which checks every bound as it runs
 * @returns {Promise<Uint8Array>}
 */
export async function compileKernel(variant, { assertions = false } = {}) {
  const files = new Map();
  const flags = assertions ? ['-O2'] : [variant === 'simd' ? '-O3' : '-Oz', '--noAssert'];
  const { error, stderr } = await asc.main(
    [
      `${source}/${assertions ? 'debug' : 'index'}.ts`,
      '--outFile',
      'kernel.wasm',
      '--runtime',
      'stub',
      ...flags,
      ...(variant === 'simd' ? ['--enable', 'simd'] : ['--disable', 'simd']),
    ],
    {
      readFile(name, base) {
        const swapped = variant === 'scalar' ? name.replace(/assembly\/lanes\.ts$/, 'assembly/lanes-scalar.ts') : name;
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

function literal(name, comment, wasm) {
  const text = Buffer.from(deflateRawSync(wasm, { level: 9 })).toString('base64');
  return `/** ${comment}, ${wasm.length} bytes, SHA-256 ${sha256(wasm)}. */\nexport const ${name} =\n  '${text}';\n`;
}

async function main() {
  const simd = await compileKernel('simd');
  const scalar = await compileKernel('scalar');
  let existing = '';
  try {
    existing = readFileSync(target, 'utf8');
  } catch {}
  const current = existing.includes(sha256(simd)) && existing.includes(sha256(scalar));
  if (process.argv.includes('--check')) {
    if (!current)
      throw new Error('src/ed25519/kernel-bytes.ts is not what the source gives: run scripts/build-kernel.mjs');
    return;
  }
  if (!current) {
    writeFileSync(
      target,
      `/** The compiled kernel, deflated, in base64. Made by \`scripts/build-kernel.mjs\` from \`assembly/\`; not edited by hand. */\n\n${literal(
        'SIMD_KERNEL',
        'With 128-bit vectors',
        simd,
      )}\n${literal('SCALAR_KERNEL', 'Without vectors', scalar)}`,
    );
  }
  process.stderr.write(
    `kernel: simd ${simd.length} bytes, scalar ${scalar.length} bytes${current ? ', unchanged' : ''}\n`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
