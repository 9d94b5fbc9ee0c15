/**
 * Folders in which the examples of README and `docs/` run: with the files that their reader would have by then, under the
 * names that the text gives them. All of it is recorded, but for the lite servers, which stand in on this machine.
 */
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { formatBlockId, parseBlockId } from '../../src/core/block/block-id.ts';
import { checkpointFromKeyBlock, checkpointFromZerostate, checkpointToJson } from '../../src/core/chain/checkpoint.ts';
import { LIVE } from './inclusion.ts';
import { LiteChain } from './lite-chain.ts';
import { writeGlobalConfig } from './lite-cli.ts';
import { startLiteStandIn } from './lite-stand-in.ts';
import { startBridge } from './start-bridge.ts';
import { ROOT, readVectorBytes } from './vectors.ts';

/** Every example sees the recordings as somebody would who has this repository. */
function layFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(ROOT, 'vectors'), join(folder, 'vectors'));
  return folder;
}

const writeJson = (folder: string, name: string, value: unknown) =>
  writeFileSync(join(folder, name), JSON.stringify(value));

const vector = (name: string) => join(ROOT, 'vectors', name);

/** A mainnet block of April 2026, its validators, the checkpoint before it; and 99 blocks of 2019 for an audit. */
export function layRecordedDesk(folder: string): string {
  layFolder(folder);
  const block = 'real/mainnet-2026-04-simplex/block-59379986';
  for (const name of ['signatures.json', 'validators.json', 'dest-proof.boc']) {
    copyFileSync(vector(`${block}/${name}`), join(folder, name));
  }
  const pinned = parseBlockId(
    '(-1,8000000000000000,59238081):6d0db70f5da0bf1500bdd97eadec0bb52cc7d399c013dc9534495b827c3685ed:b52cf2a57c8a3ac9bd6532a72bb3bed13827faa07452ef25ee3dfde3257349d2',
  );
  const checkpoint = checkpointFromKeyBlock(readVectorBytes(`${block}/config-proof.boc`), pinned);
  writeJson(folder, 'checkpoint.json', checkpointToJson(checkpoint));
  const expected = parseBlockId(
    '(-1,8000000000000000,59379986):4a46b58c0ee1187f7a904fb27363e8dd2c49dc3a8c695632d52205201f1e69a9:cb7b0e0feb58d8fa0d705dc377a60136ba9abe5184c8bdd81acec68d1590c1b4',
  );
  writeFileSync(join(folder, 'expected-block.txt'), `${formatBlockId(expected)}\n`);
  copyFileSync(vector('real/mainnet-genesis/signatures-1-to-99.json'), join(folder, 'answers.json'));
  copyFileSync(vector('real/mainnet-genesis/validators.json'), join(folder, 'validators-of-2019.json'));
  return folder;
}

/** A transaction in a block of a private network, and the way down to it from that network's zerostate. */
export function layDepositDesk(folder: string): string {
  layFolder(folder);
  const checkpoint = checkpointFromZerostate(readVectorBytes('live/answers/zerostate.boc'), LIVE.zerostate);
  writeJson(folder, 'checkpoint.json', checkpointToJson(checkpoint));
  copyFileSync(vector('live/answers/transaction-4.tl'), join(folder, 'transaction.tl'));
  copyFileSync(vector('live/answers/proof-zerostate-to-block.tl'), join(folder, 'proof.tl'));
  return folder;
}

/** Lite servers of a network whose vault had three deposits, one of which it sent back, and a checkpoint at its zerostate. */
export async function layBridgeDesk(folder: string): Promise<Pick<LiteDesk, 'close'>> {
  layFolder(folder);
  const bridge = await startBridge({ firstUtime: Math.floor(Date.now() / 1000) - 13 });
  bridge.network.deposit('ton', { amount: 5_000_000_000n });
  bridge.nextBlock();
  bridge.network.deposit('refunded');
  for (let k = 0; k < 10; k++) bridge.nextBlock();
  bridge.network.deposit('ton', { comment: 'bob' });
  bridge.nextBlock();
  writeJson(folder, 'global.config.json', bridge.config);
  writeJson(folder, 'checkpoint.json', checkpointToJson(bridge.network.checkpoint));
  return bridge;
}

export interface LiteDesk {
  /** What the reader has found out about the block that he pins. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Two lite servers of a network whose newest block is a second old, and its global configuration. */
export async function layLiteDesk(folder: string): Promise<LiteDesk> {
  layFolder(folder);
  const chain = new LiteChain({ length: 57 });
  const servers = [
    await startLiteStandIn({ answer: (asked) => chain.answer(asked) }),
    await startLiteStandIn({ answer: (asked) => chain.answer(asked) }),
  ];
  const config = writeGlobalConfig(folder, chain, servers);
  copyFileSync(config, join(folder, 'global.config.json'));
  const { rootHash, fileHash } = chain.zerostateId;
  return {
    env: { ROOT_HASH: encodeHex(rootHash), FILE_HASH: encodeHex(fileHash) },
    async close() {
      for (const server of servers) await server.close();
    },
  };
}
