import { defineConfig } from 'vitest/config';

/** A fleet over a real Redis, `npm run test:fleet`. */
export default defineConfig({
  test: {
    include: ['test/fleet/**/*.test.ts'],
    globalSetup: ['test/helpers/global-setup.ts'],
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
});
