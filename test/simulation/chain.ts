/**
 * Blocks as tokens: who rules one, who may sign it, what it follows. An honest history that grows with the clock, and others
 * that an adversary makes of what it can sign. Nothing is hashed and nothing is signed: `judge.ts` says what holds.
 */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { numbers, type Random, random } from './random.ts';

export const MASTER_SHARD = -(2n ** 63n);
/** Seconds for which stakes stay frozen after a round. Config parameter 15 of mainnet. */
export const STAKES_SECONDS = 32_768;

/** Who signs: one weight a validator. */
export interface Committee {
  readonly name: string;
  readonly weights: readonly number[];
  /** A name of 32 bytes for each of them. */
  readonly nodeIds: readonly Uint8Array[];
}

export interface Block {
  readonly id: BlockIdExt;
  readonly seqno: number;
  readonly chain: string;
  readonly isKey: boolean;
  /** The key block that rules it; a zerostate has none. */
  readonly ruler: Block | undefined;
  readonly parent: Block | undefined;
  /** Unix seconds. */
  readonly genUtime: number;
  /** What a key block installs: who signs from here on, and the Unix time until which they are elected. */
  readonly installs: { readonly committee: Committee; readonly until: number } | undefined;
  readonly vert: number;
  readonly globalId: number;
  readonly kind: 'ordinary' | 'simplex';
  /** Of the newer kind: the candidate that was signed is empty, and names this block. */
  readonly isEmpty?: boolean;
  /** A hardfork that people agreed on by hand. */
  readonly isUnsigned?: boolean;
}

export interface ForwardToken {
  readonly kind: 'forward';
  readonly toKeyBlock: boolean;
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  /** The block whose header is shown, and the one whose configuration is. */
  readonly dest: Block;
  readonly config: Block;
  /** Whose signatures, which of them by place, under which block, and the session that stands beside them. */
  readonly signed: {
    readonly committee: Committee;
    readonly by: readonly number[];
    readonly over: Block;
    readonly session: Block | undefined;
  };
}

export interface BackToken {
  readonly kind: 'back';
  readonly toKeyBlock: boolean;
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  /** The block whose header is shown; none for a zerostate. */
  readonly dest: Block | undefined;
  /** The block whose header and state are shown. */
  readonly source: Block;
  readonly state: Block;
}

export type LinkToken = ForwardToken | BackToken;

export interface ProofToken {
  /** Its signatures are of a kind that this version does not know. */
  readonly isNewer?: true;
  readonly complete: boolean;
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  readonly links: readonly LinkToken[];
}

