/** Which network a server is on, by the zerostate it names. Only mainnet is known here by its hashes. */
import { encodeHex } from '../base/bytes.ts';
import { SourceError } from '../base/errors.ts';
import { MAINNET_ZEROSTATE } from '../base/limits.ts';
import type { MasterchainInfo } from '../decode/masterchain-info.ts';
import type { AskOptions, BlockSource } from './source.ts';
import type { ToncenterV2 } from './toncenter-v2.ts';

/** @throws SourceError `source/wrong-network` */
export function requireMainnet(info: MasterchainInfo, said: string): void {
  const rootHash = encodeHex(info.init.rootHash);
  const fileHash = encodeHex(info.init.fileHash);
  if (rootHash === MAINNET_ZEROSTATE.rootHash && fileHash === MAINNET_ZEROSTATE.fileHash) return;
  throw new SourceError(
    'source/wrong-network',
    `${said}: not a mainnet server: its zerostate has root hash ${rootHash}, mainnet's has ${MAINNET_ZEROSTATE.rootHash}`,
    { endpoint: said, hint: 'give a server of the network you mean' },
  );
}

/** The same source, but its zerostate is looked at once, before anything else it says is used. */
export function mainnetOnly(source: BlockSource & Pick<ToncenterV2, 'masterchainInfo'>): BlockSource {
  let checked = false;
  async function check(opts?: AskOptions): Promise<MasterchainInfo> {
    const info = await source.masterchainInfo(opts);
    requireMainnet(info, source.name);
    checked = true;
    return info;
  }
  return Object.freeze({
    name: source.name,
    async latestSeqno(opts?: AskOptions) {
      return (await check(opts)).last.seqno;
    },
    async signatures(seqno: number, opts?: AskOptions) {
      if (!checked) await check(opts);
      return await source.signatures(seqno, opts);
    },
  });
}
