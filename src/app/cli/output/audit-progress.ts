/** Shows the progress of an audit: a bar on a terminal, a line or an event now and then elsewhere, nothing with `--quiet`. */
import { AuditTally } from '../../audit/count-rows.ts';
import { type AuditRow, reasonOf, seqnoOf } from '../../audit/ledger-lines.ts';
import { rowOutcomeOf } from '../../audit/survey/block-bins.ts';
import { percent } from '../../report/layout.ts';
import { beforeStop } from '../stop.ts';
import { printEvent } from './print.ts';
import { bar, statusLine } from './status-line.ts';

/** Milliseconds between two lines of a log, and between two updates of a bar. */
const LINE_EVERY_MS = 10_000;
const DRAW_EVERY_MS = 250;

/** @param options `quiet` shows nothing, `json` prints lines as events @param stream gets a bar if it is a terminal */
export function auditProgress(
  from: number,
  to: number,
  { quiet, json }: { readonly quiet: boolean; readonly json: boolean },
  stream: NodeJS.WriteStream = process.stderr,
) {
  if (quiet) return { add(_: AuditRow) {}, end() {} };
  const tally = new AuditTally();
  const startMs = performance.now();
  const status = statusLine(true, stream);
  const takeBack = beforeStop(status.clear);
  let saidMs = stream.isTTY ? Number.NEGATIVE_INFINITY : startMs;
  return {
    add(row: AuditRow) {
      tally.add(row);
      const nowMs = performance.now();
      if (nowMs - saidMs < (stream.isTTY ? DRAW_EVERY_MS : LINE_EVERY_MS)) return;
      saidMs = nowMs;
      const seqno = seqnoOf(row);
      const perSecond = (1000 * tally.rows) / Math.max(1, nowMs - startMs);
      const done = (seqno - from + 1) / (to - from + 1);
      const left = `${perSecond.toFixed(1)} blocks/s, ${Math.round((to - seqno) / perSecond)} s to go`;
      const { thinnest } = tally;
      const least =
        thinnest === undefined ? '' : `, thinnest margin ${percent(thinnest.share, 2)} at ${thinnest.seqno}`;
      const line = `block ${seqno} of ${to}, ${percent(done, 2)}, ${left}, ${reasonOf(row) ?? rowOutcomeOf(row)}${least}`;
      if (stream.isTTY) status.show(`${bar(done)} ${line}`);
      else void printEvent('progress', line, json, { seqno });
    },
    /** Removes the bar. */
    end() {
      status.clear();
      takeBack();
    },
  };
}
