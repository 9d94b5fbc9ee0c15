import { describe, expect, it } from 'vitest';
import { checkpointFromKeyBlock, verifyBlockProof } from '../../../src/chain.ts';
import { FinalityError } from '../../../src/core/base/errors.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { type Block, readBlock } from '../../../src/core/chain/block-header.ts';
import { parsePartialBlockProof } from '../../../src/core/chain/block-proof.ts';
import { readMcBlockExtra } from '../../../src/core/chain/key-block-config.ts';
import { checkBackLink, requireStateOf } from '../../../src/core/chain/link.ts';
import { beginCell, bocOf, type CoreCell } from '../../helpers/cells.ts';
import {
  a,
  backLink,
  backToZerostate,
  everyCell,
  key100,
  listed,
  newerBlock,
  whole,
  zero,
} from '../../helpers/make-back-link.ts';
import {
  type BackForm,
  committee,
  configCell,
  type ForwardForm,
  headerOf,
  headerProof,
  honestLink,
  infoOf,
  type MadeBlock,
  makeBlock,
  makeState,
  proofShowing,
  tlBack,
  tlForward,
  tlProof,
  updateOf,
} from '../../helpers/make-chain.ts';

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (error instanceof FinalityError) return error.code;
    throw error;
  }
}

const plain120 = makeBlock({ seqno: 120, signedBy: a, prevKeyBlockSeqno: 100 });
const known = listed(key100, plain120);
const newer = newerBlock(known);
const back = (to: MadeBlock, over: Partial<BackForm> = {}) => backLink(newer, to, over);
const block160 = makeBlock({ seqno: 160, signedBy: a, prevKeyBlockSeqno: 100 });
const forward: ForwardForm = honestLink(key100, block160);
/** Back to the key block, then forward past the pinned block, as a lite server answers for a block that is none. */
const walkBack = (link: BackForm) =>
  verifyBlockProof(tlProof(link.from, block160.id, [tlBack(link), tlForward(forward)]), link.from);

describe('the state after a block', () => {
  it('is named by a Merkle update, and by no other cell', () => {
    const cell = parseSingleRoot(
      bocOf(beginCell().storeRef(beginCell().endCell()).storeRef(beginCell().endCell()).endCell()),
    );
    const block: Block = { globalId: 1, info: cell, stateUpdate: cell, extra: cell };
    expect(() => requireStateOf(block, cell, 'proof', 'state')).toThrow(
      expect.objectContaining({ code: 'trust/state-hash', path: 'proof.state_update' }),
    );
  });
});

describe('the masterchain data of a block', () => {
  it('are not there in a block of a shard', () => {
    const block = makeBlock({
      seqno: 9,
      signedBy: a,
      prevKeyBlockSeqno: 0,
      shard: { workchain: 0, prefixBits: 0, prefix: 0n },
    });
    const read = readBlock(parseSingleRoot(block.boc), 'block');
    expect(() => readMcBlockExtra(read, 'block')).toThrow(
      expect.objectContaining({ code: 'decode/boc', path: expect.stringMatching(/^block\.extra/) }),
    );
  });
});

