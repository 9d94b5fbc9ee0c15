/** Bundles for browsers as an application would: the built package, its `exports` and its `browser` field. */
import { type BuildOptions, build } from 'esbuild';
import { ROOT } from '../helpers/vectors.ts';
import type { Resource } from './chromium.ts';

export interface Bundle {
  readonly resource: Resource;
  /** The files that went in, from the root of the package. */
  readonly inputs: readonly string[];
  /** Those of which something is left in the bundle. */
  readonly used: readonly string[];
  readonly warnings: readonly string[];
}

async function bundle(options: BuildOptions): Promise<Bundle> {
  const { outputFiles, metafile, warnings } = await build({
    ...options,
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return {
    resource: { type: 'text/javascript', body: outputFiles![0]!.text },
    inputs: Object.keys(metafile!.inputs),
    used: Object.values(metafile!.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([name, { bytesInOutput }]) => (bytesInOutput > 0 ? [name] : [])),
    ),
    warnings: warnings.map(({ text }) => text),
  };
}

/** A program of this folder, compiled. */
export function bundleProgram(name: 'root-program' | 'chain-program' | 'http-program'): Promise<Bundle> {
  return bundle({ entryPoints: [`build/test/browser/${name}.js`] });
}

/** Code that imports the package by its name. */
export function bundleCode(contents: string): Promise<Bundle> {
  return bundle({ stdin: { contents, resolveDir: ROOT } });
}

/** A page that loads the bundle, after a script of its own if there is one. */
export function pageWith(bundlePath: string, policy?: string, before = ''): Resource {
  const head = '<!doctype html><title>test</title><link rel="icon" href="data:,">';
  const body = `${head}${before}<script type="module" src="${bundlePath}"></script>`;
  return { type: 'text/html', body, ...(policy === undefined ? {} : { policy }) };
}
