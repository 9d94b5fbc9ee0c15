/**
 * A little network behind a stand-in lite server: zerostate, a key block every so often with a new committee, blocks that
 * name the one before them, states that list all earlier ones. Answers are put together by hand in TL.
 */
import { encodeHex } from '../../src/core/base/bytes.ts';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import type { CoreCell } from './cells.ts';
import type { MadeNodes } from './dictionaries.ts';
import { type LiteAsked, liteError } from './lite-stand-in.ts';
import type { SetKind } from './make-block.ts';
import {
  type BlockForm,
  type Committee,
  committee,
  configCell,
  configProof,
  headerOf,
  headerProof,
  honestLink,
  type MadeBlock,
  type MadeZerostate,
  makeBlock,
  makeState,
  makeZerostate,
  prevBlocksCell,
  proofShowing,
  type StateForm,
  signBlock,
  tlBack,
  tlForward,
  tlProof,
  updateOf,
  wholeProof,
} from './make-chain.ts';
import { blockIdBytes, hex, tlConfig, tlHeader, u32 } from './tl-answers.ts';

export interface LiteChainOptions {
  /** Blocks that are made. */
  readonly length: number;
  /** Every such block is a key block. Default 10. */
  readonly keyEvery?: number;
  /** Unix seconds of block 1. Default: so that the last block is made now. */
  readonly firstUtime?: number;
  /** Seconds between blocks. Default 1. */
  readonly blockSeconds?: number;
  readonly kind?: SetKind;
  /** Seconds after a key block until which its set is elected. Default a year. */
  readonly electedSeconds?: number;
  /** Default false: no states, and so no back links, which cost time to make. */
  readonly hasStates?: boolean;
  /** More of every state, such as a list of shards. */
  readonly stateOver?: Partial<StateForm>;
  /** Names the committees, and so everything: two chains of one name and one start are one chain up to a fork. */
  readonly name?: string;
  /** From this block on the chain is another one than without; signed by the same committees. */
  readonly forkAt?: number;
  /** What is different in the headers from there on. */
  readonly forkOver?: (seqno: number) => Partial<BlockForm>;
  readonly weights?: readonly bigint[];
  /** How many of the committee sign a block. Default: all. */
  readonly signersOf?: (seqno: number) => number | undefined;
  /** Who signs in an epoch, which begins with a key block. Default: four committees, one after the other. */
  readonly committeeOf?: (epoch: number) => Committee;
}

const YEAR = 365 * 86_400;
const MAX_LINKS = 16;

const readSeqno = (bytes: Uint8Array, at: number) => Buffer.from(bytes).readUInt32LE(at + 12);

export class LiteChain {
  readonly zerostate: MadeZerostate;
  readonly zerostateId: BlockIdExt;
  readonly blocks = new Map<number, MadeBlock>();
  /** The newest block the server admits to. */
  head: number;
  /** What the server's clock says beyond the true time, in seconds. */
  clockSkew = 0;
  readonly #kind: SetKind;
  readonly #signersOf: NonNullable<LiteChainOptions['signersOf']>;
  readonly #proofs = new Map<string, Buffer>();
  readonly #configOfZerostate: Committee;
  readonly #committeeOf: (epoch: number) => Committee;
  readonly #opts: LiteChainOptions;
  readonly #firstUtime: number;
  /** What the next state lists. */
  readonly #earlier: { id: BlockIdExt; keyBlock: boolean }[];
  readonly #parts: MadeNodes = new Map();
  #keyBlock = 0;
  #epoch = 0;

