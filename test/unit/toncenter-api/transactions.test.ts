import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DecodeError } from '../../../src/core/base/errors.ts';
import { parseMasterchainShardState } from '../../../src/net/toncenter-api/masterchain-shard-state.ts';

const recorded = () => JSON.parse(readFileSync('vectors/http/v3-transaction-single-2026-82744100.json', 'utf8'));
const HASH = Buffer.alloc(32, 7).toString('base64');

/** Every field of the service card's section 2, with the types the card gives. */
function asTheCardSays() {
  const body = { body: 'AQID', decoded: { comment: 'hi', type: 'text_comment' }, hash: HASH };
  const state = {
    account_status: 'active',
    balance: '1329227995784915872903807060280344575',
    code_boc: 'AQ==',
    code_hash: HASH,
    data_boc: 'Ag==',
    data_hash: HASH,
    extra_currencies: { '100': '18446744073709551616' },
    frozen_hash: HASH,
    hash: HASH,
  };
  const message = {
    bounce: true,
    bounced: false,
    created_at: '1785330571',
    created_lt: '9223372036854775807',
    destination: '0:00',
    fwd_fee: '1',
    hash: HASH,
    hash_norm: HASH,
    ihr_disabled: true,
    ihr_fee: '2',
    import_fee: '3',
    in_msg_tx_hash: HASH,
    init_state: body,
    message_content: body,
    opcode: 260734629,
    out_msg_tx_hash: HASH,
    source: '-1:FF',
    value: '9007199254740993',
    value_extra_currencies: { '1': '5' },
  };
  const size = { bits: '100', cells: '7' };
  return {
    address_book: { '0:00': { user_friendly: 'EQ', domain: null, interfaces: null } },
    transactions: [
      {
        account: '0:00',
        account_state_after: state,
        account_state_before: state,
        block_ref: { seqno: 5, shard: '-9223372036854775808', workchain: -1 },
        description: {
          aborted: false,
          action: {
            action_list_hash: HASH,
            msgs_created: 1,
            no_funds: false,
            result_arg: -1,
            result_code: -2147483648,
            skipped_actions: 3,
            spec_actions: 4,
            status_change: 'unchanged',
            success: true,
            tot_actions: 5,
            tot_msg_size: size,
            total_action_fees: '1',
            total_fwd_fees: '2',
            valid: true,
          },
          bounce: { fwd_fees: '1', msg_fees: '2', msg_size: size, req_fwd_fees: '3', type: 'ok' },
          compute_ph: {
            account_activated: false,
            exit_arg: -7,
            exit_code: -14,
            gas_credit: '0',
            gas_fees: '1',
            gas_limit: '18446744073709551615',
            gas_used: '2',
            mode: -1,
            msg_state_used: false,
            reason: 'no_gas',
            skipped: false,
            success: true,
            vm_final_state_hash: HASH,
            vm_init_state_hash: HASH,
            vm_steps: 4294967295,
          },
          credit_first: true,
          credit_ph: { credit: '1', credit_extra_currencies: {}, due_fees_collected: '0' },
          destroyed: false,
          installed: false,
          is_tock: false,
          split_info: { acc_split_depth: 1, cur_shard_pfx_len: 2, sibling_addr: 'a', this_addr: 'b' },
          storage_ph: { status_change: 'unchanged', storage_fees_collected: '1', storage_fees_due: '0' },
          type: 'ord',
        },
        emulated: false,
        end_status: 'active',
        hash: HASH,
        in_msg: message,
        lt: '93307000000009',
        mc_block_seqno: 82744100,
        now: 1785330571,
        orig_status: 'active',
        out_msgs: [message],
        prev_trans_hash: HASH,
        prev_trans_lt: '0',
        total_fees: '0',
        total_fees_extra_currencies: {},
        trace_external_hash: HASH,
        trace_id: HASH,
      },
    ],
  };
}

