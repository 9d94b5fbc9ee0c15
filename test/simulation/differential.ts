/**
 * Random answers, once as tokens and once as real TL with real signatures: the model of proofs and the real walk must come to one
 * judgement of each.
 */
import { FinalityError } from '../../src/core/base/errors.ts';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { checkpointFromKeyBlock, checkpointFromZerostate } from '../../src/core/chain/checkpoint.ts';
import { type BlockWalk, verifyBlockProof } from '../../src/core/chain/walk.ts';
import { LiteChain } from '../helpers/lite-chain.ts';
import {
  committee,
  configProof,
  GLOBAL_ID,
  type MadeBlock,
  type Committee as RealCommittee,
  tlProof,
  wholeProof,
} from '../helpers/make-chain.ts';
import { type Cells, writeLink } from './bytes/links.ts';
import { type Block, type Committee, type LinkToken, makeCommittee, type ProofToken, rulerAfter } from './chain.ts';
import { Broken, judgeWalk, type WalkStart } from './judge.ts';
import { type Random, random } from './random.ts';

const LENGTH = 14;
const KEY_EVERY = 4;
const FIRST = 1_700_000_000;
const ELECTED = 1000;
const FORK_AT = 6;
/** What the second history of a pair is besides: a fork, one behind a hardfork, or one of another network. */
type Apart = 'fork' | 'hardfork' | 'network';

/** Two histories of one beginning, as tokens and as cells. */
interface Pair extends Cells {
  readonly blocks: readonly Block[];
  readonly zerostate: LiteChain['zerostate'];
}

function makePair(kind: Block['kind'], apart: Apart): Pair {
  const [vert, globalId] = [apart === 'hardfork' ? 2 : 1, apart === 'network' ? 5 : GLOBAL_ID];
  // A hardfork is a key block.
  const forkAt = apart === 'hardfork' ? 2 * KEY_EVERY : FORK_AT;
  const forkOver = (seqno: number) => ({
    globalId,
    vertSeqno: vert,
    hardfork: apart === 'hardfork' && seqno === forkAt,
  });
  const shared = [0, 1, 2, 3].map((at) => committee(`pair ${at}`));
  const names = new Map<RealCommittee, Committee>();
  const tokens = new Map<string, RealCommittee>();
  const tokenOf = (real: RealCommittee) => {
    let token = names.get(real);
    if (token === undefined) {
      token = makeCommittee(
        `pair ${names.size}`,
        real.signers.map(({ weight }) => Number(weight)),
      );
      names.set(real, token);
      tokens.set(token.name, real);
    }
    return token;
  };
  const committeeOf = (epoch: number) => shared[epoch % 4]!;
  const common = {
    length: LENGTH,
    keyEvery: KEY_EVERY,
    firstUtime: FIRST,
    kind,
    electedSeconds: ELECTED,
    hasStates: true,
  };
  const chains = [
    new LiteChain({ ...common, committeeOf }),
    new LiteChain({ ...common, forkAt, forkOver, committeeOf }),
  ];
  const made = new Map<Block, MadeBlock>();
  const blocks: Block[] = [];
  for (const [which, chain] of chains.entries()) {
    const own: Block[] = [];
    for (let seqno = 0; seqno <= LENGTH; seqno++) {
      const known = which === 1 && seqno < forkAt ? blocks[seqno] : undefined;
      const parent = own.at(-1);
      const real = chain.blocks.get(seqno);
      const genUtime = real?.form.genUtime ?? 1_400_000;
      const isKey = seqno % KEY_EVERY === 0;
      const until = (seqno === 0 ? FIRST : genUtime) + ELECTED;
      const block: Block = known ?? {
        id: chain.id(seqno),
        seqno,
        chain: String(which),
        isKey,
        ruler: parent === undefined ? undefined : rulerAfter(parent),
        parent,
        genUtime,
        installs: isKey ? { committee: tokenOf(committeeOf(seqno / KEY_EVERY)), until } : undefined,
        vert: which === 1 ? vert : 1,
        globalId: which === 1 ? globalId : GLOBAL_ID,
        kind,
      };
      own.push(block);
      if (known !== undefined) continue;
      blocks.push(block);
      if (real !== undefined) made.set(block, real);
    }
  }
  return {
    blocks,
    made: (block) => made.get(block),
    zerostate: chains[0]!.zerostate,
    zerostateRoot: () => chains[0]!.zerostate.root,
    real: (token) => tokens.get(token.name)!,
  };
}

// random answers ----------------------------------------------------------------------------------------------------

const EVERYBODY = [0, 1, 2, 3];

function forward(from: Block, to: Block): LinkToken {
  const { committee } = rulerAfter(from).installs!;
  const signed = { committee, by: EVERYBODY, over: to, session: to.ruler };
  return { kind: 'forward', toKeyBlock: to.isKey, from: from.id, to: to.id, dest: to, config: from, signed };
}

