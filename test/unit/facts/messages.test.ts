/** Messages in every form that a cell can give them, written by @ton/core, and the accounts that @ton/core writes. */
import {
  Address,
  BitString,
  type Builder,
  type CommonMessageInfo,
  Dictionary,
  ExternalAddress,
  type StateInit,
  storeAccount,
  storeMessage,
} from '@ton/core';
import { describe, expect, it } from 'vitest';
import { messageRows } from '../../../src/app/report/render-facts.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { Slice } from '../../../src/core/cells/slice.ts';
import { readAccountCell } from '../../../src/core/facts/account-cell.ts';
import { readMessageAddress } from '../../../src/core/facts/addresses.ts';
import { verifyHistory } from '../../../src/core/facts/history.ts';
import { jettonNotificationOf } from '../../../src/core/facts/jetton.ts';
import { listMessages, messagesOf, readListed } from '../../../src/core/facts/messages.ts';
import { messageToJson } from '../../../src/core/facts/to-json.ts';
import { requireSuccess } from '../../../src/core/facts/transaction.ts';
import { beginCell, bocOf, type CoreCell } from '../../helpers/cells.ts';
import { writeBits } from '../../helpers/cut-proofs.ts';

const account = { workchain: 0, address: new Uint8Array(32).fill(0x11) };
const self = new Address(0, Buffer.from(account.address));
const other = new Address(-1, Buffer.alloc(32, 0x22));
const log = new ExternalAddress(0b101n, 3);
const lt = 1000n;