/** The same transaction as this library gives it. @param sent what a boolean that the body has as true is here */
function expectedTransaction(sent: boolean) {
  const hash = new Uint8Array(32).fill(7);
  const [yes, no] = [sent, !sent];
  const body = { body: new Uint8Array([1, 2, 3]), decoded: { comment: 'hi', type: 'text_comment' }, hash };
  const state = {
    accountStatus: 'active',
    balance: 1329227995784915872903807060280344575n,
    codeBoc: new Uint8Array([1]),
    codeHash: hash,
    dataBoc: new Uint8Array([2]),
    dataHash: hash,
    extraCurrencies: { '100': 18446744073709551616n },
    frozenHash: hash,
    hash,
  };
  const message = {
    bounce: yes,
    bounced: no,
    createdAt: 1785330571,
    createdLt: 9223372036854775807n,
    destination: '0:00',
    fwdFee: 1n,
    hash,
    hashNorm: hash,
    ihrDisabled: yes,
    ihrFee: 2n,
    importFee: 3n,
    inMsgTxHash: hash,
    initState: body,
    messageContent: body,
    opcode: 260734629,
    outMsgTxHash: hash,
    source: '-1:FF',
    value: 9007199254740993n,
    valueExtraCurrencies: { '1': 5n },
  };
  const size = { bits: 100n, cells: 7n };
  return {
    account: '0:00',
    accountStateAfter: state,
    accountStateBefore: state,
    blockRef: { seqno: 5, shard: -0x8000000000000000n, workchain: -1 },
    description: {
      aborted: no,
      action: {
        actionListHash: hash,
        msgsCreated: 1,
        noFunds: no,
        resultArg: -1,
        resultCode: -2147483648,
        skippedActions: 3,
        specActions: 4,
        statusChange: 'unchanged',
        success: yes,
        totActions: 5,
        totMsgSize: size,
        totalActionFees: 1n,
        totalFwdFees: 2n,
        valid: yes,
      },
      bounce: { fwdFees: 1n, msgFees: 2n, msgSize: size, reqFwdFees: 3n, type: 'ok' },
      computePh: {
        accountActivated: no,
        exitArg: -7,
        exitCode: -14,
        gasCredit: 0n,
        gasFees: 1n,
        gasLimit: 18446744073709551615n,
        gasUsed: 2n,
        mode: -1,
        msgStateUsed: no,
        reason: 'no_gas',
        skipped: no,
        success: yes,
        vmFinalStateHash: hash,
        vmInitStateHash: hash,
        vmSteps: 4294967295,
      },
      creditFirst: yes,
      creditPh: { credit: 1n, creditExtraCurrencies: {}, dueFeesCollected: 0n },
      destroyed: no,
      installed: no,
      isTock: no,
      splitInfo: { accSplitDepth: 1, curShardPfxLen: 2, siblingAddr: 'a', thisAddr: 'b' },
      storagePh: { statusChange: 'unchanged', storageFeesCollected: 1n, storageFeesDue: 0n },
      type: 'ord',
    },
    emulated: no,
    endStatus: 'active',
    hash,
    inMsg: message,
    lt: 93307000000009n,
    mcBlockSeqno: 82744100,
    now: 1785330571,
    origStatus: 'active',
    outMsgs: [message],
    prevTransHash: hash,
    prevTransLt: 0n,
    totalFees: 0n,
    totalFeesExtraCurrencies: {},
    traceExternalHash: hash,
    traceId: hash,
  };
}

function withFlippedBooleans<T>(json: T): T {
  return JSON.parse(JSON.stringify(json), (_, value: unknown) => (typeof value === 'boolean' ? !value : value)) as T; // same shape
}

function read(json: unknown) {
  const state = parseMasterchainShardState(json);
  if (state.kind !== 'transactions') throw new Error('expected transactions');
  return state;
}

