/** Formats numbers and bytes for people. */
import { encodeHex } from '../../core/base/bytes.ts';
import { millionthsOf } from '../audit/millionths.ts';
import type { PageData } from '../report/audit/page-data.ts';
import { FLAG, type PageRow } from '../report/audit/page-rows.ts';
import { percent } from '../report/layout.ts';

/** Unix seconds as UTC. */
export function time(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}

export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export const hexOf = (base64: string) => encodeHex(bytesOf(base64));

/** Divides two weights exactly: both may exceed the numbers that JavaScript holds exactly. */
export function weightShare(weight: string, total: string): number {
  return millionthsOf(BigInt(weight), BigInt(total)) / 1e6;
}

const OF_OTHERS = ['wrong-validator-set', 'no-known-signer'];

/** Returns the share of its set that signed a block; `undefined` if no signature of that set was counted. */
export function signedShare({ sets }: PageData, row: PageRow): number | undefined {
  const [, , detail, , signed, , at, , , flags] = row;
  const set = sets[at];
  if (set === undefined || signed === 0 || flags & FLAG.setDiffers || OF_OTHERS.includes(String(detail)))
    return undefined;
  return weightShare(signed, set.total);
}

/** Describes one block in a few words. */
export function rowWords(data: PageData, row: PageRow): string {
  const coverage = signedShare(data, row);
  const signed = coverage === undefined ? '' : `, ${percent(coverage)} signed`;
  return `block ${row[0]}: ${OUTCOME_WORDS[row[1]]}${signed}${row[8] > 0 ? `, ${time(row[8])}` : ''}`;
}

/** Names of the outcomes, in the order of the data. */
export const OUTCOME_NAMES = ['final', 'insufficient', 'rejected', 'undecided', 'failed'] as const;
export const OUTCOME_WORDS = [
  'final',
  'not final: insufficient weight',
  'not final: rejected',
  'undecided',
  'not fetched',
];
