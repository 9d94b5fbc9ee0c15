/** From a final masterchain block down to the block of a shard. */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { beginCell, bocOf, CoreCell, merkleProof, prune } from '../../test/helpers/cells.ts';
import { bagOf, coreCell } from '../../test/helpers/cut-proofs.ts';
import { everyCell } from '../../test/helpers/make-back-link.ts';
import {
  infoOf,
  type MadeBlock,
  makeBlock,
  masterDataOf,
  proofShowing,
  type ShardForm,
  sha256,
} from '../../test/helpers/make-chain.ts';
import {
  fork,
  LEFT,
  leafOf,
  makeShardBlock,
  master,
  prevProof,
  RIGHT,
  shardHashes,
  WHOLE,
} from '../../test/helpers/make-shards.ts';
import { type ShardLinks, tlAllShards, tlShardProof } from '../../test/helpers/tl-answers.ts';
import { brokenAnswers } from './broken-answers.ts';
import { type Bad, Book, bad, base64, below, blockJson, type Json, odd, randomOf } from './cases.ts';

/** A way down: the masterchain block, and what leads from it to the wanted block. */
interface World {
  readonly lister: MadeBlock;
  readonly links: ShardLinks;
  readonly wanted: BlockIdExt;
  /** The block that is listed. */
  readonly top: MadeBlock;
  readonly tree: CoreCell;
}

const quarter = (n: number): ShardForm => ({ workchain: 0, prefixBits: 2, prefix: BigInt(n) << 62n });

const FORMS: Readonly<Record<string, (random: () => number) => World>> = {
  top(random) {
    const top = makeShardBlock(10 + below(random, 1e7), WHOLE, { genUtime: 1_600_000_000 + below(random, 1e6) });
    return worldOf(leafOf(top.id, random() < 0.5 ? 0xa : 0xb), top, []);
  },
  'top-of-four'(random) {
    const tops = [0, 1, 2, 3].map((n) => makeShardBlock(10 + below(random, 1e7), quarter(n)));
    const [a, b, c, d] = tops.map(({ id }) => leafOf(id)) as [CoreCell, CoreCell, CoreCell, CoreCell];
    return worldOf(fork(fork(a, b), fork(c, d)), tops[below(random, 4)]!, []);
  },
  before(random) {
    const first = makeShardBlock(10 + below(random, 1e7), WHOLE);
    const second = makeShardBlock(first.id.seqno + 1, WHOLE, { previous: [first.id] });
    const third = makeShardBlock(second.id.seqno + 1, WHOLE, { previous: [second.id] });
    return worldOf(leafOf(third.id), third, [second, first]);
  },
  'before-split'(random) {
    const parent = makeShardBlock(10 + below(random, 1e7), WHOLE);
    const half = (shard: ShardForm) =>
      makeShardBlock(parent.id.seqno + 1, shard, { previous: [parent.id], afterSplit: true });
    const [left, right] = [half(LEFT), half(RIGHT)];
    return worldOf(fork(leafOf(left.id), leafOf(right.id)), random() < 0.5 ? left : right, [parent]);
  },
  'before-merge'(random) {
    const left = makeShardBlock(10 + below(random, 1e7), LEFT);
    const right = makeShardBlock(left.id.seqno + 1 + below(random, 5), RIGHT);
    const merged = makeShardBlock(right.id.seqno + 1, WHOLE, { previous: [left.id, right.id], afterMerge: true });
    return worldOf(leafOf(merged.id), merged, [random() < 0.5 ? left : right]);
  },
};

function worldOf(tree: CoreCell, top: MadeBlock, older: readonly MadeBlock[]): World {
  const { block: lister, proof } = master(tree);
  const blocks = [top, ...older];
  const links = blocks.map(({ id }, k) => ({ id, proof: k === 0 ? proof : prevProof(blocks[k - 1]!) }));
  return { lister, links, wanted: blocks.at(-1)!.id, top, tree };
}

