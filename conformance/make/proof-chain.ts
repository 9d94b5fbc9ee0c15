/** Chains of proofs from a trusted block to one that is final, in the answers of lite servers. */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import type { SignatureList } from '../../src/core/block/signature-list.ts';
import { signedMessage } from '../../src/core/message/signed-message.ts';
import { beginCell, bocOf, CoreCell, merkleProof, prune } from '../../test/helpers/cells.ts';
import { bagOf, coreCell } from '../../test/helpers/cut-proofs.ts';
import {
  type AwareBlock,
  backLink,
  backToZerostate,
  everyCell,
  key100,
  listed,
  a as listedSigners,
  newerBlock,
  whole,
  zero,
} from '../../test/helpers/make-back-link.ts';
import { candidateWithParent, corrupted, entryOf, type SetKind, withEntries } from '../../test/helpers/make-block.ts';
import {
  type BackForm,
  type BlockForm,
  type Committee,
  type ConfigForm,
  committee,
  configCell,
  configOf,
  configProof,
  customOf,
  type ForwardForm,
  headerOf,
  headerProof,
  honestLink,
  infoOf,
  type MadeBlock,
  makeBlock,
  makeState,
  makeZerostate,
  proofShowing,
  sha256,
  signBlock,
  tlBack,
  tlForward,
  tlProof,
  updateOf,
  validatorSetCell,
} from '../../test/helpers/make-chain.ts';
import { makeSigner } from '../../test/helpers/make-validators.ts';
import { readVectorBytes } from '../../test/helpers/vectors.ts';
import { type Bad, Book, bad, base64, below, blockJson, type Json, type Odd, odd, randomOf } from './cases.ts';

const KINDS = ['ordinary', 'simplex'] as const;
const WEIGHTS: readonly (readonly bigint[])[] = [
  [10n, 10n, 10n, 10n],
  [5n, 6n, 7n],
  [1n, 1n, 1n, 1n, 1n],
  [230584300921369395n, 230584300921369397n, 230584300921369393n],
];

/** Key block K1 installs `a`, K2 `b`, K3 `c`, each signed by the set before; `plain` stands under `a`, `late` under `b`. */
interface World {
  readonly kind: SetKind;
  readonly name: string;
  readonly a: Committee;
  readonly b: Committee;
  readonly c: Committee;
  readonly k1: MadeBlock;
  readonly k2: MadeBlock;
  readonly plain: MadeBlock;
  readonly late: MadeBlock;
  /** A block under `a` with something changed. */
  readonly next: (over?: Partial<BlockForm>) => MadeBlock;
  /** A key block under `a` with something changed. */
  readonly nextKey: (over?: Partial<BlockForm>) => MadeBlock;
  /** K1 with another configuration. */
  readonly first: (over: Partial<ConfigForm>, more?: Partial<BlockForm>) => MadeBlock;
  readonly link: (from: MadeBlock, to: MadeBlock, over?: Partial<ForwardForm>) => ForwardForm;
}

function worldOf(name: string, kind: SetKind, weights?: readonly bigint[]): World {
  const random = randomOf(name);
  const seqno = 100 + below(random, 60_000_000);
  const shuffle = random() < 0.5;
  const some = (who: string) =>
    committee(`${name} ${who}`, weights ?? WEIGHTS[below(random, WEIGHTS.length)]!, shuffle);
  const [a, b, c] = [some('a'), some('b'), some('c')];
  const first = (over: Partial<ConfigForm>, more: Partial<BlockForm> = {}) =>
    makeBlock({
      seqno,
      signedBy: c,
      prevKeyBlockSeqno: seqno - 50,
      config: configCell({ elected: a, ...over }),
      ...more,
    });
  const k1 = first({});
  const next = (over: Partial<BlockForm> = {}) =>
    makeBlock({ seqno: seqno + 1 + below(random, 3), signedBy: a, prevKeyBlockSeqno: seqno, ...over });
  const nextKey = (over: Partial<BlockForm> = {}) =>
    makeBlock({
      seqno: seqno + 10,
      signedBy: a,
      prevKeyBlockSeqno: seqno,
      config: configCell({ elected: b }),
      ...over,
    });
  const k2 = nextKey();
  const late = makeBlock({ seqno: k2.id.seqno + 5, signedBy: b, prevKeyBlockSeqno: k2.id.seqno });
  const link = (from: MadeBlock, to: MadeBlock, over: Partial<ForwardForm> = {}) => honestLink(from, to, kind, over);
  return { kind, name, a, b, c, k1, k2, plain: next(), late, next, nextKey, first, link };
}

type Start = 'key-block' | 'block' | 'zerostate';

function inputOf(from: BlockIdExt, answers: readonly Uint8Array[], start: Start = 'key-block', to?: BlockIdExt): Json {
  return {
    from: blockJson(from),
    start,
    answers: answers.map(base64),
    ...(to === undefined ? {} : { to: blockJson(to) }),
  };
}

const answerOf = (links: readonly ForwardForm[], complete = true) =>
  tlProof(links[0]!.from, links.at(-1)!.to, links.map(tlForward), complete);
const final = (id: BlockIdExt): Json => ({ block: blockJson(id) });

/** What the case of one link needs: from the source, and the answer. */
const one = (link: ForwardForm, from: BlockIdExt = link.from): Json => inputOf(from, [answerOf([link])]);
const sameHash = (cell: CoreCell) => (other: CoreCell) => other.hash().equals(cell.hash());
const sets = (link: ForwardForm, set: SignatureList): Json => one({ ...link, set });

export function makeProofChain(): Book {
  const book = new Book('proof-chain');
  for (const kind of KINDS) {
    makeForward(book, kind);
    makeSignatures(book, kind);
    makeOrder(book, kind);
    makeConfig(book, kind);
    makeZero(book, kind);
    makeBack(book, kind);
    makeWire(book, kind);
  }
  makeRecorded(book);
  return book;
}

type Round = {
  readonly good: Json;
  readonly value: Json;
  readonly comment: string;
  readonly bad: readonly Bad[];
  readonly odd?: readonly Odd[];
};

function rounds(
  book: Book,
  kind: SetKind,
  rule: string,
  flags: readonly string[],
  make: (world: World, n: number) => Round,
  count = 1,
  name = '',
): void {
  for (let n = 0; n < count; n++) {
    const world = worldOf(`proof-chain ${rule} ${kind} ${name}${n}`, kind);
    const { good, value, comment, bad: wrong, odd: doubtful = [] } = make(world, n);
    const place = { rule, form: kind, flags: [...(kind === 'simplex' ? ['SIMPLEX'] : []), ...flags] };
    book.pair(place, `${name}${n}-`, { comment, input: good, value }, wrong, doubtful);
  }
}

const PLAIN = 'One link from a key block to a block that its set signed.';
const KEY = 'One link from a key block to the next one.';

