/**
 * `ton-finality/sample`: one real mainnet block of each kind with the set that signed it, to try the library without a server.
 * Data only; for examples and tests.
 */
export { type OrdinarySample, ordinarySample, type Sample, simplexSample } from './app/sample/samples.ts';
