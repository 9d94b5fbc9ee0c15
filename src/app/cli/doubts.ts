/** Describes why a proven block is undecided, and what to do. */

import type { BlockIdExt } from '../../core/block/block-id.ts';
import { blockIdToJson } from '../../core/block/block-id-json.ts';
import type { VerificationReport, Warning } from '../../core/verify/report.ts';
import { askedOf, type WitnessReport } from '../../net/sources/witness-report.ts';
import { row } from '../report/layout.ts';
import { warningWords } from '../report/render-report.ts';
import { reportToJson } from '../report/report-json.ts';
import { printJson, printResult } from './output.ts';
import { witnessWords } from './witness-words.ts';

const WORDS = {
  'stale-set':
    'the validators of the checkpoint can have withdrawn their stakes, and fewer than two other servers name this block: an attacker with the old keys could have forged it',
  contradicted:
    'the validators of the checkpoint can have withdrawn their stakes, and a server names a different block: exclude the server that is wrong with --without SERVER, or pass a newer checkpoint',
  'too-few-witnesses':
    'fewer servers than --witnesses name this block: pass more servers, run by independent operators',
  /** Doubts about an answer over HTTP, where signatures may not cover the number. */
  rival:
    'a server has valid signatures of a different block, and nothing proves which of the two has this number: exclude the server that is wrong with --without SERVER, or prove the header with --block FILE',
  'old-set':
    'the validators can have withdrawn their stakes and signed two blocks of this number: exclude the server that is wrong with --without SERVER, or pass a newer validator set',
} as const;

export interface Doubt {
  readonly reason: string;
  readonly words: string;
}

export function doubtOf(reason: string | undefined, words: string = reason ?? ''): Doubt | undefined {
  const text = Object.hasOwn(WORDS, words) ? WORDS[words as keyof typeof WORDS] : undefined;
  return reason === undefined || text === undefined ? undefined : { reason, words: text };
}

/** A proven block that is undecided. */
export interface Doubted {
  readonly tip: BlockIdExt;
  readonly report?: VerificationReport;
  readonly witnesses: WitnessReport;
  readonly warnings: readonly Warning[];
}

/** Returns the JSON of a report whose verdict is replaced by `undecided`. */
export function doubtToJson({ report, tip, warnings }: Doubted, { reason, words }: Doubt) {
  const json = report === undefined ? { block: blockIdToJson(tip), warnings } : reportToJson(report);
  return { ...json, verdict: { status: 'undecided', reason }, hints: [words] };
}

/** Returns `undefined` if only one server was asked. */
export function witnessRow(witnesses: WitnessReport): string | undefined {
  return askedOf(witnesses) === 0 ? undefined : row('witnesses', witnessWords(witnesses));
}

export async function printDoubt(doubted: Doubted, doubt: Doubt, asJson: boolean): Promise<void> {
  if (asJson) {
    await printJson(doubtToJson(doubted, doubt));
    return;
  }
  const { tip, witnesses, warnings } = doubted;
  const rows = [
    row('witnesses', witnessWords(witnesses)),
    ...warnings.map((warning) => row('warning', warningWords(warning))),
  ];
  await printResult(
    [`UNDECIDED (${doubt.reason}): masterchain block ${tip.seqno}`, `  ${doubt.words}`, '', ...rows].join('\n'),
  );
}
