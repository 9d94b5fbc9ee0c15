/** Shows who signed: the heat map, and the totals as a table in the same order. */
import type { PageData } from '../report/audit/page-data.ts';
import type { PageValidator } from '../report/audit/page-rows.ts';
import { percent } from '../report/layout.ts';
import { choice, el, legend, numbers, section, table } from './dom.ts';
import { hexOf } from './format.ts';
import { heatMap } from './heat-map.ts';
import type { Selection } from './selection.ts';

const signed = ([, , blocks, absent, bad]: PageValidator) => blocks - absent - bad;

export function validatorSection(data: PageData, selection: Selection): HTMLElement | undefined {
  const { validators, keys, validatorCount } = data;
  if (validators.length === 0) return undefined;
  const by = (compare: (a: PageValidator, b: PageValidator) => number) =>
    validators.map((_, n) => n).sort((a, b) => compare(validators[a]!, validators[b]!));
  const orders: Readonly<Record<string, number[]>> = {
    missed: by(() => 0),
    share: by((a, b) => signed(a) / a[2] - signed(b) / b[2]),
    weight: by((a, b) => Number(BigInt(b[1]) - BigInt(a[1]))),
    first: by((a, b) => a[5] - b[5]),
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
        ...numbers('participation', 'signed', 'absent', 'bad', 'of blocks', 'weight'),
        { name: 'public key', kind: 'hash' },
      ],
      order.length,
      (line) => {
        const one = validators[order[line]!]!;
        const [key, weight, blocks, absent, bad] = one;
        const done = signed(one);
        return [percent(done / blocks), ...[done, absent, bad, blocks].map(String), weight, hexOf(keys[key]!)];
      },
    );
  const words = {
    missed: 'most blocks missed first',
    share: 'lowest participation first',
    weight: 'greatest weight first',
    first: 'by first block',
  };
  const part =
    validators.length === validatorCount
      ? `All ${validatorCount} validators.`
      : `The ${validators.length} of ${validatorCount} validators that missed most; report --csv has all.`;
  const made = section(
    'validators',
    'Validators',
    el('p', { class: 'note' }, `${part} Each column is a stretch of blocks, empty where a validator was in no set.`),
    legend([
      ['scale', 'from signed all to signed nothing'],
      ['cut', 'among them bad signatures'],
      ['empty', 'in no set'],
    ]),
    el('div', { class: 'controls' }, choice('Order of validators', words, show)),
    map.element,
    el('h3', {}, 'Totals'),
    place,
  );
  show('missed');
  return made;
}
