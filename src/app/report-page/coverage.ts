/** Draws coverage by block next to the threshold: the lowest of each bin, its mean, and marks where a block is not final. */
import type uPlot from 'uplot';
import type { PageData } from '../report/audit/page-data.ts';
import { blocksWords } from '../report/layout.ts';
import { timesOf } from './block-times.ts';
import { button, choice, el, legend, picture } from './dom.ts';
import { OUTCOME_NAMES, OUTCOME_WORDS, rowWords, signedShare, time } from './format.ts';
import { axis, drawLines, LIMIT, plot, WHOLE } from './plot.ts';
import type { Selection } from './selection.ts';
import { colour } from './theme.ts';

const HEIGHT = 288;
/** Distance from the bottom in pixels, for blocks without coverage. */
const EDGE = 7;
/** Seconds between labels of the axis. */
const TIMES = [
  ...[1, 60].flatMap((unit) => [1, 2, 5, 10, 15, 30].map((n) => unit * n)),
  ...[1, 2, 3, 6, 12, 24].map((n) => 3600 * n),
];
const MINUTE = 60;
/** Fewest bins on screen. */
const LEAST_BINS = 10;

/** Bins that each key moves. */
const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 },
  ...{ PageUp: 50, PageDown: -50, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY },
};

/** A mark of blocks that are not final. Each has its own shape, because some people cannot tell the colours apart. */
type Mark = 'insufficient' | 'rejected' | 'undecided' | 'failed';

const COLOURS: Readonly<Record<Mark, string>> = {
  insufficient: 'bad',
  rejected: 'bad',
  undecided: 'doubt',
  failed: 'faint',
};

/** Outlines around the centre as SVG paths, in halves of a mark's width. The style sheet has the same ones for legends. */
const OUTLINES: Readonly<Record<Mark, string>> = {
  insufficient: 'M-1-.8H1L0 1Z',
  rejected: 'M-1-1 1 1M-1 1 1-1',
  undecided: 'M0-1.2 1.2 0 0 1.2-1.2 0Z',
  failed: 'M-.9-.9H.9V.9H-.9Z',
};

/** Half of the width of a mark, in pixels. */
const HALF_MARK = 4.5;

/** Bins without signatures leave a gap. */
const shareOrGap = (millionths: number) => (millionths < 0 ? null : millionths / 1e6);

/** Centres a single block. */
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
  const least = bins.least.map(shareOrGap);
  const lowest = least.reduce<number>((low, y) => (y !== null && y < low ? y : low), threshold);
  const floor = Math.max(0, Math.floor((lowest - 0.03) * 20) / 20);
  const times = timesOf(data);
  const rest = [least, bins.mean.map(shareOrGap)];
  // A block between two without coverage is on no line, so it is drawn as a point.
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
      hooks: {
        draw: [
          (u) => drawBands(u, data),
          (u) => drawLines(u, 'x', u.data[0].slice(selection.bin, selection.bin + 1), { colour: 'fore', width: 2 }),
          (u) => drawMarks(u, data),
        ],
      },
    },
    [bins.first, ...rest],
  );
  /** Shows a range of this width around a place, as far as there are blocks. */
  const showAround = (middle: number, wide: number) => {
    const here = chart.data[0];
    const from = Math.max(here[0]!, Math.min(middle - wide / 2, here.at(-1)! - wide));
    chart.setScale('x', { min: from, max: from + wide });
  };
  const zoom = (factor: number) => {
    const { min = 0, max = 0 } = chart.scales.x!;
    const here = chart.data[0];
    const all = here.at(-1)! - here[0]!;
    const wide = Math.min(all, Math.max((max! - min!) * factor, (all * LEAST_BINS) / here.length));
    showAround(here[selection.bin] ?? (min! + max!) / 2, wide);
  };
  const words = (bin: number) => {
    const [first, last] = [bins.first[bin]!, bins.last[bin]!];
    const own = rowWords(data, bins.row[bin]!);
    return first === last ? own : `${blocksWords(first, last)}. Of them ${own}`;
  };
  /** Moves the view if the chosen block is outside of it. */
  const follow = () => {
    const { min, max } = chart.scales.x!;
    const x = chart.data[0][selection.bin];
    if (x === undefined || typeof min !== 'number' || typeof max !== 'number' || (x >= min && x <= max)) return;
    showAround(x, max - min);
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
  box.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (step !== undefined) selection.choose(selection.bin + step);
    else if (event.key === 'Enter') document.getElementById('block')?.scrollIntoView();
    else return;
    event.preventDefault();
  });
  const controls: HTMLElement[] = [
    button('Zoom in', () => zoom(0.5)),
    button('Zoom out', () => zoom(2)),
    button('Next not final', () => selection.chooseNext((bin) => bins.outcome[bin] !== 0)),
  ];
  if (times !== undefined) {
    const showBy = (name: string) => {
      isTime = name === 'time';
      chart.setData([isTime ? times : bins.first, ...rest]);
    };
    controls.push(choice('Horizontal axis', { block: 'by block', time: 'by time' }, showBy));
  }
  const key: [string, string][] = [
    ['line', isBinned ? 'least weight that signed, of each bin' : 'weight that signed'],
    ['mean', isBinned ? 'mean of each bin' : ''],
    ['limit', `more than ${data.thresholdWords} is final`],
    ...OUTCOME_WORDS.map((words, n): [string, string] => [OUTCOME_NAMES[n]!, words]).slice(1),
    ['change', data.changes.length > 0 ? 'set changes (dotted)' : ''],
  ];
  return picture(
    'coverage',
    'Coverage',
    legend(key.filter(([, words]) => words !== '')),
    box,
    chosen,
    el('div', { class: 'controls' }, ...controls),
    el('p', { class: 'note screen' }, 'Click a block, or use the arrow keys. Drag to zoom, double-click to see all.'),
  );
}

