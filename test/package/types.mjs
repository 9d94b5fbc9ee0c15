/** The declarations, under the oldest and the newest compilers and with nothing but the language's own types. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readmePrograms } from './runs.mjs';
import { ENTRIES, ROOT, run } from './tarball.mjs';

const TOOLS = fileURLToPath(new URL('tools/node_modules/', import.meta.url));
const COMPILERS = {
  5.0: join(TOOLS, 'typescript-5.0'),
  5.9: join(TOOLS, 'typescript-5.9'),
  '7.0': join(ROOT, 'node_modules', 'typescript'),
};
const RESOLUTIONS = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};
/** The default of `"module": "commonjs"` before TypeScript 7.0, which has it no more. */
const NODE10 = { module: 'commonjs', moduleResolution: 'node10' };
/** Each entry, one value and one type of it: an import alone would be dropped. */
const EVERY_ENTRY = ENTRIES.map(
  (name, at) => `import * as x${at} from '${name}';\nexport const y${at}: typeof x${at} = x${at};`,
);

/** A consumer's own few lines: where a signal, a fetch or a worker is handed over. */
const CONSUMER = `
import { createVerifier, parseSignatureList, parseValidatorSet, type VerificationReport } from 'ton-finality';
import { followBlocks, toncenterV2 } from 'ton-finality/servers';
import { createWorkerPool } from 'ton-finality/node';
import { ordinarySample, simplexSample } from 'ton-finality/sample';

const verifier = await createVerifier(parseValidatorSet(simplexSample.validators));
const report: VerificationReport = verifier.verify(parseSignatureList(simplexSample.signatures));
const bytes: Uint8Array = ordinarySample.headerProof;
const source = toncenterV2({ baseUrl: 'http://127.0.0.1/api/v2', fetch: globalThis.fetch });
const signal: AbortSignal = new AbortController().signal;
const { signatures: answer } = await source.signatures(1, { signal });
const pool = await createWorkerPool({ workerUrl: new URL('./pool-worker.js', import.meta.url) });
export { answer, bytes, followBlocks, pool, report };
`;

async function compile(folder, compiler, options, files) {
  const version = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8')).version;
  const project = join(folder, `tsconfig-${Math.random().toString(36).slice(2)}.json`);
  const base = { target: 'es2022', strict: true, noEmit: true, exactOptionalPropertyTypes: true };
  writeFileSync(project, JSON.stringify({ compilerOptions: { ...base, ...options }, files }));
  const tsc = createRequire(join(compiler, 'package.json')).resolve('./bin/tsc');
  await run(process.execPath, [tsc, '-p', project], folder).catch(({ stdout, stderr, message }) => {
    assert.fail(`TypeScript ${version}: ${stdout || stderr || message}`);
  });
  return version;
}

export async function checkTypes(folder) {
  const types = join(folder, 'types');
  mkdirSync(types);
  const write = (name, text) => {
    writeFileSync(join(types, name), text);
    return join('types', name);
  };
  const entries = write('entries.ts', EVERY_ENTRY.join('\n'));
  const consumer = write('consumer.ts', CONSUMER);
  const programs = readmePrograms().map(({ code }, at) => write(`readme-${at}.ts`, `${code}\nexport {};\n`));
  const bare = { lib: ['es2022'], types: [], skipLibCheck: false };
  for (const [name, compiler] of Object.entries(COMPILERS)) {
    if (name !== '7.0') {
      await compile(folder, compiler, { ...bare, ...NODE10 }, [entries]);
      console.log(`TypeScript ${name}, node10`);
    }
    for (const [resolution, options] of Object.entries(RESOLUTIONS)) {
      const version = await compile(folder, compiler, { ...bare, ...options }, [entries]);
      assert.ok(version.startsWith(name), version);
      // The types of Node do not all compile under 5.0.
      const node = { lib: ['es2022', 'dom'], types: ['node'], skipLibCheck: true };
      await compile(folder, compiler, { ...node, ...options }, [consumer]);
      console.log(`TypeScript ${version}, ${resolution}`);
    }
  }
  await compile(folder, COMPILERS['7.0'], { ...RESOLUTIONS.nodenext, lib: ['es2022'], types: ['node'] }, programs);
  console.log(`README's ${programs.length} programs`);
}
