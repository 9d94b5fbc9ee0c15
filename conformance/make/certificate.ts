/** Certificates: chains of our own with key blocks on the way, and one of a recorded Simplex network with facts of every kind. */

import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import type { SignatureList } from '../../src/core/block/signature-list.ts';
import { parseSingleRoot } from '../../src/core/cells/boc.ts';
import { writeBoc } from '../../src/core/cells/write-boc.ts';
import { buildCertificate } from '../../src/core/certificate/build.ts';
import type { FactParts, WayPart } from '../../src/core/certificate/fact-parts.ts';
import { type Certificate, certificateToBoc, partsOf } from '../../src/core/certificate/parse.ts';
import { type CertificateParts, certificateCell, type SignedPart } from '../../src/core/certificate/parts.ts';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { checkpointFromKeyBlock, checkpointFromZerostate } from '../../src/core/chain/checkpoint.ts';
import { parseLiteAnswer } from '../../src/net/lite-api/read-answers.ts';
import { beginCell, bocOf, CoreCell, merkleProof, prune, prunedBranch } from '../../test/helpers/cells.ts';
import { certificateUnder, liveFacts, liveInput } from '../../test/helpers/certificates.ts';
import { bagOf, coreCell, cutOut, replaceAt } from '../../test/helpers/cut-proofs.ts';
import { LIVE, liveBytes } from '../../test/helpers/inclusion.ts';
import { everyCell } from '../../test/helpers/make-back-link.ts';
import { messageByHand, type SetKind, unsignedSet } from '../../test/helpers/make-block.ts';
import {
  type BlockForm,
  type Committee,
  committee,
  configCell,
  configProof,
  headerProof,
  infoOf,
  type MadeBlock,
  makeBlock,
  makeZerostate,
  masterDataOf,
  proofShowing,
  sha256,
  signBlock,
  updateOf,
} from '../../test/helpers/make-chain.ts';
import {
  fork,
  LEFT,
  leafOf,
  makeShardBlock,
  prevProof,
  RIGHT,
  shardHashes,
  WHOLE,
} from '../../test/helpers/make-shards.ts';
import { tlShardProof } from '../../test/helpers/tl-answers.ts';
import { type Bad, Book, bad, base64, below, blockJson, type Json, randomOf } from './cases.ts';

interface World {
  readonly certificate: Certificate;
  readonly anchor: BlockIdExt;
  readonly block: BlockIdExt;
  readonly kinds: readonly string[];
}

/** Zerostate, two key blocks, and the block that the certificate is for. */
function chainOf(name: string, kind: SetKind): World {
  const random = randomOf(name);
  const some = (who: string) =>
    committee(
      `${name} ${who}`,
      Array.from({ length: 4 + below(random, 3) }, () => 10n + BigInt(below(random, 5))),
      random() < 0.5,
    );
  const [a, b, c] = [some('a'), some('b'), some('c')];
  const zero = makeZerostate(configCell({ elected: a }));
  const first = 3 + below(random, 1000);
  const k1 = makeBlock({ seqno: first, signedBy: a, prevKeyBlockSeqno: 0, config: configCell({ elected: b }) });
  const k2 = makeBlock({
    seqno: first + 10,
    signedBy: b,
    prevKeyBlockSeqno: first,
    config: configCell({ elected: c }),
  });
  const block = makeBlock({ seqno: first + 15, signedBy: c, prevKeyBlockSeqno: first + 10 });
  const step = (key: MadeBlock) => ({ block: configProof(key), signatures: signBlock(key, key.form.signedBy, kind) });
  const certificate = certificateUnder(checkpointFromZerostate(zero.boc, zero.id), block, {
    proofs: [step(k1), step(k2)],
    signatures: signBlock(block, c, kind),
  });
  return { certificate, anchor: zero.id, block: block.id, kinds: [] };
}

const inputOf = (bytes: Uint8Array, anchor: BlockIdExt): Json => ({
  certificate: base64(bytes),
  anchor: blockJson(anchor),
});

export function makeCertificate(): Book {
  const book = new Book('certificate');
  for (const kind of ['ordinary', 'simplex'] as const) {
    for (const [rule, flags, make] of RULES) {
      const world = chainOf(`certificate ${rule} ${kind}`, kind);
      add(
        book,
        { rule, form: kind, flags: [...(kind === 'simplex' ? ['SIMPLEX'] : []), ...flags] },
        world,
        make(world, kind),
      );
    }
  }
  for (const kind of ['ordinary', 'simplex'] as const) makeStrict(book, kind);
  makeMainOnly(book);
  makeShards(book);
  makeSplit(book);
  makeEqualHalves(book);
  makeFacts(book);
  makeContents(book);
  makeMany(book);
  return book;
}

function add(
  book: Book,
  place: { rule: string; form: string; flags: readonly string[]; source?: string },
  world: World,
  wrong: readonly Bad[],
): void {
  const { certificate, anchor, block, kinds } = world;
  const value = { block: blockJson(block), facts: kinds };
  const good = {
    comment: 'A certificate from the anchor of its reader.',
    input: inputOf(certificateToBoc(certificate), anchor),
    value,
  };
  book.pair(place, '', good, wrong);
}

/** The same certificate with something changed, written as a maker would. */
const remade = (
  { certificate, anchor }: World,
  change: (parts: CertificateParts) => Partial<CertificateParts>,
): Json => {
  const { parts } = partsOf(certificate);
  return inputOf(writeBoc(certificateCell({ ...parts, ...change(parts) })), anchor);
};
const own = (cell: CoreCell) => parseSingleRoot(bocOf(cell));
const core = (cell: Parameters<typeof writeBoc>[0]) => coreCell(writeBoc(cell));

