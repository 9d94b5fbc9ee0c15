/** Deposits that must not be paid, each refused with the code of its rule; and those that may. */

import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import type { DepositError } from '../../../src/core/base/errors.ts';
import { certificateToBoc, parseCertificate } from '../../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { verifyHeader } from '../../../src/core/chain/block-header.ts';
import {
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  markedCheckpoint,
  validatorSetAt,
} from '../../../src/core/chain/checkpoint.ts';
import { verifyBlockProof } from '../../../src/core/chain/walk.ts';
import { rawAccountId } from '../../../src/core/facts/account-id.ts';
import { verifyAccount } from '../../../src/core/facts/account-state.ts';
import { acceptDeposit, requireDeposit, requireRules } from '../../../src/core/facts/deposit.ts';
import { candidateOf, type DepositProof } from '../../../src/core/facts/deposit-candidate.ts';
import { DEPOSIT_RULES } from '../../../src/core/facts/deposit-rules.ts';
import { type DepositTerms, type JettonAsset, readTerms } from '../../../src/core/facts/deposit-terms.ts';
import { blockOfReport, blockOfWalk } from '../../../src/core/facts/final-block.ts';
import { verifyHistory } from '../../../src/core/facts/history.ts';
import { assumeFinal } from '../../../src/core/facts/proven-block.ts';
import { verifyTransaction } from '../../../src/core/facts/transaction.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { beginCell, bocOf, merkleProof, prune } from '../../helpers/cells.ts';
import {
  account,
  accountCell,
  by,
  checkpoint,
  comment,
  config,
  FAILED_ACTION,
  FAILED_CODE,
  finalOf,
  hashOfCell,
  JETTON_TERMS,
  jettonForm,
  LIBRARY_CODE,
  LT,
  MASTER,
  type MessageForm,
  noAddress,
  notification,
  outcomeOf,
  SENDER,
  SKIPPED_CODE,
  STRANGER,
  std,
  TERMS,
  transactionCell,
  VAULT,
  variable,
  WALLET,
  WALLET_CODE,
  type WorldForm,
  worldOf,
  zero,
} from '../../helpers/deposits.ts';
import {
  configCell,
  GLOBAL_ID,
  headerProof,
  honestLink,
  type MadeBlock,
  makeBlock,
  makeZerostate,
  signBlock,
  tlForward,
  tlProof,
  UTIME_UNTIL,
  wholeProof,
} from '../../helpers/make-chain.ts';

interface Case {
  readonly proof: DepositProof;
  readonly terms: DepositTerms<string>;
}
type Row = readonly [name: string, code: string, make: () => Case];

const made = new Map<Row[2], Case>();
/** A case, which several tests look at. */
function caseOf(make: Row[2]): Case {
  const known = made.get(make) ?? make();
  made.set(make, known);
  return known;
}

const ton =
  (form: WorldForm, terms: Partial<DepositTerms<string>> = {}) =>
  (): Case => ({
    proof: { facts: [worldOf(form).fact()] },
    terms: { ...TERMS, ...terms },
  });
const withMessage = (message: MessageForm, terms: Partial<DepositTerms<string>> = {}) => ton({ message }, terms);
const jetton =
  (form: WorldForm, terms: Partial<DepositTerms<string>> = {}) =>
  (): Case => {
    const world = worldOf(form);
    return { proof: { facts: [world.fact(), world.wallet()] }, terms: { ...JETTON_TERMS, ...terms } };
  };
const proof = (...facts: object[]): Case => ({ proof: { facts }, terms: TERMS });

/** A block that is final with an exception, or under a set that nobody proved. */
function weaker(policy: object, validators = validatorSetAt(checkpoint)): Case {
  const { top, fact } = worldOf();
  const header = verifyHeader(headerProof(top), top.id);
  return proof(
    fact(blockOfReport(verifyBlock(signBlock(top), validators, { ...policy, context: { header } }), header)),
  );
}

const plain = validatorSetAt(checkpoint);
const given = createValidatorSet(plain.validators, { shuffle: plain.shuffle! });
const claimed = createValidatorSet(plain.validators, {
  shuffle: plain.shuffle!,
  provenance: { kind: 'claimed', source: 'a server' },
});

// A key block of the same validators, as an anchor of its own.
const key1 = makeBlock({ seqno: 1, signedBy: by, prevKeyBlockSeqno: 0, config });
const pinned = checkpointFromKeyBlock(key1.boc, key1.id);
/** A deposit in the epoch of that key block. */
const later = (form: WorldForm = {}) => worldOf({ ...form, master: { prevKeyBlockSeqno: 1 } });
const fromZero = (key: MadeBlock) =>
  tlForward({
    from: zero.id,
    to: key.id,
    toKeyBlock: true,
    destProof: headerProof(key),
    configProof: wholeProof(zero.root),
    set: signBlock(key),
    catchainSeqno: key.catchainSeqno,
    listHash: key.listHash,
  });
