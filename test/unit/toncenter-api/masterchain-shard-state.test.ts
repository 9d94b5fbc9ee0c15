import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MASTERCHAIN_SHARD } from '../../../src/core/base/limits.ts';
import { readShard } from '../../../src/net/toncenter-api/fields.ts';
import { masterchainRow, parseMasterchainShardState } from '../../../src/net/toncenter-api/masterchain-shard-state.ts';

const recorded = () => JSON.parse(readFileSync('vectors/http/v3-blocks-testnet-2024.json', 'utf8'));
const masterchain = (seqno: number) => ({ ...recorded().blocks[0], workchain: -1, shard: '8000000000000000', seqno });

function blocksOf(json: unknown) {
  const state = parseMasterchainShardState(json);
  if (state.kind !== 'blocks') throw new Error('expected blocks');
  return state.blocks;
}

describe('the served shape of masterchainBlockShardState', () => {
  it('is read from a recorded answer', () => {
    const blocks = blocksOf(recorded());
    expect(blocks).toHaveLength(2);
    expect(blocks[0]?.id.shard).toBe(0x2000000000000000n);
    expect(blocks[0]?.genUtime).toBe(1717130279);
    expect(blocks[0]?.catchainSeqno).toBe(272437);
    expect(blocks[0]?.masterchainBlockRef).toEqual({ workchain: -1, shard: MASTERCHAIN_SHARD, seqno: 19728375 });
  });

  it('wins over the documented shape when both are present', () => {
    expect(parseMasterchainShardState({ ...recorded(), transactions: [], address_book: {} }).kind).toBe('blocks');
  });

  it('may have null for the previous blocks', () => {
    const [row] = recorded().blocks;
    expect(blocksOf({ blocks: [{ ...row, prev_blocks: null }] })[0]).not.toHaveProperty('prevBlocks');
  });

  it('gives the masterchain row, none or an error when there are two', () => {
    const blocks = blocksOf({ blocks: [masterchain(7), ...recorded().blocks] });
    expect(masterchainRow(blocks, 7)?.id.workchain).toBe(-1);
    expect(masterchainRow(blocks, 8)).toBeUndefined();
    expect(() => masterchainRow([...blocks, ...blocks], 7)).toThrow(
      expect.objectContaining({ code: 'decode/two-blocks', path: 'blocks' }),
    );
  });

  it('has no masterchain row in blocks of the same number that are of a workchain or of a part of a shard', () => {
    const rows = [{ workchain: 0 }, { shard: '4000000000000000' }].map((over) => ({ ...masterchain(7), ...over }));
    expect(masterchainRow(blocksOf({ blocks: rows }), 7)).toBeUndefined();
  });

  it.each([
    ['seqno', -1],
    ['gen_utime', '-1'],
    ['gen_catchain_seqno', -1],
    ['min_ref_mc_seqno', '-5'],
    ['prev_key_block_seqno', -1],
    ['tx_count', -1],
    ['version', -1],
    ['master_ref_seqno', -2147483648],
  ])('may not have a negative %s', (key, value) => {
    const [row] = recorded().blocks;
    expect(() => blocksOf({ blocks: [{ ...row, [key]: value }] })).toThrow(
      expect.objectContaining({ code: 'decode/range', path: `blocks[0].${key}` }) as Error,
    );
  });

  it('has its list hash read modulo 2^32, from a number or from text', () => {
    const [row] = recorded().blocks;
    for (const sent of [-1, '-1', 4294967295, '4294967295']) {
      const [block] = blocksOf({ blocks: [{ ...row, validator_list_hash_short: sent }] });
      expect(block?.validatorListHashShort).toBe(0xffffffff);
    }
  });

  it('may have text in any of its integer fields', () => {
    const [row] = recorded().blocks;
    const asText = JSON.parse(JSON.stringify(row), (_, value: unknown) =>
      typeof value === 'number' ? String(value) : value,
    );
    expect(blocksOf({ blocks: [asText] })).toEqual(blocksOf({ blocks: [row] }));
  });

  it.each([{}, [], null, 'x', { rows: [] }])('is not seen in %j', (json) => {
    expect(() => parseMasterchainShardState(json)).toThrow(expect.objectContaining({ code: 'decode/shape' }) as Error);
  });

  it('is told by the names of both shapes where an answer has neither', () => {
    expect(() => parseMasterchainShardState({})).toThrow('expected "blocks" or "transactions", got neither');
  });

  it('is not seen in an error body, whose words are kept', () => {
    expect(() => parseMasterchainShardState({ error: 'blocks not found' })).toThrow(
      expect.objectContaining({
        code: 'decode/api-error',
        message: 'the server answered with an error: blocks not found',
        hint: expect.stringMatching(/^fetch it again/),
      }) as Error,
    );
  });
});

describe('a shard', () => {
  it.each([
    ['8000000000000000', MASTERCHAIN_SHARD],
    ['0x8000000000000000', MASTERCHAIN_SHARD],
    ['0X8000000000000000', MASTERCHAIN_SHARD],
    ['-9223372036854775808', MASTERCHAIN_SHARD],
    ['9223372036854775808', MASTERCHAIN_SHARD],
    ['2000000000000000', 0x2000000000000000n],
    ['2305843009213693952', 0x2000000000000000n],
    ['800000000000000', 0x0800000000000000n],
    ['e000000000000000', -0x2000000000000000n],
    ['-2305843009213693952', -0x2000000000000000n],
    ['0', 0n],
    [0, 0n],
    [16, 16n],
    [-16, -16n],
    ['16', 0x16n],
    [2305843009213693, 2305843009213693n],
  ])('is read from %j', (text, value) => {
    expect(readShard(text)).toBe(value);
  });

  it.each(['', '0x', 'g', '-0', '99999999999999999999', '-9223372036854775809', -(2 ** 63), null, {}])(
    'is not read from %j',
    (text) => {
      expect(() => readShard(text)).toThrow(expect.objectContaining({ name: 'DecodeError' }) as Error);
    },
  );
});