type Rule = readonly [string, readonly string[], (world: World, kind: SetKind) => readonly Bad[]];

const lastSigned = (world: World, change: (signed: SignedPart) => SignedPart): Json =>
  remade(world, ({ last }) => ({ last: { ...last, signed: change(last.signed) } }));

const RULES: readonly Rule[] = [
  [
    'anchor-of-reader',
    ['WRONG_BLOCK'],
    (world) => {
      const { anchor, certificate, block } = world;
      const bytes = certificateToBoc(certificate);
      const other = (over: Partial<BlockIdExt>) => inputOf(bytes, { ...anchor, ...over });
      return [
        bad(
          'root-hash',
          'The reader trusts another block: its root hash.',
          other({ rootHash: sha256(anchor.rootHash) }),
        ),
        bad(
          'file-hash',
          'The reader trusts another block: its file hash.',
          other({ fileHash: sha256(anchor.fileHash) }),
        ),
        bad('seqno', 'The reader trusts another block: its number.', other({ seqno: anchor.seqno + 1 })),
        bad('target', 'The reader trusts the block that the certificate is for.', inputOf(bytes, block)),
        bad(
          'forged',
          'The certificate names another anchor than its first proof is of, and the reader trusts that one.',
          {
            ...remade(world, (parts) => ({ anchor: { ...parts.anchor, rootHash: sha256(anchor.rootHash) } })),
            anchor: blockJson({ ...anchor, rootHash: sha256(anchor.rootHash) }),
          },
        ),
      ];
    },
  ],
  [
    'steps-in-order',
    ['WRONG_SET'],
    (world) => {
      const { steps } = partsOf(world.certificate).parts;
      const [x, y, z] = steps;
      const of = (...list: typeof steps) => remade(world, () => ({ steps: list }));
      return [
        bad('first-skipped', 'The first key block is left out.', of(x!, z!)),
        bad('last-skipped', 'The last key block is left out.', of(x!, y!)),
        bad('both-skipped', 'Both key blocks are left out.', of(x!)),
        bad('reordered', 'The key blocks stand in the other order.', of(x!, z!, y!)),
        bad('repeated', 'A key block stands twice.', of(x!, y!, y!, z!)),
      ];
    },
  ],
  [
    'network-of-certificate',
    [],
    (world) => [
      bad(
        'other',
        'The certificate says that it is of another network than its blocks.',
        remade(world, ({ globalId }) => ({ globalId: globalId + 1 })),
      ),
    ],
  ],
  [
    'more-than-two-thirds',
    ['THRESHOLD'],
    (world) => {
      const count = partsOf(world.certificate).parts.last.signed.signatures.length;
      const left = (k: number) =>
        lastSigned(world, (signed) => ({ ...signed, signatures: signed.signatures.filter((_, at) => at !== k) }));
      return [
        bad('first-left-out', 'The heaviest signer is left out.', left(0)),
        bad('last-left-out', 'The last signer is left out.', left(count - 1)),
        bad(
          'nobody',
          'Nobody signed.',
          lastSigned(world, (signed) => ({ ...signed, signatures: [] })),
        ),
      ];
    },
  ],
  [
    'signature-valid',
    [],
    (world) => {
      const { signed } = partsOf(world.certificate).parts.last;
      const [first] = signed.signatures;
      const bit = first!.signature.map((byte, k) => (k === 40 ? byte ^ 1 : byte));
      return [
        bad(
          'bit',
          'One bit of one signature is flipped.',
          lastSigned(world, (s) => ({
            ...s,
            signatures: s.signatures.map((entry, k) => (k === 0 ? { ...entry, signature: bit } : entry)),
          })),
        ),
        bad(
          'shifted',
          'Every signature stands one place further.',
          lastSigned(world, (s) => ({
            ...s,
            signatures: s.signatures.map((entry) => ({ ...entry, index: entry.index + 1 })),
          })),
        ),
        bad(
          'of-a-step',
          'One bit of a signature of the first key block is flipped.',
          remade(world, ({ steps }) => ({
            steps: steps.map((step, k) =>
              k === 1
                ? {
                    ...step,
                    signed: {
                      ...step.signed!,
                      signatures: step.signed!.signatures.map((entry, n) =>
                        n === 0
                          ? { ...entry, signature: entry.signature.map((byte, at) => (at === 3 ? byte ^ 1 : byte)) }
                          : entry,
                      ),
                    },
                  }
                : step,
            ),
          })),
        ),
      ];
    },
  ],
  [
    'signer-known',
    ['UNSOUND_COUNT'],
    (world) => {
      const { signed } = partsOf(world.certificate).parts.last;
      const extra = { index: 500, signature: signed.signatures[0]!.signature.map((byte) => byte ^ 255) };
      return [
        bad(
          'outside',
          'A signature at a place that the list does not have.',
          lastSigned(world, (s) => ({ ...s, signatures: [...s.signatures, extra] })),
        ),
      ];
    },
  ],
  [
    'file-hash-signed',
    ['WRONG_BLOCK'],
    (world) => [
      bad(
        'changed',
        'The file hash of the block is another than the signed one.',
        lastSigned(world, (s) => ({ ...s, fileHash: sha256(s.fileHash) })),
      ),
    ],
  ],
  [
    'message-of-this-block',
    ['WRONG_MESSAGE'],
    (world, kind) => {
      const { parts } = partsOf(world.certificate);
      const step = parts.steps[1]!.signed!;
      return [
        bad(
          'swapped',
          'Block and key block have each other’s signatures.',
          remade(world, ({ steps, last }) => ({
            steps: steps.map((one, k) =>
              k === 1 ? { ...one, signed: { ...step, signatures: last.signed.signatures } } : one,
            ),
            last: { ...last, signed: { ...last.signed, signatures: step.signatures } },
          })),
        ),
        ...(kind === 'simplex'
          ? [
              bad(
                'session',
                'Another session than the signed one.',
                lastSigned(world, (s) => ({
                  ...s,
                  simplex: { ...s.simplex!, sessionId: sha256(s.simplex!.sessionId) },
                })),
              ),
              bad(
                'slot',
                'Another slot than the signed one.',
                lastSigned(world, (s) => ({ ...s, simplex: { ...s.simplex!, slot: s.simplex!.slot + 1 } })),
              ),
              bad(
                'candidate',
                'The candidate of a key block.',
                lastSigned(world, (s) => ({ ...s, simplex: { ...s.simplex!, candidate: step.simplex!.candidate } })),
              ),
              bad(
                'ordinary',
                'The same signatures as ordinary ones.',
                lastSigned(world, ({ fileHash, signatures }) => ({ fileHash, signatures })),
              ),
            ]
          : []),
      ];
    },
  ],
  [
    'proof-of-this-block',
    ['WRONG_BLOCK'],
    (world) => {
      const { parts } = partsOf(world.certificate);
      return [
        bad(
          'last',
          'The proof of the block is that of a key block.',
          remade(world, ({ last, steps }) => ({ last: { ...last, proof: steps[1]!.proof } })),
        ),
        bad(
          'step',
          'The proof of the first key block is that of the second.',
          remade(world, ({ steps }) => ({
            steps: [steps[0]!, { ...steps[1]!, proof: parts.steps[2]!.proof }, steps[2]!],
          })),
        ),
      ];
    },
  ],
  [
    'pruned-is-not-absent',
    ['PRUNED'],
    (world) => {
      const proof = core(partsOf(world.certificate).parts.steps[1]!.proof);
      const hashes: string[] = [];
      const collect = (cell: CoreCell): void => {
        if (cell.isExotic) return;
        hashes.push(cell.hash(0).toString('hex'));
        for (const ref of cell.refs) collect(ref);
      };
      collect(proof.refs[0]!);
      return hashes.slice(1, 9).map((hash, k) =>
        bad(
          `cell-${k}`,
          'One cell of the first key block’s proof is cut off.',
          remade(world, ({ steps }) => ({
            steps: steps.map((step, n) => (n === 1 ? { ...step, proof: own(cutOut(proof, hash)) } : step)),
          })),
        ),
      );
    },
  ],
  [
    'one-spelling',
    [],
    ({ certificate, anchor }) => {
      const cell = coreCell(certificateToBoc(certificate));
      const spelled = (options: { idx: boolean; crc32: boolean }) =>
        inputOf(Uint8Array.from(cell.toBoc(options)), anchor);
      return [
        bad('other-order', 'The cells stand in another order.', spelled({ idx: false, crc32: false })),
        bad('crc', 'With a checksum.', spelled({ idx: false, crc32: true })),
        bad('index', 'With an index.', spelled({ idx: true, crc32: false })),
        bad('two-roots', 'With a second root.', inputOf(bagOf(cell, beginCell().endCell()), anchor)),
        bad('behind', 'With a byte behind it.', inputOf(Uint8Array.of(...certificateToBoc(certificate), 0), anchor)),
      ];
    },
  ],
  [
    'nothing-unused',
    [],
    (world) => {
      return [
        bad(
          'root-bit',
          'A bit behind the root’s fields.',
          inputOf(
            respelled(world, (cell) => beginCell().storeSlice(cell.beginParse()).storeBit(0).endCell()),
            world.anchor,
          ),
        ),
        bad(
          'root-reference',
          'A reference behind the root’s fields.',
          inputOf(
            respelled(
              world,
              (cell) => new CoreCell({ bits: cell.bits, refs: [...cell.refs, beginCell().endCell()].slice(0, 4) }),
            ),
            world.anchor,
          ),
        ),
        bad(
          'version',
          'Another version.',
          inputOf(
            respelled(world, (cell) => rebit(cell, 39)),
            world.anchor,
          ),
        ),
        bad(
          'tag',
          'Another tag.',
          inputOf(
            respelled(world, (cell) => rebit(cell, 31)),
            world.anchor,
          ),
        ),
      ];
    },
  ],
];

