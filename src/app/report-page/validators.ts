/** Who signed: the heat map, and the totals as a table in the same order. */
import type { PageData, PageValidator } from '../report/audit/page-shape.ts';
import { el, section, table } from './dom.ts';
import { bytesOf, hex, percent } from './format.ts';
import { heatMap } from './heat-map.ts';
import type { Selection } from './selection.ts';

const signed = ([, , , blocks, absent, bad]: PageValidator) => blocks - absent - bad;

export function validatorSection(data: PageData, selection: Selection): HTMLElement | undefined {
  const { validators, keys, validatorCount } = data;
  if (validators.length === 0) return undefined;
  const orders: Readonly<Record<string, number[]>> = {
    missed: validators.map((_, n) => n),
    share: validators
      .map((_, n) => n)
      .sort((a, b) => signed(validators[a]!) / validators[a]![3] - signed(validators[b]!) / validators[b]![3]),
    weight: validators
      .map((_, n) => n)
      .sort((a, b) => {
        const difference = BigInt(validators[b]![1]) - BigInt(validators[a]![1]);
        return difference > 0n ? 1 : difference < 0n ? -1 : 0;
      }),
    first: validators.map((_, n) => n).sort((a, b) => validators[a]![6] - validators[b]![6]),
  };
  const map = heatMap(data, selection);
  const place = el('div');
  const show = (name: string) => {
    const order = orders[name]!;
    map.show(order);
    place.replaceChildren(totals(order));
  };
  const totals = (order: readonly number[]) =>
    table(
      'Participation of each validator',
      [
        { name: 'participation', kind: 'number' },
        { name: 'signed', kind: 'number' },
        { name: 'absent', kind: 'number' },
        { name: 'bad', kind: 'number' },
        { name: 'of blocks', kind: 'number' },
        { name: 'weight', kind: 'number' },
        { name: 'public key', kind: 'hash' },
      ],
      order.length,
      (line) => {
        const one = validators[order[line]!]!;
        const [key, weight, , blocks, absent, bad] = one;
        const done = signed(one);
        return [
          percent(done / blocks),
          String(done),
          String(absent),
          String(bad),
          String(blocks),
          weight,
          hex(bytesOf(keys[key]!)),
        ];
      },
    );
  const choice = el(
    'select',
    { 'aria-label': 'Order of validators' },
    el('option', { value: 'missed' }, 'most blocks missed first'),
    el('option', { value: 'share' }, 'lowest participation first'),
    el('option', { value: 'weight' }, 'greatest weight first'),
    el('option', { value: 'first' }, 'by first block'),
  );
  choice.addEventListener('change', () => show(choice.value));
  const part =
    validators.length === validatorCount
      ? `All ${validatorCount} validators.`
      : `The ${validators.length} of ${validatorCount} validators that missed most; report --csv has all.`;
  const made = section(
    'validators',
    'Validators',
    el('p', { class: 'note' }, `${part} Each column is a stretch of blocks, empty where a validator was in no set.`),
    el(
      'ul',
      { class: 'key' },
      el('li', { class: 'scale' }, 'from signed all to signed nothing'),
      el('li', { class: 'cut' }, 'among them bad signatures'),
      el('li', { class: 'empty' }, 'in no set'),
    ),
    el('div', { class: 'controls' }, choice),
    map.element,
    el('h3', {}, 'Totals'),
    place,
  );
  show('missed');
  return made;
}
