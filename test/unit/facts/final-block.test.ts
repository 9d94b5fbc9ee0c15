import { describe, expect, it } from 'vitest';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { verifyHeader } from '../../../src/core/chain/block-header.ts';
import { checkpointFromKeyBlock, checkpointFromZerostate, validatorSetAt } from '../../../src/core/chain/checkpoint.ts';
import { verifyBlockProof } from '../../../src/core/chain/walk.ts';
import { blockOfCheckpoint, blockOfReport, blockOfWalk } from '../../../src/core/facts/final-block.ts';
import { verifyTransaction } from '../../../src/core/facts/transaction.ts';
import { parseValidatorSet } from '../../../src/core/validators/from-json.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { accountOf, blockId, bytesOf, caseNamed } from '../../helpers/inclusion.ts';
import { a, backLink, key100, listed, newerBlock } from '../../helpers/make-back-link.ts';
import {
  committee,
  configCell,
  headerProof,
  honestLink,
  makeBlock,
  makeZerostate,
  signBlock,
  tlBack,
  tlForward,
  tlProof,
  wholeProof,
} from '../../helpers/make-chain.ts';
import { readVector, readVectorBytes } from '../../helpers/vectors.ts';

/** A key block whose signatures, header and transactions are all recorded: ordinary signatures. */
const entry = caseNamed('transaction/testnet-27799583');
const folder = 'real/testnet-2025-02-04-chain/block-27799583';
const set = parseSignatureList(readVector(`${folder}/signatures.json`));
const validators = parseValidatorSet(readVector(`${folder}/validators.json`));
const header = verifyHeader(bytesOf(entry, 'proof'), blockId(entry.trusted));

const refuse = (run: () => unknown, code: string) => expect(run).toThrow(expect.objectContaining({ code }));

describe('blockOfReport', () => {
  it('takes a final report whose id is bound by a header, and leads down to a transaction', () => {
    const bound = blockOfReport(verifyBlock(set, validators, { context: { header } }));
    const later = blockOfReport(verifyBlock(set, validators), header);
    for (const block of [bound, later]) {
      expect(block.provenance).toMatchObject({ kind: 'final', signatures: 'ordinary', exceptions: [] });
      const request = { account: accountOf(entry.request!.account!), lt: BigInt(entry.request!.lt!) };
      const fact = verifyTransaction({ proof: bytesOf(entry, 'proof') }, block, request);
      expect(fact).toMatchObject({ found: true, provenance: { kind: 'final', validators: { kind: 'given' } } });
    }
    expect(later.genUtime).toBe(header.genUtime);
  });

  it('takes no report that is not final, and says what it is', () => {
    const few = { ...set, signatures: set.signatures.slice(0, 3) };
    const refusal = { code: 'trust/not-final', message: expect.stringMatching(/is not final: insufficient$/) };
    expect(() => blockOfReport(verifyBlock(few, validators, { context: { header } }))).toThrow(
      expect.objectContaining(refusal),
    );
  });

  it('takes no ordinary report without a header: the number of the block is nobody’s word but the sender’s', () => {
    refuse(() => blockOfReport(verifyBlock(set, validators)), 'trust/header');
    refuse(() => blockOfReport(verifyBlock(set, validators, { acceptUnbound: true })), 'trust/header');
  });

  it('takes no header of another block, and none that was not proven here', () => {
    const other = caseNamed('transaction/testnet-27798862');
    const elsewhere = verifyHeader(bytesOf(other, 'proof'), blockId(other.trusted));
    refuse(() => blockOfReport(verifyBlock(set, validators), elsewhere), 'trust/header');
    refuse(() => blockOfReport(verifyBlock(set, validators), { ...header }), 'usage/bad-option');
  });

  it('takes no report that is not final, and none that was put together by hand', () => {
    const few = { ...set, signatures: set.signatures.slice(0, 3) };
    refuse(() => blockOfReport(verifyBlock(few, validators, { context: { header } })), 'trust/not-final');
    const report = verifyBlock(set, validators, { context: { header } });
    for (const forged of [{ ...report }, structuredClone({ ...report, toJSON: undefined }), null]) {
      refuse(() => blockOfReport(forged as never), 'usage/bad-option');
    }
    const claimed = createValidatorSet(validators.validators, { provenance: { kind: 'claimed', source: 'a server' } });
    refuse(() => blockOfReport(verifyBlock(set, claimed), header), 'trust/not-final');
  });

  it('carries the named exceptions where everybody sees them', () => {
    const claimed = createValidatorSet(validators.validators, { provenance: { kind: 'claimed', source: 'a server' } });
    const block = blockOfReport(verifyBlock(set, claimed, { acceptClaimed: true, onDefect: 'ignore' }), header);
    expect(block.provenance).toMatchObject({ exceptions: ['ignored-defects', 'accepted-claimed-set'] });
  });

  it('names no exception that made no difference', () => {
    const { provenance } = blockOfReport(verifyBlock(set, validators, { acceptClaimed: true }), header);
    expect(provenance).toMatchObject({ kind: 'final', exceptions: [] });
  });

  it('takes no set of another key block than the header names', () => {
    // The set that this key block installs itself, and which never signed it.
    const own = checkpointFromKeyBlock(readVectorBytes(`${folder}/block.boc`), set.blockId);
    expect(blockOfCheckpoint(own).path).toMatchObject([{ by: 'checkpoint' }]);
    refuse(() => blockOfReport(verifyBlock(set, validatorSetAt(own)), header), 'trust/backwards');
  });
});

