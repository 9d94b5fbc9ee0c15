/** Every form that the description of a transaction can have, written by @ton/core where it knows the form. */
import { type Builder, storeTransactionDescription, type TransactionDescription } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { readOutcome } from '../../../src/core/facts/outcome.ts';
import { beginCell, bocOf, type CoreCell } from '../../helpers/cells.ts';

const read = (cell: CoreCell) => readOutcome(parseSingleRoot(bocOf(cell)), 'description');
const written = (description: TransactionDescription) =>
  read(beginCell().store(storeTransactionDescription(description)).endCell());

type Generic = Extract<TransactionDescription, { type: 'generic' }>;
type Vm = Extract<Generic['computePhase'], { type: 'vm' }>;

const vm: Vm = {
  type: 'vm',
  success: true,
  messageStateUsed: false,
  accountActivated: true,
  gasFees: 309_000n,
  gasUsed: 70_001n,
  gasLimit: 1_000_000n,
  gasCredit: null,
  mode: 0,
  exitCode: 0,
  exitArg: null,
  vmSteps: 12,
  vmInitStateHash: 5n,
  vmFinalStateHash: 6n,
};
const action: NonNullable<Generic['actionPhase']> = {
  success: true,
  valid: true,
  noFunds: false,
  statusChange: 'unchanged',
  totalFwdFees: 400n,
  totalActionFees: null,
  resultCode: 0,
  resultArg: null,
  totalActions: 3,
  specActions: 1,
  skippedActions: 0,
  messagesCreated: 2,
  actionListHash: 9n,
  totalMessageSize: { cells: 3n, bits: 900n },
};
const storage = { storageFeesCollected: 7n, storageFeesDue: null, statusChange: 'unchanged' as const };
const good: Generic = {
  type: 'generic',
  creditFirst: true,
  storagePhase: storage,
  creditPhase: { dueFeesColelcted: 1n, credit: { coins: 50_000_000n } },
  computePhase: vm,
  actionPhase: action,
  bouncePhase: null,
  aborted: false,
  destroyed: false,
};
const size = { cells: 1n, bits: 705n };

describe('an ordinary transaction', () => {
  it('succeeds when it was not aborted, its code ended well, and its actions, where it had any', () => {
    expect(written(good)).toEqual({
      type: 'ordinary',
      success: true,
      aborted: false,
      destroyed: false,
      compute: { skipped: false, success: true, exitCode: 0, gasUsed: 70_001n },
      action: { success: true, valid: true, noFunds: false, resultCode: 0, messagesCreated: 2 },
      credit: { grams: 50_000_000n },
    });
    const bare = { ...good, storagePhase: null, creditPhase: null, actionPhase: null };
    expect(written(bare)).toEqual({
      type: 'ordinary',
      success: true,
      aborted: false,
      destroyed: false,
      compute: { skipped: false, success: true, exitCode: 0, gasUsed: 70_001n },
    });
  });

  it.each<[string, Partial<Generic>]>([
    ['it was aborted', { aborted: true }],
    ['its code failed', { computePhase: { ...vm, success: false, exitCode: 35 } }],
    ['its code failed and had no actions', { computePhase: { ...vm, success: false }, actionPhase: null }],
    ['its actions failed', { actionPhase: { ...action, success: false, resultCode: 37 } }],
    ['it has no code', { computePhase: { type: 'skipped', reason: 'no-state' }, actionPhase: null }],
    ['its message was sent back', { bouncePhase: { type: 'ok', messageSize: size, messageFees: 1n, forwardFees: 2n } }],
    ['its message could not be sent back', { bouncePhase: { type: 'negative-funds' } }],
  ])('does not succeed when %s', (_, change) => {
    expect(written({ ...good, ...change }).success).toBe(false);
  });

  it.each<[object, Partial<Generic>]>([
    [{ destroyed: true }, { destroyed: true }],
    [{ compute: { skipped: true, reason: 'no-state' } }, { computePhase: { type: 'skipped', reason: 'no-state' } }],
    [{ compute: { skipped: true, reason: 'bad-state' } }, { computePhase: { type: 'skipped', reason: 'bad-state' } }],
    [{ compute: { skipped: true, reason: 'no-gas' } }, { computePhase: { type: 'skipped', reason: 'no-gas' } }],
    [
      { compute: { skipped: false, success: false, exitCode: -14, gasUsed: 3n } },
      { computePhase: { ...vm, success: false, gasUsed: 3n, gasCredit: 99n, exitCode: -14, exitArg: -1 } },
    ],
    [
      { action: { success: false, valid: false, noFunds: true, resultCode: -37, messagesCreated: 0 } },
      {
        actionPhase: {
          ...action,
          success: false,
          valid: false,
          noFunds: true,
          resultCode: -37,
          resultArg: 4,
          messagesCreated: 0,
          totalActionFees: 8n,
          statusChange: 'deleted',
        },
      },
    ],
    [{ bounce: 'done' }, { bouncePhase: { type: 'ok', messageSize: size, messageFees: 1n, forwardFees: 2n } }],
    [{ bounce: 'no-funds' }, { bouncePhase: { type: 'no-funds', messageSize: size, requiredForwardFees: 2n } }],
    [{ bounce: 'negative-funds' }, { bouncePhase: { type: 'negative-funds' } }],
    [{ credit: { grams: 0n } }, { creditPhase: { credit: { coins: 0n } } }],
    [{ success: true }, { storagePhase: { ...storage, storageFeesDue: 5n, statusChange: 'frozen' } }],
  ])('says %o', (expected, change) => {
    expect(written({ ...good, ...change })).toMatchObject(expected);
  });
});

