/**
 * Draws marks of blocks that are not final. Each has its own shape, because some people cannot tell the colours apart. The style sheet has
 * the same shapes for legends.
 */
import { colour } from './theme.ts';

export type Mark = 'insufficient' | 'rejected' | 'undecided' | 'failed';

const COLOURS: Readonly<Record<Mark, string>> = {
  insufficient: 'bad',
  rejected: 'bad',
  undecided: 'doubt',
  failed: 'faint',
};

/** Outlines around the centre as SVG paths, in halves of a mark's width. */
const OUTLINES: Readonly<Record<Mark, string>> = {
  insufficient: 'M-1-.8H1L0 1Z',
  rejected: 'M-1-1 1 1M-1 1 1-1',
  undecided: 'M0-1.2 1.2 0 0 1.2-1.2 0Z',
  failed: 'M-.9-.9H.9V.9H-.9Z',
};

const HALF = 4.5;

/** @param x of the centre, in pixels of the canvas */
export function drawMark(ctx: CanvasRenderingContext2D, mark: Mark, x: number, y: number): void {
  const outline = new Path2D(OUTLINES[mark]);
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(HALF * devicePixelRatio, HALF * devicePixelRatio);
  ctx.strokeStyle = colour(COLOURS[mark]);
  ctx.fillStyle = colour(mark === 'insufficient' ? 'bad' : 'back');
  ctx.lineWidth = 2 / HALF;
  if (mark !== 'rejected') ctx.fill(outline);
  ctx.stroke(outline);
  ctx.restore();
}
