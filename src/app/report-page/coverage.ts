/** Coverage block after block against the line: the least of each bin, its mean, and marks where a block is not final. */
import type uPlot from 'uplot';
import type { PageData } from '../report/audit/page-shape.ts';
import { timesOf } from './block-times.ts';
import { button, el, section } from './dom.ts';
import { drawMark, type Mark } from './draw-mark.ts';
import { blocks, coverageOf, rowWords, time } from './format.ts';
import { axis, plot, WHOLE } from './plot.ts';
import type { Selection } from './selection.ts';
import { colour } from './theme.ts';

const HEIGHT = 288;
/** By outcome: none for what is final. */
const MARKS: readonly (Mark | undefined)[] = [undefined, 'insufficient', 'rejected', 'undecided', 'failed'];
const FAILED = 4;
/** Pixels from the bottom for what has no coverage. */
const EDGE = 7;
/** Seconds between words of the axis. */
const TIMES = [
  1,
  2,
  5,
  10,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map((n) => 60 * n),
  ...[1, 2, 3, 6, 12, 24].map((n) => 3600 * n),
];
const MINUTE = 60;
/** Fewer bins on screen are no picture. */
const LEAST_BINS = 10;

/** Bins without signatures leave a gap. */
const known = (millionths: number) => (millionths < 0 ? null : millionths / 1e6);

/** One block stands in the middle. */
function around(xs: ArrayLike<number>, min: number, max: number): uPlot.Range.MinMax {
  return xs.length === 1 ? [xs[0]! - 1, xs[0]! + 1] : [min, max];
}

export function coverageSection(data: PageData, selection: Selection): HTMLElement {
  const { bins, threshold } = data;
  const box = el('div', {
    class: 'chart',
    role: 'slider',
    tabindex: '0',
    'aria-label': 'Block in the picture of coverage',
    'aria-valuemin': '0',
    'aria-valuemax': String(Math.max(0, bins.first.length - 1)),
  });
  const least = bins.least.map(known);
  const lowest = least.reduce<number>((low, y) => (y !== null && y < low ? y : low), threshold);
  const floor = Math.max(0, Math.floor((lowest - 0.03) * 20) / 20);
  const times = timesOf(data);
  const xs: Readonly<Record<string, number[]>> = {
    block: [...bins.first],
    ...(times === undefined ? {} : { time: times }),
  };
  const rest = [least, bins.mean.map(known)];
  // A block between two without coverage is on no line: it is a point.
  const alone = least.flatMap((y, n) =>
    y !== null && (least[n - 1] ?? null) === null && (least[n + 1] ?? null) === null ? [n] : [],
  );
  const isBinned = bins.first.some((first, n) => first !== bins.last[n]);
  let isTime = false;
  const isShort = () => (chart.scales.x!.max ?? 0) - (chart.scales.x!.min ?? 0) < 20 * MINUTE;
  const chart: uPlot = plot(
    box,
    HEIGHT,
    {
      scales: {
        x: { time: false, range: (u, min, max) => around(u.data[0], min, max) },
        y: { range: [floor, 1.005] },
      },
      axes: [
        axis((value) => (isTime ? time(value).slice(...(isShort() ? [11, 19] : [5, 16])) : String(value)), {
          space: 90,
          incrs: () => (isTime ? [...TIMES, ...WHOLE.map((n) => 86_400 * n)] : WHOLE),
        }),
        axis((value) => `${Math.round(value * 100)} %`, { incrs: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5] }),
      ],
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, dist: 8 } },
      series: [
        {},
        {
          stroke: () => colour('line'),
          width: 1.2,
          points: bins.first.length <= 60 ? { show: true } : { show: true, size: 4, filter: () => alone },
        },
        { show: isBinned, stroke: () => colour('faint'), width: 1, points: { show: false } },
      ],
      hooks: { draw: [(u) => drawBands(u, data), (u) => drawChosen(u, selection.bin), (u) => drawMarks(u, data)] },
    },
    [xs.block!, ...rest],
  );
  const zoom = (factor: number) => {
    const { min = 0, max = 0 } = chart.scales.x!;
    const here = xs[isTime ? 'time' : 'block']!;
    const middle = here[selection.bin] ?? (min! + max!) / 2;
    const [low, high] = [here[0]!, here.at(-1)!];
    const wide = Math.min(high - low, Math.max((max! - min!) * factor, ((high - low) * LEAST_BINS) / here.length));
    const from = Math.max(low, Math.min(middle - wide / 2, high - wide));
    chart.setScale('x', { min: from, max: from + wide });
  };
  const words = (bin: number) => {
    const [first, last] = [bins.first[bin]!, bins.last[bin]!];
    const own = rowWords(data, bins.row[bin]!);
    return first === last ? own : `${blocks(first, last)}. Of them ${own}`;
  };
  /** Moves the picture to the chosen block where it shows another stretch. */
  const follow = () => {
    const { min, max } = chart.scales.x!;
    const x = chart.data[0][selection.bin];
    if (x === undefined || typeof min !== 'number' || typeof max !== 'number' || (x >= min && x <= max)) return;
    const here = chart.data[0];
    const from = Math.max(here[0]!, Math.min(x - (max - min) / 2, here.at(-1)! - (max - min)));
    chart.setScale('x', { min: from, max: from + max - min });
  };
  const chosen = el('p', { class: 'note screen' });
  selection.onChange((bin) => {
    box.setAttribute('aria-valuenow', String(bin));
    box.setAttribute('aria-valuetext', words(bin));
    chosen.textContent = `Chosen: ${words(bin)}`;
    follow();
    chart.redraw(false, false);
  });
  box.addEventListener('click', () => {
    const { idx } = chart.cursor;
    if (typeof idx === 'number') selection.choose(idx);
  });
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageUp: 50,
    PageDown: -50,
  };
  box.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    if (step !== undefined) selection.choose(selection.bin + step);
    else if (event.key === 'Home') selection.choose(0);
    else if (event.key === 'End') selection.choose(bins.first.length - 1);
    else if (event.key === 'Enter') document.getElementById('block')?.scrollIntoView();
    else return;
    event.preventDefault();
  });
  const controls = [
    button('Zoom in', () => zoom(0.5)),
    button('Zoom out', () => zoom(2)),
    button('Next not final', () => selection.chooseNext((bin) => bins.outcome[bin] !== 0)),
  ];
  if (times !== undefined) {
    const choice = el(
      'select',
      { 'aria-label': 'Horizontal axis' },
      el('option', { value: 'block' }, 'by block'),
      el('option', { value: 'time' }, 'by time'),
    );
    choice.addEventListener('change', () => {
      isTime = choice.value === 'time';
      chart.setData([xs[choice.value]!, ...rest] as uPlot.AlignedData); // the same columns under another x
    });
    controls.push(choice as unknown as HTMLButtonElement); // any element will do
  }
  const key = [el('li', { class: 'line' }, isBinned ? 'least weight that signed, of each bin' : 'weight that signed')];
  if (isBinned) key.push(el('li', { class: 'mean' }, 'mean of each bin'));
  key.push(
    el('li', { class: 'limit' }, `more than ${data.thresholdWords} is final`),
    ...(['not final: insufficient weight', 'not final: rejected', 'undecided', 'not fetched'] as const).map((name, n) =>
      el('li', { class: MARKS[n + 1]! }, name),
    ),
    ...(data.changes.length > 0 ? [el('li', { class: 'change' }, 'set changes (dotted)')] : []),
  );
  const made = section(
    'coverage',
    'Coverage',
    el('ul', { class: 'key' }, ...key),
    box,
    chosen,
    el('div', { class: 'controls' }, ...controls),
    el('p', { class: 'note screen' }, 'Click a block, or use the arrow keys. Drag to zoom, double-click to see all.'),
  );
  made.classList.add('picture');
  return made;
}

