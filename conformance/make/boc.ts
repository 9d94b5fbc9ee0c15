/** Bags of cells: every rule of their bytes, in each of the headers in which they are written. */
import { crc32c } from '../../src/core/base/crc32c.ts';
import {
  type BocForm,
  beginCell,
  type CoreCell,
  merkleProof,
  merkleUpdate,
  prune,
  prunedBranch,
  type RawCell,
  rawCells,
  writeBoc,
} from '../../test/helpers/cells.ts';
import { type Bad, Book, bad, base64, below, type Json, type Odd, odd, randomOf } from './cases.ts';

const FORMS: Readonly<Record<string, BocForm>> = {
  generic: {},
  'generic-crc': { crc: true },
  'generic-index': { index: true, offsetSize: 3 },
  'generic-cache-bits': { index: true, crc: true, cacheBits: 'counted', refSize: 2, offsetSize: 4 },
  indexed: { magic: 'indexed', refSize: 2, offsetSize: 3 },
  'indexed-crc': { magic: 'indexed-crc', offsetSize: 3 },
};

const PASSED_OVER = 'The node’s reader passes over it, though its schema does not have it.';

function randomTree(random: () => number, depth: number, mostBits = 200): CoreCell {
  const builder = beginCell();
  const bits = below(random, mostBits);
  for (let bit = 0; bit < bits; bit++) builder.storeBit(random() < 0.5);
  const refs = depth === 0 ? 0 : 1 + below(random, 3);
  for (let k = 0; k < refs; k++) builder.storeRef(randomTree(random, depth - 1, mostBits));
  return builder.endCell();
}

const inputOf = (bytes: Uint8Array): Json => ({ bytes: base64(bytes) });
const rootsOf = (...cells: readonly CoreCell[]): Json => ({
  roots: cells.map((cell) => ({
    representationHash: cell.hash().toString('hex'),
    levelZeroHash: cell.hash(0).toString('hex'),
    depth: cell.depth(0),
  })),
});

const empty = new Uint8Array(0);
const rawOf = (d1: number, data: Uint8Array, refs: number[] = []): RawCell => ({
  d1: d1 + refs.length,
  d2: 2 * data.length,
  stored: empty,
  data,
  refs,
});
const chain = (depth: number): RawCell[] =>
  Array.from({ length: depth + 1 }, (_, k) => rawOf(0, empty, k === depth ? [] : [k + 1]));

export function makeBoc(): Book {
  const book = new Book('boc');
  for (const [name, form] of Object.entries(FORMS)) makeOf(book, name, form);
  makeRoots(book);
  makeWidths(book);
  makeKinds(book);
  makeLarge(book);
  return book;
}

