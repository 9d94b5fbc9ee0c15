/** Deposits at the edge of each rule, and what an attacker, or a careless program, does with facts, terms and bytes around the call. */
import { describe, expect, it } from 'vitest';
import { MAX_CLOCK_SKEW_SECONDS } from '../../../src/core/base/limits.ts';
import { certificateToBoc, parseCertificate } from '../../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { checkpointFromKeyBlock, checkpointFromZerostate } from '../../../src/core/chain/checkpoint.ts';
import { acceptDeposit, type Deposit, requireDeposit } from '../../../src/core/facts/deposit.ts';
import type { DepositTerms, JettonAsset } from '../../../src/core/facts/deposit-terms.ts';
import { blockOfCheckpoint } from '../../../src/core/facts/final-block.ts';
import { verifyTransaction } from '../../../src/core/facts/transaction.ts';
import { beginCell, type CoreCell } from '../../helpers/cells.ts';
import {
  account,
  by,
  checkpoint,
  comment,
  config,
  FAILED_ACTION,
  finalOf,
  hashOfCell,
  JETTON_TERMS,
  jettonForm,
  LT,
  notification,
  outcomeOf,
  SENDER,
  std,
  TERMS,
  VAULT,
  WALLET_CODE,
  type WorldForm,
  worldOf,
  zero,
} from '../../helpers/deposits.ts';
import { configCell, makeZerostate, UTIME_UNTIL } from '../../helpers/make-chain.ts';

type Terms = DepositTerms<string>;

const fact = worldOf().fact();
const facts = [fact];
const jettonFacts = (() => {
  const world = worldOf(jettonForm());
  return [world.fact(), world.wallet()];
})();
/** What becomes of the honest deposit, under other terms or as another proof. */
const outcome = (over: object = {}, proof: object = { facts }): string =>
  outcomeOf(() => acceptDeposit(proof as { facts: object[] }, { ...TERMS, ...over } as Terms));
const ofForm = (form: WorldForm, over: object = {}): string => outcome(over, { facts: [worldOf(form).fact()] });
const withBody = (body: CoreCell, over: object = {}): string => ofForm({ message: { body } }, over);

describe('the last value that a rule takes', () => {
  it.each([
    ['since', 'deposit/too-old', { since: LT }, { since: LT + 1n }],
    ['atLeast', 'deposit/too-little', { atLeast: 1000n }, { atLeast: 1001n }],
    [
      'nowSeconds',
      'deposit/clock',
      { nowSeconds: TERMS.nowSeconds - 10 - MAX_CLOCK_SKEW_SECONDS },
      { nowSeconds: TERMS.nowSeconds - 10 - MAX_CLOCK_SKEW_SECONDS - 1 },
    ],
  ])('%s: one more is refused', (_, code, last, beyond) => {
    expect([outcome(last), outcome(beyond)]).toEqual(['accepted', code]);
  });

  it('is the greatest logical time that a block can hold, and `since` may be greater', () => {
    const lt = 2n ** 64n - 3n;
    expect(ofForm({ lt })).toBe('accepted');
    expect(ofForm({ lt }, { since: lt })).toBe('accepted');
    expect(ofForm({ lt }, { since: 2n ** 64n - 1n })).toBe('deposit/too-old');
    expect(ofForm({ lt }, { since: 2n ** 64n })).toBe('usage/bad-option');
  });

  it('is every amount that a jetton can have', () => {
    const amount = 2n ** 120n - 1n;
    const world = worldOf(jettonForm(notification({ amount })));
    const proof = { facts: [world.fact(), world.wallet()] };
    expect(acceptDeposit(proof, { ...JETTON_TERMS, atLeast: amount }).amount).toBe(amount);
    expect(outcomeOf(() => acceptDeposit(proof, { ...JETTON_TERMS, atLeast: amount + 1n }))).toBe('deposit/too-little');
  });
});