const UNREAD_BEFORE =
  'tonlib does not read which block came before; the set has signed the header, so its word is enough.';

/** What the node leaves to the signers, who would sign no such block. */
function leftToSigners(world: World): readonly Odd[] {
  const reason = 'The node leaves it to the signers, who would not sign such a block; to refuse is sane.';
  const variants: [string, string, Partial<BlockForm>][] = [
    ['other-network', 'A block of another network, signed by this one’s set.', { globalId: -3 }],
    ['earlier', 'A block that says it was made before its key block.', { genUtime: 1 }],
    ['hardfork-passed', 'A block behind a hardfork that its key block does not know.', { vertSeqno: 2 }],
  ];
  const key = world.k1.id.seqno;
  const { catchainSeqno } = world.plain;
  const named = 'The full node compares the number, and tonlib does not; the set is the right one.';
  const relabelled: [string, string, Partial<BlockForm>][] = [
    [
      'older',
      'The block names an older key block; the set would be the right one.',
      { prevKeyBlockSeqno: key - 1, catchainSeqno },
    ],
    [
      'later',
      'The block names a later key block; the set would be the right one.',
      { prevKeyBlockSeqno: key + 1, catchainSeqno },
    ],
  ];
  const of = (why: string, list: typeof variants) =>
    list.map(([name, comment, over]) => {
      const block = world.next(over);
      return odd(name, comment, why, one(world.link(world.k1, block)), final(block.id));
    });
  return [...of(reason, variants), ...of(named, relabelled)];
}

/** What a forward link proves of the block that it leads to. */
function makeForward(book: Book, kind: SetKind): void {
  const of = rounds.bind(undefined, book, kind);
  const simple = (
    world: World,
    to: MadeBlock,
    wrong: (link: ForwardForm) => readonly Bad[],
    doubtful: (link: ForwardForm) => readonly Odd[] = () => [],
  ): Round => {
    const link = world.link(world.k1, to);
    const comment = to.form.config === undefined ? PLAIN : KEY;
    return { good: one(link), value: final(to.id), comment, bad: wrong(link), odd: doubtful(link) };
  };

  of(
    'proof-of-this-block',
    ['WRONG_BLOCK'],
    (world) =>
      simple(world, world.plain, (link) => [
        bad(
          'destination',
          'The header proof is that of another block.',
          one({ ...link, destProof: headerProof(world.late) }),
        ),
        bad(
          'source',
          'The configuration proof is that of another key block.',
          one({ ...link, configProof: configProof(world.k2) }),
        ),
        bad(
          'swapped',
          'The two proofs stand in each other’s place.',
          one({ ...link, destProof: link.configProof, configProof: link.destProof }),
        ),
        bad(
          'root-hash',
          'The id has another root hash than the proof; the signatures are over the id.',
          one(relabelled(world, link, { rootHash: sha256(link.to.rootHash) })),
        ),
      ]),
    2,
  );

  of(
    'number-of-header',
    ['WRONG_BLOCK'],
    (world) =>
      simple(world, world.plain, (link) => [
        bad(
          'newer',
          'The id has a number that is not the header’s; ordinary signatures do not cover it.',
          one(relabelled(world, link, { seqno: link.to.seqno + 1 })),
        ),
        bad(
          'much-newer',
          'The id has the number of a block far ahead.',
          one(relabelled(world, link, { seqno: link.to.seqno + 1_000_000 })),
        ),
      ]),
    2,
  );

  of('masterchain-only', ['WRONG_BLOCK'], (world) => {
    const shard = world.next({ shard: { workchain: 0, prefixBits: 0, prefix: 0n } });
    const part = world.next({ shard: { workchain: -1, prefixBits: 1, prefix: 0n } });
    return simple(world, world.plain, (link) => [
      bad(
        'basechain',
        'The link leads to a block of a shard, signed by the masterchain’s set.',
        one(world.link(world.k1, shard)),
      ),
      bad('part', 'The link leads to a block of half the masterchain.', one(world.link(world.k1, part))),
      bad('renamed', 'The id says workchain 0.', one(relabelled(world, link, { workchain: 0 }))),
    ]);
  });

  of('header-form', [], (world) => {
    const to = (over: Partial<BlockForm>) => world.link(world.k1, world.next(over));
    const before: [string, string, Partial<BlockForm>][] = [
      [
        'two-before',
        'A masterchain block after a merge, with one block before.',
        { afterMerge: true, previous: [world.k1.id] },
      ],
      [
        'before-number',
        'The block before has another number than the one before.',
        { previous: [{ ...world.k1.id, seqno: world.k1.id.seqno - 3 }] },
      ],
    ];
    return simple(
      world,
      world.plain,
      () => [
        bad('version', 'A header of version 1.', one(to({ version: 1 }))),
        bad('trailing', 'A header with a bit behind its last field.', one(to({ trailingInfo: true }))),
      ],
      () =>
        before.map(([name, comment, over]) => {
          const link = to(over);
          return odd(name, comment, UNREAD_BEFORE, one(link), final(link.to));
        }),
    );
  });

  of(
    'set-of-last-key-block',
    ['WRONG_SET'],
    (world) => {
      const relabelledKey = makeBlock({ ...world.late.form, prevKeyBlockSeqno: world.k1.id.seqno });
      return simple(
        world,
        world.plain,
        (link) => [
          bad(
            'next-epoch',
            'A block of the next epoch, from the key block before that.',
            one(world.link(world.k1, world.late)),
          ),
          bad(
            'relabelled',
            'A block that was signed by the next set and names this key block.',
            one(world.link(world.k1, relabelledKey)),
          ),
          bad(
            'own',
            'The header fits, but the signatures are those of the next set.',
            one({ ...link, set: signBlock(world.plain, world.b, kind) }),
          ),
        ],
        () => leftToSigners(world),
      );
    },
    2,
  );

  of(
    'key-block-not-by-its-own-set',
    ['WRONG_SET'],
    (world) => {
      const own = world.nextKey({ signedBy: world.b });
      return simple(world, world.k2, (link) => [
        bad(
          'self-signed',
          'A key block that the set which it installs has signed, and whose header says so.',
          one(world.link(world.k1, own)),
        ),
        bad(
          'signatures',
          'The signatures of the set that the key block installs.',
          one({ ...link, set: signBlock(world.k2, world.b, kind) }),
        ),
      ]);
    },
    2,
  );

  of('list-hash', ['WRONG_SET'], (world) => {
    const other = world.next({ catchainSeqno: world.plain.catchainSeqno + 7 });
    return simple(world, world.plain, (link) => [
      bad(
        'signatures',
        'The hash of the set beside the signatures is not the header’s.',
        one({ ...link, listHash: link.listHash ^ 1 }),
      ),
      bad(
        'swapped',
        'Hash and session number stand in each other’s place, as they do in the other form.',
        one({ ...link, listHash: link.catchainSeqno, catchainSeqno: link.listHash }),
      ),
      bad(
        'other-session',
        'Hash and session number of another session beside the signatures.',
        one({ ...link, listHash: other.listHash, catchainSeqno: other.catchainSeqno }),
      ),
    ]);
  });

  of('catchain-seqno', ['WRONG_SET'], (world) =>
    simple(world, world.plain, (link) => [
      bad(
        'next',
        'The session number beside the signatures is not the header’s.',
        one({ ...link, catchainSeqno: link.catchainSeqno + 1 }),
      ),
      bad('zero', 'The session number beside the signatures is 0.', one({ ...link, catchainSeqno: 0 })),
    ]),
  );

  of('key-block-flag', [], (world) =>
    simple(world, world.k2, (link) => [
      bad('said-plain', 'The link says that a key block is none.', one({ ...link, toKeyBlock: false })),
      bad(
        'said-key',
        'The link says that a plain block is a key block.',
        one({ ...world.link(world.k1, world.plain), toKeyBlock: true }),
      ),
    ]),
  );

  of('from-key-block', ['WRONG_SET'], (world) => {
    const hollow = world.first({}, { extraSaysKeyBlock: false });
    const source = world.next({ seqno: world.k1.id.seqno + 1, previous: [world.k1.id] });
    const on = world.next({ seqno: source.id.seqno + 1, prevKeyBlockSeqno: source.id.seqno });
    return simple(world, world.plain, () => [
      bad(
        'plain',
        'The link starts at a block that is no key block and shows no configuration.',
        one({ ...world.link(world.k1, on), from: source.id, configProof: whole(source.root) }),
      ),
      bad(
        'hollow',
        'The header says key block, the masterchain data do not.',
        one({ ...world.link(world.k1, world.plain), from: hollow.id, configProof: whole(hollow.root) }),
      ),
    ]);
  });

  of(
    'pruned-is-not-absent',
    ['PRUNED'],
    (world) => {
      const { plain, k1 } = world;
      const previous = headerOf(plain)[1]!;
      const cutting = (cell: CoreCell) =>
        one({ ...world.link(k1, plain), configProof: configProof(k1, sameHash(cell)) });
      const list = validatorSetCell(world.a).refs[0]!;
      const param28 = (cell: CoreCell) => cell.bits.length === 144 && cell.beginParse().preloadUint(8) === 0xc2;
      return simple(
        world,
        plain,
        (link) => [
          bad(
            'header',
            'The header of the destination is cut off.',
            one({ ...link, destProof: proofShowing(plain.root, [updateOf(plain)]) }),
          ),
          bad('masterchain-data', 'The masterchain data of the source are cut off.', cutting(customOf(k1))),
          bad('configuration', 'The configuration is cut off.', cutting(configOf(k1))),
          bad('set', 'The validator set is cut off.', cutting(validatorSetCell(world.a))),
          bad('list', 'The list of validators is cut off.', cutting(list)),
          bad('validator', 'One validator is cut off.', cutting(list.refs[1]!)),
          bad(
            'param-28',
            'Parameter 28 is cut off: whether the list is shuffled is not known.',
            one({ ...link, configProof: configProof(k1, param28) }),
          ),
        ],
        (link) => [
          odd(
            'before',
            'The block before the destination is cut off.',
            UNREAD_BEFORE,
            one({ ...link, destProof: proofShowing(plain.root, [infoOf(plain)], sameHash(previous)) }),
            final(plain.id),
          ),
        ],
      );
    },
    2,
  );

  of('merkle-proof-of-link', [], (world) => {
    const { plain, k1 } = world;
    const proof = coreCell(headerProof(plain));
    const disguised = new CoreCell({ bits: proof.bits, refs: proof.refs });
    return simple(world, plain, (link) => [
      bad('whole-block', 'The block itself in the place of its proof.', one({ ...link, destProof: plain.boc })),
      bad('two-roots', 'A bag with two roots.', one({ ...link, destProof: bagOf(proof, coreCell(configProof(k1))) })),
      bad(
        'ordinary',
        'An ordinary cell with the bits of a Merkle proof.',
        one({ ...link, destProof: bocOf(disguised) }),
      ),
      bad('in-a-proof', 'A proof inside a proof.', one({ ...link, destProof: bocOf(merkleProof(proof)) })),
      bad('nothing', 'No header proof at all.', one({ ...link, destProof: new Uint8Array(0) })),
      bad('behind', 'A byte behind the bag.', one({ ...link, destProof: Uint8Array.of(...link.destProof, 0) })),
      bad('no-bag', 'Bytes that are no bag of cells.', one({ ...link, destProof: new Uint8Array(64) })),
    ]);
  });
}