/** From the zerostate over a key block to the block of a deposit. */
const walkTo = ({ top }: ReturnType<typeof worldOf>, key = key1) =>
  verifyBlockProof(tlProof(zero.id, top.id, [fromZero(key), tlForward(honestLink(key, top))]), checkpoint, {
    nowSeconds: TERMS.nowSeconds,
  });
/** A checkpoint that moved on to the key block. */
const moved = walkTo(later()).checkpoint;
/** Another history from the same anchor, by the keys of its validators. */
const fork = makeBlock({ seqno: 1, signedBy: by, prevKeyBlockSeqno: 0, config, genUtime: 1_500_001 });

const otherZero = makeZerostate(configCell({ elected: by, utimeUntil: UTIME_UNTIL + 1 }));
const inCertificate = (certificate: ReturnType<ReturnType<typeof worldOf>['certificate']>, opts: object) =>
  verifyCertificate(parseCertificate(certificateToBoc(certificate)), opts);

const FORGED: readonly Row[] = [
  ['nothing', 'deposit/absent', () => proof()],
  [
    'a transaction that is proven not to be there',
    'deposit/absent',
    () => {
      const { answer, below, top } = worldOf();
      const request = { account: VAULT, lt: LT + 5n };
      return proof(verifyTransaction({ proof: answer.proof }, below(finalOf(top)), request));
    },
  ],
  [
    'the state of the wallet alone',
    'deposit/absent',
    () => ({ proof: { facts: [worldOf(jettonForm()).wallet()] }, terms: JETTON_TERMS }),
  ],
  ['two transactions at once', 'deposit/ambiguous', () => proof(worldOf().fact(), worldOf({ lt: LT + 4n }).fact())],
  ['a block that nobody proved', 'deposit/not-final', () => proof(worldOf().fact(assumeFinal(worldOf().top.id)))],
  ['a validator set that the caller vouches for', 'deposit/not-final', () => weaker({}, given)],
  ['a validator set that a server claims', 'deposit/not-final', () => weaker({ acceptClaimed: true }, claimed)],
  [
    'a history from a transaction that the caller names',
    'deposit/not-final',
    () => {
      const cell = transactionCell();
      const start = { account: VAULT, lt: LT, hash: hashOfCell(cell) };
      return proof(verifyHistory([{ transactions: bocOf(cell) }], start)[0]!);
    },
  ],
  [
    'a certificate whose reader trusts nothing',
    'deposit/not-final',
    () => ({ proof: inCertificate(worldOf().certificate(), {}), terms: TERMS }),
  ],
  [
    'a certificate that is too old for its reader',
    'deposit/not-final',
    () => ({
      proof: inCertificate(worldOf().certificate(), { checkpoint, nowSeconds: UTIME_UNTIL * 2 }),
      terms: TERMS,
    }),
  ],
  ['defects that were ignored', 'deposit/exception', () => weaker({ onDefect: 'ignore' })],
  ['an id that is not bound', 'deposit/exception', () => weaker({ acceptUnbound: true })],
  [
    'a start past its time that was taken by name',
    'deposit/exception',
    () => proof(worldOf().fact(finalOf(worldOf().top, markedCheckpoint(checkpoint, 'accepted')))),
  ],
  [
    'terms of another global id',
    'deposit/other-network',
    ton({}, { network: { globalId: GLOBAL_ID + 1, zerostate: zero.id } }),
  ],
  [
    'terms of another zerostate',
    'deposit/other-network',
    ton({}, { network: { globalId: GLOBAL_ID, zerostate: otherZero.id } }),
  ],
  [
    'terms of a zerostate with another file hash',
    'deposit/other-network',
    ton({}, { network: { globalId: GLOBAL_ID, zerostate: { ...zero.id, fileHash: otherZero.id.fileHash } } }),
  ],
  ['a checkpoint of another anchor', 'deposit/other-trust', ton({}, { checkpoint: pinned })],
  [
    'a certificate of another anchor',
    'deposit/other-trust',
    () => ({
      proof: inCertificate(later().certificate({}, { checkpoint: pinned }), { anchor: key1.id }),
      terms: TERMS,
    }),
  ],
  [
    'a clone of the network with another zerostate and the same validators',
    'deposit/other-trust',
    () => ({
      proof: { facts: [worldOf().fact()] },
      terms: {
        ...TERMS,
        network: { globalId: GLOBAL_ID, zerostate: otherZero.id },
        checkpoint: checkpointFromZerostate(otherZero.boc, otherZero.id),
      },
    }),
  ],
  ['an epoch before the one of the checkpoint', 'deposit/other-trust', ton({}, { checkpoint: moved })],
  [
    'another history from the anchor, which leads past the checkpoint',
    'deposit/other-trust',
    () => {
      const world = later();
      const proofs = [
        tlProof(zero.id, fork.id, [fromZero(fork)]),
        tlProof(fork.id, world.top.id, [tlForward(honestLink(fork, world.top))]),
      ];
      const certificate = world.certificate({}, { proofs });
      return { proof: inCertificate(certificate, { anchor: zero.id }), terms: { ...TERMS, checkpoint: moved } };
    },
  ],
  ['a checkpoint past its stakes', 'deposit/stale-start', ton({}, { nowSeconds: UTIME_UNTIL * 2 })],
  [
    'a checkpoint that was refused for its start',
    'deposit/stale-start',
    ton({}, { checkpoint: markedCheckpoint(checkpoint, 'refused') }),
  ],
  [
    'a checkpoint whose start was taken by name',
    'deposit/stale-start',
    ton({}, { checkpoint: markedCheckpoint(checkpoint, 'accepted') }),
  ],
  [
    'a checkpoint that was moved without a clock',
    'deposit/stale-start',
    ton({}, { checkpoint: { ...checkpoint, staleStart: 'unknown' } }),
  ],
  ['a clock that is behind the block', 'deposit/clock', ton({}, { nowSeconds: 1 })],
  ['a clock of zero', 'deposit/clock', ton({}, { nowSeconds: 0 })],
  ['the same 256 bits in the masterchain', 'deposit/other-workchain', ton({}, { vault: account(0x11, -1) })],
  ['the same 256 bits in workchain 1', 'deposit/other-workchain', ton({ account: account(0x11, 1) })],
  ['another account', 'deposit/other-account', ton({ account: STRANGER })],
  [
    "the sender's own transaction, which sent it",
    'deposit/other-account',
    ton({ account: SENDER, out: [{ source: std(SENDER), destination: std(VAULT) }] }),
  ],
  [
    'a transaction of which the hash alone is known',
    'deposit/incomplete',
    () => {
      const { top, below, shard, cell } = worldOf();
      const cut = bocOf(merkleProof(prune(shard.root, (one) => one.hash().equals(cell.hash()))));
      const fact = verifyTransaction({ proof: cut }, below(finalOf(top)), { account: VAULT, lt: LT });
      return proof(fact);
    },
  ],
  ['a transaction before `since`', 'deposit/too-old', ton({}, { since: LT + 1n })],
  ['a tick-tock transaction', 'deposit/not-ordinary', ton({ description: { type: 'tick-tock' } })],
  [
    'a message that the vault sent',
    'deposit/outbound',
    () => {
      const world = worldOf({ out: [{ destination: std(STRANGER) }] });
      return { proof: inCertificate(world.certificate({ message: 0 }), { checkpoint }), terms: TERMS };
    },
  ],
  ['the end of a merge', 'deposit/not-ordinary', ton({ description: { type: 'merge-install' } })],
  ['no message', 'deposit/no-message', ton({ message: null })],
  [
    'no message but one that went out',
    'deposit/no-message',
    ton({ message: null, out: [{ destination: std(VAULT) }] }),
  ],
  ['a message from outside', 'deposit/external', withMessage({ external: true })],
  ['a message that bounced', 'deposit/bounced', withMessage({ bounced: true })],
  ['a destination with an anycast', 'deposit/anycast', withMessage({ destination: std(VAULT, true) })],
  ['a source with an anycast', 'deposit/anycast', withMessage({ source: std(SENDER, true) })],
  ['a source of variable length', 'deposit/anycast', withMessage({ source: variable(SENDER) })],
  ['a vault that was not there', 'deposit/account-status', ton({ from: 'nonexist' })],
  ['a vault without code before', 'deposit/account-status', ton({ from: 'uninit' })],
  ['a vault that was frozen', 'deposit/account-status', ton({ from: 'frozen' })],
  ['a vault that is frozen by it', 'deposit/account-status', ton({ to: 'frozen' })],
  ['a vault that is gone after it', 'deposit/account-status', ton({ to: 'nonexist' })],
  ['code that failed', 'deposit/compute', ton({ description: { computePhase: FAILED_CODE } })],
  ['code that did not run', 'deposit/compute', ton({ description: { computePhase: SKIPPED_CODE } })],
  ['actions that failed', 'deposit/action', ton({ description: { actionPhase: FAILED_ACTION } })],
  ['actions that did not run', 'deposit/action', ton({ description: { actionPhase: null } })],
  ['a transaction that was aborted', 'deposit/aborted', ton({ description: { aborted: true } })],
  ['a transaction that destroyed the vault', 'deposit/aborted', ton({ description: { destroyed: true } })],
  [
    'a message that was sent back',
    'deposit/bounce-phase',
    ton({
      description: {
        bouncePhase: { type: 'ok', messageSize: { cells: 0n, bits: 0n }, messageFees: 1n, forwardFees: 1n },
      },
    }),
  ],
  [
    'a message that should have been sent back',
    'deposit/bounce-phase',
    ton({ description: { bouncePhase: { type: 'negative-funds' } } }),
  ],
  [
    'a message that there was no money to send back',
    'deposit/bounce-phase',
    ton({
      description: {
        bouncePhase: { type: 'no-funds', messageSize: { cells: 0n, bits: 0n }, requiredForwardFees: 1n },
      },
    }),
  ],
  ['a refund', 'deposit/answered', ton({ out: [{ destination: std(SENDER) }] })],
  ['a refund to an anycast of the sender', 'deposit/answered', ton({ out: [{ destination: std(SENDER, true) }] })],
  ['a refund to the sender in the long form', 'deposit/answered', ton({ out: [{ destination: variable(SENDER) }] })],
  [
    'a refund behind another message',
    'deposit/answered',
    ton({ out: [{ destination: std(STRANGER) }, { destination: std(SENDER) }] }),
  ],
  [
    'a refund of jettons, through the wallet',
    'deposit/answered',
    jetton({ ...jettonForm(), out: [{ destination: std(WALLET) }] }),
  ],
  [
    'a refund to who sent the jettons',
    'deposit/answered',
    jetton({ ...jettonForm(), out: [{ destination: std(SENDER) }] }),
  ],
  [
    "a stranger's wallet with genuine code and a made-up balance",
    'deposit/other-wallet',
    jetton({ ...jettonForm(notification(), { source: std(STRANGER) }), wallet: { account: STRANGER } }),
  ],
  [
    'the wallet of another workchain',
    'deposit/other-wallet',
    jetton(jettonForm(notification(), { source: std(account(0x33, -1)) })),
  ],
  ['a transfer of TON where jettons are due', 'deposit/other-wallet', jetton({})],
  ['a notification of another opcode', 'deposit/notification', jetton(jettonForm(notification({ op: 0x178d4519 })))],
  ['a notification with leftovers', 'deposit/notification', jetton(jettonForm(notification({ more: '0' })))],
  ['a notification cut off', 'deposit/notification', jetton(jettonForm(cutNotification()))],
  ['a notification without a sender', 'deposit/notification', jetton(jettonForm(notification({ sender: noAddress })))],
  [
    'a notification from an anycast',
    'deposit/notification',
    jetton(jettonForm(notification({ sender: std(SENDER, true) }))),
  ],
  [
    'no state of the wallet',
    'deposit/wallet-state',
    () => ({ proof: { facts: [worldOf(jettonForm()).fact()] }, terms: JETTON_TERMS }),
  ],
  [
    'the state of the wallet under another masterchain block',
    'deposit/wallet-state',
    () => {
      const other = worldOf({ ...jettonForm(), master: { genUtime: 1_900_001 } });
      return { proof: { facts: [worldOf(jettonForm()).fact(), other.wallet()] }, terms: JETTON_TERMS };
    },
  ],
  ['the state of another wallet', 'deposit/wallet-state', jetton({ ...jettonForm(), wallet: { account: STRANGER } })],
  [
    'a wallet whose code in a library the server cuts off',
    'deposit/wallet-state',
    () => {
      const wallet = { code: LIBRARY_CODE };
      const world = worldOf({ ...jettonForm(), wallet });
      const part = prune(accountCell(wallet), (cell) => cell.hash().equals(LIBRARY_CODE.hash()));
      const answer = { ...world.accountAnswer, state: bocOf(merkleProof(part)) };
      const shown = verifyAccount(answer, world.below(finalOf(world.top)), WALLET);
      return { proof: { facts: [world.fact(), shown] }, terms: JETTON_TERMS };
    },
  ],
  ['code that is not listed', 'deposit/wallet-code', jetton({ ...jettonForm(), wallet: { code: comment('other') } })],
  [
    'code in a library that is not listed',
    'deposit/wallet-code',
    jetton({ ...jettonForm(), wallet: { code: strangeLibrary() } }),
  ],
  [
    'code that only reads like the name of a listed library',
    'deposit/wallet-code',
    jetton({
      ...jettonForm(),
      wallet: { code: beginCell().storeUint(2, 8).storeBuffer(WALLET_CODE.hash()).endCell() },
    }),
  ],
  [
    'an active wallet without code',
    'deposit/wallet-code',
    jetton({ ...jettonForm(), wallet: { code: null as never } }),
  ],
  ['a wallet that is frozen', 'deposit/wallet-code', jetton({ ...jettonForm(), wallet: { status: 'frozen' } })],
  ['a wallet without code', 'deposit/wallet-code', jetton({ ...jettonForm(), wallet: { status: 'uninit' } })],
  ['the vault paying itself', 'deposit/from-vault', withMessage({ source: std(VAULT) })],
  ['the vault sending itself jettons', 'deposit/from-vault', jetton(jettonForm(notification({ sender: std(VAULT) })))],
  ['another sender', 'deposit/other-sender', ton({}, { sender: STRANGER })],
  [
    'another sender of jettons, whose wallet is named',
    'deposit/other-sender',
    jetton(jettonForm(), { sender: WALLET }),
  ],
  ['no credit phase', 'deposit/no-credit', ton({ credit: null })],
  ['no credit phase under jettons', 'deposit/no-credit', jetton({ ...jettonForm(), credit: null })],
  ['another currency in the message', 'deposit/other-currency', withMessage({ other: true })],
  ['another currency in the credit', 'deposit/other-currency', ton({ creditOther: true })],
  ['another currency beside jettons', 'deposit/other-currency', jetton(jettonForm(notification(), { other: true }))],
  ['too little', 'deposit/too-little', ton({}, { atLeast: 1001n })],
  ['a value of which debts took most', 'deposit/too-little', ton({ credit: 99n })],
  [
    'too few jettons, with enough TON',
    'deposit/too-little',
    jetton(jettonForm(notification({ amount: 99n }), { value: 9999n })),
  ],
  ['an encrypted comment', 'deposit/encrypted', withMessage({ body: encrypted() })],
  [
    'an encrypted comment beside jettons',
    'deposit/encrypted',
    jetton(jettonForm(notification({ payload: encrypted() }))),
  ],
  ['no comment', 'deposit/recipient', withMessage({ body: beginCell().endCell() })],
  ['another opcode', 'deposit/recipient', withMessage({ body: beginCell().storeUint(1, 32).endCell() })],
  ['an empty comment', 'deposit/recipient', withMessage({ body: comment('') })],
  ['a comment that is no text', 'deposit/recipient', withMessage({ body: comment(Uint8Array.of(0xff, 0x41)) })],
  ['a comment of half bytes', 'deposit/recipient', withMessage({ body: beginCell().storeUint(0, 36).endCell() })],
  [
    'a comment that ends in half a byte',
    'deposit/recipient',
    withMessage({ body: beginCell().storeUint(0, 32).storeUint(0x41, 8).storeUint(0, 4).endCell() }),
  ],
  ['a comment that is a library', 'deposit/recipient', withMessage({ body: LIBRARY_CODE })],
  [
    'no comment, for a bridge that reads something in nothing',
    'deposit/recipient',
    withMessage({ body: beginCell().endCell() }, { payload: () => 'alice' }),
  ],
  ['a comment that says nothing to the bridge', 'deposit/recipient', ton({}, { payload: () => null as never })],
  ['a comment with something beside it', 'deposit/recipient', withMessage({ body: twoTails() })],
  ['a comment without an end', 'deposit/recipient', withMessage({ body: comment('x'.repeat(1025)) })],
  [
    'a comment in a library',
    'deposit/recipient',
    withMessage({ body: beginCell().storeUint(0, 32).storeRef(LIBRARY_CODE).endCell() }),
  ],
  ['a comment that the bridge cannot read', 'deposit/recipient', ton({}, { payload: () => undefined as never })],
  ['jettons for nobody', 'deposit/recipient', jetton(jettonForm(notification({ payload: beginCell().endCell() })))],
  ['a notification where TON is due', 'deposit/recipient', withMessage({ body: notification() })],
];