/** Bands over what was not fetched, and lines where sets change. */
function drawBands(u: uPlot, { bins, changes, threshold }: PageData): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = colour('gone');
  ctx.globalAlpha = 0.35;
  const xs = u.data[0];
  const wide = Math.max(2, bbox.width / Math.max(1, xs.length));
  for (const [n, outcome] of bins.outcome.entries()) {
    if (outcome !== FAILED) continue;
    ctx.fillRect(u.valToPos(xs[n]!, 'x', true) - wide / 2, bbox.top, wide, bbox.height);
  }
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colour('faint');
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  let bin = 0;
  for (const [seqno] of changes) {
    while (bin + 1 < xs.length && bins.first[bin + 1]! <= seqno) bin += 1;
    const at = u.valToPos(xs[bin]!, 'x', true);
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
  }
  ctx.stroke();
  // The line that is final goes from side to side, however few blocks there are.
  ctx.strokeStyle = colour('limit');
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.setLineDash([8 * devicePixelRatio, 5 * devicePixelRatio]);
  ctx.beginPath();
  const limit = Math.round(u.valToPos(threshold, 'y', true));
  ctx.moveTo(bbox.left, limit);
  ctx.lineTo(bbox.left + bbox.width, limit);
  ctx.stroke();
  ctx.restore();
}

/** A mark for each bin with a block that is not final: at what signed that block, or at the bottom edge. */
function drawMarks(u: uPlot, data: PageData): void {
  const { ctx, bbox } = u;
  const { outcome, row } = data.bins;
  const { min = null, max = null } = u.scales.x!;
  for (const [n, x] of u.data[0].entries()) {
    const mark = MARKS[outcome[n]!];
    if (mark === undefined || min === null || max === null || x < min || x > max) continue;
    const coverage = coverageOf(data, row[n]!);
    const edge = bbox.top + bbox.height - EDGE * devicePixelRatio;
    const y = coverage === undefined ? edge : Math.min(edge, u.valToPos(coverage, 'y', true));
    drawMark(ctx, mark, u.valToPos(x, 'x', true), y);
  }
}

function drawChosen(u: uPlot, bin: number): void {
  const x = u.data[0][bin];
  if (x === undefined) return;
  const { ctx, bbox } = u;
  const at = u.valToPos(x, 'x', true);
  if (at < bbox.left - 1 || at > bbox.left + bbox.width + 1) return;
  ctx.save();
  ctx.strokeStyle = colour('fore');
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(at, bbox.top);
  ctx.lineTo(at, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