/** A link whose target has another id, and signatures over that id. */
function relabelled(world: World, link: ForwardForm, over: Partial<BlockIdExt>): ForwardForm {
  const to = { ...link.to, ...over };
  const by = world.a;
  const { set } = link;
  const unsigned: SignatureList =
    set.kind === 'ordinary'
      ? { ...set, blockId: to, signatures: [] }
      : { ...set, blockId: to, signatures: [], candidate: candidateWithParent(to) };
  const message = signedMessage(unsigned);
  return { ...link, to, set: { ...unsigned, signatures: by.signers.map((signer) => entryOf(signer, message)) } };
}

/** The rules of signature sets, where a chain stands on them. */
function makeSignatures(book: Book, kind: SetKind): void {
  const thirds: readonly [readonly bigint[], number][] = [
    [[10n, 10n, 10n], 3],
    [[667n, 333n], 1],
    [[2n ** 60n, 2n ** 60n - 1n, 1n], 2],
  ];
  thirds.forEach(([weights, enough], n) => {
    const world = worldOf(`proof-chain thirds ${kind} ${n}`, kind, weights);
    const link = world.link(world.k1, world.plain);
    const by = (count: number) => sets(link, signBlock(world.plain, world.a, kind, count));
    const place = {
      rule: 'more-than-two-thirds',
      form: kind,
      flags: [...(kind === 'simplex' ? ['SIMPLEX'] : []), 'THRESHOLD'],
    };
    const wrong = [
      bad('one-less', 'The last signer is left out: no longer more than two thirds.', by(enough - 1)),
      ...(enough > 1 ? [bad('nobody', 'Nobody signed.', by(0))] : []),
    ];
    book.pair(
      place,
      `${n}-`,
      { comment: 'Just more than two thirds signed.', input: by(enough), value: final(world.plain.id) },
      wrong,
    );
  });

  const of = rounds.bind(undefined, book, kind);
  const simple = (world: World, wrong: (link: ForwardForm) => readonly Bad[]): Round => {
    const link = world.link(world.k1, world.plain);
    return { good: one(link), value: final(world.plain.id), comment: PLAIN, bad: wrong(link) };
  };
  of('signer-known', ['UNSOUND_COUNT'], (world) =>
    simple(world, (link) => {
      const entry = entryOf(makeSigner(`${world.name} stranger`, 1n), signedMessage(link.set));
      return [
        bad(
          'stranger',
          'One signer more, whom nobody elected.',
          sets(link, withEntries(link.set, [...link.set.signatures, entry])),
        ),
      ];
    }),
  );
  of('signer-once', ['UNSOUND_COUNT'], (world) =>
    simple(world, (link) => {
      const [first] = link.set.signatures;
      return [
        bad('again', 'One entry stands twice.', sets(link, withEntries(link.set, [...link.set.signatures, first!]))),
        bad(
          'many-times',
          'One signer repeated until its weight would be enough.',
          sets(
            link,
            withEntries(
              link.set,
              Array.from({ length: 9 }, () => first!),
            ),
          ),
        ),
      ];
    }),
  );
  of('signature-valid', [], (world) =>
    simple(world, (link) => {
      const all = link.set.signatures;
      return [
        bad(
          'bit',
          'One bit of one signature is flipped.',
          sets(link, withEntries(link.set, [...all.slice(0, -1), corrupted(all.at(-1)!, 77)])),
        ),
        bad(
          'none-valid',
          'Every signature is zeros.',
          sets(
            link,
            withEntries(
              link.set,
              all.map((entry) => ({ ...entry, signature: new Uint8Array(64) })),
            ),
          ),
        ),
      ];
    }),
  );
  of('message-of-this-block', ['WRONG_MESSAGE'], (world) =>
    simple(world, (link) => {
      const other = world.next({ seqno: world.plain.id.seqno + 1 });
      const { signatures } = signBlock(other, world.a, kind);
      return [
        bad('neighbour', 'The signatures of the next block.', sets(link, withEntries(link.set, signatures))),
        ...(kind === 'simplex'
          ? [
              bad(
                'neighbour-whole',
                'The signature set of the next block, whole.',
                sets(link, { ...signBlock(other, world.a, kind), blockId: world.plain.id }),
              ),
            ]
          : []),
      ];
    }),
  );
  of('file-hash-signed', ['WRONG_BLOCK'], (world) =>
    simple(world, (link) => {
      const to = { ...world.plain.id, fileHash: sha256(world.plain.id.fileHash) };
      return [
        bad(
          'changed',
          'The id has another file hash; only the signatures vouch for it.',
          one({ ...link, to, set: { ...link.set, blockId: to } }),
        ),
      ];
    }),
  );
  of('kind-of-set', ['WRONG_MESSAGE'], (world) =>
    simple(world, (link) => {
      const other = signBlock(world.plain, world.a, kind === 'ordinary' ? 'simplex' : 'ordinary');
      return [
        bad(
          'relabelled',
          'The signatures stand in a set of the other kind.',
          sets(link, { ...other, signatures: link.set.signatures }),
        ),
      ];
    }),
  );
  if (kind === 'ordinary') return;
  of(
    'candidate-of-this-block',
    ['WRONG_MESSAGE'],
    (world) =>
      simple(world, (link) => {
        const other = world.next({ seqno: world.plain.id.seqno + 1 });
        const resigned = (id: BlockIdExt) => {
          const set = { ...link.set, candidate: candidateWithParent(id), signatures: [] } as SignatureList; // Simplex here
          const message = signedMessage({ ...set, blockId: id });
          return { ...set, signatures: world.a.signers.map((signer) => entryOf(signer, message)) };
        };
        return [
          bad('other-block', 'Everybody signed a candidate of another block.', sets(link, resigned(other.id))),
          bad(
            'other-number',
            'Everybody signed a candidate with another number.',
            sets(link, resigned({ ...world.plain.id, seqno: world.plain.id.seqno + 1 })),
          ),
          bad(
            'other-file',
            'Everybody signed a candidate with another file hash.',
            sets(link, resigned({ ...world.plain.id, fileHash: sha256(world.plain.id.fileHash) })),
          ),
        ];
      }),
    2,
  );
}