describe('the documented shape of masterchainBlockShardState', () => {
  it('is read value by value, every field that the service card lists', () => {
    const { transactions, addressBook, addressBookProblems } = read(asTheCardSays());
    expect(transactions).toEqual([expectedTransaction(true)]);
    expect(addressBook).toEqual({ '0:00': { userFriendly: 'EQ' } });
    expect(addressBookProblems).toEqual([]);
  });

  it('keeps every boolean as it was sent', () => {
    expect(read(withFlippedBooleans(asTheCardSays())).transactions).toEqual([expectedTransaction(false)]);
  });

  it('has the 114 documented fields of this answer; the 15 others are those of the signature answer', () => {
    const body = asTheCardSays();
    const one = body.transactions[0]!;
    const { action, bounce, compute_ph, credit_ph, split_info, storage_ph } = one.description;
    const inTransaction = [one, one.account_state_after, one.block_ref, one.in_msg, one.in_msg.message_content];
    const inDescription = [one.description, action, action.tot_msg_size, bounce, compute_ph, credit_ph];
    const kinds = [body, ...inTransaction, ...inDescription, split_info, storage_ph];
    expect(kinds.reduce((sum, kind) => sum + Object.keys(kind).length, 0)).toBe(114);
  });

  it('loses no digit of any 64-bit or longer number', () => {
    const one = read(asTheCardSays()).transactions[0]!;
    expect(one.inMsg?.value).toBe(9007199254740993n);
    expect(one.inMsg?.createdLt).toBe(9223372036854775807n);
    expect(one.accountStateAfter?.balance).toBe(1329227995784915872903807060280344575n);
    expect(one.accountStateAfter?.extraCurrencies).toEqual({ '100': 18446744073709551616n });
    expect(one.description.computePh?.gasLimit).toBe(18446744073709551615n);
    expect(one.description.computePh?.vmSteps).toBe(4294967295);
    expect(one.blockRef?.shard).toBe(-0x8000000000000000n);
  });

  it('takes an opcode as integer, as hex text and as null', () => {
    for (const [sent, got] of [
      [260734629, 260734629],
      ['0x0f8a7ea5', 260734629],
      ['0xFFFFFFFF', 4294967295],
      [null, undefined],
    ]) {
      const body = asTheCardSays();
      Object.assign(body.transactions[0]!.in_msg, { opcode: sent });
      expect(read(body).transactions[0]?.inMsg?.opcode).toBe(got);
    }
  });

  it('takes a recorded transaction as servers send it, with fields the card does not have', () => {
    const one = read({ transactions: [recorded()], address_book: {} }).transactions[0]!;
    expect(one.lt).toBe(93307000000009n);
    expect(one.finality).toBe('finalized');
    expect(one.description.type).toBe('ord');
    expect(Object.isFrozen(one) && Object.isFrozen(one.description)).toBe(true);
  });

  it('takes an answer without an address book', () => {
    expect(read({ transactions: [] }).addressBook).toEqual({});
  });

  it('refuses a large number that JSON has already rounded', () => {
    const body = asTheCardSays();
    Object.assign(body.transactions[0]!, { lt: Number('9007199254740993') });
    expect(() => read(body)).toThrow(
      expect.objectContaining({ code: 'decode/range', path: 'transactions[0].lt' }) as DecodeError,
    );
  });

  it.each([
    ['hash', 'abc', 'decode/base64', 'transactions[0].hash'],
    ['hash', 'AAAA', 'decode/length', 'transactions[0].hash'],
    ['lt', '-1', 'decode/shape', 'transactions[0].lt'],
    ['lt', '01', 'decode/shape', 'transactions[0].lt'],
    ['lt', String(2n ** 64n), 'decode/range', 'transactions[0].lt'],
    ['lt', '9'.repeat(75), 'decode/range', 'transactions[0].lt'],
    ['prev_trans_lt', String(2n ** 64n), 'decode/range', 'transactions[0].prev_trans_lt'],
    ['total_fees', String(2n ** 248n), 'decode/range', 'transactions[0].total_fees'],
    ['total_fees', '9'.repeat(76), 'decode/shape', 'transactions[0].total_fees'],
    ['now', 2 ** 32, 'decode/range', 'transactions[0].now'],
    ['now', -1, 'decode/range', 'transactions[0].now'],
    ['mc_block_seqno', -1, 'decode/range', 'transactions[0].mc_block_seqno'],
    ['mc_block_seqno', '-1', 'decode/range', 'transactions[0].mc_block_seqno'],
    ['mc_block_seqno', '007', 'decode/shape', 'transactions[0].mc_block_seqno'],
    ['mc_block_seqno', '-0', 'decode/shape', 'transactions[0].mc_block_seqno'],
    ['mc_block_seqno', '+1', 'decode/shape', 'transactions[0].mc_block_seqno'],
    ['mc_block_seqno', 1.5, 'decode/range', 'transactions[0].mc_block_seqno'],
    ['hash', 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc', 'decode/base64', 'transactions[0].hash'],
    ['hash', '07'.repeat(32), 'decode/length', 'transactions[0].hash'],
    ['out_msgs', {}, 'decode/shape', 'transactions[0].out_msgs'],
    ['out_msgs', Array(4097).fill({}), 'decode/too-large', 'transactions[0].out_msgs'],
    ['description', null, 'decode/shape', 'transactions[0].description'],
    ['account', 'x'.repeat(2000), 'decode/too-large', 'transactions[0].account'],
  ])('names the path of a bad %s (%j)', (key, value, code, path) => {
    const body = asTheCardSays();
    Object.assign(body.transactions[0]!, { [key]: value });
    expect(() => read(body)).toThrow(expect.objectContaining({ code, path }) as DecodeError);
  });

  it('never reads a prototype key of a map', () => {
    const json = JSON.parse('{"transactions":[],"address_book":{"__proto__":{"domain":"x"}}}');
    const { addressBook } = read(json);
    expect(({} as Record<string, unknown>).domain).toBeUndefined();
    expect((addressBook as Record<string, unknown>).domain).toBeUndefined();
  });

  it('takes the greatest logical time and the greatest amount', () => {
    const body = asTheCardSays();
    const [lt, fees] = [2n ** 64n - 1n, 2n ** 248n - 1n];
    Object.assign(body.transactions[0]!, { lt: String(lt), prev_trans_lt: String(lt), total_fees: String(fees) });
    expect(read(body).transactions[0]).toMatchObject({ lt, prevTransLt: lt, totalFees: fees });
  });

  it('takes decimal text in every integer field', () => {
    const asText = JSON.parse(JSON.stringify(asTheCardSays()), (_, value: unknown) =>
      typeof value === 'number' ? String(value) : value,
    );
    expect(read(asText).transactions).toEqual([expectedTransaction(true)]);
  });

  it.each([
    ['created_at', '01785330571', 'decode/shape'],
    ['created_at', '-1', 'decode/range'],
    ['created_at', '4294967296', 'decode/range'],
    ['opcode', '-0', 'decode/shape'],
    ['created_lt', String(2n ** 64n), 'decode/range'],
    ['value', String(2n ** 248n), 'decode/range'],
  ])('refuses a %s of %j in a message', (key, value, code) => {
    const body = asTheCardSays();
    Object.assign(body.transactions[0]!.in_msg, { [key]: value });
    expect(() => read(body)).toThrow(
      expect.objectContaining({ code, path: `transactions[0].in_msg.${key}` }) as DecodeError,
    );
  });

  it('reads an opcode modulo 2^32, and no other integer', () => {
    const body = asTheCardSays();
    Object.assign(body.transactions[0]!.in_msg, { opcode: -1 });
    expect(read(body).transactions[0]?.inMsg?.opcode).toBe(0xffffffff);
  });

  it('is read although rows of its address book are bad, and says which', () => {
    const good = { user_friendly: 'EQ', domain: null, interfaces: ['nft_item'] };
    const { transactions, addressBook, addressBookProblems } = read({
      ...asTheCardSays(),
      address_book: { '0:00': good, '0:01': { domain: 7 }, '0:02': null, '0:03': { interfaces: [1] } },
    });
    expect(transactions).toHaveLength(1);
    expect(addressBook).toEqual({ '0:00': { userFriendly: 'EQ', interfaces: ['nft_item'] } });
    expect(addressBookProblems.map((problem) => problem.split(': ')[0])).toEqual([
      'address_book.0:01.domain',
      'address_book.0:02',
      'address_book.0:03.interfaces[0]',
    ]);
  });

  it('tells of many bad rows in a few lines', () => {
    const rows = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`0:${i}`, i]));
    const { addressBook, addressBookProblems } = read({ transactions: [], address_book: rows });
    expect(addressBook).toEqual({});
    expect(addressBookProblems).toHaveLength(17);
    expect(addressBookProblems.at(-1)).toBe('address_book: 984 more rows that cannot be read');
  });
});