const inputOf = (lister: BlockIdExt, answer: Uint8Array, requested: BlockIdExt): Json => ({
  masterchain: blockJson(lister),
  answer: base64(answer),
  requested: blockJson(requested),
});

export function makeShardLink(): Book {
  const book = new Book('shard-link');
  for (const [form, make] of Object.entries(FORMS)) {
    for (const [rule, flags, wrong] of RULES) {
      const world = make(randomOf(`shard-link ${rule} ${form}`));
      const { lister, links, wanted } = world;
      const good = {
        comment: `A way down of the form ${form}.`,
        input: inputOf(lister.id, tlShardProof(lister.id, links), wanted),
        value: { block: blockJson(wanted) },
      };
      const cases = wrong(world, (over, requested) =>
        inputOf(lister.id, tlShardProof(lister.id, over), requested ?? over.at(-1)?.id ?? wanted),
      );
      if (cases.length > 0) book.pair({ rule, form, flags }, '', good, cases);
    }
  }
  makeLeaves(book);
  makeAllShards(book);
  makeDeepList(book);
  makeWorkchains(book);
  makeMasterchain(book);
  return book;
}

type Down = (links: ShardLinks, requested?: BlockIdExt) => Json;

const withLast = (links: ShardLinks, id: BlockIdExt): ShardLinks => [
  ...links.slice(0, -1),
  { id, proof: links.at(-1)!.proof },
];