/** How links follow each other, and where a proof begins and ends. */
function makeOrder(book: Book, kind: SetKind): void {
  const of = rounds.bind(undefined, book, kind);
  const two = (world: World) => [world.link(world.k1, world.k2), world.link(world.k2, world.late)] as const;
  of(
    'links-connect',
    ['WRONG_BLOCK'],
    (world) => {
      const [x, y] = two(world);
      const tl = (from: BlockIdExt, to: BlockIdExt, ...links: ForwardForm[]) =>
        inputOf(world.k1.id, [tlProof(from, to, links.map(tlForward))]);
      const otherFile = { ...world.k2.id, fileHash: sha256(world.k2.id.fileHash) };
      return {
        good: inputOf(world.k1.id, [answerOf([x, y])]),
        value: final(world.late.id),
        comment: 'Two links over a key block that changes the set.',
        bad: [
          bad('gap', 'The first link is missing.', tl(world.k1.id, world.late.id, y)),
          bad('order', 'The links stand in the other order.', tl(world.k1.id, world.late.id, y, x)),
          bad('twice', 'The first link stands twice.', tl(world.k1.id, world.late.id, x, x, y)),
          bad(
            'file-hash',
            'The second link starts at a block that differs in its file hash alone.',
            tl(world.k1.id, world.late.id, x, { ...y, from: otherFile }),
          ),
          bad('end', 'The answer says that it ends elsewhere than its last link.', tl(world.k1.id, world.k2.id, x, y)),
          bad(
            'end-file-hash',
            'The answer’s end differs from that of its last link in the file hash alone.',
            tl(world.k1.id, { ...world.late.id, fileHash: world.k2.id.fileHash }, x, y),
          ),
          bad('start', 'The answer says that it starts elsewhere.', tl(world.k2.id, world.late.id, x, y)),
        ],
      };
    },
    2,
  );
  of('starts-at-trusted-block', ['WRONG_BLOCK'], (world) => {
    const [x, y] = two(world);
    const answers = [answerOf([x, y])];
    return {
      good: inputOf(world.k1.id, answers),
      value: final(world.late.id),
      comment: 'Two links from the trusted block.',
      bad: [
        bad('other', 'The caller trusts another block.', { ...inputOf(world.k2.id, answers) }),
        bad(
          'file-hash',
          'The trusted block differs in its file hash alone.',
          inputOf({ ...world.k1.id, fileHash: sha256(world.k1.id.fileHash) }, answers),
        ),
        bad(
          'number',
          'The trusted block differs in its number alone.',
          inputOf({ ...world.k1.id, seqno: world.k1.id.seqno + 1 }, answers),
        ),
        bad(
          'root-hash',
          'The trusted block differs in its root hash alone.',
          inputOf({ ...world.k1.id, rootHash: sha256(world.k1.id.rootHash) }, answers),
        ),
      ],
    };
  });
  of('reaches-target', ['WRONG_BLOCK'], (world) => {
    const [x, y] = two(world);
    return {
      good: inputOf(world.k1.id, [answerOf([x, y])], 'key-block', world.late.id),
      value: final(world.late.id),
      comment: 'The proof ends at the block that was asked for.',
      bad: [
        bad(
          'short',
          'An unfinished answer: it ends before the block that was asked for.',
          inputOf(world.k1.id, [answerOf([x], false)], 'key-block', world.late.id),
        ),
        bad(
          'short-complete',
          'The same, and it says that it is complete.',
          inputOf(world.k1.id, [answerOf([x], true)], 'key-block', world.late.id),
        ),
        bad(
          'other-file',
          'The block that was asked for differs in its file hash.',
          inputOf(world.k1.id, [answerOf([x, y])], 'key-block', { ...world.late.id, fileHash: world.k2.id.fileHash }),
        ),
      ],
    };
  });
  of('answers-in-order', [], (world) => {
    const [x, y] = two(world);
    const [first, second] = [answerOf([x], false), answerOf([y])];
    return {
      good: inputOf(world.k1.id, [first, second], 'key-block', world.late.id),
      value: final(world.late.id),
      comment: 'Two answers, the first unfinished: the second goes on where it ended.',
      bad: [
        bad(
          'swapped',
          'The answers stand in the other order.',
          inputOf(world.k1.id, [second, first], 'key-block', world.late.id),
        ),
        bad(
          'repeated',
          'The first answer comes twice.',
          inputOf(world.k1.id, [first, first], 'key-block', world.late.id),
        ),
        bad('unfinished', 'The second answer never comes.', inputOf(world.k1.id, [first], 'key-block', world.late.id)),
      ],
    };
  });
  of(
    'reaches-target',
    [],
    (world) => {
      const link = world.link(world.k1, world.k2);
      const { id } = world.k2;
      const still = (to: BlockIdExt) => tlProof(id, to, []);
      const next = { ...id, seqno: id.seqno + 1 };
      return {
        good: inputOf(world.k1.id, [answerOf([link], false), still(id)]),
        value: final(id),
        comment: 'An unfinished answer with one link to a key block, then one without any: it ends where it begins.',
        bad: [
          bad(
            'elsewhere',
            'An answer without links that says it ends at another block.',
            inputOf(world.k1.id, [answerOf([link], false), still(next)]),
          ),
          bad(
            'not-there-yet',
            'An answer without links, where a later block was asked for.',
            inputOf(world.k1.id, [answerOf([link], false), still(id)], 'key-block', next),
          ),
        ],
      };
    },
    1,
    'still-',
  );
  of('not-backwards', ['WRONG_BLOCK'], (world) => {
    const { k2, plain } = world;
    const claimed = { ...world.link(k2, plain), set: signBlock(plain, world.a, kind) };
    const own = makeBlock({ ...plain.form, signedBy: world.b, prevKeyBlockSeqno: k2.id.seqno });
    return {
      good: one(world.link(k2, world.late)),
      value: final(world.late.id),
      comment: 'From a key block to a later block.',
      bad: [
        bad(
          'older',
          'A forward link to an older block, which the set before signed.',
          inputOf(k2.id, [answerOf([claimed])]),
        ),
        bad(
          'older-own-set',
          'A forward link to an older block, which this set signed.',
          inputOf(k2.id, [answerOf([world.link(k2, own)])]),
        ),
        bad(
          'itself',
          'A forward link from a key block to itself.',
          inputOf(k2.id, [answerOf([{ ...world.link(world.k1, k2), from: k2.id, configProof: configProof(k2) }])]),
        ),
      ],
    };
  });
}