function makeOf(book: Book, form: string, written: BocForm): void {
  const isGeneric = written.magic === undefined;
  const refSize = written.refSize ?? 1;
  const hasIndex = written.index === true || !isGeneric;
  const hasCrc = written.crc === true || written.magic === 'indexed-crc';
  const drawn = (rule: string) => {
    const random = randomOf(`boc ${rule} ${form}`);
    return {
      random,
      tree: beginCell()
        .storeUint(below(random, 2 ** 30), 31)
        .storeRef(randomTree(random, 2))
        .endCell(),
    };
  };
  const write = (cells: readonly RawCell[], over: BocForm = {}) => writeBoc(cells, { ...written, ...over });
  const pair = (
    rule: string,
    tree: CoreCell,
    wrong: readonly Bad[],
    doubtful: readonly Odd[] = [],
    flags: readonly string[] = [],
    cells = rawCells([tree]),
  ) => {
    const good = {
      comment: 'A tree of cells, written as it should be.',
      input: inputOf(write(cells)),
      value: rootsOf(tree),
    };
    book.pair({ rule, form, flags }, '', good, wrong, doubtful);
  };
  const at = (bytes: Uint8Array, place: number, ...values: number[]) => {
    const copy = Uint8Array.from(bytes);
    values.forEach((value, k) => {
      copy[place + k] = value;
    });
    return copy;
  };
  /** With a checksum that is right, so that the rule in question is the only one that is broken. */
  const resum = (bytes: Uint8Array) => {
    if (!hasCrc) return bytes;
    const copy = Uint8Array.from(bytes);
    new DataView(copy.buffer).setUint32(copy.length - 4, crc32c(copy, 0, copy.length - 4), true);
    return copy;
  };
  // magic 4, flags 1, offset size 1, then cells, roots, absent of `refSize` bytes each.
  const counts = 6;

  {
    const { tree } = drawn('boc-header');
    const cells = rawCells([tree]);
    const header = (place: number, ...values: number[]) => inputOf(resum(at(write(cells), place, ...values)));
    const flags = write(cells)[4]!;
    pair(
      'boc-header',
      tree,
      [
        bad('magic', 'The bytes begin otherwise than a bag of cells.', header(0, 0)),
        bad('magic-last', 'The last byte of the magic is another.', header(3, 0)),
        bad('ref-size-0', 'References of no bytes.', header(4, flags & 0xf8)),
        bad('ref-size-5', 'References of five bytes.', header(4, (flags & 0xf8) | 5)),
        bad('offset-size-0', 'Offsets of no bytes.', header(5, 0)),
        bad('offset-size-9', 'Offsets of nine bytes.', header(5, 9)),
        ...(isGeneric && !hasIndex ? [bad('cache-bits', 'Cache bits without an index.', header(4, flags | 0x20))] : []),
      ],
      isGeneric
        ? [
            odd('reserved', 'A reserved flag is set.', PASSED_OVER, header(4, flags | 0x08), rootsOf(tree)),
            odd('reserved-2', 'Another reserved flag is set.', PASSED_OVER, header(4, flags | 0x10), rootsOf(tree)),
          ]
        : [],
    );
  }
  {
    const { tree } = drawn('boc-counts');
    const cells = rawCells([tree]);
    const bytes = write(cells);
    const number = (value: number) =>
      Array.from({ length: refSize }, (_, k) => (value >> (8 * (refSize - 1 - k))) & 255);
    const count = (which: number, value: number) =>
      inputOf(resum(at(bytes, counts + which * refSize, ...number(value))));
    pair(
      'boc-counts',
      tree,
      [
        bad('cells-more', 'The header counts a cell more than there is.', count(0, cells.length + 1)),
        bad('cells-fewer', 'The header counts a cell fewer than there is.', count(0, cells.length - 1)),
        bad('cells-none', 'The header counts no cells.', count(0, 0)),
        bad('roots-none', 'The header counts no roots.', count(1, 0)),
        bad('roots-more', 'The header counts more roots than cells.', count(1, cells.length + 1)),
      ],
      [odd('absent', 'The header counts an absent cell, and none is.', PASSED_OVER, count(2, 1), rootsOf(tree))],
    );
  }
  {
    const { tree, random } = drawn('boc-length');
    const bytes = write(rawCells([tree]));
    const cuts = [
      ...new Set([
        ...(form === 'generic' ? [0, 3] : []),
        5,
        9,
        below(random, bytes.length - 12) + 10,
        bytes.length - 5,
        bytes.length - 1,
      ]),
    ];
    pair(
      'boc-length',
      tree,
      cuts.map((length, k) =>
        bad(`cut-${k}`, `The first ${length} of ${bytes.length} bytes.`, inputOf(bytes.subarray(0, length))),
      ),
      [
        odd(
          'behind',
          'A byte behind the bag.',
          'The node reads bags that stand in front of something else.',
          inputOf(Uint8Array.of(...bytes, 0)),
          rootsOf(tree),
        ),
      ],
    );
  }
  {
    const { tree } = drawn('boc-references');
    const cells = rawCells([tree]);
    const pointing = (cell: number, target: number) =>
      inputOf(write(cells.map((one, k) => (k === cell ? { ...one, refs: one.refs.map(() => target) } : one))));
    const inner = cells.findIndex(({ refs }, k) => k > 0 && refs.length > 0);
    const leaf = cells.length - 1;
    const back = cells.map((one, k) => (k === leaf ? { ...one, d1: one.d1 + 1, refs: [0] } : one));
    pair(
      'boc-references',
      tree,
      [
        bad('itself', 'A cell refers to itself.', pointing(inner, inner)),
        bad('backwards', 'A cell refers to one before it.', pointing(inner, 0)),
        bad('root-to-itself', 'The root refers to itself.', pointing(0, 0)),
        bad('past-the-end', 'A cell refers to one that is not there.', pointing(inner, cells.length)),
        bad('far', 'A cell refers far past the end.', pointing(0, refSize === 1 ? 255 : 65_535)),
        bad('cycle', 'The last cell refers to the root: a cycle.', inputOf(write(back))),
        bad(
          'five',
          'A cell says that it has five references.',
          inputOf(write(cells.map((one, k) => (k === 0 ? { ...one, d1: 5, refs: [1, 1, 1, 1, 1] } : one)))),
        ),
      ],
      [],
      ['HOSTILE'],
    );
  }
  {
    const { tree } = drawn('boc-cells');
    const cells = rawCells([tree]);
    const first = (change: (cell: RawCell) => Partial<RawCell>) =>
      inputOf(write(cells.map((one, k) => (k === 0 ? { ...one, ...change(one) } : one))));
    const stray = rawOf(0, Uint8Array.of(7));
    pair(
      'boc-cells',
      tree,
      [
        bad(
          'longer',
          'A cell says that it has more data than there are.',
          first(() => ({ d2: 255 })),
        ),
        bad(
          'overlong',
          'Padding on a whole byte: another spelling of the same bits.',
          inputOf(write([{ d1: 0, d2: 3, stored: empty, data: Uint8Array.of(1, 0x80), refs: [] }])),
        ),
        bad(
          'no-marker',
          'A last byte without the bit that ends the data.',
          inputOf(write([{ d1: 0, d2: 3, stored: empty, data: Uint8Array.of(1, 0), refs: [] }])),
        ),
        bad(
          'absent-cell',
          'A cell of the kind that stands for an absent one.',
          first((one) => ({ d1: one.d1 | 7 })),
        ),
        bad(
          'level',
          'An ordinary cell with a level that its references do not give it.',
          first((one) => ({ d1: one.d1 | 0x20 })),
        ),
        bad(
          'level-3',
          'An ordinary cell of level 3 over ordinary ones.',
          first((one) => ({ d1: one.d1 | 0x80 })),
        ),
      ],
      [
        odd(
          'unreached',
          'A cell that no root leads to.',
          'The node passes over it; a bag that hides something is worth refusing.',
          inputOf(write([...cells, stray])),
          rootsOf(tree),
        ),
      ],
    );
  }
  if (hasCrc) {
    const { tree, random } = drawn('boc-checksum');
    const bytes = write(rawCells([tree]));
    pair('boc-checksum', tree, [
      bad('bit', 'A bit of the checksum is another.', inputOf(at(bytes, bytes.length - 1, bytes.at(-1)! ^ 1))),
      bad(
        'data',
        'A bit of a cell is another than the checksum is of.',
        inputOf(at(bytes, bytes.length - 6, bytes[bytes.length - 6]! ^ (1 << below(random, 3)))),
      ),
    ]);
  }
  if (hasIndex) {
    const { tree } = drawn('boc-index');
    const cells = rawCells([tree]);
    const bytes = write(cells);
    const offsetSize = written.offsetSize ?? 2;
    const indexAt = counts + 3 * refSize + offsetSize + (isGeneric ? refSize : 0);
    const wrong = at(bytes, indexAt + offsetSize - 1, bytes[indexAt + offsetSize - 1]! ^ 2);
    const place = { rule: 'boc-index', form, flags: [] };
    const twin = book.accept(
      place,
      'good',
      'The index says where each cell ends.',
      inputOf(write(cells)),
      rootsOf(tree),
    );
    const shorter = [...bytes.subarray(0, indexAt), ...bytes.subarray(indexAt + offsetSize)];
    const comment = 'The index has an entry fewer than there are cells.';
    book.reject(place, 'short', comment, inputOf(resum(Uint8Array.from(shorter))), twin);
    {
      const reason = 'Whether the index is read at all is the reader’s business; to read other cells by it is not.';
      if (written.cacheBits === 'counted') {
        const hinted = at(bytes, indexAt + offsetSize - 1, bytes[indexAt + offsetSize - 1]! ^ 1);
        const why = 'The node refuses it; nothing that is read depends on it.';
        book.either(
          place,
          'cache-bit',
          'The hint of a cell is another than its references make it.',
          inputOf(resum(hinted)),
          why,
          rootsOf(tree),
        );
      }
      book.either(place, 'off', 'An entry of the index is one off.', inputOf(resum(wrong)), reason, rootsOf(tree));
    }
  }
  {
    const { tree } = drawn('boc-stored-hashes');
    const cells = rawCells([tree], true);
    const flipped = (cell: number, byte: number) =>
      inputOf(
        write(
          cells.map((one, k) =>
            k === cell ? { ...one, stored: one.stored.map((value, n) => (n === byte ? value ^ 1 : value)) } : one,
          ),
        ),
      );
    pair(
      'boc-stored-hashes',
      tree,
      [
        bad('hash', 'The hash stored beside the root is not its own.', flipped(0, 3)),
        bad('hash-end', 'The last byte of a stored hash is another.', flipped(1, 31)),
        bad('depth', 'The depth stored beside the root is not its own.', flipped(0, 33)),
        bad('leaf', 'The hash stored beside a leaf is not its own.', flipped(cells.length - 1, 0)),
      ],
      [],
      ['HOSTILE'],
      cells,
    );
  }
  {
    const { tree } = drawn('boc-merkle-proof');
    const proof = merkleProof(prune(tree, (cell) => cell.refs.length === 0));
    const cells = rawCells([proof]);
    const root = (change: (cell: RawCell) => Partial<RawCell>) =>
      inputOf(write(cells.map((one, k) => (k === 0 ? { ...one, ...change(one) } : one))));
    const byte = (n: number) => root(({ data }) => ({ data: data.map((value, k) => (k === n ? value ^ 1 : value)) }));
    pair(
      'boc-merkle-proof',
      proof,
      [
        bad('hash', 'The proof names another hash than its tree has.', byte(5)),
        bad('depth', 'The proof names another depth than its tree has.', byte(34)),
        bad(
          'short',
          'The proof cell is a byte short.',
          root(({ data }) => ({ d2: 68, data: data.slice(0, 34) })),
        ),
        bad(
          'long',
          'The proof cell is a byte long.',
          root(({ data }) => ({ d2: 72, data: Uint8Array.of(...data, 0) })),
        ),
        bad(
          'two',
          'The proof cell has two references.',
          root(({ d1, refs }) => ({ d1: d1 + 1, refs: [...refs, ...refs] })),
        ),
        bad(
          'level',
          'The proof cell has a level of its own.',
          root(({ d1 }) => ({ d1: d1 | 0x20 })),
        ),
        bad(
          'kind',
          'An exotic cell of an unknown kind.',
          root(({ data }) => ({ data: data.map((value, k) => (k === 0 ? 5 : value)) })),
        ),
        bad(
          'kind-0',
          'An exotic cell of the kind 0.',
          root(({ data }) => ({ data: data.map((value, k) => (k === 0 ? 0 : value)) })),
        ),
      ],
      [],
      ['HOSTILE'],
      cells,
    );
  }
  {
    const { tree, random } = drawn('boc-merkle-update');
    const other = randomTree(random, 2);
    const update = merkleUpdate(
      prune(tree, (cell) => cell.refs.length === 0),
      prunedBranch(other),
    );
    const cells = rawCells([update]);
    const byte = (n: number) =>
      inputOf(
        write(
          cells.map((one, k) =>
            k === 0 ? { ...one, data: one.data.map((value, at) => (at === n ? value ^ 1 : value)) } : one,
          ),
        ),
      );
    pair(
      'boc-merkle-update',
      update,
      [
        bad('old-hash', 'The update names another hash of its first tree.', byte(7)),
        bad('new-hash', 'The update names another hash of its second tree.', byte(40)),
        bad('old-depth', 'The update names another depth of its first tree.', byte(66)),
        bad('new-depth', 'The update names another depth of its second tree.', byte(68)),
      ],
      [],
      ['HOSTILE'],
      cells,
    );
  }
  {
    const { tree } = drawn('boc-pruned-branch');
    // Inside a proof: a bag whose root has a level is none that the node takes.
    const branch = merkleProof(prunedBranch(tree));
    const [proof, cell] = rawCells([branch]);
    const one = (change: Partial<RawCell>, top: Partial<RawCell> = {}, ...more: RawCell[]) =>
      inputOf(write([{ ...proof!, ...top }, { ...cell!, ...change }, ...more]));
    const masked = (mask: number, level = mask) =>
      one({ d1: 8 + 32 * (level & 7), data: cell!.data.map((value, k) => (k === 1 ? mask : value)) });
    const deep = (data: Uint8Array, from: number) =>
      data.map((value, k) => (k === from ? 4 : k === from + 1 ? 1 : value));
    pair(
      'boc-pruned-branch',
      branch,
      [
        bad('mask-0', 'A pruned branch of the level mask 0.', masked(0)),
        bad('mask-8', 'A pruned branch of the level mask 8.', masked(8)),
        bad('mask-3', 'A pruned branch that says it has two hashes, and has one.', masked(3)),
        bad('other-level', 'The level mask beside the cell is not the one inside.', masked(1, 2)),
        bad('short', 'A pruned branch that is a byte short.', one({ d2: 70, data: cell!.data.slice(0, 35) })),
        bad(
          'no-mask',
          'A pruned branch without a mask byte.',
          one({ d2: 70, data: Uint8Array.of(1, ...cell!.data.slice(2)) }),
        ),
        bad(
          'reference',
          'A pruned branch with a reference.',
          one({ d1: cell!.d1 + 1, refs: [2] }, {}, rawOf(0, Uint8Array.of(1))),
        ),
        bad(
          'depth',
          'A pruned branch that stands for a tree of the depth 1025.',
          one({ data: deep(cell!.data, 34) }, { data: deep(proof!.data, 33) }),
        ),
      ],
      [],
      ['HOSTILE'],
      [proof!, cell!],
    );
  }
  {
    const { random } = drawn('boc-library');
    const library = beginCell()
      .storeUint(2, 8)
      .storeUint(below(random, 2 ** 30), 256)
      .endCell({ exotic: true });
    const [cell] = rawCells([library]);
    pair(
      'boc-library',
      library,
      [
        bad(
          'short',
          'A library cell that is a byte short.',
          inputOf(write([{ ...cell!, d2: 64, data: cell!.data.slice(0, 32) }])),
        ),
        bad(
          'long',
          'A library cell that is a byte long.',
          inputOf(write([{ ...cell!, d2: 68, data: Uint8Array.of(...cell!.data, 0) }])),
        ),
        bad(
          'reference',
          'A library cell with a reference.',
          inputOf(write([{ ...cell!, d1: cell!.d1 + 1, refs: [1] }, rawOf(0, empty)])),
        ),
      ],
      [],
      [],
      [cell!],
    );
  }
  makeDepth(book, form, write);
  makeTrees(book, form, write);
}

