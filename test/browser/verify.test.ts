import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportToJson } from '../../src/app/report/report-json.ts';
import { parseSignatureList } from '../../src/core/block/signature-list.ts';
import { parseValidatorSet } from '../../src/core/validators/from-json.ts';
import { verifyBlock } from '../../src/core/verify/verifier.ts';
import { ORDINARY_CASE, readAnswer, readVector, readVectorBytes, SIMPLEX_CASE } from '../helpers/vectors.ts';
import { type Bundle, bundleCode, bundleProgram, pageWith } from './bundle.ts';
import { call } from './call.ts';
import { type ChainProgram, walkFromAnchor } from './chain-program.ts';
import { hasChromium, openSite, type Site } from './chromium.ts';
import type { RootProgram } from './root-program.ts';

/** As many blocks as take all keys from no table to the narrow and on to the wide ones. */
const BLOCKS = 60;

function reportInNode(answer: unknown, validatorsJson: unknown) {
  const validators = parseValidatorSet(validatorsJson);
  return { ...reportToJson(verifyBlock(parseSignatureList(answer), validators)), engine: 'of the page' };
}

describe.skipIf(!hasChromium)('in Chromium', () => {
  let root: Bundle;
  let chain: Bundle;
  let site: Site;
  let page: Page;
  beforeAll(async () => {
    [root, chain] = await Promise.all([bundleProgram('root-program'), bundleProgram('chain-program')]);
    site = await openSite({
      '/': pageWith('/root.js'),
      '/root.js': root.resource,
      '/chain': pageWith('/chain.js'),
      '/chain.js': chain.resource,
    });
    page = await site.open('/');
  });
  afterAll(() => site?.close());

  async function expectSameReport(answer: unknown, validatorsJson: unknown, status: string): Promise<void> {
    const expected = reportInNode(answer, validatorsJson);
    expect(expected.verdict.status).toBe(status);
    const { engine, stream, single } = await call<RootProgram, 'reports'>(
      page,
      'reports',
      answer,
      validatorsJson,
      BLOCKS,
    );
    expect(engine).toBe('kernel');
    expect(stream).toEqual([{ ...expected, engine: 'kernel' }]);
    expect(single).toEqual({ ...expected, engine: 'reference' });
  }

  it.each([
    ['simplex', SIMPLEX_CASE],
    ['ordinary', ORDINARY_CASE],
  ])('a recorded %s block is final on the kernel, and its report that of Node', async (kind, folder) => {
    const answer = readAnswer(folder);
    expect(parseSignatureList(answer).kind).toBe(kind);
    await expectSameReport(answer, readVector(`${folder}/validators.json`), 'final');
  });

  it('block 59379986 without its lightest signature is insufficient, as in Node', async () => {
    const answer = readAnswer(SIMPLEX_CASE);
    const validatorsJson = readVector(`${SIMPLEX_CASE}/validators.json`);
    const { coverage } = verifyBlock(parseSignatureList(answer), parseValidatorSet(validatorsJson));
    const lightest = coverage.signatures.reduce((least, entry) => (entry.weight < least.weight ? entry : least));
    answer.result.signatures.splice(lightest.index, 1);
    await expectSameReport(answer, validatorsJson, 'insufficient');
  });

  it('the chain entry walks from the shipped anchor through three final links, as in Node', async () => {
    const answer = [...readVectorBytes('real/mainnet-2025-04/partial-block-proof.tl')];
    const walk = await call<ChainProgram, 'walkFromAnchor'>(await site.open('/chain'), 'walkFromAnchor', answer);
    expect(walk.links.map(({ status }) => status)).toEqual(['final', 'final', 'final']);
    expect(walk).toEqual(walkFromAnchor(answer));
  });

  it('nothing but the pages was asked for, on loopback or elsewhere, and no error went uncaught', () => {
    expect(new Set(site.served)).toEqual(new Set(['/', '/root.js', '/chain', '/chain.js']));
    expect(site.elsewhere).toEqual([]);
    expect(site.pageErrors).toEqual([]);
  });

  it('a request that would leave loopback is noticed, and refused', async () => {
    const other = await openSite({ '/': pageWith('/root.js'), '/root.js': root.resource });
    try {
      const asked = ['http://elsewhere.invalid/page', 'http://elsewhere.invalid/worker'] as const;
      await call<RootProgram, 'askElsewhere'>(await other.open('/'), 'askElsewhere', ...asked);
      expect(other.refused).toEqual(expect.arrayContaining([...asked]));
      expect(other.elsewhere).toEqual(expect.arrayContaining([...asked]));
    } finally {
      await other.close();
    }
  });
});

describe('a bundle for browsers', () => {
  it.each(['ton-finality', 'ton-finality/chain'])(
    'of %s takes no module of Node and leaves out OpenSSL',
    async (entry) => {
      const { inputs, warnings } = await bundleCode(`export * from '${entry}';`);
      expect(warnings).toEqual([]);
      expect(inputs).toContain('build/src/core/ed25519/choose-browser.js');
      const left = ['choose', 'openssl', 'adaptive', 'workers'].map((name) => `build/src/core/ed25519/${name}.js`);
      expect(inputs.filter((input) => left.includes(input))).toEqual([]);
    },
  );
});