/** A transaction of the account with these messages. */
function transactionWith(
  inMessage: CoreCell | undefined,
  outMessages: readonly CoreCell[],
  description = beginCell().storeUint(1, 4).storeCoins(0).storeBit(false).storeBit(false).endCell(),
  count = outMessages.length,
  firstPlace = 0,
) {
  const out = Dictionary.empty(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  for (const [at, message] of outMessages.entries()) out.set(firstPlace + at, message);
  const cell = beginCell()
    .storeUint(7, 4)
    .storeBuffer(Buffer.from(account.address))
    .storeUint(lt, 64)
    .storeUint(0, 256 + 64)
    .storeUint(1_700_000_000, 32)
    .storeUint(count, 15)
    .storeUint(0b1010, 4)
    .storeRef(beginCell().storeMaybeRef(inMessage).storeDict(out).endCell())
    .storeCoins(5)
    .storeBit(false)
    .storeRef(beginCell().storeUint(0x72, 8).storeUint(1, 256).storeUint(2, 256).endCell())
    .storeRef(description)
    .endCell();
  const start = { account, lt, hash: Uint8Array.from(cell.hash()) };
  return verifyHistory([{ transactions: bocOf(cell) }], start)[0]!;
}

const internal = (change: Partial<Extract<CommonMessageInfo, { type: 'internal' }>>): CommonMessageInfo => ({
  type: 'internal',
  ihrDisabled: true,
  bounce: false,
  bounced: false,
  src: other,
  dest: self,
  value: { coins: 77n },
  ihrFee: 3n,
  forwardFee: 4n,
  createdLt: 900n,
  createdAt: 1_699_999_999,
  ...change,
});
const body = beginCell().storeUint(0xcafe_f00d, 32).storeUint(1, 7).storeRef(beginCell().endCell()).endCell();
const short = beginCell().storeUint(1, 31).endCell();
const init: StateInit = { code: body, data: short };
const everything: StateInit = { splitDepth: 7, special: { tick: true, tock: false }, ...init };

const written = (info: CommonMessageInfo, content: CoreCell = body, over?: StateInit, forceRef = false) =>
  beginCell()
    .store(storeMessage({ info, body: content, init: over ?? null }, { forceRef }))
    .endCell();
const received = (message: CoreCell) => messagesOf(transactionWith(message, []))[0]!;
const sent = (message: CoreCell) => messagesOf(transactionWith(undefined, [message]))[0]!;

describe('a message', () => {
  const parts = { account, lt, bodyHash: Uint8Array.from(body.hash()), opcode: 0xcafe_f00d };
  const there = { kind: 'account', account: { workchain: -1, address: new Uint8Array(32).fill(0x22) } };
  const here = { kind: 'account', account };

  it('that came in brings its value from its source, and says whether it is a return', () => {
    expect(received(written(internal({})))).toMatchObject({
      ...parts,
      direction: 'in',
      kind: 'internal',
      source: there,
      destination: here,
      value: { grams: 77n },
      bounce: false,
      bounced: false,
      createdLt: 900n,
      createdAt: 1_699_999_999,
    });
    expect(received(written(internal({ bounce: true })))).toMatchObject({ bounce: true, bounced: false });
    expect(received(written(internal({ bounced: true })))).toMatchObject({ bounce: false, bounced: true });
    expect(received(written(internal({})))).not.toHaveProperty('index');
  });

  it('may bring other currencies than TON', () => {
    const others = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5)).set(100, 12n);
    const brought = received(written(internal({ value: { coins: 1n, other: others } })));
    if (brought.kind !== 'internal') throw new Error('expected an internal message');
    expect(brought.value.grams).toBe(1n);
    const root = beginCell().storeDictDirect(others).endCell();
    expect(brought.value.other!.hash(0)).toEqual(Uint8Array.from(root.hash()));
    expect(messageToJson(brought)).toMatchObject({ value: '1', otherCurrencies: root.hash().toString('hex') });
    expect(messageToJson(received(written(internal({}))))).not.toHaveProperty('otherCurrencies');
    expect(received(written(internal({})))).not.toHaveProperty('value.other');
  });

  it('that went out has its place', () => {
    const messages = [written(internal({ src: self, dest: other })), written(internal({ src: self, dest: self }))];
    expect(messagesOf(transactionWith(undefined, messages))).toMatchObject([
      { ...parts, direction: 'out', index: 0, source: here, destination: there },
      { ...parts, direction: 'out', index: 1, destination: here },
    ]);
  });

  it('from outside and to the outside has an address that is no account', () => {
    const bits = { bytes: Uint8Array.of(0b1010_0000), bitLength: 3 };
    const external: CommonMessageInfo = { type: 'external-in', src: log, dest: self, importFee: 5n };
    expect(received(written(external))).toMatchObject({ ...parts, kind: 'external-in', source: { bits } });
    expect(received(written({ ...external, src: null }))).toMatchObject({ source: { kind: 'none' } });
    const event: CommonMessageInfo = { type: 'external-out', src: self, dest: log, createdLt: 901n, createdAt: 7 };
    expect(sent(written(event))).toMatchObject({
      ...parts,
      kind: 'external-out',
      source: here,
      destination: { kind: 'external', bits },
      createdLt: 901n,
      createdAt: 7,
    });
  });

  it.each<[string, StateInit | undefined, boolean]>([
    ['without a state to set up', undefined, false],
    ['without a state, the body in a cell of its own', undefined, true],
    ['with a state inline', init, false],
    ['with a state that has all its parts', everything, false],
    ['with a state in a cell of its own', everything, true],
  ])('has the same body %s', (_, over, forceRef) => {
    expect(received(written(internal({}), body, over, forceRef))).toMatchObject(parts);
  });

  it('of less than 32 bits has no opcode', () => {
    expect(received(written(internal({}), short))).not.toHaveProperty('opcode');
    expect(received(written(internal({}), beginCell().storeUint(5, 32).endCell()))).toMatchObject({ opcode: 5 });
  });

  it('whose body is no ordinary cell has no opcode, and is a message all the same', () => {
    const library = beginCell().storeUint(2, 8).storeUint(0xcafe_f00d, 256).endCell({ exotic: true });
    const got = received(written(internal({}), library, undefined, true));
    expect(got).toMatchObject({ kind: 'internal', bodyHash: Uint8Array.from(library.hash()) });
    expect(got).not.toHaveProperty('opcode');
  });

  it('whose body is a cell of its own has nothing behind that', () => {
    const cell = written(internal({}), body, undefined, true);
    const longer = cell.asBuilder().storeBit(false).endCell();
    expect(() => received(longer)).toThrow(expect.objectContaining({ code: 'decode/boc' }));
  });

  it('of one kind with the addresses of another is refused', () => {
    const wrongs: Builder[] = [
      // From nowhere to here; from here to nowhere: neither is delivered by the chain.
      beginCell().storeUint(0b0100, 4).storeUint(0, 2).storeAddress(self),
      beginCell().storeUint(0b0100, 4).storeAddress(self).storeUint(0, 2),
    ];
    for (const wrong of wrongs) {
      const cell = wrong
        .storeCoins(1)
        .storeBit(false)
        .storeCoins(0)
        .storeCoins(0)
        .storeUint(0, 64 + 32 + 2)
        .endCell();
      expect(() => received(cell)).toThrow(expect.objectContaining({ code: 'decode/boc' }));
    }
  });

  it('is taken for jettons only as it came in from an account, not returned, and with their opcode', () => {
    const notification = beginCell()
      .storeUint(0x7362d09c, 32)
      .storeUint(8, 64)
      .storeCoins(1234)
      .storeAddress(other)
      .endCell();
    const inline = notification.asBuilder().storeBit(false).storeUint(0xab, 8).endCell();
    const apart = notification.asBuilder().storeBit(true).storeRef(body).endCell();
    const seen = { queryId: 8n, amount: 1234n, sender: there, wallet: there };
    const decoded = (cell: CoreCell, change = {}) => jettonNotificationOf(received(written(internal(change), cell)));
    expect(decoded(notification)).toMatchObject({ ...seen, payload: { bitLength: 0 } });
    expect(decoded(inline)).toMatchObject({ ...seen, payload: { bitLength: 8 } });
    expect(decoded(apart)!.payload.hash(0)).toEqual(Uint8Array.from(body.hash()));
    expect(decoded(notification, { bounced: true })).toBeUndefined();
    expect(decoded(body)).toBeUndefined();
    expect(jettonNotificationOf(sent(written(internal({ src: self, dest: other }), notification)))).toBeUndefined();
    const outside: CommonMessageInfo = { type: 'external-in', src: null, dest: self, importFee: 0n };
    expect(jettonNotificationOf(received(written(outside, notification)))).toBeUndefined();
    expect(() => decoded(apart.asBuilder().storeBit(false).endCell())).toThrow(
      expect.objectContaining({ code: 'decode/boc' }),
    );
  });
});