/** What a configuration must be for a set to come out of it. */
function makeConfig(book: Book, kind: SetKind): void {
  const of = rounds.bind(undefined, book, kind);
  /** A link from a key block with another configuration; `by` signs, and its header names that set. */
  const under = (world: World, config: Partial<ConfigForm>, by: Committee = world.a, over: Partial<BlockForm> = {}) => {
    const key = world.first(config);
    const to = makeBlock({ ...world.plain.form, signedBy: by, ...over });
    return { input: one(world.link(key, to)), to };
  };
  of('temporary-set-first', ['WRONG_SET'], (world) => {
    const good = under(world, { temporary: world.b }, world.b);
    const hidden = validatorSetCell(world.b).hash();
    const leads35 = (cell: CoreCell) => cell.refs.length === 1 && cell.refs[0]!.hash().equals(hidden);
    const key = world.first({ temporary: world.b });
    return {
      good: good.input,
      value: final(good.to.id),
      comment: 'Parameter 35 is there, so its set signs, not that of 34.',
      bad: [
        bad(
          'elected',
          'The set of parameter 34 signed though there is a 35.',
          under(world, { temporary: world.b }).input,
        ),
        bad(
          'hidden',
          'Parameter 35 is cut off, and the set of 34 signed.',
          one({ ...world.link(key, world.plain), configProof: configProof(key, leads35) }),
        ),
      ],
    };
  });
  of('current-set-there', [], (world) => ({
    good: one(world.link(world.k1, world.plain)),
    value: final(world.plain.id),
    comment: PLAIN,
    bad: [
      bad('absent', 'The configuration has no parameter 34.', under(world, { param34: 'absent' }).input),
      bad('empty-cell', 'Parameter 34 is an empty cell.', under(world, { param34: beginCell().endCell() }).input),
      bad(
        'tag',
        'Parameter 34 has an unknown tag.',
        under(world, { param34: retagged(validatorSetCell(world.a), 0x13) }).input,
      ),
    ],
  }));
  of(
    'main-subset',
    ['THRESHOLD', 'UNSOUND_COUNT'],
    (world, n) => {
      const weights = n === 0 ? [10n, 10n, 10n, 90n, 90n] : [5n, 5n, 5n, 5n, 1n, 1n];
      const all = committee(`${world.name} wide`, weights, world.a.shuffle);
      const wide = { ...all, main: n === 0 ? 3 : 4 };
      const good = under(world, { elected: wide }, wide);
      const to = good.to;
      const key = world.first({ elected: wide });
      const by = (from: number, until: number) => {
        const message = signedMessage(signBlock(to, wide, kind));
        const set = withEntries(
          signBlock(to, wide, kind),
          wide.signers.slice(from, until).map((signer) => entryOf(signer, message)),
        );
        return one(world.link(key, to, { set }));
      };
      return {
        good: good.input,
        value: final(to.id),
        comment: 'Of a longer list the first `main` sign; two thirds are of them alone.',
        bad: [
          bad('outside', 'Validators behind `main` signed in the place of two of the others.', by(1, weights.length)),
          bad(
            'everybody',
            'Everybody signed, also those behind `main`: they are unknown to the masterchain.',
            by(0, weights.length),
          ),
          bad('too-few', 'One signer of the subset is missing.', by(0, n === 0 ? 2 : 2)),
        ],
      };
    },
    2,
  );
  of('set-well-formed', ['OVERFLOW'], (world) => {
    const twin = { ...world.a, signers: [world.a.signers[0]!, ...world.a.signers.slice(0, -1)] };
    const heavy = committee(`${world.name} heavy`, [2n ** 60n, 2n ** 60n, 1n]);
    const wrapped = committee(`${world.name} wrapped`, [2n ** 63n, 2n ** 63n, 30n]);
    const idle = committee(`${world.name} idle`, [10n, 10n, 0n]);
    return {
      good: one(world.link(world.k1, world.plain)),
      value: final(world.plain.id),
      comment: PLAIN,
      bad: [
        bad(
          'key-twice',
          'One key stands twice among those who sign. The node and tonlib end their process on such a set.',
          under(world, { elected: twin }, world.a).input,
        ),
        bad(
          'above-2-61',
          'Weights that add up to more than 2^61.',
          under(world, { param34: validatorSetCell(heavy) }, world.a).input,
        ),
        bad(
          'wraps',
          'Weights whose sum wraps around 2^64 to a small number.',
          under(world, { param34: validatorSetCell(wrapped) }, world.a).input,
        ),
        bad(
          'no-weight',
          'A validator without weight.',
          under(world, { param34: validatorSetCell(idle) }, world.a).input,
        ),
        bad('main-zero', '`main` is 0.', under(world, { elected: { ...world.a, main: 0 } }, world.a).input),
        bad(
          'main-above',
          '`main` is more than the list has.',
          under(world, { param34: validatorSetCell({ ...world.a, main: world.a.main + 1 }) }, world.a).input,
        ),
      ],
    };
  });
}

