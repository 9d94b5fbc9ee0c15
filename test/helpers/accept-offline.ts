/** Has certificates of deposits accepted in a process of its own, which has no network. */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { AccountId } from '../../src/core/facts/account-id.ts';
import type { JettonAsset } from '../../src/core/facts/deposit-terms.ts';
import { ROOT } from './vectors.ts';

/** What the process says of one certificate. */
export type OfflineOutcome =
  | { readonly key: string; readonly amount: string; readonly recipient: string }
  | { readonly code: string };

export interface OfflineQuestion {
  /** The pinned checkpoint. */
  readonly checkpointFile: string;
  readonly certificates: readonly Uint8Array[];
  readonly vault: AccountId;
  readonly asset?: 'TON' | JettonAsset;
  /** Unix seconds. */
  readonly nowSeconds: number;
}

/** Linux gives a process a network of its own, with nothing in it, where this user may ask for that. */
const ALONE = ['unshare', '--net', '--'] as const;
export const mayBeAlone = spawnSync(ALONE[0], [...ALONE.slice(1), 'true']).status === 0;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const named = ({ workchain, address }: AccountId) => ({ workchain, address: hex(address) });

/** @param isAlone whether the system shuts the network as well; without, the doors of Node alone are shut */
export async function acceptOffline(
  { checkpointFile, certificates, vault, asset = 'TON', nowSeconds }: OfflineQuestion,
  isAlone = mayBeAlone,
): Promise<{ readonly outcomes: readonly OfflineOutcome[]; readonly knocked: number }> {
  const helper = (name: string) => join(ROOT, 'test', 'helpers', name);
  const node = [process.execPath, '--import', helper('without-network.mjs'), helper('accept-deposits.mjs')];
  const [command, ...words] = isAlone ? [...ALONE, ...node] : node;
  const child = spawn(command!, words, { cwd: ROOT });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  child.stdin.on('error', () => {}); // one that cannot begin says why
  child.stdin.end(
    JSON.stringify({
      checkpointFile,
      certificates: certificates.map(hex),
      vault: named(vault),
      asset:
        asset === 'TON'
          ? asset
          : {
              master: named(asset.master),
              wallet: named(asset.wallet),
              walletCodeHashes: asset.walletCodeHashes.map(hex),
            },
      nowSeconds,
    }),
  );
  const [out, err] = await said;
  const knocked = /^network: (\d+)$/m.exec(err)?.[1];
  if (knocked === undefined || err !== `network: ${knocked}\n`) throw new Error(err);
  const outcomes = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as OfflineOutcome);
  return { outcomes, knocked: Number(knocked) };
}
