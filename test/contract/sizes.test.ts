/**
 * What an entry adds to a bundle that has the chain entry already: the gzipped size of both in one bundle, minified and without the
 * kernel, less that of the chain entry alone. 1 kB is 1000 bytes.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/vectors.ts';

const at = (entry: string) => JSON.stringify(join(ROOT, 'build', 'src', `${entry}.js`));
const CHAIN = `export * as chain from ${at('chain')};`;

async function bytesOf(contents: string, external: string[] = ['*/kernel.js', '*/adaptive.js']): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    external,
    mainFields: ['browser', 'module', 'main'],
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

const FACTS = `export * as facts from ${at('facts')};`;
const namesOf = async (entry: string) => Object.keys(await import(join(ROOT, 'build', 'src', `${entry}.js`)));
/** Those of the names of `./facts` that `wanted` takes. */
const some = async (wanted: (name: string) => boolean) =>
  `export { ${(await namesOf('facts')).filter(wanted).join(', ')} } from ${at('facts')};`;

const isOfCertificates = (name: string) => /certificate|equivocation/i.test(name);
const isOfDeposits = (name: string) => /deposit/i.test(name);
const isFact = (name: string) => !isOfCertificates(name) && !isOfDeposits(name);

describe('what an entry adds', async () => {
  const facts = CHAIN + (await some(isFact));
  const deposits = CHAIN + (await some((name) => !isOfCertificates(name)));
  const readers = CHAIN + (await some((name) => name !== 'buildCertificate'));
  const all = CHAIN + FACTS;
  it.each([
    ['facts, the chain included, to nothing', '', facts, 50_000], // 36 kB may be the chain's
    ['deposits, facts and the chain to nothing', '', deposits, 52_000],
    ['reading certificates to facts and deposits', deposits, readers, 9_000],
    ['making certificates to reading them', readers, all, 5_000],
    ['servers to facts', all, `${all}export * as servers from ${at('servers')};`, 73_800],
  ])('%s is no more than it has to', async (_, without, whole, most) => {
    const more = (await bytesOf(whole)) - (await bytesOf(without));
    expect(more).toBeGreaterThan(2_000);
    expect(more).toBeLessThanOrEqual(most);
  });
});

it('a page that accepts a certificate weighs 90 kB at most, the kernel and its pace included', async () => {
  const page = `
    import { chooseEngine } from ${at('index')};
    import { parseCheckpoint } from ${at('chain')};
    import { acceptDeposit, parseCertificate, verifyCertificate } from ${at('facts')};
    globalThis.accept = async (bytes, checkpoint, terms) => {
      const options = { checkpoint: parseCheckpoint(checkpoint), engine: await chooseEngine() };
      return acceptDeposit(verifyCertificate(parseCertificate(bytes), options), terms);
    };`;
  const bytes = await bytesOf(page, []);
  expect(bytes).toBeGreaterThan(55_000); // the kernel is in it
  expect(bytes).toBeLessThanOrEqual(90_000);
});
