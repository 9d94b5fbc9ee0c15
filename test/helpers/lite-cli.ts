/** What tests of the command need to point it at stand-in lite servers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { checkpointToJson } from '../../src/core/chain/checkpoint.ts';
import type { LiteChain } from './lite-chain.ts';
import type { LiteStandIn } from './lite-stand-in.ts';
import { startOf } from './networks.ts';

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** The address of a stand-in. */
type Address = Pick<LiteStandIn, 'port' | 'publicKey'>;

/** `--lite HOST:PORT:KEY`. */
export const liteFlags = ({ port, publicKey }: Address): string[] => [
  '--lite',
  `127.0.0.1:${port}:${base64(publicKey)}`,
];

/** Writes a checkpoint at the zerostate of a chain. @returns its path */
export function writeZerostateCheckpoint(folder: string, chain: LiteChain): string {
  const path = join(folder, 'zerostate.json');
  const checkpoint = startOf(chain);
  writeFileSync(path, JSON.stringify(checkpointToJson(checkpoint)));
  return path;
}

/** The global configuration of a chain that these servers serve. */
export function globalConfigOf({ zerostateId }: LiteChain, servers: readonly Address[]): object {
  return {
    liteservers: servers.map(({ port, publicKey }) => ({
      ip: 0x7f000001,
      port,
      id: { '@type': 'pub.ed25519', key: base64(publicKey) },
    })),
    validator: {
      zero_state: {
        workchain: -1,
        shard: -(2 ** 63),
        seqno: 0,
        root_hash: base64(zerostateId.rootHash),
        file_hash: base64(zerostateId.fileHash),
      },
    },
  };
}

/** Writes a global configuration. @returns its path */
export function writeGlobalConfig(folder: string, chain: LiteChain, servers: readonly LiteStandIn[]): string {
  const path = join(folder, 'global.json');
  writeFileSync(path, JSON.stringify(globalConfigOf(chain, servers)));
  return path;
}

/** `--root-hash HEX --file-hash HEX` of a zerostate. */
export const pinnedFlags = ({ zerostateId }: LiteChain): string[] => [
  '--root-hash',
  encodeHex(zerostateId.rootHash),
  '--file-hash',
  encodeHex(zerostateId.fileHash),
];
