import { describe, expect, it } from 'vitest';
import { provenHeader } from '../../../src/chain/block-header.ts';
import { checkpointFromKeyBlock, validatorSetAt } from '../../../src/chain/checkpoint.ts';
import { parseSignatureSet } from '../../../src/decode/signature-set.ts';
import { checkpointBlock, finalBlock } from '../../../src/inclusion/final-block.ts';
import { verifyTransaction } from '../../../src/inclusion/transaction.ts';
import { validatorSetFromJson } from '../../../src/validators/from-json.ts';
import { createValidatorSet } from '../../../src/validators/validator-set.ts';
import { verifyBlock } from '../../../src/verify/verifier.ts';
import { accountOf, blockId, bytesOf, caseNamed } from '../../helpers/inclusion.ts';
import { readVector, readVectorBytes } from '../../helpers/vectors.ts';

/** A key block whose signatures, header and transactions are all recorded: ordinary signatures. */
const entry = caseNamed('transaction/testnet-27799583');
const folder = 'real/testnet-2025-02-04-chain/block-27799583';
const set = parseSignatureSet(readVector(`${folder}/signatures.json`));
const validators = validatorSetFromJson(readVector(`${folder}/validators.json`));
const header = provenHeader(bytesOf(entry, 'proof'), blockId(entry.trusted));

const refuse = (run: () => unknown, code: string) => expect(run).toThrow(expect.objectContaining({ code }));

describe('finalBlock', () => {
  it('takes a final report whose id is bound by a header, and leads down to a transaction', () => {
    const bound = finalBlock(verifyBlock(set, validators, { evidence: { header } }));
    const later = finalBlock(verifyBlock(set, validators), header);
    for (const block of [bound, later]) {
      expect(block.provenance).toMatchObject({ kind: 'final', signatures: 'ordinary', exceptions: [] });
      const request = { account: accountOf(entry.request!.account!), lt: BigInt(entry.request!.lt!) };
      const fact = verifyTransaction({ proof: bytesOf(entry, 'proof') }, block, request);
      expect(fact).toMatchObject({ found: true, provenance: { kind: 'final', validators: { kind: 'given' } } });
    }
    expect(later.genUtime).toBe(header.genUtime);
  });

  it('takes no ordinary report without a header: the number of the block is nobody’s word but the sender’s', () => {
    refuse(() => finalBlock(verifyBlock(set, validators)), 'trust/header');
    refuse(() => finalBlock(verifyBlock(set, validators, { acceptUnbound: true })), 'trust/header');
  });

  it('takes no header of another block, and none that was not proven here', () => {
    const other = caseNamed('transaction/testnet-27798862');
    const elsewhere = provenHeader(bytesOf(other, 'proof'), blockId(other.trusted));
    refuse(() => finalBlock(verifyBlock(set, validators), elsewhere), 'trust/header');
    refuse(() => finalBlock(verifyBlock(set, validators), { ...header }), 'usage/bad-option');
  });

  it('takes no report that is not final, and none that was put together by hand', () => {
    const few = { ...set, signatures: set.signatures.slice(0, 3) };
    refuse(() => finalBlock(verifyBlock(few, validators, { evidence: { header } })), 'trust/not-final');
    const report = verifyBlock(set, validators, { evidence: { header } });
    for (const forged of [{ ...report }, structuredClone({ ...report, toJSON: undefined }), null]) {
      refuse(() => finalBlock(forged as never), 'usage/bad-option');
    }
    const claimed = createValidatorSet(validators.validators, { provenance: { kind: 'claimed', source: 'a server' } });
    refuse(() => finalBlock(verifyBlock(set, claimed), header), 'trust/not-final');
  });

  it('carries the named exceptions where everybody sees them', () => {
    const claimed = createValidatorSet(validators.validators, { provenance: { kind: 'claimed', source: 'a server' } });
    const block = finalBlock(verifyBlock(set, claimed, { acceptClaimed: true, onDefect: 'ignore' }), header);
    expect(block.provenance).toMatchObject({ exceptions: ['ignored-defects', 'accepted-claimed-set'] });
  });

  it('takes no set of another key block than the header names', () => {
    // The set that this key block installs itself, and which never signed it.
    const own = checkpointFromKeyBlock(readVectorBytes(`${folder}/block.boc`), set.blockId);
    expect(checkpointBlock(own).path).toMatchObject([{ by: 'checkpoint' }]);
    const report = verifyBlock(set, validatorSetAt(own));
    if (report.verdict.status === 'final') refuse(() => finalBlock(report, header), 'trust/not-next');
    else refuse(() => finalBlock(report, header), 'trust/not-final');
  });
});