describe('a recipient', () => {
  it('may begin in the second cell of its comment', () => {
    const text = beginCell().storeBuffer(Buffer.from('alice')).endCell();
    expect(withBody(beginCell().storeUint(0, 32).storeRef(text).endCell())).toBe('accepted');
  });

  it('may be read in an empty comment, by a bridge that does', () => {
    expect(withBody(comment(''), { payload: (text: Uint8Array) => `nobody${text.length}` })).toBe('accepted');
  });

  it.each([[undefined], [null], ['']])('is none where the bridge reads %j', (none) => {
    expect(outcome({ payload: () => none })).toBe('deposit/recipient');
  });

  it('is looked for in no more than its first kilobyte, however long the comment is', () => {
    for (const perCell of [0, 1, 123]) {
      let next = beginCell().endCell();
      for (let k = 0; k < 500; k++) next = beginCell().storeBuffer(Buffer.alloc(perCell, 'x')).storeRef(next).endCell();
      let asked = 0;
      const payload = (text: Uint8Array) => {
        asked += text.length + 1;
        return 'alice';
      };
      const body = beginCell().storeUint(0, 32).storeRef(next).endCell();
      const taken = withBody(body, { payload });
      // 500 cells of one byte, or of none, are within the bound; 60 kB are not.
      expect([taken, asked]).toEqual(perCell === 123 ? ['deposit/recipient', 0] : ['accepted', 500 * perCell + 1]);
    }
  });
});

describe('terms', () => {
  it.each([
    ['network.globalId', { network: { ...TERMS.network, globalId: '-3' } }],
    ['network.globalId', { network: { ...TERMS.network, globalId: 1.5 } }],
    ['network.globalId', { network: { ...TERMS.network, globalId: 2 ** 31 } }],
    ['network.globalId', { network: { ...TERMS.network, globalId: -(2 ** 31) - 1 } }],
    ['since', { since: -1n }],
    ['since', { since: 5 }],
    ['payload', { payload: 'alice' }],
    ['payload', { payload: {} }],
  ])('are refused for a wrong %s', (path, over) => {
    expect(() => acceptDeposit({ facts }, { ...TERMS, ...over } as Terms)).toThrow(
      expect.objectContaining({ name: 'UsageError', path: expect.stringContaining(path) }),
    );
  });

  it('take the ends of a global id', () => {
    for (const globalId of [-(2 ** 31), 2 ** 31 - 1]) {
      expect(outcome({ network: { ...TERMS.network, globalId } })).toBe('deposit/other-network');
    }
  });

  it('may list several codes of a wallet, of which it has one', () => {
    const { master, wallet } = JETTON_TERMS.asset as JettonAsset;
    const codes = [new Uint8Array(32), hashOfCell(WALLET_CODE), new Uint8Array(32).fill(1)];
    const asset = { master, wallet, walletCodeHashes: codes };
    expect(outcome({ ...JETTON_TERMS, asset }, { facts: jettonFacts })).toBe('accepted');
    const none = { master, wallet, walletCodeHashes: [codes[0], codes[2]] };
    expect(outcome({ ...JETTON_TERMS, asset: none }, { facts: jettonFacts })).toBe('deposit/wallet-code');
  });

  it('are read once: a second look shows nothing else', () => {
    const looks: string[] = [];
    const hidden = { ...TERMS, atLeast: 1n } as Record<string, unknown>;
    const shifting = Object.create(Object.prototype) as Record<string, unknown>;
    for (const name of Object.keys(hidden)) {
      Object.defineProperty(shifting, name, {
        enumerable: true,
        get: () => {
          looks.push(name);
          return looks.filter((one) => one === name).length > 1 ? undefined : hidden[name];
        },
      });
    }
    expect(outcomeOf(() => acceptDeposit({ facts }, shifting as unknown as Terms))).toBe('accepted');
    expect(looks.sort()).toEqual(Object.keys(hidden).sort());
    const looked = new Map<PropertyKey, number>();
    const watched = new Proxy(hidden, {
      get(target, name) {
        looked.set(name, (looked.get(name) ?? 0) + 1);
        return target[name as string];
      },
    });
    expect(outcomeOf(() => acceptDeposit({ facts }, watched as unknown as Terms))).toBe('accepted');
    expect(Math.max(...Object.keys(hidden).map((name) => looked.get(name) ?? 0))).toBe(1);
  });

  it('are those of the call, whatever the reader of the comment writes into them meanwhile', () => {
    const honest = acceptDeposit({ facts }, TERMS);
    const own = {
      ...TERMS,
      vault: { ...VAULT, address: VAULT.address.slice() },
      network: { globalId: TERMS.network.globalId, zerostate: { ...zero.id, rootHash: zero.id.rootHash.slice() } },
      payload(text: Uint8Array) {
        own.vault.address.fill(0);
        own.network.zerostate.rootHash.fill(0);
        fact.hash.fill(0);
        facts.length = 0;
        own.atLeast = 1n;
        const name = new TextDecoder().decode(text);
        text.fill(0);
        return name;
      },
    };
    const deposit = acceptDeposit({ facts }, own);
    facts.push(fact);
    const { recipient, key, vault, transaction } = deposit;
    expect({ recipient, key, vault, transaction }).toEqual({
      recipient: 'alice',
      key: honest.key,
      vault: VAULT,
      transaction: honest.transaction,
    });
  });

  it('are taken from memory that is shared, or a view of a larger buffer, as they were at the call', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(64));
    shared.set(VAULT.address, 32);
    const view = shared.subarray(32);
    const buffer = Buffer.concat([Buffer.alloc(5), VAULT.address, Buffer.alloc(5)]).subarray(5, 37);
    for (const address of [view, buffer]) {
      const deposit = acceptDeposit({ facts }, { ...TERMS, vault: { workchain: 0, address } });
      address.fill(0);
      expect(deposit.vault).toEqual(VAULT);
      expect(deposit.vault.address.buffer).toBeInstanceOf(ArrayBuffer);
      expect(outcome({ vault: { workchain: 0, address } })).toBe('deposit/other-account');
    }
  });
});

