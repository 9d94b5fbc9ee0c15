/** Draws how often each margin occurs: the share of the weight above or below the threshold. */
import uPlot from 'uplot';
import type { PageData } from '../report/audit/page-data.ts';
import { el, legend, numbers, picture, table } from './dom.ts';
import { axis, drawLines, LIMIT, plot } from './plot.ts';
import { colour } from './theme.ts';

const HEIGHT = 208;

export function marginSection({ histogram, threshold, thresholdWords }: PageData): HTMLElement | undefined {
  const { from, final, other } = histogram;
  const all = final.map((count, n) => count + other[n]!);
  const first = all.findIndex((count) => count > 0);
  if (first < 0) return undefined;
  const last = all.reduce((latest, count, n) => (count > 0 ? n : latest), first);
  // Zero is always visible: it is the threshold.
  const low = Math.min(first, -from) - 1;
  const high = Math.max(last, -from, Math.min(all.length - 2, Math.ceil((1 - threshold) * 100) - from)) + 1;
  const buckets = Array.from({ length: high - low + 1 }, (_, n) => low + n);
  const box = el('div', { class: 'chart low', role: 'img', 'aria-label': 'Margins of blocks, see the table below' });
  const bars = uPlot.paths.bars!({ size: [0.9, 40], align: 1 });
  const stack = (name: string, fill: (u: uPlot) => string | CanvasPattern): uPlot.Series => ({
    stroke: () => colour(name),
    fill: fill as (u: uPlot) => string, // a canvas accepts both
    width: 1,
    paths: bars,
    points: { show: false },
  });
  plot(
    box,
    HEIGHT,
    {
      scales: {
        x: { time: false, range: [low + from, high + 1 + from] },
        y: { range: (_, __, max) => [0, Math.max(1, max * 1.05)] },
      },
      axes: [axis((value) => `${value} %`), axis((value) => (Number.isInteger(value) ? String(value) : ''))],
      cursor: { show: false },
      series: [{}, stack('bad', hatch), stack('line', () => colour('line'))],
      hooks: { draw: [(u) => drawLines(u, 'x', [0], LIMIT)] },
    },
    [buckets.map((n) => n + from), buckets.map((n) => all[n] || null), buckets.map((n) => final[n] || null)],
  );
  const filled = buckets.filter((n) => (all[n] ?? 0) > 0);
  const asTable = el(
    'details',
    { class: 'screen' },
    el('summary', {}, 'As a table'),
    table(
      'Blocks by margin, in percent of the total weight',
      [{ name: 'margin from' }, { name: 'to below' }, ...numbers('final', 'other')],
      filled.length,
      (line) => {
        const n = filled[line]!;
        return [`${n + from} %`, `${n + from + 1} %`, String(final[n]), String(other[n])];
      },
    ),
  );
  return picture(
    'margins',
    'Margins',
    el(
      'p',
      { class: 'note' },
      `Blocks by the weight that signed beyond the least that is final, more than ${thresholdWords}.`,
    ),
    legend([
      ['fill', 'final'],
      ['hatch', 'not final or undecided'],
    ]),
    box,
    asTable,
  );
}

/** Draws stripes, so that the bars also differ in pattern, not only in colour. */
function hatch(u: uPlot): CanvasPattern | string {
  const tile = document.createElement('canvas');
  const size = Math.round(6 * devicePixelRatio);
  tile.width = size;
  tile.height = size;
  const ctx = tile.getContext('2d')!;
  ctx.strokeStyle = colour('bad');
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const from of [-size, 0, size]) {
    ctx.moveTo(from, size);
    ctx.lineTo(from + size, 0);
  }
  ctx.stroke();
  return u.ctx.createPattern(tile, 'repeat') ?? colour('bad');
}
