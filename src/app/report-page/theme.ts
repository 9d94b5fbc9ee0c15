/** Colours as the style names them, and whoever has to draw again when they change: another scheme, or paper. */

const drawn = new Set<() => void>();

export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** @param draw is called whenever colours or widths are others */
export function onLook(draw: () => void): void {
  drawn.add(draw);
}

/** Draws every picture, once it stands in its place or when that is another one. */
export function drawAll(): void {
  for (const draw of drawn) draw();
}

/** Paper is light, and narrower than most screens: the style stretches pictures to its width. */
function setPaper(isPaper: boolean): void {
  if (document.documentElement.classList.contains('print') === isPaper) return;
  document.documentElement.classList.toggle('print', isPaper);
  drawAll();
}

const PAPER_PIXELS = 680;

/** Pixels that a picture may be wide. */
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
    if (innerWidth === width) return; // the bars of a phone come and go
    width = innerWidth;
    drawAll();
  });
}
