import { describe, expect, it } from 'vitest';
import {
  advanceCheckpoint,
  type Checkpoint,
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  checkpointToJson,
  MAINNET,
  parseCheckpoint,
  validatorSetAt,
  verifyBlockProof,
  verifyHeader,
} from '../../../src/chain.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { openMerkleProof } from '../../../src/core/cells/merkle-proof.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { realBytes, realJson } from '../../helpers/real.ts';
import { readVector } from '../../helpers/vectors.ts';

const signatures = (path: string) => parseSignatureList(realJson(`${path}/signatures.json`));
const fromBlock = (path: string) => checkpointFromKeyBlock(realBytes(`${path}/block.boc`), signatures(path).blockId);
const stepTo = (from: Checkpoint, path: string) =>
  advanceCheckpoint({ block: realBytes(`${path}/block.boc`), signatures: signatures(path) }, from);

/** What 0.1.0 was given, read again by this version, and a block to verify under it. */
const WRITTEN_BY_0_1_0: readonly { name: string; again: () => Checkpoint; block: string; header: string }[] = [
  {
    name: 'from-zerostate',
    again: () => checkpointFromZerostate(realBytes('mainnet-genesis/zerostate.boc'), MAINNET.zerostate),
    block: 'mainnet-genesis/block-7',
    header: 'block.boc',
  },
  {
    name: 'from-whole-key-block',
    again: () => fromBlock('mainnet-2020-04-06/block-3082181'),
    block: 'mainnet-2020-04-06/block-3082190',
    header: 'block.boc',
  },
  {
    name: 'advanced-over-whole-key-block',
    again: () => stepTo(fromBlock('testnet-2025-02/block-27683262'), 'testnet-2025-02/block-27683981'),
    block: 'testnet-2025-02/block-27689041',
    header: 'block.boc',
  },
  {
    name: 'walked-over-proof-answer',
    again: () => verifyBlockProof(realBytes('mainnet-2025-04/partial-block-proof.tl'), MAINNET.initBlock).checkpoint,
    block: 'mainnet-2025-04/block-46920655',
    header: 'dest-proof.boc',
  },
];

describe('a checkpoint written by version 0.1.0', () => {
  const read = (name: string) => parseCheckpoint(readVector(`checkpoints/0.1.0/${name}.json`));

  it.each(WRITTEN_BY_0_1_0)('loads, and stands for the same set as one made now: $name', ({ name, again }) => {
    const [old, now] = [read(name), again()];
    const rest = { configProof: undefined, staleStart: undefined };
    expect({ ...old, ...rest }).toEqual({ ...now, ...rest });
    expect(validatorSetAt(old)).toEqual(validatorSetAt(now));
    // It is written anew as a file of this version, which says that nothing is known of its start.
    const { checksum: _, ...written } = readVector<Record<string, unknown>>(`checkpoints/0.1.0/${name}.json`);
    const renewed = { ...written, schema: 'ton-finality/checkpoint@2', version: 2, staleStart: 'unknown' };
    expect(checkpointToJson(old)).toEqual({ ...renewed, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(parseCheckpoint(checkpointToJson(old))).toEqual(old);
  });

  it.each(WRITTEN_BY_0_1_0)('makes a block final as it did: $name', ({ name, block, header }) => {
    const set = signatures(block);
    const context = { header: verifyHeader(realBytes(`${block}/${header}`), set.blockId) };
    expect(verifyBlock(set, validatorSetAt(read(name)), { context }).verdict).toEqual({ status: 'final' });
  });

  it('shows no block before, where one made now of the same block does', () => {
    const kindBefore = ({ configProof }: Checkpoint) =>
      openMerkleProof(parseSingleRoot(configProof), 'proof').ref(0).ref(0).kind;
    for (const { name, again, header } of WRITTEN_BY_0_1_0) {
      if (name === 'from-zerostate') continue;
      expect([kindBefore(read(name)), kindBefore(again())], header).toEqual(['pruned', 'ordinary']);
    }
  });
});

it('JSON.stringify gives the published JSON of a checkpoint', () => {
  const checkpoint = parseCheckpoint(readVector('checkpoints/0.1.0/from-zerostate.json'));
  expect(JSON.parse(JSON.stringify(checkpoint))).toEqual(checkpointToJson(checkpoint));
});

it('a schema that is not known is quoted in an error up to 80 characters', () => {
  const written = readVector('checkpoints/0.1.0/from-zerostate.json') as object;
  expect(() => parseCheckpoint({ ...written, schema: 'x'.repeat(81) })).toThrow(/, got x{80}$/);
});
