/**
 * Network, hardfork, time and epoch: every way in which a block becomes proven compares them with the key block whose set signed,
 * and refuses with one code. All blocks here are signed by the set that trust names: only what they say of themselves is wrong.
 */
import { describe, expect, it } from 'vitest';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { buildMerkleProof } from '../../../src/core/cells/build-proof.ts';
import { writeBoc } from '../../../src/core/cells/write-boc.ts';
import { buildCertificate } from '../../../src/core/certificate/build.ts';
import { parseCertificate, partsOf } from '../../../src/core/certificate/parse.ts';
import { certificateCell } from '../../../src/core/certificate/parts.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { advanceCheckpoint, verifyStoredProof } from '../../../src/core/chain/advance.ts';
import { openBlock, verifyHeader } from '../../../src/core/chain/block-header.ts';
import {
  checkpointFromKeyBlock,
  checkpointToJson,
  parseCheckpoint,
  validatorSetAt,
} from '../../../src/core/chain/checkpoint.ts';
import { readTrustedConfig } from '../../../src/core/chain/trusted-config.ts';
import { verifyBlockProof } from '../../../src/core/chain/walk.ts';
import { blockOfReport, blockOfWalk } from '../../../src/core/facts/final-block.ts';
import { factsOf } from '../../../src/core/facts/proven-block.ts';
import { parseValidatorSet } from '../../../src/core/validators/from-json.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { checkSignatures } from '../../../src/core/verify/check-signatures.ts';
import { judge } from '../../../src/core/verify/judge.ts';
import { strict } from '../../../src/core/verify/strict.ts';
import { createVerifier, verifyBlock } from '../../../src/core/verify/verifier.ts';
import { certificateUnder, keyStep } from '../../helpers/certificates.ts';
import type { SetKind } from '../../helpers/make-block.ts';
import {
  type BlockForm,
  blockSignaturesCell,
  committee,
  configCell,
  configProof,
  GLOBAL_ID,
  headerProof,
  honestLink,
  type MadeBlock,
  makeBlock,
  signBlock,
  storedProof,
  tlForward,
  tlProof,
} from '../../helpers/make-chain.ts';

const a = committee('a');
const config = configCell({ elected: a });
const key = makeBlock({ seqno: 100, signedBy: a, prevKeyBlockSeqno: 50, config });
const start = checkpointFromKeyBlock(key.boc, key.id);
const validators = validatorSetAt(start);
/** The same members, of which nothing is known but that somebody vouches for them. */
const given = (globalId?: number) =>
  createValidatorSet(validators.validators, { shuffle: true, ...(globalId === undefined ? {} : { globalId }) });
const KINDS: readonly SetKind[] = ['ordinary', 'simplex'];
const honest = { seqno: 200, signedBy: a, prevKeyBlockSeqno: 100, config };

type Door = (block: MadeBlock, kind: SetKind) => unknown;
const headerFor = (block: MadeBlock) => verifyHeader(headerProof(block), block.id);
const contextOf = (block: MadeBlock) => ({ header: headerFor(block) });
const stored = (block: MadeBlock, kind: SetKind) =>
  storedProof(block, blockSignaturesCell(block, signBlock(block, a, kind), 40n));
const link = (block: MadeBlock, kind: SetKind) => tlProof(key.id, block.id, [tlForward(honestLink(key, block, kind))]);

/** A certificate of the same makings as an honest one, whose last block or one key block is another. */
function certificateOf(block: MadeBlock, kind: SetKind, place: 'last' | 'step') {
  const next = makeBlock(honest);
  const head = makeBlock({ seqno: 300, signedBy: a, prevKeyBlockSeqno: 200 });
  const made = buildCertificate({
    checkpoint: start,
    proofs: place === 'last' ? [] : [keyStep(next)],
    signatures: signBlock(place === 'last' ? next : head),
    headerProof: headerProof(place === 'last' ? next : head),
  });
  const { parts } = partsOf(made);
  const set = signBlock(block, a, kind);
  const signed = {
    fileHash: block.id.fileHash,
    signatures: set.signatures.slice(0, 3).map(({ signature }, index) => ({ index, signature })),
    ...(set.kind === 'simplex' ? { simplex: set } : {}),
  };
  const { root } = openBlock(configProof(block), 'block');
  readTrustedConfig(root, block.id, 'block', 'required', true);
  const other =
    place === 'last'
      ? { last: { proof: parseSingleRoot(headerProof(block)), signed } }
      : { steps: [parts.steps[0]!, { proof: parseSingleRoot(buildMerkleProof(root)), signed }] };
  return parseCertificate(writeBoc(certificateCell({ ...parts, ...other })));
}