function back(from: Block, to: Block): LinkToken {
  const dest = to.seqno === 0 ? undefined : to;
  return { kind: 'back', toKeyBlock: to.isKey, from: from.id, to: to.id, dest, source: from, state: from };
}

/** A way that holds, from any block to any later or earlier one of its history. */
function way(path: readonly Block[], from: Block, to: Block): LinkToken[] {
  const links: LinkToken[] = [];
  let at = from;
  while (at !== to) {
    let next: Block;
    if (to.seqno < at.seqno) next = to;
    else if (!at.isKey) next = at.ruler!;
    else next = path.find(({ seqno, isKey }) => seqno > at.seqno && seqno <= to.seqno && isKey) ?? to;
    links.push(next.seqno > at.seqno ? forward(at, next) : back(at, next));
    at = next;
  }
  return links;
}

function pathOf(block: Block): Block[] {
  const path: Block[] = [];
  for (let at: Block | undefined = block; at !== undefined; at = at.parent) path.unshift(at);
  return path;
}

const otherFile = (id: BlockIdExt): BlockIdExt => ({ ...id, fileHash: id.fileHash.map((byte) => byte ^ 1) });

function changed(pair: Pair, proof: ProofToken, next: Random): ProofToken {
  const { links } = proof;
  const any = () => next.pick(pair.blocks);
  const at = next.int(0, Math.max(0, links.length - 1));
  const link = links[at];
  const put = (one: LinkToken): ProofToken => ({
    ...proof,
    links: links.map((old, index) => (index === at ? one : old)),
  });
  const id = () => (next.chance(0.3) ? otherFile(any().id) : any().id);
  const whole: (() => ProofToken)[] = [
    () => ({ ...proof, complete: !proof.complete }),
    () => ({ ...proof, from: id() }),
    () => ({ ...proof, to: id() }),
    () => ({ ...proof, links: links.filter((_, index) => index !== at) }),
    () => ({ ...proof, links: [...links.slice(0, at), ...links.slice(0, 1), ...links.slice(at)] }),
    () => ({ ...proof, links: [...links].reverse() }),
    () => {
      const [from, to] = [any(), any()];
      if (to.seqno === from.seqno) return proof;
      const more = to.seqno > from.seqno ? forward(from, to) : back(from, to);
      return { ...proof, to: more.to, links: [...links, more] };
    },
  ];
  if (link === undefined) return next.pick(whole)();
  const parts: (() => ProofToken)[] = [
    () => put({ ...link, toKeyBlock: !link.toKeyBlock }),
    () => put({ ...link, from: id() }),
    () => put({ ...link, to: id() }),
  ];
  if (link.kind === 'back') {
    parts.push(
      () => put({ ...link, source: any() }),
      () => put({ ...link, state: any() }),
      () => put({ ...link, dest: any() }),
    );
  } else {
    const { signed } = link;
    parts.push(
      () => put({ ...link, dest: any() }),
      () => put({ ...link, config: any() }),
      () =>
        put({ ...link, signed: { ...signed, by: next.pick([[], [0], [0, 1], [0, 1, 2], [3, 1, 2], [0, 0, 1, 2]]) } }),
      () => put({ ...link, signed: { ...signed, over: any() } }),
      () => put({ ...link, signed: { ...signed, session: any().ruler } }),
      () => put({ ...link, signed: { ...signed, committee: rulerAfter(any()).installs!.committee } }),
    );
  }
  return next.chance(0.7) ? next.pick(parts)() : next.pick(whole)();
}

// judgements ----------------------------------------------------------------------------------------------------------

const words = (id: BlockIdExt) => `${id.seqno} ${Buffer.from(id.rootHash).toString('hex', 0, 6)}`;

interface Judgement {
  readonly holds: boolean;
  readonly code?: string;
  readonly told?: unknown;
}

const told = (walk: {
  tip: BlockIdExt;
  header: number | undefined;
  keyBlock: BlockIdExt;
  late: readonly boolean[];
  startIsStale: boolean | undefined;
}) => ({ ...walk, tip: words(walk.tip), keyBlock: words(walk.keyBlock) });

function byTokens(start: WalkStart, proof: ProofToken, opts: { to?: BlockIdExt; nowSeconds?: number }) {
  try {
    const { tip, tipBlock, config, hops, startIsStale, end } = judgeWalk(start, proof, opts);
    const header = tipBlock?.genUtime;
    const late = hops.map(({ isLate }) => isLate);
    return { judgement: { holds: true, told: told({ tip, header, keyBlock: config.id, late, startIsStale }) }, end };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { judgement: { holds: false, code: error.code } };
  }
}

