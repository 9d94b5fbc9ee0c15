/**
 * The road of a bridge against a private network of real nodes on loopback: a transfer to a wallet on workchain 0 is sent, found by
 * `depositsOf`, proven, certified, and accepted in a process that has no network. What the first server answered on both roads is
 * recorded, and both are taken again with one bit of an answer changed, many times: none leads to another deposit.
 *
 *   npm run test:live-bridge -- DIR [--http URL] [--times 20000] [--record FILE]
 *   npm run test:live-bridge -- --replay FILE [--times 20000]
 *   npm run test:live-bridge -- --giver
 *
 * DIR holds `global.json` and `zerostate.boc` of the network, URL is the HTTP API of a node. Its zerostate has to hold an account that
 * sends whatever it is told to: `--giver` prints that, as a line for the accounts of the zerostate's JSON. FILE keeps the answers, so
 * that the network can be stopped before they are changed.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Address, contractAddress, external, internal, storeMessage, storeMessageRelaxed } from '@ton/core';
import { writeCheckpoint } from '../../src/app/files/checkpoint-file.ts';
import { certificateToBoc } from '../../src/core/certificate/parse.ts';
import { type Checkpoint, checkpointFromZerostate } from '../../src/core/chain/checkpoint.ts';
import type { AccountId } from '../../src/core/facts/account-id.ts';
import { acceptDeposit } from '../../src/core/facts/deposit.ts';
import type { DepositTerms } from '../../src/core/facts/deposit-terms.ts';
import { sleep } from '../../src/net/async/timer.ts';
import { certifyTransaction } from '../../src/net/lite/certify.ts';
import { connectLite } from '../../src/net/lite/client.ts';
import { type Arrival, depositsOf } from '../../src/net/lite/deposits.ts';
import { parseGlobalConfig } from '../../src/net/lite-api/global-config.ts';
import { acceptOffline } from '../helpers/accept-offline.ts';
import { beginCell, type CoreCell } from '../helpers/cells.ts';
import {
  changeRoads,
  loadRoads,
  type RecordedRoads,
  recordRoads,
  savedRoads,
  UNREAD,
} from '../helpers/changed-road.ts';
import { comment, outcomeOf } from '../helpers/deposits.ts';

const GIVER = Address.parse(`-1:${'a1'.repeat(32)}`);
const GIVER_GRAMS = 10n ** 14n;
/** SETCP0 IFNOTRET ACCEPT LDREF DROP PUSHINT(3) SENDRAWMSG: takes any message from outside and sends the one in it. */
const GIVER_CODE = beginCell().storeBuffer(Buffer.from('ff00ddf800d43073fb00', 'hex')).endCell();
/** SETCP0: takes every message. */
const VAULT_INIT = { code: beginCell().storeUint(0xff00, 16).endCell(), data: beginCell().endCell() };

function giverAccount(): object {
  const code = GIVER_CODE;
  const data = beginCell().endCell();
  const now = Math.floor(Date.now() / 1000);
  const cell = beginCell().storeBit(true).storeAddress(GIVER);
  cell.storeVarUint(3, 3).storeVarUint(1000, 3).storeUint(0, 3).storeUint(now, 32).storeBit(false);
  cell.storeUint(0, 64).storeCoins(GIVER_GRAMS).storeBit(false);
  cell.storeUint(0b100, 3).storeMaybeRef(code).storeMaybeRef(data).storeBit(false);
  const base64 = (one: CoreCell) => one.toBoc().toString('base64');
  return {
    acc_type_name: 'Active',
    id: GIVER.toRawString(),
    workchain_id: -1,
    boc: base64(cell.endCell()),
    last_paid: now,
    last_trans_lt: '0_0',
    balance: String(GIVER_GRAMS),
    code: base64(code),
    code_hash: code.hash().toString('hex'),
    data: base64(data),
    data_hash: data.hash().toString('hex'),
    acc_type: 1,
  };
}

const startMs = performance.now();
const say = (text: string) =>
  process.stdout.write(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(7)} s  ${text}\n`);

/** Has the giver send coins. */
async function send(url: string, value: bigint, body: CoreCell, isFirst: boolean): Promise<void> {
  const to = contractAddress(0, VAULT_INIT);
  const message = internal({ to, value, body, bounce: false, ...(isFirst ? { init: VAULT_INIT } : {}) });
  const told = beginCell()
    .storeRef(beginCell().store(storeMessageRelaxed(message)).endCell())
    .endCell();
  const boc = beginCell()
    .store(storeMessage(external({ to: GIVER, body: told })))
    .endCell()
    .toBoc()
    .toString('base64');
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/sendBoc`, { method: 'POST', headers, body: JSON.stringify({ boc }) });
  const text = await response.text();
  assert(response.ok && !text.includes('"ok":false'), text);
}

