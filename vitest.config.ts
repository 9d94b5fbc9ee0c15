import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that set flags of the engine, a part of it or the clock of their process, or depend on how fast their code runs: one process each. */
const ALONE = [
  'test/differential/kernel.test.ts',
  'test/unit/audit/run.test.ts',
  'test/unit/certificate/json-once.test.ts',
  'test/unit/ed25519/**/*.test.ts',
  'test/unit/lite/fault-matrix.test.ts',
  'test/unit/sources/*-soak.test.ts',
];
const ELSEWHERE = ['test/slow/**', 'test/browser/**', 'test/fleet/**'];

/** Files that take ten seconds and more, the longest first: begun last, one of them would be waited for alone. */
const LONG = [
  'unit/ed25519/kernel.test.ts',
  'property/inclusion-changes.test.ts',
  'cli/audit.test.ts',
  'contract/pipelines.test.ts',
  'unit/ed25519/kernel-bounds.test.ts',
  'contract/docs.test.ts',
  'unit/sources/follow-soak.test.ts',
  'differential/kernel.test.ts',
  'cli/hostile-servers.test.ts',
  'cli/verify-from-server.test.ts',
  'unit/lite/sync.test.ts',
  'unit/chain/changed-bits.test.ts',
  'differential/reports.test.ts',
  'unit/sources/follow.test.ts',
  'differential/engines.test.ts',
  'unit/sources/follow-servers.test.ts',
  'cli/prove-lite.test.ts',
  'unit/http/raw-server.test.ts',
  'cli/endings.test.ts',
  'unit/ed25519/workers.test.ts',
  'differential/kernel-roundings.test.ts',
  'contract/guard.test.ts',
  'cli/verify-lite.test.ts',
];

/** The long files, then those with a process each, then the others, which are short and fill what time is left. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}`));
      if (at >= 0) return at;
      return project.name === 'alone' ? LONG.length : LONG.length + 1;
    };
    return files.sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

const common = {
  setupFiles: ['test/helpers/setup.ts'],
  testTimeout: 180_000, // for machines that are slow or busy
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
