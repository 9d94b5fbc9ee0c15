import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ED25519_FILES,
  type Ed25519Vector,
  readAnswer,
  readEd25519Vectors,
  readVector,
  SIMPLEX_CASE,
} from '../helpers/vectors.ts';
import { bundleProgram, pageWith } from './bundle.ts';
import { call } from './call.ts';
import { hasChromium, openSite, type Site } from './chromium.ts';
import type { RootProgram } from './root-program.ts';

const CASES = ED25519_FILES.flatMap((file) => readEd25519Vectors(file));
/** The reference engine is slow: it gets every eleventh case, which is some of every file's. */
const SOME = CASES.filter((_, n) => n % 11 === 0);

describe.skipIf(!hasChromium)('in Chromium', () => {
  let site: Site;
  beforeAll(async () => {
    const { resource } = await bundleProgram('root-program');
    site = await openSite({
      '/root.js': resource,
      '/': pageWith('/root.js'),
      '/wasm-allowed': pageWith('/root.js', "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"),
      '/wasm-forbidden': pageWith('/root.js', "default-src 'none'; script-src 'self'"),
      '/no-wasm': pageWith('/root.js', undefined, '<script>delete globalThis.WebAssembly</script>'),
      '/no-inflater': pageWith('/root.js', undefined, '<script>delete globalThis.DecompressionStream</script>'),
    });
  });
  afterAll(() => site?.close());

  async function disagreements(
    engine: 'kernel' | 'kernel with tables' | 'reference',
    cases: readonly Ed25519Vector[],
  ): Promise<string[]> {
    const verdicts = await call<RootProgram, 'verdicts'>(await site.open('/'), 'verdicts', engine, cases);
    expect(verdicts).toHaveLength(cases.length);
    return cases.filter(({ openssl }, n) => verdicts[n] !== openssl).map(({ name }) => name);
  }

  it.each(['kernel', 'kernel with tables'] as const)(
    'the %s answers every public edge case as the node',
    async (name) => {
      expect(CASES.length).toBeGreaterThan(3000);
      expect(await disagreements(name, CASES)).toEqual([]);
    },
  );

  it('the reference engine answers every eleventh as the node', async () => {
    expect(SOME.length).toBeGreaterThan(300);
    expect(await disagreements('reference', SOME)).toEqual([]);
  });

  async function blockOfReport(page: Page): Promise<{ engine: string; verdicts: readonly string[] }> {
    const { engine, stream, single } = await call<RootProgram, 'reports'>(
      page,
      'reports',
      readAnswer(SIMPLEX_CASE),
      readVector(`${SIMPLEX_CASE}/validators.json`),
      2,
    );
    const reports = [...stream, single] as (typeof single)[]; // `stream` was the same before it became text
    return { engine, verdicts: reports.map(({ verdict }) => verdict.status) };
  }

  it.each(['/', '/wasm-allowed'])('the kernel is chosen on a page that may compile it: %s', async (path) => {
    const page = await site.open(path);
    expect(await call<RootProgram, 'engines'>(page, 'engines')).toEqual({ chosen: 'kernel', kernel: 'kernel' });
    expect(await blockOfReport(page)).toEqual({ engine: 'kernel', verdicts: ['final', 'final'] });
  });

  it.each([
    ['has no WebAssembly', '/no-wasm'],
    ['has a Content-Security-Policy that forbids it', '/wasm-forbidden'],
    ['has no DecompressionStream', '/no-inflater'],
  ])('the reference engine is chosen where the page %s, without an exception', async (_, path) => {
    const page = await site.open(path);
    expect(await call<RootProgram, 'engines'>(page, 'engines')).toEqual({
      chosen: 'reference',
      kernel: 'engine/no-wasm',
    });
    expect(await blockOfReport(page)).toEqual({ engine: 'reference', verdicts: ['final', 'final'] });
  });

  it('none of this left an uncaught error or a request elsewhere', () => {
    expect(site.pageErrors).toEqual([]);
    expect(site.elsewhere).toEqual([]);
  });
});