describe('the key block of a checkpoint', () => {
  it('is believed for what it was made of, whatever is written into the ids that it showed', () => {
    const checkpoint = checkpointFromKeyBlock(readVectorBytes(`${folder}/block.boc`), set.blockId);
    const block = blockOfCheckpoint(checkpoint);
    const request = { account: accountOf(entry.request!.account!), lt: BigInt(entry.request!.lt!) };
    const ask = () => verifyTransaction({ proof: bytesOf(entry, 'proof') }, block, request).provenance;
    const wanted = { kind: 'checkpoint', keyBlock: set.blockId, anchor: set.blockId };
    expect(ask()).toMatchObject(wanted);
    for (const provenance of [block.provenance, ask()]) {
      if (provenance.kind !== 'checkpoint') throw new Error('expected a checkpoint');
      for (const id of [provenance.keyBlock, provenance.anchor]) {
        id.rootHash.fill(0);
        id.fileHash.fill(0);
      }
      expect(ask()).toMatchObject(wanted);
    }
  });
});

describe('the tip of a walk', () => {
  const start = checkpointFromKeyBlock(key100.boc, key100.id);
  const older = makeBlock({ seqno: 120, signedBy: a, prevKeyBlockSeqno: 100 });
  const newer = newerBlock(listed(key100, older));
  const toNewer = tlForward(honestLink(key100, newer.block));

  it('that leads back from a signed block says so', () => {
    const proof = tlProof(key100.id, older.id, [toNewer, tlBack(backLink(newer, older))]);
    const tip = blockOfWalk(verifyBlockProof(proof, start));
    expect(tip.path.map(({ by, block }) => [by, block.seqno])).toEqual([
      ['signatures', newer.block.id.seqno],
      ['back-link', 120],
    ]);
    expect(tip.id).toEqual(older.id);
    expect(tip).not.toHaveProperty('genUtime');
  });

  it('is final only as long as the set that signed it is', () => {
    const proof = tlProof(key100.id, newer.block.id, [toNewer]);
    expect(blockOfWalk(verifyBlockProof(proof, start, { nowSeconds: 1_600_000 })).genUtime).toBe(1_500_000);
    refuse(() => blockOfWalk(verifyBlockProof(proof, start, { nowSeconds: 9_000_000 })), 'trust/not-final');
  });

  it('is not final where only the set that it began with is past its time, or only the last one', () => {
    const [first, second] = [committee('first'), committee('second')];
    const nowSeconds = 5_000_000;
    const provenWith = (firstUntil: number, secondUntil: number) => {
      const zero = makeZerostate(configCell({ elected: first, utimeUntil: firstUntil }));
      const key = makeBlock({
        seqno: 3,
        signedBy: first,
        prevKeyBlockSeqno: 0,
        config: configCell({ elected: second, utimeUntil: secondUntil }),
      });
      const head = makeBlock({ seqno: 5, signedBy: second, prevKeyBlockSeqno: 3 });
      const fromZero = { ...key, id: zero.id };
      const proof = tlProof(zero.id, head.id, [
        tlForward(honestLink(fromZero, key, 'ordinary', { configProof: wholeProof(zero.root) })),
        tlForward(honestLink(key, head)),
      ]);
      return blockOfWalk(verifyBlockProof(proof, checkpointFromZerostate(zero.boc, zero.id), { nowSeconds }));
    };
    expect(provenWith(6_000_000, 6_000_000).id.seqno).toBe(5);
    refuse(() => provenWith(2_000_000, 6_000_000), 'trust/not-final');
    refuse(() => provenWith(6_000_000, 2_000_000), 'trust/not-final');
  });

  it('that goes nowhere is the key block that it began at', () => {
    const tip = blockOfWalk(verifyBlockProof(tlProof(key100.id, key100.id, []), start));
    expect(tip.provenance).toMatchObject({ kind: 'checkpoint', keyBlock: key100.id, anchor: key100.id });
    expect(tip.path).toMatchObject([{ by: 'checkpoint', block: key100.id }]);
  });

  it('that goes nowhere from where another one ended is that tip', () => {
    const walked = verifyBlockProof(tlProof(key100.id, newer.block.id, [toNewer]), start);
    const tip = blockOfWalk(verifyBlockProof(tlProof(newer.block.id, newer.block.id, []), walked));
    expect(tip.id).toEqual(newer.block.id);
    expect(tip.path.map(({ block }) => block)).toEqual([key100.id, newer.block.id]);
    expect(tip.provenance).toMatchObject({ kind: 'checkpoint', keyBlock: key100.id });
  });

  it('is not final by a set of another key block than its header names', () => {
    const set = signBlock(newer.block);
    const report = verifyBlock(set, validatorSetAt(start), {});
    const own = verifyHeader(headerProof(newer.block), newer.block.id);
    expect(blockOfReport(report, own).id).toEqual(newer.block.id);
    const stray = makeBlock({ seqno: 160, signedBy: a, prevKeyBlockSeqno: 140, catchainSeqno: 200 });
    const strayReport = verifyBlock(signBlock(stray), validatorSetAt(start));
    expect(strayReport.verdict.status).toBe('final');
    refuse(() => blockOfReport(strayReport, verifyHeader(headerProof(stray), stray.id)), 'trust/not-next');
  });
});
