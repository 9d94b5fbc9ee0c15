import { describe, expect, it } from 'vitest';
import { FinalityError } from '../../../src/core/base/errors.ts';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import type { BackLink } from '../../../src/core/chain/block-proof.ts';
import { checkBackLink } from '../../../src/core/chain/link.ts';
import { parseShardBlockProof } from '../../../src/core/chain/shard-block-proof.ts';
import { findShardOfAccount } from '../../../src/core/chain/shard-hashes.ts';
import { followShardProof } from '../../../src/core/chain/shard-link.ts';
import { beginCell, bocOf, type CoreCell } from '../../helpers/cells.ts';
import { a, backToZerostate, everyCell, key100, newerBlock, zero } from '../../helpers/make-back-link.ts';
import { blockIdToAnswer } from '../../helpers/make-block.ts';
import { customOf, headerProof, infoOf, makeBlock, proofShowing, type ShardForm } from '../../helpers/make-chain.ts';
import {
  answer,
  base64,
  fork,
  LEFT,
  leafOf,
  makeShardBlock,
  master,
  prevProof,
  RIGHT,
  shardHashes,
  WHOLE,
} from '../../helpers/make-shards.ts';
import { httpJson } from '../../helpers/real.ts';
import { shardLink } from '../../helpers/shard-link.ts';

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (error instanceof FinalityError) return error.code;
    throw error;
  }
}

/** A block of a shard, below a masterchain block to which a link leads back. */
function behindALinkBack() {
  const first = makeShardBlock(10, WHOLE, { genUtime: 1234 });
  const second = makeShardBlock(11, WHOLE, { previous: [first.id], genUtime: 1240 });
  const { block: lister, proof } = master(leafOf(second.id));
  const later = newerBlock([{ id: lister.id, keyBlock: false }], { seqno: 170 });
  const back: BackLink = {
    kind: 'back',
    toKeyBlock: false,
    from: later.block.id,
    to: lister.id,
    destProof: headerProof(lister),
    proof: later.proof,
    stateProof: later.stateProof,
  };
  const links = [
    { id: second.id, proof },
    { id: first.id, proof: prevProof(second) },
  ];
  const kind = 'shard-block-proof' as const;
  const read = { kind, from: later.block.id, masterchainId: lister.id, back, links };
  return { read, top: first.id, first, second, lister, later };
}

describe('the shard of an account', () => {
  const listOf = (tree: CoreCell) => parseSingleRoot(bocOf(shardHashes(tree)));
  const find = (tree: CoreCell, workchain: number) => findShardOfAccount(listOf(tree), workchain, 0n, 'shards');

  it('is none in a workchain that is not listed, or where nothing is', () => {
    const top = makeShardBlock(10, WHOLE);
    expect(find(leafOf(top.id), 0)).toEqual(top.id);
    expect(find(leafOf(top.id), 1)).toBeUndefined();
    expect(findShardOfAccount(undefined, 0, 0n, 'shards')).toBeUndefined();
  });

  it('has a prefix of at most 60 bits', () => {
    const leaf = leafOf(makeShardBlock(10, WHOLE).id);
    const deep = (bits: number) => Array.from({ length: bits }).reduce<CoreCell>((tree) => fork(tree, leaf), leaf);
    expect(find(deep(60), 0)?.shard).toBe(8n);
    expect(() => find(deep(61), 0)).toThrow(expect.objectContaining({ code: 'decode/boc', path: 'shards' }));
  });
});

