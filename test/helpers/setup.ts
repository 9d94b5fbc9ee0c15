/**
 * Properties try other inputs on every run, but in CI: there a run must mean the same tomorrow. The first counterexample
 * ends a law, unshrunk: shrinking one here means signing anew for minutes, and its seed and path are printed.
 */
import fc from 'fast-check';

fc.configureGlobal({
  endOnFailure: true,
  interruptAfterTimeLimit: 60_000,
  ...(process.env.CI === 'true' ? { seed: 20_261_120 } : {}),
});
