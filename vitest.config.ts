import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/slow/**', 'test/browser/**', 'test/fleet/**'],
    globalSetup: ['test/helpers/global-setup.ts'],
    setupFiles: ['test/helpers/setup.ts'],
    testTimeout: 60_000, // for machines that are slow or busy
    // Many tests wait for child processes and servers: three at a time keep two cores busy.
    maxWorkers: 3,
  },
});
