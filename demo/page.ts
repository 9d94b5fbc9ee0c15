/** The page: a form above, what came of it below. Words from outside go in as text, never as markup. */
import { button, el, section } from '../src/report-page/dom.ts';
import { type FlipChoice, type FlipControl, flipControl } from './flip-view.ts';
import { type Form, makeForm } from './form.ts';
import type { InputField } from './input-field.ts';
import { jsonSection } from './json-view.ts';
import { messageSection } from './message-view.ts';
import type { EngineNews, Given, Judged, Obtained, Progress, Request, Trouble } from './protocol.ts';
import { type Outcome, Runner } from './runner.ts';
import { signersSection } from './signers-view.ts';
import { emptySection, troubleSection, verdictSection } from './verdict-view.ts';
import { weightSection } from './weight-view.ts';

const STOPPED: Trouble = {
  part: undefined,
  error: { schema: 'ton-finality/error@2', code: 'source/aborted', path: null, message: 'stopped by you', hint: null },
};

/** What was judged before the first byte was flipped. */
interface Original {
  readonly signatures: Given;
  readonly judged: Judged;
  /** What was flipped last. */
  readonly flipped: FlipChoice;
}

class Page {
  readonly #runner: Runner;
  readonly #form: Form;
  readonly #result = document.getElementById('result')!; // stands in the markup
  readonly #status = el('p', { id: 'status', role: 'status' });
  readonly #bar = el('progress', { 'aria-label': 'Progress', hidden: '' });
  readonly #stop: HTMLButtonElement;
  readonly #engine = el('p', { id: 'engine', class: 'note' });
  /** Counts what was begun: only the newest may be shown. */
  #turn = 0;
  #judged: Judged | undefined;
  #flip: FlipControl | undefined;
  #original: Original | undefined;

  constructor(root: HTMLElement, script: string) {
    this.#runner = new Runner(script, (engine) => this.#tellEngine(engine)); // first: it starts while the page is made
    this.#form = makeForm({
      check: () => void this.#check(),
      fetch: (request, into) => void this.#fetch(request, into),
      changed: () => this.#forget(),
      refused: (trouble) => {
        this.#turn += 1;
        this.#showTrouble(trouble);
      },
    });
    this.#stop = button('Stop', () => {
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

  /** Asks the worker, and shows how far it is. @returns `undefined` when something newer has begun */
  async #ask(request: Request): Promise<Outcome | undefined> {
    const turn = ++this.#turn;
    this.#bar.hidden = false;
    this.#stop.hidden = false;
    this.#tell({ words: 'Working' });
    const outcome = await this.#runner.ask(request, (progress) => {
      if (turn === this.#turn) this.#tell(progress);
    });
    return turn === this.#turn ? outcome : undefined;
  }

  /** @param isShownBelow says the words to whoever cannot see what stands below */
  #rest(words: string, isShownBelow = false): void {
    this.#bar.hidden = true;
    this.#stop.hidden = true;
    this.#status.textContent = words;
    this.#status.classList.toggle('unseen', isShownBelow);
  }

  #showTrouble(trouble: Trouble): void {
    this.#judged = undefined;
    this.#flip = undefined;
    this.#rest(`No verdict: ${trouble.error.message}`, true);
    this.#form.mark(trouble.part);
    this.#result.replaceChildren(troubleSection(trouble), jsonSection('error.json', trouble.error));
    this.#focusVerdict();
  }

  /** A verdict is about what it was asked of: it goes when that changes, and so does what is under way. */
  #forget(): void {
    this.#turn += 1;
    this.#original = undefined;
    this.#judged = undefined;
    this.#flip = undefined;
    this.#rest('');
    this.#result.replaceChildren(emptySection());
  }

  #focusVerdict(): void {
    document.getElementById('verdict-title')?.focus();
  }

  #showJudged(judged: Judged): void {
    const { report } = judged;
    this.#judged = judged;
    this.#rest(report.headline, true);
    this.#form.mark(undefined);
    const flip = flipControl(
      judged,
      this.#original?.flipped,
      (choice) => void this.#flipByte(choice),
      () => void this.#putBack(),
    );
    this.#flip = flip;
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
    this.#original = undefined;
    const request = this.#form.request();
    if (request === undefined) return;
    const outcome = await this.#ask(request);
    if (outcome === undefined) return;
    if ('trouble' in outcome) return this.#showTrouble(outcome.trouble);
    if (outcome.answer.kind !== 'judged') return;
    this.#showJudged(outcome.answer);
    this.#focusVerdict();
  }

  async #fetch(request: Request, into: InputField): Promise<void> {
    const outcome = await this.#ask(request);
    if (outcome === undefined) return;
    if ('trouble' in outcome) return this.#showTrouble(outcome.trouble);
    if (outcome.answer.kind !== 'obtained') return;
    this.#forget();
    into.put(outcome.answer.given);
    this.#rest(outcome.answer.words);
  }

  /** Flips in what stands in the form, and judges that: the view of the bytes stays, with the focus where it was. */
  async #flipByte(choice: FlipChoice): Promise<void> {
    const { signatures } = this.#form.fields;
    const [given, judged] = [signatures.given(), this.#judged ?? this.#original?.judged];
    if (given === undefined || judged === undefined) return;
    const original = { signatures: given, judged, ...this.#original, flipped: choice };
    const outcome = await this.#ask({ kind: 'flip', signatures: given, ...choice });
    if (outcome === undefined) return;
    if ('trouble' in outcome) return this.#showTrouble(outcome.trouble);
    if (outcome.answer.kind !== 'obtained') return;
    this.#original = original;
    await this.#judgeFlipped(outcome.answer);
  }

  async #judgeFlipped({ given, words }: Obtained): Promise<void> {
    this.#form.fields.signatures.put(given);
    const request = this.#form.request();
    const outcome = request && (await this.#ask(request));
    if (outcome === undefined) return;
    if ('trouble' in outcome) return this.#showFlippedTrouble(outcome.trouble, words);
    if (outcome.answer.kind !== 'judged') return;
    this.#showJudged(outcome.answer);
    this.#flip?.say(`${words} ${outcome.answer.report.headline}.`, true);
    document.getElementById('flip-part')?.focus();
  }

  /** What cannot even be read has no signers to show; the way back stays. */
  #showFlippedTrouble(trouble: Trouble, words: string): void {
    this.#showTrouble(trouble);
    const back = button('Put it back', () => void this.#putBack());
    this.#result.firstElementChild?.after(section('flip', 'Flip a byte', el('p', {}, words), back));
    back.focus();
  }

  async #putBack(): Promise<void> {
    if (this.#original === undefined) return;
    this.#form.fields.signatures.put(this.#original.signatures);
    await this.#check();
  }
}

/** @param script the text of the script that runs */
export function startPage(root: HTMLElement, script: string): void {
  // A file that is dropped beside a field would replace the page.
  for (const kind of ['dragover', 'drop'] as const) addEventListener(kind, (event) => event.preventDefault());
  new Page(root, script);
}
