/**
 * Checks which network a server is on, by the zerostate that it names. Mainnet and testnet are known by their hashes.
 */
import { badArgument, requireMembers } from '../../core/base/arguments.ts';
import { encodeHex } from '../../core/base/bytes.ts';
import { ZEROSTATES } from '../../core/base/limits.ts';
import type { MasterchainInfo } from '../toncenter-api/v2-answers.ts';
import type { AskOptions, BlockSource } from './block-source.ts';
import { failureOf } from './failure-hints.ts';

/** The name of a network whose zerostate this library knows. */
export type NetworkName = 'mainnet' | 'testnet';

export function isNetwork(name: string): name is NetworkName {
  return Object.hasOwn(ZEROSTATES, name);
}

function requireKnown(network: unknown): void {
  if (typeof network === 'string' && isNetwork(network)) return;
  throw badArgument('network', Object.keys(ZEROSTATES).join(' or '), network);
}

/**
 * Throws unless a source's zerostate is the one of the network.
 * @throws SourceError `source/wrong-network`; UsageError `bad-option` for an unknown network, and for a value that is not info
 */
export function requireNetwork(info: MasterchainInfo, network: NetworkName, said: string): void {
  requireKnown(network);
  const { init } = requireMembers(info, 'what masterchainInfo gives', 'info');
  if (init === undefined) throw badArgument('info', 'what masterchainInfo gives', info);
  const wanted = ZEROSTATES[network];
  const rootHash = encodeHex(info.init.rootHash);
  if (rootHash === wanted.rootHash && encodeHex(info.init.fileHash) === wanted.fileHash) return;
  const words = `not a ${network} server: expected a zerostate with root hash ${wanted.rootHash}, got ${rootHash}`;
  throw failureOf(said, 'source/wrong-network', words);
}

/** A source that names its zerostate, as `toncenterV2` does. */
export interface ZerostateSource extends BlockSource {
  /** Returns the head and the zerostate that the server names. @throws SourceError */
  masterchainInfo(opts?: AskOptions): Promise<MasterchainInfo>;
}

/** Checks that a server is on its network: its zerostate is read before anything else from the server is used. */
export function zerostateGuard(network: NetworkName, source: ZerostateSource) {
  let isChecked = false;
  async function latestSeqno(opts?: AskOptions): Promise<number> {
    const info = await source.masterchainInfo(opts);
    requireNetwork(info, network, source.name);
    isChecked = true;
    return info.last.seqno;
  }
  async function guarded<T>(opts: AskOptions | undefined, ask: () => Promise<T>): Promise<T> {
    if (!isChecked) await latestSeqno(opts);
    return await ask();
  }
  return { latestSeqno, guarded };
}

/**
 * Wraps a source and checks its zerostate once, before the wrapped source is used.
 * @param network the network that the source must belong to
 * @param source a source that names its zerostate, such as `toncenterV2`
 * @returns a source; its first question fails with `source/wrong-network` if the server is on a different network
 * @throws UsageError `usage/bad-option` for an unknown network, and for a source that names no zerostate
 * @example
 * ```ts
 * import { onNetwork, toncenterV2 } from 'ton-finality/servers';
 * const source = onNetwork('mainnet', toncenterV2({ baseUrl: 'https://toncenter.com/api/v2' }));
 * const { signatures } = await source.signatures(59379986);
 * console.log(signatures.kind); // simplex
 * ```
 */
export function onNetwork(network: NetworkName, source: ZerostateSource): BlockSource {
  requireKnown(network);
  const { masterchainInfo } = requireMembers(source, 'a source of blocks', 'source');
  if (typeof masterchainInfo !== 'function') throw badArgument('source', 'a source that names its zerostate', source);
  const { latestSeqno, guarded } = zerostateGuard(network, source);
  return Object.freeze({
    name: source.name,
    waitMs: () => source.waitMs?.() ?? 0,
    latestSeqno,
    signatures: (seqno: number, opts?: AskOptions) => guarded(opts, () => source.signatures(seqno, opts)),
  });
}
