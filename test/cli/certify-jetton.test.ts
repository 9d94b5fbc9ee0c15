/** A jetton deposit, certified by the command over a lite server, and accepted without a network. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkpointToJson } from '../../src/core/chain/checkpoint.ts';
import { formatAccountId } from '../../src/core/facts/account-id.ts';
import { WALLET } from '../helpers/bridge-network.ts';
import { acceptCertificate } from '../helpers/changed-certificate.ts';
import { outcomeOf, VAULT } from '../helpers/deposits.ts';
import { liteFlags } from '../helpers/lite-cli.ts';
import { type Bridge, startBridge } from '../helpers/start-bridge.ts';
import { runCli } from '../helpers/warm-cli.ts';

let folder: string;
let bridge: Bridge;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-jetton-'));
  bridge = await startBridge({ firstUtime: Math.floor(Date.now() / 1000) - 12 });
  bridge.network.deposit('jetton', { amount: 777n });
  for (let k = 0; k < 11; k++) bridge.nextBlock();
  writeFileSync(join(folder, 'c.json'), JSON.stringify(checkpointToJson(bridge.network.checkpoint)));
});
afterAll(async () => {
  await bridge.close();
  rmSync(folder, { recursive: true, force: true });
});

async function certify(kind: string, ...more: string[]) {
  const out = join(folder, 'jetton.fin.boc');
  rmSync(out, { force: true });
  const { lt } = bridge.network.deposits[0]!;
  const of = ['--account', formatAccountId(VAULT), '--lt', String(lt), '--checkpoint', join(folder, 'c.json')];
  const run = await runCli(['certify', kind, ...of, ...liteFlags(bridge.lite), '--out', out, ...more]);
  return { ...run, out };
}
const accept = (file: string) =>
  outcomeOf(() =>
    acceptCertificate(readFileSync(file), {
      ...bridge.network.terms('jetton'),
      nowSeconds: Math.floor(Date.now() / 1000),
    }),
  );

it('has the state of the wallet where that is named, as acceptDeposit demands it', async () => {
  const wallet = formatAccountId(WALLET);
  const whole = await certify('transaction', '--wallet', wallet);
  expect(whole.code, whole.stderr).toBe(0);
  expect(accept(whole.out)).toBe('accepted');
  const message = await certify('message', '--index', 'in', '--wallet', wallet);
  expect(message.code, message.stderr).toBe(0);
  expect(accept(message.out)).toBe('accepted');
  expect(accept((await certify('transaction')).out)).toBe('deposit/wallet-state');
  const absent = await certify('transaction', '--wallet', `0:${'ab'.repeat(32)}`);
  expect(absent.code, absent.stderr).toBe(1);
  expect(accept(absent.out)).toBe('deposit/wallet-state');
});

it('is refused beside what has no wallet, and where the wallet is no account', async () => {
  for (const [kind, wallet, words] of [
    ['transaction', 'x', /--wallet: account: expected workchain:hex/],
    ['account', formatAccountId(WALLET), /--wallet: expected a transaction/],
  ] as const) {
    const { code, stderr, out } = await certify(kind, '--wallet', wallet);
    expect([code, stderr, existsSync(out)]).toEqual([2, expect.stringMatching(words), false]);
  }
});
