import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that set flags of the engine, a part of it or the clock of their process, or depend on how fast their code runs: one process each. */
const ALONE = [
  'test/differential/kernel.test.ts',
  'test/unit/audit/run.test.ts',
  'test/unit/certificate/json-once.test.ts',
  'test/unit/ed25519/**/*.test.ts',
  'test/unit/lite/fault-matrix.test.ts',
];
const ELSEWHERE = ['test/slow/**', 'test/browser/**', 'test/fleet/**', 'test/site/**'];

/** Seconds of processor time by file, which `scripts/test-times.mjs` keeps. */
const times: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('test/times.json', import.meta.url), 'utf8'),
);

/** The long files first: begun last, one of them would be waited for alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification) => times[moduleId.slice(moduleId.lastIndexOf('/test/') + 1)] ?? 0;
    return files.sort((a, b) => seconds(b) - seconds(a) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

const common = {
  setupFiles: ['test/helpers/setup.ts'],
  // For machines that are slow or busy.
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // Many tests wait for child processes and servers: three at a time keep two cores busy.
    maxWorkers: 3,
    projects: [
      { test: { ...common, name: 'alone', include: ALONE } },
      // Reading the sources takes longer than most of these files: a process reads them once.
      {
        test: {
          ...common,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...ALONE],
          isolate: false,
        },
      },
    ],
  },
});
