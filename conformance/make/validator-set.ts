/** Validator sets out of configurations: who signs the masterchain, in which order, under which short name. */
import { type Builder, Dictionary } from '@ton/core';
import { validatorListHashShort } from '../../src/core/validators/list-hash-short.ts';
import { shuffledOrder } from '../../src/core/validators/select-masterchain.ts';
import { createValidatorSet } from '../../src/core/validators/validator-set.ts';
import { beginCell, bocOf, type CoreCell, merkleProof, prune } from '../../test/helpers/cells.ts';
import { hashOf } from '../../test/helpers/make-block.ts';
import { type Entry, type SetForm, setCell } from '../../test/helpers/validator-cells.ts';
import { type Bad, Book, bad, base64, below, type Json, randomOf } from './cases.ts';

/** Tag of the set, and whether parameter 28 asks for a shuffle. */
const FORMS = {
  'ext-shuffled': [0x12, true],
  'ext-plain': [0x12, false],
  'old-shuffled': [0x11, true],
  'old-plain': [0x11, false],
} as const;

const catchain = (shuffle: boolean): CoreCell =>
  beginCell()
    .storeUint(0xc2, 8)
    .storeUint(shuffle ? 1 : 0, 8)
    .storeUint(250, 32)
    .storeUint(250, 32)
    .storeUint(1000, 32)
    .storeUint(23, 32)
    .endCell();

function configOf(params: Readonly<Record<number, CoreCell | undefined>>): CoreCell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  dictionary.set(0, beginCell().storeUint(7, 256).endCell());
  for (const [number, cell] of Object.entries(params)) if (cell !== undefined) dictionary.set(Number(number), cell);
  return beginCell().storeDictDirect(dictionary).endCell();
}

interface World {
  readonly name: string;
  readonly tag: number;
  readonly shuffle: boolean;
  readonly entries: readonly Entry[];
  readonly main: number;
  readonly catchainSeqno: number;
  readonly set: (entries?: readonly Entry[], form?: SetForm) => CoreCell;
  readonly config: (set: CoreCell | undefined, more?: Readonly<Record<number, CoreCell | undefined>>) => Json;
}

function worldOf(name: string, form: keyof typeof FORMS): World {
  const random = randomOf(name);
  const [tag, shuffle] = FORMS[form];
  const count = 2 + below(random, 12);
  const main = 1 + below(random, count);
  const entries = Array.from(
    { length: count },
    (_, k): Entry => ({
      key: Buffer.from(hashOf(`${name} key ${k}`)),
      weight: 1n + BigInt(below(random, 2 ** 31)) * BigInt(1 + below(random, 2 ** 25)),
      ...(random() < 0.7 ? { adnl: Buffer.from(hashOf(`${name} adnl ${k}`)) } : {}),
    }),
  );
  const catchainSeqno = below(random, 2 ** 32);
  const set = (list: readonly Entry[] = entries, over: SetForm = {}) => setCell([...list], { tag, main, ...over });
  const config = (cell: CoreCell | undefined, more = {}) => ({
    configuration: base64(bocOf(configOf({ 28: catchain(shuffle), 34: cell, ...more }))),
    catchainSeqno,
  });
  return { name, tag, shuffle, entries, main, catchainSeqno, set, config };
}

/** What comes of a good configuration. */
function expectedOf(entries: readonly Entry[], main: number, shuffle: boolean, catchainSeqno: number): Json {
  const list = entries.slice(0, main).map(({ key, weight, adnl }) => ({
    publicKey: Uint8Array.from(key!),
    weight: weight!,
    adnlAddr: Uint8Array.from(adnl ?? new Uint8Array(32)),
  }));
  const order = shuffle ? shuffledOrder(main, catchainSeqno) : list.map((_, k) => k);
  return {
    validators: order.map((k) => ({ publicKey: base64(list[k]!.publicKey), weight: list[k]!.weight.toString() })),
    totalWeight: list.reduce((sum, { weight }) => sum + weight, 0n).toString(),
    listHash: validatorListHashShort(createValidatorSet(list, { shuffle }), catchainSeqno)!,
  };
}
const own = (world: World, entries = world.entries, main = world.main, shuffle = world.shuffle) =>
  expectedOf(entries, main, shuffle, world.catchainSeqno);

export function makeValidatorSet(): Book {
  const book = new Book('validator-set');
  for (const form of Object.keys(FORMS) as (keyof typeof FORMS)[]) {
    for (const [rule, flags, make] of RULES) {
      const world = worldOf(`validator-set ${rule} ${form}`, form);
      const wrong = make(world);
      const good = {
        comment: `${world.entries.length} validators, of whom the first ${world.main} sign the masterchain.`,
        input: world.config(world.set()),
        value: own(world),
      };
      book.pair({ rule, form, flags }, '', good, wrong);
    }
    makeGood(book, form);
  }
  return book;
}

