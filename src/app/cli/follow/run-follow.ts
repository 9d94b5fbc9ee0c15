/** Runs `follow`: prints each block once and in order, and says why there is none. */

import { present } from '../../../core/base/present.ts';
import type { Signal } from '../../../core/base/runtime-types.ts';
import { formatBlockId } from '../../../core/block/block-id.ts';
import { blockIdToJson } from '../../../core/block/block-id-json.ts';
import type { ProvenHeader } from '../../../core/chain/block-header.ts';
import { staleStartOf } from '../../../core/verify/own-report.ts';
import type { VerificationReport } from '../../../core/verify/report.ts';
import { verdictToJson } from '../../../core/verify/report-facts.ts';
import type { FollowStall } from '../../../net/follow/stall-reports.ts';
import type { LiveWarning } from '../../../net/sources/witness-report.ts';
import { flagOfOption } from '../input/flag-in-error.ts';
import type { OptionValues } from '../input/option-rows.ts';
import { EXIT, exitCodeOf } from '../output/exit-code.ts';
import { printEvent } from '../output/print.ts';
import { type TellOptions, tellFork, tellWarning } from '../output/print-witnesses.ts';
import { statusLine } from '../output/status-line.ts';
import { requireOrder } from './follow-place.ts';
import type { FollowStateFile, SavedFollowState } from './follow-state.ts';
import { type HAND_OUT_OPTIONS, handOut } from './hand-out.ts';

/** A block, the report that proves it, and the proven parts of its header. */
export interface ShownBlock {
  readonly report: VerificationReport;
  readonly provenBy: 'signatures' | 'descendant';
  readonly header?: Pick<ProvenHeader, 'blockId' | 'genUtime' | 'keyBlock'>;
}

/** @param asJson prints one object, `ton-finality/followed@2` */
export function followedLine({ report, provenBy, header }: ShownBlock, asJson: boolean): string {
  const { coverage, verdict, warnings } = report;
  const { signedWeight, totalWeight } = coverage;
  const block = header?.blockId ?? coverage.blockId;
  const isOldStart = staleStartOf(report) !== undefined;
  if (asJson) {
    return JSON.stringify({
      schema: 'ton-finality/followed@2',
      block: blockIdToJson(block),
      verdict: verdictToJson(verdict),
      ...(header === undefined ? {} : { genUtime: header.genUtime, keyBlock: header.keyBlock }),
      provenBy,
      signedBlock: coverage.blockId.seqno,
      signedWeight: String(signedWeight),
      totalWeight: String(totalWeight),
      ...(isOldStart ? { staleStart: true } : {}),
      warnings,
    });
  }
  const reason = verdict.status === 'undecided' ? `, ${verdict.reason}` : '';
  const words = [
    ...(verdict.status === 'final' ? [] : [`${verdict.status.toUpperCase()}${reason}:`]),
    formatBlockId(block),
    provenBy === 'signatures' ? `${signedWeight} of ${totalWeight}` : `by ${coverage.blockId.seqno}`,
    ...(header?.keyBlock === true ? ['key block'] : []),
    ...(isOldStart ? ['stale start'] : []),
  ];
  return words.join(' ');
}

export const FOLLOW_EXIT =
  '0 reached --to, or standard output or (with --ack) standard input closed, 130 or 143 ended by a signal, 1 or 4 a block is not final, 2 bad input, 3 no server answers or they disagree, 4 the validators can have withdrawn their stakes, and too few servers agree or a server contradicts';

/** Says in one line why a follower has no block to print. */
function stallWords({ code, head, said, forMs, error }: FollowStall): string {
  const since = `no new block for ${Math.round(forMs / 1000)} s`;
  const why = error === undefined ? '' : `: ${error.message}`;
  switch (code) {
    case 'no-server':
      return `${since}: no server answers${why}`;
    case 'head-stands':
      return `${since}: servers name ${said} as the newest, and block ${head} is proven`;
    case 'not-proven':
      return `${since}: a server names block ${said}, and block ${head + 1} is not proven yet${why}`;
    case 'too-few-witnesses':
      return `${since}${why}`;
    case 'catching-up':
      return `${since} to print: catching up to block ${said}`;
    case 'behind-state':
      return `resuming after block ${head}, but servers name ${said} as the newest: the servers are behind, or the state belongs to a different network`;
  }
}

/** Makes the callbacks of a follower. Each reports at once; a passing state is one line on a terminal. */
function followTelling(options: TellOptions) {
  const status = statusLine(!options.json);
  return {
    status,
    onTrouble: (error: Error) => status.show(error.message),
    onStall(stall: FollowStall) {
      status.clear();
      const { code, head, said, forMs } = stall;
      void printEvent(code, stallWords(stall), options.json, { head, said, seconds: Math.round(forMs / 1000) });
    },
    onWarning(warning: LiveWarning) {
      status.clear();
      void tellWarning(warning, options);
    },
  };
}

type RunOptions = OptionValues<typeof HAND_OUT_OPTIONS> & TellOptions & { readonly to: number | undefined };

/** How blocks are followed over one kind of server. */
export interface Following<B extends ShownBlock> {
  /** Begins after the state. @param more callbacks; `signal` fires when no further block is wanted */
  follow(
    more: Omit<ReturnType<typeof followTelling>, 'status'> & { readonly signal?: Signal },
  ): Promise<AsyncIterable<B>>;
  /** Whether the iteration ends by itself after the last block that is wanted. */
  readonly endsItself?: true;
  /** Returns where a run resumes that printed this block last. */
  placeAfter(block: B): SavedFollowState;
  /**
   * Ends the run before a block. @param finish waits until the blocks before it are acknowledged, and writes the state
   * @returns its exit code; `undefined` to continue
   */
  endBefore?(block: B, finish: () => Promise<void>): Promise<number | undefined>;
  /** Called after a block was printed. */
  onPrinted?(block: B): void;
}

/** Prints blocks until the last one that is wanted, and closes the state. @returns the exit code */
export async function runFollow<B extends ShownBlock>(
  options: RunOptions,
  state: FollowStateFile,
  { follow, endsItself, placeAfter, endBefore, onPrinted }: Following<B>,
): Promise<number> {
  const { to, json } = options;
  const { status, ...tell } = followTelling(options);
  const hand = handOut(state, options, json);
  let exitCode: number = EXIT.final;
  try {
    if (to !== undefined && (state.kept?.after?.seqno ?? 0) >= to) return exitCode; // the run that left the state had finished
    for await (const block of await follow({ ...tell, ...present({ signal: hand.signal }) })) {
      status.clear();
      const { seqno } = block.header?.blockId ?? block.report.coverage.blockId;
      requireOrder(seqno, to);
      const end = await endBefore?.(block, hand.finish);
      if (end !== undefined) return end;
      if (!(await hand.give(seqno, followedLine(block, json), placeAfter(block)))) break;
      onPrinted?.(block);
      exitCode = Math.max(exitCode, exitCodeOf(block.report.verdict));
      if (block.header !== undefined) {
        const ageSeconds = Math.max(0, Math.round(Date.now() / 1000 - block.header.genUtime));
        status.show(`block ${seqno}, ${ageSeconds} s old`);
      }
      if (seqno === to && endsItself !== true) break;
    }
    status.clear();
    await hand.finish();
    return exitCode;
  } catch (error) {
    status.clear();
    await tellFork(error, options);
    return flagOfOption('strict', 'witnesses')(error);
  } finally {
    status.clear();
    hand.close();
    try {
      state.keep(); // what was printed is recorded, so that the next run does not print it again
    } catch {
      // the end of the run says more, or the error that `finish` gave
    }
    state.close();
  }
}