const respelled = ({ certificate }: World, change: (root: CoreCell) => CoreCell): Uint8Array =>
  writeBoc(own(change(coreCell(certificateToBoc(certificate)))));

function rebit(cell: CoreCell, at: number): CoreCell {
  const builder = beginCell();
  for (let k = 0; k < cell.bits.length; k++) builder.storeBit(k === at ? !cell.bits.at(k) : cell.bits.at(k));
  for (const ref of cell.refs) builder.storeRef(ref);
  return builder.endCell();
}

/** Facts in a recorded Simplex network, one certificate each, and all of them in one. */
function makeFacts(book: Book): void {
  const facts = liveFacts();
  const all = [...facts.map((fact) => [fact]), facts];
  all.forEach((some, n) => {
    const certificate = buildCertificate(liveInput(some));
    const report = verifyCertificate(certificate, { anchor: LIVE.zerostate });
    const kinds = report.facts.map(({ kind }) => kind);
    const world: World = { certificate, anchor: LIVE.zerostate, block: LIVE.block, kinds };
    const { parts } = partsOf(certificate);
    const form = some.length === 1 ? `fact-${n}-${kinds[0]}` : 'facts-all';
    const wrong: Bad[] = [];
    parts.facts.slice(0, 3).forEach((fact, k) => {
      const with0 = (over: object) =>
        remade(world, () => ({
          facts: parts.facts.map((one, at) => (at === k ? ({ ...one, ...over } as typeof one) : one)),
        }));
      if ('lt' in fact) {
        // Where nothing stands at one logical time, nothing stands at the next either.
        if (fact.kind !== 'absent-transaction')
          wrong.push(bad(`${k}-lt`, 'The fact is said to be of another logical time.', with0({ lt: fact.lt + 1n })));
        wrong.push(
          bad(`${k}-block`, 'The fact’s proof is that of another block.', with0({ block: parts.steps[1]!.proof })),
        );
      }
      if ('account' in fact) {
        const address = fact.account.address.map((byte, at) => (at === 31 ? byte ^ 1 : byte));
        if (fact.kind !== 'absent-account' && fact.kind !== 'absent-transaction')
          wrong.push(
            bad(
              `${k}-account`,
              'The fact is said to be of another account.',
              with0({ account: { ...fact.account, address } }),
            ),
          );
        wrong.push(
          bad(
            `${k}-workchain`,
            'The fact is said to be of another workchain.',
            with0({ account: { ...fact.account, workchain: fact.account.workchain === 0 ? -1 : 0 } }),
          ),
        );
      }
      if (fact.kind === 'config' && fact.param === 34)
        wrong.push(bad(`${k}-state`, 'The fact’s state is that of no block here.', with0({ param: fact.param ^ 1 })));
    });
    if (wrong.length === 0) return;
    add(
      book,
      { rule: 'fact-holds', form, flags: ['SIMPLEX', 'WRONG_BLOCK'], source: 'vectors/live/answers' },
      world,
      wrong,
    );
  });
}

