/** Sets up uPlot with the colours and the width of the page. */
import uPlot from 'uplot';
import { colour, onLook, widthOf } from './theme.ts';

/** Steps between block numbers or whole percents: 1, 2, 5, 10, and so on. */
export const WHOLE = Array.from({ length: 30 }, (_, n) => [1, 2, 5][n % 3]! * 10 ** Math.floor(n / 3));

const CHARACTER = 7.5;

/** Makes an axis with a grid and labels in the colours of the page, and room for the longest label. */
export function axis(values: (value: number) => string, more: uPlot.Axis = {}): uPlot.Axis {
  return {
    stroke: () => colour('faint'),
    grid: { stroke: () => colour('edge'), width: 1 },
    ticks: { stroke: () => colour('edge'), width: 1 },
    values: (_, splits) => splits.map(values),
    incrs: WHOLE,
    size: (_, words, at) => (at === 0 ? 40 : 20 + CHARACTER * Math.max(4, ...(words ?? []).map((word) => word.length))),
    ...more,
  };
}

export function plot(
  box: HTMLElement,
  height: number,
  options: Omit<uPlot.Options, 'width' | 'height'>,
  data: uPlot.AlignedData,
): uPlot {
  const chart = new uPlot({ legend: { show: false }, ...options, width: widthOf(box), height }, data, box);
  onLook(() => {
    chart.setSize({ width: widthOf(box), height });
    chart.redraw(false, true);
  });
  return chart;
}

/** Style of a line across a picture: width in pixels, and dashes. */
interface LineStyle {
  readonly colour: string;
  readonly width: number;
  readonly dash?: readonly [dash: number, gap: number];
}

/** The threshold above which a block is final. */
export const LIMIT: LineStyle = { colour: 'limit', width: 2, dash: [8, 5] };

/** Draws lines across a picture, at these values of one of its axes. */
export function drawLines(u: uPlot, of: 'x' | 'y', values: ArrayLike<number>, style: LineStyle): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left - 1, bbox.top, bbox.width + 2, bbox.height);
  ctx.clip();
  ctx.strokeStyle = colour(style.colour);
  ctx.lineWidth = style.width * devicePixelRatio;
  ctx.setLineDash((style.dash ?? []).map((pixels) => pixels * devicePixelRatio));
  ctx.beginPath();
  for (const value of Array.from(values)) {
    const at = u.valToPos(value, of, true);
    if (of === 'x') {
      ctx.moveTo(at, bbox.top);
      ctx.lineTo(at, bbox.top + bbox.height);
    } else {
      ctx.moveTo(bbox.left, Math.round(at));
      ctx.lineTo(bbox.left + bbox.width, Math.round(at));
    }
  }
  ctx.stroke();
  ctx.restore();
}
