/** The kernel compiled from its source: by the first run after a change, and kept in `build/` for the next ones. CI compiles each time. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFull } from './share.ts';
import { ROOT } from './vectors.ts';

const { compileKernel, sha256 } = (await import(
  join(ROOT, 'scripts', 'build-kernel.mjs')
)) as typeof import('../../scripts/build-kernel.mjs'); // the same file from `test/` and from `build/test/`

const FOLDER = join(ROOT, 'build', 'kernel');
const SOURCE = 'src/core/ed25519/assembly';

/** Another one whenever the bytes could be others: of the source, of the program that compiles it and of how it is called. */
function sourceHash(): string {
  const names = readdirSync(join(ROOT, SOURCE))
    .sort()
    .map((name) => `${SOURCE}/${name}`);
  const all = [...names, 'scripts/build-kernel.mjs', 'node_modules/assemblyscript/package.json'];
  return sha256(Buffer.concat(all.flatMap((name) => [Buffer.from(`${name}\n`), readFileSync(join(ROOT, name))])));
}

/** @param assertions the debug build, which checks every bound as it runs */
export async function compiledKernel(
  variant: 'relaxed' | 'simd' | 'scalar',
  assertions = false,
): Promise<Uint8Array<ArrayBuffer>> {
  const name = `${variant}${assertions ? '-assertions' : ''}`;
  const file = join(FOLDER, `${name}-${sourceHash()}.wasm`);
  if (!isFull && process.env.CI === undefined && existsSync(file)) return new Uint8Array(readFileSync(file));
  const bytes = Uint8Array.from(await compileKernel(variant, { assertions }));
  mkdirSync(FOLDER, { recursive: true });
  const made = `${file}.${process.pid}`;
  writeFileSync(made, bytes);
  renameSync(made, file);
  return bytes;
}
