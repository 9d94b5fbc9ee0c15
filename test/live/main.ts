/**
 * The whole of it against a private network of real nodes on loopback. Not in CI, since it needs such a network running.
 *
 *   npm run test:live -- DIR [--blocks 1000] [--control COMMAND] [--strangers DIR] [--http URL --http-server N] [--key-blocks 1] [--liar N]
 *
 * DIR holds the network's `global.json`. COMMAND is run as `COMMAND stop|restart DIR N` to stop and start nodes. The
 * strangers are another network whose servers are offered too. URL is a ton-http-api in front of node N alone: every block's
 * signatures are compared with those it gives. With `--liar N` a server that lies, in front of node N, is offered first everywhere.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { type BlockIdExt, formatBlockId } from '../../src/core/block/block-id.ts';
import type { SignatureList } from '../../src/core/block/signature-list.ts';
import { parseCheckpoint } from '../../src/core/chain/checkpoint.ts';
import { sleep } from '../../src/net/async/timer.ts';
import { connectLite } from '../../src/net/lite/client.ts';
import { type FollowedBlock, followLite } from '../../src/net/lite/follow-lite.ts';
import { parseGlobalConfig } from '../../src/net/lite-api/global-config.ts';
import { toncenterV2 } from '../../src/net/toncenter/toncenter-v2.ts';
import { type CliResult, runCli } from '../helpers/run-cli.ts';
import { startLiar } from './liar.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    blocks: { type: 'string', default: '1000' },
    control: { type: 'string' },
    strangers: { type: 'string' },
    http: { type: 'string' },
    'http-server': { type: 'string', default: '3' },
    'key-blocks': { type: 'string', default: '1' },
    liar: { type: 'string' },
  },
});
const [dir] = positionals;
assert(dir !== undefined, 'expected the folder of a private network');
const wantedBlocks = Number(options.blocks);
const configOf = (folder: string) => parseGlobalConfig(JSON.parse(readFileSync(join(folder, 'global.json'), 'utf8')));
const { servers, zerostate } = configOf(dir);
const folder = mkdtempSync(join(tmpdir(), 'ton-finality-live-'));
const checkpointFile = join(folder, 'checkpoint.json');
const inFront = options.liar === undefined ? undefined : servers[Number(options.liar) - 1];
assert(options.liar === undefined || inFront !== undefined, 'no such server to lie in front of');
const liar = inFront === undefined ? undefined : await startLiar(inFront);

/** The configuration that commands are given: that of the network, the liar first. */
function writeConfig(): string {
  const config = JSON.parse(readFileSync(join(dir!, 'global.json'), 'utf8'));
  if (liar !== undefined) {
    const { port, publicKey } = liar.server;
    const key = Buffer.from(publicKey).toString('base64');
    config.liteservers.unshift({ ip: 0x7f000001, port, id: { '@type': 'pub.ed25519', key } });
  }
  const file = join(folder, 'global.json');
  writeFileSync(file, JSON.stringify(config));
  return file;
}
const configFile = writeConfig();
const startMs = performance.now();
const say = (text: string) =>
  process.stdout.write(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(7)} s  ${text}\n`);

async function command(words: readonly string[]): Promise<{ readonly json: Json; readonly run: CliResult }> {
  const run = await runCli([...words, '--config', configFile, '--json']);
  assert.equal(run.code, 0, run.stderr + run.stdout);
  return { json: JSON.parse(run.stdout), run };
}
/** What is looked at in the command's objects. */
interface Json {
  readonly verdict: { readonly status: string };
  readonly headAgeSeconds: number;
  readonly keyBlock: { readonly seqno: number };
  readonly block: { readonly seqno: number };
  readonly bound: readonly string[];
  readonly validatorSet: { readonly provenance: { readonly kind: string } };
  readonly report: Json;
  readonly witnesses: { readonly agreed: readonly string[]; readonly refuted: readonly { readonly source: string }[] };
}
const FIVE = ['workchain', 'shard', 'seqno', 'rootHash', 'fileHash'];

async function synchronise(): Promise<void> {
  const pinned = ['--root-hash', encodeHex(zerostate.rootHash), '--file-hash', encodeHex(zerostate.fileHash)];
  for (;;) {
    const { json } = await command(['sync', ...pinned, '--out', checkpointFile]);
    assert.equal(json.verdict.status, 'final');
    // A liar may cost the time of some questions.
    assert(json.headAgeSeconds < (liar === undefined ? 10 : 30), `a head ${json.headAgeSeconds} s old`);
    assert.equal(json.report.validatorSet.provenance.kind, 'proven');
    assert.deepEqual(json.report.bound, FIVE);
    const refuted = json.witnesses.refuted.map(({ source }) => source);
    assert.deepEqual(
      refuted.filter((source) => honestNames.has(source)),
      [],
    );
    const { seqno } = json.block;
    say(`sync: head ${seqno}, ${json.headAgeSeconds} s old, set of key block ${json.keyBlock.seqno}`);
    if (json.keyBlock.seqno > 0 || options['key-blocks'] === '0') break;
    say('no key block yet: once more in 20 s');
    await sleep(20_000);
  }
  const { json } = await command(['verify', 'latest', '--checkpoint', checkpointFile]);
  assert.equal(json.verdict.status, 'final');
  assert.equal(json.validatorSet.provenance.kind, 'proven');
  assert.deepEqual(json.bound, FIVE);
  say('verify latest: final, proven, five fields bound');
}

const network = { rootHash: zerostate.rootHash, fileHash: zerostate.fileHash };
const own = [...(liar === undefined ? [] : [liar.server]), ...servers].map((server) =>
  connectLite(server, { network }),
);
const honestNames = new Set(own.slice(liar === undefined ? 0 : 1).map(({ name }) => name));
// Not held to the network: what they serve has to be found out by proof.
const strangers =
  options.strangers === undefined ? [] : configOf(options.strangers).servers.map((server) => connectLite(server));
const http =
  options.http === undefined
    ? undefined
    : toncenterV2({ baseUrl: options.http, requestsPerSecond: Number.POSITIVE_INFINITY, timeoutMs: 30_000 });
const beside = servers[Number(options['http-server']) - 1];
assert(beside !== undefined, 'no such server');
const besideClient = connectLite(beside, { network });

const written = (set: SignatureList) => ({
  ...set,
  blockId: formatBlockId(set.blockId),
  signatures: set.signatures
    .map(({ nodeIdShort, signature }) => `${encodeHex(nodeIdShort)} ${encodeHex(signature)}`)
    .sort(),
});

/** Those of the last link of a proof. @param from the key block that rules the block, or one before it */
async function proofSignatures({ header }: FollowedBlock, from: BlockIdExt): Promise<SignatureList> {
  const opts = { deadlineMs: 60_000, serverMayWait: true };
  const { claimed } = await besideClient.blockProof(from, header.blockId, opts);
  const link = claimed.links.at(-1);
  assert(link?.kind === 'forward');
  return link.signatures.list;
}

async function compareSignatures(block: FollowedBlock, from: BlockIdExt): Promise<void> {
  const { seqno } = block.header;
  const asked = { waitForBlock: true, deadlineMs: 60_000 };
  const [set, theirs] = await Promise.all([proofSignatures(block, from), http!.signatures(seqno, asked)]);
  assert.deepEqual(written(set), written(theirs.signatures), `signatures of block ${seqno}`);
  assert.equal(formatBlockId(set.blockId), formatBlockId(block.header.blockId));
}

const run = promisify(execFile);
/** What happens to the nodes, at which share of the way. Nodes 1 and 2 weigh least: the others go on without one of them. */
const INCIDENTS: readonly [share: number, verb: 'stop' | 'restart', node: string][] = [
  [0.1, 'stop', '1'],
  [0.4, 'restart', '1'],
  [0.6, 'restart', '2'],
];

async function follow(): Promise<void> {
  const checkpoint = parseCheckpoint(JSON.parse(readFileSync(checkpointFile, 'utf8')));
  const incidents = options.control === undefined ? [] : [...INCIDENTS];
  const [program, ...words] = options.control?.split(' ') ?? [];
  const troubles = new Map<string, number>();
  const delays: number[] = [];
  const kinds = new Map<string, number>();
  const keyBlocks = new Set<number>();
  const comparisons: Promise<void>[] = [];
  let previous: FollowedBlock | undefined;
  let blocks = 0;
  const beganMs = performance.now();
  for await (const block of followLite([...strangers, ...own], checkpoint, {
    onTrouble: ({ code }) => void troubles.set(code, (troubles.get(code) ?? 0) + 1),
  })) {
    const { header, report, provenBy } = block;
    assert.equal(report.verdict.status, 'final');
    if (previous !== undefined) assert.equal(header.seqno, previous.header.seqno + 1);
    const ruledBy = (previous ?? { checkpoint }).checkpoint.keyBlock;
    previous = block;
    blocks += 1;
    delays.push(Date.now() / 1000 - header.genUtime);
    kinds.set(provenBy, (kinds.get(provenBy) ?? 0) + 1);
    keyBlocks.add(block.checkpoint.keyBlock.seqno);
    if (http !== undefined) {
      const comparison = compareSignatures(block, ruledBy);
      comparison.catch(() => {}); // it is waited for below
      comparisons.push(comparison);
      if (comparisons.length % 16 === 0) await comparisons[comparisons.length - 16];
    }
    const next = incidents[0];
    if (next !== undefined && program !== undefined && blocks >= next[0] * wantedBlocks) {
      incidents.shift();
      say(`${next[1]} node ${next[2]}, at block ${header.seqno}, ${blocks} followed`);
      void run(program, [...words, next[1], dir!, next[2]]).catch((error: unknown) => say(String(error)));
    }
    if (blocks % 100 === 0) say(`${blocks} blocks followed, at ${header.seqno}`);
    if (blocks >= wantedBlocks) break;
  }
  await Promise.all(comparisons);
  assert.equal(blocks, wantedBlocks);
  const seconds = (performance.now() - beganMs) / 1000;
  delays.sort((a, b) => a - b);
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(share * delays.length))]!.toFixed(1);
  say(
    `followed ${blocks} blocks in ${seconds.toFixed(0)} s without a gap or a duplicate, over key blocks ${[...keyBlocks].join(', ')}`,
  );
  say(
    `proven by ${JSON.stringify(Object.fromEntries(kinds))}; delay p50 ${at(0.5)} s, p99 ${at(0.99)} s, worst ${at(1)} s`,
  );
  say(`troubles that were overcome: ${JSON.stringify(Object.fromEntries(troubles))}`);
  say(`signatures equal to those of ton-http-api: ${comparisons.length} blocks`);
  if (liar !== undefined) say(`what the liar said: ${JSON.stringify(Object.fromEntries(liar.told))}`);
}

try {
  await synchronise();
  await follow();
} finally {
  for (const client of [...own, ...strangers, besideClient]) client.close();
  await liar?.close();
  rmSync(folder, { recursive: true, force: true });
}
