/** The far side of a bridge: a process of its own, without a network, that accepts certificates of deposits by the built package. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCheckpoint } from '../../../src/app/files/checkpoint-file.ts';
import { certificateToBoc, parseCertificate } from '../../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { acceptDeposit } from '../../../src/core/facts/deposit.ts';
import { certifyTransaction } from '../../../src/net/lite/certify.ts';
import { connectLite } from '../../../src/net/lite/client.ts';
import { acceptOffline, mayBeAlone, type OfflineQuestion } from '../../helpers/accept-offline.ts';
import { DEPOSIT_KINDS, WALLET } from '../../helpers/bridge-network.ts';
import { VAULT } from '../../helpers/deposits.ts';
import { isFull } from '../../helpers/share.ts';
import { type Bridge, startBridge } from '../../helpers/start-bridge.ts';

const KINDS = Object.entries(DEPOSIT_KINDS);
const BLOCKS = 12;
const nowSeconds = Math.floor(Date.now() / 1000);

let folder: string;
let bridge: Bridge;
const certificates = new Map<string, Uint8Array>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-offline-'));
  bridge = await startBridge({ firstUtime: nowSeconds - BLOCKS });
  for (const [kind] of KINDS) bridge.network.deposit(kind);
  for (let seqno = 2; seqno <= BLOCKS; seqno++) bridge.nextBlock();
  const client = connectLite(bridge.lite.server);
  for (const { kind, lt } of bridge.network.deposits) {
    const wanted = { account: VAULT, lt, ...(DEPOSIT_KINDS[kind]!.asset === 'jetton' ? { wallet: WALLET } : {}) };
    const { certificate } = await certifyTransaction([client], bridge.network.checkpoint, wanted);
    certificates.set(kind, certificateToBoc(certificate));
  }
  client.close();
});
afterAll(async () => {
  await bridge.close();
  rmSync(folder, { recursive: true });
});

function checkpointFile(): string {
  const file = join(folder, 'checkpoint.json');
  writeCheckpoint(file, bridge.network.checkpoint);
  return file;
}

/** Where the system shuts the network, the doors of Node are shut too: that alone is tried by full runs and on other machines. */
const WAYS = isFull ? [...new Set([false, mayBeAlone])] : [mayBeAlone];

describe.each(WAYS)('a process without a network (shut by the system: %s)', (isAlone) => {
  it.each(['TON', 'jetton'] as const)(
    'accepts an honest deposit of %s, with the key that every process gives it, and refuses the others by their rules',
    async (asset) => {
      const kinds = KINDS.filter(([, kind]) => kind.asset === asset);
      const terms = { ...bridge.network.terms(asset), nowSeconds };
      const own = kinds.map(([kind]) => certificates.get(kind)!);
      const ask = {
        checkpointFile: checkpointFile(),
        certificates: own,
        vault: VAULT,
        asset: terms.asset as NonNullable<OfflineQuestion['asset']>,
        nowSeconds,
      };
      const { outcomes, knocked } = await acceptOffline(ask, isAlone);
      expect(knocked).toBe(0);
      const [honest] = own; // the first kind of each asset
      const report = verifyCertificate(parseCertificate(honest!), { checkpoint: bridge.network.checkpoint });
      const { key, amount } = acceptDeposit(report, terms);
      const accepted = { key: Buffer.from(key).toString('hex'), amount: String(amount), recipient: 'alice' };
      expect(outcomes).toEqual(kinds.map(([, { outcome }]) => (outcome === 'accepted' ? accepted : { code: outcome })));
    },
  );

  it('refuses certificates that are changed, cut off or of another network, and deposits to another vault', async () => {
    const whole = certificates.get('ton')!;
    const changed = Array.from({ length: 40 }, (_, k) => {
      const own = whole.slice();
      own[Math.floor(((k + 0.5) * own.length) / 40)]! ^= 1 << (k & 7);
      return own;
    });
    const other = await startBridge({ firstUtime: nowSeconds - BLOCKS - 1 }); // every block of it is another
    try {
      other.network.deposit('ton');
      other.nextBlock();
      const client = connectLite(other.lite.server);
      const { lt } = other.network.deposits[0]!;
      const made = await certifyTransaction([client], other.network.checkpoint, { account: VAULT, lt });
      client.close();
      const forged = [...changed, whole.subarray(0, -1), certificateToBoc(made.certificate)];
      const ask = { checkpointFile: checkpointFile(), certificates: forged, vault: VAULT, nowSeconds };
      const { outcomes, knocked } = await acceptOffline(ask, isAlone);
      expect(knocked).toBe(0);
      const codes = outcomes.map((outcome) => ('code' in outcome ? outcome.code : 'accepted'));
      expect(codes.filter((code) => !/^(decode|cert|trust)\//.test(code))).toEqual([]);
      expect(codes.at(-1)).toMatch(/^(cert|trust)\//);
    } finally {
      await other.close();
    }
    const elsewhere = { ...VAULT, address: VAULT.address.map((byte) => byte ^ 1) };
    const ask = { checkpointFile: checkpointFile(), certificates: [whole], vault: elsewhere, nowSeconds };
    expect((await acceptOffline(ask, isAlone)).outcomes).toEqual([{ code: 'deposit/other-account' }]);
  });
});
