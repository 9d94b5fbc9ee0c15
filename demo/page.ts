/** The page: a form above, what came of it below. Words from outside go in as text, never as markup. */
import { button, el, section } from '../src/app/report-page/dom.ts';
import { type FlipChoice, flipControl } from './flip-view.ts';
import { type Form, makeForm } from './form.ts';
import { type InputField, isTextIntoBox } from './input-field.ts';
import { jsonSection } from './json-view.ts';
import { messageSection } from './message-view.ts';
import type { EngineNews, Given, Judged, Outcome, Progress, Request, Trouble } from './protocol.ts';
import { Runner } from './runner.ts';
import { signersSection } from './signers-view.ts';
import { emptySection, troubleSection, verdictSection } from './verdict-view.ts';
import { weightSection } from './weight-view.ts';

const STOPPED: Trouble = {
  part: undefined,
  error: { schema: 'ton-finality/error@2', code: 'source/aborted', path: null, message: 'stopped by you', hint: null },
};

/** The state before the first byte was flipped: the way back, while the form contains flipped signatures. */
interface Original {
  readonly signatures: Given;
  readonly judged: Judged;
  /** The byte that was flipped last. */
  readonly flipped: FlipChoice;
  /** The signatures after the flip. */
  readonly now: Given;
}

class Page {
  readonly #runner: Runner;
  readonly #form: Form;
  readonly #result = document.getElementById('result')!; // is in the markup
  readonly #status = el('p', { id: 'status', role: 'status' });
  readonly #bar = el('progress', { 'aria-label': 'Progress', hidden: '' });
  readonly #stop: HTMLButtonElement;
  readonly #engine = el('p', { id: 'engine', class: 'note' });
  /** Counts what was begun: only the newest may be shown. */
  #turn = 0;
  /** Requests that the worker has not answered. */
  #asked = 0;
  /** Check was pressed while the form waited for what it needs. */
  #wantsCheck = false;
  #judged: Judged | undefined;
  #original: Original | undefined;

  constructor(root: HTMLElement, script: string) {
    this.#runner = new Runner(script, (engine) => this.#tellEngine(engine)); // first: it starts while the page is made
    this.#form = makeForm({
      check: () => void this.#check(),
      fetch: (request, into) => this.#fetch(request, into),
      changed: (isJudged) => (isJudged ? this.#forget() : this.#showBusy()),
      filled: (words) => {
        if (!this.#wantsCheck) this.#rest(words);
        else if (!this.#form.isFilling('judged')) void this.#check();
      },
      refused: (trouble, isJudged) => {
        // A verdict that is not about it stays, or still comes.
        const hasOther = this.#judged !== undefined || this.#asked > 0 || this.#wantsCheck;
        if (isJudged || !hasOther) this.#showTrouble(trouble);
        else this.#rest(`Nothing was put in: ${trouble.error.message}`);
      },
    });
    this.#stop = button('Stop', () => {
      this.#form.giveUp();
      this.#runner.stop(STOPPED);
      this.#forget();
      this.#rest('Stopped.');
    });
    this.#stop.hidden = true;
    this.#result.append(emptySection());
    const intro =
      'Put in who signed a block and who may sign, and see whether it is final: every signer, what was signed, and why. All of it happens in this page; nothing leaves it before you press Fetch.';
    root.replaceChildren(
      el('header', {}, el('h1', {}, 'Is this TON block final?'), el('p', {}, intro), this.#engine),
      this.#form.element,
      el('div', { class: 'working' }, this.#status, this.#bar, this.#stop),
      this.#result,
    );
  }

  #tellEngine({ name, why }: EngineNews): void {
    if (why === undefined) {
      this.#engine.textContent = `Signatures are checked by the ${name}, in WebAssembly.`;
      return;
    }
    this.#engine.className = 'warning';
    this.#engine.textContent = `Without WebAssembly (${why}) signatures are checked by the ${name} engine in plain JavaScript: the same verdicts, at about a millisecond a signature. A block takes a tenth of a second or two in place of a few milliseconds.`;
  }

