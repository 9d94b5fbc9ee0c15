import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { compiledModules } from './test/helpers/compiled-modules.ts';

/** Files that load modules anew, which vitest can only with sources: one process each. */
const FROM_SOURCES = ['test/unit/ed25519/{adaptive,engines}.test.ts'];
/** Files that set a part of the engine or the clock of their process: one process each. */
const ALONE = ['test/unit/audit/run.test.ts', 'test/unit/certificate/json-once.test.ts'];
/** Files that set a flag of the engine: they share processes with each other, and with no others. */
const FLAGGED = [
  'test/differential/kernel.test.ts',
  'test/unit/ed25519/{kernel,kernel-bounds,kernel-calls,ring-inputs}.test.ts',
];
const ELSEWHERE = [
  '**/node_modules/**',
  ...['real-time', 'slow', 'browser', 'fleet', 'site'].map((name) => `test/${name}/**`),
];

/** How long each file keeps a worker, in seconds, which `scripts/test-times.mjs` keeps. */
const times: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('test/times.json', import.meta.url), 'utf8'),
);

/**
 * Project by project, and in each the long files first: begun last, one of them would be waited for alone. A process that is shared
 * ends where the next file is of another project, and reading all modules anew takes longer than most files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turn = ({ project }: TestSpecification) => ['sources', 'alone', 'flagged', 'together'].indexOf(project.name);
    const seconds = ({ moduleId }: TestSpecification) => times[moduleId.slice(moduleId.lastIndexOf('/test/') + 1)] ?? 0;
    return files.sort((a, b) => turn(a) - turn(b) || seconds(b) - seconds(a) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

const { plugins, external } = compiledModules();

export { plugins };

/**
 * Of V8, for processes of some seconds. Room for what is soon garbage, which is then not copied twice. Code is compiled when it first
 * runs, and compiled anew only where it has run long: a third of what worlds took went to compilers. One thread collects garbage, as other
 * processes keep the cores busy. Later versions may not know the flags of Node 20.
 */
const execArgv = [
  '--max-semi-space-size=64',
  '--single-threaded-gc',
  ...(process.versions.node.startsWith('20.') ? ['--always-sparkplug', '--interrupt-budget=1000000'] : []),
];

const fromSources = {
  execArgv,
  setupFiles: ['test/helpers/setup.ts'],
  // For machines that are slow or busy.
  testTimeout: 180_000,
  hookTimeout: 180_000,
};
export const common = { ...fromSources, server: { deps: { external } } };

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // Most files compute, and some wait for servers on loopback: three at a time keep two cores busy.
    maxWorkers: 3,
    projects: [
      { test: { ...fromSources, name: 'sources', include: FROM_SOURCES } },
      { plugins, test: { ...common, name: 'alone', include: ALONE } },
      { plugins, test: { ...common, name: 'flagged', include: FLAGGED, isolate: false } },
      // Reading all modules takes longer than most of these files: a process reads them once.
      {
        plugins,
        test: {
          ...common,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...FROM_SOURCES, ...ALONE, ...FLAGGED],
          isolate: false,
        },
      },
    ],
  },
});