function cutNotification() {
  return beginCell().storeUint(0x7362d09c, 32).storeUint(7, 60).endCell();
}
function strangeLibrary() {
  return beginCell().storeUint(2, 8).storeUint(5, 256).endCell({ exotic: true });
}
function encrypted() {
  return beginCell().storeUint(0x2167da4b, 32).storeUint(1, 64).endCell();
}
function twoTails() {
  const tail = beginCell().storeUint(0x42, 8).endCell();
  return beginCell().storeUint(0, 32).storeUint(0x41, 8).storeRef(tail).storeRef(tail).endCell();
}

/** Rules without which a later one has nothing to look at, or refuses with less to say. */
const NEEDED = [
  'deposit/encrypted',
  'deposit/absent',
  'deposit/not-final',
  'deposit/incomplete',
  'deposit/no-message',
  'deposit/external',
  'deposit/notification',
  'deposit/wallet-state',
  'deposit/no-credit',
];

/** What comes of a case when one rule is left out. */
function withoutRule({ proof: given, terms }: Case, code: string): string {
  const { [code as keyof typeof DEPOSIT_RULES]: _, ...rules } = DEPOSIT_RULES;
  return outcomeOf(() => requireRules(candidateOf(given, readTerms(terms)), rules));
}

describe('a deposit that must not be paid', () => {
  it.each(FORGED)('%s: %s', (_, code, make) => {
    const { proof: given, terms } = caseOf(make);
    expect(outcomeOf(() => acceptDeposit(given, terms))).toBe(code);
  });

  it('is one of at least sixty, of every rule', () => {
    expect(FORGED.length).toBeGreaterThanOrEqual(60);
    expect([...new Set(FORGED.map(([, code]) => code))].sort()).toEqual(Object.keys(DEPOSIT_RULES).sort());
  });

  it.each(Object.keys(DEPOSIT_RULES))('would be paid without %s', (code) => {
    const outcomes = FORGED.filter(([, of]) => of === code).map(([, , make]) => withoutRule(caseOf(make), code));
    if (NEEDED.includes(code)) expect(outcomes).not.toContain(code);
    else expect(outcomes).toContain('accepted');
  });
});