describe('a shard proof', () => {
  it('without a link is of the masterchain block itself', () => {
    const { block } = master(leafOf(makeShardBlock(10, WHOLE).id));
    expect(shardLink(answer(block, []), block.id, block.id)).toEqual(block.id);
    expect(Object.keys(parseShardBlockProof(answer(block, [])))).not.toContain('back');
  });

  it('of either recorded answer leads from the masterchain block asked from to the one asked for', () => {
    for (const seqno of [30497145, 39984096]) {
      const json = httpJson(`v2-getShardBlockProof-python-${seqno}.json`) as {
        result: { from: Record<string, never>; mc_id: Record<string, never> };
      };
      const idOf = (id: Record<string, string | number>): BlockIdExt => ({
        workchain: Number(id.workchain),
        shard: BigInt(id.shard!),
        seqno: Number(id.seqno),
        rootHash: Uint8Array.from(Buffer.from(String(id.root_hash), 'base64')),
        fileHash: Uint8Array.from(Buffer.from(String(id.file_hash), 'base64')),
      });
      const from = idOf(json.result.from);
      expect(shardLink(json, from).seqno).toBe(seqno);
      expect(shardLink(json.result, from, idOf(json.result.mc_id))).toEqual(idOf(json.result.mc_id));
      expect(codeOf(() => shardLink(json, idOf(json.result.mc_id)))).toBe('trust/not-connected');
      expect(codeOf(() => shardLink(json, from, from))).toBe('trust/incomplete');
    }
  });

  it('is judged alike as JSON and as it was read, and what was read is looked at again', () => {
    const json = httpJson('v2-getShardBlockProof-python-30497145.json');
    const recorded = parseShardBlockProof(json);
    expect(shardLink(recorded, recorded.from)).toEqual(shardLink(json, recorded.from));
    const { read, top } = behindALinkBack();
    expect(shardLink(read, read.from)).toEqual(top);
    const { back, links } = read;
    const spoilt = (over: object) => codeOf(() => shardLink({ ...read, ...over }, read.from));
    expect(spoilt({ back: undefined })).toBe('trust/not-connected');
    expect(spoilt({ back: { ...back, toKeyBlock: true } })).toBe('trust/key-block-flag');
    expect(spoilt({ back: { ...back, proof: links[0]!.proof } })).toBe('trust/root-hash');
    expect(spoilt({ back: { ...back, stateProof: 'AAAA' } })).toBe('usage/bad-option');
    expect(spoilt({ links: [{ ...links[0], proof: back.proof }] })).toBe('trust/root-hash');
    for (const over of [{ back: null }, { from: 5 }, { masterchainId: undefined }, { links: 5 }, { links: [null] }]) {
      expect(spoilt(over)).toBe('usage/bad-option');
    }
    expect(spoilt({ links: Array.from({ length: 9 }, () => links[0]) })).toBe('decode/too-large');
  });

  it('leads to a shard top, listed in either form, and to the blocks before it', () => {
    const first = makeShardBlock(10, WHOLE);
    const second = makeShardBlock(11, WHOLE, { previous: [first.id] });
    const third = makeShardBlock(12, WHOLE, { previous: [second.id] });
    for (const tag of [0xa, 0xb] as const) {
      const { block, proof } = master(leafOf(third.id, tag));
      const links = [
        { id: third.id, proof },
        { id: second.id, proof: prevProof(third) },
        { id: first.id, proof: prevProof(second) },
      ];
      expect(shardLink(answer(block, links), block.id, first.id)).toEqual(first.id);
      expect(shardLink({ ok: true, result: answer(block, links.slice(0, 1)) }, block.id)).toEqual(third.id);
    }
  });

  it('leads to a shard that is about to be split or merged', () => {
    const top = makeShardBlock(10, WHOLE);
    for (const kind of ['10', '11']) {
      for (const tag of [0xa, 0xb]) {
        const at = (bits: number) => {
          const { block, proof } = master(leafOf(top.id, tag, 0, kind + '01'.repeat(bits / 2)));
          return codeOf(() => shardLink(answer(block, [{ id: top.id, proof }]), block.id));
        };
        expect([at(64), at(62), at(66)]).toEqual(['accepted', 'decode/boc', 'decode/boc']);
      }
    }
  });

  it('leads to each of four shards, and to none at the place of another', () => {
    const quarter = (prefix: bigint): ShardForm => ({ workchain: 0, prefixBits: 2, prefix: prefix << 62n });
    const tops = [0n, 1n, 2n, 3n].map((prefix, n) => makeShardBlock(10 + n, quarter(prefix)));
    const [l0, l1, l2, l3] = tops.map(({ id }) => leafOf(id)) as [CoreCell, CoreCell, CoreCell, CoreCell];
    const { block, proof } = master(fork(fork(l0, l1), fork(l2, l3)));
    const verify = (id: BlockIdExt) => codeOf(() => shardLink(answer(block, [{ id, proof }]), block.id));
    for (const { id } of tops) {
      for (const { id: place } of tops) {
        expect(verify({ ...id, shard: place.shard })).toBe(id === place ? 'accepted' : 'trust/not-listed');
      }
    }
  });

  it('says of each step how it is proven, and when the block was made where its header is shown', () => {
    const { read, first, second, lister, later } = behindALinkBack();
    const way = { ...read, path: 'proof' };
    expect(followShardProof(way, later.block.id)).toEqual([
      { by: 'back-link', block: lister.id },
      { by: 'listed', block: second.id, genUtime: 1240 },
      { by: 'precedes', block: first.id },
    ]);
    const nowhere = { ...way, from: lister.id, back: undefined, links: [] };
    expect(followShardProof(nowhere, lister.id)).toEqual([]);
  });

  it('is refused with the place in the answer, however that is wrapped', () => {
    const top = makeShardBlock(10, WHOLE);
    const { block, proof } = master(leafOf(top.id));
    const good = answer(block, [{ id: top.id, proof }]);
    const pathOf = (json: object, wanted?: BlockIdExt) => {
      try {
        shardLink({ ok: true, result: { ...good, ...json } }, block.id, wanted);
      } catch (error) {
        if (error instanceof FinalityError) return `${error.code} ${error.path}`;
        throw error;
      }
      return 'accepted';
    };
    expect(pathOf({})).toBe('accepted');
    expect(pathOf({ links: 5 })).toBe('decode/shape result.links');
    expect(pathOf({ mc_proof: 5 })).toBe('decode/shape result.mc_proof');
    expect(pathOf({ links: [{}] })).toBe('decode/shape result.links[0].id');
    expect(pathOf({ links: [5] })).toBe('decode/shape result.links[0]');
    expect(pathOf({ mc_proof: [5] })).toBe('decode/shape result.mc_proof[0]');
    expect(pathOf({ mc_proof: [{ to_key_block: 'true' }] })).toBe('decode/shape result.mc_proof[0].to_key_block');
    expect(pathOf({ from: 5 })).toBe('decode/shape result.from');
    expect(pathOf({ mc_id: 5 })).toBe('decode/shape result.mc_id');
    expect(pathOf({}, block.id)).toBe('trust/incomplete result.links');
  });

  it('goes back over a split to the parent, and over a merge to either half', () => {
    const parent = makeShardBlock(10, WHOLE);
    const right = makeShardBlock(11, RIGHT, { previous: [parent.id], afterSplit: true });
    const left = makeShardBlock(11, LEFT, { previous: [parent.id], afterSplit: true });
    const split = master(fork(leafOf(left.id), leafOf(right.id)));
    for (const child of [left, right]) {
      const links = [
        { id: child.id, proof: split.proof },
        { id: parent.id, proof: prevProof(child) },
      ];
      expect(shardLink(answer(split.block, links), split.block.id)).toEqual(parent.id);
    }
    const quarters = [0n, 1n, 2n, 3n].map((prefix) => ({ workchain: 0, prefixBits: 2, prefix: prefix << 62n }));
    const halves = [makeShardBlock(10, LEFT), makeShardBlock(10, RIGHT)];
    const born = quarters.map((shard, n) =>
      makeShardBlock(11, shard, { previous: [halves[n >> 1]!.id], afterSplit: true }),
    );
    const [l0, l1, l2, l3] = born.map(({ id }) => leafOf(id)) as [CoreCell, CoreCell, CoreCell, CoreCell];
    const four = master(fork(fork(l0, l1), fork(l2, l3)));
    for (const [n, child] of born.entries()) {
      const links = [
        { id: child.id, proof: four.proof },
        { id: halves[n >> 1]!.id, proof: prevProof(child) },
      ];
      expect(shardLink(answer(four.block, links), four.block.id)).toEqual(halves[n >> 1]!.id);
    }
    const l12 = makeShardBlock(12, LEFT);
    const r13 = makeShardBlock(13, RIGHT);
    const merged = makeShardBlock(14, WHOLE, { previous: [l12.id, r13.id], afterMerge: true });
    const joined = master(leafOf(merged.id));
    for (const half of [l12, r13]) {
      const links = [
        { id: merged.id, proof: joined.proof },
        { id: half.id, proof: prevProof(merged) },
      ];
      expect(shardLink(answer(joined.block, links), joined.block.id)).toEqual(half.id);
    }
  });

  it('goes over a back link to the masterchain block that lists the shard', () => {
    const top = makeShardBlock(10, WHOLE);
    const { block: lister, proof } = master(leafOf(top.id));
    const later = newerBlock([{ id: lister.id, keyBlock: false }], { seqno: 170 });
    const mcProof = {
      '@type': 'blocks.blockLinkBack',
      to_key_block: false,
      from: blockIdToAnswer(later.block.id),
      to: blockIdToAnswer(lister.id),
      dest_proof: base64(headerProof(lister)),
      proof: base64(later.proof),
      state_proof: base64(later.stateProof),
    };
    const full = answer(later.block, [{ id: top.id, proof }], [mcProof], lister.id);
    expect(shardLink(full, later.block.id, top.id)).toEqual(top.id);
    const missing = answer(later.block, [{ id: top.id, proof }], [], lister.id);
    expect(codeOf(() => shardLink(missing, later.block.id))).toBe('trust/not-connected');
    const twice = { ...full, mc_proof: [mcProof, mcProof] };
    expect(codeOf(() => shardLink(twice, later.block.id))).toBe('decode/too-large');
    const twin = newerBlock([{ id: lister.id, keyBlock: false }], { seqno: 171 });
    const foreign = {
      ...mcProof,
      from: blockIdToAnswer(twin.block.id),
      proof: base64(twin.proof),
      state_proof: base64(twin.stateProof),
    };
    expect(codeOf(() => shardLink({ ...full, mc_proof: [foreign] }, later.block.id))).toBe('trust/not-connected');
    const elsewhere = { ...full, mc_proof: [{ ...mcProof, to: blockIdToAnswer(key100.id) }] };
    expect(codeOf(() => shardLink(elsewhere, later.block.id))).toBe('trust/not-connected');
  });

  it('is refused when it leads to the zerostate, which lists no shard block and is no masterchain block of any number', () => {
    const young = newerBlock([], { prevKeyBlockSeqno: 0 });
    const link = {
      '@type': 'blocks.blockLinkBack',
      to_key_block: true,
      from: blockIdToAnswer(young.block.id),
      to: blockIdToAnswer(zero.id),
      dest_proof: '',
      proof: base64(young.proof),
      state_proof: base64(young.stateProof),
    };
    expect(checkBackLink({ kind: 'back', ...backToZerostate(young, true) }, 'link').seqno).toBe(150);
    const full = answer(young.block, [], [link], zero.id);
    expect(codeOf(() => shardLink(full, young.block.id))).toBe('trust/header');
    expect(codeOf(() => shardLink(full, young.block.id, zero.id))).toBe('trust/header');
  });

  it('is refused for a shard that is not listed: other hashes, other workchain, deeper or shallower in the tree', () => {
    const top = makeShardBlock(10, WHOLE);
    const { block, proof } = master(leafOf(top.id));
    const verify = (id: BlockIdExt) => codeOf(() => shardLink(answer(block, [{ id, proof }]), block.id));
    expect(verify(top.id)).toBe('accepted');
    expect(verify({ ...top.id, seqno: 11 })).toBe('trust/not-listed');
    expect(verify({ ...top.id, fileHash: top.id.rootHash })).toBe('trust/not-listed');
    expect(verify({ ...top.id, workchain: 1 })).toBe('trust/not-listed');
    expect(verify({ ...top.id, workchain: -1 })).toBe('trust/not-listed');
    expect(verify({ ...top.id, shard: 1n << 62n })).toBe('trust/not-listed');
    expect(verify({ ...top.id, shard: 0n })).toBe('trust/not-listed');
    const unlisting = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100 });
    const empty = proofShowing(unlisting.root, [customOf(unlisting)]);
    const lists = codeOf(() => shardLink(answer(unlisting, [{ id: top.id, proof: empty }]), unlisting.id));
    expect(lists).toBe('trust/not-listed');
    for (const tag of [0xc, 0x2, 0x0]) {
      const other = master(leafOf(top.id, tag));
      const link = { id: top.id, proof: other.proof };
      expect(codeOf(() => shardLink(answer(other.block, [link]), other.block.id))).toBe('decode/boc');
    }
    const borrowed = answer(unlisting, [{ id: top.id, proof }]);
    expect(codeOf(() => shardLink(borrowed, unlisting.id))).toBe('trust/root-hash');
    const self = master(leafOf({ ...top.id, workchain: -1 }), -1);
    const claimed = answer(self.block, [{ id: { ...top.id, workchain: -1 }, proof: self.proof }]);
    expect(codeOf(() => shardLink(claimed, self.block.id))).toBe('trust/not-listed');
    const flagged = master(leafOf(top.id, 0xa, 1));
    expect(
      codeOf(() => shardLink(answer(flagged.block, [{ id: top.id, proof: flagged.proof }]), flagged.block.id)),
    ).toBe('decode/boc');
    const forked = master(fork(leafOf(top.id), leafOf(top.id)));
    const id = { ...top.id };
    expect(codeOf(() => shardLink(answer(forked.block, [{ id, proof: forked.proof }]), forked.block.id))).toBe(
      'trust/not-listed',
    );
  });

  it('is refused for a shard that is split further here, whatever stands below, seen or not', () => {
    const [left, right] = [makeShardBlock(10, LEFT), makeShardBlock(10, RIGHT)];
    const tree = fork(leafOf(left.id), leafOf(right.id));
    const { block } = master(tree);
    const proof = proofShowing(block.root, [customOf(block), tree]);
    const verify = (id: BlockIdExt) => codeOf(() => shardLink(answer(block, [{ id, proof }]), block.id));
    expect(verify({ ...left.id, shard: -(1n << 63n) })).toBe('trust/not-listed');
    expect(verify(left.id)).toBe('trust/pruned');
  });

  it('is refused with anything after the description of a shard, in a fork, or beside the tree', () => {
    const top = makeShardBlock(10, WHOLE);
    const longer = (cell: CoreCell) => beginCell().storeSlice(cell.beginParse()).storeBit(0).endCell();
    const verify = (tree: CoreCell, id = top.id) => {
      const { block, proof } = master(tree);
      return codeOf(() => shardLink(answer(block, [{ id, proof }]), block.id));
    };
    for (const tag of [0xa, 0xb] as const) expect(verify(longer(leafOf(top.id, tag)))).toBe('decode/boc');
    const left = makeShardBlock(10, LEFT);
    expect(verify(fork(leafOf(left.id), leafOf(left.id)), left.id)).toBe('accepted');
    expect(verify(longer(fork(leafOf(left.id), leafOf(left.id))), left.id)).toBe('decode/boc');
    // A dictionary of one workchain: a label of all 32 bits, then the reference and a bit too many.
    const beside = beginCell()
      .storeUint(0b10, 2)
      .storeUint(32, 6)
      .storeUint(0, 32)
      .storeRef(leafOf(top.id))
      .storeBit(0);
    const hashes = beside.endCell();
    const block = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100, shardHashes: hashes });
    const proof = proofShowing(block.root, [customOf(block), ...everyCell(hashes)]);
    expect(codeOf(() => shardLink(answer(block, [{ id: top.id, proof }]), block.id))).toBe('decode/boc');
  });

  it('is refused when it goes over a block that is none of the masterchain', () => {
    const top = makeShardBlock(10, WHOLE);
    const { block, proof } = master(leafOf(top.id));
    const mcId = { ...block.id, workchain: 0 };
    const claimed = answer(block, [{ id: top.id, proof }], [], mcId);
    expect(() => shardLink(claimed, block.id)).toThrow(
      expect.objectContaining({ code: 'trust/wrong-workchain', path: 'mc_id' }),
    );
  });

  it('is refused when a proof is of another block, or a block does not follow the one named', () => {
    const first = makeShardBlock(10, WHOLE);
    const second = makeShardBlock(11, WHOLE, { previous: [first.id] });
    const other = makeShardBlock(10, WHOLE, { genUtime: 3 });
    const { block, proof } = master(leafOf(second.id));
    const verify = (id: BlockIdExt, link: Uint8Array) =>
      codeOf(() =>
        shardLink(
          answer(block, [
            { id: second.id, proof },
            { id, proof: link },
          ]),
          block.id,
        ),
      );
    expect(verify(first.id, prevProof(second))).toBe('accepted');
    expect(verify(other.id, prevProof(second))).toBe('trust/not-listed');
    expect(verify(first.id, prevProof(first))).toBe('trust/root-hash');
    expect(verify(first.id, proofShowing(second.root, [infoOf(second)]))).toBe('trust/pruned');
    const jump = makeShardBlock(13, WHOLE, { previous: [first.id] });
    const jumped = master(leafOf(jump.id));
    const links = [
      { id: jump.id, proof: jumped.proof },
      { id: first.id, proof: prevProof(jump) },
    ];
    expect(codeOf(() => shardLink(answer(jumped.block, links), jumped.block.id))).toBe('trust/header');
    const born = makeShardBlock(1, RIGHT, { previous: [{ ...first.id, seqno: 0 }], afterSplit: true });
    const split = master(fork(leafOf(born.id), leafOf(born.id)));
    const bornLinks = [
      { id: born.id, proof: split.proof },
      { id: { ...first.id, seqno: 0 }, proof: prevProof(born) },
    ];
    expect(codeOf(() => shardLink(answer(split.block, bornLinks), split.block.id))).toBe('trust/header');
    const both = makeShardBlock(13, WHOLE, { previous: [first.id, first.id], afterMerge: true, afterSplit: true });
    const odd = master(leafOf(both.id));
    const oddLinks = [
      { id: both.id, proof: odd.proof },
      { id: first.id, proof: prevProof(both) },
    ];
    expect(codeOf(() => shardLink(answer(odd.block, oddLinks), odd.block.id))).toBe('decode/boc');
  });

  it('is refused with more than eight links, and as anything but an answer', () => {
    const top = makeShardBlock(10, WHOLE);
    const { block, proof } = master(leafOf(top.id));
    const nine = Array.from({ length: 9 }, () => ({ id: top.id, proof }));
    expect(codeOf(() => shardLink(answer(block, nine), block.id))).toBe('decode/too-large');
    for (const junk of [null, [], {}, { ok: true, result: {} }, { ok: true, result: [] }]) {
      expect(codeOf(() => shardLink(junk, block.id))).toBe('decode/shape');
    }
    expect(codeOf(() => shardLink({ ok: false, error: 'no' }, block.id))).toBe('decode/api-error');
    expect(codeOf(() => shardLink(answer(block, []), top.id))).toBe('trust/wrong-workchain');
  });
});
