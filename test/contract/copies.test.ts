/**
 * Copies are copies: what is handed in is read once and never written to, what is handed out is nobody else's memory. Every
 * public function that takes bytes is asked with each form of them, and all bytes are changed afterwards, on both sides.
 */
import { describe, expect, it } from 'vitest';
import {
  advanceCheckpoint,
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  checkpointToJson,
  parseCheckpoint,
  parseValidatorConfig,
  validatorSetAt,
  verifyBlockProof,
  verifyHeader,
  verifyStoredProof,
} from '../../src/chain.ts';
import { FinalityError } from '../../src/core/base/errors.ts';
import { checkSessionId } from '../../src/core/validators/session-id.ts';
import {
  checkSignatures,
  createValidatorSet,
  createVerifier,
  nodeIdShort,
  referenceEngine,
  selectMasterchainValidators,
  signedMessage,
  validatorListHashShort,
  verifyBlock,
} from '../../src/index.ts';
import { bocOf } from '../helpers/cells.ts';
import { counted, FORMS, inForm, type Keep, scramble, textOf } from '../helpers/hostile.ts';
import { blockIdToAnswer, makeSignedSet } from '../helpers/make-block.ts';
import {
  blockSignaturesCell,
  committee,
  configCell,
  configProof,
  honestLink,
  makeBlock,
  makeZerostate,
  sha256,
  signBlock,
  storedProof,
  tlForward,
  tlProof,
  validatorSetCell,
} from '../helpers/make-chain.ts';
import { makeSigners } from '../helpers/make-validators.ts';
import { whileWritten } from '../helpers/meddler.ts';
import { shardLink } from '../helpers/shard-link.ts';

const signers = makeSigners([40n, 30n, 20n, 10n]);
const list = signers.map(({ publicKey, weight }, n) => ({ publicKey, weight, adnlAddr: new Uint8Array(32).fill(n) }));
const made = createValidatorSet(list, { shuffle: true });
const simplex = makeSignedSet('simplex', signers.slice(0, 3));
const ordinary = makeSignedSet('ordinary', signers.slice(0, 3));

const a = committee('a');
const key100 = makeBlock({ seqno: 100, signedBy: a, prevKeyBlockSeqno: 50, config: configCell({ elected: a }) });
const key200 = makeBlock({
  seqno: 200,
  signedBy: a,
  prevKeyBlockSeqno: 100,
  config: configCell({ elected: committee('b') }),
});
const zero = makeZerostate(configCell({ elected: a }));
const start = checkpointFromKeyBlock(key100.boc, key100.id);
const keyBlockSignatures = signBlock(key200);
const walk = tlProof(key100.id, key200.id, [tlForward(honestLink(key100, key200))]);
const noLinks = tlProof(key100.id, key100.id, []);
const shardAnswer = {
  from: blockIdToAnswer(key100.id),
  mc_id: blockIdToAnswer(key100.id),
  links: [],
  mc_proof: [],
};

/** Objects of the library itself. Their bytes are changed like all others, and nothing may come of it. */
const OURS: Keep = new Set<unknown>([made, start]);

interface Row<T> {
  readonly given: T;
  readonly ask: (given: T) => unknown;
}
const row = <T>(given: T, ask: (given: T) => unknown): Row<unknown> =>
  ({ given, ask }) as Row<unknown>; /* rows of many types in one table */

const verifier = await createVerifier(made);
const ring = referenceEngine.open(signers.map(({ publicKey }) => publicKey));

