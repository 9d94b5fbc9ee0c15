/** Which network a server is on, by the zerostate it names. Mainnet and testnet are known by their hashes. */
import { encodeHex } from '../base/bytes.ts';
import { SourceError } from '../base/errors.ts';
import { ZEROSTATES } from '../base/limits.ts';
import type { MasterchainInfo } from '../decode/masterchain-info.ts';
import type { AskOptions, BlockSource } from './block-source.ts';

/** A network that is known by its zerostate. */
export type Network = keyof typeof ZEROSTATES;

export function isNetwork(name: string): name is Network {
  return Object.hasOwn(ZEROSTATES, name);
}

/** @throws SourceError `source/wrong-network` */
export function requireNetwork(info: MasterchainInfo, network: Network, said: string): void {
  const wanted = ZEROSTATES[network];
  const rootHash = encodeHex(info.init.rootHash);
  if (rootHash === wanted.rootHash && encodeHex(info.init.fileHash) === wanted.fileHash) return;
  throw new SourceError(
    'source/wrong-network',
    `${said}: not a ${network} server: its zerostate has root hash ${rootHash}, that of ${network} has ${wanted.rootHash}`,
    { endpoint: said, hint: 'give a server of the network you mean' },
  );
}

/** A source that names its zerostate, as `toncenterV2` does. */
export interface ZerostateSource extends BlockSource {
  /** @throws SourceError */
  masterchainInfo(opts?: AskOptions): Promise<MasterchainInfo>;
}

/** The same source, but its zerostate is looked at once, before anything else it says is used. */
export function onlyOn(network: Network, source: ZerostateSource): BlockSource {
  let checked = false;
  async function check(opts?: AskOptions): Promise<MasterchainInfo> {
    const info = await source.masterchainInfo(opts);
    requireNetwork(info, network, source.name);
    checked = true;
    return info;
  }
  return Object.freeze({
    name: source.name,
    waitMs: () => source.waitMs?.() ?? 0,
    async latestSeqno(opts?: AskOptions) {
      return (await check(opts)).last.seqno;
    },
    async signatures(seqno: number, opts?: AskOptions) {
      if (!checked) await check(opts);
      return await source.signatures(seqno, opts);
    },
  });
}
