/**
 * One input of the form: pasted, chosen, dropped or fetched. Long or binary input is held and named, never put into the page. Input
 * that takes time empties the field first, and appears in it only if the user has put nothing newer there.
 */
import { button, el } from '../src/app/report-page/dom.ts';
import type { Given, Origin, Outcome, Part, Trouble } from './protocol.ts';
import { tooLarge } from './trouble.ts';

/** Characters that are shown in a box: a megabyte of text would take seconds to lay out. */
const MAX_SHOWN_CHARS = 256 * 1024;

export interface FieldOptions {
  readonly part: Part;
  readonly label: string;
  readonly note: string;
  readonly maxBytes: number;
  /** Called with every change by the user; of what has to be waited for, when it begins. */
  readonly onChange: () => void;
  /** Called when the field has received the input that it waited for, with words on it. */
  readonly onFilled: (words: string) => void;
  /** Called for input that is refused at once. */
  readonly onTrouble: (trouble: Trouble) => void;
}

function shownText(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_SHOWN_CHARS) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // Other control characters would be changed by the box, and the page reads the content of the box.
    return /[^\n\t\x20-\u{10ffff}]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Whether what is dragged is text, over a place that takes text: that is the browser's to do. */
export function isTextIntoBox({ dataTransfer, target }: DragEvent): boolean {
  const takesText = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  return takesText && target.type !== 'file' && dataTransfer?.types.includes('Files') !== true;
}

function unreadable(part: Part, name: string): Trouble {
  const message = `${name}: the browser cannot read it`;
  const hint = 'give a file, not a folder';
  return { part, error: { schema: 'ton-finality/error@2', code: 'usage/bad-option', path: name, message, hint } };
}

export class InputField {
  readonly part: Part;
  readonly element: HTMLElement;
  readonly #options: FieldOptions;
  readonly #box: HTMLTextAreaElement;
  readonly #held: HTMLElement;
  /** Input that is not in the box. */
  #given: Given | undefined;
  /** Whether the input is held outside the box, which is empty. */
  #isBeside = false;
  #name = '';
  /** Origin of a server's answer: only a file, a sample or Clear removes it. */
  #origin: Origin = {};
  /** Words for the input that the field waits for. */
  #filling: string | undefined;
  #givenUp = '';
  /** Counts what was put in, or begun: the field shows only the newest. */
  #turn = 0;

