/**
 * What the fetch layer costs a request: bare fetch and JSON.parse of a recorded answer with 80 signatures against the
 * same question through the layer, which paces, times, caps, reads strictly and looks for the right block. The server is
 * a process of its own on loopback. Run it compiled: `node build/bench/http.js`.
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseSignatureList } from '../src/core/block/signature-list.ts';
import { toncenterV2 } from '../src/net/toncenter/toncenter-v2.ts';
import { readVectorBytes } from '../test/helpers/vectors.ts';
import { compare } from './harness.ts';

const SEQNO = 41089440;
const BODY = 'http/v2-getMasterchainBlockSignatures-ordinary-41089440.json';
const LIMIT = 1.5;

function serve(): void {
  // Servers send no whitespace.
  const body = JSON.stringify(JSON.parse(Buffer.from(readVectorBytes(BODY)).toString()));
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port)); // a TCP server listens
}

async function bench(port: number): Promise<void> {
  const baseUrl = `http://127.0.0.1:${port}/api/v2`;
  const url = `${baseUrl}/getMasterchainBlockSignatures?seqno=${SEQNO}`;
  const source = toncenterV2({ baseUrl, requestsPerSecond: Number.POSITIVE_INFINITY });
  const queued = toncenterV2({ baseUrl, requestsPerSecond: Number.POSITIVE_INFINITY, concurrency: 1 });
  const bare = async () => JSON.parse(await (await fetch(url)).text());
  const answers = [parseSignatureList(await bare()), (await source.signatures(SEQNO)).signatures].map(
    ({ signatures }) => signatures.length,
  );
  if (answers.join() !== '80,80') throw new Error(`expected 80 signatures from both, got ${answers}`);
  const timings = await compare(
    [
      { name: 'bare fetch + JSON.parse', run: bare },
      { name: 'bare fetch + parseSignatureList', run: async () => parseSignatureList(await bare()) },
      { name: 'the layer, through a queue', run: () => queued.signatures(SEQNO) },
      { name: 'the layer', run: () => source.signatures(SEQNO) },
    ],
    // Few requests a round: what else the machine does then falls on all alike.
    { rounds: 1000, unitsPerRound: () => 4, warmUpRounds: 200 },
  );
  for (const { name, medianMs, p10Ms, p90Ms, ratio } of timings) {
    const spread = `${p10Ms.toFixed(3)} to ${p90Ms.toFixed(3)}`;
    console.log(`${name.padEnd(32)} ${medianMs.toFixed(3)} ms a request (${spread}), ${ratio.toFixed(2)} x`);
  }
  const layer = timings.at(-1)!;
  console.log(layer.ratio <= LIMIT ? `within ${LIMIT} x` : `over ${LIMIT} x`);
}

if (process.send !== undefined && process.argv[2] === 'serve') serve();
else {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  child.once('message', (port) => {
    bench(Number(port)).finally(() => child.kill());
  });
}
