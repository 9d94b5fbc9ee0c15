import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Files of which `npm test` tries a share of the inputs. */
const SHARED = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes("/helpers/share.ts'"));

/** Soak and fuzz: minutes, not seconds. `npm run test:slow`. */
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts', ...SHARED],
    globalSetup: ['test/helpers/global-setup.ts'],
    setupFiles: ['test/helpers/setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 2, // each of them takes one core, or waits
    disableConsoleIntercept: true,
    env: { FULL: 'true' },
  },
});
