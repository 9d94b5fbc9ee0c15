import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportToJson } from '../../src/app/report/report-json.ts';
import { parseSignatureList } from '../../src/core/block/signature-list.ts';
import { chooseEngine } from '../../src/core/ed25519/choose.ts';
import type { Ed25519Engine } from '../../src/core/ed25519/engine.ts';
import { createKernelEngineSync } from '../../src/core/ed25519/kernel.ts';
import { opensslEngine } from '../../src/core/ed25519/openssl.ts';
import { referenceEngine } from '../../src/core/ed25519/reference.ts';
import { parseValidatorSet } from '../../src/core/validators/from-json.ts';
import { createVerifier, type Verifier } from '../../src/core/verify/verifier.ts';
import { everyNth } from '../helpers/share.ts';
import { readVector, realCases } from '../helpers/vectors.ts';

const cases = realCases.filter(({ validators_file }) => validators_file !== undefined);
let chosen: Ed25519Engine;
beforeAll(async () => {
  chosen = await chooseEngine();
});

/**
 * Reports of all real blocks, each the last of several of one verifier.
 * @param repeats how many, by turns
 */
async function reports(
  engine: Ed25519Engine,
  repeats: readonly number[],
  some: readonly (typeof cases)[number][] = cases,
): Promise<string[]> {
  const verifiers = new Map<string, Verifier>();
  const texts: string[] = [];
  for (const [place, { signatures_file, validators_file }] of some.entries()) {
    const validators = parseValidatorSet(readVector(`real/${validators_file}`));
    const verifier = verifiers.get(validators_file!) ?? (await createVerifier(validators, { engine }));
    verifiers.set(validators_file!, verifier);
    const set = parseSignatureList(readVector(`real/${signatures_file}`));
    for (let n = repeats[place % repeats.length]!; n > 1; n--) verifier.verify(set);
    const report = verifier.verify(set);
    expect(report.engine).toBe(engine.name);
    texts.push(JSON.stringify({ ...reportToJson(report), engine: undefined }));
  }
  for (const verifier of verifiers.values()) verifier.close();
  return texts;
}

/** By the reference engine, each made once. */
const made = new Map<unknown, Promise<string[]>>();
const expected = async (some: readonly (typeof cases)[number][]): Promise<string[]> => {
  for (const one of some) if (!made.has(one)) made.set(one, reports(referenceEngine, [1], [one]));
  return (await Promise.all(some.map((one) => made.get(one)!))).flat();
};
afterAll(() => made.clear());

it('has real cases', () => {
  expect(cases.length).toBeGreaterThan(20);
});

it.each([
  ['OpenSSL', () => opensslEngine, [1]],
  ['the chosen engine', () => chosen, [4]],
  ['the kernel without tables', () => createKernelEngineSync({ tableWidth: 0 }), [1]],
  // At every stage: no table, narrow ones of some keys and of all, wide ones of some and of all.
  ['the kernel with growing tables', () => createKernelEngineSync(), [2, 6, 16, 24, 40]],
  ['the kernel with wide tables', () => createKernelEngineSync({ tableWidth: 7 }), [4]],
  ['the kernel without vectors', () => createKernelEngineSync({ tableWidth: 4, variant: 'scalar' }), [4]],
] as const)(
  'reports of %s on real blocks differ from those of the reference engine in nothing but `engine`',
  async (_, engine, repeats) => {
    const some = everyNth(cases, repeats.length > 1 ? 5 : 8, repeats[0]);
    expect(await reports(engine(), repeats, some)).toEqual(await expected(some));
  },
  120_000,
);

it('createVerifier() uses the kernel in Node, and says so', async () => {
  const validators = parseValidatorSet(readVector(`real/${cases[0]!.validators_file}`));
  const verifier = await createVerifier(validators);
  expect(verifier.engine).toBe('kernel');
  verifier.close();
});
