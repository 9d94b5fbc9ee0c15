import { defineConfig } from 'vitest/config';
import { common, LongestFirst, plugins } from './vitest.config.ts';

/** Files that set a part of the engine or the clock of their process: one process each. */
const ALONE = ['test/real-time/{ed25519/workers,lite/fault-matrix}.test.ts'];

/** What needs real seconds, or real processes by the dozen: `npm run test:real-time`. */
export default defineConfig({
  test: {
    globalSetup: ['test/helpers/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // These files wait for servers, timers and child processes many times as long as they compute: six at a time keep two cores busy.
    maxWorkers: 6,
    projects: [
      { plugins, test: { ...common, name: 'alone', include: ALONE } },
      {
        plugins,
        test: { ...common, name: 'together', include: ['test/real-time/**/*.test.ts'], exclude: ALONE, isolate: false },
      },
    ],
  },
});