const RULES: readonly (readonly [string, readonly string[], (world: World, down: Down) => readonly Bad[]])[] = [
  [
    'shard-listed',
    ['WRONG_BLOCK'],
    ({ links, wanted }, down) => {
      const renamed = (over: Partial<BlockIdExt>) => down(withLast(links, { ...wanted, ...over }));
      const elsewhere = wanted.shard === 1n << 61n ? 3n << 61n : 1n << 61n;
      return [
        bad(
          'seqno',
          'The wanted block has another number than the one that is named.',
          renamed({ seqno: wanted.seqno + 1 }),
        ),
        bad('root-hash', 'The wanted block has another root hash.', renamed({ rootHash: sha256(wanted.rootHash) })),
        bad(
          'file-hash',
          'The wanted block has another file hash; no header shows it.',
          renamed({ fileHash: sha256(wanted.fileHash) }),
        ),
        bad('workchain', 'The wanted block is of another workchain.', renamed({ workchain: 1 })),
        bad('masterchain', 'The wanted block is said to be of the masterchain.', renamed({ workchain: -1 })),
        bad('shard', 'The wanted block is of another shard.', renamed({ shard: elsewhere })),
        bad('shard-0', 'The wanted block is of no shard at all.', renamed({ shard: 0n })),
      ];
    },
  ],
  [
    'proof-of-this-block',
    ['WRONG_BLOCK'],
    ({ links, lister, tree }, down) => {
      const other = makeBlock({ ...lister.form, genUtime: 7 });
      const otherProof = proofShowing(other.root, [...masterDataOf(other), ...everyCell(shardHashes(tree))]);
      return [
        bad(
          'other-masterchain',
          'The list is that of another masterchain block.',
          down([{ ...links[0]!, proof: otherProof }, ...links.slice(1)]),
        ),
        ...(links.length > 1
          ? [
              bad(
                'own-proof',
                'The proof of the last link is that of the block it leads to.',
                down([...links.slice(0, -1), { id: links.at(-1)!.id, proof: links[0]!.proof }]),
              ),
              bad('first-left-out', 'The first link is left out.', down(links.slice(1))),
              bad('order', 'The links stand in the other order.', down([...links].reverse(), links.at(-1)!.id)),
            ]
          : []),
      ];
    },
  ],
  [
    'requested-block',
    ['WRONG_BLOCK'],
    ({ links, wanted, top, lister }, down) => [
      bad(
        'older',
        'The way ends at a block that nobody asked for.',
        down(links, { ...wanted, seqno: wanted.seqno - 1 }),
      ),
      bad(
        'no-links',
        'No way at all: it ends at the masterchain block.',
        inputOf(lister.id, tlShardProof(lister.id, []), wanted),
      ),
      ...(links.length > 1
        ? [
            bad(
              'top',
              'The way ends at the listed block, an older one was asked for.',
              down(links.slice(0, 1), wanted),
            ),
            bad('top-wanted', 'The way ends at an older block, the listed one was asked for.', down(links, top.id)),
          ]
        : []),
    ],
  ],
  [
    'starts-at-trusted-block',
    ['WRONG_BLOCK'],
    ({ links, lister, wanted }) => {
      const good = tlShardProof(lister.id, links);
      return [
        bad(
          'other',
          'Another masterchain block is final.',
          inputOf({ ...lister.id, rootHash: sha256(lister.id.rootHash) }, good, wanted),
        ),
        bad(
          'seqno',
          'The final block has another number.',
          inputOf({ ...lister.id, seqno: lister.id.seqno + 1 }, good, wanted),
        ),
        bad(
          'named',
          'The answer names another masterchain block.',
          inputOf(lister.id, tlShardProof({ ...lister.id, fileHash: sha256(lister.id.fileHash) }, links), wanted),
        ),
      ];
    },
  ],
  [
    'pruned-is-not-absent',
    ['PRUNED'],
    ({ links, lister, top, tree }, down) => {
      const cutTree = proofShowing(lister.root, [...masterDataOf(lister)]);
      const leaf = leafHash(tree, top);
      const cutLeaf = bocOf(
        merkleProof(prune(coreCell(links[0]!.proof).refs[0]!, (cell) => !cell.isExotic && cell.hash().equals(leaf))),
      );
      const last = links.length - 1;
      return [
        bad('list', 'The list of shards is cut off.', down([{ ...links[0]!, proof: cutTree }, ...links.slice(1)])),
        bad(
          'leaf',
          'The shard’s place in the list is cut off.',
          down([{ ...links[0]!, proof: cutLeaf }, ...links.slice(1)]),
        ),
        ...(last > 0
          ? [
              bad(
                'before',
                'The block before is cut off.',
                down(
                  links.map((link, k) => (k === 1 ? { ...link, proof: proofShowing(top.root, [infoOf(top)]) } : link)),
                ),
              ),
            ]
          : []),
      ];
    },
  ],
  [
    'merkle-proof-of-link',
    [],
    ({ links, lister }, down) => {
      const proof = coreCell(links[0]!.proof);
      const with0 = (bytes: Uint8Array) => down([{ ...links[0]!, proof: bytes }, ...links.slice(1)]);
      return [
        bad('whole-block', 'The block itself in the place of its proof.', with0(lister.boc)),
        bad('two-roots', 'A bag with two roots.', with0(bagOf(proof, beginCell().endCell()))),
        bad(
          'ordinary',
          'An ordinary cell with the bits of a Merkle proof.',
          with0(bocOf(new CoreCell({ bits: proof.bits, refs: proof.refs }))),
        ),
        bad('nothing', 'No proof at all.', with0(new Uint8Array(0))),
      ];
    },
  ],
  [
    'answer-form',
    [],
    ({ links, lister, wanted }) => {
      const good = tlShardProof(lister.id, links);
      const wrong = [
        ...brokenAnswers(good),
        ['count', 'It says that it has one link more.', tlShardProof(lister.id, links, links.length + 1)] as const,
      ];
      return wrong.map(([name, comment, bytes]) => bad(name, comment, inputOf(lister.id, bytes, wanted)));
    },
  ],
];

/** The hash of the leaf that names a block. */
function leafHash(tree: CoreCell, top: MadeBlock): Buffer {
  const names = (cell: CoreCell) =>
    cell.refs.length < 2 && cell.bits.length > 453 && Buffer.from(top.id.rootHash).equals(rootHashIn(cell));
  return everyCell(tree).find(names)!.hash();
}