describe('the messages of a transaction', () => {
  const wrong = (run: () => unknown) => expect(run).toThrow(expect.objectContaining({ code: 'trust/message' }));
  const event: CommonMessageInfo = { type: 'external-out', src: self, dest: log, createdLt: 901n, createdAt: 7 };
  const external: CommonMessageInfo = { type: 'external-in', src: null, dest: self, importFee: 5n };

  it('are as many as it says, and each came to it or went out from it', () => {
    const [out, elsewhere] = [internal({ src: self, dest: other }), internal({ src: other, dest: self })];
    wrong(() => messagesOf(transactionWith(undefined, [written(out)], undefined, 2)));
    wrong(() => messagesOf(transactionWith(undefined, [written(out), written(elsewhere)])));
    wrong(() => received(written(out)));
    wrong(() => received(written(internal({ dest: new Address(-1, Buffer.from(account.address)) }))));
    wrong(() => received(written({ ...event, src: self })));
    wrong(() => sent(written(external)));
  });

  /** ext_in_msg_info with a destination in the long form, which nodes accept from outside as it is. */
  const outside = (bitLength: number, workchain = 0) =>
    beginCell()
      .storeUint(0b1000, 4) // no source
      .storeUint(0b110, 3)
      .storeUint(bitLength, 9)
      .storeInt(workchain, 32)
      .storeBits(new BitString(Buffer.alloc(64, 0x11), 0, bitLength))
      .storeUint(0, 4 + 2) // import fee; no init, an inline body
      .endCell();

  it('may name the account by an address in the long form', () => {
    const [came, went] = messagesOf(transactionWith(outside(256), [written(event)]));
    const bits = { bytes: account.address, bitLength: 256 };
    expect(came).toMatchObject({ kind: 'external-in', destination: { kind: 'variable', workchain: 0, bits } });
    expect(went).toMatchObject({ kind: 'external-out', index: 0 });
  });

  it('are for no address of another length or workchain', () => {
    for (const message of [outside(255), outside(264), outside(256, -1)]) wrong(() => received(message));
  });

  it('have their places without a gap', () => {
    const message = written(internal({ src: self, dest: other }));
    wrong(() => messagesOf(transactionWith(undefined, [message], undefined, 1, 1)));
  });

  it('do not change when what came out of them is written to', () => {
    const fact = transactionWith(written(internal({})), [written(event)]);
    messagesOf(fact)[0]!.account.address.fill(0);
    expect(messagesOf(fact)[1]).toMatchObject({ account, kind: 'external-out' });
  });
});

