import { describe, expect, it } from 'vitest';
import { FinalityError } from '../../../src/core/base/errors.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { findEarlierBlock, readMasterchainState } from '../../../src/core/chain/shard-state.ts';
import { bocOf } from '../../helpers/cells.ts';
import { key100, listed, zero } from '../../helpers/make-back-link.ts';
import { committee, configCell, makeBlock, makeState, type StateForm } from '../../helpers/make-chain.ts';

const a = committee('a');
const plain120 = makeBlock({ seqno: 120, signedBy: a, prevKeyBlockSeqno: 100 });
const earlier = [{ id: zero.id, keyBlock: true }, ...listed(key100, plain120)];
const read = (over: Partial<StateForm>) =>
  readMasterchainState(
    parseSingleRoot(bocOf(makeState({ seqno: 150, config: configCell({ elected: a }), earlier, ...over }))),
    'state',
  );

function outcome(over: Partial<StateForm>): unknown {
  try {
    return findEarlierBlock(read(over), 120);
  } catch (error) {
    if (error instanceof FinalityError) return error.code;
    throw error;
  }
}

describe('the state of the masterchain', () => {
  const found = { id: plain120.id, keyBlock: false };

  it('lists the earlier blocks in every form of what stands beside the list', () => {
    const forms: Partial<StateForm>[] = [{}, { lastKeyBlock: key100.id }, { stats: 0x17 }, { stats: 0x34 }];
    for (const form of [...forms, { lastKeyBlock: key100.id, stats: 0x34 }]) expect(outcome(form)).toEqual(found);
    expect(findEarlierBlock(read({}), 100)).toEqual({ id: key100.id, keyBlock: true });
    expect(findEarlierBlock(read({}), 0)).toEqual({ id: zero.id, keyBlock: true });
    expect(findEarlierBlock(read({}), 121)).toBeUndefined();
    expect(findEarlierBlock(read({ earlier: [] }), 120)).toBeUndefined();
  });

  it('is refused with flags or statistics that nobody knows, or a flag without what it stands for', () => {
    for (const form of [
      { flags: 2 },
      { flags: 3, stats: 0x17 },
      { stats: 0x18 },
      { flags: 1 },
      { flags: 0, stats: 0x17 },
    ])
      expect(outcome(form), JSON.stringify(form)).toBe('decode/boc');
  });

  it('has masterchain data', () => {
    expect(() => read({ plain: true })).toThrow(expect.objectContaining({ code: 'decode/boc', path: 'state' }));
  });

  it('is refused with a bit too many in any of the cells on the way', () => {
    for (const trailing of ['state', 'custom', 'info', 'entry'] as const) {
      expect(outcome({ trailing }), trailing).toBe('decode/boc');
    }
  });
});