const flagsOf = (kind: SetKind, ...flags: string[]) => [...(kind === 'simplex' ? ['SIMPLEX'] : []), ...flags];

/** A proof that shows what another one shows, and these cells of the same tree. */
function showingMore(proof: CoreCell, root: CoreCell, more: readonly CoreCell[]): CoreCell {
  const shown = new Set(more.map((cell) => cell.hash(0).toString('hex')));
  const collect = (cell: CoreCell): void => {
    if (cell.isExotic) return;
    shown.add(cell.hash(0).toString('hex'));
    for (const ref of cell.refs) collect(ref);
  };
  collect(proof.refs[0]!);
  return merkleProof(prune(root, (cell) => !shown.has(cell.hash(0).toString('hex'))));
}

/** What has to hold of the blocks themselves, and what a certificate may show of them. */
function makeStrict(book: Book, kind: SetKind): void {
  const name = `certificate strict ${kind}`;
  const random = randomOf(name);
  const [a, b] = [committee(`${name} a`), committee(`${name} b`)];
  const first = 30 + below(random, 1000);
  const anchor = makeBlock({
    seqno: first,
    signedBy: a,
    prevKeyBlockSeqno: 0,
    config: configCell({ elected: a }),
  });
  const key = makeBlock({
    seqno: first + 5,
    signedBy: a,
    prevKeyBlockSeqno: first,
    config: configCell({ elected: b }),
  });
  const block = makeBlock({ seqno: first + 9, signedBy: b, prevKeyBlockSeqno: first + 5 });
  const certificate = certificateUnder(checkpointFromKeyBlock(configProof(anchor), anchor.id), block, {
    proofs: [{ block: configProof(key), signatures: signBlock(key, a, kind) }],
    signatures: signBlock(block, b, kind),
  });
  const world: World = { certificate, anchor: anchor.id, block: block.id, kinds: [] };
  const { parts } = partsOf(certificate);
  const signed = (made: MadeBlock, by: Committee): SignedPart => {
    const set = signBlock(made, by, kind);
    const signatures = set.signatures.map(({ signature }, index) => ({ index, signature }));
    const common = { fileHash: made.id.fileHash, signatures };
    return set.kind === 'simplex' ? { ...common, simplex: set } : common;
  };
  const last = (made: MadeBlock, by: Committee = b) =>
    remade(world, () => ({ last: { proof: own(coreCell(headerProof(made))), signed: signed(made, by) } }));
  const of = (over: Partial<BlockForm>) => makeBlock({ ...block.form, ...over });
  const step = (at: number, proof: CoreCell) =>
    remade(world, ({ steps }) => ({ steps: steps.map((one, k) => (k === at ? { ...one, proof: own(proof) } : one)) }));

  add(book, { rule: 'not-backwards', form: kind, flags: flagsOf(kind, 'WRONG_BLOCK') }, world, [
    bad(
      'same-number',
      'The block has the number of the key block whose set signed it.',
      last(of({ seqno: key.id.seqno })),
    ),
    bad('older', 'The block is older than the key block whose set signed it.', last(of({ seqno: key.id.seqno - 1 }))),
  ]);
  book.accept(
    { rule: 'not-backwards', form: kind, flags: flagsOf(kind) },
    'everybody',
    'The same block, with the signatures of all.',
    last(block),
    { block: blockJson(block.id), facts: [] },
  );
  add(book, { rule: 'set-of-last-key-block', form: kind, flags: flagsOf(kind, 'WRONG_SET') }, world, [
    bad(
      'names-other',
      'The block names another key block than the one whose set signed it.',
      last(of({ prevKeyBlockSeqno: first, catchainSeqno: block.catchainSeqno })),
    ),
    bad('set-before', 'The set before signed the block.', last(of({ signedBy: a }), a)),
  ]);
  add(book, { rule: 'before-fits', form: kind, flags: flagsOf(kind) }, world, [
    bad(
      'number',
      'The block before has another number than the one before.',
      last(of({ previous: [{ ...block.id, seqno: block.id.seqno - 3 }] })),
    ),
  ]);
  add(book, { rule: 'masterchain-only', form: kind, flags: flagsOf(kind, 'WRONG_BLOCK') }, world, [
    bad('half', 'Reader and certificate name the anchor as a block of half the masterchain.', {
      ...remade(world, () => ({ anchor: { ...anchor.id, shard: 1n << 62n } })),
      anchor: blockJson({ ...anchor.id, shard: 1n << 62n }),
    }),
    bad('basechain', 'Reader and certificate name the anchor as a block of workchain 0.', {
      ...remade(world, () => ({ anchor: { ...anchor.id, workchain: 0 } })),
      anchor: blockJson({ ...anchor.id, workchain: 0 }),
    }),
    bad(
      'shard',
      'The block is one of a shard, which the set signed.',
      last(of({ shard: { workchain: 0, prefixBits: 0, prefix: 0n } })),
    ),
  ]);
  const [top, next] = [core(parts.steps[0]!.proof), core(parts.steps[1]!.proof)];
  const previous = (made: MadeBlock) => infoOf(made).refs.at(-1)!;
  add(book, { rule: 'nothing-unused', form: `${kind}-proofs`, flags: flagsOf(kind) }, world, [
    bad(
      'anchor-previous',
      'The proof of the anchor shows the block before it, which nothing asks for.',
      step(0, showingMore(top, anchor.root, [previous(anchor)])),
    ),
    bad(
      'step-flow',
      'The proof of a key block shows its value flow.',
      step(1, showingMore(next, key.root, [key.root.refs[1]!])),
    ),
    bad(
      'step-extra',
      'The proof of a key block shows the first cell of its messages.',
      step(1, showingMore(next, key.root, [key.root.refs[3]!.refs[0]!])),
    ),
    bad(
      'step-update',
      'The proof of a key block shows its state update.',
      step(1, showingMore(next, key.root, [updateOf(key)])),
    ),
    bad(
      'last-flow',
      'The proof of the block shows its value flow.',
      remade(world, (given) => ({
        last: { ...given.last, proof: own(showingMore(core(given.last.proof), block.root, [block.root.refs[1]!])) },
      })),
    ),
  ]);
  if (kind === 'ordinary') return;
  const spelled = (cut: readonly number[]) =>
    inputOf(
      respelled(world, (root) =>
        replaceAt(root, [2, 1], (cell) => {
          const { candidate } = parts.last.signed.simplex!;
          let from = candidate.length;
          let chain: CoreCell | undefined;
          for (const length of [...cut].reverse()) {
            const builder = beginCell().storeBuffer(Buffer.from(candidate.slice(from - length, from)));
            chain = (chain === undefined ? builder : builder.storeRef(chain)).endCell();
            from -= length;
          }
          return new CoreCell({ bits: cell.bits, refs: [...cell.refs.slice(0, -1), chain!] });
        }),
      ),
      world.anchor,
    );
  const { length } = parts.last.signed.simplex!.candidate;
  const full = Math.floor(length / 127);
  const rest = length - 127 * full;
  add(book, { rule: 'one-spelling', form: 'candidate', flags: flagsOf(kind) }, world, [
    bad(
      'first-shorter',
      'The candidate’s bytes are cut into cells otherwise: the first is not full.',
      spelled([126, ...(full > 1 ? [127, rest + 1] : [rest + 1])]),
    ),
    bad('one-byte-first', 'The candidate’s first byte stands in a cell of its own.', spelled([1, 127, length - 128])),
    bad('empty-behind', 'An empty cell behind the candidate.', spelled([...Array<number>(full).fill(127), rest, 0])),
  ]);
  // The node's writer puts at most 1024 bytes into cells; its reader has no limit, and refuses what stands behind the object.
  const longer = (size: number) => {
    const set = unsignedSet('simplex', block.id) as Extract<SignatureList, { kind: 'simplex' }>; // of this kind
    const candidate = new Uint8Array(size);
    candidate.set(set.candidate);
    const message = messageByHand({ ...set, slot: block.id.seqno, candidate });
    const signatures = b.signers.slice(0, b.main).map((signer, index) => ({ index, signature: signer.sign(message) }));
    return remade(world, (given) => ({
      last: {
        ...given.last,
        signed: { ...given.last.signed, signatures, simplex: { ...set, slot: block.id.seqno, candidate } },
      },
    }));
  };
  book.accept(
    { rule: 'candidate-form', form: 'cells', flags: flagsOf(kind) },
    'as-long',
    'A candidate in two cells, signed by everybody.',
    longer(length),
    { block: blockJson(block.id), facts: [] },
  );
  add(
    book,
    { rule: 'candidate-form', form: 'cells', flags: flagsOf(kind, 'WRONG_MESSAGE') },
    world,
    [161, 254, 255, 1023, 1024, 1025, 2032, 2033].map((size) =>
      bad(`${size}`, `Zeros behind the candidate, ${size} bytes in all, and everybody signed so.`, longer(size)),
    ),
  );
}

