import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that set flags of the engine, clocks or the environment of their process, or have short deadlines: one process each. */
const ALONE = [
  'test/contract/**/*.test.ts',
  'test/differential/**/*.test.ts',
  'test/unit/{audit,bench,cli,demo,ed25519,http,site,sources}/**/*.test.ts',
  'test/unit/lite/fault-matrix.test.ts',
];
const ELSEWHERE = ['test/slow/**', 'test/browser/**', 'test/fleet/**'];

/** Files that take ten seconds and more, the longest first: begun last, one of them would be waited for alone. */
const LONG = [
  'unit/ed25519/kernel.test.ts',
  'unit/ed25519/kernel-bounds.test.ts',
  'property/inclusion-changes.test.ts',
  'contract/docs.test.ts',
  'cli/audit.test.ts',
  'contract/pipelines.test.ts',
  'differential/kernel.test.ts',
  'unit/sources/follow-soak.test.ts',
  'cli/verify-from-server.test.ts',
  'cli/hostile-servers.test.ts',
  'unit/chain/changed-bits.test.ts',
  'differential/reports.test.ts',
  'unit/lite/sync.test.ts',
  'cli/verify-lite.test.ts',
  'cli/prove-lite.test.ts',
  'unit/http/raw-server.test.ts',
  'unit/sources/follow.test.ts',
  'cli/endings.test.ts',
  'differential/engines.test.ts',
  'contract/guard.test.ts',
  'unit/sources/follow-servers.test.ts',
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