describe('facts', () => {
  it('of other kinds stand beside a deposit and count for nothing', () => {
    const note = { kind: 'note', found: true, message: { direction: 'out' } };
    const { answer, top, below } = worldOf();
    const absent = verifyTransaction({ proof: answer.proof }, below(finalOf(top)), { account: VAULT, lt: LT + 5n });
    const noAccount = { kind: 'account', found: false };
    expect(outcome({}, { facts: [note, fact, noAccount, absent] })).toBe('accepted');
  });

  it('beside which others stand leave the deposit to another proof', () => {
    const world = worldOf({ out: [{ destination: std(account(0x55)) }] });
    const deposit = world.fact();
    const sent = verifyCertificate(world.certificate({ message: 0 }), { checkpoint }).facts;
    for (const beside of [[worldOf({ lt: LT + 4n }).fact()], sent]) {
      const call = () => acceptDeposit({ facts: [deposit, ...beside] }, TERMS);
      expect(call).toThrow(expect.objectContaining({ retryable: true }));
    }
    expect(outcome({}, { facts: [deposit] })).toBe('accepted');
  });

  it('that are none are a mistake of the caller', () => {
    for (const given of [[null], [5], ['fact'], [undefined], 'facts', { length: 1, 0: fact }, new Set(facts)]) {
      expect(outcome({}, { facts: given })).toBe('usage/bad-option');
    }
  });

  it('are known by what was proven here, not by what they look like', () => {
    const forged = [
      { ...fact },
      structuredClone({ ...fact, masterchain: undefined }),
      Object.create(fact) as object,
      new Proxy(fact, {}),
      Object.assign(Object.create(Object.getPrototypeOf(fact) as object | null) as object, fact),
      { kind: 'message', message: { direction: 'in' }, transaction: { ...fact } },
      { kind: 'history', found: true, lt: LT },
    ];
    for (const one of forged) expect(outcome({}, { facts: [one] })).toBe('trust/unproven-block');
    // A wrapper may name the true one.
    expect(outcome({}, { facts: [{ kind: 'message', transaction: fact }] })).toBe('accepted');
  });

  it('are the same from a list that shows others when it is looked at again', () => {
    const stranger = worldOf({ account: account(0x55) }).fact();
    let looks = 0;
    const shifting = {
      get facts() {
        looks += 1;
        return looks > 1 ? [stranger] : facts;
      },
    };
    expect([outcome({}, shifting), looks]).toEqual(['accepted', 1]);
    let reads = 0;
    const list = new Proxy([fact], {
      get(target, name) {
        if (name === '0') reads += 1;
        return name === '0' && reads > 1 ? stranger : Reflect.get(target, name);
      },
    });
    expect([outcome({}, { facts: list }), reads]).toEqual(['accepted', 1]);
  });

  it('of the key block of a checkpoint itself prove a deposit, under that checkpoint alone', () => {
    const world = worldOf({ master: { seqno: 7, config } });
    const own = checkpointFromKeyBlock(world.top.boc, world.top.id);
    const below = [world.fact(blockOfCheckpoint(own))];
    expect(outcome({ checkpoint: own }, { facts: below })).toBe('accepted');
    expect(outcome({}, { facts: below })).toBe('deposit/other-trust');
  });

  it('of a network of the same global id, validators, vault and message prove nothing here', () => {
    const clone = makeZerostate(configCell({ elected: by, utimeUntil: UTIME_UNTIL + 1 }));
    const trusted = checkpointFromZerostate(clone.boc, clone.id);
    const report = verifyCertificate(parseCertificate(certificateToBoc(worldOf().certificate())), { checkpoint });
    const network = { globalId: TERMS.network.globalId, zerostate: clone.id };
    expect(outcome({ checkpoint: trusted, network }, report)).toBe('deposit/other-trust');
    expect(outcome({ network }, report)).toBe('deposit/other-network');
  });
});

