/**
 * What tokens prove: the rules of a walk over lite servers' answers, over who signed what. `differential.test.ts` holds it to the
 * real walk, which reads bytes.
 */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import {
  type BackToken,
  type Block,
  type ForwardToken,
  type ProofToken,
  STAKES_SECONDS,
  sameBytes,
  sameId,
} from './chain.ts';

/** A rule that is broken, by its code. */
export class Broken extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface WalkStart {
  readonly pinned: BlockIdExt;
  readonly newest: { readonly seqno: number; readonly keyBlockSeqno: number };
  /** The end of the time of the set that trust begins with, where that is known. */
  readonly until: number | undefined;
  readonly isStale: boolean | undefined;
  /** The newest key block whose configuration is proven. */
  readonly config: Block | undefined;
}

/** One forward link that holds. */
export interface Hop {
  readonly token: ForwardToken;
  readonly block: Block;
  /** Whether the set is past its stakes; only with a clock. */
  readonly isLate: boolean;
}

export interface Walked {
  readonly tip: BlockIdExt;
  /** The block that the last link leads to, where that is a forward one. */
  readonly tipBlock: Block | undefined;
  readonly config: Block;
  readonly hops: readonly Hop[];
  readonly startIsStale: boolean | undefined;
  readonly end: WalkStart;
}

export const isPast = (until: number | undefined, nowSeconds: number | undefined): boolean =>
  until !== undefined && nowSeconds !== undefined && nowSeconds > until + STAKES_SECONDS;

export function requireShown(block: Block, id: BlockIdExt): void {
  if (!sameBytes(block.id.rootHash, id.rootHash)) throw new Broken('trust/root-hash', 'a proof of another block');
  if (block.seqno !== id.seqno) throw new Broken('trust/header', 'the header has another number');
}

export function judgeBack(link: BackToken): void {
  const { from, to, dest, source, state } = link;
  if (to.seqno >= from.seqno) throw new Broken('trust/backwards', 'a back link that leads onward');
  requireShown(source, from);
  if (to.seqno === 0) {
    if (dest !== undefined) throw new Broken('trust/header', 'a zerostate has no header');
  } else {
    if (dest === undefined) throw new Broken('decode/boc', 'no header');
    requireShown(dest, to);
    if (dest.isKey !== link.toKeyBlock) throw new Broken('trust/key-block-flag', 'header and link disagree');
    if (dest.globalId !== source.globalId) throw new Broken('trust/wrong-network', 'another network');
  }
  if (state !== source) throw new Broken('trust/state-hash', 'the state of another block');
  let listed: Block | undefined = source.parent;
  while (listed !== undefined && listed.seqno > to.seqno) listed = listed.parent;
  if (listed === undefined || !sameId(listed.id, to))
    throw new Broken('trust/not-listed', 'the state does not list it');
}

/** Whether more than two thirds of a set signed this block, and nobody else did. */
export function isSigned(from: Block, { signed }: Pick<ForwardToken, 'signed'>, to: Block): boolean {
  const { committee, by, over } = signed;
  const set = from.installs?.committee;
  if (set === undefined || set.name !== committee.name || over !== to || new Set(by).size !== by.length) return false;
  const total = set.weights.reduce((sum, weight) => sum + weight, 0);
  const weight = by.reduce((sum, place) => sum + (set.weights[place] ?? Number.NEGATIVE_INFINITY), 0);
  return 3 * weight > 2 * total;
}

