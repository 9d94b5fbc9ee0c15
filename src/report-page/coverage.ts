/** Coverage block after block against the line: the least of each bin, its mean, and marks where a block is not final. */
import type uPlot from 'uplot';
import type { PageData } from '../report/audit/page-shape.ts';
import { button, el, section } from './dom.ts';
import { colour } from './look.ts';
import { axis, plot } from './plot.ts';
import type { Selection } from './selection.ts';
import { blocks, OUTCOME_WORDS, percent, time } from './words.ts';

const HEIGHT = 288;
const UNDECIDED = 3;
const FAILED = 4;
/** Fewer bins on screen are no picture. */
const LEAST_BINS = 10;

/** Bins without signatures leave a gap. */
const known = (millionths: number) => (millionths < 0 ? null : millionths / 1e6);

/** Times of all bins, those between known ones on a straight line; `undefined` where too few are known. */
export function timesOf({ bins }: PageData): number[] | undefined {
  const given = bins.time.flatMap((seconds, n) => (seconds > 0 ? [[n, seconds] as const] : []));
  if (given.length < 2 || given.length < bins.time.length / 2) return undefined;
  let at = 0;
  const times = bins.time.map((_, n) => {
    while (at < given.length - 2 && given[at + 1]![0] < n) at += 1;
    const [[n0, t0], [n1, t1]] = [given[at]!, given[at + 1]!];
    return t0 + ((t1 - t0) * (n - n0)) / (n1 - n0);
  });
  // A ledger may say what it likes of times; a picture needs them in order.
  return times.every((value, n) => n === 0 || value > times[n - 1]!) ? times : undefined;
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
  const marks = (wanted: (outcome: number) => boolean) => least.map((y, n) => (wanted(bins.outcome[n]!) ? y : null));
  const lowest = least.reduce<number>((low, y) => (y !== null && y < low ? y : low), threshold);
  const floor = Math.max(0, Math.floor((lowest - 0.03) * 20) / 20);
  const times = timesOf(data);
  const xs: Readonly<Record<string, number[]>> = {
    block: [...bins.first],
    ...(times === undefined ? {} : { time: times }),
  };
  const rest = [
    least,
    bins.mean.map(known),
    least.map(() => threshold),
    marks((outcome) => outcome === 1 || outcome === 2),
    marks((outcome) => outcome === UNDECIDED),
  ];
  const isBinned = bins.first.some((first, n) => first !== bins.last[n]);
  const dots = (name: string): uPlot.Series => ({
    stroke: () => colour(name),
    paths: () => null,
    points: { show: true, size: 7, fill: () => colour(name) },
  });
  let isTime = false;
  const chart = plot(
    box,
    HEIGHT,
    {
      scales: {
        x: { time: false, range: (_, min, max) => (min === max ? [min - 1, max + 1] : [min, max]) },
        y: { range: [floor, 1.005] },
      },
      axes: [
        axis((value) => (isTime ? time(value).slice(5, 16) : String(value)), { space: 90 }),
        axis((value) => `${Math.round(value * 100)} %`),
      ],
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, dist: 8 } },
      series: [
        {},
        { stroke: () => colour('line'), width: 1.2, points: { show: bins.first.length <= 60 } },
        { show: isBinned, stroke: () => colour('faint'), width: 1, points: { show: false } },
        { stroke: () => colour('limit'), width: 1.5, dash: [8, 5], points: { show: false } },
        dots('bad'),
        dots('doubt'),
      ],
      hooks: { draw: [(u) => drawBands(u, data), (u) => drawChosen(u, selection.bin)] },
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
    const coverage = bins.least[bin]! < 0 ? '' : `, ${percent(bins.least[bin]! / 1e6)} signed`;
    const when = bins.time[bin]! > 0 ? `, ${time(bins.time[bin]!)}` : '';
    return `${blocks(bins.first[bin]!, bins.last[bin]!)}: ${OUTCOME_WORDS[bins.outcome[bin]!]}${coverage}${when}`;
  };
  const chosen = el('p', { class: 'note screen' });
  selection.onChange((bin) => {
    box.setAttribute('aria-valuenow', String(bin));
    box.setAttribute('aria-valuetext', words(bin));
    chosen.textContent = `Chosen: ${words(bin)}`;
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
  if (isBinned) key.push(el('li', { class: 'gone' }, 'mean of each bin'));
  key.push(
    el('li', { class: 'limit' }, `more than ${data.thresholdWords} is final`),
    el('li', { class: 'bad' }, 'not final'),
    el('li', { class: 'doubt' }, 'undecided'),
    el('li', { class: 'gone' }, 'not fetched (band)'),
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
function drawBands(u: uPlot, { bins, changes }: PageData): void {
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
  ctx.restore();
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
