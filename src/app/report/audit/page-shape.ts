/** The data of a page as it is written into it: compact, since there can be 10 000 blocks. Read by `report-page/`. */

/**
 * One block: seqno; outcome as an index into `OUTCOMES`; its reason or code, or 0; 0 no signatures, 1 ordinary, 2 simplex;
 * signed weight; the weight it needs, 0 for that of its set; index of the set, or -1; unknown entries; Unix seconds, or 0; flags;
 * the seqno that leads down to it, or 0; and in base64 root hash, file hash, the bitmaps of the absent and the bad.
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

/** Bits of the flags; the five fields of the block id are the lowest, in the order of the id. */
export const FLAG = { keyBlock: 32, setMatches: 64, setDiffers: 128, provenSet: 256 } as const;

/** Key as an index into `keys`; newest weight; sets; blocks; absent; bad; first and last block of its sets. */
export type PageValidator = readonly [
  key: number,
  weight: string,
  sets: number,
  blocks: number,
  absent: number,
  bad: number,
  first: number,
  last: number,
];

export interface PageSet {
  readonly hash: string;
  readonly total: string;
  /** The weight that is final, in the first row of this set. */
  readonly required: string;
  readonly provenBy: number | null;
  readonly first: number;
  readonly last: number;
  readonly blocks: number;
  readonly size: number;
  /** Indexes into `keys`; `null` where the page would grow too large. */
  readonly members: readonly number[] | null;
  readonly weights: readonly string[];
}

export interface PageData {
  readonly headline: string;
  readonly conclusion: string;
  readonly from: number;
  readonly to: number;
  readonly last: number;
  readonly finished: boolean;
  readonly hash: string;
  /** Name of the ledger's file, and of the program that made the page with its version. */
  readonly ledger: string | null;
  readonly tool: string | null;
  /** Which part of which range this is, in words; `null` for a whole one. */
  readonly part: string | null;
  /** Unix seconds of the first and last block that has a proven header. */
  readonly times: readonly [first: number, last: number] | null;
  readonly policy: string;
  readonly trust: string;
  /** As a number between 2/3 and 1, for the line in the pictures. */
  readonly threshold: number;
  readonly thresholdWords: string;
  readonly outcomes: readonly number[];
  readonly judged: string;
  /** What a ledger is worth. */
  readonly record: string;
  readonly mean: number | null;
  readonly thinnest: readonly [seqno: number, share: number] | null;
  /** Columns of equal length, one entry a bin. Coverage in millionths, -1 without signatures. */
  readonly bins: {
    readonly first: readonly number[];
    readonly last: readonly number[];
    readonly least: readonly number[];
    readonly mean: readonly number[];
    readonly outcome: readonly number[];
    readonly time: readonly number[];
    readonly row: readonly PageRow[];
  };
  readonly histogram: { readonly from: number; readonly final: readonly number[]; readonly other: readonly number[] };
  readonly keys: readonly string[];
  readonly sets: readonly PageSet[];
  readonly columns: readonly (readonly [first: number, last: number])[];
  /** Those who missed most first. */
  readonly validators: readonly PageValidator[];
  /** Of each validator: column, blocks, absent, bad; and so on. */
  readonly cells: readonly (readonly number[])[];
  /** All validators, of which those above are some. */
  readonly validatorCount: number;
  readonly changes: readonly (readonly [seqno: number, size: number, joined: number, left: number])[];
  readonly runs: readonly (readonly [first: number, last: number, words: string])[];
  readonly unlisted: { readonly runs: number; readonly changes: number };
}
