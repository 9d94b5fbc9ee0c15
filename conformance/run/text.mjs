/** Results as text for a terminal, and the line of progress. */
import { SCORES } from './score.mjs';

const MOST_SHOWN = 30;

export function text(results) {
  const { implementation, version, suite, notPassed } = results;
  const rows = [...Object.entries(results.byOperation), ['all', results.totals]];
  const widths = SCORES.map((name) => name.length);
  const first = Math.max(...rows.map(([name]) => name.length));
  const line = (name, cells) =>
    `${name.padEnd(first)}  ${cells.map((cell, k) => String(cell).padStart(widths[k])).join('  ')}`;
  const table = [
    line('', SCORES),
    ...rows.map(([name, counts]) =>
      line(
        name,
        SCORES.map((score) => counts[score]),
      ),
    ),
  ];
  const shown = notPassed
    .slice(0, MOST_SHOWN)
    .map(({ id, score, detail }) => `  ${score}  ${id}${detail ? `: ${detail}` : ''}`);
  const more = notPassed.length > MOST_SHOWN ? [`  and ${notPassed.length - MOST_SHOWN} more`] : [];
  const head = `${implementation} ${version}, suite ${suite.version}, ${suite.cases} cases`;
  return [head, '', ...table, ...(shown.length > 0 ? ['', 'not passed:', ...shown, ...more] : []), ''].join('\n');
}

/** Tells how far a run is: one line that is written over on a terminal, a line each tenth elsewhere. */
export function progress(total, stream) {
  const seen = new Set();
  let faults = 0;
  let told = 0;
  return {
    outcome(id, { fault }) {
      seen.add(id);
      if (fault !== undefined) faults++;
      const tenth = Math.floor((10 * seen.size) / total);
      const words = `${seen.size} of ${total} cases${faults > 0 ? `, ${faults} crashes or timeouts` : ''}`;
      if (stream.isTTY) stream.write(`\r${words}`);
      else if (tenth > told) stream.write(`${words}\n`);
      told = tenth;
    },
    end() {
      if (stream.isTTY) stream.write('\r\u001b[K');
    },
  };
}
