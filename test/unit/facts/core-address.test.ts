/** An account named by an `Address` of `@ton/core`, wherever one is asked for, and the objects that are neither form of one. */
import { Address } from '@ton/core';
import { describe, expect, it } from 'vitest';
import {
  type AccountId,
  formatAccountId,
  parseAccountId,
  rawAccountId,
  requireAccount,
} from '../../../src/core/facts/account-id.ts';
import { acceptDeposit } from '../../../src/core/facts/deposit.ts';
import type { JettonAsset } from '../../../src/core/facts/deposit-terms.ts';
import * as facts from '../../../src/facts.ts';
import {
  JETTON_TERMS,
  jettonForm,
  MASTER,
  outcomeOf,
  SENDER,
  STRANGER,
  TERMS,
  VAULT,
  WALLET,
  worldOf,
} from '../../helpers/deposits.ts';
import { CALLS, ENTRIES } from '../../helpers/public-calls.ts';

const addressOf = (account: AccountId) => Address.parse(rawAccountId(account));
const address = addressOf({ workchain: -1, address: Uint8Array.from({ length: 32 }, (_, k) => k) });

describe('an Address of @ton/core', () => {
  it('is the account that its text names, in bytes of our own', () => {
    const account = requireAccount(address);
    const { workchain, address: bits } = parseAccountId(address.toString());
    expect(account).toEqual({ workchain, address: bits });
    expect(Object.isFrozen(account)).toBe(true);
    expect(Object.getPrototypeOf(account.address)).toBe(Uint8Array.prototype);
    const other = Address.parse(address.toRawString());
    const copy = requireAccount(other);
    other.hash.fill(0);
    expect(copy).toEqual(account);
  });

  it('is written as @ton/core writes it', () => {
    for (const one of [address, addressOf(VAULT)]) {
      expect(formatAccountId(one)).toBe(one.toRawString());
      for (const bounceable of [true, false]) {
        for (const testOnly of [true, false]) {
          const text = formatAccountId(one, { form: 'user-friendly', bounceable, testOnly });
          expect(text).toBe(one.toString({ bounceable, testOnly }));
        }
      }
    }
  });

  it('is the vault and the sender of terms, and the deposit names ids', () => {
    const facts = [worldOf().fact()];
    const [vault, sender] = [addressOf(VAULT), addressOf(SENDER)];
    expect(acceptDeposit({ facts }, { ...TERMS, vault, sender })).toEqual(
      acceptDeposit({ facts }, { ...TERMS, sender: SENDER }),
    );
    const other = addressOf(STRANGER);
    expect(outcomeOf(() => acceptDeposit({ facts }, { ...TERMS, vault: other }))).toBe('deposit/other-account');
    expect(outcomeOf(() => acceptDeposit({ facts }, { ...TERMS, sender: other }))).toBe('deposit/other-sender');
  });

  it('is the master and the wallet of a jetton', () => {
    const world = worldOf(jettonForm());
    const facts = [world.fact(), world.wallet()];
    const asset = JETTON_TERMS.asset as JettonAsset;
    const named = { ...asset, master: addressOf(MASTER), wallet: addressOf(WALLET) };
    const deposit = acceptDeposit({ facts }, { ...JETTON_TERMS, asset: named });
    expect(deposit).toEqual(acceptDeposit({ facts }, JETTON_TERMS));
    expect((deposit.asset as JettonAsset).master).toEqual(MASTER);
    const wrong = { ...named, wallet: addressOf(STRANGER) };
    expect(outcomeOf(() => acceptDeposit({ facts }, { ...JETTON_TERMS, asset: wrong }))).toBe('deposit/other-wallet');
  });
});

describe('a public function with an Address of @ton/core', () => {
  const calls = CALLS['./facts']!;
  it.each([
    ['verifyAccount', 2],
    ['verifyShardTop', 2],
    ['jettonWalletAddress', 1],
    ['formatAccountId', 0],
  ] as const)('%s returns what it returns for an id', (name, at) => {
    const { args } = calls[name]!;
    const call = ENTRIES['./facts']![name as keyof object] as (...given: unknown[]) => unknown;
    expect(call(...args.map((arg, k) => (k === at ? addressOf(arg as AccountId) : arg)))).toEqual(call(...args));
  });

  it('verifyTransaction and verifyHistory return what they return for an id', () => {
    const [answer, block, request] = calls.verifyTransaction!.args as Parameters<typeof facts.verifyTransaction>;
    const account = addressOf(request.account as AccountId);
    const fact = facts.verifyTransaction(answer, block, { ...request, account });
    expect(fact).toEqual(facts.verifyTransaction(answer, block, request));
    const [answers, state] = calls.verifyHistory!.args as Parameters<typeof facts.verifyHistory>;
    const [first] = facts.verifyHistory(answers, state);
    const { lt, hash } = first!;
    const [again] = facts.verifyHistory(answers, { account: addressOf(first!.account), lt, hash });
    expect(again).toMatchObject({ account: first!.account, lt, hash });
  });
});

describe('what is no account', () => {
  const { workChain, hash } = address;
  const id = requireAccount(address);
  it.each([
    ['both forms', { workChain, hash, ...id }, 'vault'],
    ['an id with a hash', { ...id, hash }, 'vault'],
    ['an id with the other workchain', { ...id, workChain }, 'vault'],
    ['an Address with an empty member of an id', { workChain, hash, address: undefined }, 'vault'],
    ['one member of each', { workChain, address: hash }, 'vault'],
    ['an Address without its hash', { workChain }, 'vault.hash'],
    ['an Address without its workchain', { hash }, 'vault.workChain'],
    ['an Address with a hash of 31 bytes', { workChain, hash: hash.subarray(1) }, 'vault.hash'],
    ['an Address with a hash in hex', { workChain, hash: hash.toString('hex') }, 'vault.hash'],
    ['an Address of a workchain in text', { workChain: '0', hash }, 'vault.workChain'],
    ['an Address of workchain 2^31', { workChain: 2 ** 31, hash }, 'vault.workChain'],
    ['members that are inherited', Object.create({ workChain, hash }), 'vault.workchain'],
    ["another library's form", { wc: 0, hashPart: hash }, 'vault.workchain'],
    ['its text', address.toString(), 'vault'],
  ])('%s', (_, given, path) => {
    expect(() => requireAccount(given as never, 'vault')).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path }),
    );
  });

  it('is read once, each member', () => {
    const reads: PropertyKey[] = [];
    const watched = new Proxy(address, {
      get(target, name, receiver) {
        reads.push(name);
        return Reflect.get(target, name, receiver);
      },
    });
    expect(requireAccount(watched)).toEqual(id);
    expect(reads).toEqual(['workChain', 'hash']);
  });
});
