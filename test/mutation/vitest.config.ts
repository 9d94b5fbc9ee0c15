import { statSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files first: most mutants fall to them, and a run ends with the first test that fails. */
class SmallFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const size = ({ moduleId }: TestSpecification) => statSync(moduleId).size;
    return [...files].sort((a, b) => size(a) - size(b));
  }
}

/**
 * The tests that mutants have to get past: those that state rules, in one process. Left out is what watches a clock or
 * another thread, and what tries thousands of inputs.
 */
export default defineConfig({
  test: {
    include: [
      'test/unit/{certificate,chain,inclusion,message,validators,verify}/**/*.test.ts',
      'test/unit/decode/block-id.test.ts',
      'test/contract/{wrong-calls,copies}.test.ts',
      'test/node-parity/**/*.test.ts',
      'test/vectors/{inclusion,inclusion-live,live,run}.test.ts',
    ],
    exclude: ['test/unit/chain/changed-bits.test.ts', 'test/unit/verify/shared-memory.test.ts'],
    setupFiles: ['test/helpers/setup.ts'],
    testTimeout: 120_000,
    isolate: false,
    sequence: { sequencer: SmallFirst },
  },
});