const retagged = (cell: CoreCell, tag: number): CoreCell => {
  const slice = cell.beginParse();
  slice.skip(8);
  return beginCell().storeUint(tag, 8).storeSlice(slice).endCell();
};

/** Trust that begins with a zerostate. */
function makeZero(book: Book, kind: SetKind): void {
  const of = rounds.bind(undefined, book, kind);
  of('zerostate-start', ['WRONG_BLOCK'], (world) => {
    const config = configCell({ elected: world.a });
    const genesis = makeZerostate(config);
    const other = makeZerostate(configCell({ elected: world.b }));
    const first = makeBlock({ seqno: 3, signedBy: world.a, prevKeyBlockSeqno: 0 });
    const foreign = makeBlock({ seqno: 3, signedBy: world.b, prevKeyBlockSeqno: 0 });
    const link = (to: MadeBlock, over: Partial<ForwardForm> = {}): ForwardForm => ({
      ...honestLink(world.k1, to, kind),
      from: genesis.id,
      configProof: whole(genesis.root),
      ...over,
    });
    const input = (one: ForwardForm, from: BlockIdExt = one.from) => inputOf(from, [answerOf([one])], 'zerostate');
    const at = (root: CoreCell, id: Partial<BlockIdExt> = {}): BlockIdExt => ({
      ...genesis.id,
      rootHash: Uint8Array.from(root.hash()),
      fileHash: sha256(bocOf(root)),
      ...id,
    });
    const later = makeState({ seqno: 5, config });
    const shard = makeState({ seqno: 0, config, shard: { workchain: 0, prefixBits: 0, prefix: 0n } });
    const plain = makeState({ seqno: 0, config, plain: true });
    const of0 = (root: CoreCell) => input({ ...link(first), from: at(root), configProof: whole(root) });
    return {
      good: input(link(first)),
      value: final(first.id),
      comment: 'From the zerostate to a block that its set signed.',
      bad: [
        bad(
          'other',
          'The configuration is that of another zerostate, whose set signed.',
          input(link(foreign, { configProof: whole(other.root) })),
        ),
        bad('other-anchor', 'The caller trusts another zerostate.', input(link(first), other.id)),
        bad(
          'file-hash',
          'The trusted zerostate differs in its file hash.',
          input(link(first), { ...genesis.id, fileHash: sha256(genesis.id.fileHash) }),
        ),
        bad('no-masterchain-data', 'A state without the masterchain’s data.', of0(plain)),
        bad(
          'half',
          'The caller trusts the zerostate under the name of half the masterchain.',
          input({ ...link(first), from: { ...genesis.id, shard: 1n << 62n } }),
        ),
        bad(
          'basechain',
          'The caller trusts the zerostate under the name of workchain 0.',
          input({ ...link(first), from: { ...genesis.id, workchain: 0 } }),
        ),
      ],
      odd: (() => {
        const block = makeBlock({ ...first.form, prevKeyBlockSeqno: 1, catchainSeqno: first.catchainSeqno });
        const why = 'The full node compares the number, and tonlib does not; the set is the right one.';
        const vouched =
          'tonlib reads the configuration of the state that the caller vouches for, and not what else it says.';
        return [
          odd(
            'names-key-block',
            'The block names a key block that is not the zerostate.',
            why,
            input(link(block)),
            final(block.id),
          ),
          odd(
            'later',
            'A state that is none of the beginning, under the number 0.',
            vouched,
            of0(later),
            final(first.id),
          ),
          odd('of-a-shard', 'The state of a shard.', vouched, of0(shard), final(first.id)),
        ];
      })(),
    };
  });
  of('back-to-zerostate', [], (world) => {
    const young = newerBlock([], { prevKeyBlockSeqno: 0, seqno: 150 });
    const first = makeBlock({
      seqno: 200 + below(randomOf(world.name), 9),
      signedBy: listedSigners,
      prevKeyBlockSeqno: 0,
    });
    const on = { ...honestLink(key100, first, kind), from: zero.id, configProof: whole(zero.root) };
    const walk = (back: BackForm) =>
      inputOf(back.from, [tlProof(back.from, first.id, [tlBack(back), tlForward(on)])], 'block');
    const back = backToZerostate(young, true);
    return {
      good: walk(back),
      value: final(first.id),
      comment: 'Back from the trusted block to the zerostate, and forward past it.',
      bad: [
        bad(
          'root-hash',
          'Another zerostate than the state lists: its root hash.',
          walk({ ...back, to: { ...zero.id, rootHash: key100.id.rootHash } }),
        ),
        bad(
          'file-hash',
          'Another zerostate than the state lists: its file hash.',
          walk({ ...back, to: { ...zero.id, fileHash: key100.id.fileHash } }),
        ),
      ],
      odd: [
        odd(
          'flag',
          'The link says that the zerostate is no key block.',
          'Servers differ in what they send; the node takes either word.',
          walk({ ...back, toKeyBlock: false }),
          final(first.id),
        ),
        odd(
          'with-header',
          'A header proof for the zerostate, which has none.',
          'tonlib passes over it: nothing is read from it. No honest server sends one, so refusing is sane.',
          walk({ ...back, destProof: headerProof(key100) }),
          final(first.id),
        ),
      ],
    };
  });
}

