import { describe, expect, it } from 'vitest';
import { loadSubject } from '../simulation/bundle.ts';
import noticedAt from '../simulation/bytes/mutants.json' with { type: 'json' };
import { BYTE_MUTANTS } from '../simulation/bytes/mutants.ts';
import { loadByteSubject } from '../simulation/bytes/subject.ts';
import { coverageOf } from '../simulation/coverage.ts';
import { compareWalks } from '../simulation/differential.ts';
import { firstToNotice, MUTANTS } from '../simulation/mutants.ts';
import { runWorlds } from '../simulation/runner.ts';

it('judges 10 000 random answers as the real walk does', { timeout: 600_000 }, () => {
  const { apart, holding, sameCode } = compareWalks(10_000, 10_000);
  console.log(`${holding} hold, ${sameCode} are refused for one reason`);
  expect(apart).toEqual([]);
});

it('run 95 of 100 lines of the machine in 600 worlds', { timeout: 600_000 }, async () => {
  const { lines, covered, files } = await coverageOf('slow-coverage', 'src/net/machine/', async () => {
    await runWorlds(await loadSubject('slow-coverage'), 1, 600);
  });
  expect(lines).toBeGreaterThan(500);
  expect(covered / lines, JSON.stringify(files)).toBeGreaterThan(0.95);
});

describe('worlds in real bytes notice', { timeout: 600_000 }, () => {
  const faults = [...BYTE_MUTANTS, ...MUTANTS].flatMap((mutant, at) => {
    const hint = noticedAt.find(({ breaks }) => breaks === mutant.breaks)?.firstSeed ?? undefined;
    return hint === undefined ? [] : [{ ...mutant, hint, at }];
  });

  it.each(faults)('when $breaks', async ({ patches, noticed, hint, at }) => {
    const whole = await loadByteSubject('whole-slow');
    const seed = await firstToNotice(whole, await loadByteSubject(`slow-${at}`, patches), noticed, 500, hint);
    expect(seed).toBeDefined();
  });
});