describe('success', () => {
  const fails = (description: Builder, why: RegExp) =>
    expect(() => requireSuccess(transactionWith(undefined, [], description.endCell()))).toThrow(
      expect.objectContaining({ code: 'trust/aborted', message: expect.stringMatching(why) }),
    );
  /** trans_ord without storage or credit. */
  const ordinary = () => beginCell().storeUint(0, 4).storeUint(0, 3);
  const ran = (success: boolean, exitCode: number) => (builder: Builder) =>
    builder
      .storeBit(true)
      .storeBit(success)
      .storeUint(0, 2)
      .storeCoins(0)
      .storeRef(
        beginCell()
          .storeUint(0, 3 + 3 + 1 + 8)
          .storeInt(exitCode, 32)
          .storeUint(0, 1 + 32 + 512)
          .endCell(),
      );
  const acted = (success: boolean, code: number) =>
    beginCell()
      .storeBit(success)
      .storeUint(0, 1 + 1 + 1 + 1 + 1)
      .storeInt(code, 32)
      .storeUint(0, 1 + 64 + 256 + 6)
      .endCell();
  /** aborted, bounce, destroyed. */
  const end =
    (aborted: boolean, bounce = false) =>
    (builder: Builder) => {
      builder.storeBit(aborted).storeBit(bounce);
      if (bounce) builder.storeUint(0, 2);
      builder.storeBit(false);
    };

  it('is refused with the reason why there was none', () => {
    fails(beginCell().storeUint(1, 4).storeCoins(0).storeUint(0, 2), /a storage one runs no code/);
    fails(ordinary().storeBit(false).storeUint(2, 2).storeBit(false).store(end(true)), /code skipped, no-gas/);
    fails(ordinary().store(ran(false, 35)).storeBit(false).store(end(true)), /its code ended with 35/);
    const failedAction = ordinary().store(ran(true, 0)).storeBit(true).storeRef(acted(false, 37));
    fails(failedAction.store(end(true)), /action result 37/);
    fails(ordinary().store(ran(true, 0)).storeBit(false).store(end(true)), /: aborted/);
    const sentBack = ordinary().store(ran(true, 0)).storeBit(true).storeRef(acted(true, 0));
    fails(sentBack.store(end(false, true)), /: bounced/);
  });

  it('is there when nothing speaks against it', () => {
    for (const done of [
      ordinary().store(ran(true, 0)).storeBit(false).store(end(false)),
      ordinary().store(ran(true, 1)).storeBit(true).storeRef(acted(true, 0)).store(end(false)),
    ]) {
      requireSuccess(transactionWith(undefined, [], done.endCell()));
    }
  });
});