const plain120 = makeBlock({ seqno: 120, signedBy: listedSigners, prevKeyBlockSeqno: 100 });
const known = listed(key100, plain120);

/** The same walk where everything says that it is of network 0. */
function inNetworkZero(kind: SetKind, seqno: number): Json {
  const key = makeBlock({ ...key100.form, globalId: 0 });
  const aware = newerBlock(listed(key, plain120), { globalId: 0 });
  const to = makeBlock({ seqno, signedBy: listedSigners, prevKeyBlockSeqno: 100, globalId: 0 });
  const links = [tlBack(backLink(aware, key)), tlForward(honestLink(key, to, kind))];
  return inputOf(aware.block.id, [tlProof(aware.block.id, to.id, links)], 'block');
}

/** Links to older blocks, by the list of earlier blocks in a state. */
function makeBack(book: Book, kind: SetKind): void {
  const of = rounds.bind(undefined, book, kind);
  const onward = (world: World) =>
    makeBlock({ seqno: 160 + below(randomOf(world.name), 20), signedBy: listedSigners, prevKeyBlockSeqno: 100 });
  /** Back to the key block, then forward past the trusted block. */
  const walkOver = (to: MadeBlock, back: BackForm) =>
    inputOf(back.from, [tlProof(back.from, to.id, [tlBack(back), tlForward(honestLink(key100, to, kind))])], 'block');
  const parts = (aware: AwareBlock): Partial<BackForm> => ({
    from: aware.block.id,
    proof: aware.proof,
    stateProof: aware.stateProof,
  });
  const GOOD = 'Back from a trusted block that is no key block to the key block before it, and forward past it.';
  const simple = (
    world: World,
    wrong: (walk: (over: Partial<BackForm>) => Json, to: MadeBlock, aware: AwareBlock) => readonly Bad[],
    doubtful: (walk: (over: Partial<BackForm>) => Json, to: MadeBlock) => readonly Odd[] = () => [],
  ): Round => {
    const to = onward(world);
    const aware = newerBlock(known);
    const walk = (over: Partial<BackForm>) => walkOver(to, backLink(aware, key100, over));
    return { good: walk({}), value: final(to.id), comment: GOOD, bad: wrong(walk, to, aware), odd: doubtful(walk, to) };
  };

  of('listed-in-state', ['WRONG_BLOCK'], (world) => {
    const stranger = makeBlock({
      seqno: 101,
      signedBy: listedSigners,
      prevKeyBlockSeqno: 0,
      config: configCell({ elected: listedSigners }),
    });
    const twin = makeBlock({ ...key100.form, genUtime: 7 });
    return simple(world, (walk, to, aware) => {
      const rootless = makeState({ seqno: 150, config: configCell({ elected: listedSigners }), earlier: known });
      const bare = makeBlock({ seqno: 150, signedBy: listedSigners, prevKeyBlockSeqno: 100, state: rootless });
      const proof = proofShowing(bare.root, [...headerOf(bare), ...everyCell(updateOf(bare))]);
      const via = (block: MadeBlock) =>
        inputOf(
          aware.block.id,
          [
            tlProof(aware.block.id, to.id, [
              tlBack(backLink(aware, block)),
              tlForward({ ...honestLink(block, makeBlock({ ...to.form, prevKeyBlockSeqno: block.id.seqno }), kind) }),
            ]),
          ],
          'block',
        );
      return [
        bad('stranger', 'A block of a number that the state does not list.', via(stranger)),
        bad('twin', 'Another block of a number that the state lists.', via(twin)),
        bad(
          'file-hash',
          'The listed block under another file hash.',
          walk({ to: { ...key100.id, fileHash: plain120.id.fileHash } }),
        ),
        bad(
          'no-zerostate',
          'A state that does not list the zerostate.',
          walk({ from: bare.id, proof, stateProof: whole(rootless) }),
        ),
      ];
    });
  });
  of('state-of-block', ['WRONG_BLOCK'], (world) =>
    simple(
      world,
      (walk, to) => {
        const fewer = newerBlock(known.slice(0, 1));
        const mislabelled = newerBlock(known, { stateOf: 149 });
        return [
          bad('other-state', 'The state of another block.', walk({ stateProof: fewer.stateProof })),
          bad('other-number', 'A state that says another number than its block.', walk(parts(mislabelled))),
          bad(
            'of-a-shard',
            'The state of a shard.',
            walk(parts(newerBlock(known, { stateShard: { workchain: 0, prefixBits: 0, prefix: 0n } }))),
          ),
          bad(
            'of-half',
            'The state of half the masterchain.',
            walk(parts(newerBlock(known, { stateShard: { workchain: -1, prefixBits: 1, prefix: 0n } }))),
          ),
          bad(
            'network-0',
            'A state of network 0, which is none.',
            walk(parts(newerBlock(known, { stateGlobalId: 0 }))),
          ),
          bad(
            'network-0-all',
            'State, blocks and links, all of network 0, which is none.',
            inNetworkZero(kind, to.id.seqno),
          ),
          bad(
            'trailing',
            'A state with a bit behind its last field.',
            walk(parts(newerBlock(known, { form: { trailing: 'state' } }))),
          ),
        ];
      },
      (walk, to) => [
        odd(
          'other-network',
          'A state of another network than its block.',
          'The node compares the state’s network with 0 alone.',
          walk(parts(newerBlock(known, { stateGlobalId: -3 }))),
          final(to.id),
        ),
      ],
    ),
  );
  of('back-proofs', ['WRONG_BLOCK', 'PRUNED'], (world) =>
    simple(world, (walk, _, aware) => [
      bad(
        'destination',
        'The header proof of the older block is that of another.',
        walk({ destProof: headerProof(plain120) }),
      ),
      bad('source', 'The proof of the newer block is that of another.', walk({ proof: headerProof(plain120) })),
      bad('update-cut', 'The state update is cut off.', walk({ proof: headerProof(aware.block) })),
      bad(
        'list-cut',
        'The masterchain data of the state are cut off.',
        walk({ stateProof: proofShowing(aware.state, [aware.state.refs[0]!]) }),
      ),
      bad(
        'entries-cut',
        'The list of earlier blocks is cut off.',
        walk({ stateProof: bocOf(merkleProof(prune(aware.state, sameHash(aware.state.refs[3]!.refs[1]!)))) }),
      ),
      bad('no-header', 'No header proof of the older block.', walk({ destProof: new Uint8Array(0) })),
    ]),
  );
  of('back-is-back', [], (world) =>
    simple(world, (walk, to, aware) => [
      ...(kind === 'ordinary'
        ? [
            bad(
              'upside-down',
              'A back link that leads to a newer block.',
              inputOf(key100.id, [
                tlProof(key100.id, aware.block.id, [
                  tlBack({ ...backLink(aware, key100), from: key100.id, to: aware.block.id }),
                ]),
              ]),
            ),
          ]
        : []),
      bad('workchain', 'A back link to a block of workchain 0.', walk({ to: { ...key100.id, workchain: 0 } })),
      bad('shard', 'A back link to a block of half the masterchain.', walk({ to: { ...key100.id, shard: 1n << 62n } })),
      bad(
        'followed-plain',
        'A forward link from a listed block that is no key block.',
        inputOf(
          aware.block.id,
          [
            tlProof(aware.block.id, to.id, [
              tlBack(backLink(aware, plain120)),
              tlForward({ ...honestLink(key100, to, kind), from: plain120.id, configProof: whole(plain120.root) }),
            ]),
          ],
          'block',
        ),
      ),
    ]),
  );
  of('back-key-block-flag', [], (world) =>
    simple(
      world,
      (walk) => [bad('said-plain', 'The link says that a key block is none.', walk({ toKeyBlock: false }))],
      (walk, to) => [
        odd(
          'list',
          'The state’s list says that the key block is none; header and link say that it is one.',
          'The node compares the header’s flag alone.',
          walk(parts(newerBlock([{ id: key100.id, keyBlock: false }]))),
          final(to.id),
        ),
      ],
    ),
  );
  of('onward-from-ruling-key-block', ['WRONG_SET'], (world) => {
    const old = committee(`${world.name} old`);
    const key50 = makeBlock({
      seqno: 50,
      signedBy: listedSigners,
      prevKeyBlockSeqno: 0,
      config: configCell({ elected: old }),
    });
    const forged = makeBlock({ seqno: 160, signedBy: old, prevKeyBlockSeqno: 50 });
    const unlisted = makeBlock({ ...key50.form, genUtime: 5 });
    const aware = newerBlock([{ id: key50.id, keyBlock: true }, ...known]);
    const to = onward(world);
    const go = (key: MadeBlock, target: MadeBlock) =>
      inputOf(
        aware.block.id,
        [tlProof(aware.block.id, target.id, [tlBack(backLink(aware, key)), tlForward(honestLink(key, target, kind))])],
        'block',
      );
    return {
      good: go(key100, to),
      value: final(to.id),
      comment: GOOD,
      bad: [
        bad(
          'unlisted',
          'An old key block that is in no list, and its set signed a block past the trusted one.',
          go(unlisted, forged),
        ),
      ],
      odd: [
        odd(
          'old-keys',
          'Back to an older key block than the last one, and forward with its keys, which are long out of use.',
          'The node takes it; whoever got hold of the old keys writes a second history, so refusing is sane.',
          go(key50, forged),
          final(forged.id),
        ),
      ],
    };
  });
}