export function sameId(one: BlockIdExt, other: BlockIdExt): boolean {
  return (
    one === other ||
    (one.seqno === other.seqno &&
      one.workchain === other.workchain &&
      one.shard === other.shard &&
      sameBytes(one.rootHash, other.rootHash) &&
      sameBytes(one.fileHash, other.fileHash))
  );
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** 32 bytes that stand for a text. */
function nameBytes(text: string): Uint8Array {
  // Bytes from the first, as the buffer of an array of words would be kept outside the heap.
  const bytes = new Uint8Array(32);
  const next = numbers('bytes', text);
  for (let at = 0; at < 32; at += 4) {
    const word = next() * 2 ** 32;
    bytes[at] = word;
    bytes[at + 1] = word >>> 8;
    bytes[at + 2] = word >>> 16;
    bytes[at + 3] = word >>> 24;
  }
  return bytes;
}

/** What makes blocks, and the names of validators. */
export interface Forge {
  block(form: BlockForm, name: string): Block;
  nodeIdsOf(name: string, weights: readonly number[]): readonly Uint8Array[];
}

const texts: Forge = {
  block(form, name) {
    const rootHash = nameBytes(`${form.chain} ${form.seqno} ${form.genUtime} ${name}`);
    const fileHash = rootHash.slice().reverse();
    const id = Object.freeze({ workchain: -1, shard: MASTER_SHARD, seqno: form.seqno, rootHash, fileHash });
    return { ...form, id };
  },
  nodeIdsOf: (name, weights) => weights.map((_, at) => nameBytes(`${name} ${at}`)),
};
let forge = texts;

/** For the worlds that are made from now on. Without one, names stand for everything. */
export function forgeWith(other: Forge = texts): void {
  forge = other;
}

export function makeCommittee(name: string, weights: readonly number[]): Committee {
  return { name, weights, nodeIds: forge.nodeIdsOf(name, weights) };
}

export type BlockForm = Omit<Block, 'id'>;

export function makeBlock(form: BlockForm, name = ''): Block {
  return forge.block(form, name);
}

/** The block that rules what follows this one. */
export const rulerAfter = (block: Block): Block => (block.isKey ? block : block.ruler!);

/**
 * The way an honest server takes: at most 16 links.
 * @returns `undefined` where it leads over a hardfork that nobody signed
 */
export function honestLinks(
  chain: History,
  known: Block,
  target: Block,
): { links: LinkToken[]; reached: Block } | undefined {
  const links: LinkToken[] = [];
  let at = known;
  while (at !== target && links.length < 16) {
    if (target.seqno < at.seqno) {
      links.push(backLink(at, target));
      at = target;
    } else if (!at.isKey) {
      links.push(backLink(at, at.ruler!));
      at = at.ruler!;
    } else {
      const next = chain.nextKeyBlock(at.seqno, target.seqno) ?? target;
      if (next.isUnsigned === true) return undefined;
      links.push(forwardLink(at, next));
      at = next;
    }
  }
  return { links, reached: at };
}

export function forwardLink(from: Block, to: Block, by?: readonly number[]): ForwardToken {
  const committee = from.installs?.committee ?? to.ruler!.installs!.committee;
  return {
    kind: 'forward',
    toKeyBlock: to.isKey,
    from: from.id,
    to: to.id,
    dest: to,
    config: from,
    signed: { committee, by: by ?? signersOf(to, committee), over: to, session: to.ruler },
  };
}

export function backLink(from: Block, to: Block): BackToken {
  return {
    kind: 'back',
    toKeyBlock: to.isKey,
    from: from.id,
    to: to.id,
    dest: to.seqno === 0 ? undefined : to,
    source: from,
    state: from,
  };
}

/** Who signed a block of this chain: all of them under honest ones, those that the adversary holds under its own. */
function signersOf(block: Block, committee: Committee): readonly number[] {
  return signersOfChain.get(block.chain)?.get(committee.name) ?? committee.weights.map((_, at) => at);
}

/** For each history of the adversary, the places whose keys it uses. Of one world at a time. */
const signersOfChain = new Map<string, Map<string, readonly number[]>>();

export interface ChainOptions {
  readonly seed: string;
  /** Unix seconds of the zerostate. */
  readonly startUtime: number;
  readonly keyEvery: number;
  /** Seconds for which a key block elects. */
  readonly electedSeconds: number;
  /** The same set is elected again at so many key blocks out of one. */
  readonly sameSetShare: number;
  readonly globalId: number;
  /** From this number of a block on the signatures are of the newer kind. */
  readonly simplexFrom: number;
  /** Blocks out of one that are signed by a candidate that is empty. */
  readonly emptyShare: number;
}

/** Blocks one after the other, each at the place of its number. */
export class History {
  readonly blocks: Block[];

  constructor(blocks: Block[] = []) {
    this.blocks = blocks;
  }

  get head(): Block {
    return this.blocks.at(-1)!;
  }

  at(seqno: number): Block | undefined {
    // A read past the end has the engine compile this anew each time, and all that it is compiled into.
    return seqno < this.blocks.length ? this.blocks[seqno] : undefined;
  }

  has(id: BlockIdExt): boolean {
    const block = this.at(id.seqno);
    return block !== undefined && sameId(block.id, id);
  }

  nextKeyBlock(after: number, upTo: number): Block | undefined {
    for (let seqno = after + 1; seqno <= upTo; seqno++) {
      const block = this.at(seqno);
      if (block?.isKey === true) return block;
    }
    return undefined;
  }
}

/** The honest history, or one that leaves it at a block. */
export class Chain extends History {
  readonly name: string;
  readonly zerostate: Block;
  /** The history as it was before a hardfork replaced its end. */
  before: History | undefined;
  readonly #random: Random;
  readonly #opts: ChainOptions;
  #committees = 0;

  constructor(opts: ChainOptions) {
    super();
    signersOfChain.clear();
    this.#opts = opts;
    this.name = 'honest';
    this.#random = random(opts.seed, 'chain');
    this.zerostate = makeBlock({
      seqno: 0,
      chain: this.name,
      isKey: true,
      ruler: undefined,
      parent: undefined,
      genUtime: opts.startUtime,
      installs: this.#elect(opts.startUtime),
      vert: 1,
      globalId: opts.globalId,
      kind: opts.simplexFrom <= 0 ? 'simplex' : 'ordinary',
    });
    this.blocks.push(this.zerostate);
  }

  #elect(utime: number, again?: Committee): NonNullable<Block['installs']> {
    const weights = () => Array.from({ length: 6 }, () => this.#random.int(8, 12));
    const committee =
      again !== undefined && this.#random.chance(this.#opts.sameSetShare)
        ? again
        : makeCommittee(`${this.#opts.seed} set ${this.#committees++}`, weights());
    return { committee, until: utime + this.#opts.electedSeconds };
  }

  /** Makes the next block. */
  add(genUtime: number): Block {
    return this.#add(genUtime, this.head.vert);
  }

  /**
   * People agree to replace the newest blocks by others: the first of these is a key block that no validator set proves.
   * @param replaces how many blocks, at least one
   * @param isSigned whether those in office sign it all the same
   */
  hardfork(replaces: number, genUtime: number, isSigned: boolean): Block {
    this.before = new History(this.blocks.slice());
    this.blocks.length -= Math.min(replaces, this.blocks.length - 1);
    return this.#add(genUtime, this.head.vert + 1, !isSigned);
  }

  #isEmpty(seqno: number): boolean {
    const { seed, emptyShare } = this.#opts;
    return emptyShare > 0 && random(seed, 'empty', seqno).chance(emptyShare);
  }

  #add(genUtime: number, vert: number, isUnsigned = false): Block {
    const parent = this.head;
    const seqno = parent.seqno + 1;
    const ruler = rulerAfter(parent);
    const isKey = seqno % this.#opts.keyEvery === 0 || vert !== parent.vert;
    const block = makeBlock(
      {
        seqno,
        chain: this.name,
        isKey,
        ruler,
        parent,
        genUtime,
        installs: isKey ? this.#elect(genUtime, ruler.installs!.committee) : undefined,
        vert,
        globalId: this.#opts.globalId,
        kind: seqno >= this.#opts.simplexFrom ? 'simplex' : 'ordinary',
        // By its number, so that blocks of a chain that worlds share are the same in each.
        isEmpty: this.#isEmpty(seqno),
        isUnsigned,
      },
      vert === 1 ? '' : `vert ${vert}`,
    );
    this.blocks.push(block);
    return block;
  }
}