describe('a refusal', () => {
  const errorOf = (one: Case): DepositError => {
    try {
      acceptDeposit(one.proof, one.terms);
    } catch (error) {
      return error as DepositError;
    }
    throw new RangeError('it was accepted');
  };

  it('says what the deposit brought and what the terms demand, as far as that was read', () => {
    expect(errorOf(ton({}, { atLeast: 1001n })())).toMatchObject({ amount: 1000n, atLeast: 1001n });
    expect(errorOf(jetton(jettonForm(), { atLeast: 501n })())).toMatchObject({ amount: 500n, atLeast: 501n });
    const early = errorOf(ton({}, { since: LT + 1n })());
    expect(early).toMatchObject({ code: 'deposit/too-old', amount: undefined, atLeast: 100n });
  });

  it('says what the reader of the recipient threw', () => {
    const cause = new RangeError('not an address');
    const payload = () => {
      throw cause;
    };
    const error = errorOf(ton({}, { payload })());
    expect(error).toMatchObject({ code: 'deposit/recipient', amount: 1000n });
    expect(error.cause).toBe(cause);
    for (const none of ['', false, Number.NaN]) {
      const error = errorOf(ton({}, { payload: () => none as never })());
      expect(error.code).toBe('deposit/recipient');
      expect('cause' in error).toBe(false);
    }
  });
});

