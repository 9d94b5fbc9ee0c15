import { describe, expect, it } from 'vitest';
import { renderText } from '../../../src/app/report/render-report.ts';
import { reportToJson } from '../../../src/app/report/report-json.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import type { Ed25519Engine } from '../../../src/core/ed25519/engine.ts';
import { referenceEngine } from '../../../src/core/ed25519/reference.ts';
import { parseValidatorSet } from '../../../src/core/validators/from-json.ts';
import { validatorListHashShort } from '../../../src/core/validators/list-hash-short.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { markProven } from '../../../src/core/verify/context.ts';
import { judge } from '../../../src/core/verify/judge.ts';
import { isOwnReport } from '../../../src/core/verify/own-report.ts';
import type { BlockHeaderFacts } from '../../../src/core/verify/report.ts';
import { createVerifier, verifyBlock } from '../../../src/core/verify/verifier.ts';
import { corrupted, hashOf, makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';
import { readAnswer, readVector, SIMPLEX_CASE } from '../../helpers/vectors.ts';

const signers = makeSigners([50n, 30n, 15n, 5n]);
const validators = makeSet(signers);
const ordinary = makeSignedSet('ordinary', signers);
const simplex = makeSignedSet('simplex', signers);

describe('a report', () => {
  it('says what the signatures bind: two hashes for an ordinary set, the whole id for a simplex one', () => {
    expect(verifyBlock(ordinary, validators).bound).toEqual(['rootHash', 'fileHash']);
    expect(verifyBlock(simplex, validators).bound).toHaveLength(5);
  });

  it('hands out nothing that can be written to and is looked at again', () => {
    for (const set of [ordinary, simplex]) {
      const report = verifyBlock(set, validators);
      const parts = [report, report.bound, report.coverage, report.verdict, report.policy, report.warnings];
      expect([...parts, report.validators, report.policy.threshold].map(Object.isFrozen)).not.toContain(false);
    }
  });

  it('of an ordinary answer with another seqno is still final, but does not bind the seqno', () => {
    const relabelled = { ...ordinary, blockId: { ...ordinary.blockId, seqno: 999 } };
    const report = verifyBlock(relabelled, validators);
    expect(report.verdict.status).toBe('final');
    expect(report.bound).not.toContain('seqno');
    expect(verifyBlock(relabelled, validators, { requireBoundId: true }).verdict).toEqual({
      status: 'undecided',
      reason: 'unbound-id',
    });
  });

  it('of a simplex answer with another seqno is a decode error: the candidate names the block', () => {
    const relabelled = { ...simplex, blockId: { ...simplex.blockId, seqno: 999 } };
    expect(() => verifyBlock(relabelled, validators)).toThrow(
      expect.objectContaining({ code: 'decode/candidate-mismatch' }),
    );
  });

  it('of an ordinary answer relabelled as simplex, or the reverse, is bad signatures and never a second try', () => {
    const stripped = { kind: 'ordinary', blockId: simplex.blockId, signatures: simplex.signatures } as const;
    const dressed = { ...simplex, signatures: ordinary.signatures };
    for (const set of [stripped, dressed]) {
      const { coverage, verdict } = verifyBlock(set, validators);
      expect(coverage.signatures.every(({ outcome }) => outcome === 'bad-signature')).toBe(true);
      expect(verdict.status).toBe('rejected');
    }
  });

  it('binds the whole id of an ordinary set with a header that was proven here, and with no other that says so', () => {
    const header = markProven(Object.freeze({ source: 'proven' as const, blockId: ordinary.blockId, seqno: 1000 }));
    const typed = { ...header };
    const bound = (one: BlockHeaderFacts) =>
      verifyBlock(ordinary, validators, { context: { header: one }, requireBoundId: true });
    expect(bound(header).verdict.status).toBe('final');
    expect(bound(header).bound).toHaveLength(5);
    for (const other of [
      typed,
      structuredClone(header),
      { ...header, source: 'claimed' as const },
      { source: 'given' as const, seqno: 1000 },
    ]) {
      expect(bound(other).verdict).toEqual({ status: 'undecided', reason: 'unbound-id' });
      expect(bound(other).bound).toEqual(['rootHash', 'fileHash']);
      expect(bound(other).warnings).toContainEqual(expect.objectContaining({ code: 'unbound-seqno' }));
    }
  });

  it('binds by a proven header what was proven, whatever is written into its hashes since', () => {
    const blockId = { ...ordinary.blockId, rootHash: ordinary.blockId.rootHash.slice() };
    const header = markProven(Object.freeze({ source: 'proven' as const, blockId }));
    blockId.rootHash.fill(7);
    expect(verifyBlock(ordinary, validators, { context: { header } }).bound).toHaveLength(5);
    const other = { ...ordinary, blockId };
    expect(() => verifyBlock(other, validators, { context: { header } })).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path: 'context.header' }),
    );
  });

  it('is of the block whose signatures were checked, whatever is written into the hashes that it shows', () => {
    const report = verifyBlock(ordinary, validators);
    const words = [JSON.stringify(reportToJson(report)), renderText(report)];
    const other = { ...ordinary.blockId, rootHash: hashOf('another'), fileHash: hashOf('block') };
    report.coverage.blockId.rootHash.set(other.rootHash);
    report.coverage.blockId.fileHash.set(other.fileHash);
    const header = markProven(Object.freeze({ source: 'proven' as const, blockId: other }));
    expect(() => judge(report.coverage, validators, { header })).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path: 'context.header' }),
    );
    expect([JSON.stringify(reportToJson(report)), renderText(report)]).toEqual(words);
  });

  it('of a set whose members change with every look says what was looked at', () => {
    const looks: string[] = [];
    const shifty = Object.defineProperty({ ...validators }, 'provenance', {
      get: () => {
        looks.push('looked');
        return looks.length === 1 ? { kind: 'claimed', source: 'a server' } : { kind: 'given' };
      },
    });
    const report = verifyBlock(ordinary, shifty);
    expect([report.validators.provenance.kind, report.verdict.status]).toEqual(['claimed', 'undecided']);
  });

  it('needs floor(2 * total / 3) + 1', () => {
    expect(verifyBlock(ordinary, validators).requiredWeight).toBe(67n);
  });

  it('warns of a small-order validator key without changing the verdict', () => {
    const smallKey = { publicKey: new Uint8Array(32).map((_, at) => (at === 0 ? 1 : 0)), weight: 1n };
    const set = createValidatorSet([...signers, smallKey]);
    const report = verifyBlock(ordinary, set);
    expect(report.verdict.status).toBe('final');
    expect(report.warnings).toContainEqual({
      code: 'small-order-key',
      message: expect.stringContaining('validator 4 has the small-order key 0100'),
    });
  });

  it('warns that the set looks wrong when many signers, but not all, are unknown, and stays rejected', () => {
    const report = verifyBlock(ordinary, makeSet([signers[0]!, ...makeSigners([9n, 9n, 9n], 'later')]));
    expect(report.verdict.status).toBe('rejected');
    expect(report.warnings).toContainEqual({
      code: 'unknown-signers',
      message: expect.stringContaining('3 of 4 signers are not in this set'),
    });
  });

  it('closes the ring of an engine that was given', () => {
    let closed = 0;
    const engine = {
      name: 'counted',
      open: (keys: readonly Uint8Array[]) => ({ ...referenceEngine.open(keys), close: () => void closed++ }),
    };
    verifyBlock(ordinary, validators, { engine });
    expect(closed).toBe(1);
  });

  it('believes the engine that it is given, and no other', async () => {
    const engine: Ed25519Engine = {
      name: 'denies all',
      open: () => ({ verify: (_, keyIndexes) => keyIndexes.map(() => false), close() {} }),
    };
    const verifier = await createVerifier(validators, { engine });
    for (const report of [verifyBlock(ordinary, validators, { engine }), verifier.verify(ordinary)]) {
      expect([report.verdict.status, report.coverage.signedWeight, report.engine]).toEqual([
        'rejected',
        0n,
        'denies all',
      ]);
    }
    verifier.close();
  });

  it('is made with an engine that opens keys and has a name', async () => {
    const open = referenceEngine.open;
    for (const none of [
      {},
      { open },
      { name: 'no open' },
      { name: 5, open },
      { name: 'x', open: 'y' },
      'openssl',
    ] as never[]) {
      const refused = expect.objectContaining({ code: 'usage/bad-option', path: 'engine' });
      expect(() => verifyBlock(ordinary, validators, { engine: none })).toThrow(refused);
      await expect(createVerifier(validators, { engine: none })).rejects.toThrow(refused);
    }
  });

  it('is known as made here, and a copy of it is not', () => {
    const report = verifyBlock(ordinary, validators);
    expect(isOwnReport(report)).toBe(true);
    for (const other of [{ ...report }, structuredClone(report), report.coverage, null, 'report']) {
      expect(isOwnReport(other)).toBe(false);
    }
  });

  it('of an expected block is as without; of any other block there is none', () => {
    const { blockId } = ordinary;
    expect(verifyBlock(ordinary, validators, { expect: blockId })).toEqual(verifyBlock(ordinary, validators));
    const others = [
      { ...blockId, seqno: 1001 },
      { ...blockId, workchain: 0 },
      { ...blockId, shard: 1n << 62n },
      { ...blockId, rootHash: blockId.fileHash },
      { ...blockId, fileHash: blockId.rootHash },
    ];
    for (const expected of others) {
      expect(() => verifyBlock(ordinary, validators, { expect: expected })).toThrow(
        expect.objectContaining({ code: 'decode/unexpected-block' }),
      );
    }
  });

  it('names the engine', () => {
    expect(verifyBlock(ordinary, validators, { engine: referenceEngine }).engine).toBe('reference');
    expect(verifyBlock(ordinary, validators).engine).toBe('openssl');
  });
});

