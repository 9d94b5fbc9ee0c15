/** How an audit comes along: a bar on a terminal, a line now and then elsewhere, nothing with `--quiet`. */
import type { SingleBar } from 'cli-progress';
import { AuditTally } from '../audit/count-rows.ts';
import { type AuditRow, seqnoOf } from '../audit/ledger-lines.ts';
import { printNote } from './output.ts';
import { beforeStop } from './stop.ts';

export interface AuditProgress {
  add(row: AuditRow): void;
  /** Takes the bar away. */
  end(): void;
}

/** Milliseconds between two lines where nobody watches. */
const LINE_EVERY_MS = 10_000;

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

function saidBy(row: AuditRow): string {
  if (row.type === 'failure') return row.code;
  return row.verdict.status === 'undecided' ? row.verdict.reason : row.verdict.status;
}

function thinnestIn({ thinnest }: AuditTally): string {
  return thinnest === undefined ? '' : `, thinnest margin ${percent(thinnest.share)} at ${thinnest.seqno}`;
}

/** Lines for logs. */
function lineProgress(from: number, to: number): AuditProgress {
  const tally = new AuditTally();
  const startMs = performance.now();
  let saidMs = startMs;
  return {
    add(row) {
      tally.add(row);
      const nowMs = performance.now();
      if (nowMs - saidMs < LINE_EVERY_MS) return;
      saidMs = nowMs;
      const seqno = seqnoOf(row);
      const perSecond = (1000 * tally.rows) / (nowMs - startMs);
      const left = Math.round((to - seqno) / perSecond);
      const done = percent((seqno - from + 1) / (to - from + 1));
      const line = `block ${seqno} of ${to}, ${done}, ${perSecond.toFixed(1)} blocks/s, ${left} s to go, ${saidBy(row)}`;
      void printNote(`${line}${thinnestIn(tally)}`);
    },
    end() {},
  };
}

async function barProgress(from: number, to: number, stream: NodeJS.WriteStream): Promise<AuditProgress> {
  const { default: progress } = await import('cli-progress');
  const tally = new AuditTally();
  const startMs = performance.now();
  const format = '[{bar}] {percentage} % | {value}/{total} | {rate} blocks/s | {eta} s to go | {last}{thinnest}';
  // A line that is too long is cut: the terminal's own modes stay as they are, whatever ends the run.
  const options = { format, stream, linewrap: true, clearOnComplete: true, barsize: 24, fps: 4 };
  let bar: SingleBar | undefined;
  const stop = () => bar?.stop();
  const takeBack = beforeStop(stop);
  return {
    add(row) {
      tally.add(row);
      const done = seqnoOf(row) - from + 1;
      const rate = ((1000 * tally.rows) / (performance.now() - startMs)).toFixed(0);
      const words = { rate, last: saidBy(row), thinnest: thinnestIn(tally) };
      if (bar === undefined) {
        bar = new progress.SingleBar(options, progress.Presets.shades_classic);
        bar.start(to - from + 1, done, words);
      } else bar.update(done, words);
    },
    end() {
      stop();
      takeBack();
    },
  };
}

/** @param isQuiet nothing at all @param stream a bar goes there if it is a terminal */
export async function auditProgress(
  from: number,
  to: number,
  isQuiet: boolean,
  stream: NodeJS.WriteStream = process.stderr,
): Promise<AuditProgress> {
  if (isQuiet) return { add() {}, end() {} };
  return stream.isTTY === true ? await barProgress(from, to, stream) : lineProgress(from, to);
}
