/** Lists of validators in certificates: who signs the masterchain is read and checked, whoever comes behind is not. */
import { Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { sourceFrom } from '../../../src/core/certificate/walk-steps.ts';
import { readProvenBlock } from '../../../src/core/chain/block-header.ts';
import { checkpointFromKeyBlock } from '../../../src/core/chain/checkpoint.ts';
import { readKeyBlockConfig } from '../../../src/core/chain/key-block-config.ts';
import { findValidatorConfig } from '../../../src/core/validators/config-params.ts';
import { parseValidatorSet } from '../../../src/core/validators/from-json.ts';
import { masterchainSubset } from '../../../src/core/validators/select-masterchain.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { beginCell, type CoreCell } from '../../helpers/cells.ts';
import { committee, configCell, makeZerostate, wholeProof } from '../../helpers/make-chain.ts';
import { readVector, readVectorBytes } from '../../helpers/vectors.ts';

describe('a recorded proof of a key block that shows only those who sign the masterchain', () => {
  const folder = 'inclusion/signed/testnet-2026-10-simplex';
  const set = parseSignatureList(readVector(`${folder}/signatures.json`));
  const keySet = parseSignatureList(readVector(`${folder}/key-signatures.json`));
  const proof = readVectorBytes(`${folder}/key-block-proof.boc`);
  const cell = parseSingleRoot(proof);
  const root = cell.kind === 'merkle-proof' ? cell.ref(0) : cell;
  const { block, header } = readProvenBlock(root, keySet.blockId, 'proof', 'unread');
  const config = readKeyBlockConfig(block, header.keyBlock, 'proof');
  const pruned = expect.objectContaining({ code: 'trust/pruned' });

  it('names them as another source does, and they made a later block final', () => {
    const known = parseValidatorSet(readVector(`${folder}/validators.json`));
    const { list, main } = findValidatorConfig(config, 'current', 'config', true)!;
    const validators = masterchainSubset(list, main);
    expect(validators).toHaveLength(15);
    const keys = (those: typeof validators) =>
      those.map(({ publicKey, weight }) => [Buffer.from(publicKey).toString('hex'), weight]);
    expect(keys(validators)).toEqual(keys(known.validators));
    expect(verifyBlock(set, createValidatorSet(validators)).verdict).toEqual({ status: 'final' });
    expect([keySet.blockId.seqno, set.blockId.seqno]).toEqual([88330759, 88333049]);
  });

  it('is refused where all of them are asked for, and for want of parameter 28', () => {
    expect(() => findValidatorConfig(config, 'current', 'config')).toThrow(pruned);
    expect(() => checkpointFromKeyBlock(proof, keySet.blockId)).toThrow(pruned);
    expect(() => sourceFrom(root, keySet.blockId, keySet.blockId, 'proof', 'unread')).toThrow(pruned);
  });
});

describe('the entries that are read', () => {
  const [one, two, three] = committee('z', [1n, 1n, 1n]).signers.map(({ publicKey }) => publicKey) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const entry = (key: Uint8Array, weight: bigint) =>
    beginCell()
      .storeUint(0x53, 8)
      .storeUint(0x8e81278a, 32)
      .storeBuffer(Buffer.from(key))
      .storeUint(weight, 64)
      .endCell();
  const listOf = (main: number, total: number, entries: readonly CoreCell[], weight: bigint): CoreCell => {
    const list = Dictionary.empty(Dictionary.Keys.Uint(16), {
      serialize: (cell: CoreCell, builder) => builder.storeSlice(cell.beginParse()),
      parse: () => beginCell().endCell(),
    });
    for (const [k, cell] of entries.entries()) list.set(k, cell);
    return beginCell()
      .storeUint(0x12, 8)
      .storeUint(1_000_000, 32)
      .storeUint(2_000_000, 32)
      .storeUint(total, 16)
      .storeUint(main, 16)
      .storeUint(weight, 64)
      .storeDict(list)
      .endCell();
  };
  const read = (main: number, total: number, entries: readonly CoreCell[], weight = 18n) => {
    const zero = makeZerostate(configCell({ elected: committee('z'), param34: listOf(main, total, entries, weight) }));
    const { validators } = sourceFrom(parseSingleRoot(wholeProof(zero.root)).ref(0), zero.id, zero.id, 'x', 'unread');
    return validators.validators.map(({ weight: own }) => own);
  };
  const three3 = [entry(one, 5n), entry(two, 6n), entry(three, 7n)];
  const refusedWith = (run: () => unknown, code: string) => expect(run).toThrow(expect.objectContaining({ code }));

  it('are the first ones, and what stands behind them decides nothing', () => {
    expect(read(2, 3, three3)).toEqual([5n, 6n]);
    expect(read(2, 3, [...three3.slice(0, 2), entry(three, 0n)], 11n)).toEqual([5n, 6n]);
    expect(read(2, 3, three3, 999n)).toEqual([5n, 6n]);
  });

  it('have a weight each, one key each, and no sum that is too large', () => {
    refusedWith(() => read(2, 3, [entry(one, 5n), entry(two, 0n), entry(three, 7n)]), 'validators/zero-weight');
    refusedWith(() => read(2, 3, [entry(one, 5n), entry(one, 6n), entry(three, 7n)]), 'validators/repeated-key');
    refusedWith(() => read(2, 2, [entry(one, 2n ** 61n), entry(two, 6n)]), 'validators/weight-overflow');
  });

  it('are some, and all there', () => {
    refusedWith(() => read(0, 3, three3), 'validators/bad-main');
    refusedWith(() => read(5, 3, three3), 'validators/bad-main');
    refusedWith(() => read(3, 3, three3.slice(0, 2)), 'decode/boc');
  });
});