const DOORS: Readonly<Record<string, Door>> = {
  'blockOfReport of a report without a header': (block, kind) =>
    blockOfReport(verifyBlock(signBlock(block, a, kind), validators), headerFor(block)),
  'advance, signatures': (block, kind) =>
    advanceCheckpoint({ block: block.boc, signatures: signBlock(block, a, kind) }, start),
  'advance, a stored proof': (block, kind) =>
    advanceCheckpoint({ block: block.boc, storedProof: stored(block, kind) }, start),
  'advance, a checkpoint of a file': (block, kind) =>
    advanceCheckpoint({ block: block.boc, storedProof: stored(block, kind) }, parseCheckpoint(checkpointToJson(start))),
  verifyStoredProof: (block, kind) => verifyStoredProof(stored(block, kind), start),
  'verifyBlockProof, from a checkpoint': (block, kind) => verifyBlockProof(link(block, kind), start),
  'verifyBlockProof, from an id': (block, kind) => verifyBlockProof(link(block, kind), key.id),
  'buildCertificate, the last block': (block, kind) =>
    certificateUnder(start, block, { signatures: signBlock(block, a, kind) }),
  'buildCertificate, a key block': (block, kind) => {
    const head = makeBlock({
      seqno: 300,
      signedBy: a,
      prevKeyBlockSeqno: 200,
      globalId: block.form.globalId ?? GLOBAL_ID,
    });
    const proofs = [{ block: configProof(block), signatures: signBlock(block, a, kind) }];
    return certificateUnder(start, head, { proofs });
  },
  'verifyCertificate, the last block': (block, kind) =>
    verifyCertificate(certificateOf(block, kind, 'last'), { anchor: key.id }),
  'verifyCertificate, the last block, from a checkpoint': (block, kind) =>
    verifyCertificate(certificateOf(block, kind, 'last'), { checkpoint: start }),
  'verifyCertificate, a key block': (block, kind) =>
    verifyCertificate(certificateOf(block, kind, 'step'), { anchor: key.id }),
  'verifyCertificate, a key block before the checkpoint': (block, kind) =>
    verifyCertificate(certificateOf(block, kind, 'step'), { checkpoint: checkpointFromKeyBlock(block.boc, block.id) }),
};

/** Of these that another epoch signed is a verdict: they say it of any set, and whom to ask then. */
const JUDGES: Readonly<Record<string, Door>> = {
  verifyBlock: (block, kind) =>
    verifyBlock(signBlock(block, a, kind), validators, { context: contextOf(block) }).verdict,
  judge: (block, kind) => judge(checkSignatures(signBlock(block, a, kind), validators), validators, contextOf(block)),
  'verifyBlock, strictly': (block, kind) =>
    verifyBlock(signBlock(block, a, kind), validators, strict({ nowSeconds: 1_500_000, ...contextOf(block) })).verdict,
};

const WRONG: Readonly<Record<string, { readonly form: Partial<BlockForm>; readonly code: string }>> = {
  'of another network': { form: { globalId: 5 }, code: 'trust/wrong-network' },
  'beyond a hardfork': { form: { vertSeqno: 2 }, code: 'trust/hardfork' },
  'before a hardfork': { form: { vertSeqno: 0 }, code: 'trust/hardfork' },
  'a hardfork itself': { form: { hardfork: true }, code: 'trust/hardfork' },
  'older than its key block': { form: { genUtime: 1_499_999 }, code: 'trust/backwards' },
  'of another epoch': { form: { prevKeyBlockSeqno: 50, catchainSeqno: 200 }, code: 'trust/not-next' },
};

