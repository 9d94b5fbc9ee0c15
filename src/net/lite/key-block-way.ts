/**
 * The way from the root to the newest proven block, one forward link for each key block. It shows where another history
 * differs, and which validator set signed both.
 */
import { MAX_SYNC_LINKS, MAX_WAY_BYTES } from '../../core/base/limits.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';
import { type ForwardLink, oneLinkProof, readPartialBlockProof } from '../../core/chain/block-proof.ts';
import { type Checkpoint, checkpointFromKeyBlock, checkpointFromZerostate } from '../../core/chain/checkpoint.ts';
import { contradict, type SignedBlock } from '../../core/verify/signed-both.ts';

/** One step of a verified way: the signatures of a key block's set for a later block. */
export interface Hop {
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  readonly keyBlock: boolean;
  /** The server that sent the link. */
  readonly source: string;
  /** The link as TL. Absent where it was dropped to save memory. */
  readonly link?: Uint8Array;
}

/** Returns the checkpoint of the key block that a link begins at, from the proof of its configuration in the link. */
export function keyBlockOf({ from, configProof }: Pick<ForwardLink, 'from' | 'configProof'>): Checkpoint {
  return from.seqno === 0 ? checkpointFromZerostate(configProof, from) : checkpointFromKeyBlock(configProof, from);
}

/** Returns the answer that consists of this hop alone. */
export function proofOf(hop: Hop & { readonly link: Uint8Array }): Uint8Array {
  return oneLinkProof(hop, hop.link);
}

/** Reads the link of a hop again. */
export function readHop(hop: Hop & { readonly link: Uint8Array }): ForwardLink {
  return readPartialBlockProof(proofOf(hop)).proof.links[0] as ForwardLink; // it was a forward link when the hop was made
}

interface NamedAnswer {
  readonly client: { readonly name: string };
  readonly tl: Uint8Array;
}

/** Returns the steps of a verified answer: nothing is judged here. */
export function hopsOf({ client: { name: source }, tl }: NamedAnswer): Way {
  const { proof, linkBytes } = readPartialBlockProof(tl);
  return proof.links.flatMap((link, at) => {
    if (link.kind === 'back') return [];
    const { from, to, toKeyBlock: keyBlock } = link;
    return [{ from, to, keyBlock, source, link: Uint8Array.from(linkBytes[at]!) }]; // one for each link
  });
}

/** Returns the end of a hop and its signatures, if the link is still there. */
function signedBy(hop: Hop): SignedBlock {
  const { to: id, keyBlock, link } = hop;
  return { id, keyBlock, ...(link && { signatures: readHop({ ...hop, link }).signatures.list }) };
}

/** Returns where two ways differ: the first two hops from one key block to blocks that contradict each other. */
export function parting(ours: Way, theirs: Way): readonly [Hop, Hop] | undefined {
  const bySeqno = new Map(ours.map((hop) => [hop.from.seqno, hop]));
  for (const hop of theirs) {
    const own = bySeqno.get(hop.from.seqno);
    if (own === undefined || differingField(own.from, hop.from) !== undefined) continue;
    if (differingField(own.to, hop.to) !== undefined && contradict(signedBy(own), signedBy(hop))) return [own, hop];
  }
  return undefined;
}

/** The hops of a way in order; each begins where the one before it ends. */
export type Way = readonly Hop[];

/** Returns a way up to the start of later hops, continued by these. */
export function continued(way: Way, hops: Way): Way {
  const first = hops[0]?.from.seqno ?? Number.POSITIVE_INFINITY;
  const all = [...way.filter(({ from }) => from.seqno < first), ...hops].slice(-MAX_SYNC_LINKS);
  let left = MAX_WAY_BYTES;
  for (let at = all.length - 1; at >= 0; at--) {
    const { link, ...hop } = all[at]!; // the index is in range
    left -= link?.length ?? 0;
    if (left < 0) all[at] = hop;
  }
  return all;
}

/** Returns the key blocks of a way below a block, the newest first; the last one is the root. */
export function keyBlocksBelow(way: Way, seqno: number): readonly BlockIdExt[] {
  return way.flatMap(({ from }) => (from.seqno < seqno ? [from] : [])).reverse();
}