/** Draws bands over missing blocks, and lines where sets change. */
function drawBands(u: uPlot, { bins, changes, threshold }: PageData): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = colour('faint');
  ctx.globalAlpha = 0.35;
  const xs = u.data[0];
  const wide = Math.max(2, bbox.width / Math.max(1, xs.length));
  for (const [n, outcome] of bins.outcome.entries()) {
    if (OUTCOME_NAMES[outcome] !== 'failed') continue;
    ctx.fillRect(u.valToPos(xs[n]!, 'x', true) - wide / 2, bbox.top, wide, bbox.height);
  }
  ctx.restore();
  let bin = 0;
  const places = changes.map(([seqno]) => {
    while (bin + 1 < xs.length && bins.first[bin + 1]! <= seqno) bin += 1;
    return xs[bin]!;
  });
  drawLines(u, 'x', places, { colour: 'faint', width: 1, dash: [2, 4] });
  drawLines(u, 'y', [threshold], LIMIT);
}

/** @param x of the centre, in pixels of the canvas */
function drawMark(ctx: CanvasRenderingContext2D, mark: Mark, x: number, y: number): void {
  const outline = new Path2D(OUTLINES[mark]);
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(HALF_MARK * devicePixelRatio, HALF_MARK * devicePixelRatio);
  ctx.strokeStyle = colour(COLOURS[mark]);
  ctx.fillStyle = colour(mark === 'insufficient' ? 'bad' : 'back');
  ctx.lineWidth = 2 / HALF_MARK;
  if (mark !== 'rejected') ctx.fill(outline);
  ctx.stroke(outline);
  ctx.restore();
}

/** Draws a mark for each bin with a block that is not final, at the coverage of that block or at the bottom edge. */
function drawMarks(u: uPlot, data: PageData): void {
  const { ctx, bbox } = u;
  const { outcome, row } = data.bins;
  const { min = null, max = null } = u.scales.x!;
  for (const [n, x] of u.data[0].entries()) {
    const mark = OUTCOME_NAMES[outcome[n]!]!;
    if (mark === 'final' || min === null || max === null || x < min || x > max) continue;
    const coverage = signedShare(data, row[n]!);
    const edge = bbox.top + bbox.height - EDGE * devicePixelRatio;
    const y = coverage === undefined ? edge : Math.min(edge, u.valToPos(coverage, 'y', true));
    drawMark(ctx, mark, u.valToPos(x, 'x', true), y);
  }
}
