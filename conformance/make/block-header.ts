/** Headers of blocks of the masterchain and of shards, proven for their ids. */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { beginCell, bocOf, CoreCell, merkleProof, prune } from '../../test/helpers/cells.ts';
import { bagOf, coreCell, replaceAt, writeBits } from '../../test/helpers/cut-proofs.ts';
import {
  type BlockForm,
  committee,
  configCell,
  extBlkRef,
  headerOf,
  headerProof,
  infoOf,
  MASTER_SHARD,
  type MadeBlock,
  makeBlock,
  proofShowing,
  sha256,
  updateOf,
} from '../../test/helpers/make-chain.ts';
import { LEFT, RIGHT, WHOLE } from '../../test/helpers/make-shards.ts';
import { readVectorBytes } from '../../test/helpers/vectors.ts';
import { type Bad, Book, bad, base64, below, blockJson, hex, type Json, odd, randomOf } from './cases.ts';

const FORMS = ['masterchain', 'key-block', 'shard', 'after-split', 'after-merge'] as const;
type Form = (typeof FORMS)[number];

/** A block of some form, its blocks before, and the same with something changed. */
interface World {
  readonly form: Form;
  readonly block: MadeBlock;
  readonly previous: readonly BlockIdExt[];
  readonly other: MadeBlock;
  readonly remade: (over: Partial<BlockForm>) => MadeBlock;
}

function worldOf(name: string, form: Form): World {
  const random = randomOf(name);
  const seqno = 20 + below(random, 50_000_000);
  const signedBy = committee(name);
  const at = (number: number, shard: bigint, workchain: number): BlockIdExt => ({
    workchain,
    shard,
    seqno: number,
    rootHash: sha256(Buffer.from(`${name} ${number} ${shard}`)),
    fileHash: sha256(Buffer.from(`${name} file ${number} ${shard}`)),
  });
  const whole = MASTER_SHARD;
  const [left, right] = [1n << 62n, -(1n << 62n)];
  const forms: Readonly<Record<Form, Partial<BlockForm>>> = {
    masterchain: { previous: [at(seqno - 1, whole, -1)] },
    'key-block': { previous: [at(seqno - 1, whole, -1)], config: configCell({ elected: signedBy }) },
    shard: { previous: [at(seqno - 1, whole, 0)], shard: WHOLE },
    'after-split': {
      previous: [at(seqno - 1, whole, 0)],
      shard: random() < 0.5 ? LEFT : RIGHT,
      afterSplit: true,
    },
    'after-merge': {
      previous: [at(seqno - 1 - below(random, 5), left, 0), at(seqno - 1, right, 0)],
      shard: WHOLE,
      afterMerge: true,
    },
  };
  const genUtime = 1_600_000_000 + below(random, 100_000_000);
  const own = { seqno, signedBy, prevKeyBlockSeqno: seqno - 10, genUtime, ...forms[form] };
  const remade = (over: Partial<BlockForm>) => makeBlock({ ...own, ...over });
  const block = remade({});
  return { form, block, previous: own.previous!, other: remade({ genUtime: genUtime + 1 }), remade };
}

const inputOf = (block: BlockIdExt, proof: Uint8Array): Json => ({ block: blockJson(block), proof: base64(proof) });

/** The same block with another cell in some place, under the id that follows from it. */
function changed({ block }: World, path: readonly number[], change: (cell: CoreCell) => CoreCell): Json {
  const root = replaceAt(block.root, path, change);
  const id = { ...block.id, rootHash: Uint8Array.from(root.hash()), fileHash: sha256(bocOf(root)) };
  const info = root.refs[0]!;
  const shown = [info, ...info.refs.flatMap((cell) => [cell, ...cell.refs])];
  return inputOf(id, proofShowing(root, shown));
}

const appended = (cell: CoreCell, bits: string): CoreCell => {
  const builder = beginCell();
  for (let k = 0; k < cell.bits.length; k++) builder.storeBit(cell.bits.at(k));
  for (const bit of bits) builder.storeBit(bit === '1');
  for (const ref of cell.refs) builder.storeRef(ref);
  return builder.endCell();
};
const withRef = (cell: CoreCell) => new CoreCell({ bits: cell.bits, refs: [...cell.refs, beginCell().endCell()] });

