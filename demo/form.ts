/** The form: samples, what is judged, and by what. */
import { button, el, section } from '../src/app/report-page/dom.ts';
import { ordinarySample, simplexSample } from '../src/sample.ts';
import { downloadControl, type FetchInto, serverControl } from './fetch-view.ts';
import { InputField } from './input-field.ts';
import { optionsControl } from './options-view.ts';
import type { Given, JudgeRequest, Options, Part, Trouble } from './protocol.ts';
import { MAX_FILE_BYTES, MAX_SIGNATURE_BYTES } from './read-given.ts';

export interface FormActions {
  /** Judge the content of the form. */
  check(): void;
  /** Fetch something into a part of the form. */
  readonly fetch: FetchInto;
  /** @param isJudged whether it is about what would be judged */
  changed(isJudged: boolean): void;
  /** A field has received the input that it waited for. */
  filled(words: string): void;
  /** @param isJudged as above */
  refused(trouble: Trouble, isJudged: boolean): void;
}

export interface Form {
  readonly element: HTMLElement;
  readonly fields: Readonly<Record<'signatures' | 'validators' | 'checkpoint' | 'proof' | 'header', InputField>>;
  /** Whether a field waits for what is being read or fetched: any, or one of those that would be judged. */
  isFilling(which: 'any' | 'judged'): boolean;
  /** Gives up what any field waits for. */
  giveUp(): void;
  /**
   * @param signatures in place of those in the form
   * @returns `undefined` where something is not even there to be read; it was said then
   */
  request(signatures?: Given): JudgeRequest | undefined;
  /** Marks the part that is wrong, if any. */
  mark(part: Part | undefined): void;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const pretty = (json: unknown) => bytes(JSON.stringify(json, null, 1));

function missing(part: Part, message: string, hint: string): Trouble {
  return { part, error: { schema: 'ton-finality/error@2', code: 'usage/bad-option', path: part, message, hint } };
}

export function makeForm(actions: FormActions): Form {
  let mode: 'set' | 'checkpoint' = 'set';
  const isJudged = (part: Part) =>
    part === 'signatures' || part === 'header' || (part === 'validators') === (mode === 'set');
  const field = (part: 'signatures' | 'validators' | 'checkpoint' | 'proof' | 'header', label: string, note: string) =>
    new InputField({
      part,
      label,
      note,
      maxBytes: part === 'signatures' ? MAX_SIGNATURE_BYTES : MAX_FILE_BYTES,
      onChange: () => {
        unfold();
        actions.changed(isJudged(part));
      },
      onFilled: (words) => {
        unfold();
        actions.filled(words);
      },
      onTrouble: (trouble) => actions.refused(trouble, isJudged(part)),
    });
  const fields = {
    signatures: field(
      'signatures',
      'Signatures',
      'The answer to getMasterchainBlockSignatures, in any wrapping: paste it, or drop the file.',
    ),
    validators: field(
      'validators',
      'Validator set',
      '{ main, validators: [{ public_key, weight }] } or { key: weight }, from a source other than the sender of the signatures.',
    ),
    checkpoint: field('checkpoint', 'Checkpoint', 'The checkpoint.json that you made of a block you pinned.'),
    proof: field(
      'proof',
      'Proof',
      'Optional: the answer to liteServer.getBlockProof that leads from the checkpoint onward; a file, or base64.',
    ),
    header: field(
      'header',
      'Header',
      'Optional: the block, or a Merkle proof of its header; a file, or base64. It binds the number of an ordinary block.',
    ),
  };
  const options = optionsControl(() => actions.changed(true));
  const more = el('details', {}, el('summary', {}, 'Header and policy'), fields.header.element, options.element);
  /** Nothing that takes part in a verdict is hidden from view. */
  const unfold = () => {
    if (options.isSet || fields.header.given() !== undefined) more.open = true;
  };

  const panels = {
    set: el('div', {}, fields.validators.element),
    checkpoint: el(
      'div',
      { hidden: '' },
      fields.checkpoint.element,
      downloadControl(actions.fetch, fields.checkpoint, 'the checkpoint'),
      fields.proof.element,
      downloadControl(actions.fetch, fields.proof, 'the proof'),
    ),
  };
  const radios = (Object.keys(panels) as (keyof typeof panels)[]).map(
    (
      name, // its only keys
    ) => el('input', { type: 'radio', name: 'who', id: `who-${name}`, value: name }),
  );
  const choose = (name: keyof typeof panels) => {
    mode = name;
    for (const radio of radios) radio.checked = radio.value === name;
    panels.set.hidden = name !== 'set';
    panels.checkpoint.hidden = name !== 'checkpoint';
  };
  for (const radio of radios) {
    radio.addEventListener('change', () => {
      choose(radio.value === 'checkpoint' ? 'checkpoint' : 'set');
      actions.changed(true);
    });
  }
  choose('set');
  const who = el(
    'fieldset',
    {},
    el('legend', {}, 'Entitled signers'),
    el('div', { class: 'option' }, radios[0]!, el('label', { for: 'who-set' }, 'a validator set')),
    el('div', { class: 'option' }, radios[1]!, el('label', { for: 'who-checkpoint' }, 'a checkpoint, and a proof')),
    panels.set,
    panels.checkpoint,
  );

  const sample = (name: string, fill: () => void) =>
    button(name, () => {
      for (const one of Object.values(fields)) one.clear();
      options.reset();
      choose('set');
      fill();
      unfold();
      actions.changed(true);
      actions.check();
    });
  const put = (name: string, of: { readonly signatures: unknown; readonly validators: unknown }) => {
    fields.signatures.put({ name: `${name}-signatures.json`, bytes: pretty(of.signatures) });
    fields.validators.put({ name: `${name}-validators.json`, bytes: pretty(of.validators) });
  };
  const samples = section(
    'samples',
    'Two real blocks of mainnet',
    el(
      'div',
      { class: 'controls' },
      sample('Block 59379986 of 2026, simplex', () => put('block-59379986', simplexSample)),
      sample('Block 3082200 of 2020, ordinary', () => {
        put('block-3082200', ordinarySample);
        const text = btoa(Array.from(ordinarySample.headerProof, (byte) => String.fromCharCode(byte)).join(''));
        fields.header.put({ name: 'block-3082200-header.txt', bytes: bytes(text) });
      }),
    ),
  );

  const check = el('button', { type: 'submit', class: 'primary' }, 'Check');
  const form = el(
    'form',
    { novalidate: '', autocomplete: 'off' }, // the browser does not restore an exception that the user cannot see
    el(
      'div',
      { class: 'columns' },
      el('div', {}, fields.signatures.element, serverControl(actions.fetch, fields.signatures, fields.validators)),
      who,
    ),
    more,
    el('div', { class: 'controls' }, check),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    actions.check();
  });
  return {
    element: el('div', {}, samples, section('input', 'Your own', form)),
    fields,
    isFilling: (which) => Object.values(fields).some((one) => one.isFilling && (which === 'any' || isJudged(one.part))),
    giveUp() {
      for (const one of Object.values(fields)) if (one.isFilling) one.clear();
    },
    request(signatures = fields.signatures.given()) {
      if (signatures === undefined) {
        actions.refused(
          missing('signatures', 'expected signatures, got none', 'paste an answer, drop a file, or press a sample'),
          true,
        );
        return undefined;
      }
      const given: Options | undefined = options.read();
      if (given === undefined) {
        actions.refused(
          missing('options', 'expected Unix seconds as the clock', 'leave it empty for this machine’s'),
          true,
        );
        return undefined;
      }
      const [validators, checkpoint, proof, header] = [
        mode === 'set' ? fields.validators.given() : undefined,
        mode === 'checkpoint' ? fields.checkpoint.given() : undefined,
        mode === 'checkpoint' ? fields.proof.given() : undefined,
        fields.header.given(),
      ];
      if (mode === 'checkpoint' && checkpoint === undefined && proof !== undefined) {
        actions.refused(
          missing(
            'checkpoint',
            'expected a checkpoint with the proof, got none',
            'a proof leads onward from a checkpoint',
          ),
          true,
        );
        return undefined;
      }
      return {
        kind: 'judge',
        signatures,
        ...(validators === undefined ? {} : { validators }),
        ...(checkpoint === undefined ? {} : { checkpoint }),
        ...(proof === undefined ? {} : { proof }),
        ...(header === undefined ? {} : { header }),
        options: given,
      };
    },
    mark(part) {
      for (const one of Object.values(fields)) one.mark(one.part === part);
      if (part === 'header' || part === 'options') more.open = true;
    },
  };
}
