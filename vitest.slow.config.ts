import { defineConfig } from 'vitest/config';

/** Soak and fuzz: minutes, not seconds. `npm run test:slow`. */
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts'],
    maxWorkers: 2, // each of them takes one core, or waits
    disableConsoleIntercept: true,
  },
});
