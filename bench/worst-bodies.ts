/**
 * What the worst bodies cost, each kind at its cap: milliseconds and growth of memory until it is decoded or refused, each in a
 * process of its own. `node build/bench/worst-bodies.js` runs all, `… NAME` one. Asserts nothing.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BODY_LIMITS } from '../src/core/base/limits.ts';
import { parseSignatureList } from '../src/core/block/signature-list.ts';
import { parseShardBlockProof } from '../src/core/chain/shard-block-proof.ts';
import { createRequester } from '../src/net/toncenter/request.ts';
import { parseMasterchainShardState } from '../src/net/toncenter-api/masterchain-shard-state.ts';
import {
  parseBlockHeader,
  parseConfigInfo,
  parseMasterchainInfo,
  parseShards,
} from '../src/net/toncenter-api/v2-answers.ts';

type Kind = keyof typeof BODY_LIMITS;

/** As many of `one`, by commas, as fit behind `head`, before `tail`. */
function filled(kind: Kind, head: string, one: (at: number) => string, tail: string, perValue: number): string {
  const { maxBytes, maxValues } = BODY_LIMITS[kind];
  const parts: string[] = [];
  let length = head.length + tail.length;
  for (let at = 0; at < maxValues / perValue - 8; at++) {
    const part = one(at);
    length += part.length + 1;
    if (length > maxBytes) break;
    parts.push(part);
  }
  return head + parts.join(',') + tail;
}

const HASH = Buffer.alloc(32, 7).toString('base64');
const message = `{"hash":"${HASH}"}`;
const transaction = (out: number) =>
  `{"account":"0:0","hash":"${HASH}","lt":"1","now":1,"description":{"type":"ord"},"out_msgs":[${Array(out).fill(message).join(',')}]}`;
const ROW = JSON.stringify({
  ...{ workchain: 0, shard: '8000000000000000', seqno: 1, root_hash: HASH, file_hash: HASH, global_id: -239 },
  ...{
    after_merge: false,
    before_split: false,
    after_split: false,
    want_merge: false,
    want_split: false,
    key_block: false,
  },
  ...{ gen_utime: '1', start_lt: '1', end_lt: '1', validator_list_hash_short: 1, gen_catchain_seqno: 1 },
  ...{ min_ref_mc_seqno: 1, prev_key_block_seqno: 1 },
});
const ID = `{"@type":"ton.blockIdExt","workchain":0,"shard":"1","seqno":1,"root_hash":"${HASH}","file_hash":"${HASH}"}`;
const ENTRY = `{"node_id_short":"${HASH}","signature":"${Buffer.alloc(64, 7).toString('base64')}"}`;

const READERS: Readonly<Record<Kind, readonly ((json: unknown) => unknown)[]>> = {
  block: [parseSignatureList, parseMasterchainInfo, parseBlockHeader, parseShards],
  config: [parseConfigInfo],
  proof: [parseShardBlockProof],
  list: [parseMasterchainShardState],
};

/** Shapes that a fuzzer over many found to cost most, besides whole answers at their caps. */
const BODIES: Readonly<Record<string, readonly [Kind, () => string]>> = {
  'block: empty objects': ['block', () => filled('block', '{"result":[', () => '{}', ']}', 2)],
  'block: objects of one key each': ['block', () => filled('block', '{"result":[', (at) => `{"k${at}":1}`, ']}', 2)],
  'block: keys of one object': ['block', () => filled('block', '{"result":{', (at) => `"k${at}":${at}`, '}}', 1)],
  'block: escapes': ['block', () => `{"result":"${'\\u0041'.repeat(170_000)}"}`],
  'block: one long text': ['block', () => `{"error":"${'x'.repeat(1_000_000)}"}`],
  'block: 4096 entries': [
    'block',
    () =>
      filled('block', `{"result":{"@type":"blocks.blockSignatures","id":${ID},"signatures":[`, () => ENTRY, ']}}', 20),
  ],
  'block: shards': [
    'block',
    () => filled('block', '{"result":{"@type":"blocks.shards","shards":[', () => ID, ']}}', 6),
  ],
  'block: numbers': ['block', () => filled('block', '{"result":[', () => '0.1e-7', ']}', 1)],
  'config: 4 MiB of base64': ['config', () => `{"result":{"config":{"bytes":"${'A'.repeat(4_194_000)}"}}}`],
  'proof: 8 MiB of base64': ['proof', () => `{"result":{"links":[{"id":${ID},"proof":"${'A'.repeat(8_388_000)}"}]}}`],
  'list: empty rows': ['list', () => filled('list', '{"blocks":[', () => '{}', ']}', 2)],
  'list: rows with a bad last one': ['list', () => `${filled('list', '{"blocks":[', () => ROW, '', 22)},{}]}`],
  'list: rows': ['list', () => filled('list', '{"blocks":[', () => ROW, ']}', 22)],
  'list: transactions': ['list', () => filled('list', '{"transactions":[', () => transaction(20), ']}', 60)],
  'list: addresses': [
    'list',
    () => filled('list', '{"transactions":[],"address_book":{', (at) => `"0:${at}":{}`, '}}', 2),
  ],
  'list: bad addresses': [
    'list',
    () => filled('list', '{"transactions":[],"address_book":{', (at) => `"0:${at}":${at}`, '}}', 1),
  ],
  'list: keys of one object': ['list', () => filled('list', '{"blocks":{', (at) => `"k${at}":${at}`, '}}', 1)],
  'list: objects of one key each': ['list', () => filled('list', '{"blocks":[', (at) => `{"k${at}":1}`, ']}', 2)],
  'list: percent signs': ['list', () => `{"error":"${'%72'.repeat(2_790_000)}"}`],
};

async function measure(name: string): Promise<void> {
  const [kind, make] = BODIES[name]!;
  const body = Buffer.from(make());
  // The stream hands over bytes that are there already: what is timed is reading them.
  const fetch = async () => new Response(body);
  const requester = createRequester({
    baseUrl: 'https://node.example',
    apiKey: 'bench-secret-0123456789',
    requestsPerSecond: Number.POSITIVE_INFINITY,
    retries: 0,
    fetch,
  });
  const warm = { api: 'v2', operation: 'x', query: {}, ...BODY_LIMITS[kind], read: parseMasterchainInfo } as const;
  await requester.ask(warm).catch(() => {});
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let [worstMs, peak, ending] = [0, before, ''];
  for (const read of READERS[kind]) {
    const start = performance.now();
    ending = await requester.ask({ ...warm, read }).then(
      () => 'decoded',
      (error: unknown) => String(error).replace(/^.*?: x: /, ''),
    );
    worstMs = Math.max(worstMs, performance.now() - start);
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  const result = {
    name,
    bytes: body.length,
    ms: Math.round(worstMs),
    growthMB: Math.round((peak - before) / 1e6),
    ending,
  };
  process.stdout.write(`${JSON.stringify({ ...result, ending: ending.slice(0, 60) })}\n`);
}

const [name] = process.argv.slice(2);
if (name === undefined) {
  for (const one of Object.keys(BODIES)) {
    process.stdout.write(execFileSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), one]));
  }
} else await measure(name);
