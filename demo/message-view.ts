/** The signed bytes, field by field, each byte with its place. */
import { el, section } from '../src/app/report-page/dom.ts';
import { candidateFields, type Field, fieldValue, messageFields } from './layout.ts';
import type { Judged } from './protocol.ts';

const byteText = (byte: number) => byte.toString(16).padStart(2, '0');

/** Bytes of one field; those that differ from `before` are marked. */
function bytesOf(bytes: Uint8Array, at: number, length: number, before: Uint8Array | undefined): HTMLElement {
  const code = el('code', { class: 'bytes' });
  for (let n = at; n < at + length; n++) {
    const text = byteText(bytes[n]!);
    const isOther = before !== undefined && before.length === bytes.length && before[n] !== bytes[n];
    code.append(isOther ? el('mark', { title: `byte ${n} was ${byteText(before[n]!)}` }, text) : text, ' ');
  }
  return code;
}

function tableOf(caption: string, fields: readonly Field[], bytes: Uint8Array, before: Uint8Array | undefined) {
  const body = el('tbody');
  let at = 0;
  for (const field of fields) {
    const value = fieldValue(field, bytes, at);
    body.append(
      el(
        'tr',
        {},
        el('td', { class: 'number' }, String(at)),
        el('th', { scope: 'row' }, field.name),
        el('td', {}, bytesOf(bytes, at, field.length, before)),
        el('td', {}, value === '' ? field.meaning : `${value}: ${field.meaning}`),
      ),
    );
    at += field.length;
  }
  const heads = ['byte', 'field', 'bytes', 'meaning'].map((name) =>
    el('th', { scope: 'col', ...(name === 'byte' ? { class: 'number' } : {}) }, name),
  );
  const grid = el(
    'table',
    { class: 'layout' },
    el('caption', {}, caption),
    el('thead', {}, el('tr', {}, ...heads)),
    body,
  );
  return el('div', { class: 'scroll tall', role: 'region', tabindex: '0', 'aria-label': caption }, grid);
}

/** @param before what was judged before a byte was flipped */
export function messageSection(judged: Judged, before: Judged | undefined): HTMLElement {
  const { message, candidate, report } = judged;
  const parts: HTMLElement[] = [
    tableOf(
      `The message, ${message.length} bytes: every signer signed just these`,
      messageFields(report.kind === 'simplex' ? 'simplex' : 'ordinary'),
      message,
      before?.message,
    ),
  ];
  if (candidate !== undefined) {
    parts.push(
      tableOf(
        `The candidate, ${candidate.length} bytes: the message contains its SHA-256, and the candidate names the block`,
        candidateFields(candidate),
        candidate,
        before?.candidate,
      ),
    );
  }
  return section('message', 'The signed message', ...parts);
}
