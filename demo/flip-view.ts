/** The control that flips a byte of what was judged. */
import { button, el, section } from '../src/app/report-page/dom.ts';
import type { FlipPart, Judged } from './protocol.ts';

export interface FlipChoice {
  readonly part: FlipPart;
  readonly entry: number;
  readonly byte: number;
}

export interface FlipControl {
  readonly element: HTMLElement;
  /** Says what has become of the verdict, and whether there is something to undo. */
  say(words: string, canUndo: boolean): void;
}

const COMMON: readonly (readonly [FlipPart, string])[] = [
  ['signature', 'a signature'],
  ['root-hash', 'the root hash of the block'],
  ['file-hash', 'the file hash of the block'],
];
const OF_SIMPLEX: readonly (readonly [FlipPart, string])[] = [
  ['session', 'the session id'],
  ['slot', 'the slot'],
  ['candidate', 'the candidate'],
];

/** What of the answer the signatures cover. */
const SIGNED: Readonly<Record<'ordinary' | 'simplex', string>> = {
  ordinary:
    'Both hashes are signed, and the number is not: change a single bit of a hash, and no signature fits any more.',
  simplex: 'Everything is signed: change a single bit, and the signatures no longer fit.',
};

function lengthOf(part: FlipPart, candidate: Uint8Array | undefined): number {
  if (part === 'signature') return 64;
  if (part === 'slot') return 4;
  return part === 'candidate' ? (candidate?.length ?? 0) : 32;
}

function numberInput(id: string, value: number): HTMLInputElement {
  return el('input', { id, type: 'number', min: '0', value: String(value), required: '', class: 'short' });
}

function labelled(text: string, input: HTMLElement): HTMLElement {
  return el('div', { class: 'labelled' }, el('label', { for: input.id }, text), input);
}

/**
 * @param last what was flipped before, from which the view continues
 * @param flip is given what the user chose
 * @param undo puts the answer back as it was
 */
export function flipControl(
  judged: Judged,
  last: FlipChoice | undefined,
  flip: (choice: FlipChoice) => void,
  undo: () => void,
): FlipControl {
  const parts = judged.report.kind === 'simplex' ? [...COMMON, ...OF_SIMPLEX] : COMMON;
  const part = el('select', { id: 'flip-part' }, ...parts.map(([value, text]) => el('option', { value }, text)));
  const [entry, byte] = [numberInput('flip-entry', last?.entry ?? 0), numberInput('flip-byte', last?.byte ?? 0)];
  if (last !== undefined) part.value = last.part;
  entry.max = String(Math.max(0, judged.report.signers.length - 1));
  const chosen = () => part.value as FlipPart; // its options have no other values
  const entryBox = labelled('of entry', entry);
  const adapt = () => {
    byte.max = String(lengthOf(chosen(), judged.candidate) - 1);
    entryBox.hidden = chosen() !== 'signature';
    entry.disabled = entryBox.hidden;
  };
  part.addEventListener('change', adapt);
  adapt();
  const undoButton = button('Put it back', undo);
  undoButton.hidden = true;
  const said = el('output', { for: 'flip-part flip-entry flip-byte' });
  const form = el(
    'form',
    { class: 'controls' },
    labelled('Flip one bit in', part),
    entryBox,
    labelled('at byte', byte),
    el('button', { type: 'submit' }, 'Flip it'),
    undoButton,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    flip({ part: chosen(), entry: Number(entry.value), byte: Number(byte.value) });
  });
  const note = `${SIGNED[judged.report.kind]} If you flip a bit twice, it is as before.`;
  return {
    element: section('flip', 'Flip a byte', el('p', { class: 'note' }, note), form, said),
    say(words, canUndo) {
      said.textContent = words;
      undoButton.hidden = !canUndo;
    },
  };
}