/** 1024 is the deepest. */
function makeDepth(book: Book, form: string, write: (cells: readonly RawCell[], over?: BocForm) => Uint8Array): void {
  const wide = { refSize: 2, offsetSize: 3 };
  const of = (depth: number) => inputOf(write(chain(depth), wide));
  const cellsOf = (depth: number) => {
    let cell = beginCell().endCell();
    for (let k = 0; k < depth; k++) cell = beginCell().storeRef(cell).endCell();
    return cell;
  };
  book.pair(
    { rule: 'boc-depth', form, flags: ['HOSTILE'] },
    '',
    { comment: 'A chain of the depth 1024.', input: of(1024), value: rootsOf(cellsOf(1024)) },
    [bad('1025', 'A chain of the depth 1025.', of(1025)), bad('2000', 'A chain of the depth 2000.', of(2000))],
  );
}

/** Good trees of all kinds, each with its hashes by another implementation. */
function makeTrees(book: Book, form: string, write: (cells: readonly RawCell[], over?: BocForm) => Uint8Array): void {
  const place = { rule: 'boc-hashes', form, flags: [] };
  const wide = { refSize: 2, offsetSize: 3 };
  let twin = '';
  for (let n = 0; n < 6; n++) {
    const random = randomOf(`boc hashes ${form} ${n}`);
    const tree = randomTree(random, 2, 1024);
    const cut = prune(tree, (cell) => cell !== tree && random() < 0.4);
    const kinds: [string, CoreCell][] = [
      ['tree', tree],
      ['pruned', cut],
      ['proof', merkleProof(cut)],
      [
        'update',
        merkleUpdate(
          cut,
          prune(tree, (cell) => cell.refs.length === 0),
        ),
      ],
      [
        'update-in-proof',
        merkleProof(
          prune(
            beginCell()
              .storeRef(merkleUpdate(cut, prunedBranch(tree)))
              .storeRef(tree)
              .endCell(),
            (cell) => cell === tree,
          ),
        ),
      ],
      ['stored', tree],
    ];
    const [kind, root] = kinds[n]!;
    if (kind === 'pruned') {
      // A tree that is cut, without a proof around it, has a level.
      const words = 'A tree of which parts are cut off, with no proof around it.';
      const why = 'The node’s reader takes no root that has a level; libraries that read proofs in parts have to.';
      book.either(place, kind, words, inputOf(write(rawCells([root]), wide)), why, rootsOf(root));
      continue;
    }
    twin = book.accept(
      place,
      kind,
      `A ${kind === 'stored' ? 'tree with hashes stored beside its cells' : kind} with its hash at its own level and at level 0.`,
      inputOf(write(rawCells([root], kind === 'stored'), wide)),
      rootsOf(root),
    );
  }
  for (const bits of [0, 1, 7, 8, 9, 1016, 1022, 1023]) {
    const builder = beginCell();
    for (let k = 0; k < bits; k++) builder.storeBit(k % 3 === 0);
    const cell = builder.endCell();
    book.accept(place, `${bits}-bits`, `A cell of ${bits} bits.`, inputOf(write(rawCells([cell]))), rootsOf(cell));
  }
  const random = randomOf(`boc hashes ${form} 5`);
  const [first, ...rest] = rawCells([randomTree(random, 2, 1024)], true);
  const other = first!.stored.map((value, k) => (k === 16 ? value ^ 0x80 : value));
  book.reject(
    place,
    'stored-other',
    'The same tree, a stored hash of which is not its own.',
    inputOf(write([{ ...first!, stored: other }, ...rest], wide)),
    twin,
  );
}

