/**
 * The example bridge from the tarball, on a network of its own: 200 deposits of TON and of a jetton, forged and repeated ones among
 * them, over servers that turn liars and back, killed 20 times (SIGKILL) at drawn moments. At the end every honest deposit was
 * released once, with its amount and to its recipient, and nothing else was.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkpointToJson } from '../../build/src/core/chain/checkpoint.js';
import { formatAccountId } from '../../build/src/core/facts/account-id.js';
import { DEPOSIT_KINDS, WALLET } from '../../build/test/helpers/bridge-network.js';
import { seededRandom } from '../../build/test/helpers/cells.js';
import { hashOfCell, MASTER, VAULT, WALLET_CODE } from '../../build/test/helpers/deposits.js';
import { globalConfigOf } from '../../build/test/helpers/lite-cli.js';
import { liteError, startLiteStandIn } from '../../build/test/helpers/lite-stand-in.js';
import { startBridge } from '../../build/test/helpers/start-bridge.js';

const DEPOSITS = 200;
const KILLS = 20;
const BLOCK_MS = 1000;
const MAX_MS = 240_000;

/** What a server makes of an honest answer. */
const MANNERS = {
  honest: (answer) => answer,
  /** Changes a bit of whatever it says. */
  liar(answer, random) {
    const own = Buffer.from(answer);
    const at = 4 + Math.floor(random() * (own.length - 4));
    own[at] ^= 1 << Math.floor(random() * 8);
    return own;
  },
  'knows nothing': () => liteError(651, 'block is not in db'),
  'cuts off': (answer) => answer.subarray(0, answer.length >> 1),
};

/**
 * The other side: it pays a key once, and rejects a key that it paid. Some requests it answers late, never, or with a redirect to a page that
 * says 200. It rejects the first key of all until 50 others are paid.
 */