describe('a transaction that no message brought about', () => {
  const { computePhase, actionPhase, aborted, destroyed } = good;

  it('is a tick or a tock', () => {
    const rest = { storagePhase: storage, computePhase, actionPhase, destroyed };
    const of = (isTock: boolean, changed = false) => written({ type: 'tick-tock', isTock, ...rest, aborted: changed });
    expect(of(false)).toMatchObject({ type: 'tick', success: true, compute: { exitCode: 0 } });
    expect(of(true)).toMatchObject({ type: 'tock', success: true, action: { messagesCreated: 2 } });
    expect(of(true, true)).toMatchObject({ success: false, aborted: true });
    expect(of(true)).not.toHaveProperty('credit');
  });

  it('that only collects fees runs no code, and is no success', () => {
    expect(written({ type: 'storage', storagePhase: storage })).toEqual({
      type: 'storage',
      success: false,
      aborted: false,
      destroyed: false,
    });
  });

  it('may prepare a split', () => {
    const splitInfo = { currentShardPrefixLength: 3, accountSplitDepth: 4, thisAddress: 1n, siblingAddress: 2n };
    for (const storagePhase of [storage, null]) {
      expect(
        written({ type: 'split-prepare', splitInfo, storagePhase, computePhase, aborted, destroyed: true }),
      ).toMatchObject({ type: 'split-prepare', success: true, destroyed: true, compute: { gasUsed: 70_001n } });
    }
  });
});

describe('a transaction of a split or merge', () => {
  const info = (tag: number) => (builder: Builder) =>
    builder.storeUint(tag, 4).storeUint(3, 6).storeUint(4, 6).storeUint(1, 256).storeUint(2, 256);
  const prepared = beginCell().storeUint(7, 4).endCell();
  const phase = (builder: Builder) => builder.storeCoins(7).storeBit(false).storeBit(false);
  const skipped = (reason: number, bits: number) => (builder: Builder) =>
    builder.storeBit(false).storeUint(reason, bits);

  it('that is installed says whether it was', () => {
    for (const installed of [true, false]) {
      const cell = beginCell().store(info(5)).storeRef(prepared).storeBit(installed).endCell();
      expect(read(cell)).toEqual({ type: 'split-install', success: installed, aborted: !installed, destroyed: false });
    }
  });

  it('that prepares a merge runs no code', () => {
    const cell = (aborted: boolean) => beginCell().store(info(6)).store(phase).storeBit(aborted).endCell();
    expect(read(cell(false))).toEqual({ type: 'merge-prepare', success: false, aborted: false, destroyed: false });
    expect(read(cell(true))).toMatchObject({ aborted: true });
  });

  it('that installs a merge may be credited, and runs code', () => {
    const cell = beginCell()
      .store(info(7))
      .storeRef(prepared)
      .store((builder) => builder.storeBit(true).store(phase))
      .store((builder) => builder.storeBit(true).storeBit(false).storeCoins(11).storeBit(false))
      .store(skipped(0b110, 3))
      .storeBit(false)
      .storeBit(true)
      .storeBit(true)
      .endCell();
    expect(read(cell)).toEqual({
      type: 'merge-install',
      success: false,
      aborted: true,
      destroyed: true,
      compute: { skipped: true, reason: 'suspended' },
      credit: { grams: 11n },
    });
  });

  it('is refused with a tag or a reason that nobody knows, or with more than it has', () => {
    const refused = (cell: CoreCell) =>
      expect(() => read(cell)).toThrow(expect.objectContaining({ code: 'decode/boc' }));
    const body = (builder: Builder) => builder.store(phase).store(skipped(0, 2)).storeUint(0, 3);
    refused(beginCell().store(info(8)).store(body).endCell());
    refused(
      beginCell().storeUint(0, 4).storeBit(false).storeUint(0, 2).store(skipped(0b111, 3)).storeUint(0, 4).endCell(),
    );
    refused(beginCell().store(info(5)).storeRef(prepared).storeUint(0, 2).endCell());
    const whole = beginCell().store(storeTransactionDescription(good));
    refused(whole.storeBit(false).endCell());
  });
});
