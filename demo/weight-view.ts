/** Weight against the line: every validator a piece as wide as its weight. */

import { percent } from '../src/app/report/layout.ts';
import { el, facts, section } from '../src/app/report-page/dom.ts';
import { weightShare } from '../src/app/report-page/format.ts';
import type { Judged } from './protocol.ts';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 1200;
const HEIGHT = 64;

type Report = Judged['report'];

function shape(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** Thinner ones are not seen: neighbours of a kind are drawn as one. */
const THINNEST = 0.5;

interface Piece {
  readonly weight: string;
  readonly kind: 'signed' | 'bad' | 'missing';
}

/** Heaviest first, good ones before bad ones before missing ones; a repeated signer is one piece. */
function piecesOf({ signers, missing }: Report): Piece[] {
  const heavy = (a: Piece, b: Piece) => (BigInt(b.weight) > BigInt(a.weight) ? 1 : -1);
  const seen = new Set<string>();
  const present = signers.flatMap(({ nodeIdShort, weight, outcome }): Piece[] => {
    if (weight === '0' || seen.has(nodeIdShort)) return [];
    seen.add(nodeIdShort);
    return [{ weight, kind: outcome === 'valid' ? 'signed' : 'bad' }];
  });
  const absent = missing.map(({ weight }): Piece => ({ weight, kind: 'missing' }));
  return [
    ...present.filter(({ kind }) => kind === 'signed').sort(heavy),
    ...present.filter(({ kind }) => kind === 'bad').sort(heavy),
    ...absent.sort(heavy),
  ];
}

interface Drawn {
  readonly kind: Piece['kind'];
  width: number;
}

/** Pieces in order, with those that are too thin joined to their neighbours. */
function drawnOf(pieces: readonly Piece[], totalWeight: string): readonly Drawn[] {
  const drawn: Drawn[] = [];
  for (const { weight, kind } of pieces) {
    const width = WIDTH * weightShare(weight, totalWeight);
    const last = drawn.at(-1);
    if (last?.kind === kind && Math.min(width, last.width) < THINNEST) last.width += width;
    else drawn.push({ kind, width });
  }
  return drawn;
}

function pictureOf(report: Report): SVGElement {
  const { totalWeight, signedWeight, requiredWeight } = report;
  const label = `${percent(weightShare(signedWeight, totalWeight))} of the weight signed; ${percent(weightShare(requiredWeight, totalWeight))} is needed`;
  const picture = shape('svg', {
    class: 'weight',
    role: 'img',
    'aria-label': label,
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
  });
  let at = 0;
  for (const { kind, width } of drawnOf(piecesOf(report), totalWeight)) {
    const gap = Math.min(1, width / 4);
    picture.append(
      shape('rect', { class: kind, x: at.toFixed(2), y: 12, width: (width - gap).toFixed(2), height: 40 }),
    );
    at += width;
  }
  const line = (WIDTH * weightShare(requiredWeight, totalWeight)).toFixed(2);
  picture.append(shape('line', { class: 'needed', x1: line, x2: line, y1: 0, y2: HEIGHT }));
  return picture;
}

const KEY: readonly (readonly [string, string])[] = [
  ['signed', 'signed, and good'],
  ['bad', 'in the list, and bad'],
  ['missing', 'missing'],
  ['needed', 'what it takes'],
];

export function weightSection(report: Report): HTMLElement {
  const { signedWeight, totalWeight, requiredWeight, counts } = report;
  const margin = BigInt(signedWeight) - BigInt(requiredWeight);
  const words = margin >= 0n ? `${margin} more than needed` : `${-margin} short`;
  const list = el('ul', { class: 'key' }, ...KEY.map(([kind, words]) => el('li', { class: kind }, words)));
  return section(
    'weight',
    'Weight',
    pictureOf(report),
    list,
    facts('tiles', [
      ['signed', percent(weightShare(signedWeight, totalWeight))],
      ['needed', percent(weightShare(requiredWeight, totalWeight))],
      ['good signatures', `${counts.valid} of ${counts.entries}`],
      ['validators missing', `${counts.missing} of ${counts.validators}`],
    ]),
    facts('facts', [
      ['signed weight', signedWeight],
      ['needed', `${requiredWeight} (${report.policy.threshold} of the total, and a little more): ${words}`],
      ['total', totalWeight],
    ]),
  );
}
