/** Elements by hand. Whatever comes from a ledger goes in as text, never as markup. */

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

/** A button that does nothing but `act`. */
export function button(label: string, act: () => void): HTMLButtonElement {
  const element = el('button', { type: 'button' }, label);
  element.addEventListener('click', act);
  return element;
}

/** A section with a heading that names it. */
export function section(id: string, title: string, ...children: readonly Child[]): HTMLElement {
  const heading = el('h2', { id: `${id}-title` }, title);
  return el('section', { id, 'aria-labelledby': `${id}-title` }, heading, ...children);
}

/** Name and value in pairs. */
export function facts(className: string, pairs: readonly (readonly [string, Child, string?])[]): HTMLElement {
  const list = el('dl', { class: className });
  for (const [name, value, kind] of pairs) {
    const pair = [el('dt', {}, name), el('dd', kind === undefined ? {} : { class: kind }, value)];
    if (className === 'tiles') list.append(el('div', {}, ...pair));
    else list.append(...pair);
  }
  return list;
}

export interface Column {
  readonly name: string;
  readonly kind?: 'number' | 'hash';
}

export type Cell = Child | { readonly text: string; readonly kind: string };

function cellOf(cell: Cell, { kind }: Column): HTMLElement {
  const attributes = kind === undefined ? {} : { class: kind };
  if (typeof cell === 'string' || cell instanceof Node) return el('td', attributes, cell);
  return el('td', { class: cell.kind }, cell.text);
}

/** Lines of a table that are shown before anybody asks for more. */
const FIRST_LINES = 100;

/**
 * A table that shows its first lines, and the rest when asked: a thousand lines at once would stop the page for a moment.
 * @param line makes the cells of line `n`
 */
export function table(
  caption: string,
  columns: readonly Column[],
  count: number,
  line: (n: number) => Cell[],
): HTMLElement {
  const body = el('tbody');
  const fill = (from: number, to: number) => {
    const lines = document.createDocumentFragment();
    for (let n = from; n < to; n++) {
      lines.append(el('tr', {}, ...line(n).map((cell, at) => cellOf(cell, columns[at]!))));
    }
    body.append(lines);
  };
  let shown = Math.min(count, FIRST_LINES);
  fill(0, shown);
  const heads = columns.map(({ name, kind }) =>
    el('th', { scope: 'col', ...(kind === undefined ? {} : { class: kind }) }, name),
  );
  const grid = el('table', {}, el('caption', {}, caption), el('thead', {}, el('tr', {}, ...heads)), body);
  const box = el('div', { class: 'scroll', role: 'region', tabindex: '0', 'aria-label': caption }, grid);
  if (shown === count) return box;
  const more = button(`Show more of ${count}`, () => {
    const next = Math.min(count, shown + 5 * FIRST_LINES);
    fill(shown, next);
    shown = next;
    if (shown === count) more.remove();
  });
  return el('div', {}, box, el('div', { class: 'controls' }, more));
}