describe('a back link', () => {
  it('carries trust from a pinned block that is no key block to the key block before it, and forward again', () => {
    const result = walkBack(back(key100));
    expect(result.tip).toEqual(block160.id);
    expect(result.checkpoint.keyBlock).toEqual(key100.id);
    expect(result.checkpoint.anchor).toEqual(newer.block.id);
  });

  it('leads to the zerostate, without a destination proof', () => {
    const young = newerBlock([], { prevKeyBlockSeqno: 0 });
    const link = backToZerostate(young, true);
    const first = makeBlock({ seqno: 200, signedBy: a, prevKeyBlockSeqno: 0 });
    const on = { ...honestLink(key100, first), from: zero.id, configProof: whole(zero.root) };
    const walk = (one: BackForm) =>
      verifyBlockProof(tlProof(one.from, first.id, [tlBack(one), tlForward(on)]), one.from);
    expect(walk(link).checkpoint.keyBlock).toEqual(zero.id);
    expect(codeOf(() => walk({ ...link, destProof: headerProof(key100) }))).toBe('trust/header');
  });

  it('is refused when trust would end older than it began', () => {
    const only = tlProof(newer.block.id, key100.id, [tlBack(back(key100))]);
    expect(codeOf(() => verifyBlockProof(only, newer.block.id))).toBe('trust/backwards');
    const upside = { ...back(key100), from: key100.id, to: newer.block.id };
    expect(codeOf(() => verifyBlockProof(tlProof(key100.id, newer.block.id, [tlBack(upside)]), key100.id))).toBe(
      'trust/backwards',
    );
  });

  it('is refused when the state is another one, of another block, or of another network', () => {
    const other = newerBlock(known.slice(0, 1));
    expect(codeOf(() => walkBack(back(key100, { stateProof: other.stateProof })))).toBe('trust/state-hash');
    const mislabelled = newerBlock(known, { stateOf: 149 });
    const from = mislabelled.block.id;
    const { proof, stateProof } = mislabelled;
    expect(codeOf(() => walkBack(back(key100, { from, proof, stateProof })))).toBe('trust/header');
    const foreign = newerBlock(known, { stateGlobalId: -3 });
    const parts = { from: foreign.block.id, proof: foreign.proof, stateProof: foreign.stateProof };
    expect(codeOf(() => walkBack(back(key100, parts)))).toBe('trust/wrong-network');
  });

  it('is refused for a block that the state does not list, or lists with another file hash or flag', () => {
    const stranger = makeBlock({ seqno: 101, signedBy: a, prevKeyBlockSeqno: 0, config: configCell({ elected: a }) });
    expect(codeOf(() => walkBack(back(stranger)))).toBe('trust/not-listed');
    const twin = makeBlock({
      seqno: 100,
      signedBy: a,
      prevKeyBlockSeqno: 0,
      config: configCell({ elected: a }),
      genUtime: 7,
    });
    expect(codeOf(() => walkBack(back(twin)))).toBe('trust/not-listed');
    const refiled = { ...key100.id, fileHash: plain120.id.fileHash };
    expect(codeOf(() => walkBack(back(key100, { to: refiled })))).toBe('trust/not-listed');
    const lying = newerBlock([{ id: key100.id, keyBlock: false }]);
    const parts = { from: lying.block.id, proof: lying.proof, stateProof: lying.stateProof };
    expect(codeOf(() => walkBack(back(key100, parts)))).toBe('trust/key-block-flag');
    const rootless = makeState({ seqno: 150, config: configCell({ elected: a }), earlier: known });
    const bare = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100, state: rootless });
    const proof = proofShowing(bare.root, [...headerOf(bare), ...everyCell(updateOf(bare))]);
    expect(codeOf(() => walkBack(back(key100, { from: bare.id, proof, stateProof: whole(rootless) })))).toBe(
      'trust/not-listed',
    );
  });

  it('is refused when the header proof of either end is another block’s, or hides the state update', () => {
    expect(codeOf(() => walkBack(back(key100, { destProof: headerProof(plain120) })))).toBe('trust/root-hash');
    expect(codeOf(() => walkBack(back(key100, { proof: headerProof(plain120) })))).toBe('trust/root-hash');
    expect(codeOf(() => walkBack(back(key100, { proof: headerProof(newer.block) })))).toBe('trust/pruned');
    const hidden = proofShowing(newer.state, [newer.state.refs[3]!]);
    expect(codeOf(() => walkBack(back(key100, { stateProof: hidden })))).toBe('trust/pruned');
  });

  it('does not let leaked keys of an older set write a second history past the pinned block', () => {
    const old = committee('old');
    const key50 = makeBlock({ seqno: 50, signedBy: a, prevKeyBlockSeqno: 0, config: configCell({ elected: old }) });
    const forged = makeBlock({ seqno: 160, signedBy: old, prevKeyBlockSeqno: 50 });
    const aware = newerBlock([{ id: key50.id, keyBlock: true }, ...known]);
    const parts = { from: aware.block.id, proof: aware.proof, stateProof: aware.stateProof };
    const past = [tlBack(back(key50, parts)), tlForward(honestLink(key50, forged))];
    expect(codeOf(() => verifyBlockProof(tlProof(aware.block.id, forged.id, past), aware.block.id))).toBe(
      'trust/not-next',
    );
    // Nor a key block of theirs before it, to go on from.
    const early = makeBlock({ seqno: 140, signedBy: a, prevKeyBlockSeqno: 100, config: configCell({ elected: old }) });
    const next = makeBlock({ seqno: 160, signedBy: old, prevKeyBlockSeqno: 140 });
    const over = [
      tlBack(back(key100, parts)),
      tlForward(honestLink(key100, early)),
      tlForward(honestLink(early, next)),
    ];
    expect(codeOf(() => verifyBlockProof(tlProof(aware.block.id, next.id, over), aware.block.id))).toBe(
      'trust/backwards',
    );
    const honest = [tlBack(back(key100, parts)), tlForward(forward)];
    expect(verifyBlockProof(tlProof(aware.block.id, block160.id, honest), aware.block.id).tip).toEqual(block160.id);
  });

  it('is refused when a block that it leads to is followed forward though it is no key block', () => {
    const link = back(plain120);
    const on = { ...forward, from: plain120.id, configProof: whole(plain120.root) };
    const tl = tlProof(newer.block.id, block160.id, [tlBack(link), tlForward(on)]);
    expect(codeOf(() => verifyBlockProof(tl, newer.block.id))).toBe('trust/not-next');
  });

  it('does not lead out of the network of the checkpoint', () => {
    const start = checkpointFromKeyBlock(key100.boc, key100.id);
    expect(parsePartialBlockProof(tlProof(key100.id, key100.id, [])).links).toEqual([]);
    const link = { ...back(key100), from: key100.id };
    expect(codeOf(() => verifyBlockProof(tlProof(key100.id, key100.id, [tlBack(link)]), start))).toBe(
      'trust/backwards',
    );
  });

  it('takes either word on whether a zerostate is a key block, as the node does, and of any other block only the right one', () => {
    for (const toKeyBlock of [true, false]) {
      for (const zeroIsKey of [true, false]) {
        const young = newerBlock([], { prevKeyBlockSeqno: 0, zeroIsKey });
        expect(checkBackLink({ kind: 'back', ...backToZerostate(young, toKeyBlock) }, 'link').seqno).toBe(150);
      }
    }
    for (const to of [key100, plain120]) {
      const link = back(to, { toKeyBlock: to === plain120 });
      expect(codeOf(() => checkBackLink({ kind: 'back', ...link }, 'link'))).toBe('trust/key-block-flag');
    }
  });

  it('is refused when the zerostate is another one than the state lists', () => {
    const young = newerBlock([], { prevKeyBlockSeqno: 0 });
    for (const field of ['rootHash', 'fileHash'] as const) {
      const link = backToZerostate(young, true, { ...zero.id, [field]: key100.id[field] });
      expect(
        codeOf(() => checkBackLink({ kind: 'back', ...link }, 'link')),
        field,
      ).toBe('trust/not-listed');
    }
  });

  it('is refused when the block that it leads to is of another network, though the state lists it', () => {
    const foreign = makeBlock({ seqno: 110, signedBy: a, prevKeyBlockSeqno: 100, globalId: -3 });
    const link = backLink(newerBlock(listed(key100, foreign)), foreign);
    expect(codeOf(() => checkBackLink({ kind: 'back', ...link }, 'link'))).toBe('trust/wrong-network');
  });

  it('is refused in network 0, which is none, though header, state and destination agree on it', () => {
    const nowhere = makeBlock({ seqno: 110, signedBy: a, prevKeyBlockSeqno: 100, globalId: 0 });
    const link = backLink(newerBlock(listed(key100, nowhere), { globalId: 0 }), nowhere);
    expect(codeOf(() => checkBackLink({ kind: 'back', ...link }, 'link'))).toBe('trust/wrong-network');
  });

  it('is refused when the state is that of a shard, of another workchain or of a part of the masterchain', () => {
    for (const stateShard of [
      { workchain: 0, prefixBits: 0, prefix: 0n },
      { workchain: -1, prefixBits: 1, prefix: 0n },
    ]) {
      const link = backLink(newerBlock(known, { stateShard }), key100);
      expect(codeOf(() => checkBackLink({ kind: 'back', ...link }, 'link'))).toBe('trust/wrong-workchain');
    }
  });

  it('must show the block before at both of its ends, and with the right number', () => {
    const pruned = (block: MadeBlock, ...also: CoreCell[]) => proofShowing(block.root, [infoOf(block), ...also]);
    const check = (link: BackForm) => codeOf(() => checkBackLink({ kind: 'back', ...link }, 'link'));
    expect(check(back(key100))).toBe('accepted');
    expect(check(back(key100, { destProof: pruned(key100) }))).toBe('trust/pruned');
    const proof = pruned(newer.block, ...everyCell(updateOf(newer.block)));
    expect(check(back(key100, { proof }))).toBe('trust/pruned');
    const odd = makeBlock({ ...plain120.form, previous: [{ ...key100.id, seqno: 118 }] });
    expect(check(backLink(newerBlock(listed(key100, odd)), odd))).toBe('trust/header');
  });

  it('connects masterchain blocks only, the older one second', () => {
    const check = (over: Partial<BackForm>) =>
      codeOf(() => checkBackLink({ kind: 'back', ...back(key100, over) }, 'link'));
    for (const other of [{ workchain: 0 }, { shard: 1n << 62n }]) {
      expect(check({ from: { ...newer.block.id, ...other } })).toBe('trust/wrong-workchain');
      expect(check({ to: { ...key100.id, ...other } })).toBe('trust/wrong-workchain');
    }
    expect(check({ to: newer.block.id })).toBe('trust/backwards');
    expect(check({ to: { ...key100.id, seqno: 151 } })).toBe('trust/backwards');
  });
});