/** The proof with one cell cut off at the second place where it stands, and shown at the first. */
function pruneSecond(proof: CoreCell, hash: Buffer): CoreCell {
  let count = 0;
  const go = (cell: CoreCell): CoreCell => {
    if (cell.isExotic) return cell;
    if (cell.hash(0).equals(hash) && ++count === 2) return prunedBranch(cell);
    return new CoreCell({ bits: cell.bits, refs: cell.refs.map(go) });
  };
  return merkleProof(go(proof.refs[0]!));
}

/** Of a longer list a certificate shows those who sign the masterchain. */
function makeMainOnly(book: Book): void {
  for (const [total, main] of [
    [5, 3],
    [7, 2],
    [9, 8],
    [6, 1],
    [12, 5],
  ] as const) {
    const name = `certificate main ${main} of ${total}`;
    const wide: Committee = {
      ...committee(
        name,
        Array.from({ length: total }, (_, k) => 10n + BigInt(k)),
      ),
      main,
    };
    const zero = makeZerostate(configCell({ elected: wide }));
    const block = makeBlock({ seqno: 7, signedBy: wide, prevKeyBlockSeqno: 0 });
    const certificate = certificateUnder(checkpointFromZerostate(zero.boc, zero.id), block, {
      signatures: signBlock(block, wide, 'ordinary'),
    });
    const world: World = { certificate, anchor: zero.id, block: block.id, kinds: [] };
    const shown = core(partsOf(certificate).parts.steps[0]!.proof);
    const cells = everyCell(zero.root);
    const isValidator = (cell: CoreCell) =>
      cell.refs.length === 0 && Buffer.from(wide.signers[total - 1]!.publicKey).equals(keyIn(cell));
    const isFirst = (cell: CoreCell) =>
      cell.refs.length === 0 && Buffer.from(wide.signers[0]!.publicKey).equals(keyIn(cell));
    const behind = cells.find(isValidator)!;
    const hidden = cells.find(isFirst)!;
    const step = (proof: CoreCell) =>
      remade(world, ({ steps }) => ({ steps: steps.map((one) => ({ ...one, proof: own(proof) })) }));
    add(book, { rule: 'main-subset', form: `${main}-of-${total}`, flags: ['UNSOUND_COUNT'] }, world, [
      bad(
        'behind-main',
        'The proof shows a validator behind `main`, who signs nothing here.',
        step(showingMore(shown, zero.root, [...cells.filter((cell) => everyCell(cell).includes(behind)), behind])),
      ),
      bad('cut', 'The proof cuts off a validator who signs.', step(cutOut(shown, hidden.hash(0).toString('hex')))),
    ]);
  }
}

