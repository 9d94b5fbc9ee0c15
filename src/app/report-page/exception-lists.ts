/** Lists blocks that are not final, and changes of the set, line by line. */
import type { PageData } from '../report/audit/page-data.ts';
import { blocksWords } from '../report/layout.ts';
import { button, el, numbers, section, table } from './dom.ts';

import type { Selection } from './selection.ts';

/** Makes a block number that shows the block when it is clicked. */
function link(selection: Selection, first: number, last: number): HTMLElement {
  return button(blocksWords(first, last), () => {
    selection.chooseBlock(first);
    document.getElementById('block')?.scrollIntoView();
  });
}

function unlistedWords(count: number): HTMLElement[] {
  return count === 0 ? [] : [el('p', { class: 'note' }, `${count} more are not listed here.`)];
}

export function problemSection(data: PageData, selection: Selection): HTMLElement {
  const { runs, unlisted } = data;
  if (runs.length === 0) return section('problems', 'Not final', el('p', {}, 'Every block that has a row is final.'));
  const list = table('Blocks that are not final, and why', [{ name: 'blocks' }, { name: 'why' }], runs.length, (n) => {
    const [first, last, words] = runs[n]!;
    return [link(selection, first, last), words];
  });
  return section('problems', 'Not final', list, ...unlistedWords(unlisted.runs));
}

const NOTHING_SIGNED = 'No block of this ledger was judged by signatures of its validator set.';
const ONE_SET = 'All blocks with their own signatures were judged under one validator set.';

export function changeSection(data: PageData, selection: Selection): HTMLElement {
  const { changes, unlisted } = data;
  if (changes.length === 0)
    return section('changes', 'Set changes', el('p', {}, data.mean === null ? NOTHING_SIGNED : ONE_SET));
  const list = table(
    'First blocks under another set',
    [{ name: 'block' }, ...numbers('validators', 'joined', 'left')],
    changes.length,
    (n) => {
      const [seqno, size, joined, left] = changes[n]!;
      return [link(selection, seqno, seqno), String(size), String(joined), String(left)];
    },
  );
  return section('changes', 'Set changes', list, ...unlistedWords(unlisted.changes));
}