/** Bags with several roots. */
function makeRoots(book: Book): void {
  const place = { rule: 'boc-roots', form: 'generic', flags: [] };
  const random = randomOf('boc roots');
  const [x, y] = [randomTree(random, 1), randomTree(random, 1)];
  const top = beginCell().storeRef(x).storeRef(y).endCell();
  const cells = rawCells([top]);
  const roots = (...list: number[]) => inputOf(writeBoc(cells, { roots: list }));
  const placeOf = (cell: CoreCell) =>
    cells.findIndex(({ data }, k) => k > 0 && Buffer.from(data).equals(Buffer.from(rawCells([cell])[0]!.data)));
  const [px, py] = [placeOf(x), placeOf(y)];
  const good = {
    comment: 'Two roots, in the order of their list, not that of the cells.',
    input: roots(0, py, px),
    value: rootsOf(top, y, x),
  };
  book.pair(
    place,
    '',
    good,
    [
      bad('not-there', 'A root that is not there.', roots(0, cells.length)),
      bad('far', 'A root far past the end.', roots(255)),
    ],
    [
      odd(
        'twice',
        'One cell is a root twice.',
        'The node takes it; there is no use for it.',
        roots(0, 0),
        rootsOf(top, top),
      ),
    ],
  );
  book.accept(place, 'inner', 'A root that another root leads to.', roots(0, px), rootsOf(top, x));
}

