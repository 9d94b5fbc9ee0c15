import { describe, expect, it } from 'vitest';
import { placeOf, requireAfterCheckpoint } from '../../../src/app/cli/follow/follow-place.ts';
import { formatBlockId } from '../../../src/core/block/block-id.ts';
import { type Checkpoint, checkpointFromKeyBlock } from '../../../src/core/chain/checkpoint.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { configProof } from '../../helpers/make-chain.ts';

const chain = new LiteChain({ length: 45 });
const pinned = (seqno: number) => checkpointFromKeyBlock(configProof(chain.blocks.get(seqno)!), chain.id(seqno));
/** A checkpoint at one key block, with trust that began at another. */
const led = (seqno: number, from: number): Checkpoint => ({ ...pinned(seqno), anchor: chain.id(from) });
const past = (seqno: number) => ({ after: chain.id(seqno) });
const wrong = (seqno: number) => ({ after: { ...chain.id(seqno), rootHash: new Uint8Array(32) } });

describe('where a follower begins', () => {
  it('is after the key block of the checkpoint', () => {
    requireAfterCheckpoint(pinned(10), { from: 11, to: undefined });
    for (const name of ['from', 'to'] as const) {
      const blocks = { from: undefined, to: undefined, [name]: 10 };
      expect(() => requireAfterCheckpoint(pinned(10), blocks)).toThrow(
        expect.objectContaining({
          code: 'usage/bad-option',
          message: `--${name}: expected a block after 10, the key block of the checkpoint, got 10`,
          hint: expect.stringContaining('ton-finality verify SEQNO') as string,
        }),
      );
    }
  });
});

describe('where a follower goes on', () => {
  it('begins at the checkpoint without a state, and where an earlier run was to begin', () => {
    expect(placeOf(undefined, pinned(10), 12)).toEqual({ checkpoint: pinned(10), from: 12 });
    expect(placeOf({ from: 12 }, pinned(10), undefined)).toEqual({ checkpoint: pinned(10), from: 12 });
  });

  it('goes on with the state that it left itself', () => {
    const checkpoint = led(30, 10);
    const kept = { ...past(33), checkpoint, start: formatBlockId(chain.id(10)) };
    expect(placeOf(kept, pinned(10), undefined)).toEqual({ checkpoint, ...past(33) });
  });

  it('has the way lead over a newer key block of the same trust, or begins there', () => {
    const checkpoint = led(20, 10);
    const newer = led(40, 10);
    expect(placeOf({ ...past(33), checkpoint }, newer, undefined)).toEqual({
      checkpoint,
      ...past(33),
      through: chain.id(40),
    });
    expect(placeOf({ ...past(43), checkpoint }, newer, undefined)).toEqual({ checkpoint: newer, ...past(43) });
  });

  it('begins where an earlier run was to begin, over a key block of the same trust that was pinned since', () => {
    const begun = { from: 12, checkpoint: pinned(10), start: formatBlockId(chain.id(10)) };
    const newer = led(20, 10);
    expect(placeOf(begun, newer, undefined)).toEqual({ checkpoint: pinned(10), from: 12, through: chain.id(20) });
    expect(placeOf({ ...begun, from: 21 }, newer, undefined)).toEqual({ checkpoint: newer, from: 21 });
    expect(placeOf({ ...begun, from: 31 }, pinned(30), undefined)).toEqual({ checkpoint: pinned(30), from: 31 });
  });

  it('has a state proven that was begun with another checkpoint of the same trust', () => {
    const checkpoint = led(30, 10);
    const place = placeOf({ ...past(33), checkpoint, start: formatBlockId(chain.id(10)) }, led(20, 10), undefined);
    expect(place).toEqual({ checkpoint, ...past(33), unproven: chain.id(30) });
    expect(placeOf({ ...past(33), checkpoint }, pinned(10), undefined)).toHaveProperty('unproven');
  });

  it.each([
    ['trust that began elsewhere', { ...past(33), checkpoint: led(30, 10) }, pinned(20)],
    ['another block at the number of the checkpoint', { ...wrong(20), checkpoint: led(10, 10) }, led(20, 10)],
    ['a place before the checkpoint, and no trust of its own', past(5), pinned(20)],
    ['a first block before the checkpoint, and no trust of its own', { from: 20 }, pinned(20)],
    [
      'a first block before the checkpoint, and trust that began elsewhere',
      { from: 20, checkpoint: led(10, 10) },
      pinned(20),
    ],
  ])('refuses a state with %s', (_, kept, start) => {
    expect(() => placeOf(kept, start, undefined)).toThrow(
      expect.objectContaining({
        code: 'usage/bad-option',
        path: '--state',
        hint: expect.stringMatching(/remove this one/),
      }),
    );
  });
});
