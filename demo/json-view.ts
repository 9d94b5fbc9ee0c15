/** The report, or the error, as the command prints it under `--json`. */
import { button, el, section } from '../src/report-page/dom.ts';

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
  const save = button('Save', () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    el('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  });
  const shown = el('pre', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'JSON' }, text);
  return section('json', 'As JSON', el('div', { class: 'controls' }, copy, save, said), shown);
}
