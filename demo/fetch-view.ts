/** The controls that fetch something into the form; nothing is asked before one of their buttons is pressed. */
import { button, el } from '../src/app/report-page/dom.ts';
import type { InputField } from './input-field.ts';
import type { DownloadRequest, FetchRequest } from './protocol.ts';
import { MAX_FILE_BYTES } from './read-given.ts';

/** Milliseconds for a file, the slowest line of a phone in mind. */
const FILE_WITHIN_MS = 60_000;

/** Fetches something into a field. */
export type FetchInto = (request: FetchRequest | DownloadRequest, into: InputField) => void;

export function serverControl(fetchInto: FetchInto, signatures: InputField, validators: InputField): HTMLElement {
  const url = el('input', {
    id: 'server',
    type: 'url',
    value: 'https://toncenter.com/api/v2',
    'aria-describedby': 'server-note',
  });
  const block = el('input', { id: 'block', value: 'latest', class: 'short', maxlength: '10' });
  const get = (what: FetchRequest['what'], into: InputField) => () =>
    fetchInto({ kind: 'fetch', what, baseUrl: url.value, block: block.value.trim() }, into);
  const note =
    'Nothing leaves this page before you press one of these. The page does not trust the server: a set that it claims leaves the block undecided.';
  return el(
    'details',
    {},
    el('summary', {}, 'Fetch from a server'),
    el('p', { id: 'server-note', class: 'note' }, note),
    el('label', { for: 'server' }, 'API v2 base URL'),
    url,
    el('label', { for: 'block' }, 'Block number, or latest'),
    block,
    el(
      'div',
      { class: 'controls' },
      button('Fetch signatures', get('signatures', signatures)),
      button('Fetch the set it claims', get('validators', validators)),
    ),
  );
}

export function downloadControl(fetchInto: FetchInto, into: InputField, what: string): HTMLElement {
  const url = el('input', { id: `${into.part}-url`, type: 'url', placeholder: 'https://' });
  const fetchIt = button(`Fetch ${what}`, () =>
    fetchInto({ kind: 'download', url: url.value, maxBytes: MAX_FILE_BYTES, deadlineMs: FILE_WITHIN_MS }, into),
  );
  return el(
    'details',
    {},
    el('summary', {}, `Fetch ${what} from a URL`),
    el('label', { for: url.id }, `URL of ${what}`),
    url,
    el('div', { class: 'controls' }, fetchIt),
  );
}
