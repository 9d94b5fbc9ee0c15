import { defineConfig } from 'vitest/config';

/** Soak and fuzz: minutes, not seconds. `npm run test:slow`. */
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts'],
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
});
