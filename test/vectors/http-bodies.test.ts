import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DecodeError, SourceError } from '../../src/core/base/errors.ts';
import { parseSignatureList } from '../../src/core/block/signature-list.ts';
import { parseShardBlockProof } from '../../src/core/chain/shard-block-proof.ts';
import { toncenterV2 } from '../../src/net/toncenter/toncenter-v2.ts';
import { toncenterV3 } from '../../src/net/toncenter/toncenter-v3.ts';
import { parseMasterchainShardState } from '../../src/net/toncenter-api/masterchain-shard-state.ts';
import {
  parseBlockHeader,
  parseConfigInfo,
  parseConsensusBlock,
  parseLookupBlock,
  parseMasterchainInfo,
  parseShards,
} from '../../src/net/toncenter-api/v2-answers.ts';
import { VECTORS } from '../helpers/vectors.ts';

/** What a body decodes to, in a few words. */
const VALUES: Record<string, (json: unknown) => unknown> = {
  'http/v2-getMasterchainBlockSignatures-ordinary-41089440.json': (json) => parseSignatureList(json).signatures.length,
  'http/v2-getMasterchainBlockSignatures-ordinary-truncated-30497145.json': (json) =>
    parseSignatureList(json).signatures.length,
  'http/derived-v2-getMasterchainBlockSignatures-cpp-envelope-shape.json': (json) =>
    parseSignatureList(json).signatures.length,
  'http/derived-v2-getMasterchainBlockSignatures-simplex-shape-only.json': (json) => parseSignatureList(json).kind,
  'http/v2-getBlockHeader-python-30497145.json': (json) => parseBlockHeader(json).catchainSeqno,
  'http/v2-getBlockHeader-python-39984096.json': (json) => parseBlockHeader(json).validatorListHashShort,
  'http/v2-lookupBlock-python-30497145.json': (json) => parseLookupBlock(json).seqno,
  'http/v2-lookupBlock-python-39984096.json': (json) => parseLookupBlock(json).seqno,
  'http/v2-shards-python-30497145.json': (json) => parseShards(json).length,
  'http/v2-shards-python-2024-4shards.json': (json) => parseShards(json).map(({ shard }) => shard),
  'http/v2-getShardBlockProof-python-30497145.json': (json) => Number(parseShardBlockProof(json).back !== undefined),
  'http/v2-getShardBlockProof-python-39984096.json': (json) => parseShardBlockProof(json).masterchainId.seqno,
  'http/v2-getMasterchainInfo-python-41579322.json': (json) => parseMasterchainInfo(json).last.seqno,
  'http/v2-getMasterchainInfo-python-2024-37926913.json': (json) => parseMasterchainInfo(json).init.seqno,
  'http/v2-getMasterchainInfo-jsonrpc-45792554.json': (json) => parseMasterchainInfo(json).last.seqno,
  'http/v2-getConfigParam-1-python.json': (json) => parseConfigInfo(json).length,
  'http/v2-getConsensusBlock-python-41579741.json': (json) => parseConsensusBlock(json),
  'http/v2-getConsensusBlock-python-jsonrpc.json': (json) => parseConsensusBlock(json).consensusBlock,
  'http/v3-blocks-testnet-2024.json': (json) => parseMasterchainShardState(json).kind,
  'http/v3-transaction-single-2026-82744100.json': (json) => {
    const state = parseMasterchainShardState({ transactions: [json], address_book: {} });
    return state.kind === 'transactions' && state.transactions[0]?.mcBlockSeqno;
  },
  'real/http/v3-block-object.json': (json) => {
    const state = parseMasterchainShardState({ blocks: [json] });
    return state.kind === 'blocks' && state.blocks[0]?.catchainSeqno;
  },
};

const EXPECTED: Record<string, unknown> = {
  'http/v2-getMasterchainBlockSignatures-ordinary-41089440.json': 80,
  'http/v2-getMasterchainBlockSignatures-ordinary-truncated-30497145.json': 3,
  'http/derived-v2-getMasterchainBlockSignatures-cpp-envelope-shape.json': 2,
  'http/derived-v2-getMasterchainBlockSignatures-simplex-shape-only.json': 'simplex',
  'http/v2-getBlockHeader-python-30497145.json': 449608,
  'http/v2-getBlockHeader-python-39984096.json': 2 ** 32 - 2039098909,
  'http/v2-lookupBlock-python-30497145.json': 30497145,
  'http/v2-lookupBlock-python-39984096.json': 39984096,
  'http/v2-shards-python-30497145.json': 1,
  'http/v2-shards-python-2024-4shards.json': [
    2305843009213693952n,
    6917529027641081856n,
    -6917529027641081856n,
    -2305843009213693952n,
  ],
  'http/v2-getShardBlockProof-python-30497145.json': 1,
  'http/v2-getShardBlockProof-python-39984096.json': 39984096,
  'http/v2-getMasterchainInfo-python-41579322.json': 41579322,
  'http/v2-getMasterchainInfo-python-2024-37926913.json': 0,
  'http/v2-getMasterchainInfo-jsonrpc-45792554.json': 45792554,
  'http/v2-getConfigParam-1-python.json': 49,
  'http/v2-getConsensusBlock-python-41579741.json': { consensusBlock: 41579741, timestamp: 1730411902.161082 },
  'http/v2-getConsensusBlock-python-jsonrpc.json': 34832588,
  'http/v3-blocks-testnet-2024.json': 'blocks',
  'http/v3-transaction-single-2026-82744100.json': 82744100,
  'real/http/v3-block-object.json': 272437,
};