function rootHashIn(cell: CoreCell): Buffer {
  const slice = cell.beginParse();
  slice.skip(197);
  return slice.loadBuffer(32);
}

/** ShardDescr and the tree around it. */
function makeLeaves(book: Book): void {
  for (const [form, tag] of [
    ['descr-a', 0xa],
    ['descr-b', 0xb],
  ] as const) {
    const random = randomOf(`shard-link leaf ${form}`);
    const top = makeShardBlock(10 + below(random, 1e7), WHOLE);
    const via = (tree: CoreCell, id: BlockIdExt = top.id, workchain = 0) => {
      const { block, proof } = master(tree, workchain);
      return inputOf(block.id, tlShardProof(block.id, [{ id, proof }]), id);
    };
    const good = {
      comment: 'The shard’s leaf in one of its two forms.',
      input: via(leafOf(top.id, tag)),
      value: { block: blockJson(top.id) },
    };
    book.pair({ rule: 'shard-descr-form', form, flags: [] }, '', good, [
      bad('tag', 'A leaf with an unknown tag.', via(leafOf(top.id, 0xc))),
      bad('flags', 'A leaf with an unknown flag.', via(leafOf(top.id, tag, 1))),
      bad('split-cut', 'A split that is announced and cut short.', via(leafOf(top.id, tag, 0, `10${'01'.repeat(31)}`))),
      bad(
        'split-long',
        'A split that is announced, with two bits more.',
        via(leafOf(top.id, tag, 0, `10${'01'.repeat(33)}`)),
      ),
    ]);
    for (const kind of ['10', '11']) {
      const announced = via(leafOf(top.id, tag, 0, kind + '01'.repeat(32)));
      book.accept(
        { rule: 'shard-descr-form', form, flags: [] },
        `announced-${kind}`,
        `The shard is about to ${kind === '10' ? 'split' : 'merge'}.`,
        announced,
        { block: blockJson(top.id) },
      );
    }
    const [left, right] = [makeShardBlock(20, LEFT), makeShardBlock(21, RIGHT)];
    const both = fork(leafOf(left.id, tag), leafOf(right.id, tag));
    const halves = {
      comment: 'A shard that is one of two.',
      input: via(both, left.id),
      value: { block: blockJson(left.id) },
    };
    book.pair({ rule: 'shard-at-its-place', form, flags: ['WRONG_BLOCK'] }, '', halves, [
      bad(
        'other-half',
        'The block of one half under the name of the other.',
        via(both, { ...left.id, shard: right.id.shard }),
      ),
      bad(
        'parent',
        'The block of one half under the name of the whole.',
        via(both, { ...left.id, shard: WHOLE_SHARD }),
      ),
      bad('child', 'The block of one half under the name of a quarter.', via(both, { ...left.id, shard: 1n << 61n })),
      bad('twice', 'The whole listed in both halves.', via(fork(leafOf(top.id, tag), leafOf(top.id, tag)))),
      bad('other-workchain', 'The list is that of another workchain.', via(both, left.id, 1)),
      bad(
        'masterchain',
        'A list that says it is of the masterchain, which lists itself nowhere.',
        via(leafOf(top.id, tag), { ...top.id, workchain: -1 }, -1),
      ),
    ]);
  }
}

const WHOLE_SHARD = -(1n << 63n);