const without = (cell: CoreCell, more: (builder: Builder) => Builder) =>
  more(beginCell().storeSlice(cell.beginParse())).endCell();

const RULES: readonly (readonly [string, readonly string[], (world: World) => readonly Bad[]])[] = [
  [
    'main-within-list',
    ['UNSOUND_COUNT'],
    (w) => [
      bad('zero', '`main` is 0.', w.config(w.set(w.entries, { main: 0 }))),
      bad('above', '`main` is more than the list has.', w.config(w.set(w.entries, { main: w.entries.length + 1 }))),
      bad('total-zero', 'The list says that it is empty.', w.config(w.set(w.entries, { total: 0, main: 0 }))),
      bad(
        'total-above',
        'The list says that it is longer than it is.',
        w.config(w.set(w.entries, { total: w.entries.length + 1 })),
      ),
      bad(
        'total-below',
        'The list says that it is shorter than it is.',
        w.config(w.set(w.entries, { total: w.entries.length - 1, main: 1 })),
      ),
    ],
  ],
  [
    'list-without-gaps',
    ['UNSOUND_COUNT'],
    (w) => {
      const shifted = w.entries.map((_, k) => k + 1);
      const gap = w.entries.map((_, k) => (k === w.entries.length - 1 ? k + 1 : k));
      return [
        bad('from-one', 'The list begins at place 1.', w.config(w.set(w.entries, { keys: shifted }))),
        bad('gap', 'A place of the list is empty.', w.config(w.set(w.entries, { keys: gap }))),
        bad(
          'far',
          'The last entry stands at place 65535.',
          w.config(w.set(w.entries, { keys: w.entries.map((_, k) => (k === w.entries.length - 1 ? 65_535 : k)) })),
        ),
      ];
    },
  ],
  [
    'weight-above-zero',
    [],
    (w) => {
      const idle = (at: number) => w.entries.map((entry, k) => (k === at ? { ...entry, weight: 0n } : entry));
      return [
        bad('signs', 'A validator of the masterchain has no weight.', w.config(w.set(idle(0)))),
        bad('last', 'The last validator of the list has no weight.', w.config(w.set(idle(w.entries.length - 1)))),
      ];
    },
  ],
  [
    'weights-within-2-61',
    ['OVERFLOW'],
    (w) => {
      const heavy = (first: bigint, second: bigint) =>
        w.entries.map((entry, k) =>
          k === 0 ? { ...entry, weight: first } : k === 1 ? { ...entry, weight: second } : entry,
        );
      return [
        bad('above', 'Weights that add up to more than 2^61.', w.config(w.set(heavy(2n ** 61n, 1n)))),
        bad(
          'wraps',
          'Weights whose sum wraps around 2^64 to a small number.',
          w.config(w.set(heavy(2n ** 63n, 2n ** 63n))),
        ),
        bad('one', 'One weight of 2^64 - 1.', w.config(w.set(heavy(2n ** 64n - 1n, 1n)))),
      ];
    },
  ],
  [
    'validator-form',
    [],
    (w) => {
      const first = (over: Entry) =>
        w.config(w.set(w.entries.map((entry, k) => (k === 0 ? { ...entry, ...over } : entry))));
      const adnl = { adnl: Buffer.alloc(32, 7) };
      return [
        bad('tag', 'A validator with an unknown tag.', first({ tag: 0x54 })),
        bad('key-tag', 'A key of an unknown kind.', first({ keyTag: 0x8e81278b })),
        bad('trailing', 'A bit behind a validator.', first({ trailing: true })),
        bad(
          'no-address',
          'A validator that says it has an ADNL address, and has none.',
          first({ tag: 0x73, adnl: undefined }),
        ),
        bad('address', 'A validator that says it has no ADNL address, and has one.', first({ ...adnl, tag: 0x53 })),
      ];
    },
  ],
  [
    'set-form',
    [],
    (w) => {
      const cell = w.set();
      const tagged = (tag: number) => {
        const slice = cell.beginParse();
        slice.skip(8);
        return beginCell().storeUint(tag, 8).storeSlice(slice).endCell();
      };
      return [
        bad('tag', 'A set with an unknown tag.', w.config(tagged(0x13))),
        bad('other-tag', 'A set with the tag of the other form.', w.config(tagged(w.tag === 0x12 ? 0x11 : 0x12))),
        bad(
          'trailing-ref',
          'A reference behind the set.',
          w.config(without(cell, (builder) => builder.storeRef(beginCell().endCell()))),
        ),
        ...(w.tag === 0x12
          ? [bad('trailing-bit', 'A bit behind the set.', w.config(without(cell, (builder) => builder.storeBit(0))))]
          : []),
        bad('empty-cell', 'An empty cell in the place of the set.', w.config(beginCell().endCell())),
      ];
    },
  ],
  [
    'keys-once',
    ['UNSOUND_COUNT'],
    (w) => {
      const twice = [w.entries[0]!, w.entries[0]!, ...w.entries.slice(1)];
      return [
        bad(
          'twice',
          'One key stands twice among those who sign: the node aborts on it.',
          w.config(w.set(twice, { main: twice.length })),
        ),
      ];
    },
  ],
  [
    'current-set-there',
    [],
    (w) => [
      bad('absent', 'The configuration has neither 34 nor 35.', w.config(undefined)),
      bad('others', 'The configuration has 32 and 36 alone.', w.config(undefined, { 32: w.set(), 36: w.set() })),
    ],
  ],
  [
    'pruned-is-not-absent',
    ['PRUNED'],
    (w) => {
      const other = w.set(
        w.entries.map((entry) => ({ ...entry, key: Buffer.from(hashOf(entry.key!.toString('hex'))) })),
      );
      const whole = configOf({ 28: catchain(w.shuffle), 34: w.set(), 35: other });
      const alone = configOf({ 28: catchain(w.shuffle), 34: w.set() });
      const cut = (root: CoreCell, hidden: CoreCell, upTo = 0): Json => {
        const isOver = (cell: CoreCell): boolean =>
          cell.hash().equals(hidden.hash()) ||
          (upTo > 0 && cell.refs.length === 1 && cell.refs[0]!.hash().equals(hidden.hash()));
        return { configuration: base64(bocOf(prune(root, isOver))), catchainSeqno: w.catchainSeqno };
      };
      const list = w.tag === 0x12 ? w.set().refs[0]! : w.set();
      return [
        bad(
          'temporary',
          'The way to parameter 35 is cut off: whether there is one is not known.',
          cut(whole, other, 1),
        ),
        bad('temporary-set', 'The set of parameter 35 is cut off.', cut(whole, other)),
        bad('set', 'The set is cut off.', cut(alone, w.set())),
        bad(
          'catchain',
          'Parameter 28 is cut off: whether the list is shuffled is not known.',
          cut(alone, catchain(w.shuffle)),
        ),
        bad('proof', 'A Merkle proof in the place of the configuration.', {
          configuration: base64(bocOf(merkleProof(alone))),
          catchainSeqno: w.catchainSeqno,
        }),
        ...(list.refs.length > 0
          ? [bad('validators', 'Some of the validators are cut off.', cut(alone, list.refs[0]!))]
          : []),
      ];
    },
  ],
  [
    'param-is-reference',
    [],
    (w) => {
      const odd34 = (serialize: (builder: Builder) => Builder): Json => {
        const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), {
          serialize: (_: number, builder: Builder) => void serialize(builder),
          parse: () => 0,
        });
        dictionary.set(34, 1);
        return {
          configuration: base64(bocOf(beginCell().storeDictDirect(dictionary).endCell())),
          catchainSeqno: w.catchainSeqno,
        };
      };
      return [
        bad(
          'inline',
          'Parameter 34 is bits in the place of a reference.',
          odd34((builder) => builder.storeUint(1, 8)),
        ),
        bad(
          'bits-beside',
          'A bit stands beside the reference to parameter 34.',
          odd34((builder) => builder.storeRef(w.set()).storeBit(0)),
        ),
        bad(
          'two',
          'Two references for parameter 34.',
          odd34((builder) => builder.storeRef(w.set()).storeRef(w.set())),
        ),
      ];
    },
  ],
];

