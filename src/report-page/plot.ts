/** uPlot in the colours of the page, as wide as there is room. */
import uPlot from 'uplot';
import { colour, onLook, widthOf } from './look.ts';

/** Of an axis: grid and words in the colours of the page. */
export function axis(values: (value: number) => string, more: uPlot.Axis = {}): uPlot.Axis {
  return {
    stroke: () => colour('faint'),
    grid: { stroke: () => colour('edge'), width: 1 },
    ticks: { stroke: () => colour('edge'), width: 1 },
    values: (_, splits) => splits.map(values),
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
