/** Runs the page of a report: reads the data in the page, and inserts the sections. It makes no requests. */
import type { PageData } from '../report/audit/page-data.ts';
import { percent } from '../report/layout.ts';
import { blockSection } from './block.ts';
import { coverageSection } from './coverage.ts';
import { el, facts } from './dom.ts';
import { changeSection, problemSection } from './exception-lists.ts';
import { time } from './format.ts';
import { marginSection } from './margins.ts';
import { Selection } from './selection.ts';
import { drawAll, watchLook } from './theme.ts';
import { validatorSection } from './validators.ts';

function pageHeader(data: PageData): HTMLElement {
  const [final = 0, insufficient = 0, rejected = 0, undecided = 0, failed = 0] = data.outcomes;
  const tiles: (readonly [string, string])[] = [['final', String(final)]];
  if (insufficient + rejected > 0) tiles.push(['not final', String(insufficient + rejected)]);
  if (undecided > 0) tiles.push(['undecided', String(undecided)]);
  if (failed > 0) tiles.push(['not fetched', String(failed)]);
  if (data.mean !== null) tiles.push(['mean coverage', percent(data.mean)]);
  if (data.thinnest !== null) tiles.push([`thinnest margin, block ${data.thinnest[0]}`, percent(data.thinnest[1])]);
  tiles.push(['validators', String(data.validatorCount)]);
  return el(
    'header',
    {},
    el('h1', { class: `conclusion ${data.conclusion}` }, data.headline),
    facts('tiles', tiles),
    facts('facts', [
      ['part', data.part],
      ['time', data.times?.map(time).join(' to ') ?? null],
      ['judged', data.judged],
      ['policy', data.policy],
      ['trust', data.trust],
      ['ledger', data.ledger],
      ['ledger hash', data.hash, 'hash'],
      ['record', data.record],
      ['report by', data.tool],
    ]),
  );
}

function main(): void {
  const data = JSON.parse(document.getElementById('data')!.textContent) as PageData; // written next to this script
  document.title = data.headline;
  const page = document.getElementById('page')!;
  const selection = new Selection(data.bins.first);
  page.replaceChildren(pageHeader(data));
  if (data.bins.first.length === 0) return;
  watchLook();
  const parts = [
    coverageSection(data, selection),
    blockSection(data, selection),
    marginSection(data),
    validatorSection(data, selection),
    changeSection(data, selection),
    problemSection(data, selection),
  ];
  for (const part of parts) if (part !== undefined) page.append(part);
  const doubtful = data.bins.outcome.findIndex((outcome) => outcome !== 0);
  selection.choose(Math.max(0, doubtful));
  drawAll(); // each picture has its place and width now
}

main();