const keyOf = ({ proof: of, terms }: Case) => Buffer.from(acceptDeposit(of, terms).key).toString('hex');

describe('a deposit that may be paid', () => {
  it('says what came, from whom, for whom, and why that is believed', () => {
    const { cell, shard, top, fact } = worldOf();
    const deposit = acceptDeposit({ facts: [fact()] }, TERMS);
    expect(deposit).toMatchObject({
      amount: 1000n,
      sender: SENDER,
      recipient: 'alice',
      asset: 'TON',
      vault: VAULT,
      transaction: { lt: LT, hash: hashOfCell(cell) },
      block: shard.id,
      masterchain: top.id,
      provenance: { kind: 'final' },
      rules: Object.keys(DEPOSIT_RULES),
    });
    expect(requireDeposit(deposit)).toBe(deposit);
    const changed = acceptDeposit({ facts: [fact()] }, TERMS);
    changed.key[0]! ^= 1;
    expect(outcomeOf(() => requireDeposit(changed))).toBe('usage/bad-option');
    const alone = { kind: 'message', message: { direction: 'in' } };
    expect(outcomeOf(() => acceptDeposit({ facts: [alone] }, TERMS))).toBe('usage/bad-option');
    for (const other of [{ ...deposit }, structuredClone({ key: deposit.key }), undefined, 'deposit', null]) {
      expect(outcomeOf(() => requireDeposit(other as never))).toBe('usage/bad-option');
    }
    expect(Object.isFrozen(deposit) && Object.isFrozen(deposit.transaction) && Object.isFrozen(deposit.rules)).toBe(
      true,
    );
  });

  it('is of jettons by the amount, the sender and the comment of the notification', () => {
    const deposit = acceptDeposit(...(Object.values(jetton(jettonForm())()) as [DepositProof, DepositTerms<string>]));
    expect(deposit).toMatchObject({
      amount: 500n,
      sender: SENDER,
      recipient: 'alice',
      asset: { master: MASTER, wallet: WALLET },
    });
    const library = jetton({ ...jettonForm(), wallet: { code: LIBRARY_CODE } });
    expect(outcomeOf(() => keyOf(library()))).toBe('accepted');
    const byCell = { ...(JETTON_TERMS.asset as JettonAsset), walletCodeHashes: [hashOfCell(LIBRARY_CODE)] };
    const terms = { ...JETTON_TERMS, asset: byCell };
    expect(outcomeOf(() => keyOf({ ...library(), terms }))).toBe('accepted');
    expect(outcomeOf(() => keyOf({ ...jetton(jettonForm())(), terms }))).toBe('deposit/wallet-code');
    const inline = jetton(jettonForm(notification({ payload: comment('bob'), inline: true })))();
    expect(acceptDeposit(inline.proof, inline.terms).recipient).toBe('bob');
  });

  it.each([
    ['a certificate of its transaction', {}],
    ['a certificate of its message', { message: 'in' }],
  ])('is proven by %s as well, with the same key', (_, more) => {
    for (const [world, terms] of [
      [worldOf(), TERMS],
      [worldOf(jettonForm()), JETTON_TERMS],
    ] as const) {
      const report = inCertificate(world.certificate(more), { checkpoint, nowSeconds: TERMS.nowSeconds });
      const direct = acceptDeposit({ facts: [world.fact(), world.wallet()] }, terms);
      const deposit = acceptDeposit(report, terms);
      expect(deposit.key).toEqual(direct.key);
      expect(deposit).toMatchObject({ amount: direct.amount, recipient: 'alice', block: world.shard.id });
    }
  });

  it('is proven by a history as well, which reaches back from a proven state', () => {
    const cell = transactionCell();
    const last = { lt: LT, hash: hashOfCell(cell) };
    const state = worldOf({ wallet: { account: VAULT, last } }).wallet();
    const [fact] = verifyHistory([{ transactions: bocOf(cell) }], state);
    const deposit = acceptDeposit({ facts: [fact!, state] }, TERMS);
    expect(deposit.key).toEqual(acceptDeposit({ facts: [worldOf().fact()] }, TERMS).key);
    expect(deposit.transaction.hash).toEqual(last.hash);
  });

  it('may be of a later epoch than the checkpoint, which was moved with a clock, if the proof begins there', () => {
    const world = later();
    const walk = walkTo(world);
    const facts = [world.fact(blockOfWalk(walk))];
    for (const trusted of [checkpoint, walk.checkpoint]) {
      expect(acceptDeposit({ facts }, { ...TERMS, checkpoint: trusted }).amount).toBe(1000n);
    }
    // The other key block signs the same blocks, and is none that the checkpoint led to.
    expect(
      outcomeOf(() =>
        acceptDeposit(
          { facts },
          { ...TERMS, checkpoint: walkTo(worldOf({ master: { prevKeyBlockSeqno: 1 } }), fork).checkpoint },
        ),
      ),
    ).toBe('deposit/other-trust');
    const proofs = [
      tlProof(zero.id, key1.id, [fromZero(key1)]),
      tlProof(key1.id, world.top.id, [tlForward(honestLink(key1, world.top))]),
    ];
    const report = inCertificate(world.certificate({}, { proofs }), { checkpoint });
    for (const trusted of [checkpoint, walk.checkpoint]) {
      expect(acceptDeposit(report, { ...TERMS, checkpoint: trusted }).amount).toBe(1000n);
    }
  });

  it('has a key of its network, vault and message alone', () => {
    const base = ton({})();
    const keys = [
      base,
      ton({ lt: LT + 9n })(),
      ton({ message: { value: 1001n } })(),
      jetton(jettonForm())(),
      jetton(jettonForm(notification({ amount: 501n })))(),
    ].map(keyOf);
    expect(keys[1]).toBe(keys[0]); // the same message in another transaction
    expect(new Set(keys).size).toBe(4);
    // By hand: SHA-256 of the domain, the network, the vault and the message.
    const message = worldOf().cell.refs[0]!.refs[0]!;
    const int32 = (value: number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeInt32BE(value);
      return bytes;
    };
    const parts = [
      'ton-finality/deposit@1',
      int32(GLOBAL_ID),
      zero.id.rootHash,
      int32(0),
      VAULT.address,
      message.hash(),
    ];
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    expect(keys[0]).toBe(hash.digest('hex'));
  });

  it('may answer, and bring other currencies, where that is asked for', () => {
    const answered = ton({ out: [{ destination: std(SENDER) }] }, { mayAnswer: true })();
    expect(acceptDeposit(answered.proof, answered.terms).amount).toBe(1000n);
    const other = ton({ message: { other: true }, creditOther: true }, { ignoreExtraCurrencies: true })();
    expect(acceptDeposit(other.proof, other.terms).amount).toBe(1000n);
    const elsewhere = ton({ out: [{ destination: std(STRANGER) }, { destination: variable(account(0x22, 1)) }] })();
    expect(acceptDeposit(elsewhere.proof, elsewhere.terms).amount).toBe(1000n);
  });

  it.each([1, 2, 123, 124, 300, 1024])(
    'has its recipient in a comment of %s characters, over as many cells as it takes',
    (length) => {
      for (const perCell of [123, 7]) {
        const text = 'é'.repeat(length / 2) + 'x'.repeat(length % 2);
        const { proof: of, terms } = withMessage({ body: comment(text, perCell) })();
        expect(acceptDeposit(of, terms).recipient).toBe(text);
      }
    },
  );

  it('asks for the recipient once, of bytes that are no longer those of the proof', () => {
    let asked = 0;
    const payload = (text: Uint8Array) => {
      asked++;
      const name = new TextDecoder().decode(text);
      text.fill(0);
      return name;
    };
    const { fact } = worldOf();
    const facts = [fact()];
    expect(acceptDeposit({ facts }, { ...TERMS, payload }).recipient).toBe('alice');
    expect(acceptDeposit({ facts }, { ...TERMS, payload }).recipient).toBe('alice');
    expect(asked).toBe(2);
  });

  it('is what was proven, whatever is written into the facts since', () => {
    const { fact, cell } = worldOf();
    const proven = fact();
    proven.hash.fill(0);
    proven.account.address.fill(0);
    proven.block.rootHash.fill(0);
    proven.transaction!.address.fill(0);
    const deposit = acceptDeposit({ facts: [proven] }, TERMS);
    expect(deposit.transaction.hash).toEqual(hashOfCell(cell));
    expect(deposit.vault).toEqual(VAULT);
    expect(deposit.block.rootHash).not.toEqual(proven.block.rootHash);
  });
});