function byBytes(
  from: Parameters<typeof verifyBlockProof>[1],
  tl: Uint8Array,
  { to, ...opts }: { to?: BlockIdExt; nowSeconds?: number },
) {
  try {
    const walk = verifyBlockProof(tl, from, to === undefined ? opts : { ...opts, expect: to });
    const { tip, tipHeader, checkpoint, reports, startIsStale } = walk;
    const late = reports.map(({ verdict }) => verdict.status !== 'final');
    return {
      judgement: {
        holds: true,
        told: told({ tip, header: tipHeader?.genUtime, keyBlock: checkpoint.keyBlock, late, startIsStale }),
      },
      walk,
    };
  } catch (error) {
    if (!(error instanceof FinalityError)) throw error;
    return { judgement: { holds: false, code: error.code } };
  }
}

export interface Compared {
  readonly answers: number;
  holding: number;
  /** Both refuse, for one reason. */
  sameCode: number;
  readonly apart: { readonly at: string; readonly tokens: Judgement; readonly bytes: Judgement }[];
}

/** @param seed of the first answer */
export function compareWalks(seed: number, answers: number): Compared {
  const pairs = [
    makePair('ordinary', 'fork'),
    makePair('simplex', 'fork'),
    makePair('simplex', 'hardfork'),
    makePair('ordinary', 'network'),
  ];
  const result: Compared = { answers, holding: 0, sameCode: 0, apart: [] };
  for (let at = 0; at < answers; at++) {
    const next = random('answer', seed + at);
    const pair = next.pick(pairs);
    const path = pathOf(pair.blocks.filter(({ seqno }) => seqno === LENGTH)[next.int(0, 1)]!);
    const from = next.pick(path);
    const to = next.pick(next.chance(0.8) ? path.slice(from.seqno + 1) : path) ?? path.at(-1)!;
    const links = way(path, from, to);
    let proof: ProofToken = { complete: true, from: from.id, to: links.at(-1)?.to ?? from.id, links };
    for (let changes = next.pick([0, 0, 1, 1, 1, 2, 3]); changes > 0; changes--) proof = changed(pair, proof, next);
    if (proof.links.length > 16) continue;
    const opts = {
      ...(next.chance(0.4) ? { to: next.chance(0.8) ? to.id : next.pick(pair.blocks).id } : {}),
      ...(next.chance(0.6)
        ? { nowSeconds: FIRST + next.pick([0, ELECTED, 32_768 + ELECTED, 32_768 + ELECTED + 6, 1e6]) }
        : {}),
    };
    const write = (one: ProofToken) =>
      tlProof(
        one.from,
        one.to,
        one.links.map((link) => writeLink(pair, link)),
        one.complete,
      );
    const isCheckpoint = from.isKey && next.chance(0.6);
    const newest = { seqno: from.seqno, keyBlockSeqno: from.seqno };
    let start: WalkStart = {
      pinned: from.id,
      newest,
      until: isCheckpoint ? from.installs!.until : undefined,
      isStale: undefined,
      config: isCheckpoint ? from : undefined,
    };
    const made = pair.made(from);
    let real: Parameters<typeof verifyBlockProof>[1] = from.id;
    if (isCheckpoint) {
      real =
        made === undefined
          ? checkpointFromZerostate(wholeProof(pair.zerostate.root), from.id)
          : checkpointFromKeyBlock(configProof(made), from.id);
    }
    // Now and then an answer goes on from where another one ended.
    const before = path.slice(0, from.seqno).filter(({ isKey }) => isKey);
    if (next.chance(0.3) && before.length > 0) {
      const first = next.pick(before);
      const way1 = way(path, first, from);
      const leg: ProofToken = { complete: true, from: first.id, to: from.id, links: way1 };
      const common = { pinned: first.id, newest: { seqno: first.seqno, keyBlockSeqno: first.seqno } };
      const tokens = byTokens(
        { ...common, until: undefined, isStale: undefined, config: undefined },
        leg,
        opts.nowSeconds === undefined ? {} : { nowSeconds: opts.nowSeconds },
      );
      const bytes = byBytes(first.id, write(leg), opts.nowSeconds === undefined ? {} : { nowSeconds: opts.nowSeconds });
      if (tokens.end !== undefined && bytes.walk !== undefined) {
        start = tokens.end;
        real = bytes.walk satisfies BlockWalk;
      }
    }
    const tokens = byTokens(start, proof, opts).judgement;
    const bytes = byBytes(real, write(proof), opts).judgement;
    if (tokens.holds) result.holding += 1;
    else if (tokens.code === bytes.code) result.sameCode += 1;
    if (tokens.holds !== bytes.holds || JSON.stringify(tokens.told) !== JSON.stringify(bytes.told)) {
      result.apart.push({ at: `answer ${seed + at}`, tokens, bytes });
    }
  }
  return result;
}
