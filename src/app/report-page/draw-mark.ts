/** Marks of blocks that are not final: each a shape of its own, since not everybody tells colours apart. The style has the same for keys. */
import { colour } from './theme.ts';

export type Mark = 'insufficient' | 'rejected' | 'undecided' | 'failed';

const COLOURS: Readonly<Record<Mark, string>> = {
  insufficient: 'bad',
  rejected: 'bad',
  undecided: 'doubt',
  failed: 'gone',
};

/** Lines from point to point, in halves of a mark's width. */
const SHAPES: Readonly<Record<Mark, readonly (readonly (readonly [number, number])[])[]>> = {
  insufficient: [
    [
      [-1, -0.8],
      [1, -0.8],
      [0, 1],
      [-1, -0.8],
      [1, -0.8],
    ],
  ],
  rejected: [
    [
      [-1, -1],
      [1, 1],
    ],
    [
      [-1, 1],
      [1, -1],
    ],
  ],
  undecided: [
    [
      [0, -1.2],
      [1.2, 0],
      [0, 1.2],
      [-1.2, 0],
      [0, -1.2],
      [1.2, 0],
    ],
  ],
  failed: [
    [
      [-0.9, -0.9],
      [0.9, -0.9],
      [0.9, 0.9],
      [-0.9, 0.9],
      [-0.9, -0.9],
      [0.9, -0.9],
    ],
  ],
};

const HALF = 4.5;

/** @param x of the middle, in pixels of the canvas */
export function drawMark(ctx: CanvasRenderingContext2D, mark: Mark, x: number, y: number): void {
  const size = HALF * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colour(COLOURS[mark]);
  ctx.fillStyle = colour(mark === 'insufficient' ? 'bad' : 'back');
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  for (const line of SHAPES[mark]) {
    for (const [n, [dx, dy]] of line.entries()) ctx[n === 0 ? 'moveTo' : 'lineTo'](x + dx * size, y + dy * size);
  }
  if (mark !== 'rejected') ctx.fill();
  ctx.stroke();
  ctx.restore();
}
