/** Blocks of a world made of cells, with real ids, and validators with real keys. What two worlds share is made once. */

import { encodeHex } from '../../../src/core/base/bytes.ts';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import { nodeIdShort } from '../../../src/core/validators/node-id-short.ts';
import { beginCell, type CoreCell } from '../../helpers/cells.ts';
import {
  committee,
  configCell,
  extBlkRef,
  type MadeBlock,
  type MadeZerostate,
  makeBlock,
  makeState,
  makeZerostate,
  type Committee as RealCommittee,
} from '../../helpers/make-chain.ts';
import type { Block, BlockForm, Committee, Forge } from '../chain.ts';
import { type Cells, once } from './links.ts';

/** Blocks that are kept for the worlds that come; a world of the pool has up to some hundred. */
const MOST_BLOCKS = 12_000;

type Real = { readonly made: MadeBlock } | { readonly zerostate: MadeZerostate };

const idOf = (real: Real): BlockIdExt => ('made' in real ? real.made.id : real.zerostate.id);

/** The blocks before one, the zerostate first. */
function lineOf(last: Block): Block[] {
  const line: Block[] = [];
  for (let at: Block | undefined = last; at !== undefined; at = at.parent) line.push(at);
  return line.reverse();
}

const parts = once((_: BlockIdExt) => new Map<string, CoreCell>());

/**
 * OldMcBlocksInfo: the part of it that holds the numbers from `low` to `high`, `left` bits of their keys still to be read. A block
 * says which ones are before it, so what is known for the last one is known for all.
 */
function listCell(line: readonly Block[], low: number, high: number, left: number): CoreCell {
  const known = parts(line[high]!.id);
  const key = `${low} ${left}`;
  const made = known.get(key);
  if (made !== undefined) return made;
  const common = low === high ? left : left - (32 - Math.clz32(low ^ high));
  const cell = beginCell()
    .storeUint(0b10, 2)
    .storeUint(common, 32 - Math.clz32(left));
  if (common > 0) cell.storeUint(Math.floor(low / 2 ** (left - common)) % 2 ** common, common);
  let done: CoreCell;
  if (low === high) {
    const { id, isKey } = line[low]!;
    done = cell.storeBit(isKey).storeUint(9, 64).storeBit(isKey).store(extBlkRef(id)).endCell();
  } else {
    const rest = left - common - 1;
    const middle = Math.floor(high / 2 ** rest) * 2 ** rest;
    done = cell
      .storeRef(listCell(line, low, middle - 1, rest))
      .storeRef(listCell(line, middle, high, rest))
      .storeBit(true)
      .storeUint(9, 64)
      .endCell();
  }
  known.set(key, done);
  return done;
}

export class CellForge implements Forge, Cells {
  readonly #committees = new Map<string, RealCommittee>();
  readonly #configs = new Map<string, CoreCell>();
  readonly #reals = new Map<string, Real>();
  readonly #ofId = new WeakMap<BlockIdExt, Real>();
  readonly #tokens = new Map<string, Block>();

  /** A new world begins. */
  begin(): void {
    this.#tokens.clear();
    if (this.#reals.size > MOST_BLOCKS) this.#reals.clear();
  }

  nodeIdsOf(name: string, weights: readonly number[]): readonly Uint8Array[] {
    let real = this.#committees.get(name);
    if (real === undefined) {
      real = committee(name, weights.map(BigInt));
      this.#committees.set(name, real);
    }
    return real.signers.map(({ publicKey }) => nodeIdShort(publicKey));
  }

  block(form: BlockForm, name: string): Block {
    const { chain, seqno, genUtime, isKey, parent, ruler, installs, vert, globalId } = form;
    const hashes = [parent, ruler].map((one) => (one === undefined ? '' : encodeHex(one.id.rootHash)));
    const installed = installs === undefined ? '' : `${installs.committee.name} ${installs.until}`;
    const key = [chain, seqno, Math.floor(genUtime), isKey, ...hashes, installed, vert, globalId, name].join('/');
    let real = this.#reals.get(key);
    if (real === undefined) {
      real =
        seqno === 0
          ? { zerostate: makeZerostate(this.#config(installs!), globalId) }
          : { made: this.#make(form, name) };
      this.#reals.set(key, real);
    }
    const id = idOf(real);
    this.#ofId.set(id, real);
    const block = { ...form, id };
    this.#tokens.set(encodeHex(id.rootHash), block);
    return block;
  }

  #config({ committee: { name }, until }: NonNullable<Block['installs']>): CoreCell {
    const key = `${name} ${until}`;
    let cell = this.#configs.get(key);
    if (cell === undefined) {
      cell = configCell({ elected: this.#committees.get(name)!, utimeUntil: Math.floor(until) });
      this.#configs.set(key, cell);
    }
    return cell;
  }

  #make(
    { seqno, chain, genUtime, isKey, parent, ruler, installs, vert, globalId }: BlockForm,
    name: string,
  ): MadeBlock {
    const isNext = parent?.seqno === seqno - 1;
    const ruling = ruler!.installs!;
    // Of blocks that nothing is built on, no state is ever shown.
    const state =
      isNext && chain !== 'ghost'
        ? makeState({
            seqno,
            globalId,
            config: this.#config(ruling),
            earlierCell: listCell(lineOf(parent), 0, seqno - 1, 32),
          })
        : undefined;
    return makeBlock({
      seqno,
      globalId,
      vertSeqno: vert,
      hardfork: parent !== undefined && vert !== parent.vert,
      genUtime: Math.floor(genUtime),
      signedBy: this.#committees.get(ruling.committee.name)!,
      prevKeyBlockSeqno: ruler!.seqno,
      previous: [isNext ? parent.id : { ...parent!.id, seqno: seqno - 1 }],
      // Two blocks of one number and one parent are two.
      accountBlocks: beginCell().storeStringTail(`${chain} ${name}`).endCell(),
      ...(isKey ? { config: this.#config(installs!) } : {}),
      ...(state === undefined ? {} : { state }),
    });
  }

  #real(block: Block): Real {
    return this.#ofId.get(block.id)!;
  }

  made(block: Block): MadeBlock | undefined {
    const real = this.#real(block);
    return 'made' in real ? real.made : undefined;
  }

  zerostateRoot(block: Block): CoreCell {
    return (this.#real(block) as { readonly zerostate: MadeZerostate }).zerostate.root; // of a block of number 0
  }

  real({ name }: Committee): RealCommittee {
    return this.#committees.get(name)!;
  }

  /** The block of this world that an id names. */
  blockOf(id: BlockIdExt): Block | undefined {
    return this.#tokens.get(encodeHex(id.rootHash));
  }
}
