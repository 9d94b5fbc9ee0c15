/** A18: a way down to a shard block is of one network, that of the block it starts from. */
import { describe, expect, it } from 'vitest';
import { assumeFinal, makeProven } from '../../../src/core/facts/proven-block.ts';
import { verifyShardBlock as proveShardBlock } from '../../../src/core/facts/shard-top.ts';
import { GLOBAL_ID } from '../../helpers/make-chain.ts';
import { answer, leafOf, makeShardBlock, master, prevProof, WHOLE } from '../../helpers/make-shards.ts';
import { shardLink } from '../../helpers/shard-link.ts';

const FOREIGN = -5;

/** A way over two blocks of a shard to a third one; those two may be of another network. */
function wayDown(first: number, second: number) {
  const last = makeShardBlock(10, WHOLE, {});
  const middle = makeShardBlock(11, WHOLE, { globalId: second, previous: [last.id] });
  const top = makeShardBlock(12, WHOLE, { globalId: first, previous: [middle.id] });
  const { block, proof } = master(leafOf(top.id));
  const links = [
    { id: top.id, proof },
    { id: middle.id, proof: prevProof(top) },
    { id: last.id, proof: prevProof(middle) },
  ];
  return { json: answer(block, links), masterchain: block.id, last: last.id };
}

const wrongNetwork = expect.objectContaining({ code: 'trust/wrong-network' });
const known = (id: ReturnType<typeof wayDown>['masterchain'], globalId = GLOBAL_ID) =>
  makeProven({ id, globalId, provenance: { kind: 'assumed' }, path: [{ by: 'assumed', block: id }] });

describe('a way down to a shard block', () => {
  it('is taken where all of it is of one network', () => {
    const { json, masterchain, last } = wayDown(GLOBAL_ID, GLOBAL_ID);
    expect(shardLink(json, masterchain)).toEqual(last);
    expect(proveShardBlock(json, known(masterchain)).id).toEqual(last);
    expect(proveShardBlock(json, assumeFinal(masterchain)).id).toEqual(last);
  });

  it('is refused at a link of another network, whether that of its start is known or not', () => {
    for (const [first, second] of [
      [FOREIGN, FOREIGN],
      [FOREIGN, GLOBAL_ID],
      [GLOBAL_ID, FOREIGN],
    ] as const) {
      const { json, masterchain } = wayDown(first, second);
      expect(() => shardLink(json, masterchain)).toThrow(wrongNetwork);
      expect(() => proveShardBlock(json, known(masterchain))).toThrow(wrongNetwork);
      expect(() => proveShardBlock(json, assumeFinal(masterchain))).toThrow(wrongNetwork);
    }
  });

  it('is refused at its first link where that is of another network than the block it starts from', () => {
    const { json, masterchain } = wayDown(GLOBAL_ID, GLOBAL_ID);
    expect(() => proveShardBlock(json, known(masterchain, FOREIGN))).toThrow(wrongNetwork);
  });
});