/** References and offsets of every width that the header can say; a bag without a cell. */
function makeWidths(book: Book): void {
  const place = { rule: 'boc-header', form: 'widths', flags: [] };
  const tree = beginCell()
    .storeUint(5, 8)
    .storeRef(beginCell().storeUint(6, 8).endCell())
    .storeRef(beginCell().storeUint(7, 9).endCell())
    .endCell();
  const cells = rawCells([tree]);
  const of = (refSize: number, offsetSize: number) => inputOf(writeBoc(cells, { refSize, offsetSize }));
  let twin = '';
  for (const [refSize, offsetSize] of [
    [1, 1],
    [2, 5],
    [3, 7],
    [4, 8],
  ] as const) {
    const words = `References of ${refSize} bytes and offsets of ${offsetSize}.`;
    twin = book.accept(place, `${refSize}-${offsetSize}`, words, of(refSize, offsetSize), rootsOf(tree));
  }
  book.reject(place, '5-8', 'References that are written in five bytes.', of(5, 8), twin);
  book.reject(place, '4-9', 'Offsets that are written in nine bytes.', of(4, 9), twin);
  const nothing = Uint8Array.of(0xb5, 0xee, 0x9c, 0x72, 1, 1, 0, 0, 0, 0);
  const counts = { rule: 'boc-counts', form: 'widths', flags: [] };
  const one = book.accept(counts, 'one', 'A bag of one cell.', of(1, 1), rootsOf(tree));
  book.reject(counts, 'none', 'A bag of no cells and no roots, as its header says.', inputOf(nothing), one);
}

