/** A block that is proven, and undecided all the same: why, and what to do. */

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
    'the checkpoint is older than the stakes of its validators, and fewer than two other servers name this block: an attacker with the old keys could have made it',
  contradicted:
    'the checkpoint is older than the stakes of its validators, and a server names another block: leave out the server that is wrong by --without SERVER, or give a newer checkpoint',
  'too-few-witnesses': 'fewer servers than --witnesses name this block: give more servers, of independent operators',
  /** Over HTTP, where signatures may leave the number open. */
  rival:
    'a server shows good signatures of another block, and nothing proves which of the two has this number: leave out the server that is wrong by --without SERVER, or prove the header by --block FILE',
  'old-set':
    'the set is past its stakes, and signed two blocks of this number: leave out the server that is wrong by --without SERVER, or give a newer set',
} as const;

export interface Doubt {
  readonly reason: string;
  readonly words: string;
}

export function doubtOf(reason: string | undefined, words: string = reason ?? ''): Doubt | undefined {
  const text = Object.hasOwn(WORDS, words) ? WORDS[words as keyof typeof WORDS] : undefined;
  return reason === undefined || text === undefined ? undefined : { reason, words: text };
}

/** What is known of such a block. */
export interface Doubted {
  readonly tip: BlockIdExt;
  readonly report?: VerificationReport;
  readonly witnesses: WitnessReport;
  readonly warnings: readonly Warning[];
}

/** The JSON of a report that must not say final of its own accord. */
export function doubtToJson({ report, tip, warnings }: Doubted, { reason, words }: Doubt) {
  const json = report === undefined ? { block: blockIdToJson(tip), warnings } : reportToJson(report);
  return { ...json, verdict: { status: 'undecided', reason }, hints: [words] };
}

/** `undefined` where one server was asked. */
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