/** Another network that began with the same validators: block by block as the honest one, and no block of it is the same. */
export class Strangers extends History {
  readonly #honest: History;
  readonly #own = new Map<Block, Block>();
  readonly #globalId: number;

  constructor(honest: History, globalId: number) {
    super();
    this.#honest = honest;
    this.#globalId = globalId;
  }

  override get head(): Block {
    return this.twin(this.#honest.head);
  }

  override at(seqno: number): Block | undefined {
    const block = this.#honest.at(seqno);
    return block && this.twin(block);
  }

  /** Its block of the same number. */
  twin(block: Block): Block {
    const known = this.#own.get(block);
    if (known !== undefined) return known;
    // From the oldest one that is not there, so that no chain is too long for the stack.
    const missing = [];
    for (let at: Block | undefined = block; at !== undefined && !this.#own.has(at); at = at.parent) missing.unshift(at);
    for (const one of missing) {
      const [parent, ruler] = [one.parent, one.ruler].map((other) => other && this.#own.get(other));
      const { id: _, ...form } = one;
      this.#own.set(one, makeBlock({ ...form, chain: 'strangers', globalId: this.#globalId, parent, ruler }));
    }
    return this.#own.get(block)!;
  }
}

export interface ForkForm {
  readonly name: string;
  /** The key block whose set the adversary holds. */
  readonly from: Block;
  /** The first block of its own. */
  readonly at: number;
  /** Places of those that sign for it. */
  readonly by: readonly number[];
  /** Blocks from the first to its first key block, and between two of them. */
  readonly firstKey: number;
  readonly keyEvery: number;
  /** Blocks by which it is ahead of the honest history. */
  readonly lead: number;
  readonly electedSeconds: number;
}

/** A history of the adversary's, as long as the honest one and a little longer. */
export class Fork extends Chain {
  override readonly name: string;
  readonly #honest: Chain;
  readonly #form: ForkForm;
  readonly #own: Block[] = [];
  readonly #evil: Committee;

  constructor(honest: Chain, opts: ChainOptions, form: ForkForm) {
    const kept = new Map(signersOfChain);
    super(opts);
    for (const [name, signers] of kept) signersOfChain.set(name, signers);
    this.name = form.name;
    this.#honest = honest;
    this.#form = form;
    this.#evil = makeCommittee(`${opts.seed} ${form.name}`, [10, 10, 10, 10]);
    signersOfChain.set(form.name, new Map([[form.from.installs!.committee.name, form.by]]));
  }

  get form(): ForkForm {
    return this.#form;
  }

  override get head(): Block {
    return this.at(Math.max(this.#form.at, this.#honest.head.seqno + this.#form.lead))!;
  }

  override at(seqno: number): Block | undefined {
    const { at, lead, firstKey, keyEvery, name, electedSeconds, from } = this.#form;
    if (seqno < at) return this.#honest.at(seqno);
    if (seqno > Math.max(at, this.#honest.head.seqno + lead)) return undefined;
    for (let next = at + this.#own.length; next <= seqno; next++) {
      const parent = next === at ? this.#honest.at(next - 1)! : this.#own.at(-1)!;
      const isKey = next >= at + firstKey && (next - at - firstKey) % keyEvery === 0;
      const honest = this.#honest.at(next);
      const genUtime = Math.max(parent.genUtime, honest?.genUtime ?? parent.genUtime + 1);
      this.#own.push(
        makeBlock({
          seqno: next,
          chain: name,
          isKey,
          ruler: next === at ? from : rulerAfter(parent),
          parent,
          genUtime,
          installs: isKey ? { committee: this.#evil, until: genUtime + electedSeconds } : undefined,
          vert: parent.vert,
          globalId: parent.globalId,
          kind: honest?.kind ?? parent.kind,
        }),
      );
    }
    return this.#own[seqno - at];
  }
}

/** A block that nobody signed, of no history. */
export function ghost(honest: Chain, seqno: number, name: string, genUtime: number, isKey = false): Block {
  const parent = honest.at(seqno - 1) ?? honest.head;
  return makeBlock(
    {
      seqno,
      chain: 'ghost',
      isKey,
      ruler: rulerAfter(parent),
      parent,
      genUtime,
      installs: isKey ? { committee: makeCommittee(name, [10, 10, 10, 10]), until: genUtime + 65_536 } : undefined,
      vert: parent.vert,
      globalId: parent.globalId,
      kind: parent.kind,
    },
    name,
  );
}