const ROWS: Readonly<Record<string, Row<unknown>>> = {
  'signedMessage, simplex': row({ set: simplex }, ({ set }) => signedMessage(set)),
  'signedMessage, ordinary': row({ set: ordinary }, ({ set }) => signedMessage(set)),
  'checkSignatures, simplex': row({ set: simplex, made }, (given) => checkSignatures(given.set, given.made)),
  'checkSignatures, ordinary': row({ set: ordinary, made }, (given) => checkSignatures(given.set, given.made)),
  'checkSignatures, a set put together by hand': row({ set: ordinary, validators: { ...made } }, (given) =>
    checkSignatures(given.set, given.validators),
  ),
  'checkSignatures, a ring': row({ set: simplex, made }, (given) => checkSignatures(given.set, given.made, { ring })),
  'verifyBlock, simplex': row({ set: simplex, made }, (given) => verifyBlock(given.set, given.made)),
  'verifyBlock, ordinary': row({ set: ordinary, made }, (given) => verifyBlock(given.set, given.made)),
  'a verifier': row({ set: simplex }, ({ set }) => verifier.verify(set)),
  createValidatorSet: row({ list }, (given) => createValidatorSet(given.list)),
  selectMasterchainValidators: row({ config: { utimeSince: 0, utimeUntil: 1, main: 2, list } }, ({ config }) =>
    selectMasterchainValidators(config),
  ),
  validatorListHashShort: row({ made }, (given) => validatorListHashShort(given.made, 7)),
  nodeIdShort: row({ key: signers[0]!.publicKey }, ({ key }) => nodeIdShort(key)),
  parseValidatorConfig: row({ boc: bocOf(validatorSetCell(a)) }, ({ boc }) => parseValidatorConfig(boc)),
  'verifyHeader, a whole block': row({ boc: key100.boc, id: key100.id }, ({ boc, id }) => verifyHeader(boc, id)),
  'verifyHeader, a proof': row({ boc: configProof(key100), id: key100.id }, ({ boc, id }) => verifyHeader(boc, id)),
  checkpointFromKeyBlock: row({ boc: key100.boc, id: key100.id }, ({ boc, id }) => checkpointFromKeyBlock(boc, id)),
  checkpointFromZerostate: row({ boc: zero.boc, id: zero.id }, ({ boc, id }) => checkpointFromZerostate(boc, id)),
  checkpointToJson: row({ start }, (given) => checkpointToJson(given.start)),
  'checkpointToJson, and back': row({ start: { ...start } }, (given) => parseCheckpoint(checkpointToJson(given.start))),
  validatorSetAt: row({ start }, (given) => verifyBlock(signBlock(key200), validatorSetAt(given.start))),
  'validatorSetAt, a checkpoint put together by hand': row({ start: { ...start } }, (given) =>
    validatorSetAt(given.start),
  ),
  'advance, signatures': row(
    { block: key200.boc, signatures: keyBlockSignatures, start },
    ({ block, signatures, ...on }) => advanceCheckpoint({ block, signatures }, on.start),
  ),
  'advance, a stored proof': row(
    {
      block: key200.boc,
      storedProof: storedProof(key200, blockSignaturesCell(key200, keyBlockSignatures, 40n)),
      start: { ...start },
    },
    (given) => advanceCheckpoint({ block: given.block, storedProof: given.storedProof }, given.start),
  ),
  verifyStoredProof: row(
    {
      proof: storedProof(key200, blockSignaturesCell(key200, keyBlockSignatures, 40n)),
      expected: key200.id,
      start,
    },
    (given) => verifyStoredProof(given.proof, given.start, { expect: given.expected }),
  ),
  'verifyBlockProof, from an id': row({ from: key100.id, walk, expect: key200.id }, (given) =>
    verifyBlockProof(given.walk, given.from, { expect: given.expect }),
  ),
  'verifyBlockProof, from a checkpoint': row({ start, walk }, (given) => {
    const { checkpoint, ...rest } = verifyBlockProof(given.walk, given.start);
    expect(checkpoint).toBe(given.start);
    return rest;
  }),
  'verifyBlockProof, no links': row({ start: { ...start }, noLinks }, (given) =>
    verifyBlockProof(given.noLinks, given.start),
  ),
  shardLink: row({ id: key100.id, asked: key100.id }, ({ id, asked }) => shardLink(shardAnswer, id, asked)),
  checkSessionId: row({ id: new Uint8Array(32), made, hash: new Uint8Array(32) }, (given) =>
    checkSessionId(given.id, given.made, { catchainSeqno: 1, prevKeyBlockSeqno: 2, verticalSeqno: 0 }, [given.hash]),
  ),
};

describe.each(Object.entries(ROWS))('%s', (_, { given, ask }) => {
  it.each(Object.entries(FORMS))('gives the same for %s, writes to nothing, and keeps nothing of it', (_, form) => {
    const expected = textOf(ask(inForm(given, form, OURS)));
    const input = inForm(given, form, OURS);
    const before = textOf(input);
    const result = ask(input);
    expect(textOf(input)).toBe(before);
    scramble(input);
    expect(textOf(result)).toBe(expected);
    scramble(result);
    expect(textOf(ask(inForm(given, form, OURS)))).toBe(expected);
    scramble(input); // twice is not at all
  });

  it('reads every member of what it is given once', () => {
    const { value, repeated } = counted(
      inForm(given, (bytes) => bytes, OURS), // nothing frozen: a proxy could not stand in for it
      OURS,
    );
    ask(value);
    // The object around the arguments is this test's own.
    expect(repeated().filter((path) => path.split('.').length > 2)).toEqual([]);
  });
});

describe('a proven header', () => {
  it('binds the block that it was proven for, whatever is written into it since', () => {
    const header = verifyHeader(key200.boc, key200.id);
    const set = validatorSetAt(start);
    const other = { ...key200.id, fileHash: new Uint8Array(32).fill(9) };
    const signatures = { ...signBlock(key200), blockId: other };
    header.blockId.fileHash.set(other.fileHash);
    expect(() => verifyBlock(signatures, set, { context: { header } })).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path: 'context.header' }),
    );
    expect(verifyBlock(signBlock(key200), set, { context: { header } }).bound).toHaveLength(5);
  });
});

describe('a block file in memory that another thread writes to', () => {
  const junk = new Uint8Array(key100.boc.length).fill(7);
  const id = { ...key100.id, fileHash: sha256(junk) };

  it.each([
    ['verifyHeader', (file: Uint8Array) => verifyHeader(file, id)],
    ['checkpointFromKeyBlock', (file: Uint8Array) => checkpointFromKeyBlock(file, id)],
  ])('is never taken for one that has the root of one file and the hash of another: %s', async (_, ask) => {
    const file = new Uint8Array(new SharedArrayBuffer(junk.length));
    file.set(key100.boc);
    await whileWritten(file, [key100.boc, junk], () => {
      for (let turn = 0; turn < 300; turn++) expect(() => ask(file)).toThrow(FinalityError);
    });
  });
});
