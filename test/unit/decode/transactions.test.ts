import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DecodeError } from '../../../src/base/errors.ts';
import { parseMasterchainShardState } from '../../../src/decode/shard-state.ts';

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
            result_code: 0,
            skipped_actions: 0,
            spec_actions: 0,
            status_change: 'unchanged',
            success: true,
            tot_actions: 1,
            tot_msg_size: size,
            total_action_fees: '1',
            total_fwd_fees: '2',
            valid: true,
          },
          bounce: { fwd_fees: '1', msg_fees: '2', msg_size: size, req_fwd_fees: '3', type: 'ok' },
          compute_ph: {
            account_activated: false,
            exit_arg: 0,
            exit_code: -14,
            gas_credit: '0',
            gas_fees: '1',
            gas_limit: '18446744073709551615',
            gas_used: '2',
            mode: 0,
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

function read(json: unknown) {
  const state = parseMasterchainShardState(json);
  if (state.kind !== 'transactions') throw new Error('expected transactions');
  return state;
}

describe('the documented shape of masterchainBlockShardState', () => {
  it('is read with every field that the service card lists', () => {
    const { transactions, addressBook } = read(asTheCardSays());
    const read1 = transactions[0]!;
    const count = (value: unknown): number =>
      typeof value === 'object' && value !== null && !(value instanceof Uint8Array) && !('comment' in value)
        ? Object.values(value).reduce((sum: number, one) => sum + count(one), 0)
        : 1;
    const countJson = (value: unknown): number =>
      typeof value === 'object' && value !== null && !('comment' in value)
        ? Object.values(value).reduce((sum: number, one) => sum + countJson(one), 0)
        : 1;
    expect(count(read1)).toBe(countJson(asTheCardSays().transactions[0]));
    expect(addressBook).toEqual({ '0:00': { userFriendly: 'EQ' } });
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
    ['now', 2 ** 32, 'decode/range', 'transactions[0].now'],
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
});