describe('an address', () => {
  const read = (write: (builder: Builder) => Builder) => {
    const slice = new Slice(parseSingleRoot(bocOf(write(beginCell()).endCell())), 'address');
    const address = readMessageAddress(slice);
    slice.end();
    return address;
  };

  it('may be of another length, and rewritten by up to thirty bits', () => {
    expect(
      read((builder) => builder.storeUint(0b110, 3).storeUint(12, 9).storeInt(-7, 32).storeUint(0xabc, 12)),
    ).toEqual({ kind: 'variable', workchain: -7, bits: { bytes: Uint8Array.of(0xab, 0xc0), bitLength: 12 } });
    const rewritten = (depth: number) =>
      read((builder) =>
        builder
          .storeUint(0b101, 3)
          .storeUint(depth, 5)
          .storeUint(depth === 0 ? 0 : 1, depth)
          .storeInt(-1, 8)
          .storeBuffer(Buffer.alloc(32, 0x22)),
      );
    const paid = (...first: number[]) => Uint8Array.from([...first, ...Array<number>(32 - first.length).fill(0x22)]);
    expect(rewritten(1)).toEqual({
      kind: 'anycast',
      account: { workchain: -1, address: paid(0xa2) },
      anycast: { bytes: Uint8Array.of(0x80), bitLength: 1 },
    });
    expect(rewritten(8)).toMatchObject({ account: { address: paid(0x01) } });
    expect(rewritten(30)).toEqual({
      kind: 'anycast',
      account: { workchain: -1, address: paid(0, 0, 0, 0x04 | 0x02) },
      anycast: { bytes: Uint8Array.of(0, 0, 0, 4), bitLength: 30 },
    });
    const variable = (bitLength: number) =>
      read((builder) =>
        builder
          .storeUint(0b111, 3)
          .storeUint(9, 5)
          .storeUint(0x155, 9)
          .storeUint(bitLength, 9)
          .storeInt(5, 32)
          .storeUint(0, bitLength),
      );
    const anycast = { bytes: Uint8Array.of(0xaa, 0x80), bitLength: 9 };
    expect(variable(12)).toEqual({
      kind: 'variable',
      workchain: 5,
      bits: { bytes: Uint8Array.of(0xaa, 0x80), bitLength: 12 },
      anycast,
    });
    expect(variable(9)).toMatchObject({ bits: anycast, anycast }); // all of it rewritten
    expect(() => variable(8)).toThrow(expect.objectContaining({ code: 'decode/boc' }));
    for (const depth of [0, 31]) {
      expect(() => rewritten(depth)).toThrow(expect.objectContaining({ code: 'decode/boc' }));
    }
  });
});

describe('a message to an address that is rewritten', () => {
  /** As `self` or `other` is written with its first bits replaced by others. */
  const message = (written: Buffer, prefix: number, workchain: number, amount = 77n) => {
    const currencies = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5)).set(239, 1000n);
    return beginCell()
      .storeUint(0b0100, 4)
      .storeAddress(other)
      .storeUint(0b101, 3)
      .storeUint(30, 5)
      .storeUint(prefix, 30)
      .storeInt(workchain, 8)
      .storeBuffer(written)
      .storeCoins(amount)
      .storeDict(currencies)
      .storeUint(0, 4 + 4 + 64 + 32 + 2)
      .endCell();
  };
  const written = Buffer.alloc(32, 0xee);
  const paidTo = (prefix: number) => message(written, prefix, 0);

  it('is for the account that it comes out as, and for no other', () => {
    const itself = Buffer.from(account.address);
    itself.fill(0xee, 0, 3);
    const [read] = messagesOf(transactionWith(message(itself, 0x11111111 >>> 2, 0), []));
    expect(read).toMatchObject({ destination: { kind: 'anycast', account }, direction: 'in' });
    expect(() => messagesOf(transactionWith(paidTo(0x11111111 >>> 2), []))).toThrow(
      expect.objectContaining({ code: 'trust/message' }),
    );
    expect(() => messagesOf(transactionWith(message(itself, 0x21111111 >>> 2, 0), []))).toThrow(
      expect.objectContaining({ code: 'trust/message' }),
    );
  });

  it('is shown with the account that is paid, in JSON and as text, and with every currency', () => {
    const to = beginCell()
      .storeUint(0b0100, 4)
      .storeAddress(self)
      .storeSlice(
        paidTo(0x11111111 >>> 2)
          .beginParse()
          .skip(4 + 267),
      )
      .endCell();
    const [sentOut] = messagesOf(transactionWith(undefined, [to]));
    const paid = `0:11111112${'ee'.repeat(28)}`;
    expect(messageToJson(sentOut!)).toMatchObject({ destination: { kind: 'anycast', account: paid } });
    const rows = messageRows(sentOut!).join('\n');
    expect(rows).toContain(`${paid}, its first 30 bits rewritten (anycast)`);
    expect(rows).not.toContain(`eeeeeeee${'ee'.repeat(28)}`);
    expect(rows).toContain('0.000000077 TON, 1000 of currency 239');
    const far = {
      ...sentOut!,
      destination: { kind: 'variable', workchain: -7, bits: { bytes: new Uint8Array(2), bitLength: 12 } },
    };
    expect(messageRows(far as never).join()).toContain('variable address of 12 bits in workchain -7, 0000');
  });
});

