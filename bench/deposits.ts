/**
 * How long a bridge takes: a scan of 1 000 transactions of a vault over a loopback lite server, and one deposit from its certificate, and
 * from a proven fact, to accepted. One thread; it asserts nothing. `node build/bench/deposits.js [--rounds N]`
 */
import { parseArgs } from 'node:util';
import { certificateToBoc } from '../src/core/certificate/parse.ts';
import { acceptDeposit } from '../src/core/facts/deposit.ts';
import { certifyTransaction } from '../src/net/lite/certify.ts';
import { connectLite } from '../src/net/lite/client.ts';
import { type Arrival, depositsOf } from '../src/net/lite/deposits.ts';
import { acceptCertificate } from '../test/helpers/changed-certificate.ts';
import { VAULT } from '../test/helpers/deposits.ts';
import { startBridge } from '../test/helpers/start-bridge.ts';
import { compare } from './harness.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '21' } } });
const COUNT = 1000;
const BLOCKS = 50;

const bridge = await startBridge({ firstUtime: Math.floor(Date.now() / 1000) - BLOCKS });
const { network } = bridge;
for (let k = 0; k < BLOCKS; k++) {
  for (let n = 0; n < COUNT / BLOCKS; n++) network.deposit('ton', { amount: BigInt(1000 + n) });
  bridge.nextBlock();
}
const client = connectLite(bridge.lite.server);
const { checkpoint } = network;
const terms = { ...network.terms('TON'), nowSeconds: Math.floor(Date.now() / 1000) };

async function scan(): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  for await (const one of depositsOf([client], checkpoint, VAULT, { afterLt: 0n, maxHeadAgeSeconds: 1e6 })) {
    arrivals.push(one);
  }
  if (arrivals.length !== COUNT) throw new Error(`${arrivals.length} transactions of ${COUNT}`);
  return arrivals;
}

const wallMs: number[] = [];
const cpuMs: number[] = [];
let arrivals = await scan();
for (let round = 0; round < Number(values.rounds); round++) {
  const start = performance.now();
  const cpu = process.cpuUsage();
  arrivals = await scan();
  const { user, system } = process.cpuUsage(cpu);
  wallMs.push(performance.now() - start);
  cpuMs.push((user + system) / 1000);
}
const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1]!.toFixed(0);
console.log(
  `scan of ${COUNT} transactions, server included: median ${median(wallMs)} ms, of the processor ${median(cpuMs)} ms`,
);

const { facts, lt, checkpoint: newest } = arrivals[COUNT / 2]!;
const { certificate: made } = await certifyTransaction([client], checkpoint, { account: VAULT, lt });
const certificate = certificateToBoc(made);
const timings = await compare(
  [
    {
      name: `certificate of ${certificate.length} bytes to accepted`,
      run: () => acceptCertificate(certificate, terms),
    },
    { name: 'proven fact to accepted', run: () => acceptDeposit({ facts }, { ...terms, checkpoint: newest }) },
  ],
  { rounds: Number(values.rounds), warmUpRounds: 8, unitsPerRound: () => 20 },
);
for (const { name, medianMs, p10Ms, p90Ms } of timings) {
  console.log(`${name}: median ${medianMs.toFixed(2)} ms, ${p10Ms.toFixed(2)} to ${p90Ms.toFixed(2)}`);
}
client.close();
await bridge.close();
