import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hintsOf } from '../../../src/app/report/hints.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { MAINNET } from '../../../src/core/chain/anchors.ts';
import { verifyHeader } from '../../../src/core/chain/block-header.ts';
import { checkpointFromKeyBlock, validatorSetAt } from '../../../src/core/chain/checkpoint.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { corrupted, makeBlockId, makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([50n, 30n, 20n]);
const validators = makeSet(signers);
const set = makeSignedSet('ordinary', signers);
const hints = (...args: Parameters<typeof verifyBlock>) => hintsOf(verifyBlock(...args)).join();

it('a final block and one that just lacks weight need no hint', () => {
  expect(hints(set, validators)).toBe('');
  expect(hints(withEntries(set, set.signatures.slice(0, 1)), validators)).toBe('');
});

it('an undecided block has a hint for its reason', () => {
  expect(hints(set, makeSet(makeSigners([1n], 'other')))).toContain('none of the signers is in this validator set');
  expect(hints(set, makeSet(signers, { provenance: { kind: 'claimed', source: 's' } }))).toContain(
    'prove the validator set from a checkpoint',
  );
  expect(hints(set, validators, { requireBoundId: true })).toContain('pass the block or its header proof');
  expect(hints(set, validators, { requireProvenSet: true })).toContain('a proven validator set is required');
  const unknownAge = hints(set, validators, { context: { nowSeconds: 1 } });
  expect(unknownAge).toContain('utime_until');
  expect(unknownAge).toContain('--valid-until SECONDS');
});

it('a block of a later epoch than the checkpoint has a hint at a newer checkpoint', () => {
  const read = (name: string) => readFileSync(`vectors/real/mainnet-2025-04/${name}`);
  const signaturesOf = (block: string) => parseSignatureList(JSON.parse(read(`${block}/signatures.json`).toString()));
  const old = checkpointFromKeyBlock(read('block-46897112/config-proof.boc'), MAINNET.initBlock);
  const late = signaturesOf('block-46920655');
  const header = verifyHeader(read('block-46920655/dest-proof.boc'), late.blockId);
  const report = verifyBlock(late, validatorSetAt(old), { context: { header } });
  expect(report.verdict).toEqual({ status: 'undecided', reason: 'wrong-validator-set' });
  expect(hintsOf(report).join()).toContain('pass a checkpoint at the newest key block before this block');
});

it('a block that no signature fits has a hint at the block before it', () => {
  expect(hints({ ...set, blockId: makeBlockId(1001) }, validators)).toContain('a different block or kind');
});

it('a block with one bad signature among good ones has a hint to fetch again', () => {
  const [first, ...rest] = set.signatures;
  expect(hints(withEntries(set, [corrupted(first!), ...rest]), validators)).toContain('fetch the signatures again');
});

it('a block many of whose signers are unknown has a hint at the right set', () => {
  const other = makeSet([signers[0]!, ...makeSigners([1n], 'other')]);
  expect(hints(set, other)).toContain('use the validator set of the key block');
});

it('a block without any signature has a hint to fetch again', () => {
  expect(hints(withEntries(set, []), validators)).toContain('the list is empty');
});