const INFO = [0];

/** A header of one half of a workchain with a bit of a quarter, under the id of that quarter. */
function strayPrefix({ block, previous, remade }: World): readonly Bad[] {
  if (block.id.workchain === -1) return [];
  const other = remade({
    shard: { workchain: 0, prefixBits: 1, prefix: 1n << 61n },
    afterSplit: false,
    afterMerge: false,
    previous: [previous.at(-1)!],
  });
  const comment = 'The shard’s prefix has a bit beyond its length, and the id is that of the shard with this bit.';
  return [bad('stray-named', comment, inputOf(other.id, headerProof(other)))];
}

export function makeBlockHeader(): Book {
  const book = new Book('block-header');
  for (const form of FORMS) {
    for (const [rule, flags, make] of RULES) {
      for (let n = 0; n < 2; n++) {
        const world = worldOf(`block-header ${rule} ${form} ${n}`, form);
        const { block, previous } = world;
        const value = {
          seqno: block.id.seqno,
          genUtime: block.form.genUtime,
          previous: previous.map(blockJson),
          validatorListHash: block.listHash,
          catchainSeqno: block.catchainSeqno,
          keyBlock: form === 'key-block',
        };
        const good = {
          comment: `A header proof of a block of the form ${form}.`,
          input: inputOf(block.id, headerProof(block)),
          value,
        };
        const wrong = make(world);
        if (wrong.length > 0) book.pair({ rule, form, flags }, `${n}-`, good, wrong);
        if (rule === 'master-flag' && block.id.workchain !== -1) {
          const input = changed(world, INFO, (cell) => writeBits(cell, 70, '1'));
          const why = 'The node does not look: what it takes for key blocks is of the masterchain.';
          book.either(
            { rule, form, flags },
            `${n}-key-block`,
            'A block of a shard that says it is a key block.',
            input,
            why,
          );
        }
      }
    }
  }
  makeSoftware(book);
  makeRecorded(book);
  return book;
}

