/** The package in bundles: pages of Vite and esbuild in Chromium, and a pool of workers in the output of every bundler. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { hasChromium, openSite } from '../../build/test/browser/chromium.js';
import { run } from './tarball.mjs';

const tools = createRequire(new URL('tools/package.json', import.meta.url));
const load = (name) => import(pathToFileURL(tools.resolve(name)).href);

const PAGE = `
import { createVerifier, parseSignatureList, parseValidatorSet } from 'ton-finality';
import { verifyHeader } from 'ton-finality/chain';
import { toncenterV2 } from 'ton-finality/servers';
import { parseLiteAnswer, verifyCertificate } from 'ton-finality/facts';
import { reportToJson } from 'ton-finality/report';
import { ordinarySample, simplexSample } from 'ton-finality/sample';

globalThis.judge = async () => {
  const statuses = [];
  for (const sample of [simplexSample, ordinarySample]) {
    const set = parseSignatureList(sample.signatures);
    const verifier = await createVerifier(parseValidatorSet(sample.validators));
    const header = sample === ordinarySample ? { header: verifyHeader(sample.headerProof, set.blockId) } : {};
    statuses.push(reportToJson(verifier.verify(set, { context: header, requireBoundId: true })).verdict.status, verifier.engine);
    verifier.close();
  }
  return [...statuses, typeof toncenterV2, typeof parseLiteAnswer, typeof verifyCertificate];
};
`;

const POOL = `
import { createVerifier, parseSignatureList, parseValidatorSet } from 'ton-finality';
import { createWorkerPool } from 'ton-finality/node';
import { simplexSample } from 'ton-finality/sample';

const [workerUrl] = process.argv.slice(2);
try {
  const engine = await createWorkerPool({ threads: 3, ...(workerUrl === undefined ? {} : { workerUrl }) });
  const verifier = await createVerifier(parseValidatorSet(simplexSample.validators), { engine });
  const { verdict, coverage } = verifier.verify(parseSignatureList(simplexSample.signatures));
  console.log(engine.threads, verdict.status, coverage.signedWeight);
  await engine.close();
} catch (error) {
  console.log(error.code, error.message, error.hint);
}
`;
const WORKER = `import 'ton-finality/node/worker';\n`;

/** Each writes \`main.mjs\` and, where it is given, \`worker.mjs\` to the output folder. */
const BUNDLERS = {
  async esbuild(folder, outdir, inputs) {
    await esbuild.build({
      absWorkingDir: folder,
      entryPoints: Object.entries(inputs).map(([out, file]) => ({ in: file, out })),
      outdir,
      bundle: true,
      platform: 'node',
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      logLevel: 'error',
    });
  },
  async rollup(folder, outdir, inputs) {
    const [{ rollup }, { nodeResolve }] = [await load('rollup'), await load('@rollup/plugin-node-resolve')];
    const bundle = await rollup({
      input: inputs,
      external: /^node:/,
      plugins: [nodeResolve({ exportConditions: ['node'], rootDir: folder })],
      onwarn() {},
    });
    await bundle.write({ dir: outdir, format: 'es', entryFileNames: '[name].mjs' });
    await bundle.close();
  },
  async vite(folder, outdir, inputs) {
    const { build } = await load('vite');
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir: outdir,
        emptyOutDir: false,
        rollupOptions: { input: inputs, output: { entryFileNames: '[name].mjs' } },
      },
    });
  },
  async webpack(folder, outdir, inputs) {
    const { default: webpack } = await load('webpack');
    const stats = await promisify(webpack)({
      context: folder,
      mode: 'production',
      target: 'node20',
      entry: inputs,
      experiments: { outputModule: true },
      output: {
        path: outdir,
        filename: '[name].mjs',
        chunkFilename: '[name].mjs',
        module: true,
        chunkFormat: 'module',
      },
    });
    assert.ok(!stats.hasErrors(), stats.toString({ all: false, errors: true }));
  },
};

const POOL_PRINTS = '3 final 316528174049644214n\n';

export async function checkPools(folder) {
  writeFileSync(join(folder, 'pool-main.mjs'), POOL);
  writeFileSync(join(folder, 'pool-worker.mjs'), WORKER);
  for (const [name, bundle] of Object.entries(BUNDLERS)) {
    const outdir = join(folder, `pool-${name}`);
    mkdirSync(outdir);
    await bundle(folder, outdir, { main: join(folder, 'pool-main.mjs'), worker: join(folder, 'pool-worker.mjs') });
    // Far from the package, so that nothing but the bundle can be used.
    const program = join(outdir, 'main.mjs');
    const named = await run(process.execPath, [program, join(outdir, 'worker.mjs')], outdir);
    assert.equal(named.stdout, POOL_PRINTS, `${name}, with workerUrl`);
    const unnamed = await run(process.execPath, [program], outdir);
    // webpack names the file in its own way, and its ES modules then refer to what they do not have.
    const missing =
      name === 'webpack' ? /^engine\/worker .* workerUrl\n$/ : /^engine\/worker .*worker-thread\.js.* workerUrl\n$/;
    assert.match(unnamed.stdout, missing, `${name}, without workerUrl`);
    console.log(`a pool in a bundle of ${name}`);
  }
}

async function pageOfEsbuild(folder) {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: ['page.mjs'],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].text;
}

async function pageOfVite(folder) {
  const { build } = await load('vite');
  const outDir = join(folder, 'page-vite');
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { outDir, emptyOutDir: false, lib: { entry: 'page.mjs', formats: ['es'], fileName: () => 'page.js' } },
  });
  return readFileSync(join(outDir, 'page.js'), 'utf8');
}

/** @returns nothing; without a Chromium, and without CI=true, nothing is checked */
export async function checkPages(folder) {
  if (!hasChromium) return;
  writeFileSync(join(folder, 'page.mjs'), PAGE);
  for (const [name, bundle] of Object.entries({ esbuild: pageOfEsbuild, vite: pageOfVite })) {
    const site = await openSite({
      '/': {
        type: 'text/html',
        body: '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
      },
      '/page.js': { type: 'text/javascript', body: await bundle(folder) },
    });
    try {
      const page = await site.open('/');
      const got = await page.evaluate(() => globalThis.judge());
      assert.deepEqual(got, ['final', 'kernel', 'final', 'kernel', 'function', 'function', 'function'], name);
      assert.deepEqual(site.pageErrors, []);
      assert.deepEqual(site.elsewhere, []);
    } finally {
      await site.close();
    }
    console.log(`a page bundled by ${name}, in Chromium`);
  }
}
