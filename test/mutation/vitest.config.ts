import { readFileSync, statSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files first: most mutants fall to them, and a run ends with the first test that fails. */
class SmallFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const size = ({ moduleId }: TestSpecification) => statSync(moduleId).size;
    return [...files].sort((a, b) => size(a) - size(b));
  }
}

const { parts, without } = JSON.parse(readFileSync(new URL('./parts.json', import.meta.url), 'utf8')) as {
  readonly parts: Readonly<Record<string, { readonly tests: readonly string[] }>>;
  readonly without: string[];
};
const part = process.env.MUTATION_PART;
const tests = Object.entries(parts).flatMap(([name, { tests: own }]) =>
  part === undefined || part === name ? own : [],
);

/**
 * The tests that mutants have to get past: those that state rules, in one process. Left out is what watches a clock or
 * another thread, and what tries thousands of inputs.
 */
export default defineConfig({
  test: {
    include: tests.map((path) => (path.endsWith('.ts') ? path : `${path}/*.test.ts`)),
    exclude: without,
    setupFiles: ['test/helpers/setup.ts'],
    testTimeout: 120_000,
    isolate: false,
    env: { FULL: 'true' },
    sequence: { sequencer: SmallFirst },
  },
});