describe('what is no proof, and what are no terms', () => {
  it.each([
    [{ vault: '0:11' }, 'terms.vault: expected an account, got a string of 4 characters', 'parseAccountId reads one'],
    [{ asset: 'ton' }, "terms.asset: expected 'TON' or a jetton, got a string of 3 characters", undefined],
  ])('%s is refused with what to give', (term, message, hint) => {
    const call = () => acceptDeposit({ facts: [worldOf().fact()] }, { ...TERMS, ...(term as object) });
    expect(call).toThrow(expect.objectContaining({ code: 'usage/bad-option', message, hint }));
  });

  it('refuses facts that were not proven here', () => {
    const { fact, wallet } = worldOf(jettonForm());
    const copies = [{ ...fact() }, structuredClone({ kind: 'transaction', found: true, lt: LT, account: VAULT })];
    for (const copy of copies) {
      expect(outcomeOf(() => acceptDeposit({ facts: [copy] }, TERMS))).toBe('trust/unproven-block');
    }
    expect(outcomeOf(() => acceptDeposit({ facts: [fact(), { ...wallet() }] }, JETTON_TERMS))).toBe(
      'trust/unproven-block',
    );
  });

  it.each([
    ['no checkpoint', { checkpoint: undefined }],
    ['no clock', { nowSeconds: undefined }],
    ['milliseconds', { nowSeconds: Date.now() * 1000 }],
    ['nothing as the least', { atLeast: 0n }],
    ['a number as the least', { atLeast: 5 }],
    ['no `since`', { since: undefined }],
    ['no vault', { vault: undefined }],
    ['a vault as text', { vault: '0:11' }],
    ['no payload', { payload: undefined }],
    ['a payload that waits', { payload: async () => 'alice' }],
    ['a payload that waits in another realm', { payload: () => runInNewContext('Promise.resolve(1)') }],
    ['a payload that gives what waits', { payload: () => Object.fromEntries([['then', () => {}]]) }],
    ['another word for an asset', { asset: 'USDT' }],
    ['a jetton without code', { asset: { master: MASTER, wallet: WALLET, walletCodeHashes: [] } }],
    ['a jetton without a wallet', { asset: { master: MASTER, walletCodeHashes: [hashOfCell(WALLET_CODE)] } }],
    ['a misspelt option', { mayAnwser: true }],
    ['a word for a flag', { mayAnswer: 'no' }],
    ['no zerostate', { network: { globalId: GLOBAL_ID } }],
  ])('refuses %s', (_, over) => {
    const terms = { ...TERMS, ...over } as DepositTerms<string>;
    expect(outcomeOf(() => acceptDeposit({ facts: [worldOf().fact()] }, terms))).toMatch(/^(usage|decode)\//);
  });

  it('says of each refusal whether another proof can change it', () => {
    const refusals = FORGED.map(([, , make]) => {
      const { proof: of, terms } = caseOf(make);
      try {
        acceptDeposit(of, terms);
      } catch (error) {
        return error as DepositError; // the table above says so
      }
      throw new Error('accepted');
    });
    for (const { hint, retryable } of refusals) expect(hint).toMatch(retryable ? /^prove it again/ : /^do not pay/);
    const next = Object.fromEntries(refusals.map(({ code, hint }) => [code, hint]));
    expect(next).toMatchObject({
      'deposit/ambiguous': expect.stringContaining('one transaction at a time'),
      'deposit/outbound': expect.stringContaining('certify'),
      'deposit/stale-start': 'prove it again, after you moved the checkpoint',
      'deposit/clock': 'prove it again, after you set the clock',
      ...Object.fromEntries(
        ['other-network', 'other-account', 'other-wallet', 'too-old', 'recipient'].map((code) => [
          `deposit/${code}`,
          'do not pay it: check your terms before you skip the deposit',
        ]),
      ),
    });
    const codes = refusals.filter(({ retryable }) => retryable).map(({ code }) => code.slice('deposit/'.length));
    const changing = [...new Set(codes)];
    expect(changing).toEqual([
      'absent',
      'ambiguous',
      'not-final',
      'exception',
      'other-trust',
      'stale-start',
      'clock',
      'incomplete',
      'outbound',
      'wallet-state',
    ]);
  });
});

it('a deposit is text for logs in JSON: bytes in hex, numbers in decimals, accounts in raw form, whatever the recipient is', () => {
  const { proof, terms } = caseOf(ton({}));
  const recipient = { id: 5n, key: Uint8Array.of(1, 255) };
  const deposit = acceptDeposit(proof, { ...terms, payload: () => recipient });
  const { block, masterchain } = deposit;
  const idInText = ({ rootHash, fileHash, shard, ...id }: typeof block) => ({
    ...id,
    shard: String(shard),
    rootHash: encodeHex(rootHash),
    fileHash: encodeHex(fileHash),
  });
  expect(JSON.parse(JSON.stringify(deposit))).toMatchObject({
    key: encodeHex(deposit.key),
    amount: String(deposit.amount),
    sender: rawAccountId(deposit.sender),
    vault: rawAccountId(deposit.vault),
    recipient: { id: '5', key: '01ff' },
    block: idInText(block),
    masterchain: idInText(masterchain),
    rules: deposit.rules,
  });
});
