import { describe, expect, it } from 'vitest';
import {
  advanceCheckpoint,
  checkpointFromKeyBlock,
  checkpointToJson,
  parseCheckpoint,
  validatorSetAt,
  verifyBlockProof,
  verifyStoredProof,
  type WalkOptions,
} from '../../../src/chain.ts';
import { FinalityError } from '../../../src/core/base/errors.ts';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import { endOf } from '../../../src/core/chain/walk.ts';
import { isOwnReport } from '../../../src/core/verify/own-report.ts';
import { a, backLink, key100, listed, newerBlock } from '../../helpers/make-back-link.ts';
import {
  committee,
  configCell,
  honestLink,
  makeBlock,
  signBlock,
  tlBack,
  tlForward,
  tlProof,
  UTIME_UNTIL,
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

const b = committee('b');
const start = checkpointFromKeyBlock(key100.boc, key100.id);
const plain120 = makeBlock({ seqno: 120, signedBy: a, prevKeyBlockSeqno: 100 });
const key200 = makeBlock({
  seqno: 200,
  signedBy: a,
  prevKeyBlockSeqno: 100,
  config: configCell({ elected: b, utimeUntil: 9_000_000 }),
});
/** The last second at which the set of key block 100 still answers for what it signed. */
const last = UTIME_UNTIL + 32_768;

describe('a second history, forged with the leaked keys of an old set', () => {
  const old = committee('old');
  const leaked = makeBlock({ seqno: 100, signedBy: a, prevKeyBlockSeqno: 0, config: configCell({ elected: old }) });
  const between = newerBlock(listed(leaked), { seqno: 150 });
  const key = makeBlock({ seqno: 200, signedBy: old, prevKeyBlockSeqno: 100, config: configCell({ elected: b }) });
  const pinned = newerBlock(listed(leaked, between.block, key), { seqno: 250, prevKeyBlockSeqno: 200 });
  const walk = (to: BlockIdExt, links: readonly Buffer[]) =>
    verifyBlockProof(tlProof(pinned.block.id, to, links), pinned.block.id);

  it('is not reached by two back links, over a block that those keys ruled, and a forward link past the pinned block', () => {
    const forged = makeBlock({ seqno: 300, signedBy: old, prevKeyBlockSeqno: 100 });
    const links = [
      tlBack(backLink(pinned, between.block)),
      tlBack(backLink(between, leaked)),
      tlForward(honestLink(leaked, forged)),
    ];
    expect(codeOf(() => walk(forged.id, links))).toBe('trust/not-next');
  });

  it('is told from the true one, which goes on from the key block that rules the pinned block', () => {
    const onward = makeBlock({ seqno: 300, signedBy: b, prevKeyBlockSeqno: 200 });
    expect(walk(onward.id, [tlBack(backLink(pinned, key)), tlForward(honestLink(key, onward))]).tip).toEqual(onward.id);
    const detour = [tlBack(backLink(pinned, between.block)), tlBack(backLink(between, leaked))];
    expect(codeOf(() => walk(leaked.id, detour))).toBe('trust/backwards');
  });
});

describe('a forward link', () => {
  it('leads past the newest trusted block, not to another block of its number', () => {
    const pinned = newerBlock(listed(key100, plain120));
    const back = tlBack(backLink(pinned, key100));
    const to = (seqno: number) => makeBlock({ seqno, signedBy: a, prevKeyBlockSeqno: 100, genUtime: 1_600_000 });
    const walk = (block: ReturnType<typeof to>) => {
      const tl = tlProof(pinned.block.id, block.id, [back, tlForward(honestLink(key100, block))]);
      return codeOf(() => verifyBlockProof(tl, pinned.block.id));
    };
    expect([149, 150, 151].map(to).map(walk)).toEqual(['trust/backwards', 'trust/backwards', 'accepted']);
  });
});

describe('the anchor', () => {
  it('stays the block that was pinned, however far trust has moved', () => {
    const key300 = makeBlock({ seqno: 300, signedBy: b, prevKeyBlockSeqno: 200, config: configCell({ elected: a }) });
    const block350 = makeBlock({ seqno: 350, signedBy: a, prevKeyBlockSeqno: 300 });
    const moved = advanceCheckpoint({ block: key200.boc, signatures: signBlock(key200) }, start);
    const links = [tlForward(honestLink(key200, key300)), tlForward(honestLink(key300, block350))];
    const { checkpoint, reports } = verifyBlockProof(tlProof(key200.id, block350.id, links), moved);
    expect([moved.anchor, checkpoint.anchor]).toEqual([key100.id, key100.id]);
    expect(checkpoint.keyBlock).toEqual(key300.id);
    for (const { validators } of reports) expect(validators.provenance).toMatchObject({ anchor: key100.id });
  });
});

describe('the clock of a walk', () => {
  const aware160 = newerBlock(listed(key100, plain120), { seqno: 160 });
  const forward = tlForward(honestLink(key100, aware160.block));
  const judged = (to: BlockIdExt, links: readonly Buffer[], opts: WalkOptions) =>
    verifyBlockProof(tlProof(key100.id, to, links), start, opts).reports.map(({ verdict }) => verdict);

  it('judges the last forward link, also when a back link follows it', () => {
    const back = tlBack(backLink(aware160, plain120));
    for (const [to, links] of [
      [aware160.block.id, [forward]],
      [plain120.id, [forward, back]],
    ] as const) {
      expect(judged(to, links, { nowSeconds: last })).toEqual([{ status: 'final' }]);
      expect(judged(to, links, { nowSeconds: last + 1 })).toEqual([{ status: 'undecided', reason: 'stale-set' }]);
      expect(judged(to, links, {})).toEqual([{ status: 'final' }]);
    }
  });

  it('does not judge the forward links before the last one', () => {
    const block250 = makeBlock({ seqno: 250, signedBy: b, prevKeyBlockSeqno: 200 });
    const links = [tlForward(honestLink(key100, key200)), tlForward(honestLink(key200, block250))];
    expect(judged(block250.id, links, { nowSeconds: last + 1 })).toEqual([{ status: 'final' }, { status: 'final' }]);
  });

  it('puts a warning on every report whose set is past its time, and on no other', () => {
    const block250 = makeBlock({ seqno: 250, signedBy: b, prevKeyBlockSeqno: 200 });
    const links = [tlForward(honestLink(key100, key200)), tlForward(honestLink(key200, block250))];
    const warned = (to: BlockIdExt, some: readonly Buffer[], opts: WalkOptions) => {
      const { reports } = verifyBlockProof(tlProof(key100.id, to, some), start, opts);
      for (const report of reports) expect(isOwnReport(report)).toBe(true);
      return reports.map(({ warnings }) => warnings.filter(({ code }) => code === 'stale-set').length);
    };
    expect(warned(block250.id, links, { nowSeconds: last + 1 })).toEqual([1, 0]);
    expect(warned(block250.id, links, { nowSeconds: 9_000_000 + 32_769 })).toEqual([1, 1]);
    expect(warned(block250.id, links, { nowSeconds: last })).toEqual([0, 0]);
    expect(warned(block250.id, links, {})).toEqual([0, 0]);
    const late = makeBlock({ seqno: 160, signedBy: a, prevKeyBlockSeqno: 100, genUtime: last + 1 });
    const one = [tlForward(honestLink(key100, late))];
    for (const opts of [{}, { nowSeconds: last + 2 }]) expect(warned(late.id, one, opts)).toEqual([1]);
  });

  it('is in Unix seconds, and neither misspelt nor in milliseconds', () => {
    const tl = tlProof(key100.id, key100.id, []);
    const step = { block: key200.boc, signatures: signBlock(key200) };
    const wrong = [
      { nowSeconds: Number.NaN },
      { nowSeconds: Date.now() },
      { nowSecond: 1 },
      { now: 1 },
      { to: key100.id },
    ];
    // What a program in JavaScript may pass.
    for (const opts of wrong as unknown as WalkOptions[]) {
      expect(codeOf(() => verifyBlockProof(tl, start, opts))).toBe('usage/bad-option');
      expect(codeOf(() => advanceCheckpoint(step, start, opts))).toBe('usage/bad-option');
    }
    const misspelt = { nowSecond: 1 } as unknown as WalkOptions;
    expect(codeOf(() => verifyStoredProof(tl, start, misspelt))).toBe('usage/bad-option');
  });

  it('leaves no header of the tip after a trailing back link', () => {
    const links = [forward, tlBack(backLink(aware160, plain120))];
    const walk = verifyBlockProof(tlProof(key100.id, plain120.id, links), start);
    expect(walk.tip).toEqual(plain120.id);
    expect(walk).not.toHaveProperty('tipHeader');
  });
});

describe('the tip of a walk', () => {
  const walk = () => verifyBlockProof(tlProof(key100.id, key200.id, [tlForward(honestLink(key100, key200))]), start);

  it('stays what was proven, whatever is written into the one that is shown', () => {
    const made = walk();
    made.tip.rootHash.fill(7);
    expect(endOf(made)?.pinned).toEqual(key200.id);
  });

  it('is nobody’s where the walk was put together by hand', () => {
    expect(endOf({ ...walk() })).toBeUndefined();
  });
});

describe('a start that is past its time', () => {
  const empty = tlProof(key100.id, key100.id, []);
  const one = tlProof(key100.id, key200.id, [tlForward(honestLink(key100, key200))]);

  it('is told with the first link, from a checkpoint and from a pinned id, and with no link at all', () => {
    for (const [from, tl] of [
      [start, empty],
      [start, one],
      [key100.id, one],
    ] as const) {
      const told = (opts: WalkOptions) => verifyBlockProof(tl, from, opts).startIsStale;
      expect(told({ nowSeconds: last })).toBe(false);
      expect(told({ nowSeconds: last + 1 })).toBe(true);
    }
  });

  it('is told by a walk that goes on with a clock from one without', () => {
    const key300 = makeBlock({ seqno: 300, signedBy: b, prevKeyBlockSeqno: 200, config: configCell({ elected: a }) });
    const two = tlProof(key200.id, key300.id, [tlForward(honestLink(key200, key300))]);
    for (const from of [start, key100.id]) {
      const walk = verifyBlockProof(one, from);
      const told = (nowSeconds: number) => verifyBlockProof(two, walk, { nowSeconds }).startIsStale;
      expect([told(last), told(last + 1)]).toEqual([false, true]);
    }
  });

  it('is neither told nor denied without a clock', () => {
    for (const tl of [empty, one]) expect(verifyBlockProof(tl, start)).toHaveProperty('startIsStale', undefined);
    const step = { block: key200.boc, signatures: signBlock(key200) };
    expect(advanceCheckpoint(step, start)).toHaveProperty('startIsStale', undefined);
  });

  it('is told by a step to the next key block, which is good all the same, and kept in its file', () => {
    const step = { block: key200.boc, signatures: signBlock(key200) };
    const [fresh, stale] = [last, last + 1].map((nowSeconds) => advanceCheckpoint(step, start, { nowSeconds }));
    expect([fresh?.startIsStale, stale?.startIsStale]).toEqual([false, true]);
    const { startIsStale: _, ...kept } = stale!;
    expect(kept.staleStart).toBe('refused');
    expect(parseCheckpoint(checkpointToJson(stale!))).toEqual(kept);
    expect(validatorSetAt(stale!)).toBe(validatorSetAt(stale!));
  });
});