describe('the set check', () => {
  const withAdnl = createValidatorSet(
    signers.map(({ publicKey, weight }, i) => ({ publicKey, weight, adnlAddr: hashOf(`adnl ${i}`) })),
    { shuffle: true },
  );
  const validatorListHashShort7 = validatorListHashShort(withAdnl, 7)!;

  it.each([
    ['match', withAdnl, { catchainSeqno: 7, validatorListHashShort: validatorListHashShort7 }],
    ['match', withAdnl, { catchainSeqno: 7, validatorListHashShort: validatorListHashShort7 | 0 }],
    ['mismatch', withAdnl, { catchainSeqno: 8, validatorListHashShort: validatorListHashShort7 }],
    ['mismatch', withAdnl, { catchainSeqno: 7, validatorListHashShort: 0 }],
    ['not-checked', withAdnl, { catchainSeqno: 7 }],
    ['not-checked', withAdnl, { validatorListHashShort: validatorListHashShort7 }],
    ['not-checked', withAdnl, {}],
    ['not-checked', validators, { catchainSeqno: 7, validatorListHashShort: validatorListHashShort7 }],
  ] as const)('is %s', (setCheck, set, facts) => {
    const report = verifyBlock(ordinary, set, { context: { header: { source: 'given', ...facts } } });
    expect(report.validators.setCheck).toBe(setCheck);
    const isNamed = 'validatorListHashShort' in facts;
    expect(report.warnings.some(({ code }) => code === 'set-not-compared')).toBe(setCheck === 'not-checked' && isNamed);
    expect(report.verdict.status).toBe(setCheck === 'mismatch' ? 'undecided' : 'final');
  });
});

