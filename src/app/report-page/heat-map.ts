/** Draws validators by time: the share of blocks that each signed, of those that its set signed. */
import type { PageData } from '../report/audit/page-data.ts';
import { blocksWords, percent } from '../report/layout.ts';
import { timesOf } from './block-times.ts';
import { el } from './dom.ts';
import { hexOf, time } from './format.ts';
import type { Selection } from './selection.ts';
import { colour, onLook, widthOf } from './theme.ts';

/** Heights and widths in pixels. */
const ROW = 14;
const LOW_ROW = 7;
const LABELS = 78;
/** With more lines than this, each is low and has no name. */
const MANY = 300;
const STEPS: Readonly<Record<string, readonly [columns: number, lines: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** Number of distinct shades. */
const SHADES = 24;

function channels(name: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour(name).slice(at, at + 2), 16));
}

/** Makes the axis of blocks and times, from left to right. */
function axisOf(data: PageData): HTMLElement {
  const { columns, bins } = data;
  const times = timesOf(data);
  const ends = [columns[0]![0], columns[columns.length >> 1]![0], columns.at(-1)![1]];
  const wanted = columns.length < 3 ? [ends[0]!, ends[2]!] : ends;
  const words = [...new Set(wanted)].map((seqno) => {
    const at = times?.[bins.first.filter((first) => first <= seqno).length - 1];
    return el('span', {}, `${seqno}`, ...(at === undefined ? [] : [el('br'), time(at).slice(0, 16)]));
  });
  return el('div', { class: 'note heat-axis' }, ...words);
}

/** Returns shades from the colour for all blocks signed to the colour for none. */
function shades(): string[] {
  const [full, none] = [channels('heat-full'), channels('heat-none')];
  return Array.from({ length: SHADES + 1 }, (_, n) => {
    const mixed = full.map((value, at) => Math.round(value + ((none[at]! - value) * n) / SHADES));
    return `rgb(${mixed.join(',')})`;
  });
}

/** @returns the picture, and a function that shows validators in an order, given by their indexes from the top */
export function heatMap(data: PageData, selection: Selection) {
  const { columns, validators, cells, keys } = data;
  const canvas = el('canvas', { class: 'heat' });
  const said = el('p', { class: 'note screen', 'aria-live': 'polite' });
  const box = el(
    'div',
    {
      class: 'scroll',
      role: 'group',
      'aria-roledescription': 'heat map',
      'aria-label':
        'Participation of validators by time. Arrow keys move, Enter chooses the blocks. The table below has the totals.',
      tabindex: '0',
    },
    canvas,
  );
  const names = validators.map(([key]) => hexOf(keys[key]!).slice(0, 8));
  let order: readonly number[] = validators.map((_, n) => n);
  let at = { column: 0, line: 0 };
  const row = validators.length > MANY ? LOW_ROW : ROW;
  const labels = row === ROW ? LABELS : 0;
  let cell = 1;

  const above = axisOf(data);
  const draw = () => {
    const width = Math.max(240, widthOf(box) - 16);
    const scale = Math.min(2, devicePixelRatio);
    const height = row * order.length;
    cell = (width - labels) / Math.max(1, columns.length);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    above.style.paddingLeft = `${(100 * labels) / width}%`; // paper may be wider
    const context = canvas.getContext('2d')!;
    context.scale(scale, scale);
    context.font = '11px ui-monospace, monospace';
    context.textBaseline = 'middle';
    const [palette, words] = [shades(), colour('fore')];
    for (const [line, n] of order.entries()) {
      if (row === ROW) {
        context.fillStyle = words;
        context.fillText(names[n]!, 0, row * (line + 0.5));
      }
      const own = cells[n]!;
      for (let from = 0; from < own.length; from += 4) {
        const missed = (own[from + 2]! + own[from + 3]!) / own[from + 1]!;
        // A validator that missed one block of many gets a different shade from one that missed none.
        context.fillStyle = palette[Math.min(SHADES, Math.ceil(missed * SHADES))]!;
        const left = labels + own[from]! * cell;
        const wide = Math.max(1, cell - 0.5);
        context.fillRect(left, row * line, wide, row - 1);
        if (own[from + 3]! > 0) {
          context.strokeStyle = colour('back'); // a cut through the cell, so that invalid entries also differ in shape
          context.lineWidth = 2;
          context.beginPath();
          context.moveTo(left, row * (line + 1) - 1);
          context.lineTo(left + wide, row * line);
          context.stroke();
        }
      }
    }
    context.strokeStyle = words;
    context.lineWidth = 2;
    context.strokeRect(labels + at.column * cell, row * at.line, Math.max(3, cell), row - 1);
  };

  const move = (column: number, line: number) => {
    at = {
      column: Math.min(columns.length - 1, Math.max(0, column)),
      line: Math.min(order.length - 1, Math.max(0, line)),
    };
    draw();
    const n = order[at.line]!;
    const [first, last] = columns[at.column]!;
    const own = cells[n]!;
    const found = own.findIndex((value, place) => place % 4 === 0 && value === at.column);
    const of = found < 0 ? 'not in the set' : signedWords(own.slice(found + 1, found + 4));
    said.textContent = `Validator ${names[n]}…, ${blocksWords(first, last)}: ${of}`;
    const top = row * at.line;
    if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - row) box.scrollTop = top - box.clientHeight / 2;
  };

  const choose = () => {
    selection.chooseBlock(columns[at.column]![0]);
  };
  canvas.addEventListener('click', ({ offsetX, offsetY }) => {
    move(Math.floor((offsetX - labels) / cell), Math.floor(offsetY / row));
    choose();
  });
  box.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (step !== undefined) move(at.column + step[0], at.line + step[1]);
    else if (event.key === 'Enter') choose();
    else return;
    event.preventDefault();
  });
  onLook(draw);
  return {
    element: el('div', {}, above, box, said),
    show(wanted: readonly number[]) {
      order = wanted;
      draw();
    },
  };
}

function signedWords([count = 0, absent = 0, bad = 0]: readonly number[]): string {
  const signed = count - absent - bad;
  const wrong = bad === 0 ? '' : `, ${bad} bad`;
  return `signed ${signed} of ${count}${wrong} (${percent(signed / count)})`;
}
