// A bridge: follows its vault, orders one release for each deposit, says why it rejected the others. node bridge.mjs bridge.json
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite'; // Node 22.13 or later
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptDeposit, DepositError, parseAccountId, requireDeposit } from 'ton-finality/facts';
import { keepCheckpoint, readCheckpoint } from 'ton-finality/node';
import { connectLite, depositsOf, ForkError, parseGlobalConfig, SourceError } from 'ton-finality/servers';

const EVIDENCE = 'fork-evidence.json';
if (existsSync(EVIDENCE)) throw new Error(`${EVIDENCE} is here: a person has to look at it before a new run`);
const settings = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { servers, zerostate } = parseGlobalConfig(JSON.parse(readFileSync(settings.globalConfig, 'utf8')));
const clients = servers.map((server) => connectLite(server, { network: zerostate }));
const walletCodeHashes = settings.jetton.walletCodeHashes.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')));
const [master, wallet] = ['master', 'wallet'].map((name) => parseAccountId(settings.jetton[name])); // pinned: docs/deposits.md
const both = {
  network: { globalId: readCheckpoint(settings.checkpoint).globalId, zerostate },
  vault: parseAccountId(settings.vault),
  since: BigInt(settings.since),
  payload(text) {
    const recipient = new TextDecoder().decode(text);
    if (!/^[a-z0-9-]{1,64}$/.test(recipient)) throw new Error('no recipient on the other side');
    return recipient;
  },
};
const ton = { ...both, asset: 'TON', atLeast: BigInt(settings.atLeast) };
const jettons = { ...both, asset: { master, wallet, walletCodeHashes }, atLeast: BigInt(settings.jetton.atLeast) };
const db = new DatabaseSync(settings.database);
db.exec(`PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS orders (key TEXT PRIMARY KEY, lt, asset, amount, recipient, released DEFAULT 0);
  CREATE TABLE IF NOT EXISTS rejected (lt TEXT PRIMARY KEY, code);
  CREATE TABLE IF NOT EXISTS place (one INTEGER PRIMARY KEY CHECK (one = 1), lt TEXT);`);
const place = () => db.prepare('SELECT lt FROM place').get()?.lt ?? String(both.since - 1n);
const count = (rows) => db.prepare(`SELECT count(*) AS n FROM ${rows}`).get().n;
const state = { scans: 0, failures: 0, lastScan: Number.NEGATIVE_INFINITY, waiting: null, lastError: null }; // never set back
function accept({ facts, checkpoint }) {
  const now = { checkpoint, nowSeconds: Date.now() / 1000 };
  try {
    return acceptDeposit({ facts }, { ...jettons, ...now });
  } catch (error) {
    if (error.code !== 'deposit/other-wallet') throw error; // not from the wallet: it may be a deposit of TON
    return acceptDeposit({ facts }, { ...ton, ...now });
  }
}

/** The order, or why there is none, and the place behind it: in one transaction of the database. */
function write(lt, deposit, code) {
  db.exec('BEGIN IMMEDIATE');
  if (deposit === undefined) db.prepare('INSERT INTO rejected VALUES (?, ?)').run(lt, code);
  else {
    const { key, asset, amount, recipient } = requireDeposit(deposit);
    const row = [Buffer.from(key).toString('hex'), lt, asset === 'TON' ? 'TON' : 'jetton', String(amount), recipient];
    db.prepare('INSERT OR IGNORE INTO orders VALUES (?, ?, ?, ?, ?, 0)').run(...row); // one order for each key
  }
  db.prepare('INSERT INTO place VALUES (1, ?) ON CONFLICT DO UPDATE SET lt = excluded.lt').run(lt);
  db.exec('COMMIT');
}

/** Continues after the last written transaction. If a later proof may help one, the ones after it wait too. */
async function scan() {
  const from = { afterLt: BigInt(place()), wallet, limit: 100_000 };
  for await (const arrival of depositsOf(clients, readCheckpoint(settings.checkpoint), both.vault, from)) {
    const lt = String(arrival.lt);
    try {
      write(lt, accept(arrival));
    } catch (error) {
      if (!(error instanceof DepositError)) throw error;
      if (error.retryable || error.code === 'deposit/wallet-code') return { lt, code: error.code }; // new code: list its hash
      write(lt, undefined, error.code);
    }
  }
}

/** The other side answers 409 to a key that it has seen: an order that was sent before a crash is sent again without harm. */
async function release(failed) {
  for (const { key, released, ...what } of db.prepare('SELECT * FROM orders WHERE released = 0').all()) {
    const order = { method: 'PUT', redirect: 'error', body: JSON.stringify(what), signal: AbortSignal.timeout(30_000) };
    const { ok, status } = await fetch(`${settings.release}/${key}`, order).catch((status) => ({ status }));
    if (ok || status === 409) db.prepare('UPDATE orders SET released = 1 WHERE key = ?').run(key);
    else failed ??= new SourceError('source/upstream', `release ${key}: ${status}`);
    if (typeof status !== 'number') break; // nothing answers; an order that is rejected holds no other one up
  }
  if (failed) throw failed;
}

function halt(error) {
  if (error instanceof ForkError) writeFileSync(EVIDENCE, JSON.stringify(error.evidence));
  console.error('A person has to look:', error);
  process.exit(1);
}
const pages = {
  '/health': () => ({ ok: performance.now() - state.lastScan < 60_000 + settings.pollMs, place: place(), ...state }),
  '/rejected': () => db.prepare('SELECT * FROM rejected ORDER BY length(lt) DESC, lt DESC LIMIT 1000').all(),
  '/metrics': () =>
    `bridge_orders ${count('orders')}\nbridge_unreleased ${count('orders WHERE released = 0')}\n` +
    `bridge_rejected ${count('rejected')}\nbridge_scans ${state.scans}\nbridge_failures ${state.failures}\n`,
};
createServer(({ url }, response) => {
  const page = Object.hasOwn(pages, url) ? pages[url]() : undefined;
  response.statusCode = page === undefined ? 404 : page.ok === false ? 503 : 200;
  response.end(typeof page === 'string' ? page : JSON.stringify(page ?? null));
}).listen(settings.port, '127.0.0.1');
process.once('SIGTERM', () => process.exit()); // process 1 of a container ends in no other way; its lock goes with it
const locked = Promise.withResolvers(); // the file has a lock, so one process is the bridge
const onError = ({ message }) => locked.resolve(console.warn(message));
const keep = { everySeconds: settings.keepSeconds, onProgress: () => locked.resolve(), onError };
keepCheckpoint(settings.checkpoint, clients, keep).catch(halt);
await locked.promise;
for (; ; await sleep(settings.pollMs)) {
  try {
    state.waiting = (await scan()) ?? null;
    await release();
    Object.assign(state, { scans: state.scans + 1, lastScan: performance.now(), lastError: null });
  } catch (error) {
    const passes = error instanceof SourceError || error.code === 'trust/too-few-witnesses';
    if (!passes || error.code === 'source/disagree') halt(error); // a fork is one of these
    Object.assign(state, { failures: state.failures + 1, lastError: error.message });
  }
}