function makeAllShards(book: Book): void {
  for (const form of ['all-one', 'all-two', 'all-four'] as const) {
    const make = (rule: string) => {
      const random = randomOf(`shard-link ${rule} ${form}`);
      const shards = { 'all-one': [WHOLE], 'all-two': [LEFT, RIGHT], 'all-four': [0, 1, 2, 3].map(quarter) }[form];
      const tops = shards.map((shard) => makeShardBlock(10 + below(random, 1e7), shard));
      const leaves = tops.map(({ id }) => leafOf(id));
      const tree =
        leaves.length === 1
          ? leaves[0]!
          : leaves.length === 2
            ? fork(leaves[0]!, leaves[1]!)
            : fork(fork(leaves[0]!, leaves[1]!), fork(leaves[2]!, leaves[3]!));
      const hashes = shardHashes(tree);
      const { block } = master(tree);
      const proof = proofShowing(block.root, [...masterDataOf(block)]);
      const data = bocOf(beginCell().storeBit(1).storeRef(hashes).endCell());
      const top = tops[below(random, tops.length)]!;
      return { block, proof, data, top, tree, hashes };
    };
    const of = (
      world: ReturnType<typeof make>,
      over: Partial<{
        id: BlockIdExt;
        proof: Uint8Array;
        data: Uint8Array;
        lister: BlockIdExt;
        requested: BlockIdExt;
      }> = {},
    ) => {
      const {
        id = world.block.id,
        proof = world.proof,
        data = world.data,
        lister = world.block.id,
        requested = world.top.id,
      } = over;
      return inputOf(lister, tlAllShards(id, proof, data), requested);
    };
    const pair = (
      rule: string,
      flags: readonly string[],
      wrong: (world: ReturnType<typeof make>) => readonly Bad[],
    ) => {
      const world = make(rule);
      const good = {
        comment: 'The list of all shards beside a proof of its hash.',
        input: of(world),
        value: { block: blockJson(world.top.id) },
      };
      book.pair({ rule, form, flags }, '', good, wrong(world));
    };
    pair('list-of-this-block', ['WRONG_BLOCK'], (world) => {
      const other = make('other list');
      return [
        bad('other-list', 'The list of another masterchain block.', of(world, { data: other.data })),
        bad(
          'other-proof',
          'List and proof are those of another masterchain block.',
          of(world, { data: other.data, proof: other.proof }),
        ),
        bad('other-block', 'Another masterchain block is final.', of(world, { lister: other.block.id })),
        bad('named', 'The answer says that it is about another block.', of(world, { id: other.block.id })),
        bad('empty', 'An empty list.', of(world, { data: bocOf(beginCell().storeBit(0).endCell()) })),
        bad('bare', 'The list without the bit before it.', of(world, { data: bocOf(world.hashes) })),
      ];
    });
    pair('shard-at-its-place', ['WRONG_BLOCK'], (world) => [
      bad(
        'narrower',
        'The wanted shard is narrower than any that is listed.',
        of(world, { requested: { ...world.top.id, shard: 1n << 60n } }),
      ),
      bad(
        'workchain',
        'The wanted shard is of another workchain.',
        of(world, { requested: { ...world.top.id, workchain: 1 } }),
      ),
      ...(form === 'all-one'
        ? []
        : [
            bad(
              'wider',
              'The wanted shard is wider than those that are listed.',
              of(world, { requested: { ...world.top.id, shard: WHOLE_SHARD } }),
            ),
          ]),
    ]);
    pair('pruned-is-not-absent', ['PRUNED'], (world) => {
      const leaf = leafHash(world.tree, world.top);
      return [
        bad(
          'list',
          'The proof cuts the masterchain data off.',
          of(world, { proof: proofShowing(world.block.root, [infoOf(world.block)]) }),
        ),
        bad(
          'leaf',
          'The shard’s leaf is cut off.',
          of(world, {
            data: bocOf(
              prune(beginCell().storeBit(1).storeRef(world.hashes).endCell(), (cell) => cell.hash().equals(leaf)),
            ),
          }),
        ),
      ];
    });
    pair('answer-form', [], (world) => {
      const good = tlAllShards(world.block.id, world.proof, world.data);
      return brokenAnswers(good).map(([name, comment, bytes]) =>
        bad(name, comment, inputOf(world.block.id, bytes, world.top.id)),
      );
    });
  }
}

