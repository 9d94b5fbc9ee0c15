/** Defines the rows that are written into the page and read by `report-page/`. They are compact, since there can be 10,000 blocks. */

/**
 * One block. The members are, in order:
 * - seqno, index into `ROW_OUTCOMES`, reason or code or 0, kind (0 no signatures, 1 ordinary, 2 simplex)
 * - signed weight, required weight (0 for that of its set), index of the set or -1, number of unknown entries
 * - Unix seconds or 0, flags, the seqno that leads down to the block or 0
 * - in base64: root hash, file hash, bitmap of the absent, bitmap of the bad
 */
export type PageRow = readonly [
  seqno: number,
  outcome: number,
  detail: string | 0,
  kind: 0 | 1 | 2,
  signed: string | 0,
  required: string | 0,
  set: number,
  unknown: number,
  time: number,
  flags: number,
  by: number,
  packed: string,
];

/** Bits of the flags. The five members of the block id are the lowest, in the order of the id. */
export const FLAG = { setMatches: 32, setDiffers: 64 } as const;

/** Index of the key in `keys`; newest weight; blocks; absent; bad; first block of its sets. */
export type PageValidator = readonly [
  key: number,
  weight: string,
  blocks: number,
  absent: number,
  bad: number,
  first: number,
];

export interface PageSet {
  readonly hash: string;
  readonly total: string;
  /** The required weight, in the first row of this set. */
  readonly required: string;
  readonly provenBy: number | null;
  readonly size: number;
  /** Indexes into `keys`; `null` if the page would become too large. */
  readonly members: readonly number[] | null;
  readonly weights: readonly string[];
}
