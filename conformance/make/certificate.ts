/** Certificates: chains of our own with key blocks on the way, and one of a recorded Simplex network with facts of every kind. */

import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { parseSingleRoot } from '../../src/core/cells/boc.ts';
import { writeBoc } from '../../src/core/cells/write-boc.ts';
import { buildCertificate } from '../../src/core/certificate/build.ts';
import { type Certificate, certificateToBoc, partsOf } from '../../src/core/certificate/parse.ts';
import { type CertificateParts, certificateCell, type SignedPart } from '../../src/core/certificate/parts.ts';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { checkpointFromZerostate } from '../../src/core/chain/checkpoint.ts';
import { beginCell, bocOf, CoreCell } from '../../test/helpers/cells.ts';
import { liveFacts, liveInput } from '../../test/helpers/certificates.ts';
import { bagOf, coreCell, cutOut } from '../../test/helpers/cut-proofs.ts';
import { LIVE } from '../../test/helpers/inclusion.ts';
import type { SetKind } from '../../test/helpers/make-block.ts';
import {
  committee,
  configCell,
  configProof,
  headerProof,
  type MadeBlock,
  makeBlock,
  makeZerostate,
  sha256,
  signBlock,
} from '../../test/helpers/make-chain.ts';
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
  const certificate = buildCertificate({
    checkpoint: checkpointFromZerostate(zero.boc, zero.id),
    proofs: [step(k1), step(k2)],
    set: signBlock(block, c, kind),
    headerProof: headerProof(block),
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
  makeFacts(book);
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
