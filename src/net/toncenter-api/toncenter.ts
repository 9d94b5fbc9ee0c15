/** Public names that only concern toncenter-compatible servers: `toncenter.raw` has their answers and the readers. */
export * as raw from './raw.ts';