/** In even rounds and odd ones the same: what changes is the block. */
const RULES: readonly (readonly [string, readonly string[], (world: World) => readonly Bad[]])[] = [
  [
    'proof-of-this-block',
    ['WRONG_BLOCK'],
    ({ block, other }) => [
      bad('other', 'The proof is that of another block.', inputOf(block.id, headerProof(other))),
      bad(
        'root-hash',
        'One bit of the root hash is another.',
        inputOf(
          { ...block.id, rootHash: block.id.rootHash.map((byte, k) => (k === 31 ? byte ^ 1 : byte)) },
          headerProof(block),
        ),
      ),
    ],
  ],
  [
    'number-of-header',
    ['WRONG_BLOCK'],
    ({ block }) => [
      bad(
        'next',
        'The id has the number of the next block.',
        inputOf({ ...block.id, seqno: block.id.seqno + 1 }, headerProof(block)),
      ),
      bad(
        'before',
        'The id has the number of the block before.',
        inputOf({ ...block.id, seqno: block.id.seqno - 1 }, headerProof(block)),
      ),
    ],
  ],
  [
    'shard-of-header',
    ['WRONG_BLOCK'],
    ({ block, form }) => {
      const { shard, workchain } = block.id;
      const others: [string, string, Partial<BlockIdExt>][] = [
        ['workchain', 'The id has another workchain.', { workchain: workchain === -1 ? 0 : -1 }],
        ['workchain-1', 'The id has a workchain that nobody has.', { workchain: 1 }],
        ['narrower', 'The id has half the shard.', { shard: form === 'after-split' ? shard + (1n << 61n) : 1n << 62n }],
        ['other-shard', 'The id has another shard.', { shard: shard === 1n << 61n ? 1n << 60n : 1n << 61n }],
      ];
      return others.map(([name, comment, over]) =>
        bad(name, comment, inputOf({ ...block.id, ...over }, headerProof(block))),
      );
    },
  ],
  [
    'header-form',
    [],
    (world) => [
      bad(
        'tag-of-block',
        'The root has another tag than a block.',
        changed(world, [], (cell) => writeBits(cell, 31, '1')),
      ),
      bad(
        'tag',
        'The header has another tag.',
        changed(world, INFO, (cell) => writeBits(cell, 31, cell.bits.at(31) ? '0' : '1')),
      ),
      bad(
        'version',
        'A header of version 1.',
        changed(world, INFO, (cell) => writeBits(cell, 63, '1')),
      ),
      bad(
        'flags',
        'An unknown flag.',
        changed(world, INFO, (cell) => writeBits(cell, 78, '1')),
      ),
      bad(
        'software-missing',
        'The flag of a software version without one.',
        changed(world, INFO, (cell) => writeBits(cell, 79, '1')),
      ),
      bad(
        'trailing-bit',
        'A bit behind the last field.',
        changed(world, INFO, (cell) => appended(cell, '0')),
      ),
      bad('trailing-ref', 'A reference behind the last one.', changed(world, INFO, withRef)),
      bad(
        'root-bit',
        'A bit behind the fields of the root.',
        changed(world, [], (cell) => appended(cell, '1')),
      ),
    ],
  ],
  [
    'master-flag',
    ['WRONG_BLOCK'],
    (world) => [
      bad(
        'flipped',
        'not_master says the opposite of the workchain.',
        changed(world, INFO, (cell) => writeBits(cell, 64, cell.bits.at(64) ? '0' : '1')),
      ),
    ],
  ],
  [
    'shard-ident-form',
    ['WRONG_BLOCK'],
    (world) => [
      bad(
        'tag',
        'The shard has an unknown tag.',
        changed(world, INFO, (cell) => writeBits(cell, 144, '01')),
      ),
      bad(
        'prefix-61',
        'The shard’s prefix has 61 bits.',
        changed(world, INFO, (cell) => writeBits(cell, 146, '111101')),
      ),
      bad(
        'beyond-prefix',
        'The shard’s prefix has bits beyond its length.',
        changed(world, INFO, (cell) => writeBits(cell, 184 + 40, '1')),
      ),
      ...strayPrefix(world),
    ],
  ],
  [
    'before-fits',
    ['WRONG_BLOCK'],
    (world) => {
      const { previous, block } = world;
      const numbered = (by: number) => previous.map((id) => ({ ...id, seqno: id.seqno + by }));
      const made = (over: Partial<BlockForm>) => {
        const other = world.remade(over);
        return inputOf(other.id, headerProof(other));
      };
      const place = [0, block.id.workchain === -1 ? 0 : 1];
      const one = beginCell().store(extBlkRef(previous[0]!));
      return [
        bad('too-old', 'The newest block before is not the one before.', made({ previous: numbered(-1) })),
        bad('same', 'The block before has this block’s own number.', made({ previous: numbered(1) })),
        bad(
          'bit',
          'A bit behind the block before.',
          changed(world, place, (cell) => appended(cell, '0')),
        ),
        bad('reference', 'A reference behind the block before.', changed(world, place, withRef)),
        ...(world.form === 'after-merge'
          ? [
              bad(
                'one-of-two',
                'After a merge one block before in the place of two.',
                made({ prevRef: one.endCell() }),
              ),
              bad(
                'of-zerostate',
                'A merge of a zerostate.',
                made({ previous: [{ ...previous[0]!, seqno: 0 }, previous[1]!] }),
              ),
            ]
          : [
              bad(
                'two-of-one',
                'Two blocks before in the place of one.',
                made({
                  prevRef: beginCell()
                    .storeRef(one.endCell())
                    .storeRef(beginCell().store(extBlkRef(previous[0]!)).endCell())
                    .endCell(),
                }),
              ),
            ]),
        ...(world.form === 'after-merge' || world.form === 'after-split'
          ? [
              bad(
                'merge-and-split',
                'A block after a merge and a split.',
                made({ afterMerge: true, afterSplit: true, previous: [previous[0]!, previous.at(-1)!] }),
              ),
            ]
          : []),
      ];
    },
  ],
  [
    'pruned-is-not-absent',
    ['PRUNED'],
    ({ block }) => {
      const previous = headerOf(block)[1]!;
      return [
        bad('header', 'The header is cut off.', inputOf(block.id, proofShowing(block.root, [updateOf(block)]))),
        bad(
          'before',
          'The block before is cut off.',
          inputOf(
            block.id,
            proofShowing(block.root, [infoOf(block)], (cell) => cell.hash().equals(previous.hash())),
          ),
        ),
        bad('all', 'Everything is cut off.', inputOf(block.id, bocOf(merkleProof(prune(block.root, () => true))))),
      ];
    },
  ],
  [
    'merkle-proof-of-link',
    [],
    ({ block, other }) => {
      const proof = coreCell(headerProof(block));
      const good = headerProof(block);
      return [
        bad('whole-block', 'The block itself in the place of its proof.', inputOf(block.id, block.boc)),
        bad('two-roots', 'A bag with two roots.', inputOf(block.id, bagOf(proof, coreCell(headerProof(other))))),
        bad(
          'ordinary',
          'An ordinary cell with the bits of a Merkle proof.',
          inputOf(block.id, bocOf(new CoreCell({ bits: proof.bits, refs: proof.refs }))),
        ),
        bad('in-a-proof', 'A proof inside a proof.', inputOf(block.id, bocOf(merkleProof(proof)))),
        bad('cut', 'The bag is cut short.', inputOf(block.id, good.subarray(0, -5))),
        bad('no-bag', 'Bytes that are no bag of cells.', inputOf(block.id, new Uint8Array(40))),
        bad('nothing', 'No bytes at all.', inputOf(block.id, new Uint8Array(0))),
      ];
    },
  ],
];

