/**
 * Properties try other inputs on every run, but in CI: there a run must mean the same tomorrow. The first counterexample
 * ends a law, unshrunk: shrinking one here means signing anew for minutes, and its seed and path are printed.
 */
import './oracle-hashes.ts';
import fc from 'fast-check';
import { recordTimes } from './file-times.ts';

fc.configureGlobal({
  endOnFailure: true,
  interruptAfterTimeLimit: 60_000,
  ...(process.env.CI === 'true' ? { seed: 20_261_120 } : {}),
});

if (process.env.TEST_TIMES !== undefined) recordTimes(process.env.TEST_TIMES);
