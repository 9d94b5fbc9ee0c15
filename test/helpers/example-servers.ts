/**
 * Servers and files for the examples in doc comments. An example is written for mainnet. Here its addresses lead to servers on
 * loopback: HTTP servers with recorded mainnet blocks, and a lite server of a network to rehearse a bridge on.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkpointFromKeyBlock } from '../../src/core/chain/checkpoint.ts';
import { forkEvidence } from '../../src/net/lite/fork-evidence.ts';
import { layBridgeDesk } from './desk.ts';
import { LiteChain } from './lite-chain.ts';
import { committee } from './make-chain.ts';
import { startStandIn } from './stand-in.ts';
import { type Chain, readChain } from './stand-in-chain.ts';
import { ROOT } from './vectors.ts';

export interface ExampleServers {
  /** Runs an example with the addresses and files that exist here, and gives its lines with the addresses that it shows. */
  run(code: string, run: (code: string) => Promise<readonly string[]>): Promise<readonly string[]>;
  close(): Promise<void>;
}

const MAINNET = 'https://toncenter.com';
const FILES = /'(global\.config|checkpoint|fork|backup|answers|rows|part-\d)\.(json|ndjson)'/g;
/** Files of a network with lite servers: an example without them is given an empty folder. */
const OF_NETWORK = /'(?:global\.config|checkpoint)\.json'/;

/** Two answers of servers that one validator set signed, and that contradict each other. */
function forkFile(): string {
  const members = committee('example', [1n, 1n, 1n]);
  const common = { length: 15, firstUtime: 1_700_000_000, hasStates: true, committeeOf: () => members };
  const [one, two] = [new LiteChain(common), new LiteChain({ ...common, forkAt: 13 })];
  const start = checkpointFromKeyBlock(one.blocks.get(10)!.boc, one.id(10));
  const side = (source: string, chain: LiteChain) => ({ source, body: chain.proof(10, 15) });
  return JSON.stringify(forkEvidence(start, [side('a', one), side('b', two)]));
}

/** The recorded blocks, and one after them, as on mainnet: only the newest block is judged by the clock. */
function recordedChain(): Chain {
  const chain = readChain();
  const last = chain.blocks.get(Math.max(...chain.blocks.keys()))!;
  const seqno = last.seqno + 1;
  const next = { ...last, seqno, signatures: { ...last.signatures, id: { ...last.signatures.id, seqno } } };
  return { ...chain, blocks: new Map([...chain.blocks, [seqno, next]]) };
}

export async function startExampleServers(): Promise<ExampleServers> {
  const build = join(ROOT, 'build');
  mkdirSync(build, { recursive: true });
  const http = await startStandIn({ chain: recordedChain() });
  return {
    async run(code, run) {
      const own = code.replaceAll(MAINNET, http.origin);
      if (own.search(FILES) < 0) return (await run(own)).map((line) => line.replaceAll(http.origin, MAINNET));
      const folder = mkdtempSync(join(build, 'doc-example-'));
      const bridge = OF_NETWORK.test(own) ? await layBridgeDesk(folder) : undefined; // its newest block has to be fresh
      try {
        if (own.includes('fork.json')) writeFileSync(join(folder, 'fork.json'), forkFile());
        return await run(
          own.replace(FILES, (_, name: string, form: string) => JSON.stringify(join(folder, `${name}.${form}`))),
        );
      } finally {
        await bridge?.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
    close: () => http.close(),
  };
}