  constructor(options: FieldOptions) {
    const { part, label, note } = options;
    this.part = part;
    this.#options = options;
    this.#box = el('textarea', {
      id: part,
      rows: '6',
      spellcheck: 'false',
      autocomplete: 'off',
      autocapitalize: 'off',
      'aria-describedby': `${part}-note ${part}-held`,
    });
    this.#held = el('p', { id: `${part}-held`, class: 'held', hidden: '' });
    const file = el('input', {
      type: 'file',
      id: `${part}-file`,
      class: 'file',
      'aria-label': `${label}: choose a file`,
    });
    file.addEventListener('change', () => {
      const [chosen] = file.files ?? [];
      if (chosen !== undefined) this.#take(chosen);
      file.value = ''; // the same file may be chosen again
    });
    this.#box.addEventListener('input', () => {
      const text = this.#box.value;
      if (text.length > MAX_SHOWN_CHARS) return this.#hold('pasted text', text);
      if (text === '' && this.#isBeside) return; // nothing was typed: the box was emptied here
      this.#begin();
      this.#given = undefined;
      this.#isBeside = false;
      this.#say();
      options.onChange();
    });
    this.#box.addEventListener('paste', (event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.length <= MAX_SHOWN_CHARS) return;
      event.preventDefault();
      this.#hold('pasted text', text);
    });
    this.element = el(
      'div',
      { class: 'field' },
      el('label', { for: part }, label),
      el('p', { id: `${part}-note`, class: 'note' }, note),
      this.#box,
      this.#held,
      el(
        'div',
        { class: 'controls' },
        file,
        button(`Clear ${label.toLowerCase()}`, () => this.clear(true)),
      ),
    );
    this.#listenForDrops();
  }

  #listenForDrops(): void {
    const { element } = this;
    element.addEventListener('dragover', (event) => {
      if (isTextIntoBox(event)) return;
      event.preventDefault();
      element.classList.add('over');
    });
    element.addEventListener('dragleave', () => element.classList.remove('over'));
    element.addEventListener('drop', (event) => {
      element.classList.remove('over');
      const [file] = event.dataTransfer?.files ?? [];
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      // The browser inserts the text where the user dropped it, and removes it where the drag began; `input` reports both.
      if (isTextIntoBox(event) && text.length <= MAX_SHOWN_CHARS) return;
      event.preventDefault();
      const others = (event.dataTransfer?.files.length ?? 0) - 1;
      if (file !== undefined) this.#take(file, others);
      else if (text.length > MAX_SHOWN_CHARS) this.#hold('dropped text', text);
    });
  }

  /** @param others how many more there are, which are left */
  #take(file: File, others = 0): void {
    const { part, maxBytes } = this.#options;
    const left = others > 0 ? { others } : {};
    void this.fill(`Reading ${file.name} …`, async () => {
      if (file.size > maxBytes) return { trouble: tooLarge(part, file.name, maxBytes) };
      try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        return { answer: { kind: 'obtained', given: { name: file.name, bytes, ...left }, words: '' } };
      } catch {
        return { trouble: unreadable(part, file.name) }; // a folder, or a file that is gone
      }
    });
  }

  /** Holds text that is too long for the box. Like typed text, it lifts no claim: a part of it may be the content of before. */
  #hold(name: string, text: string): void {
    const { part, maxBytes, onTrouble, onChange } = this.#options;
    const bytes = new TextEncoder().encode(text);
    const isTooLarge = bytes.length > maxBytes;
    if (isTooLarge) this.clear();
    else this.put({ name, bytes, ...this.#origin });
    onChange();
    if (isTooLarge) onTrouble(tooLarge(part, name, maxBytes));
  }

  /** Whatever is waited for is not waited for any more. */
  #begin(): void {
    this.#turn += 1;
    this.#givenUp = this.#filling === undefined ? '' : 'The input that this field waited for was given up.';
    this.#filling = undefined;
  }

  /** Whether the field waits for its input. */
  get isFilling(): boolean {
    return this.#filling !== undefined;
  }

  /**
   * Empties the field, and puts into it what `get` comes to.
   * @param words what is being done
   * @param get is given what says how far it is; never throws
   */
  async fill(words: string, get: (tell: (words: string) => void) => Promise<Outcome>): Promise<void> {
    const { onChange, onTrouble, onFilled } = this.#options;
    this.clear();
    const turn = this.#turn;
    const tell = (now: string) => {
      if (turn !== this.#turn) return;
      this.#filling = now;
      this.#say();
    };
    tell(words);
    onChange();
    const outcome = await get(tell);
    if (turn !== this.#turn) return;
    this.#filling = undefined;
    this.#givenUp = '';
    if ('trouble' in outcome) {
      this.#say();
      onTrouble(outcome.trouble);
    } else if (outcome.answer.kind === 'obtained') {
      this.put(outcome.answer.given);
      onFilled(outcome.answer.words);
    }
  }

  #say(): void {
    const { name, bytes, others = 0 } = this.#given ?? {};
    const words = [this.#filling ?? '', this.#givenUp].filter((some) => some !== '');
    if (bytes !== undefined) {
      const shown = this.#isBeside ? ', not shown' : '';
      words.push(`${name}: ${bytes.length} bytes${shown}.`);
      if (others > 0) words.push(`Only the first of ${others + 1} files was taken.`);
    }
    const { claimedBy, askedOf } = this.#origin;
    const own = 'Clear the field to put in your own.';
    if (claimedBy !== undefined) words.push(`Only ${claimedBy} says so. ${own}`);
    if (askedOf !== undefined) words.push(`Asked of ${askedOf} by its number, which has to be bound. ${own}`);
    this.#held.textContent = words.join(' ');
    this.#held.hidden = words.length === 0;
  }

  /** Returns the content of the field; `undefined` if it is empty. */
  given(): Given | undefined {
    if (this.#given !== undefined) return this.#given;
    const text = this.#box.value;
    if (text.trim() === '') return undefined;
    return { name: this.#name || `pasted ${this.part}`, bytes: new TextEncoder().encode(text), ...this.#origin };
  }

  /** Whether it holds just this, as it was put in. */
  holds(given: Given): boolean {
    return this.#given === given;
  }

  /** Replaces the content of the field. */
  put(given: Given): void {
    this.#begin();
    this.#given = given;
    this.#name = given.name;
    const { claimedBy, askedOf } = given;
    this.#origin = { ...(claimedBy === undefined ? {} : { claimedBy }), ...(askedOf === undefined ? {} : { askedOf }) };
    this.#box.value = shownText(given.bytes) ?? '';
    this.#isBeside = this.#box.value === '';
    this.#say();
  }

  clear(byUser = false): void {
    this.#begin();
    this.#given = undefined;
    this.#isBeside = false;
    this.#name = '';
    this.#origin = {};
    this.#box.value = '';
    this.#say();
    if (byUser) this.#options.onChange();
  }

  /** Whether it is this one that is wrong. */
  mark(isWrong: boolean): void {
    if (isWrong) this.#box.setAttribute('aria-invalid', 'true');
    else this.#box.removeAttribute('aria-invalid');
  }
}