/** @param file keeps what was recorded */
async function takeRoad(dir: string, url: string, file: string | undefined): Promise<RecordedRoads> {
  const { servers, zerostate } = parseGlobalConfig(JSON.parse(readFileSync(join(dir, 'global.json'), 'utf8')));
  const checkpoint = checkpointFromZerostate(new Uint8Array(readFileSync(join(dir, 'zerostate.boc'))), zerostate);
  const clients = servers.map((server) => connectLite(server));
  const options = { maxHeadAgeSeconds: 300 };
  const address = Uint8Array.from(contractAddress(0, VAULT_INIT).hash);
  const vault: AccountId = { workchain: 0, address };
  const termsAt = (trusted: typeof checkpoint): DepositTerms<string> => ({
    network: { globalId: checkpoint.globalId, zerostate },
    checkpoint: trusted,
    nowSeconds: Math.floor(Date.now() / 1000),
    vault,
    asset: 'TON',
    atLeast: 1_000_000_000n,
    since: 1n,
    payload: (text) => new TextDecoder().decode(text),
  });
  const scan = async (afterLt: bigint): Promise<Arrival[]> => {
    const found: Arrival[] = [];
    for await (const one of depositsOf(clients, checkpoint, vault, { afterLt, ...options })) found.push(one);
    return found;
  };
  const until = async (afterLt: bigint): Promise<Arrival> => {
    for (let tries = 0; tries < 60; tries++) {
      const [first] = await scan(afterLt);
      if (first !== undefined) return first;
      await sleep(2000);
    }
    throw new Error('the transfer has not come in two minutes');
  };
  await send(url, 2_000_000_000n, comment('nobody'), true);
  const deployed = await until(0n);
  const opened = outcomeOf(() => acceptDeposit(deployed, termsAt(deployed.checkpoint)));
  assert.equal(opened, 'deposit/account-status');
  say(`the transfer that deployed the wallet is refused: ${opened}`);
  await send(url, 3_000_000_000n, comment('alice'), false);
  const arrival = await until(deployed.lt);
  const deposit = acceptDeposit(arrival, termsAt(arrival.checkpoint));
  assert.equal(deposit.recipient, 'alice');
  assert.equal(deposit.amount, 3_000_000_000n);
  say(`found and accepted: ${deposit.amount} to ${deposit.recipient}, lt ${arrival.lt}`);
  const recorded = await recordRoads(servers[0]!, {
    checkpoint,
    vault,
    afterLt: deployed.lt,
    lt: arrival.lt,
    nowSeconds: Math.floor(Date.now() / 1000),
  });
  const certified = await certifyTransaction(clients, checkpoint, { account: vault, lt: arrival.lt }, options);
  for (const client of clients) client.close();
  // From here on nothing asks a server.
  if (file !== undefined) writeFileSync(file, savedRoads(recorded));
  await alone(checkpoint, vault, certificateToBoc(certified.certificate), deposit.key);
  return recorded;
}

/** Accepts a certificate, and nothing with a bit of it changed: in a process of its own, and many times in this one. */
async function alone(
  checkpoint: Checkpoint,
  vault: AccountId,
  certificate: Uint8Array,
  key: Uint8Array,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ton-finality-live-'));
  try {
    const checkpointFile = join(folder, 'checkpoint.json');
    writeCheckpoint(checkpointFile, checkpoint);
    const changed = Array.from({ length: 100 }, (_, k) => {
      const own = certificate.slice();
      own[Math.floor((k * own.length) / 100)]! ^= 1 << (k & 7);
      return own;
    });
    const nowSeconds = Math.floor(Date.now() / 1000);
    const certificates = [certificate, ...changed];
    const { outcomes, knocked } = await acceptOffline({ checkpointFile, certificates, vault, nowSeconds });
    assert.equal(knocked, 0);
    const [first, ...others] = outcomes;
    assert('key' in first! && first.key === Buffer.from(key).toString('hex') && first.recipient === 'alice');
    for (const other of others)
      assert('code' in other && /^(decode|cert|trust)\//.test(other.code), JSON.stringify(other));
    say(`certified, ${certificate.length} bytes; accepted by a process without a network, 100 changed ones refused`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Both roads again, with one bit changed. */
async function replay(recorded: RecordedRoads, times: number): Promise<void> {
  const { refused, other, unread } = await changeRoads(recorded, times);
  say(`answers with a bit changed: ${refused} refused, ${other} accepted as something else`);
  say(`accepted as what it is, by what holds the bit: ${JSON.stringify(unread, null, 1)}`);
  assert.equal(other, 0);
  assert.deepEqual(
    Object.keys(unread).filter((name) => !(name in UNREAD)),
    [],
  );
  const cpu = process.cpuUsage();
  say(`${((cpu.user + cpu.system) / 1e6).toFixed(0)} s of CPU`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    giver: { type: 'boolean', default: false },
    http: { type: 'string', default: 'http://127.0.0.1:13301' },
    times: { type: 'string', default: '20000' },
    record: { type: 'string' },
    replay: { type: 'string' },
  },
});
const times = Number(values.times);
if (values.giver) console.log(JSON.stringify(giverAccount()));
else if (values.replay !== undefined) await replay(loadRoads(values.replay), times);
else {
  const [dir] = positionals;
  assert(dir !== undefined, 'expected the folder of a private network');
  await replay(await takeRoad(dir, values.http, values.record), times);
}
