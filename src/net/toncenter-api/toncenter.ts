/** The name under which what belongs to toncenter-compatible servers alone is public: `toncenter.raw` has their answers and the readers. */
export * as raw from './raw.ts';
