/** Every signer with its outcome and weight, and every validator that is missing. */

import { percent } from '../src/app/report/layout.ts';
import { button, el, section, type TableCell, table } from '../src/app/report-page/dom.ts';
import { weightShare } from '../src/app/report-page/format.ts';
import type { Judged } from './protocol.ts';

type Report = Judged['report'];

interface Row {
  readonly entry: string;
  readonly outcome: keyof typeof OUTCOMES;
  readonly weight: string;
  readonly nodeIdShort: string;
  readonly publicKey: string;
}

const OUTCOMES = {
  valid: { text: '✓ valid', kind: 'is-signed' },
  'bad-signature': { text: '✗ bad signature', kind: 'is-bad' },
  'unknown-signer': { text: '✗ unknown signer', kind: 'is-bad' },
  'duplicate-signer': { text: '✗ duplicate signer', kind: 'is-bad' },
  unchecked: { text: '– unchecked', kind: 'is-absent' },
  missing: { text: '– missing', kind: 'is-absent' },
} as const satisfies Readonly<Record<string, TableCell>>;

function rowsOf({ signers, missing }: Report): Row[] {
  return [
    ...signers.map(({ index, outcome, weight, nodeIdShort, publicKey = '' }) => ({
      entry: String(index),
      outcome,
      weight,
      nodeIdShort,
      publicKey,
    })),
    ...missing.map(({ weight, nodeIdShort }) => ({
      entry: '',
      outcome: 'missing' as const,
      weight,
      nodeIdShort,
      publicKey: '',
    })),
  ];
}

const FILTERS: readonly (readonly [string, (row: Row) => boolean])[] = [
  ['All', () => true],
  ['Valid', ({ outcome }) => outcome === 'valid'],
  ['Bad', ({ outcome }) => outcome !== 'valid' && outcome !== 'missing'],
  ['Missing', ({ outcome }) => outcome === 'missing'],
];

export function signersSection(report: Report): HTMLElement {
  const rows = rowsOf(report);
  const view = el('div');
  const controls = el('div', { class: 'controls', role: 'group', 'aria-label': 'Which signers are shown' });
  const show = (chosen: (row: Row) => boolean) => {
    const some = rows.filter(chosen);
    view.replaceChildren(
      table(
        `${some.length} of ${rows.length}: signers in the order of the answer, then validators that are missing`,
        [
          { name: 'entry', kind: 'number' },
          { name: 'outcome' },
          { name: 'share', kind: 'number' },
          { name: 'weight', kind: 'number' },
          { name: 'node id', kind: 'hash' },
          { name: 'public key', kind: 'hash' },
        ],
        some.length,
        (n) => {
          const { entry, outcome, weight, nodeIdShort, publicKey } = some[n]!;
          return [
            entry || '–',
            OUTCOMES[outcome],
            percent(weightShare(weight, report.totalWeight)),
            weight,
            nodeIdShort,
            publicKey || '–',
          ];
        },
      ),
    );
  };
  for (const [name, chosen] of FILTERS) {
    const one = button(`${name} ${rows.filter(chosen).length}`, () => {
      for (const other of controls.children) other.setAttribute('aria-pressed', String(other === one));
      show(chosen);
    });
    one.setAttribute('aria-pressed', String(name === 'All'));
    controls.append(one);
  }
  show(() => true);
  return section('signers', 'Signers', controls, view);
}
