/** A right call of functions that ask servers and read files: every question fails at once, and no file is there. */
import { SourceError } from '../../src/core/base/errors.ts';

import { referenceEngine } from '../../src/core/ed25519/reference.ts';
import { PARTS } from './public-calls.ts';

const { checkpoint, validators } = PARTS;

async function refused(): Promise<never> {
  throw new SourceError('source/upstream', 'asked of no server');
}

const server = { host: '127.0.0.1', port: 9, publicKey: new Uint8Array(32).fill(7) };
const client = {
  name: 'lite://127.0.0.1:9/00000000',
  server,
  ...{ masterchainInfo: refused, blockProof: refused, lookup: refused, header: refused, close: refused },
};
const source = { name: 'a source', latestSeqno: refused, signatures: refused };
const blocks = { name: 'blocks', bindsIds: true, open: refused };
const missing = '/nowhere/ledger.ndjson';

export const SERVICE_CALLS: Readonly<Record<string, readonly unknown[]>> = {
  auditLite: [[client], { acceptStaleStart: false }],
  auditRange: [{ from: 1, to: 2, blocks, validators, signEvery: 1, maxFailures: 0, engine: referenceEngine }],
  auditServers: [source, { header: refused, ahead: 2 }],
  checkAgain: [{ ledger: missing, blocks, validators, sample: 1, seed: 'seed' }],
  followLite: [
    [client],
    checkpoint,
    { signEverySeconds: 5, acceptStaleStart: false, clock: () => 1, maxOutageMs: 1, engine: referenceEngine },
  ],
  liteServerLabel: [server],
  mergeLedgers: [[missing], missing, { maxFailures: 1 }],
  openTcp: [server, { onOpen: () => {}, onData: () => {}, onClose: () => {} }],
  proveOlderBlock: [[client], {}, 5, {}],
  readLedger: [missing],
  syncCheckpoint: [[client], checkpoint, { acceptStaleStart: false, engine: referenceEngine }],
};