/** HTTP status, API version and class of every error body. `null`: no HTTP body, the status is made up. */
const ERRORS: Record<string, [number, 'v2' | 'v3', string]> = {
  'http/derived-proxy-502.html': [502, 'v2', 'source/upstream'],
  'http/derived-v2-error-401-gateway-bad-key.json': [401, 'v2', 'source/auth'],
  'http/derived-v2-error-403-gateway-wrong-network.json': [403, 'v2', 'source/auth'],
  'http/derived-v2-error-404-cpp-unknown-method.json': [404, 'v2', 'source/bad-request'],
  'http/derived-v2-error-405-cpp-jsonrpc-get.json': [405, 'v2', 'source/bad-request'],
  'http/derived-v2-error-422-cpp-bad-seqno.json': [422, 'v2', 'source/bad-request'],
  'http/derived-v2-error-422-cpp-jsonrpc-params-array.json': [422, 'v2', 'source/bad-request'],
  'http/derived-v2-error-422-cpp-missing-seqno.json': [422, 'v2', 'source/bad-request'],
  'http/derived-v2-error-422-python-jsonrpc-unknown-method.json': [422, 'v2', 'source/bad-request'],
  'http/derived-v2-error-429-gateway-error-key.json': [429, 'v2', 'source/rate-limited'],
  'http/derived-v2-error-504-python-timeout.json': [504, 'v2', 'source/upstream'],
  'http/derived-v2-error-542-cpp-no-workers.json': [542, 'v2', 'source/upstream'],
  'http/derived-v3-error-404-blocks-not-found.json': [404, 'v3', 'source/not-ready'],
  'http/derived-v3-error-404-mc-block-not-found.json': [404, 'v3', 'source/not-ready'],
  'http/derived-v3-error-422-limit.json': [422, 'v3', 'source/bad-request'],
  'http/derived-v3-error-500-unclassified.json': [500, 'v3', 'source/upstream'],
  'http/provider-error-getblock-405-other-envelope.json': [405, 'v2', 'source/bad-request'],
  'http/v2-error-503-cpp-extra.json': [503, 'v2', 'source/upstream'],
  'http/v2-error-no-liteservers-503-python.json': [503, 'v2', 'source/upstream'],
  'http/v2-error-notready-seqno-not-in-db-python.json': [500, 'v2', 'source/not-ready'],
  'http/v2-error-notready-short-python.json': [500, 'v2', 'source/not-ready'],
  'http/v2-error-ratelimit-429-result-key.json': [429, 'v2', 'source/rate-limited'],
  'real/http/404-static.json': [404, 'v2', 'source/bad-request'],
  'real/http/tonlib-error.json': [500, 'v2', 'source/upstream'],
  'real/http/v3-500-timeout.json': [500, 'v3', 'source/upstream'],
};

const NOT_BODIES = new Set(['http/README.md', 'real/http/sources.json']);
const readText = (file: string) => readFileSync(join(VECTORS, file), 'utf8');

function askWith(api: 'v2' | 'v3', status: number, text: string): Promise<unknown> {
  const opts = {
    baseUrl: `https://recorded.example/api/${api}`,
    retries: 0,
    requestsPerSecond: Number.POSITIVE_INFINITY,
    fetch: async () => new Response(text, { status }),
  };
  return api === 'v2' ? toncenterV2(opts).signatures(41089440) : toncenterV3(opts).masterchainBlockShardState(41089440);
}

async function failureOf(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof SourceError)) throw new Error(`expected a SourceError, got ${String(error)}`);
  return error;
}

describe('every recorded and derived HTTP body', () => {
  it('is in one of the tables', () => {
    const files = ['http', 'real/http'].flatMap((folder) =>
      readdirSync(join(VECTORS, folder)).map((file) => `${folder}/${file}`),
    );
    const listed = [...Object.keys(VALUES), ...Object.keys(ERRORS), ...NOT_BODIES];
    expect(files.sort()).toEqual(listed.sort());
  });

  it.each(Object.keys(VALUES))('that holds an answer decodes to its value: %s', (file) => {
    expect(VALUES[file]!(JSON.parse(readText(file)))).toEqual(EXPECTED[file]);
  });

  it.each(Object.entries(ERRORS))(
    'that holds an error is an error of its class: %s',
    async (file, [status, api, code]) => {
      const error = await failureOf(askWith(api, status, readText(file)));
      expect(error.code).toBe(code);
      expect(error.status).toBe(status);
      expect(error.serverText).not.toBe('');
      expect(error.message).not.toMatch(/[\n\r]/);
    },
  );

  it.each(Object.keys(ERRORS).filter((file) => file.endsWith('.json')))(
    'that holds an error and was saved to a file is refused as one: %s',
    (file) => {
      const parse = ERRORS[file]![1] === 'v2' ? parseSignatureList : parseMasterchainShardState;
      expect(() => parse(JSON.parse(readText(file)))).toThrow(
        expect.objectContaining({ code: 'decode/api-error' }) as DecodeError,
      );
    },
  );

  it('that is an error keeps that class inside HTTP 200, where some servers put it', async () => {
    for (const [file, [, api, code]] of Object.entries(ERRORS)) {
      const json = file.endsWith('.json') ? (JSON.parse(readText(file)) as { code?: number; ok?: boolean }) : {};
      if (json.ok !== false || json.code === undefined) continue;
      expect((await failureOf(askWith(api, 200, readText(file)))).code, file).toBe(code);
    }
  });
});