/** Exotic cells with all that another kind asks for, but its number. */
function makeKinds(book: Book): void {
  const random = randomOf('boc kinds');
  const tree = randomTree(random, 2);
  const cut = prune(tree, (cell) => cell.refs.length === 0);
  const library = beginCell()
    .storeUint(2, 8)
    .storeUint(below(random, 2 ** 30), 256)
    .endCell({ exotic: true });
  const kinds: readonly [string, string, CoreCell][] = [
    ['boc-library', 'library', library],
    ['boc-merkle-update', 'update', merkleUpdate(cut, prunedBranch(tree))],
  ];
  for (const [rule, words, cell] of kinds) {
    const [first, ...rest] = rawCells([cell]);
    const of = (kind: number) =>
      inputOf(
        writeBoc([{ ...first!, data: first!.data.map((byte, k) => (k === 0 ? kind : byte)) }, ...rest], {
          refSize: 2,
          offsetSize: 3,
        }),
      );
    const good = { comment: `A ${words} cell.`, input: of(first!.data[0]!), value: rootsOf(cell) };
    book.pair({ rule, form: 'kinds', flags: ['HOSTILE'] }, '', good, [
      bad('kind-0', `A ${words} cell of the kind 0.`, of(0)),
      bad('kind-5', `A ${words} cell of the kind 5.`, of(5)),
      bad('kind-6', `A ${words} cell of the kind 6.`, of(6)),
      bad('kind-255', `A ${words} cell of the kind 255.`, of(255)),
    ]);
  }
  const place = { rule: 'boc-cells', form: 'kinds', flags: ['HOSTILE'] };
  const plain = { d1: 0, d2: 2, stored: empty, data: Uint8Array.of(0), refs: [] };
  const good = {
    comment: 'An ordinary cell of eight bits.',
    input: inputOf(writeBoc([plain], {})),
    value: rootsOf(beginCell().storeUint(0, 8).endCell()),
  };
  book.pair(place, '', good, [
    bad('exotic', 'The same as an exotic cell, whose kind is 0.', inputOf(writeBoc([{ ...plain, d1: 8 }], {}))),
    bad(
      'exotic-5',
      'An exotic cell of the kind 5 and nothing more.',
      inputOf(writeBoc([{ ...plain, d1: 8, data: Uint8Array.of(5) }], {})),
    ),
    bad('no-kind', 'An exotic cell without bits.', inputOf(writeBoc([{ ...plain, d1: 8, d2: 0, data: empty }], {}))),
    bad(
      'half-a-kind',
      'An exotic cell of seven bits.',
      inputOf(writeBoc([{ ...plain, d1: 8, d2: 1, data: Uint8Array.of(3) }], {})),
    ),
  ]);
}

