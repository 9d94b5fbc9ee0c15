/** `npm run stand-in -- [--port N] [--latest SEQNO] [--testnet]`: the stand-in server, until Ctrl-C. */
import { parseArgs } from 'node:util';
import { startStandIn } from './stand-in.ts';
import { readChain } from './stand-in-chain.ts';
import { FAULT_NAMES } from './stand-in-faults.ts';

const { values } = parseArgs({
  options: { port: { type: 'string' }, latest: { type: 'string' }, testnet: { type: 'boolean' } },
});
const standIn = await startStandIn({
  port: Number(values.port ?? 8081),
  chain: readChain(values.testnet === true ? 'testnet' : 'mainnet'),
  ...(values.latest === undefined ? {} : { latest: Number(values.latest) }),
});
const { origin, latest, chain } = standIn;
console.log(`recorded blocks ${[...chain.blocks.keys()].join(' ')}
latest ${latest}, validators in vectors/${chain.blocks.get(latest)?.validatorsFile}
C++ form       ${origin}/api/v2
Python form    ${origin}/python/api/v2
v3 as served   ${origin}/api/v3
v3 documented  ${origin}/documented/api/v3
with a fault   ${origin}/fault/NAME/api/v2, where NAME is one of
  ${FAULT_NAMES.join(' ')}`);
