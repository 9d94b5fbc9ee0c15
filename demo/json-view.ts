/** The report, or the error, as the command prints it under `--json`. */
import { button, el, section } from '../src/app/report-page/dom.ts';

/** Characters that are shown: more would take seconds to lay out, and is only saved or copied. */
const MAX_SHOWN_CHARS = 256 * 1024;

export function jsonSection(name: string, json: unknown): HTMLElement {
  const text = `${JSON.stringify(json, null, 2)}\n`;
  const said = el('span', { role: 'status' });
  const copy = button('Copy', () => {
    // Without a clipboard, as in a page that was opened from a network without TLS, the text can still be selected.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    written.then(
      () => said.replaceChildren('Copied.'),
      () => said.replaceChildren('This browser gives no clipboard: select the text instead.'),
    );
  });
  const isWhole = text.length <= MAX_SHOWN_CHARS;
  const save = button(isWhole ? 'Save' : 'Save for all', () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    el('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  });
  const shown = el(
    'pre',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'JSON' },
    isWhole ? text : text.slice(0, MAX_SHOWN_CHARS),
  );
  const note = `The first ${MAX_SHOWN_CHARS} of ${text.length} characters: Copy and Save give all of them.`;
  const cut = isWhole ? [] : [el('p', { class: 'note' }, note)];
  return section('json', 'As JSON', el('div', { class: 'controls' }, copy, save, said), ...cut, shown);
}