export function judgeForward(link: ForwardToken): Block {
  const { config, dest, signed } = link;
  requireShown(config, link.from);
  if (!config.isKey) throw new Broken('trust/not-key-block', 'no key block');
  requireShown(dest, link.to);
  if (dest.isKey !== link.toKeyBlock) throw new Broken('trust/key-block-flag', 'header and link disagree');
  if (dest.globalId !== config.globalId) throw new Broken('trust/wrong-network', 'another network');
  if (dest.seqno <= config.seqno) throw new Broken('trust/backwards', 'not after the key block');
  if (dest.genUtime < config.genUtime) throw new Broken('trust/backwards', 'made before the key block');
  if (dest.vert !== config.vert) throw new Broken('trust/hardfork', 'behind a hardfork');
  if (dest.ruler?.seqno !== config.seqno) throw new Broken('trust/not-next', 'ruled by another key block');
  if ((signed.session?.seqno ?? 0) !== dest.ruler.seqno)
    throw new Broken('trust/catchain-seqno', 'signatures of another session');
  if (dest.ruler.installs!.committee.name !== config.installs!.committee.name) {
    throw new Broken('trust/set-hash', 'the header names another set');
  }
  if (!sameId(link.to, dest.id) || !isSigned(config, link, dest)) {
    throw new Broken('trust/not-final', 'not signed by two thirds');
  }
  return dest;
}

/** @throws Broken */
export function judgeWalk(
  start: WalkStart,
  proof: ProofToken,
  { to, nowSeconds }: { to?: BlockIdExt | undefined; nowSeconds?: number | undefined } = {},
): Walked {
  if (!sameId(proof.from, start.pinned)) throw new Broken('trust/not-connected', 'starts elsewhere');
  let trusted = start.pinned;
  let { newest, until, config } = start;
  let tipBlock: Block | undefined;
  const hops: Hop[] = [];
  const head = proof.links.map(({ kind }) => kind).lastIndexOf('forward');
  for (const [index, link] of proof.links.entries()) {
    if (!sameId(link.from, trusted)) throw new Broken('trust/not-connected', 'the links do not connect');
    if (link.kind === 'back') {
      judgeBack(link);
      const { seqno, isKey, ruler } = link.source;
      if (seqno === newest.seqno) newest = { seqno, keyBlockSeqno: isKey ? seqno : ruler!.seqno };
      tipBlock = undefined;
    } else {
      if (link.to.seqno <= newest.seqno) throw new Broken('trust/backwards', 'not after what is trusted');
      if (link.from.seqno !== newest.keyBlockSeqno) throw new Broken('trust/not-next', 'another key block rules');
      const block = judgeForward(link);
      until ??= link.config.installs!.until;
      config = config === undefined || link.config.seqno > config.seqno ? link.config : config;
      newest = { seqno: block.seqno, keyBlockSeqno: block.isKey ? block.seqno : block.ruler!.seqno };
      tipBlock = block;
      const isLate = isPast(link.config.installs!.until, nowSeconds);
      hops.push({ token: link, block, isLate: index === head && isLate });
    }
    trusted = link.to;
  }
  if (!sameId(proof.to, trusted)) throw new Broken('trust/not-connected', 'does not end where it says');
  if (trusted.seqno < start.pinned.seqno) throw new Broken('trust/backwards', 'ends before it began');
  if (to !== undefined && !sameId(trusted, to)) throw new Broken('trust/incomplete', 'ends elsewhere');
  if (config === undefined) throw new Broken('trust/no-config', 'shows no configuration');
  const startIsStale =
    start.isStale === true || until === undefined || nowSeconds === undefined
      ? start.isStale
      : isPast(until, nowSeconds);
  const end = { pinned: trusted, newest, until, isStale: startIsStale, config };
  return { tip: trusted, tipBlock, config, hops, startIsStale, end };
}

/** The answer of a server that proves an older block from a head. @throws Broken */
export function judgeAncestor(head: BlockIdExt, proof: ProofToken, ancestor: BlockIdExt): Block {
  if (!sameId(proof.from, head)) throw new Broken('trust/not-connected', 'starts elsewhere');
  if (!sameId(proof.to, ancestor)) throw new Broken('trust/incomplete', 'ends elsewhere');
  const [link] = proof.links;
  if (link?.kind !== 'back' || proof.links.length > 1)
    throw new Broken('trust/not-connected', 'expected one link back');
  if (!sameId(link.from, head) || !sameId(link.to, ancestor)) throw new Broken('trust/not-connected', 'elsewhere');
  judgeBack(link);
  if (link.dest === undefined) throw new Broken('decode/boc', 'no header');
  return link.dest;
}