const codeOf = (run: () => unknown) => {
  try {
    run();
    return 'taken';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
};

describe.each(KINDS)('with %s signatures', (kind) => {
  it.each(Object.keys(DOORS))('an honest block is taken by %s', (name) => {
    expect(codeOf(() => DOORS[name]!(makeBlock(honest), kind))).toBe('taken');
  });

  describe.each(Object.entries(WRONG))('a block %s', (_, { form, code }) => {
    const block = makeBlock({ ...honest, ...form });

    it.each(Object.keys(DOORS))('is refused by %s', (name) => {
      expect(codeOf(() => DOORS[name]!(block, kind))).toBe(code);
    });

    it.each(Object.keys(JUDGES))('is refused by %s, or signed by the wrong set', (name) => {
      const ask = () => JUDGES[name]!(block, kind);
      if (code !== 'trust/not-next') expect(codeOf(ask)).toBe(code);
      else expect(ask()).toEqual({ status: 'undecided', reason: 'wrong-validator-set' });
    });
  });

  it('a verifier refuses the same, one block at a time and many', async () => {
    const verifier = await createVerifier(validators);
    const block = makeBlock({ ...honest, globalId: 5 });
    const one = { signatures: signBlock(block, a, kind), context: contextOf(block) };
    expect(codeOf(() => verifier.verify(one.signatures, { context: one.context }))).toBe('trust/wrong-network');
    expect(codeOf(() => verifier.verifyMany([one]))).toBe('trust/wrong-network');
    verifier.close();
  });

  it('an older block, of another epoch, is signed by the wrong set, and no older than that', () => {
    const older = makeBlock({ seqno: 90, signedBy: a, prevKeyBlockSeqno: 50, genUtime: 1, catchainSeqno: 200 });
    const verdict = { status: 'undecided', reason: 'wrong-validator-set' };
    expect(JUDGES.verifyBlock!(older, kind)).toEqual(verdict);
    expect(JUDGES.verifyBlock!(makeBlock({ ...older.form, vertSeqno: 0 }), kind)).toEqual(verdict);
    expect(codeOf(() => JUDGES.verifyBlock!(makeBlock({ ...older.form, globalId: 5 }), kind))).toBe(
      'trust/wrong-network',
    );
    const lost = makeBlock({ ...older.form, prevKeyBlockSeqno: 100 });
    expect(codeOf(() => JUDGES.verifyBlock!(lost, kind))).toBe('trust/backwards');
  });

  it('a given set that names its network refuses blocks of another, and knows nothing of epochs', () => {
    const block = makeBlock({
      ...honest,
      globalId: 5,
      vertSeqno: 7,
      prevKeyBlockSeqno: 3,
      genUtime: 9,
      catchainSeqno: 200,
    });
    const [set, header] = [signBlock(block, a, kind), headerFor(block)];
    const report = verifyBlock(set, given(5), { context: { header } });
    expect(report).toMatchObject({ verdict: { status: 'final' }, network: 'match' });
    expect(blockOfReport(verifyBlock(set, given(5)), header).provenance).toMatchObject({ exceptions: [] });
    expect(factsOf(blockOfReport(report)).globalId).toBe(5);
    expect(codeOf(() => verifyBlock(set, given(GLOBAL_ID), { context: { header } }))).toBe('trust/wrong-network');
    expect(codeOf(() => blockOfReport(verifyBlock(set, given(GLOBAL_ID)), header))).toBe('trust/wrong-network');
  });

  it('a given set that does not is not checked, and nothing is final by it under a demand for a header', () => {
    const block = makeBlock(honest);
    const [set, header] = [signBlock(block, a, kind), headerFor(block)];
    expect(verifyBlock(set, given(), { context: { header } })).toMatchObject({
      verdict: { status: 'final' },
      network: 'not-checked',
    });
    const reasonOf = (of: ReturnType<typeof given>, context = {}) => {
      const { verdict } = verifyBlock(set, of, { context, requireHeader: true });
      return verdict.status === 'undecided' ? verdict.reason : verdict.status;
    };
    expect(reasonOf(given(), { header })).toBe('epoch-not-checked');
    expect(reasonOf(given(GLOBAL_ID))).toBe('epoch-not-checked');
    expect(reasonOf(given(GLOBAL_ID), { header: { ...header } })).toBe('epoch-not-checked');
    expect(reasonOf(given(GLOBAL_ID), { header })).toBe('final');
    expect(reasonOf(validators)).toBe('epoch-not-checked');
    expect(reasonOf(validators, { header })).toBe('final');
  });
});

describe('a Simplex block without a header, under a proven set', () => {
  const newer = makeBlock({ ...honest, prevKeyBlockSeqno: 3, catchainSeqno: 200 });
  const set = signBlock(newer, a, 'simplex');

  it('is final with an exception that is named, on the network of the set', () => {
    const report = verifyBlock(set, validators);
    expect(report).toMatchObject({ verdict: { status: 'final' }, network: 'not-checked' });
    const block = blockOfReport(report);
    expect(block.provenance).toMatchObject({ exceptions: ['epoch-not-checked'] });
    expect(factsOf(block).globalId).toBe(GLOBAL_ID);
  });

  it('has no such exception where a header was shown, to the verifier or later', () => {
    const right = makeBlock(honest);
    const [signed, header] = [signBlock(right, a, 'simplex'), headerFor(right)];
    const shown = verifyBlock(signed, validators, { context: { header } });
    expect(shown.network).toBe('match');
    for (const block of [blockOfReport(shown), blockOfReport(verifyBlock(signed, validators), header)]) {
      expect(block.provenance).toMatchObject({ exceptions: [] });
    }
    expect(blockOfWalk(verifyBlockProof(link(right, 'simplex'), start)).provenance).toMatchObject({ exceptions: [] });
    const { proven } = verifyCertificate(certificateOf(right, 'simplex', 'last'), { anchor: key.id });
    expect(proven?.provenance).toMatchObject({ exceptions: [] });
  });

  it('is not final strictly', () => {
    const { verdict } = verifyBlock(set, validators, strict({ nowSeconds: 1_500_000 }));
    expect(verdict).toEqual({ status: 'undecided', reason: 'epoch-not-checked' });
  });
});

describe('the network of a given set', () => {
  it('is a 32-bit integer of the caller or of the JSON, and both have to agree', () => {
    const json = (global_id: unknown) => ({
      main: 1,
      validators: [{ public_key: '07'.repeat(32), weight: '1' }],
      ...(global_id === undefined ? {} : { global_id }),
    });
    expect(parseValidatorSet(json(-239)).globalId).toBe(-239);
    expect(parseValidatorSet(json(undefined), { globalId: -3 }).globalId).toBe(-3);
    expect(parseValidatorSet(json(undefined))).not.toHaveProperty('globalId');
    expect(codeOf(() => parseValidatorSet(json(-239), { globalId: -3 }))).toBe('usage/bad-option');
    for (const odd of ['-239', 1.5, 2 ** 31, -(2 ** 31) - 1, null]) {
      expect(codeOf(() => parseValidatorSet(json(odd)))).toMatch(/^decode\//);
      expect(codeOf(() => createValidatorSet(validators.validators, { globalId: odd as never }))).toBe(
        'usage/bad-option',
      );
    }
    expect(validators.globalId).toBe(GLOBAL_ID);
  });

  it('is kept by a copy of the set', () => {
    expect(verifyBlock(signBlock(makeBlock(honest)), { ...given(5) }, { requireHeader: true }).verdict.status).toBe(
      'undecided',
    );
    const header = headerFor(makeBlock(honest));
    const ask = () => verifyBlock(signBlock(makeBlock(honest)), { ...given(5) }, { context: { header } });
    expect(codeOf(ask)).toBe('trust/wrong-network');
  });
});