/** The bytes of answers. */
function makeWire(book: Book, kind: SetKind): void {
  const of = rounds.bind(undefined, book, kind);
  of('answer-form', [], (world) => {
    const link = world.link(world.k1, world.plain);
    const good = Buffer.from(answerOf([link]));
    const changed = (at: number, hex: string) =>
      Buffer.concat([good.subarray(0, at), Buffer.from(hex, 'hex'), good.subarray(at + hex.length / 2)]);
    const wrong = (name: string, comment: string, bytes: Uint8Array) =>
      bad(name, comment, inputOf(world.k1.id, [bytes]));
    const error = Buffer.concat([
      Buffer.from('48e1a9bb', 'hex'),
      Buffer.from([140, 2, 0, 0, 7]),
      Buffer.from('no such'),
    ]);
    return {
      good: inputOf(world.k1.id, [good]),
      value: final(world.plain.id),
      comment: PLAIN,
      bad: [
        wrong('behind', 'Four bytes behind the answer.', Buffer.concat([good, Buffer.alloc(4)])),
        wrong('cut', 'The answer is cut short.', good.subarray(0, -4)),
        wrong('half', 'The answer is cut in the middle.', good.subarray(0, good.length >> 1)),
        wrong('constructor', 'Another constructor.', changed(0, 'c1d2d08f')),
        wrong('link-constructor', 'A link of an unknown kind.', changed(172, '1cce0f53')),
        wrong('bool', 'A Bool that is neither true nor false.', changed(4, 'b5757298')),
        wrong('flag', 'The flag of the link is neither true nor false.', changed(176, '01000000')),
        wrong('count', 'It says that it has one link more.', changed(168, '02000000')),
        wrong('count-huge', 'It says that it has four billion links.', changed(168, 'ffffffff')),
        wrong('error', 'The error of a lite server.', error),
        wrong('nothing', 'No bytes at all.', Buffer.alloc(0)),
      ],
      odd: [
        odd(
          'not-complete',
          'The answer says that it is not complete; nobody asked for more.',
          'What it proves is proven; some callers want all or nothing.',
          inputOf(world.k1.id, [answerOf([link], false)]),
          final(world.plain.id),
        ),
      ],
    };
  });
}

/** Recorded answers of real networks. */
function makeRecorded(book: Book): void {
  const idAt = (bytes: Uint8Array, at: number): BlockIdExt => {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return {
      workchain: view.getInt32(at, true),
      shard: view.getBigInt64(at + 4, true),
      seqno: view.getUint32(at + 12, true),
      rootHash: bytes.slice(at + 16, at + 48),
      fileHash: bytes.slice(at + 48, at + 80),
    };
  };
  const files: [string, string, string, Start][] = [
    ['mainnet-2025', 'real/mainnet-2025-04/partial-block-proof.tl', 'ordinary', 'key-block'],
    ['live-zerostate', 'live/answers/proof-zerostate-to-block.tl', 'simplex', 'zerostate'],
    ['live-key-block', 'live/answers/proof-key-block-to-block.tl', 'simplex', 'key-block'],
  ];
  for (const [name, file, kind, start] of files) {
    const bytes = readVectorBytes(file);
    const [from, to] = [idAt(bytes, 8), idAt(bytes, 88)];
    const place = {
      rule: 'recorded-chain',
      form: kind,
      flags: kind === 'simplex' ? ['SIMPLEX'] : [],
      source: `vectors/${file}`,
    };
    const changed = Uint8Array.from(bytes);
    changed[changed.length - (kind === 'simplex' ? 400 : 40)]! ^= 1;
    book.pair(
      place,
      `${name}-`,
      { comment: 'A recorded answer of a real network.', input: inputOf(from, [bytes], start), value: final(to) },
      [bad('bit', 'One bit of a signature is flipped.', inputOf(from, [changed], start))],
    );
  }
}
