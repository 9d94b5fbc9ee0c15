/**
 * A lite server as a source of blocks like any other. Signatures of a block are the last link of the proof from the key
 * block that rules it, so every block has them, not only key blocks.
 */
import { SourceError } from '../../base/errors.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN } from '../../base/limits.ts';
import { requireType } from '../../base/option-values.ts';
import type { ProvenHeader } from '../../chain/block-header.ts';
import type { Checkpoint } from '../../chain/checkpoint.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../../decode/block-id.ts';
import type { MasterchainInfo } from '../../decode/masterchain-info.ts';
import type { SignatureSet } from '../../decode/signature-set.ts';
import type { Evidence } from '../../verify/report.ts';
import type { AskOptions, SignedAnswer } from '../sources/block-source.ts';
import type { ZerostateSource } from '../sources/network-guard.ts';
import { readSigned } from '../sources/signed-answer.ts';
import type { LiteServerClient } from './client.ts';
import { requireClient } from './fleet.ts';

/** A source of blocks, with the header of every block it has given. */
export interface LiteSource extends ZerostateSource {
  /** The header of this very block, proven: for `evidenceOf` of `followBlocks`. It binds the whole id. @throws SourceError */
  evidenceOf(set: SignatureSet, opts?: AskOptions): Promise<Evidence>;
}

/** Headers and key blocks that are kept: as many as blocks may be in flight, and then some. */
const MAX_KEPT = 64;

function keep<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.set(key, value);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!); // the oldest; there is one
}

/**
 * @param checkpoint what is trusted now: spares a question for each block that its key block rules. Signatures are handed
 * out unjudged all the same.
 */
export function liteSource(client: LiteServerClient, checkpoint?: () => Checkpoint): LiteSource {
  requireClient(client, 'client');
  requireType(checkpoint, 'function', 'checkpoint');
  const { name } = client;
  const headers = new Map<string, ProvenHeader>();
  const keyBlocks = new Map<string, BlockIdExt>();

  /** The key block that rules a block, by its number. Only a hint: a wrong one gives a proof that does not hold. */
  async function keyBlockAt(seqno: number, opts: AskOptions): Promise<BlockIdExt> {
    const trusted = checkpoint?.().keyBlock;
    if (trusted?.seqno === seqno) return trusted;
    const known = keyBlocks.get(String(seqno));
    if (known !== undefined) return known;
    let id: BlockIdExt;
    if (seqno === 0) {
      const { rootHash, fileHash } = (await client.masterchainInfo(opts)).claimed.zerostate;
      id = { workchain: MASTERCHAIN_WORKCHAIN, shard: MASTERCHAIN_SHARD, seqno, rootHash, fileHash };
    } else {
      const found = await client.lookup(seqno, opts);
      id = found.id;
    }
    keep(keyBlocks, String(seqno), id);
    return id;
  }

  async function headerOf(seqno: number, opts: AskOptions): Promise<{ id: BlockIdExt; header: ProvenHeader }> {
    const found = await client.lookup(seqno, opts);
    keep(headers, formatBlockId(found.id), found.header);
    return found;
  }

  return Object.freeze({
    name,
    async latestSeqno(opts: AskOptions = {}) {
      return (await client.masterchainInfo(opts)).claimed.last.seqno;
    },
    async masterchainInfo(opts: AskOptions = {}): Promise<MasterchainInfo> {
      const { last, zerostate, stateRootHash } = (await client.masterchainInfo(opts)).claimed;
      const init = { workchain: MASTERCHAIN_WORKCHAIN, shard: 0n, seqno: 0, ...zerostate };
      return { last, init, stateRootHash };
    },
    async signatures(seqno: number, opts: AskOptions = {}): Promise<SignedAnswer> {
      const { id, header } = await headerOf(seqno, opts);
      const keyBlock = await keyBlockAt(header.prevKeyBlockSeqno, opts);
      const { tl, claimed } = await client.blockProof(keyBlock, id, opts);
      const link = claimed.links.at(-1);
      if (link?.kind !== 'forward' || differingField(link.to, id) !== undefined) {
        const what = `${name}: getBlockProof: no signatures of block ${seqno} in the proof that ends there`;
        throw new SourceError('source/wrong-block', what, { endpoint: name, body: tl, hint: 'ask another server' });
      }
      return readSigned({ signatures: link.signatures.set, source: name, body: tl }, seqno, name);
    },
    async evidenceOf({ blockId }: SignatureSet, opts: AskOptions = {}): Promise<Evidence> {
      const header = headers.get(formatBlockId(blockId)) ?? (await client.header(blockId, opts)).header;
      return { header };
    },
  });
}