/** The public key of a validator whose cell holds one, wherever its label ends. */
function keyIn(cell: CoreCell): Buffer {
  const at = cell.bits.length - 256 - 64 - 256;
  if (at < 40) return Buffer.alloc(0);
  const slice = cell.beginParse();
  slice.skip(at);
  return slice.loadBuffer(32);
}

/** Facts about blocks of shards: before a merge, after it, and what two ways to them share. */
function makeShards(book: Book): void {
  const name = 'certificate shards';
  const random = randomOf(name);
  const a = committee(name);
  const zero = makeZerostate(configCell({ elected: a }));
  const left = makeShardBlock(10 + below(random, 1e6), LEFT);
  const right = makeShardBlock(left.id.seqno + 2, RIGHT);
  const merged = makeShardBlock(right.id.seqno + 1, WHOLE, { previous: [left.id, right.id], afterMerge: true });
  const later = makeShardBlock(merged.id.seqno + 1, WHOLE, { previous: [merged.id] });
  const hashes = shardHashes(leafOf(later.id));
  const block = makeBlock({ seqno: 12, signedBy: a, prevKeyBlockSeqno: 0, shardHashes: hashes });
  const list = proofShowing(block.root, [...masterDataOf(block), ...everyCell(hashes)]);
  const down = (...blocks: MadeBlock[]) => {
    const links = blocks.map(({ id }, k) => ({ id, proof: k === 0 ? list : prevProof(blocks[k - 1]!) }));
    return { kind: 'shard-block' as const, block: blocks.at(-1)!.id, way: { links: tlShardProof(block.id, links) } };
  };
  const ways = {
    top: [later],
    before: [later, merged],
    'before-merge-left': [later, merged, left],
    'before-merge-right': [later, merged, right],
  };
  const forms: Record<string, readonly (readonly MadeBlock[])[]> = {
    ...Object.fromEntries(Object.entries(ways).map(([form, way]) => [form, [way]])),
    'both-before-merge': [ways['before-merge-left'], ways['before-merge-right']],
    'both-the-other-order': [ways['before-merge-right'], ways['before-merge-left']],
    'top-and-before': [ways.top, ways.before],
    all: Object.values(ways),
  };
  for (const [form, some] of Object.entries(forms)) {
    const certificate = certificateUnder(checkpointFromZerostate(zero.boc, zero.id), block, {
      signatures: signBlock(block, a, 'ordinary'),
      facts: some.map((way) => down(...way)),
    });
    const kinds = some.map(() => 'shard-block');
    const world: World = { certificate, anchor: zero.id, block: block.id, kinds };
    const { facts } = partsOf(certificate).parts;
    const at = facts.length - 1;
    const fact = facts[at] as Extract<FactParts, { kind: 'shard-block' }>;
    const changed = (over: Partial<typeof fact>) =>
      remade(world, () => ({ facts: facts.map((one, k) => (k === at ? { ...fact, ...over } : one)) }));
    const { proofs } = fact.way as Extract<WayPart, { by: 'links' }>;
    const by = (list: readonly (typeof proofs)[number][]) => changed({ way: { by: 'links', proofs: list } });
    const wrong = [
      bad('seqno', 'The fact names another number.', changed({ seqno: fact.seqno + 1 })),
      bad('shard', 'The fact names another shard.', changed({ shard: 1n << 61n })),
      bad('workchain', 'The fact names another workchain.', changed({ workchain: 1 })),
      bad('key', 'The fact names another place that leads the same way.', changed({ key: fact.key ^ 1n })),
      bad(
        'other-half',
        'The fact names a place in the other half of the shard: its way after a split leads away from it.',
        changed({ key: fact.key ^ (1n << 63n) }),
      ),
      bad('no-way', 'The fact has no way down to its block.', changed({ way: undefined })),
      bad(
        'twice',
        'One fact stands twice.',
        remade(world, () => ({ facts: [...facts, facts[0]!] })),
      ),
      ...(proofs.length > 1
        ? [
            bad('shorter', 'The last link of the way is left out.', by(proofs.slice(0, -1))),
            bad('first-left-out', 'The first link of the way is left out.', by(proofs.slice(1))),
            bad('last-twice', 'The last link of the way stands twice.', by([...proofs, proofs.at(-1)!])),
          ]
        : []),
    ];
    const place = { rule: 'fact-holds', form: `shard-${form}`, flags: ['WRONG_BLOCK'] };
    add(book, place, world, wrong);
  }
}