describe('a verifier', () => {
  it('gives the reports of verifyBlock, block after block, until it is closed', async () => {
    const verifier = await createVerifier(validators);
    const bad = withEntries(ordinary, [corrupted(ordinary.signatures[0]!), ...ordinary.signatures.slice(1)]);
    for (const set of [ordinary, simplex, bad, ordinary]) {
      expect(verifier.verify(set)).toEqual({ ...verifyBlock(set, validators), engine: verifier.engine });
    }
    verifier.close();
    expect(() => verifier.verify(ordinary)).toThrow(expect.objectContaining({ code: 'usage/closed' }));
  });
});

describe('the recorded simplex block 59379986', () => {
  const set = parseSignatureList(readAnswer(SIMPLEX_CASE));
  const real = parseValidatorSet(readVector(`${SIMPLEX_CASE}/validators.json`));

  it('is final with 66 signatures, 316528174049644214 of 474460508260789386', () => {
    const report = verifyBlock(set, real);
    expect(report.verdict).toEqual({ status: 'final' });
    expect(report.coverage).toMatchObject({ signedWeight: 316528174049644214n, totalWeight: 474460508260789386n });
    expect(report.requiredWeight).toBe(316307005507192925n);
  });

  it('is insufficient without any one of its signatures, the lightest included', () => {
    for (let left = 0; left < set.signatures.length; left++) {
      const fewer = withEntries(
        set,
        set.signatures.filter((_, i) => i !== left),
      );
      expect(verifyBlock(fewer, real).verdict).toEqual({ status: 'insufficient' });
    }
  });
});
