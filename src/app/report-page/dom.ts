/** Makes elements. Text of a ledger is inserted as text, never as markup. */

type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Makes a button that only calls `act`. */
export function button(label: string, act: () => void): HTMLButtonElement {
  const element = el('button', { type: 'button' }, label);
  element.addEventListener('click', act);
  return element;
}

/** Makes a section with a heading that names it. */
export function section(id: string, title: string, ...children: readonly Child[]): HTMLElement {
  const heading = el('h2', { id: `${id}-title` }, title);
  return el('section', { id, 'aria-labelledby': `${id}-title` }, heading, ...children);
}

/** Makes a section with a picture in it. */
export function picture(...parts: Parameters<typeof section>): HTMLElement {
  const made = section(...parts);
  made.classList.add('picture');
  return made;
}

/** Makes a legend of the shapes and colours of a picture. */
export function legend(entries: readonly (readonly [className: string, words: string])[]): HTMLElement {
  return el('ul', { class: 'key' }, ...entries.map(([className, words]) => el('li', { class: className }, words)));
}

/** Makes a choice of one option. @param options labels by value */
export function choice(
  label: string,
  options: Readonly<Record<string, string>>,
  choose: (value: string) => void,
): HTMLElement {
  const values = Object.entries(options).map(([value, words]) => el('option', { value }, words));
  const element = el('select', { 'aria-label': label }, ...values);
  element.addEventListener('change', () => choose(element.value));
  return element;
}

/** Makes pairs of name and value; a pair without a value is left out. */
export function facts(className: string, pairs: readonly (readonly [string, Child | null, string?])[]): HTMLElement {
  const list = el('dl', { class: className });
  for (const [name, value, kind] of pairs) {
    if (value === null) continue;
    const pair = [el('dt', {}, name), el('dd', kind === undefined ? {} : { class: kind }, value)];
    if (className === 'tiles') list.append(el('div', {}, ...pair));
    else list.append(...pair);
  }
  return list;
}

export interface TableColumn {
  readonly name: string;
  readonly kind?: 'number' | 'hash';
}

/** Makes columns of numbers. */
export function numbers(...names: readonly string[]): TableColumn[] {
  return names.map((name) => ({ name, kind: 'number' }));
}

export type TableCell = Child | { readonly text: string; readonly kind: string };

function cellOf(cell: TableCell, { kind }: TableColumn): HTMLElement {
  const attributes = kind === undefined ? {} : { class: kind };
  if (typeof cell === 'string' || cell instanceof Node) return el('td', attributes, cell);
  return el('td', { class: cell.kind }, cell.text);
}

/** Lines of a table that are shown at first. */
const FIRST_LINES = 100;

function textOf(cell: TableCell): string {
  if (typeof cell === 'string') return cell;
  return cell instanceof Node ? (cell.textContent ?? '') : cell.text;
}

/** Compares whole numbers of any size and shares by value, and other text as text. */
function compareCells(a: string, b: string): number {
  const whole = /^-?\d+$/;
  if (whole.test(a) && whole.test(b)) {
    const difference = BigInt(a) - BigInt(b);
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  }
  const difference = Number.parseFloat(a) - Number.parseFloat(b);
  return Number.isNaN(difference) ? a.localeCompare(b, 'en', { numeric: true }) : difference;
}

/** Adds a note that there is more at the side, while there is. */
function sideHint(box: HTMLElement): HTMLElement {
  const hint = el('p', { class: 'note screen', hidden: '' }, 'Scroll the table to see more columns.');
  new ResizeObserver(() => {
    hint.hidden = box.scrollWidth <= box.clientWidth + 1;
  }).observe(box);
  return hint;
}

/**
 * Makes a table that shows its first lines, and the rest on request: a thousand lines at once would stop the page for a moment. Its column
 * heads sort it, up and then down.
 * @param line makes the cells of line `n`
 */
export function table(
  caption: string,
  columns: readonly TableColumn[],
  count: number,
  line: (n: number) => TableCell[],
): HTMLElement {
  const body = el('tbody');
  let order = Array.from({ length: count }, (_, n) => n);
  const fill = (from: number, to: number) => {
    const lines = document.createDocumentFragment();
    for (const n of order.slice(from, to)) {
      lines.append(el('tr', {}, ...line(n).map((cell, at) => cellOf(cell, columns[at]!))));
    }
    body.append(lines);
  };
  let shown = Math.min(count, FIRST_LINES);
  fill(0, shown);
  const heads = columns.map(({ name, kind }, at) => {
    const sort = button(name, () => {
      const isUp = head.ariaSort !== 'ascending';
      for (const other of heads) other.ariaSort = null;
      head.ariaSort = isUp ? 'ascending' : 'descending';
      const words = order.map((_, n) => textOf(line(n)[at]!));
      order = words.map((_, n) => n).sort((a, b) => (isUp ? 1 : -1) * compareCells(words[a]!, words[b]!) || a - b);
      body.replaceChildren();
      fill(0, shown);
    });
    const head = el('th', { scope: 'col', ...(kind === undefined ? {} : { class: kind }) }, sort);
    return head;
  });
  const grid = el('table', {}, el('caption', {}, caption), el('thead', {}, el('tr', {}, ...heads)), body);
  const box = el('div', { class: 'scroll', role: 'region', tabindex: '0', 'aria-label': caption }, grid);
  const all = el('div', {}, box, sideHint(box));
  if (shown === count) return all;
  const more = button(`Show more of ${count}`, () => {
    const next = Math.min(count, shown + 5 * FIRST_LINES);
    fill(shown, next);
    shown = next;
    if (shown === count) more.remove();
  });
  all.append(el('div', { class: 'controls' }, more));
  return all;
}
