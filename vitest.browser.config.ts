import { defineConfig } from 'vitest/config';

/** The bundled entries in a real Chromium, `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Each file starts a browser of its own.
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
});
