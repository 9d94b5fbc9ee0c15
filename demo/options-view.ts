/** The controls for demands beyond the default policy: the flags of the command, under their own names. */
import { el } from '../src/app/report-page/dom.ts';
import type { Options } from './protocol.ts';

type Flag = Exclude<keyof Options, 'now'>;

const FLAGS: readonly (readonly [Flag, string, string])[] = [
  ['strict', '--strict', 'for money: header and set proven, whole id bound, set young enough, no exceptions'],
  ['requireBoundId', '--require-bound-id', 'undecided unless the whole block id is bound'],
  ['ignoreDefects', '--ignore-defects', 'exception: count the valid signatures of a list that a node rejects'],
  ['acceptClaimed', '--accept-claimed', 'exception: accept a validator set that only a server claims'],
  [
    'acceptUnbound',
    '--accept-unbound',
    'exception: accept the server’s block number, which ordinary signatures do not cover',
  ],
  ['acceptStaleStart', '--accept-stale-start', 'exception: a proof may begin with keys that are past their time'],
];

/** The flags that each demand excludes. */
const RULED_OUT: readonly (readonly [Flag, readonly Flag[]])[] = [
  ['requireBoundId', ['acceptUnbound']],
  ['strict', ['ignoreDefects', 'acceptClaimed', 'acceptUnbound', 'acceptStaleStart']],
];
const SECONDS = /^[0-9]{1,10}$/;
/** The command has the same limit: Unix seconds are a uint32. */
const MAX_SECONDS = 0xffffffff;

export interface OptionsControl {
  readonly element: HTMLElement;
  /** @returns `undefined` for a clock that is none */
  read(): Options | undefined;
  /** Back to what is asked of a page that was just opened. */
  reset(): void;
  /** Whether the user demands more than the default policy. */
  readonly isSet: boolean;
}

export function optionsControl(onChange: () => void): OptionsControl {
  const boxes = new Map<Flag, HTMLInputElement>();
  const lines = FLAGS.map(([flag, name, words]) => {
    const box = el('input', { type: 'checkbox', id: `option-${flag}` });
    boxes.set(flag, box);
    return el('div', { class: 'option' }, box, el('label', { for: box.id }, el('code', {}, name), ` ${words}`));
  });
  const clock = el('input', { id: 'clock', inputmode: 'numeric', maxlength: '10', 'aria-describedby': 'clock-note' });
  const ruleOut = () => {
    const ruledOut = RULED_OUT.flatMap(([demand, flags]) => (boxes.get(demand)!.checked ? flags : []));
    for (const [flag, box] of boxes) {
      box.disabled = ruledOut.includes(flag);
      if (box.disabled) box.checked = false;
    }
  };
  const adapt = () => {
    ruleOut();
    onChange();
  };
  for (const box of boxes.values()) box.addEventListener('change', adapt);
  clock.addEventListener('input', onChange);
  const note = 'Unix seconds; empty: this machine’s, where an age is judged (a proof, or --strict)';
  return {
    element: el(
      'fieldset',
      {},
      el('legend', {}, 'Policy'),
      ...lines,
      el('label', { for: 'clock' }, el('code', {}, '--now'), ' clock'),
      el('p', { id: 'clock-note', class: 'note' }, note),
      clock,
    ),
    reset() {
      for (const box of boxes.values()) box.checked = false;
      clock.value = '';
      ruleOut();
    },
    get isSet() {
      return clock.value !== '' || [...boxes.values()].some(({ checked }) => checked);
    },
    read() {
      const text = clock.value.trim();
      if (text !== '' && !(SECONDS.test(text) && Number(text) <= MAX_SECONDS)) return undefined;
      const is = (flag: Flag) => boxes.get(flag)!.checked;
      return {
        strict: is('strict'),
        requireBoundId: is('requireBoundId'),
        ignoreDefects: is('ignoreDefects'),
        acceptClaimed: is('acceptClaimed'),
        acceptUnbound: is('acceptUnbound'),
        acceptStaleStart: is('acceptStaleStart'),
        ...(text === '' ? {} : { now: Number(text) }),
      };
    },
  };
}