/** Configurations that are good in ways that are easy to miss. */
function makeGood(book: Book, form: keyof typeof FORMS): void {
  const place = (rule: string, flags: readonly string[] = []) => ({ rule, form, flags });
  {
    const w = worldOf(`validator-set temporary ${form}`, form);
    const other = w.entries.map((entry) => ({ ...entry, key: Buffer.from(hashOf(entry.key!.toString('hex'))) }));
    const input = w.config(w.set(), { 35: w.set(other) });
    book.pair(
      place('temporary-set-first', ['WRONG_SET']),
      '',
      { comment: 'Parameter 35 is there: its set signs, not that of 34.', input, value: own(w, other) },
      [
        bad(
          'broken',
          'Parameter 35 is there and is none: 34 does not take its place.',
          w.config(w.set(), { 35: w.set(other, { main: 0 }) }),
        ),
      ],
    );
    book.accept(
      place('temporary-set-first'),
      'next-is-not-now',
      'The sets of 32 and 36 sign nothing now.',
      w.config(w.set(), { 32: w.set(other), 36: w.set(other), 37: w.set(other) }),
      own(w),
    );
  }
  for (let n = 0; n < 4; n++) {
    const w = worldOf(`validator-set main ${form} ${n}`, form);
    book.accept(
      place('main-within-list'),
      `drawn-${n}`,
      `The first ${w.main} of ${w.entries.length} sign; the total is theirs alone.`,
      w.config(w.set()),
      own(w),
    );
    const all = w.entries.length;
    book.accept(
      place('main-within-list'),
      `all-${n}`,
      'Everybody in the list signs.',
      w.config(w.set(w.entries, { main: all })),
      own(w, w.entries, all),
    );
  }
  {
    const w = worldOf(`validator-set catchain ${form}`, form);
    const c1 = beginCell()
      .storeUint(0xc1, 8)
      .storeUint(250, 32)
      .storeUint(250, 32)
      .storeUint(1000, 32)
      .storeUint(23, 32)
      .endCell();
    const flags3 = beginCell()
      .storeUint(0xc2, 8)
      .storeUint(3, 8)
      .storeUint(250, 32)
      .storeUint(250, 32)
      .storeUint(0, 64)
      .endCell();
    const variants: [string, string, CoreCell | undefined, boolean][] = [
      ['shuffled', 'Parameter 28 asks for a shuffle.', catchain(true), true],
      ['not-shuffled', 'Parameter 28 asks for none.', catchain(false), false],
      ['old-form', 'Parameter 28 in its old form, which knows no shuffle.', c1, false],
      ['absent', 'No parameter 28: the node takes its defaults, no shuffle.', undefined, false],
      ['unreadable', 'A parameter 28 with unknown flags: the node takes its defaults.', flags3, false],
      [
        'trailing',
        'A parameter 28 with a bit behind it: the node takes its defaults.',
        without(catchain(true), (builder) => builder.storeBit(1)),
        false,
      ],
    ];
    for (const [name, comment, cell, shuffle] of variants) {
      book.accept(
        place('shuffle-by-param-28', ['WRONG_SET']),
        name,
        comment,
        w.config(w.set(), { 28: cell }),
        own(w, w.entries, w.main, shuffle),
      );
    }
    const twin = book.accept(
      place('shuffle-by-param-28'),
      'one-reference',
      'The dictionary has a plain parameter 28.',
      w.config(w.set(), { 28: catchain(true) }),
      own(w, w.entries, w.main, true),
    );
    const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), {
      serialize: (cell: CoreCell, builder: Builder) => void builder.storeRef(cell).storeBit(1),
      parse: () => beginCell().endCell(),
    });
    dictionary.set(28, catchain(true));
    dictionary.set(34, w.set());
    book.reject(
      place('shuffle-by-param-28'),
      'bit-beside',
      'A bit stands beside every parameter of the dictionary.',
      {
        configuration: base64(bocOf(beginCell().storeDictDirect(dictionary).endCell())),
        catchainSeqno: w.catchainSeqno,
      },
      twin,
    );
  }
  {
    const w = worldOf(`validator-set limit ${form}`, form);
    const list = [
      { ...w.entries[0]!, weight: 2n ** 61n - 1n },
      { ...w.entries[1]!, weight: 1n },
    ];
    book.accept(
      place('weights-within-2-61', ['OVERFLOW']),
      'limit',
      'Weights that add up to 2^61 exactly.',
      w.config(w.set(list, { main: 2 })),
      own(w, list, 2),
    );
    const outside = [w.entries[0]!, { ...w.entries[1]!, key: w.entries[0]!.key! }];
    book.accept(
      place('keys-once'),
      'outside',
      'A key stands twice, once of them behind `main`, where it does no harm.',
      w.config(w.set(outside, { main: 1 })),
      own(w, outside, 1),
    );
  }
  if (form.startsWith('ext')) {
    const w = worldOf(`validator-set total ${form}`, form);
    const sum = w.entries.reduce((total, { weight }) => total + weight!, 0n);
    book.pair(
      place('total-weight-is-sum', ['OVERFLOW']),
      '',
      { comment: 'total_weight is the sum over the whole list.', input: w.config(w.set()), value: own(w) },
      [
        bad('more', 'total_weight is one more than the sum.', w.config(w.set(w.entries, { totalWeight: sum + 1n }))),
        bad('zero', 'total_weight is 0.', w.config(w.set(w.entries, { totalWeight: 0n }))),
        bad('of-main', 'total_weight is one less than the sum.', w.config(w.set(w.entries, { totalWeight: sum - 1n }))),
      ],
    );
  }
}
