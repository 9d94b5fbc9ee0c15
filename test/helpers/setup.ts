/** Properties try other inputs on every run, but in CI: there a run must mean the same tomorrow. A failure prints its seed. */
import fc from 'fast-check';

if (process.env.CI === 'true') fc.configureGlobal({ seed: 20_261_120 });
