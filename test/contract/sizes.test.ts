/**
 * What an entry adds to a bundle that has the chain entry already: the gzipped size of both in one bundle, minified and without the
 * kernel, less that of the chain entry alone. 1 kB is 1000 bytes.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
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

/** What reading and judging takes, without `buildCertificate`. */
const READERS =
  'parseCertificate, parseCertificateJson, verifyCertificate, certificateToBoc, certificateToJson, certificateReportToJson, findEquivocation';

it.each([
  ['inclusion', `export * as inclusion from ${at('inclusion')};`, 16_400],
  ['the reading part of certificate', `export { ${READERS} } from ${at('certificate')};`, 13_700],
  ['certificate', `export * as certificate from ${at('certificate')};`, 21_900],
])('%s adds no more to the chain than it has to', async (_, more, most) => {
  expect((await bytesOf(CHAIN + more)) - (await bytesOf(CHAIN))).toBeLessThanOrEqual(most);
});

it('a page that accepts a certificate weighs 90 kB at most, the kernel and its pace included', async () => {
  const page = `
    import { chooseEngine } from ${at('index')};
    import { parseCheckpoint } from ${at('chain')};
    import { acceptDeposit, parseCertificate, verifyCertificate } from ${at('certificate')};
    globalThis.accept = async (bytes, checkpoint, terms) => {
      const options = { checkpoint: parseCheckpoint(checkpoint), engine: await chooseEngine() };
      return acceptDeposit(verifyCertificate(parseCertificate(bytes), options), terms);
    };`;
  const bytes = await bytesOf(page, []);
  expect(bytes).toBeGreaterThan(55_000); // the kernel is in it
  expect(bytes).toBeLessThanOrEqual(90_000);
});