describe('the contents of an account', () => {
  const storageStats = { used: { cells: 9n, bits: 1500n }, lastPaid: 1_600_000_000, duePayment: null };
  type State = Parameters<typeof storeAccount>[0]['storage']['state'];
  const written = (state: State, change: object = {}) =>
    beginCell()
      .storeBit(true)
      .store(
        storeAccount({
          addr: self,
          storageStats: { ...storageStats, storageExtra: null, ...change },
          storage: { lastTransLt: 8n, balance: { coins: 55n }, state },
        }),
      )
      .endCell();
  const read = (cell: CoreCell) => readAccountCell(parseSingleRoot(bocOf(cell)), account, 'account');
  const storage = { cells: 9n, bits: 1500n, lastPaid: 1_600_000_000 };

  it('are what its state says: none, frozen, or code and data', () => {
    expect(read(written({ type: 'uninit' }))).toEqual({ status: 'uninit', balance: { grams: 55n }, storage });
    expect(read(written({ type: 'frozen', stateHash: 6n }))).toMatchObject({
      status: 'frozen',
      stateHash: Uint8Array.from([...Array(31).fill(0), 6]),
    });
    for (const state of [init, everything]) {
      const active = read(written({ type: 'active', state }));
      expect(active).toMatchObject({ status: 'active', storage, balance: { grams: 55n } });
      expect(active.code!.hash(0)).toEqual(Uint8Array.from(body.hash()));
      expect(active.data!.hash(0)).toEqual(Uint8Array.from(short.hash()));
    }
    expect(read(written({ type: 'active', state: {} }))).not.toHaveProperty('code');
  });

  it('say what it owes, and may name a dictionary of its cells', () => {
    expect(read(written({ type: 'uninit' }, { duePayment: 12n })).storage).toEqual({ ...storage, duePayment: 12n });
    expect(read(written({ type: 'uninit' }, { storageExtra: { dictHash: 5n } })).storage).toEqual(storage);
  });

  it('have no storage extra that nobody knows', () => {
    const cell = written({ type: 'uninit' });
    const extra = 1 + 267 + (3 + 8) + (3 + 16);
    expect(read(writeBits(cell, extra, '000')).storage).toEqual(storage);
    expect(() => read(writeBits(cell, extra, '010'))).toThrow(expect.objectContaining({ code: 'decode/boc' }));
  });

  it('have nothing behind them', () => {
    for (const state of [{ type: 'uninit' }, { type: 'active', state: init }] as const) {
      const longer = written(state).asBuilder().storeBit(false).endCell();
      expect(() => read(longer)).toThrow(expect.objectContaining({ code: 'decode/boc' }));
    }
  });
});

describe('bodies that stand in their messages', () => {
  it('are copied where a message is read, and each copy is told', () => {
    const fact = transactionWith(written(internal({})), [written(internal({ src: self, dest: other }))]);
    const list = listMessages(fact);
    const told: unknown[] = [];
    const read = (['in', 0, 1] as const).map((place) =>
      readListed(list, place, (cells, path) => told.push([cells, path])),
    );
    expect(read).toEqual([...messagesOf(fact), undefined]);
    expect(told).toEqual([
      [2, 'in_msg'], // the body and the cell below it
      [2, 'out_msgs[0]'],
    ]);
    const full = () => {
      throw new Error('full');
    };
    expect(() => readListed(list, 'in', full)).toThrow('full');
  });
});