/** A proof of a tree that shows the places that another proof shows of a tree of its form. */
function shownLike(proof: CoreCell, root: CoreCell): CoreCell {
  const go = (shown: CoreCell, cell: CoreCell): CoreCell =>
    shown.isExotic
      ? prunedBranch(cell)
      : new CoreCell({ bits: cell.bits, refs: cell.refs.map((ref, k) => go(shown.refs[k]!, ref)) });
  return merkleProof(go(proof.refs[0]!, root));
}

/** Facts about the block before a split, on the way over one of the halves. */
function makeSplit(book: Book): void {
  const name = 'certificate split';
  const random = randomOf(name);
  const a = committee(name);
  const zero = makeZerostate(configCell({ elected: a }));
  const parent = makeShardBlock(10 + below(random, 1e6), WHOLE);
  const half = (shard: typeof LEFT) =>
    makeShardBlock(parent.id.seqno + 1, shard, { previous: [parent.id], afterSplit: true });
  const [left, right] = [half(LEFT), half(RIGHT)];
  const world = (hashes: CoreCell, ...blocks: readonly MadeBlock[]) => {
    const block = makeBlock({ seqno: 12, signedBy: a, prevKeyBlockSeqno: 0, shardHashes: hashes });
    const list = proofShowing(block.root, [...masterDataOf(block), ...everyCell(hashes)]);
    const links = blocks.map(({ id }, k) => ({ id, proof: k === 0 ? list : prevProof(blocks[k - 1]!) }));
    const certificate = certificateUnder(checkpointFromZerostate(zero.boc, zero.id), block, {
      signatures: signBlock(block, a, 'ordinary'),
      facts: [{ kind: 'shard-block', block: blocks.at(-1)!.id, way: { links: tlShardProof(block.id, links) } }],
    });
    const made: World = { certificate, anchor: zero.id, block: block.id, kinds: ['shard-block'] };
    const fact = partsOf(certificate).parts.facts[0] as Extract<FactParts, { kind: 'shard-block' }>;
    const { proofs } = fact.way as Extract<WayPart, { by: 'links' }>;
    const changed = (over: Partial<typeof fact>) => remade(made, () => ({ facts: [{ ...fact, ...over }] }));
    return { made, fact, proofs, changed };
  };
  const both = shardHashes(fork(leafOf(left.id), leafOf(right.id)));
  for (const [form, one, other] of [
    ['left', left, right],
    ['right', right, left],
  ] as const) {
    const { made, fact, proofs, changed } = world(both, one, parent);
    const across = own(coreCell(prevProof(other)));
    add(book, { rule: 'fact-holds', form: `before-split-${form}`, flags: ['WRONG_BLOCK'] }, made, [
      bad(
        'other-half',
        'The fact names a place in the other half: the way over this half leads away from it.',
        changed({ key: fact.key ^ (1n << 63n) }),
      ),
      bad(
        'over-the-other',
        'The way goes over the other half, which does not hold the place.',
        changed({ way: { by: 'links', proofs: [proofs[0]!, across] } }),
      ),
      bad(
        'no-further',
        'The way ends at the half, and the fact names the whole.',
        changed({ way: { by: 'links', proofs: [proofs[0]!] } }),
      ),
      bad('half', 'The way ends at the whole, and the fact names the half.', changed({ shard: one.id.shard })),
      bad('sibling', 'The fact names the other half.', changed({ shard: other.id.shard })),
    ]);
  }
  // The whole is the half of no shard.
  const place = { rule: 'fact-holds', form: 'split-of-the-whole', flags: ['WRONG_BLOCK'] };
  const plain = makeShardBlock(parent.id.seqno + 1, WHOLE, { previous: [parent.id] });
  const odd = makeShardBlock(parent.id.seqno + 1, WHOLE, { previous: [parent.id], afterSplit: true });
  const good = world(shardHashes(leafOf(plain.id)), plain, parent);
  const wrong = world(shardHashes(leafOf(odd.id)), odd);
  const proofs = [wrong.proofs[0]!, own(shownLike(core(good.proofs[1]!), odd.root))];
  add(book, place, good.made, [
    bad(
      'whole',
      'The block of the whole says that it follows a split, and the fact names the whole before.',
      wrong.changed({ seqno: parent.id.seqno, way: { by: 'links', proofs } }),
    ),
  ]);
}