async function otherSide(random) {
  const paid = new Map();
  const refused = { repeats: 0, faults: 0 };
  let first;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const key = request.url.slice(1);
    const draw = random();
    first ??= key;
    if (request.method === 'GET') response.end('Please log in.');
    else if (draw < 0.1 || (key === first && paid.size < 50)) {
      refused.faults += 1;
      if (draw < 0.05) response.writeHead(303, { location: '/login' }).end();
      else response.writeHead(draw < 0.1 ? 503 : 422).end();
    } else if (paid.has(key)) {
      refused.repeats += 1;
      response.writeHead(409).end();
    } else {
      paid.set(key, JSON.parse(text));
      if (draw < 0.2)
        response.destroy(); // paid, and the bridge does not hear of it
      else response.writeHead(200).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { paid, refused, url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/**
 * What an operator, a careless program and an enemy on this machine do around a bridge that runs: a second process with a port of its own, a
 * writer that holds the database, requests with bodies without an end, and a far side that redirects.
 */
async function tryAround({ node, program, work, settings, far, network, port }) {
  const origin = `http://127.0.0.1:${port}`;
  const bridge = async (name, over) => {
    writeFileSync(join(work, name), JSON.stringify(settings(over)));
    const other = spawn(node, ['--no-warnings', program, name], { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
    const [said, [code]] = await Promise.all([text(other.stderr), once(other, 'exit')]);
    return { said, code };
  };
  const before = far.paid.size;
  const writer = `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync('bridge.sqlite');
    db.exec('BEGIN IMMEDIATE'); setTimeout(() => db.exec('ROLLBACK'), 4000)`;
  const [second, , flood] = await Promise.all([
    bridge('second.json', { port: port + 1 }),
    (async () => {
      const held = spawn(node, ['--no-warnings', '-e', writer], { cwd: work, stdio: 'ignore' });
      await sleep(500);
      network.deposit('ton', { amount: 777n, comment: 'late' });
      assert.deepEqual(await once(held, 'exit'), [0, null]);
    })(),
    Promise.allSettled(
      Array.from({ length: 200 }, async (_, k) => {
        const body = k % 2 === 0 ? '{'.repeat(1 << 16) : undefined;
        const path = ['/health', '/metrics', '/rejected', '/__proto__', '/constructor', '//', '/health?x'][k % 7];
        const { status } = await fetch(`${origin}${path}`, { method: body ? 'POST' : 'GET', body });
        return status;
      }),
    ),
  ]);
  assert.equal(second.code, 1);
  assert.match(second.said, /in use by process/);
  assert.deepEqual([...new Set(flood.map(({ status }) => status))], ['fulfilled']);
  for (const end = performance.now() + 30_000; far.paid.size === before && performance.now() < end; ) await sleep(200);
  assert.equal(far.paid.size, before + 1, 'the deposit made while the database was held');
  assert.equal((await fetch(`${origin}/health`)).status, 200);
}

/** @param folder with the package installed in it @param node a binary of Node 22.13 or later */
export async function soak(folder, node, seed = 1) {
  const random = seededRandom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const { network, ...own } = await startBridge();
  const manners = ['honest', 'honest'];
  const servers = await Promise.all(
    manners.map((_, at) =>
      startLiteStandIn({ answer: async (asked) => MANNERS[manners[at]](await network.answer(asked), random) }),
    ),
  );
  const far = await otherSide(random);
  const work = join(folder, 'soak');
  mkdirSync(work);
  const port = own.http.port + 1000;
  writeFileSync(join(work, 'global.config.json'), JSON.stringify(globalConfigOf(network.chain, servers)));
  writeFileSync(join(work, 'checkpoint.json'), JSON.stringify(checkpointToJson(network.checkpoint)));
  const settings = (over) => ({
    globalConfig: 'global.config.json',
    checkpoint: 'checkpoint.json',
    database: 'bridge.sqlite',
    release: far.url,
    port,
    pollMs: 200,
    keepSeconds: 2,
    vault: formatAccountId(VAULT),
    since: '1',
    atLeast: '100',
    jetton: {
      master: formatAccountId(MASTER),
      wallet: formatAccountId(WALLET),
      walletCodeHashes: [Buffer.from(hashOfCell(WALLET_CODE)).toString('hex')],
      atLeast: '100',
    },
    ...over,
  });
  writeFileSync(join(work, 'bridge.json'), JSON.stringify(settings()));

  let child;
  let faults = '';
  const program = join(folder, 'node_modules', 'ton-finality', 'examples', 'bridge', 'bridge.mjs');
  const start = () => {
    child = spawn(node, ['--no-warnings', program, 'bridge.json'], { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (text) => {
      faults = `${faults}${text}`.slice(-4000);
    });
    child.on('exit', (code) => {
      if (code !== null) faults += `\nit ended with ${code}`;
    });
  };

  // Each honest one has a recipient of its own; every tenth is sent twice, alike to the last character.
  const wanted = new Map();
  const forged = [];
  let made = 0;
  const kinds = Object.keys(DEPOSIT_KINDS);
  function deposit() {
    const kind = random() < 0.7 ? pick(['ton', 'jetton']) : pick(kinds);
    const { asset, outcome } = DEPOSIT_KINDS[kind];
    const amount = BigInt(100 + Math.floor(random() * 1e6));
    const comment = `user-${made}`;
    const times = outcome === 'accepted' && made % 10 === 0 ? 2 : 1;
    for (let k = 0; k < times && made < DEPOSITS; k++) {
      network.deposit(kind, { amount, comment });
      made += 1;
      if (outcome === 'accepted') {
        const what = JSON.stringify([asset, String(amount), comment]);
        wanted.set(what, (wanted.get(what) ?? 0) + 1);
      } else forged.push(kind);
    }
  }

  const blocks = setInterval(() => {
    for (let k = 0; k < 6 && made < DEPOSITS; k++) deposit();
    network.nextBlock(Math.floor(Date.now() / 1000));
  }, BLOCK_MS);
  const moods = setInterval(() => {
    manners[0] = pick(Object.keys(MANNERS));
    manners[1] = random() < 0.5 ? 'honest' : pick(Object.keys(MANNERS));
  }, 700);

  const startMs = performance.now();
  try {
    start();
    for (let kills = 0; kills < KILLS; kills++) {
      await sleep(200 + random() * 2200);
      child.kill('SIGKILL');
      await once(child, 'exit');
      start();
    }
    clearInterval(moods);
    manners.fill('honest');
    const isOver = () => made === DEPOSITS && far.paid.size >= wanted.size && wanted.size > 0;
    const total = () => [...wanted.values()].reduce((sum, one) => sum + one, 0);
    while ((!isOver() || far.paid.size < total()) && performance.now() - startMs < MAX_MS) await sleep(200);
    await sleep(2000); // for what must not come
    const page = async (path) => await fetch(`http://127.0.0.1:${port}${path}`);
    const paid = new Map();
    for (const { asset, amount, recipient } of far.paid.values()) {
      const what = JSON.stringify([asset, amount, recipient]);
      paid.set(what, (paid.get(what) ?? 0) + 1);
    }
    assert.deepEqual(new Map([...paid].sort()), new Map([...wanted].sort()), faults);
    const rejected = await (await page('/rejected')).json();
    // To a bridge that takes both, what is no notification of the wallet is a deposit of TON without a recipient.
    const codes = forged.map((kind) => (kind === 'forged' ? 'deposit/recipient' : DEPOSIT_KINDS[kind].outcome));
    assert.deepEqual(rejected.map(({ code }) => code).sort(), codes.sort(), faults);
    const health = await page('/health');
    assert.equal(health.status, 200);
    assert.equal((await health.json()).waiting, null);
    const metrics = await (await page('/metrics')).text();
    assert.match(metrics, new RegExp(`^bridge_orders ${far.paid.size}$`, 'm'));
    assert.match(metrics, /^bridge_unreleased 0$/m);
    assert.doesNotMatch(faults, /it ended with/);
    await tryAround({ node, program, work, settings, far, network, port });
    assert.equal(child.exitCode, null, faults);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
    const { repeats, faults: busy } = far.refused;
    console.log(
      `${made} deposits, ${far.paid.size} released once each, ${forged.length} rejected by their rules; ${KILLS} kills, ` +
        `${repeats} orders sent again and refused, ${busy} faults of the other side; ${seconds} s`,
    );
  } finally {
    clearInterval(blocks);
    clearInterval(moods);
    child?.kill('SIGKILL');
    far.close();
    for (const server of servers) await server.close();
    await own.close();
  }
}
