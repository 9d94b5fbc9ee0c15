/** Shows one block and its signers; for a bin of several blocks, the block that needs attention first. */

import { encodeHex } from '../../core/base/bytes.ts';
import { HASH_BYTES } from '../../core/base/limits.ts';
import type { PageData } from '../report/audit/page-data.ts';
import { FLAG, type PageRow, type PageSet } from '../report/audit/page-rows.ts';
import { blocksWords, percent } from '../report/layout.ts';
import { button, el, facts, numbers, section, type TableCell, table } from './dom.ts';
import { bytesOf, hexOf, OUTCOME_NAMES, OUTCOME_WORDS, time, weightShare } from './format.ts';
import type { Selection } from './selection.ts';

const FIELDS = ['workchain', 'shard', 'seqno', 'root hash', 'file hash'];

const has = (bitmap: Uint8Array, n: number) => ((bitmap[n >> 3]! >> (7 - (n & 7))) & 1) === 1;

/** Describes the rest of the bin, and says if the requested block is a different one. */
function bandWords(data: PageData, bin: number, asked: number | undefined): string {
  const [first, last] = [data.bins.first[bin]!, data.bins.last[bin]!];
  if (first === last) return '';
  const [shown] = data.bins.row[bin]!;
  const head = `${capital(blocksWords(first, last))} share a bin.`;
  if (asked === undefined || asked === shown) return `${head} Block ${shown} most deserves a look.`;
  return `${head} Block ${asked} has no details in this page; the ledger has them. This is block ${shown}, which most deserves a look.`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function signersOf(set: PageSet, keys: readonly string[], absent: Uint8Array, bad: Uint8Array): HTMLElement {
  const { members, weights, total, size } = set;
  if (members === null)
    return el('p', { class: 'note' }, 'This page has too many validator sets to name the signers of this block.');
  const stateOf = (n: number): TableCell => {
    if (has(absent, n)) return { text: '– absent', kind: 'is-absent' };
    return has(bad, n) ? { text: '✗ bad', kind: 'is-bad' } : { text: '✓ signed', kind: 'is-signed' };
  };
  return table(
    'Signers, in the order of the set',
    [...numbers('#'), { name: 'state' }, ...numbers('share', 'weight'), { name: 'public key', kind: 'hash' }],
    size,
    (n) => [String(n), stateOf(n), percent(weightShare(weights[n]!, total)), weights[n]!, hexOf(keys[members[n]!]!)],
  );
}

function setWords(set: PageSet, flags: number): string {
  const origin = set.provenBy === null ? 'given' : `proven by key block ${set.provenBy}`;
  const check =
    flags & FLAG.setMatches
      ? ', named by the header'
      : flags & FLAG.setDiffers
        ? ', not the set that the header names'
        : '';
  return `${set.hash} (${set.size} validators, ${origin}${check})`;
}

/** Shows all facts of a row. */
function rowView(data: PageData, row: PageRow): HTMLElement[] {
  const [seqno, outcome, detail, kind, signed, required, at, unknown, seconds, flags, by, packed] = row;
  const bytes = bytesOf(packed);
  const state = el('strong', { class: `is-${OUTCOME_NAMES[outcome]}` }, OUTCOME_WORDS[outcome]!);
  const pairs: (readonly [string, Node | string, string?])[] = [
    ['block', String(seqno)],
    ['verdict', detail === 0 ? state : el('span', {}, state, `: ${detail}`)],
  ];
  if (packed === '') return [facts('facts', pairs)];
  const set = data.sets[at];
  if (set !== undefined && signed !== 0) {
    const need = required === 0 ? set.required : required;
    const margin = BigInt(signed) - BigInt(need);
    pairs.push(
      ['signed', `${signed} of ${set.total}, ${percent(weightShare(signed, set.total))}`],
      ['margin', margin >= 0n ? `${margin} more than needed` : `${-margin} short of ${need}`],
      ['signatures', `${kind === 1 ? 'ordinary' : 'simplex'}${unknown > 0 ? `, ${unknown} not in the set` : ''}`],
    );
  }
  if (by > 0) pairs.push(['judged', `by block ${by}, which leads down to it hash by hash`]);
  if (seconds > 0) pairs.push(['made', time(seconds)]);
  pairs.push(
    ['bound', FIELDS.filter((_, n) => flags & (1 << n)).join(', ') || 'nothing'],
    ['root hash', encodeHex(bytes.subarray(0, HASH_BYTES)), 'hash'],
    ['file hash', encodeHex(bytes.subarray(HASH_BYTES, 2 * HASH_BYTES)), 'hash'],
  );
  if (set === undefined) return [facts('facts', pairs)];
  pairs.push(['set', setWords(set, flags), 'hash']);
  const width = Math.ceil(set.size / 8);
  const absent = bytes.subarray(2 * HASH_BYTES, 2 * HASH_BYTES + width);
  const bad = bytes.subarray(2 * HASH_BYTES + width);
  return [facts('facts', pairs), signersOf(set, data.keys, absent, bad)];
}

export function blockSection(data: PageData, selection: Selection): HTMLElement {
  const { from, last, bins } = data;
  const input = el('input', {
    type: 'number',
    min: String(from),
    max: String(last),
    'aria-label': 'Block number',
    required: '',
  });
  const said = el('p', { class: 'note', role: 'status' });
  const form = el('form', { class: 'controls', novalidate: '' }, input, el('button', { type: 'submit' }, 'Show block'));
  form.append(
    button('Previous', () => selection.choose(selection.bin - 1)),
    button('Next', () => selection.choose(selection.bin + 1)),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const asked = Number(input.value);
    if (Number.isInteger(asked) && asked >= from && asked <= last) selection.chooseBlock(asked);
    else said.textContent = `This ledger has ${blocksWords(from, last)}, and no block ${input.value}.`;
  });
  const view = el('div', { 'aria-live': 'polite' });
  selection.onChange((bin, asked) => {
    const row = bins.row[bin]!;
    input.value = String(asked ?? row[0]);
    said.textContent = '';
    const band = bandWords(data, bin, asked);
    const head = band === '' ? [] : [el('p', { class: 'note' }, band)];
    view.replaceChildren(...head, ...rowView(data, row));
  });
  return section('block', 'Block', form, said, view);
}
