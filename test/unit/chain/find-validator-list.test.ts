/** Which cells are taken for a block, for a state, and for a list of validators. */
import { describe, expect, it } from 'vitest';
import { findValidatorList } from '../../../src/core/chain/find-validator-list.ts';
import { beginCell, bocOf } from '../../helpers/cells.ts';
import { a } from '../../helpers/make-back-link.ts';
import { configCell, makeBlock } from '../../helpers/make-chain.ts';

const BLOCK = 0x11ef55aa;
const STATE = 0x9023afe2;

describe('a list of validators', () => {
  it('is what is neither a block nor a state, by its size and its tag', () => {
    const place = (tag: number, bits: number) => {
      const cell = beginCell().storeUint(tag, 32);
      for (let bit = 32; bit < bits; bit++) cell.storeBit(0);
      return () => findValidatorList(Uint8Array.from(bocOf(cell.endCell())));
    };
    const at = (path: string) => expect.objectContaining({ path: expect.stringMatching(new RegExp(`^${path}`)) });
    expect(place(BLOCK, 64)).toThrow(at('block'));
    expect(place(STATE, 362)).toThrow(at('state'));
    for (const [tag, bits] of [
      [STATE, 64],
      [BLOCK, 362],
      [0x11000000, 64],
      [0x11000000, 362],
      [BLOCK, 65],
      [STATE, 361],
    ] as const) {
      expect(place(tag, bits), `${tag} ${bits}`).toThrow(at('validators'));
    }
    expect(() => findValidatorList(Uint8Array.from(bocOf(beginCell().storeUint(0x11, 8).endCell())))).toThrow(
      at('validators'),
    );
  });

  it('is refused for a configuration that has none', () => {
    const config = configCell({ elected: a, param34: 'absent' });
    const block = makeBlock({ seqno: 100, signedBy: a, prevKeyBlockSeqno: 50, config });
    expect(() => findValidatorList(block.boc)).toThrow(
      expect.objectContaining({ code: 'decode/shape', path: 'config' }),
    );
  });
});
