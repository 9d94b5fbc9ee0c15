import { describe, expect, it } from 'vitest';
import { ZEROSTATES } from '../../../src/core/base/limits.ts';
import { parseShardBlockProof } from '../../../src/core/chain/shard-block-proof.ts';
import { requireNetwork } from '../../../src/net/sources/network-guard.ts';
import { readBody } from '../../../src/net/toncenter/fetch-transport.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { toncenterV3 } from '../../../src/net/toncenter/toncenter-v3.ts';
import { BodyTooLarge } from '../../../src/net/toncenter/transport.ts';
import { parseMasterchainInfo, parseShards } from '../../../src/net/toncenter-api/v2-answers.ts';
import { blockIdToAnswer, makeBlockId } from '../../helpers/make-block.ts';
import { readVector } from '../../helpers/vectors.ts';

const FAST = { baseUrl: 'https://node.example/api', requestsPerSecond: Number.POSITIVE_INFINITY, retries: 0 };
const answering = (json: unknown) => ({ ...FAST, fetch: async () => Response.json(json) });

describe('a shard block proof', () => {
  const idOf = (seqno: number, workchain: number) => ({ ...makeBlockId(seqno), workchain });
  const link = (seqno: number) => ({
    '@type': 'blocks.shardBlockLink',
    id: blockIdToAnswer(idOf(seqno, 0)),
    proof: 'AAAA',
  });
  const proof = {
    ok: true,
    result: {
      '@type': 'blocks.shardBlockProof',
      from: blockIdToAnswer(idOf(900, -1)),
      mc_id: blockIdToAnswer(idOf(800, -1)),
      links: [link(71), link(70)],
      mc_proof: [],
    },
  };
  const server = toncenterV2(answering(proof));
  const at = (workchain: number, seqno: number) => ({ workchain, shard: -(2n ** 63n), seqno });

  it('is of the block of its last link', async () => {
    expect((await server.shardBlockProof(at(0, 70))).links).toHaveLength(2);
    expect(await server.shardBlockProof(at(0, 70), { fromSeqno: 900 })).toEqual(parseShardBlockProof(proof));
  });

  it.each([
    ['the block of another link', at(0, 71), {}],
    ['the masterchain block on its way', at(-1, 800), {}],
    ['its block from another start', at(0, 70), { fromSeqno: 901 }],
    ['its block from where its links start', at(0, 70), { fromSeqno: 800 }],
  ])('is not of %s', async (_, block, opts) => {
    await expect(server.shardBlockProof(block, opts)).rejects.toMatchObject({ code: 'source/wrong-block' });
  });

  it('has one link back at most, as where it is judged', async () => {
    const { from, mc_id: to } = proof.result;
    const back = { to_key_block: false, from, to, dest_proof: 'AAAA', proof: 'AAAA', state_proof: 'AAAA' };
    const answer = (mc_proof: object[]) => toncenterV2(answering({ ok: true, result: { ...proof.result, mc_proof } }));
    expect((await answer([back]).shardBlockProof(at(0, 70))).back?.to.seqno).toBe(800);
    await expect(answer([back, back]).shardBlockProof(at(0, 70))).rejects.toMatchObject({ code: 'source/malformed' });
  });

  it('without links is of its masterchain block', async () => {
    const bare = toncenterV2(answering({ ok: true, result: { ...proof.result, links: [] } }));
    expect((await bare.shardBlockProof(at(-1, 800), { fromSeqno: 900 })).masterchainId.seqno).toBe(800);
    await expect(bare.shardBlockProof(at(-1, 900))).rejects.toMatchObject({ code: 'source/wrong-block' });
  });
});

describe('the whole config', () => {
  it('is asked for by seqno and handed on as its bytes', async () => {
    const urls: string[] = [];
    const config = { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes: 'AQID' } };
    const fetch = async (url: string | URL | Request) => {
      urls.push(String(url));
      return Response.json({ ok: true, result: config });
    };
    expect([...(await toncenterV2({ ...FAST, fetch }).configAll(7))]).toEqual([1, 2, 3]);
    expect(urls).toEqual(['https://node.example/api/getConfigAll?seqno=7']);
    config.config.bytes = '';
    await expect(toncenterV2({ ...FAST, fetch }).configAll(7)).rejects.toMatchObject({ code: 'source/malformed' });
  });
});

describe('the blocks of v3', () => {
  it('hold one row of the masterchain block, not two', async () => {
    const { blocks } = readVector<{ blocks: object[] }>('http/v3-blocks-testnet-2024.json');
    const row = { ...blocks[0], workchain: -1, shard: '8000000000000000', seqno: 5 };
    const one = toncenterV3(answering({ blocks: [row, ...blocks] }));
    expect((await one.masterchainBlockShardState(5)).kind).toBe('blocks');
    const two = toncenterV3(answering({ blocks: [row, row] }));
    await expect(two.masterchainBlockShardState(5)).rejects.toMatchObject({ code: 'source/malformed' });
    await expect(one.masterchainBlockShardState(6)).rejects.toMatchObject({ code: 'source/wrong-block' });
  });
});

describe('the shards of a block', () => {
  it('have no masterchain block among them', () => {
    const answer = readVector<{ result: { shards: object[] } }>('http/v2-shards-python-2024-4shards.json');
    answer.result.shards.splice(2, 0, blockIdToAnswer(makeBlockId(5)));
    expect(() => parseShards(answer)).toThrow(
      'result.shards[2].workchain: expected the top block of a shard, got a masterchain block',
    );
  });
});

describe('the network of a server', () => {
  const info = parseMasterchainInfo(readVector('http/v2-getMasterchainInfo-python-41579322.json'));

  it.each(['rootHash', 'fileHash'] as const)('is told by both hashes of its zerostate: %s', (hash) => {
    expect(() => requireNetwork(info, 'mainnet', 'a server')).not.toThrow();
    expect(Object.keys(ZEROSTATES.mainnet)).toEqual(expect.arrayContaining(['rootHash', 'fileHash']));
    const other = { ...info, init: { ...info.init, [hash]: info.last[hash] } };
    expect(() => requireNetwork(other, 'mainnet', 'a server')).toThrow(
      expect.objectContaining({ code: 'source/wrong-network' }) as Error,
    );
  });
});

describe('the cap of a body', () => {
  const { signal } = new AbortController();
  const chunked = (...sizes: number[]) =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const size of sizes) controller.enqueue(new Uint8Array(size).fill(size));
          controller.close();
        },
      }),
    );
  // What a fetch without streams gives.
  const bare = (length: number) => ({ text: async () => 'x'.repeat(length) }) as unknown as Response;

  it.each([
    ['at once', () => chunked(100)],
    ['in pieces', () => chunked(60, 39, 1)],
    ['without a stream', () => bare(100)],
  ])('lets through as many bytes as it says, %s', async (_, response) => {
    expect(await readBody(response(), 100, signal)).toHaveLength(100);
  });

  it.each([
    ['at once', () => chunked(101)],
    ['in pieces', () => chunked(60, 40, 1)],
    ['without a stream', () => bare(101)],
  ])('lets through not one more, %s', async (_, response) => {
    await expect(readBody(response(), 100, signal)).rejects.toBeInstanceOf(BodyTooLarge);
  });

  it('keeps the pieces in order', async () => {
    expect([...(await readBody(chunked(1, 2, 3), 6, signal))]).toEqual([1, 2, 2, 3, 3, 3]);
  });
});
