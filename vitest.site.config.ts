import { defineConfig } from 'vitest/config';

/** The documentation site that `npm run docs:site` has built, in a real Chromium: `npm run test:site`. */
export default defineConfig({
  test: {
    include: ['test/site/**/*.test.ts'],
    testTimeout: 180_000, // for machines that are slow or busy
    hookTimeout: 60_000,
    // Each file starts a browser of its own.
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
});