/** Shards have a prefix of at most 60 bits: a list that forks once more lists nothing there. */
function makeDeepList(book: Book): void {
  const deep = (bits: number): World => {
    const top = makeShardBlock(77, { workchain: 0, prefixBits: Math.min(bits, 60), prefix: 0n });
    const other = leafOf(makeShardBlock(5, RIGHT).id);
    let tree = leafOf(top.id);
    for (let k = 0; k < bits; k++) tree = fork(tree, other);
    return worldOf(tree, top, []);
  };
  const all = ({ lister, tree }: World, requested: BlockIdExt) => {
    const data = bocOf(beginCell().storeBit(1).storeRef(shardHashes(tree)).endCell());
    return inputOf(lister.id, tlAllShards(lister.id, proofShowing(lister.root, masterDataOf(lister)), data), requested);
  };
  const sixty = deep(60);
  const more = deep(61);
  const wanted = sixty.wanted;
  book.pair(
    { rule: 'shard-at-its-place', form: 'deepest', flags: ['HOSTILE'] },
    '',
    { comment: 'A shard of 60 bits, the narrowest.', input: all(sixty, wanted), value: { block: blockJson(wanted) } },
    [
      bad('deeper', 'The list forks once more where the shard would be.', all(more, wanted)),
      bad('much-deeper', 'The list forks forty times more where the shard would be.', all(deep(100), wanted)),
    ],
  );
}

/** The basechain is one workchain of those that there may be. */
function makeWorkchains(book: Book): void {
  for (const workchain of [1, 2, 0x010203, 2 ** 31 - 1, -2]) {
    const random = randomOf(`shard-link workchain ${workchain}`);
    const top = makeShardBlock(10 + below(random, 1e7), { ...WHOLE, workchain });
    const { block, proof } = master(leafOf(top.id), workchain);
    const via = (id: BlockIdExt) => inputOf(block.id, tlShardProof(block.id, [{ id, proof }]), id);
    const form = `workchain-${workchain < 0 ? `minus${-workchain}` : workchain}`;
    const good = {
      comment: 'The shard of another workchain than the basechain.',
      input: via(top.id),
      value: { block: blockJson(top.id) },
    };
    book.pair({ rule: 'shard-at-its-place', form, flags: ['WRONG_BLOCK'] }, '', good, [
      bad('basechain', 'The same under the name of the basechain.', via({ ...top.id, workchain: 0 })),
      bad(
        'next',
        'The same under the name of the next workchain.',
        via({ ...top.id, workchain: workchain === 1 ? 3 : workchain - 1 }),
      ),
    ]);
  }
}

/** How many steps there may be. */
function makeMasterchain(book: Book): void {
  const chain = (count: number) => {
    const blocks = [makeShardBlock(50, WHOLE)];
    while (blocks.length < count)
      blocks.push(makeShardBlock(blocks.at(-1)!.id.seqno + 1, WHOLE, { previous: [blocks.at(-1)!.id] }));
    const [top, ...older] = blocks.reverse();
    return worldOf(leafOf(top!.id), top!, older);
  };
  const place = { rule: 'number-of-links', form: 'before', flags: [] };
  const eight = chain(8);
  const value = ({ wanted }: World) => ({ block: blockJson(wanted) });
  const input = ({ lister, links, wanted }: World) => inputOf(lister.id, tlShardProof(lister.id, links), wanted);
  const gap = eight.links.filter((_, k) => k !== 4);
  book.pair(
    place,
    '',
    { comment: 'Eight links, the most that a server sends.', input: input(eight), value: value(eight) },
    [
      bad(
        'gap',
        'One of the eight is left out.',
        inputOf(eight.lister.id, tlShardProof(eight.lister.id, gap), eight.wanted),
      ),
    ],
    [
      odd(
        'nine',
        'Nine links.',
        'tonlib refuses more than eight; a longer way proves as much.',
        input(chain(9)),
        value(chain(9)),
      ),
    ],
  );
}
