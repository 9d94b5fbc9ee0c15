/**
 * Asks a raw server for many random replies in a process of its own, and prints what became of them as JSON:
 * `node build/test/helpers/raw-fuzz.js COUNT SEED`. Whatever is left behind is counted; the process ends by itself.
 */
import { FinalityError, SourceError } from '../../src/core/base/errors.ts';
import { MASTERCHAIN_SHARD } from '../../src/core/base/limits.ts';
import { toncenterV2 } from '../../src/net/toncenter/toncenter-v2.ts';
import { toncenterV3 } from '../../src/net/toncenter/toncenter-v3.ts';
import { ownMs } from './own-time.ts';
import { type NamedReply, randomReply, seededRandom } from './raw-replies.ts';
import { startRawServer } from './raw-server.ts';

// Long enough for an answer beside busy processes.
const TIMEOUT_MS = 1_000;
const DEADLINE_MS = 2_500;
/** Far below what a hang would take. */
const SLACK_MS = 2_000;
const AT_A_TIME = 24;
/** An idle connection is kept for 4 seconds. */
const KEPT_MS = 5_000;

const count = Number(process.argv[2] ?? 1000);
const random = seededRandom(Number(process.argv[3] ?? 1));

const trouble: string[] = [];
process.on('uncaughtException', (error) => trouble.push(`uncaught: ${error.stack}`));
process.on('unhandledRejection', (error) => trouble.push(`unhandled: ${String(error)}`));
process.on('warning', (warning) => trouble.push(`warning: ${warning.message}`));

const given = new Map<string, NamedReply>();
const server = await startRawServer((line) => {
  const id = /net=(\d+)/.exec(line)?.[1] ?? '';
  return (given.get(id) ?? randomReply(random)).reply;
});

const block = { workchain: -1, shard: MASTERCHAIN_SHARD, seqno: 41089440 };
const codes: Record<string, number> = {};
let slowest = 0;
let asked = 0;

async function askOne(): Promise<void> {
  const id = String(asked++);
  const named = randomReply(random);
  given.set(id, named);
  const options = {
    requestsPerSecond: Number.POSITIVE_INFINITY,
    concurrency: 1,
    timeoutMs: TIMEOUT_MS,
    deadlineMs: DEADLINE_MS,
    retries: random() < 0.2 ? 1 : 0,
    apiKey: 'raw-secret-0123456789',
  };
  const v2 = toncenterV2({ baseUrl: `${server.origin}/api/v2?net=${id}`, ...options });
  const v3 = toncenterV3({ baseUrl: `${server.origin}/api/v3?net=${id}`, ...options });
  const operations = [
    () => v2.signatures(block.seqno),
    () => v2.latestSeqno(),
    () => v2.header(block.seqno),
    () => v2.shards(block.seqno),
    () => v2.shardBlockProof(block),
    () => v2.configParam(34, block.seqno),
    () => v3.masterchainBlockShardState(block.seqno),
  ];
  const start = ownMs();
  let code = 'answer';
  try {
    await operations[Math.floor(random() * operations.length)]!();
  } catch (error) {
    code = error instanceof FinalityError ? error.code : 'raw';
    const isTold = error instanceof SourceError && error.endpoint !== undefined && error.message.startsWith('http:');
    if (!isTold) trouble.push(`${String(error)} after ${named.name}`);
    if (String(error).includes('raw-secret')) trouble.push(`the key was told after ${named.name}`);
  }
  const ms = ownMs() - start;
  slowest = Math.max(slowest, ms);
  if (ms > DEADLINE_MS + SLACK_MS) trouble.push(`${Math.round(ms)} ms after ${named.name}`);
  codes[code] = (codes[code] ?? 0) + 1;
  given.delete(id);
}

await Promise.all(
  Array.from({ length: AT_A_TIME }, async () => {
    while (asked < count) await askOne();
  }),
);
await new Promise((resolve) => setTimeout(resolve, KEPT_MS));
const stillOpen = server.open();
await server.close();
await new Promise((resolve) => setTimeout(resolve, 100));
const left = process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Zlib/.test(name));
process.stdout.write(
  `${JSON.stringify({ asked, codes, slowest: Math.round(slowest), stillOpen, left, trouble: trouble.slice(0, 20), troubles: trouble.length })}\n`,
);
