/** The address of a jetton wallet against the one that @ton/core gives for the same code and data. */
import { Address, contractAddress } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { type AccountFact, verifyAccount } from '../../../src/core/facts/account-state.ts';
import { type JettonLayout, jettonWalletAddress } from '../../../src/core/facts/jetton-wallet.ts';
import { beginCell, bocOf, type CoreCell, merkleProof, prune } from '../../helpers/cells.ts';
import {
  account,
  finalOf,
  LIBRARY_CODE,
  MASTER,
  noAddress,
  outcomeOf,
  STRANGER,
  std,
  VAULT,
  WALLET_CODE,
  worldOf,
} from '../../helpers/deposits.ts';

const CONTENT = beginCell().storeUint(1, 8).endCell();

function masterData(layout: JettonLayout, code: CoreCell, more = ''): CoreCell {
  const cell = beginCell()
    .storeCoins(10n ** 15n)
    .store(std(STRANGER) as never);
  if (layout === 'standard') cell.storeRef(CONTENT).storeRef(code);
  else
    cell
      .store(noAddress as never)
      .storeRef(code)
      .storeRef(CONTENT);
  for (const bit of more) cell.storeBit(bit === '1');
  return cell.endCell();
}

const addressOf = ({ workchain, address }: typeof VAULT) => new Address(workchain, Buffer.from(address));

/** What the contracts of each layout put into a new wallet. */
function walletData(layout: JettonLayout, code: CoreCell): CoreCell {
  const cell = beginCell();
  if (layout === 'governed') cell.storeUint(0, 4);
  cell.storeCoins(0).storeAddress(addressOf(VAULT)).storeAddress(addressOf(MASTER));
  return (layout === 'standard' ? cell.storeRef(code) : cell).endCell();
}

const masterWith = (data: CoreCell) => worldOf({ wallet: { account: MASTER, data } }).wallet();

describe('the wallet of an account', () => {
  it.each(['standard', 'governed', 'plain'] as const)('is that of the layout %s, with code of any kind', (layout) => {
    for (const code of [WALLET_CODE, LIBRARY_CODE]) {
      const wallet = jettonWalletAddress(masterWith(masterData(layout, code)), VAULT, layout);
      expect(wallet.workchain).toBe(0);
      const expected = contractAddress(0, { code, data: walletData(layout, code) });
      expect(Buffer.from(wallet.address).toString('hex')).toBe(expected.hash.toString('hex'));
    }
  });

  it('is not guessed where the data are of another layout', () => {
    for (const [layout, asked] of [
      ['standard', 'governed'],
      ['standard', 'plain'],
      ['governed', 'standard'],
    ] as const) {
      const master = masterWith(masterData(layout, WALLET_CODE));
      expect(outcomeOf(() => jettonWalletAddress(master, VAULT, asked))).toBe('decode/boc');
    }
    const longer = masterWith(masterData('standard', WALLET_CODE, '1'));
    expect(outcomeOf(() => jettonWalletAddress(longer, VAULT, 'standard'))).toBe('decode/boc');
  });

  it('is asked of a master that was proven, with its contents, by name', () => {
    const master = masterWith(masterData('standard', WALLET_CODE));
    expect(outcomeOf(() => jettonWalletAddress({ ...master }, VAULT, 'standard'))).toBe('trust/unproven-block');
    expect(outcomeOf(() => jettonWalletAddress(master, VAULT, 'other' as never))).toBe('usage/bad-option');
    expect(outcomeOf(() => jettonWalletAddress(master, account(1, 300), 'standard'))).toBe('usage/bad-option');
    const frozen = worldOf({ wallet: { account: MASTER, status: 'frozen' } }).wallet();
    expect(outcomeOf(() => jettonWalletAddress(frozen, VAULT, 'standard'))).toBe('trust/state-missing');
  });

  it('is not derived from code that is cut off', () => {
    const code = beginCell().storeRef(CONTENT).endCell();
    const world = worldOf({ wallet: { account: MASTER, data: masterData('standard', code) } });
    const part = bocOf(merkleProof(prune(world.stored, (cell) => cell.hash().equals(code.hash()))));
    const block = world.below(finalOf(world.top));
    const master = verifyAccount({ ...world.accountAnswer, state: part }, block, MASTER) as AccountFact;
    expect(outcomeOf(() => jettonWalletAddress(master, VAULT, 'standard'))).toBe('trust/pruned');
  });
});