  #tell(progress: Progress): void {
    const { words, done, of } = progress;
    this.#status.classList.remove('unseen');
    this.#status.textContent = done === undefined || of === undefined ? `${words} …` : `${words}: ${done} of ${of}`;
    if (done !== undefined && of !== undefined) {
      this.#bar.max = of;
      this.#bar.value = done;
    } else this.#bar.removeAttribute('value');
  }

  /** Shows whether something is under way. */
  #showBusy(): void {
    const isBusy = this.#asked > 0 || this.#form.isFilling('any');
    this.#bar.hidden = !isBusy;
    this.#stop.hidden = !isBusy;
  }

  async #ask(request: Request, tell: (progress: Progress) => void): Promise<Outcome> {
    this.#asked += 1;
    this.#showBusy();
    const outcome = await this.#runner.ask(request, tell);
    this.#asked -= 1;
    this.#showBusy();
    return outcome;
  }

  /** Asks what will be shown below, and says how far it is. @returns `undefined` when something newer has begun */
  async #askNext(request: Request): Promise<Outcome | undefined> {
    const turn = ++this.#turn;
    this.#tell({ words: 'Working' });
    const outcome = await this.#ask(request, (progress) => {
      if (turn === this.#turn) this.#tell(progress);
    });
    return turn === this.#turn ? outcome : undefined;
  }

  /** @param isShownBelow hides the words, for screen readers only, because the part below shows them */
  #rest(words: string, isShownBelow = false): void {
    this.#showBusy();
    this.#status.textContent = words;
    this.#status.classList.toggle('unseen', isShownBelow);
  }

  /** Removes the result below, and drops a result that is on its way. */
  #begin(): void {
    this.#turn += 1;
    this.#wantsCheck = false;
    this.#judged = undefined;
    if (this.#original !== undefined && !this.#form.fields.signatures.holds(this.#original.now)) {
      this.#original = undefined;
    }
  }

  /** Shows the way back where the page has no flip control. */
  #wayBack(words = ''): HTMLElement[] {
    if (this.#original === undefined) return [];
    const back = button('Put it back', () => this.#putBack());
    return [section('flip', 'Flip a byte', el('p', {}, words || 'The signatures contain a flipped bit.'), back)];
  }

  #showTrouble(trouble: Trouble, words?: string): void {
    this.#begin();
    this.#rest(`No verdict: ${trouble.error.message}`, true);
    this.#form.mark(trouble.part);
    this.#result.replaceChildren(
      troubleSection(trouble),
      ...this.#wayBack(words),
      jsonSection('error.json', trouble.error),
    );
    this.#focusVerdict();
  }

  /** A verdict is about what it was asked of: it goes when that changes, and so does what is under way. */
  #forget(): void {
    this.#begin();
    this.#form.mark(undefined);
    this.#rest('');
    this.#result.replaceChildren(emptySection(), ...this.#wayBack());
  }

  #focusVerdict(): void {
    document.getElementById('verdict-title')?.focus();
  }

  /** @param words on what was flipped just now */
  #showJudged(judged: Judged, words = ''): void {
    const { report } = judged;
    this.#judged = judged;
    this.#rest(report.headline, true);
    this.#form.mark(undefined);
    const flip = flipControl(
      judged,
      this.#original?.flipped,
      (choice) => void this.#flipByte(choice),
      () => this.#putBack(),
    );
    flip.say(words, this.#original !== undefined);
    this.#result.replaceChildren(
      verdictSection(judged),
      weightSection(report),
      flip.element,
      messageSection(judged, this.#original?.judged),
      signersSection(report),
      jsonSection('report.json', report),
    );
  }

  async #check(): Promise<void> {
    if (this.#form.isFilling('judged')) {
      this.#wantsCheck = true;
      this.#tell({ words: 'Waiting for what is being read' });
      return;
    }
    this.#wantsCheck = false;
    const request = this.#form.request();
    const outcome = request && (await this.#askNext(request));
    if (outcome === undefined) return;
    if ('trouble' in outcome) return this.#showTrouble(outcome.trouble);
    if (outcome.answer.kind !== 'judged') return;
    this.#showJudged(outcome.answer);
    this.#focusVerdict();
  }

  #fetch(request: Request, into: InputField): void {
    void into.fill('Fetching …', (tell) => {
      this.#tell({ words: 'Fetching' });
      return this.#ask(request, ({ words }) => tell(`${words} …`));
    });
  }

  /** Flips a byte of the form's signatures, and judges the result: the view of the bytes stays, with the focus where it was. */
  async #flipByte(choice: FlipChoice): Promise<void> {
    const [given, judged] = [this.#form.fields.signatures.given(), this.#judged];
    if (given === undefined || judged === undefined) return;
    const before = this.#original ?? { signatures: given, judged };
    const outcome = await this.#askNext({ kind: 'flip', signatures: given, ...choice });
    if (outcome === undefined) return;
    if ('trouble' in outcome) return this.#showTrouble(outcome.trouble);
    if (outcome.answer.kind !== 'obtained') return;
    const { given: now, words } = outcome.answer;
    await this.#judgeFlipped({ ...before, flipped: choice, now }, words);
  }

  /** Shows the flipped signatures in the form together with their verdict. */
  async #judgeFlipped(original: Original, words: string): Promise<void> {
    const request = this.#form.request(original.now);
    const outcome = request && (await this.#askNext(request));
    if (outcome === undefined) return;
    this.#form.fields.signatures.put(original.now);
    this.#original = original;
    // What cannot even be read has no signers to show; the way back stays.
    if ('trouble' in outcome) this.#showTrouble(outcome.trouble, words);
    else if (outcome.answer.kind === 'judged') {
      this.#showJudged(outcome.answer, `${words} ${outcome.answer.report.headline}.`);
      document.getElementById('flip-part')?.focus();
    }
  }

  #putBack(): void {
    if (this.#original === undefined) return;
    this.#form.fields.signatures.put(this.#original.signatures);
    this.#forget();
    void this.#check();
  }
}

/** @param script the text of the script that runs */
export function startPage(root: HTMLElement, script: string): void {
  // A file that is dropped next to a field would replace the page.
  for (const kind of ['dragover', 'drop'] as const) {
    addEventListener(kind, (event) => {
      if (!isTextIntoBox(event)) event.preventDefault();
    });
  }
  new Page(root, script);
}