/** Small files that ask for very much work. */
function makeLarge(book: Book): void {
  const place = { rule: 'boc-work', form: 'generic', flags: ['RESOURCE'] };
  const form = { refSize: 2, offsetSize: 3 };
  let doubled = beginCell().endCell();
  for (let k = 0; k < 1000; k++) doubled = beginCell().storeRef(doubled).storeRef(doubled).endCell();
  const fork = (count: number, refs: number) =>
    Array.from({ length: count }, (_, k) =>
      rawOf(0, empty, k === count - 1 ? [] : Array.from({ length: refs }, () => k + 1)),
    );
  const twin = book.accept(
    place,
    'paths',
    'A tree of 2^1000 paths out of 1001 cells: each is hashed once.',
    inputOf(writeBoc(fork(1001, 2), form)),
    rootsOf(doubled),
  );
  book.reject(place, 'paths-too-deep', 'The same, deeper than 1024.', inputOf(writeBoc(fork(1100, 2), form)), twin);
  const be = (value: number, size: number) =>
    Array.from({ length: size }, (_, k) => Math.floor(value / 256 ** (size - 1 - k)) % 256);
  const header = (cells: number, roots: number, size: number) =>
    Uint8Array.of(
      0xb5,
      0xee,
      0x9c,
      0x72,
      4,
      8,
      ...be(cells, 4),
      ...be(roots, 4),
      ...be(0, 4),
      ...be(size, 8),
      ...be(0, 4),
    );
  book.reject(
    place,
    'many-cells',
    'A header of four billion cells and no more.',
    inputOf(header(0xffffffff, 1, 10)),
    twin,
  );
  book.reject(place, 'many-bytes', 'A header of 2^52 bytes and no more.', inputOf(header(1, 1, 2 ** 52)), twin);
  book.reject(
    place,
    'many-roots',
    'A header of four billion roots and no more.',
    inputOf(header(1, 0xffffffff, 2)),
    twin,
  );
}