/** gen_software, which blocks have since 2019. */
function makeSoftware(book: Book): void {
  for (const form of FORMS) {
    const world = worldOf(`block-header software ${form}`, form);
    const { block, previous } = world;
    const version = `${(0xc4).toString(2)}${(9).toString(2).padStart(32, '0')}${(494).toString(2).padStart(64, '0')}`;
    const with1 = (bits: string) => changed(world, INFO, (cell) => appended(writeBits(cell, 79, '1'), bits));
    const value = {
      seqno: block.id.seqno,
      genUtime: block.form.genUtime,
      previous: previous.map(blockJson),
      validatorListHash: block.listHash,
      catchainSeqno: block.catchainSeqno,
      keyBlock: form === 'key-block',
    };
    const place = { rule: 'software-version', form, flags: [] };
    book.pair(
      place,
      '',
      { comment: 'A header that names the software that made it, as all do today.', input: with1(version), value },
      [
        bad('cut', 'The software version is cut short.', with1(version.slice(0, -1))),
        bad('long', 'A bit behind the software version.', with1(`${version}0`)),
        bad(
          'unsaid',
          'A software version that no flag announces.',
          changed(world, INFO, (cell) => appended(cell, version)),
        ),
      ],
      [
        odd(
          'tag',
          'The software version has another tag.',
          'tonlib passes over the 104 bits without looking at their tag; nothing depends on them, and to refuse is sane.',
          with1(`11000101${version.slice(8)}`),
          value,
        ),
      ],
    );
  }
}

function makeRecorded(book: Book): void {
  const bytes = readVectorBytes('inclusion/block-header/mainnet-2020-04-after-merge/proof.boc');
  const entries = JSON.parse(Buffer.from(readVectorBytes('inclusion/index.json')).toString()) as RecordedHeader[];
  const entry = entries.find(({ id }) => id === 'block-header/mainnet-2020-04-after-merge')!;
  const { trusted } = entry;
  const id = { ...trusted, fileHash: trusted.fileHash ?? hex(sha256(Buffer.from(trusted.rootHash, 'hex'))) };
  const place = {
    rule: 'number-of-header',
    form: 'after-merge',
    flags: ['WRONG_BLOCK'],
    source: 'vectors/inclusion/block-header/mainnet-2020-04-after-merge',
  };
  book.reject(place, 'recorded-other-number', 'A recorded header after a merge under the number of the next block.', {
    block: { ...id, seqno: id.seqno + 1 },
    proof: base64(bytes),
  });
}

interface RecordedHeader {
  readonly id: string;
  readonly trusted: {
    readonly workchain: number;
    readonly shard: string;
    readonly seqno: number;
    readonly rootHash: string;
    readonly fileHash: string | null;
  };
}
