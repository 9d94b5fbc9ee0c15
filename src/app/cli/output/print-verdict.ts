/** Prints the verdict on one block. A block may be undecided although its signatures are enough: then it says why, and what to do. */
import type { BlockIdExt } from '../../../core/block/block-id.ts';
import { blockIdToJson } from '../../../core/block/block-id-json.ts';
import type { VerificationReport, Warning } from '../../../core/verify/report.ts';
import type { WitnessReport } from '../../../net/sources/witness-report.ts';
import { writeFileAtomically } from '../../files/write-file.ts';
import { row } from '../../report/layout.ts';
import { renderSigners, renderText, warningWords } from '../../report/render-report.ts';
import { reportToJson } from '../../report/report-json.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { jsonText, printJson, printResult } from './print.ts';
import { witnessWords } from './print-witnesses.ts';

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

/** Why a block is undecided, and what to do. */
export interface Doubt {
  readonly reason: string;
  readonly words: string;
}

export function doubtOf(reason: string | undefined, words: string = reason ?? ''): Doubt | undefined {
  const text = Object.hasOwn(WORDS, words) ? WORDS[words as keyof typeof WORDS] : undefined;
  return reason === undefined || text === undefined ? undefined : { reason, words: text };
}

/** A judged block, and what other servers reported of it. */
export interface JudgedTip {
  readonly tip: BlockIdExt;
  /** Absent if the block is undecided before its signatures were judged. */
  readonly report?: VerificationReport;
  readonly warnings: readonly Warning[];
  /** Absent for a file. */
  readonly witnesses?: WitnessReport | undefined;
  /** Why the block is undecided although its signatures are enough. */
  readonly doubt?: Doubt | undefined;
  /** One more row of the text. */
  readonly session?: () => string | undefined;
}

export function witnessRow(witnesses: WitnessReport): string {
  return row('witnesses', witnessWords(witnesses));
}

function verdictText({ tip, report, warnings, witnesses, doubt, session }: JudgedTip, signers: boolean): string {
  const others = witnesses === undefined ? [] : [witnessRow(witnesses)];
  if (doubt === undefined && report !== undefined) {
    const rows = [renderText(report), ...others, session?.(), ...(signers ? ['', renderSigners(report)] : [])];
    return rows.filter((one) => one !== undefined).join('\n');
  }
  const head = [`UNDECIDED (${doubt?.reason}): masterchain block ${tip.seqno}`, `  ${doubt?.words}`, ''];
  return [...head, ...others, ...warnings.map((warning) => row('warning', warningWords(warning)))].join('\n');
}

/** Returns the JSON of a report; a doubt replaces its verdict by `undecided`. */
function judgedToJson({ tip, report, warnings, doubt }: JudgedTip) {
  const json = report === undefined ? { block: blockIdToJson(tip), warnings } : reportToJson(report);
  if (doubt === undefined) return json;
  return { ...json, verdict: { status: 'undecided', reason: doubt.reason }, hints: [doubt.words] };
}

/**
 * Prints a verdict.
 * @param options `out` names a file for the JSON
 * @param more members of the JSON
 * @returns the exit code
 */
export async function printVerdict(
  judged: JudgedTip,
  options: { readonly json: boolean; readonly signers: boolean; readonly out?: string | undefined },
  more: object = {},
): Promise<number> {
  const json = { ...judgedToJson(judged), ...more };
  if (options.out !== undefined) writeFileAtomically(options.out, jsonText(json));
  if (options.json) await printJson(json);
  else await printResult(verdictText(judged, options.signers));
  const { report, doubt } = judged;
  return report === undefined || doubt !== undefined ? EXIT.undecided : exitCodeOf(report.verdict);
}
