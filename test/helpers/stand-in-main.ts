/**
 * `npm run stand-in -- [--port N] [--latest SEQNO] [--testnet]`: the stand-in server, until Ctrl-C.
 * `npm run stand-in -- --bridge [--port N] [--lite-port N] [--out DIR]`: a network with deposits on demand, a block every second.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkpointToJson } from '../../src/core/chain/checkpoint.ts';
import { formatAccountId } from '../../src/core/facts/account-id.ts';
import { DEPOSIT_KINDS, WALLET } from './bridge-network.ts';
import { hashOfCell, MASTER, VAULT, WALLET_CODE } from './deposits.ts';
import { startStandIn } from './stand-in.ts';
import { readChain } from './stand-in-chain.ts';
import { FAULT_NAMES } from './stand-in-faults.ts';
import { startBridge } from './start-bridge.ts';
import { ROOT } from './vectors.ts';

const HELP = `npm run stand-in -- [--port N] [--latest SEQNO] [--testnet]
  recorded blocks of mainnet or testnet, over HTTP, until Ctrl-C
npm run stand-in -- --bridge [--port N] [--lite-port N] [--out DIR]
  a network with deposits on demand, a block every second, over HTTP and the lite-server protocol`;

const options = {
  port: { type: 'string', default: '8081' },
  latest: { type: 'string' },
  testnet: { type: 'boolean' },
  bridge: { type: 'boolean', default: false },
  'lite-port': { type: 'string', default: '8082' },
  out: { type: 'string', default: join(ROOT, 'build', 'bridge') },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** The options of the command line; an odd one ends the process with what is right. */
function readArgs() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${(error as Error).message.split('. ')[0]}\n\n${HELP}`);
    process.exit(2);
  }
}

const values = readArgs();
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const port = Number(values.port);

async function recordedBlocks(): Promise<string> {
  const { origin, latest, chain } = await startStandIn({
    port,
    chain: readChain(values.testnet === true ? 'testnet' : 'mainnet'),
    ...(values.latest === undefined ? {} : { latest: Number(values.latest) }),
  });
  return `recorded blocks ${[...chain.blocks.keys()].join(' ')}
latest ${latest}, validators in vectors/${chain.blocks.get(latest)?.validatorsFile}
C++ form       ${origin}/api/v2
Python form    ${origin}/python/api/v2
v3 as served   ${origin}/api/v3
v3 documented  ${origin}/documented/api/v3
with a fault   ${origin}/fault/NAME/api/v2, where NAME is one of
  ${FAULT_NAMES.join(' ')}`;
}

const BLOCK_MS = 1000;

async function bridgeNetwork(): Promise<string> {
  const { network, http, config, nextBlock } = await startBridge({ port, litePort: Number(values['lite-port']) });
  const folder = resolve(values.out);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'global.config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'checkpoint.json'), JSON.stringify(checkpointToJson(network.checkpoint)));
  setInterval(nextBlock, BLOCK_MS);
  return `a block every second, in ${folder}: global.config.json, checkpoint.json
vault          ${formatAccountId(VAULT)}
jetton wallet  ${formatAccountId(WALLET)}
jetton master  ${formatAccountId(MASTER)}
wallet code    ${Buffer.from(hashOfCell(WALLET_CODE)).toString('hex')}
lite server    127.0.0.1:${values['lite-port']}
HTTP           ${http.origin}/api/v2
a deposit      curl ${http.origin}/deposit -d '{"kind":"ton","amount":"1000000000","comment":"alice"}'
  where kind is one of ${Object.keys(DEPOSIT_KINDS).join(' ')}`;
}

console.log(await (values.bridge ? bridgeNetwork() : recordedBlocks()));