  constructor(opts: LiteChainOptions) {
    const { length, blockSeconds = 1, name = 'lite' } = opts;
    this.#opts = opts;
    this.#firstUtime = opts.firstUtime ?? Math.floor(Date.now() / 1000 - blockSeconds * (length - 1));
    this.#kind = opts.kind ?? 'simplex';
    this.#signersOf = opts.signersOf ?? (() => undefined);
    this.head = length;
    const committees: Committee[] = [];
    this.#committeeOf =
      opts.committeeOf ??
      ((epoch: number) =>
        (committees[epoch % 4] ??= committee(`${name} ${epoch % 4}`, opts.weights ?? [10n, 10n, 10n, 10n])));
    this.#configOfZerostate = this.#committeeOf(0);
    this.zerostate = makeZerostate(this.#config(0, this.#firstUtime));
    this.zerostateId = this.zerostate.id;
    this.#earlier = [{ id: this.zerostate.id, keyBlock: true }];
    for (let seqno = 1; seqno <= length; seqno++) this.append();
  }

  /** Who signs in an epoch. */
  committee(epoch: number): Committee {
    return this.#committeeOf(epoch);
  }

  #config(epoch: number, utime: number): CoreCell {
    const { electedSeconds = YEAR } = this.#opts;
    return configCell({ elected: this.#committeeOf(epoch), utimeUntil: utime + electedSeconds });
  }

  /** Makes the next block. The server admits to it once `head` says so. @param parts of the block, and of its state */
  append(parts: Pick<BlockForm, 'genUtime' | 'shardHashes'> = {}): MadeBlock {
    const { keyEvery = 10, blockSeconds = 1, hasStates = false, forkAt = Number.POSITIVE_INFINITY } = this.#opts;
    const seqno = this.blocks.size + 1;
    const isFork = seqno >= forkAt;
    const genUtime = parts.genUtime ?? this.#firstUtime + Math.floor(blockSeconds * (seqno - 1)) + Number(isFork);
    const isKey = seqno % keyEvery === 0;
    const over = { ...parts, ...(isFork ? this.#opts.forkOver?.(seqno) : {}) };
    const state = !hasStates
      ? undefined
      : makeState({
          seqno,
          config: this.#config(this.#epoch, genUtime),
          earlierCell: prevBlocksCell(this.#earlier, false, this.#parts),
          ...this.#opts.stateOver,
          ...(parts.shardHashes === undefined ? {} : { shardHashes: parts.shardHashes }),
          ...(over.globalId === undefined ? {} : { globalId: over.globalId }),
        });
    const block = makeBlock({
      seqno,
      ...over,
      signedBy: this.#committeeOf(this.#epoch),
      prevKeyBlockSeqno: this.#keyBlock,
      genUtime,
      previous: [this.#earlier.at(-1)!.id],
      ...(isKey ? { config: this.#config(this.#epoch + 1, genUtime) } : {}),
      ...(state === undefined ? {} : { state }),
    });
    this.blocks.set(seqno, block);
    if (!hasStates) this.#earlier.length = 0;
    this.#earlier.push({ id: block.id, keyBlock: isKey });
    if (isKey) {
      this.#keyBlock = seqno;
      this.#epoch += 1;
    }
    return block;
  }

  id(seqno: number): BlockIdExt {
    return seqno === 0 ? this.zerostateId : this.blocks.get(seqno)!.id;
  }

  /** The seqno of the key block that rules a block. */
  ruler(seqno: number): number {
    return this.blocks.get(seqno)!.form.prevKeyBlockSeqno;
  }

  #nextKeyBlock(after: number): number | undefined {
    for (let seqno = after + 1; seqno <= this.head; seqno++) {
      if (this.blocks.get(seqno)?.form.config !== undefined) return seqno;
    }
    return undefined;
  }

  forwardLink(from: number, to: number): Buffer {
    const block = this.blocks.get(to)!;
    const set = signBlock(block, block.form.signedBy, this.#kind, this.#signersOf(to));
    if (from > 0) return tlForward(honestLink(this.blocks.get(from)!, block, this.#kind, { set }));
    const source = { ...block, id: this.zerostateId, form: { ...block.form, signedBy: this.#configOfZerostate } };
    return tlForward({
      ...honestLink(source, block, this.#kind, { configProof: wholeProof(this.zerostate.root), set }),
    });
  }

  backLink(from: number, to: number): Buffer {
    const source = this.blocks.get(from)!;
    const state: CoreCell = source.form.state!;
    return tlBack({
      from: source.id,
      to: this.id(to),
      toKeyBlock: to === 0 || this.blocks.get(to)!.form.config !== undefined,
      destProof: to === 0 ? new Uint8Array(0) : headerProof(this.blocks.get(to)!),
      proof: proofShowing(source.root, [...headerOf(source), updateOf(source)]),
      stateProof: wholeProof(state),
    });
  }

  /** The way a real server takes: back to the key block that rules, then from key block to key block. */
  links(known: number, target: number): { links: (() => Buffer)[]; reached: number } {
    const links: (() => Buffer)[] = [];
    let at = known;
    while (at !== target && links.length < MAX_LINKS) {
      const from = at;
      let to: number;
      if (target < at) to = target;
      else if (at !== 0 && this.blocks.get(at)!.form.config === undefined) to = this.ruler(at);
      else {
        const next = this.#nextKeyBlock(at);
        to = next === undefined || next > target ? target : next;
      }
      links.push(() => (to > from ? this.forwardLink(from, to) : this.backLink(from, to)));
      at = to;
    }
    return { links, reached: at };
  }

  proof(known: number, target: number): Buffer {
    const key = `${known}-${target}`;
    const made = this.#proofs.get(key);
    if (made !== undefined) return made;
    const { links, reached } = this.links(known, target);
    const proof = Buffer.from(
      tlProof(
        this.id(known),
        this.id(reached),
        links.map((link) => link()),
        reached === target,
      ),
    );
    this.#proofs.set(key, proof);
    return proof;
  }

  masterchainInfoExt(now = Math.floor(Date.now() / 1000) + this.clockSkew): Buffer {
    const block = this.blocks.get(this.head);
    const utime = block?.form.genUtime ?? 0;
    return Buffer.concat([
      hex('f5e0cca8'),
      u32(0),
      u32(0x101),
      u32(15),
      u32(0),
      blockIdBytes(this.id(this.head)),
      u32(utime),
      u32(now),
      Buffer.alloc(32, 1),
      u32(-1),
      Buffer.from(this.zerostateId.rootHash),
      Buffer.from(this.zerostateId.fileHash),
    ]);
  }

  header(seqno: number): Buffer {
    const block = this.blocks.get(seqno)!;
    return tlHeader(block.id, headerProof(block));
  }

  keyBlockConfig(seqno: number): Buffer {
    const at = this.blocks.get(seqno)!.form.config === undefined ? this.ruler(seqno) : seqno;
    const block = this.blocks.get(at)!;
    return tlConfig(0x8000, block.id, new Uint8Array(0), configProof(block));
  }

  /** The answer to a question, as an honest server gives it. */
  async answer({ request, constructorId, waitFor }: LiteAsked): Promise<Buffer> {
    if (waitFor !== undefined) {
      const end = performance.now() + waitFor.timeoutMs;
      while (this.head < waitFor.seqno && performance.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 5));
      if (this.head < waitFor.seqno) return liteError(652, 'timeout');
    }
    switch (constructorId) {
      case 'df71a670':
        return this.masterchainInfoExt();
      case '345aad16':
        return Buffer.concat([hex('0d0053e9'), u32(Math.floor(Date.now() / 1000) + this.clockSkew)]);
      case '449cea8a': {
        const [known, target] = [8, 88].map((at) => ({
          seqno: readSeqno(request, at),
          bytes: request.subarray(at, at + 80),
        }));
        for (const asked of [known!, target!]) {
          if (asked.seqno > this.head) return liteError(651, 'too big masterchain block seqno');
          if (!asked.bytes.equals(blockIdBytes(this.id(asked.seqno)))) {
            return liteError(
              -400,
              `block ${encodeHex(asked.bytes.subarray(16, 20))} is unknown from the perspective of reference block`,
            );
          }
        }
        return this.proof(known!.seqno, target!.seqno);
      }
      case '1ef7c8fa': {
        const seqno = readSeqno(request, 8);
        if (seqno > this.head || !this.blocks.has(seqno)) return liteError(651, 'block is not in db');
        return this.header(seqno);
      }
      case '9e06ec21': {
        const seqno = readSeqno(request, 4);
        if (seqno > this.head || !this.blocks.has(seqno)) return liteError(651, 'block is not in db');
        return this.header(seqno);
      }
      case '191c112a':
        return this.keyBlockConfig(readSeqno(request, 8));
      default:
        return liteError(621, 'unknown query');
    }
  }
}