describe('a prototype that an attacker wrote to', () => {
  const WRITTEN: Record<string, unknown> = {
    mayAnswer: true,
    ignoreExtraCurrencies: true,
    sender: SENDER,
    since: 0n,
    found: true,
    staleStart: 'none',
    exceptions: [],
    success: true,
    bounced: false,
    bounce: undefined,
    credit: { grams: 10n ** 18n },
    grams: 10n ** 18n,
    action: { success: true },
    start: checkpoint.keyBlock,
    cell: WALLET_CODE,
    status: 'active',
  };

  it.each([
    ['a refund', 'deposit/answered', { out: [{ destination: std(SENDER) }] }],
    ['another currency', 'deposit/other-currency', { message: { other: true } }],
    ['actions that failed', 'deposit/action', { description: { actionPhase: FAILED_ACTION } }],
    ['actions that did not run', 'deposit/action', { description: { actionPhase: null } }],
    ['no credit', 'deposit/no-credit', { credit: null }],
    ['a message that bounced', 'deposit/bounced', { message: { bounced: true } }],
    ['a message from outside', 'deposit/external', { message: { external: true } }],
    ['no message', 'deposit/no-message', { message: null }],
  ] as const)('lets %s pass no more than before', (_, code, form) => {
    const proof = { facts: [worldOf(form as WorldForm).fact()] };
    const noWallet = { facts: [worldOf(jettonForm()).fact()] };
    const names = Object.keys(WRITTEN);
    const prototype = Object.prototype as unknown as Record<string, unknown>;
    let said: string[];
    try {
      for (const name of names) {
        Object.defineProperty(prototype, name, { value: WRITTEN[name], configurable: true, writable: true });
      }
      said = [outcome({}, proof), outcome({ ...JETTON_TERMS }, noWallet), outcome(), outcome({}, { facts: [{}] })];
    } finally {
      for (const name of names) delete prototype[name];
    }
    expect(said).toEqual([code, 'deposit/wallet-state', 'accepted', 'deposit/absent']);
  });
});

describe('an accepted deposit', () => {
  it('is the very object, with the key that it had', () => {
    const deposit = acceptDeposit({ facts }, TERMS);
    const forged: unknown[] = [
      { ...deposit },
      Object.create(deposit),
      new Proxy(deposit, {}),
      Object.freeze({ ...deposit, amount: 10n ** 18n }),
      [deposit],
      () => deposit,
    ];
    for (const one of forged) expect(outcomeOf(() => requireDeposit(one as Deposit<string>))).toBe('usage/bad-option');
    expect(requireDeposit(deposit)).toBe(deposit);
    const { key } = deposit;
    const bytes = key.slice();
    expect(() => Object.assign(deposit, { amount: 5n })).toThrow(TypeError);
    key.fill(0);
    expect(outcomeOf(() => requireDeposit(deposit))).toBe('usage/bad-option');
    key.set(bytes);
    expect(requireDeposit(deposit)).toBe(deposit);
  });
});
