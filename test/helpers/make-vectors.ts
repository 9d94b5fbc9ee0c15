/**
 * Makes our own synthetic vectors: signature sets from seeded keys, one defect each. Run by `npm run vectors`, which
 * fails if git would show a change, so that the files and this source cannot drift apart.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { MASTERCHAIN_SHARD } from '../../src/core/base/limits.ts';
import type { SignatureList } from '../../src/core/block/signature-list.ts';
import { signedMessage } from '../../src/core/message/signed-message.ts';
import {
  candidateWithoutParent,
  candidateWithParent,
  corrupted,
  emptyCandidate,
  entryOf,
  makeBlockId,
  makeSignedSet,
  toAnswer,
  unsignedSet,
  withEntries,
} from './make-block.ts';
import { makeSigner, makeSigners } from './make-validators.ts';
import { RECORDED_LEDGERS } from './recorded-ledgers.ts';
import { VECTORS } from './vectors.ts';

/** What a vector of ours says. */
export interface SyntheticVector {
  readonly comment: string;
  readonly source: string;
  readonly input: unknown;
  readonly validators: unknown;
  readonly expect:
    | { readonly error: string }
    | {
        readonly status: string;
        readonly reason?: string;
        readonly signedWeight: string;
        readonly totalWeight: string;
        readonly outcomes: readonly string[];
      };
}

const WEIGHTS = [400n, 270n, 200n, 65n, 65n];
const signers = makeSigners(WEIGHTS, 'synthetic');
const outside = makeSigner('synthetic outside main', 1000n);
const stranger = makeSigner('synthetic stranger', 1n);
const TOTAL = '1000';
const SEQNO = 60_000_000;

const validators = {
  total: WEIGHTS.length + 1,
  main: WEIGHTS.length,
  total_weight: '2000',
  validators: [...signers, outside].map(({ publicKey, weight }) => ({
    public_key: encodeHex(publicKey),
    weight: weight.toString(),
  })),
};

const ordinary = makeSignedSet('ordinary', signers, SEQNO);
const simplex = makeSignedSet('simplex', signers, SEQNO);
const valid = (count: number): string[] => Array.from({ length: count }, () => 'valid');

function resigned(set: SignatureList): SignatureList {
  const message = signedMessage(set);
  return withEntries(
    set,
    signers.map((signer) => entryOf(signer, message)),
  );
}

/** Signatures over one candidate, moved into an answer with another. */
function movedTo(candidate: Uint8Array): SignatureList {
  return { ...simplex, candidate } as SignatureList; // a simplex set with another candidate is one
}

type Expect = SyntheticVector['expect'];
const counted = (status: string, signedWeight: string, outcomes: readonly string[], reason?: string): Expect => ({
  status,
  ...(reason === undefined ? {} : { reason }),
  signedWeight,
  totalWeight: TOTAL,
  outcomes,
});

const [e0, e1, e2, e3, e4] = ordinary.signatures.map((entry) => entry);
const foreign = entryOf(stranger, signedMessage(ordinary));
const beyondMain = entryOf(outside, signedMessage(ordinary));
const id = makeBlockId(SEQNO);
const other = makeBlockId(SEQNO + 1);

