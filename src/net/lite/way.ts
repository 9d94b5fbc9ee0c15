/**
 * The way from the root to the newest proven block, one forward link a key block. It shows where another history parts from
 * this one, and which set of validators signed both.
 */
import { MAX_SYNC_LINKS, MAX_WAY_BYTES } from '../../core/base/limits.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';
import {
  type ForwardLink,
  oneLinkProof,
  parsePartialBlockProof,
  readPartialBlockProof,
} from '../../core/chain/block-proof.ts';
import { type Checkpoint, checkpointFromKeyBlock, checkpointFromZerostate } from '../../core/chain/checkpoint.ts';
import { contradict, type SignedBlock } from '../../core/verify/signed-both.ts';

/** One step of a way that was walked: the signatures of a key block's set under a later block. */
export interface Hop {
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  readonly keyBlock: boolean;
  /** The server that gave it. */
  readonly source: string;
  /** The link, TL. Absent where it was dropped to save memory. */
  readonly link?: Uint8Array;
}

/** The key block that a link begins at, by the proof of its configuration in the link. */
export function keyBlockOf({ from, configProof }: Pick<ForwardLink, 'from' | 'configProof'>): Checkpoint {
  return from.seqno === 0 ? checkpointFromZerostate(configProof, from) : checkpointFromKeyBlock(configProof, from);
}

/** The answer that is this hop alone. */
export function proofOf(hop: Hop & { readonly link: Uint8Array }): Uint8Array {
  return oneLinkProof(hop, hop.link);
}

/** The link of a hop, read again. */
export function readHop(hop: Hop & { readonly link: Uint8Array }): ForwardLink {
  return parsePartialBlockProof(proofOf(hop)).links[0] as ForwardLink; // it was one when the hop was made
}

/** The steps of an answer. @param tl an answer that was walked: nothing is judged here */
export function hopsOf(tl: Uint8Array, source: string): readonly Hop[] {
  const { proof, linkBytes } = readPartialBlockProof(tl);
  return proof.links.flatMap((link, at) => {
    if (link.kind === 'back') return [];
    const { from, to, toKeyBlock: keyBlock } = link;
    return [{ from, to, keyBlock, source, link: Uint8Array.from(linkBytes[at]!) }]; // one for each
  });
}

/** Where a hop leads, and the signatures there, as far as its link is at hand. */
function signedBy(hop: Hop): SignedBlock {
  const { to: id, keyBlock, link } = hop;
  return { id, keyBlock, ...(link && { set: readHop({ ...hop, link }).signatures.set }) };
}

/** Whether two hops that begin at one key block lead to blocks that cannot both be. */
function areApart(one: Hop, other: Hop): boolean {
  return differingField(one.to, other.to) !== undefined && contradict(signedBy(one), signedBy(other));
}

/** Where two ways part: the first two hops from one key block to blocks that cannot both be. */
export function parting(ours: readonly Hop[], theirs: readonly Hop[]): readonly [Hop, Hop] | undefined {
  const bySeqno = new Map(ours.map((hop) => [hop.from.seqno, hop]));
  for (const hop of theirs) {
    const own = bySeqno.get(hop.from.seqno);
    if (own === undefined || differingField(own.from, hop.from) !== undefined) continue;
    if (areApart(own, hop)) return [own, hop];
  }
  return undefined;
}

/** A way never changes: one that goes on is another one. */
export class Way {
  /** In order; each but the first begins where the one before it ends. */
  readonly hops: readonly Hop[];

  constructor(hops: readonly Hop[] = []) {
    this.hops = hops;
  }

  /** This way up to where an answer begins, and on from there. @param tl an answer that was walked */
  with({ client, tl }: { readonly client: { readonly name: string }; readonly tl: Uint8Array }): Way {
    const hops = hopsOf(tl, client.name);
    const first = hops[0]?.from.seqno ?? Number.POSITIVE_INFINITY;
    const all = [...this.hops.filter(({ from }) => from.seqno < first), ...hops].slice(-MAX_SYNC_LINKS);
    let left = MAX_WAY_BYTES;
    for (let at = all.length - 1; at >= 0; at--) {
      const { link, ...hop } = all[at]!; // in range
      left -= link?.length ?? 0;
      if (left < 0) all[at] = hop;
    }
    return new Way(all);
  }

  /** The key blocks of the way below a block, the newest first; the last one is the root. */
  keyBlocksBelow(seqno: number): readonly BlockIdExt[] {
    return this.hops
      .map(({ from }) => from)
      .filter((from) => from.seqno < seqno)
      .reverse();
  }
}