/** Both halves of a list are one cell. */
function makeEqualHalves(book: Book): void {
  const name = 'certificate equal halves';
  const a = committee(name);
  const zero = makeZerostate(configCell({ elected: a }));
  const left = makeShardBlock(10 + below(randomOf(name), 1e6), LEFT);
  const leaf = leafOf(left.id);
  const hashes = shardHashes(fork(leaf, leaf));
  const block = makeBlock({ seqno: 12, signedBy: a, prevKeyBlockSeqno: 0, shardHashes: hashes });
  const list = proofShowing(block.root, [...masterDataOf(block), ...everyCell(hashes)]);
  const certificate = certificateUnder(checkpointFromZerostate(zero.boc, zero.id), block, {
    signatures: signBlock(block, a, 'ordinary'),
    facts: [
      { kind: 'shard-block', block: left.id, way: { links: tlShardProof(block.id, [{ id: left.id, proof: list }]) } },
    ],
  });
  const world: World = { certificate, anchor: zero.id, block: block.id, kinds: ['shard-block'] };
  const fact = partsOf(certificate).parts.facts[0] as Extract<FactParts, { kind: 'shard-block' }>;
  const { proofs } = fact.way as Extract<WayPart, { by: 'links' }>;
  const by = (proof: CoreCell) =>
    remade(world, () => ({ facts: [{ ...fact, way: { by: 'links', proofs: [own(proof)] } }] }));
  const shown = core(proofs[0]!);
  add(book, { rule: 'nothing-unused', form: 'equal-halves', flags: [] }, world, [
    bad(
      'shown-and-pruned',
      'One cell stands at two places, and the proof shows it at one and cuts it off at the other.',
      by(pruneSecond(shown, leaf.hash())),
    ),
    bad(
      'list',
      'The proof shows the block’s value flow beside the list.',
      by(showingMore(shown, block.root, [block.root.refs[1]!])),
    ),
  ]);
}

/** What stands beside the proofs of a fact: needed, and none more. */
function makeContents(book: Book): void {
  const facts = liveFacts();
  const of = (fact: (typeof facts)[number]) => {
    const certificate = buildCertificate(liveInput([fact]));
    const { facts: kinds } = verifyCertificate(certificate, { anchor: LIVE.zerostate });
    const world: World = {
      certificate,
      anchor: LIVE.zerostate,
      block: LIVE.block,
      kinds: kinds.map(({ kind }) => kind),
    };
    const [part] = partsOf(certificate).parts.facts;
    return { world, part: part! };
  };
  const place = (form: string) => ({
    rule: 'fact-holds',
    form: `contents-${form}`,
    flags: ['SIMPLEX', 'PRUNED'],
    source: 'vectors/live/answers',
  });
  for (const [form, fact] of [
    ...facts
      .filter((one) => one.kind === 'transaction' && !('message' in one))
      .map((one, k) => [`transaction-${k}`, one] as const),
    ['message', facts.find((one) => 'message' in one)!],
    ['account', facts.find((one) => one.kind === 'account')!],
  ] as const) {
    const { world, part } = of(fact);
    const changed = (over: object) => remade(world, () => ({ facts: [{ ...part, ...over } as typeof part] }));
    const wrong: Bad[] = [
      bad(
        'twice',
        'One fact stands twice.',
        remade(world, () => ({ facts: [part, part] })),
      ),
    ];
    const other = own(beginCell().storeUint(77, 32).endCell());
    if ('transaction' in part && part.transaction !== undefined) {
      const whole = core(part.transaction);
      wrong.push(
        bad('other', 'The contents are those of something else.', changed({ transaction: other })),
        bad(
          'shown',
          'The proof shows the transaction too, which stands beside it.',
          changed({ block: own(merkleProof(shownAgain(core(part.block).refs[0]!, whole))) }),
        ),
      );
      if (form === 'message') {
        wrong.push(
          bad('none', 'A message without the transaction that it is in.', changed({ transaction: undefined })),
          bad('index', 'A message that the transaction did not send.', changed({ index: 999 })),
        );
      }
    }
    if ('contents' in part)
      wrong.push(bad('other', 'The contents are those of something else.', changed({ contents: other })));
    add(book, place(form), world, wrong);
  }
}

/** A certificate has at most 256 facts. */
function makeMany(book: Book): void {
  const answer = parseLiteAnswer(liveBytes('config-from-state.tl'), 'config');
  const certificate = buildCertificate(liveInput([{ kind: 'config', param: 999, answer }]));
  const { parts } = partsOf(certificate);
  const of = (count: number): World => ({
    certificate,
    anchor: LIVE.zerostate,
    block: LIVE.block,
    kinds: Array.from({ length: count }, () => 'config'),
  });
  const input = (count: number) =>
    remade(of(count), () => ({
      facts: Array.from({ length: count }, (_, k) => ({ ...parts.facts[0]!, param: 999 + k }) as FactParts),
    }));
  const good = {
    comment: '256 facts, as many as there may be.',
    input: input(256),
    value: { block: blockJson(LIVE.block), facts: of(256).kinds },
  };
  const place = { rule: 'fact-holds', form: 'many', flags: ['SIMPLEX', 'RESOURCE'], source: 'vectors/live/answers' };
  book.pair(place, '', good, [bad('257', '257 facts.', input(257))]);
}

/** A tree in which a branch that was cut off is shown again. */
function shownAgain(cell: CoreCell, branch: CoreCell): CoreCell {
  if (cell.isExotic) return cell.hash(0).equals(branch.hash(0)) ? branch : cell;
  return new CoreCell({ bits: cell.bits, refs: cell.refs.map((ref) => shownAgain(ref, branch)) });
}