const CASES: Readonly<Record<string, [comment: string, set: SignatureList, expected: Expect]>> = {
  'ordinary-all-signed': ['every validator signed', ordinary, counted('final', TOTAL, valid(5))],
  'ordinary-just-below-two-thirds': [
    '665 of 1000',
    withEntries(ordinary, [e0!, e2!, e3!]),
    counted('insufficient', '665', valid(3)),
  ],
  'ordinary-just-above-two-thirds': [
    '670 of 1000',
    withEntries(ordinary, [e0!, e1!]),
    counted('final', '670', valid(2)),
  ],
  'ordinary-empty': ['no entries at all', withEntries(ordinary, []), counted('insufficient', '0', [])],
  'ordinary-one-bit-flipped': [
    'one bit of one signature',
    withEntries(ordinary, [e0!, e1!, e2!, e3!, corrupted(e4!)]),
    counted('rejected', '935', [...valid(4), 'bad-signature']),
  ],
  'ordinary-signer-twice': [
    'the heaviest signer twice: none of its entries counts',
    withEntries(ordinary, [e0!, e1!, e0!]),
    counted('rejected', '270', ['duplicate-signer', 'valid', 'duplicate-signer']),
  ],
  'ordinary-stranger-among-signers': [
    'a signer that is in no list',
    withEntries(ordinary, [...ordinary.signatures, foreign]),
    counted('rejected', TOTAL, [...valid(5), 'unknown-signer']),
  ],
  'ordinary-signer-outside-main': [
    'a validator that is listed but not among the first `main`',
    withEntries(ordinary, [e0!, beyondMain]),
    counted('rejected', '400', ['valid', 'unknown-signer']),
  ],
  'ordinary-only-strangers': [
    'not one known signer',
    withEntries(ordinary, [foreign, beyondMain]),
    counted('undecided', '0', ['unknown-signer', 'unknown-signer'], 'no-known-signer'),
  ],
  'ordinary-relabelled-seqno': [
    'another seqno over the same hashes: ordinary signatures do not bind it',
    { ...ordinary, blockId: { ...ordinary.blockId, seqno: SEQNO + 5 } },
    counted('final', TOTAL, valid(5)),
  ],
  'ordinary-signatures-of-the-block-before': [
    'signatures of block N - 1 in an answer about block N, as one server sends them',
    withEntries(makeSignedSet('ordinary', [], SEQNO + 1), ordinary.signatures),
    counted(
      'rejected',
      '0',
      Array.from({ length: 5 }, () => 'bad-signature'),
    ),
  ],
  'ordinary-outside-the-masterchain': [
    'a block id in the basechain',
    { ...ordinary, blockId: { ...id, workchain: 0 } },
    { error: 'decode/range' },
  ],
  'ordinary-shard-beside-the-masterchain': [
    'a shard one above -2^63',
    { ...ordinary, blockId: { ...id, shard: MASTERCHAIN_SHARD + 1n } },
    { error: 'decode/range' },
  ],
  'simplex-stripped-to-ordinary': [
    'a simplex answer relabelled as ordinary: another message, so no signature fits',
    { kind: 'ordinary', blockId: simplex.blockId, signatures: simplex.signatures },
    counted(
      'rejected',
      '0',
      Array.from({ length: 5 }, () => 'bad-signature'),
    ),
  ],
  'simplex-all-signed': ['every validator voted to finalize', simplex, counted('final', TOTAL, valid(5))],
  'simplex-candidate-without-parent': [
    'the first candidate of a session',
    resigned({ ...unsignedSet('simplex', id), candidate: candidateWithoutParent(id) } as SignatureList), // a simplex set
    counted('final', TOTAL, valid(5)),
  ],
  'simplex-candidate-empty': [
    'an empty candidate, which extends its parent’s slot',
    resigned({ ...unsignedSet('simplex', id), candidate: emptyCandidate(id) } as SignatureList), // a simplex set
    counted('final', TOTAL, valid(5)),
  ],
  'simplex-slot-from-2-31': [
    'a slot that a server prints as a negative number',
    resigned({ ...unsignedSet('simplex', id), slot: 0xfffffff0 } as SignatureList), // a simplex set
    counted('final', TOTAL, valid(5)),
  ],
  'simplex-candidate-names-other-block': [
    'good signatures over another block, under this block’s id',
    movedTo(candidateWithParent(other)),
    { error: 'decode/candidate-mismatch' },
  ],
  'simplex-candidate-names-other-seqno': [
    'the same hashes under another seqno',
    movedTo(candidateWithParent({ ...id, seqno: SEQNO + 1 })),
    { error: 'decode/candidate-mismatch' },
  ],
  'simplex-candidate-trailing-bytes': [
    'four zero bytes after the candidate',
    movedTo(new Uint8Array([...candidateWithParent(id), 0, 0, 0, 0])),
    { error: 'decode/tl' },
  ],
  'simplex-candidate-cut': ['one byte short', movedTo(candidateWithParent(id).slice(0, -1)), { error: 'decode/tl' }],
};

/** Every vector of ours by file name. */
export function makeVectors(): Readonly<Record<string, SyntheticVector>> {
  return Object.fromEntries(
    Object.entries(CASES).map(([name, [comment, set, expected]]) => {
      const answer = toAnswer(set);
      const input = 'slot' in answer ? { ...answer, slot: answer.slot | 0 } : answer; // as tonlib prints a uint32
      return [
        `${name}.json`,
        { comment, source: 'made by test/helpers/make-vectors.ts', input, validators, expect: expected },
      ];
    }),
  );
}

export const SYNTHETIC_FOLDER = 'synthetic/ours';

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = join(VECTORS, SYNTHETIC_FOLDER);
  mkdirSync(folder, { recursive: true });
  for (const [name, vector] of Object.entries(makeVectors())) {
    writeFileSync(join(folder, name), `${JSON.stringify(vector, null, 2)}\n`);
  }
  const ledgers = join(VECTORS, 'audit');
  mkdirSync(ledgers, { recursive: true });
  for (const [name, make] of Object.entries(RECORDED_LEDGERS)) writeFileSync(join(ledgers, `${name}.ndjson`), make());
}
