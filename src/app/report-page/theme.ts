/** Reads colours from the style sheet, and redraws pictures when the colour scheme changes, or for printing. */

const drawn = new Set<() => void>();

export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** @param draw called whenever colours or widths change */
export function onLook(draw: () => void): void {
  drawn.add(draw);
}

/** Draws every picture once the page contains it, and when its place changes. */
export function drawAll(): void {
  for (const draw of drawn) draw();
}

/** Uses light colours for paper, and a narrower width: the style sheet stretches pictures to it. */
function setPaper(isPaper: boolean): void {
  if (document.documentElement.classList.contains('print') === isPaper) return;
  document.documentElement.classList.toggle('print', isPaper);
  drawAll();
}

const PAPER_PIXELS = 680;

/** Returns the width in pixels that a picture may have. */
export function widthOf(element: HTMLElement): number {
  const width = element.clientWidth || PAPER_PIXELS;
  return document.documentElement.classList.contains('print') ? Math.min(PAPER_PIXELS, width) : width;
}

export function watchLook(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  matchMedia('print').addEventListener('change', ({ matches }) => setPaper(matches));
  addEventListener('beforeprint', () => setPaper(true));
  addEventListener('afterprint', () => setPaper(false));
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return; // phones show and hide their bars
    width = innerWidth;
    drawAll();
  });
}
