/**
 * A little network with known keys: zerostate, key blocks, ordinary blocks, states and shard blocks in cells, their
 * Merkle proofs, signatures and the TL of proof answers. Cells are written with @ton/core, TL by hand: nothing here uses
 * the readers under test, but the list hash, which has tests of its own.
 */
import { createHash } from 'node:crypto';
import { type Builder, Dictionary } from '@ton/core';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import type { SignatureList } from '../../src/core/block/signature-list.ts';
import { signedMessage } from '../../src/core/message/signed-message.ts';
import { validatorListHashShort } from '../../src/core/validators/list-hash-short.ts';
import { createValidatorSet } from '../../src/core/validators/validator-set.ts';
import { beginCell, CoreCell, merkleProof, merkleUpdate, prune, prunedBranch } from './cells.ts';
import { dictionaryCell, type MadeNodes } from './dictionaries.ts';
import { entryOf, type SetKind, unsignedSet } from './make-block.ts';
import { makeSigners, type Signer } from './make-validators.ts';
import { blockIdBytes, tlBool, tlBytes, u32 } from './tl-answers.ts';

export const MASTER_SHARD = -(1n << 63n);
export const GLOBAL_ID = -777;
export const UTIME_UNTIL = 2_000_000;

/** A set of signers whose ADNL addresses are those of their places. */
export interface Committee {
  readonly signers: readonly Signer[];
  readonly main: number;
  readonly shuffle: boolean;
}

export function committee(name: string, weights: readonly bigint[] = [10n, 10n, 10n, 10n], shuffle = true): Committee {
  return { signers: makeSigners(weights, name), main: weights.length, shuffle };
}

const adnl = (index: number) => Buffer.alloc(32, 0x40 + index);

export function validatorSetCell({ signers, main }: Committee, utimeUntil = UTIME_UNTIL): CoreCell {
  const list = Dictionary.empty(Dictionary.Keys.Uint(16), {
    serialize: (cell: CoreCell, builder: Builder) => builder.storeSlice(cell.beginParse()),
    parse: () => beginCell().endCell(),
  });
  signers.forEach(({ publicKey, weight }, index) => {
    list.set(
      index,
      beginCell()
        .storeUint(0x73, 8)
        .storeUint(0x8e81278a, 32)
        .storeBuffer(Buffer.from(publicKey))
        .storeUint(weight, 64)
        .storeBuffer(adnl(index))
        .endCell(),
    );
  });
  return beginCell()
    .storeUint(0x12, 8)
    .storeUint(1_000_000, 32)
    .storeUint(utimeUntil, 32)
    .storeUint(signers.length, 16)
    .storeUint(main, 16)
    .storeUint(signers.reduce((sum, { weight }) => sum + weight, 0n) % 2n ** 64n, 64)
    .storeDict(list)
    .endCell();
}

export interface ConfigForm {
  readonly elected: Committee;
  /** Parameter 35. */
  readonly temporary?: Committee;
  readonly utimeUntil?: number;
  /** Put this cell in place of parameter 34, or nothing. */
  readonly param34?: CoreCell | 'absent';
}

export function configCell({ elected, temporary, utimeUntil, param34 }: ConfigForm): CoreCell {
  const params = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  params.set(0, beginCell().storeUint(7, 256).endCell());
  params.set(
    28,
    beginCell()
      .storeUint(0xc2, 8)
      .storeUint(elected.shuffle ? 1 : 0, 8)
      .storeUint(250, 32)
      .storeUint(250, 32)
      .storeUint(1000, 32)
      .storeUint(7, 32)
      .endCell(),
  );
  if (param34 !== 'absent') params.set(34, param34 ?? validatorSetCell(elected, utimeUntil));
  if (temporary !== undefined) params.set(35, validatorSetCell(temporary, utimeUntil));
  params.set(40, beginCell().storeUint(8, 256).endCell());
  return beginCell().storeDictDirect(params).endCell();
}

/** Made once: each block of a session says the same one. */
const listHashes = new WeakMap<Committee, Map<number, number>>();

export function listHash(committee: Committee, catchainSeqno: number): number {
  const known = listHashes.get(committee) ?? new Map<number, number>();
  listHashes.set(committee, known);
  const hash = known.get(catchainSeqno) ?? makeListHash(committee, catchainSeqno);
  known.set(catchainSeqno, hash);
  return hash;
}

function makeListHash({ signers, main, shuffle }: Committee, catchainSeqno: number): number {
  const set = createValidatorSet(
    signers
      .slice(0, main)
      .map(({ publicKey, weight }, index) => ({ publicKey, weight, adnlAddr: Uint8Array.from(adnl(index)) })),
    { shuffle },
  );
  return validatorListHashShort(set, catchainSeqno)!;
}

export interface ShardForm {
  readonly workchain: number;
  /** Number of bits of the shard's prefix and the bits themselves. */
  readonly prefixBits: number;
  readonly prefix: bigint;
}
const MASTER: ShardForm = { workchain: -1, prefixBits: 0, prefix: 0n };

export const shardIdent =
  ({ workchain, prefixBits, prefix }: ShardForm) =>
  (builder: Builder) =>
    builder.storeUint(prefixBits, 8).storeInt(workchain, 32).storeUint(prefix, 64);

export const extBlkRef = (id: BlockIdExt) => (builder: Builder) =>
  builder
    .storeUint(1, 64)
    .storeUint(id.seqno, 32)
    .storeBuffer(Buffer.from(id.rootHash))
    .storeBuffer(Buffer.from(id.fileHash));

export interface BlockForm {
  readonly seqno: number;
  readonly signedBy: Committee;
  readonly prevKeyBlockSeqno: number;
  /** Makes it a key block. */
  readonly config?: CoreCell;
  readonly globalId?: number;
  readonly catchainSeqno?: number;
  readonly genUtime?: number;
  readonly hardfork?: boolean;
  readonly vertSeqno?: number;
  readonly shard?: ShardForm;
  readonly afterSplit?: boolean;
  readonly afterMerge?: boolean;
  readonly previous?: readonly BlockIdExt[];
  /** The cell that names the blocks before, in place of the one made of `previous`. */
  readonly prevRef?: CoreCell;
  /** The state this block leads to. */
  readonly state?: CoreCell;
  readonly shardHashes?: CoreCell;
  readonly accountBlocks?: CoreCell;
  /** First and last logical time. */
  readonly ltRange?: readonly [bigint, bigint];
  /** What the masterchain data say of being a key block, where that differs from the header. */
  readonly extraSaysKeyBlock?: boolean;
  /** Appended to the header. */
  readonly trailingInfo?: boolean;
  readonly version?: number;
}

/** One block with everything that can be proven of it. */
export interface MadeBlock {
  readonly id: BlockIdExt;
  readonly root: CoreCell;
  readonly boc: Uint8Array;
  readonly form: BlockForm;
  readonly catchainSeqno: number;
  readonly listHash: number;
}

const bocBytes = (cell: CoreCell) => Uint8Array.from(cell.toBoc({ idx: false, crc32: true }));
export const sha256 = (bytes: Uint8Array) => Uint8Array.from(createHash('sha256').update(bytes).digest());

const leaves = new Map<number, CoreCell>();
/** A cell with a number: what nobody looks into. */
function leaf(value: number): CoreCell {
  const made = leaves.get(value) ?? beginCell().storeUint(value, 32).endCell();
  leaves.set(value, made);
  return made;
}

const noBlock: BlockIdExt = {
  workchain: -1,
  shard: MASTER_SHARD,
  seqno: 0,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
};

export function makeBlock(form: BlockForm): MadeBlock {
  const { seqno, config, shard = MASTER, previous } = form;
  const master = shard.workchain === -1;
  const catchainSeqno = form.catchainSeqno ?? 100 + form.prevKeyBlockSeqno;
  const hash = listHash(form.signedBy, catchainSeqno);
  const before = previous ?? [{ ...noBlock, seqno: seqno - 1 }];
  const prevRef = beginCell();
  if (form.afterMerge) for (const id of before) prevRef.storeRef(beginCell().store(extBlkRef(id)).endCell());
  else prevRef.store(extBlkRef(before[0]!));
  const info = beginCell()
    .storeUint(0x9bc7a987, 32)
    .storeUint(form.version ?? 0, 32)
    .storeBit(!master)
    .storeBit(form.afterMerge ?? false)
    .storeBit(false)
    .storeBit(form.afterSplit ?? false)
    .storeUint(0, 2)
    .storeBit(config !== undefined)
    .storeBit(form.hardfork ?? false)
    .storeUint(0, 8)
    .storeUint(seqno, 32)
    .storeUint(form.vertSeqno ?? 1, 32)
    .store(shardIdent(shard))
    .storeUint(form.genUtime ?? 1_500_000, 32)
    .storeUint(form.ltRange?.[0] ?? 1, 64)
    .storeUint(form.ltRange?.[1] ?? 2, 64)
    .storeUint(hash, 32)
    .storeUint(catchainSeqno, 32)
    .storeUint(1, 32)
    .storeUint(form.prevKeyBlockSeqno, 32);
  if (form.trailingInfo) info.storeBit(false);
  if (!master) info.storeRef(beginCell().store(extBlkRef(noBlock)).endCell());
  info.storeRef(form.prevRef ?? prevRef.endCell());
  if (form.hardfork) info.storeRef(beginCell().store(extBlkRef(noBlock)).endCell());
  const says = form.extraSaysKeyBlock ?? config !== undefined;
  const custom = beginCell().storeUint(0xcca5, 16).storeBit(says);
  if (form.shardHashes === undefined) custom.storeBit(false);
  else custom.storeBit(true).storeRef(form.shardHashes);
  custom.storeBit(false).storeUint(0, 5).storeUint(0, 5); // no fees, two empty CurrencyCollection
  custom.storeRef(beginCell().storeUint(0, 3).endCell());
  if (says) custom.storeUint(5, 256).storeRef(config ?? beginCell().endCell());
  const extra = beginCell()
    .storeUint(0x4a33f6fd, 32)
    .storeRef(leaf(1))
    .storeRef(leaf(2))
    .storeRef(form.accountBlocks ?? leaf(3))
    .storeUint(1, 256)
    .storeUint(2, 256)
    .storeBit(master);
  if (master) extra.storeRef(custom.endCell());
  const oldState = beginCell().storeUint(seqno, 64).storeRef(leaf(4)).endCell();
  const newState =
    form.state ??
    beginCell()
      .storeUint(seqno + 1, 64)
      .storeRef(leaf(5))
      .endCell();
  const root = beginCell()
    .storeUint(0x11ef55aa, 32)
    .storeInt(form.globalId ?? GLOBAL_ID, 32)
    .storeRef(info.endCell())
    .storeRef(leaf(6))
    .storeRef(merkleUpdate(prunedBranch(oldState), prunedBranch(newState)))
    .storeRef(extra.endCell())
    .endCell();
  const boc = bocBytes(root);
  const shardId =
    shard.prefixBits === 0 ? MASTER_SHARD : BigInt.asIntN(64, shard.prefix | (1n << BigInt(63 - shard.prefixBits)));
  const id = {
    workchain: shard.workchain,
    shard: shardId,
    seqno,
    rootHash: Uint8Array.from(root.hash()),
    fileHash: sha256(boc),
  };
  return { id, root, boc, form, catchainSeqno, listHash: hash };
}

/** All cells of a tree, by hash. */
function allCells(cell: CoreCell, into = new Set<string>()): Set<string> {
  into.add(cell.hash().toString('hex'));
  for (const ref of cell.refs) allCells(ref, into);
  return into;
}

/** The Merkle proof of a tree that shows these cells and the way to them, everything else pruned. */
export function proofShowing(
  root: CoreCell,
  shown: readonly CoreCell[],
  alsoCut: (cell: CoreCell) => boolean = () => false,
): Uint8Array {
  const keep = new Set(shown.map((cell) => cell.hash().toString('hex')));
  const leads = (cell: CoreCell): boolean => keep.has(cell.hash().toString('hex')) || cell.refs.some(leads);
  const cut = prune(root, (cell) => alsoCut(cell) || !leads(cell));
  return bocBytes(merkleProof(cut));
}

export const infoOf = (block: MadeBlock) => block.root.refs[0]!;
/** The header with the block or blocks before, and a shard's with its masterchain block, as every answer of a node shows it. */
export function headerOf(block: MadeBlock): CoreCell[] {
  const info = infoOf(block);
  const [first, second] = info.refs;
  if (block.id.workchain === -1) return [info, first!, ...first!.refs];
  return [info, first!, second!, ...second!.refs];
}
export const updateOf = (block: MadeBlock) => block.root.refs[2]!;
export const stateOf = (block: MadeBlock) => block.form.state!;
export const customOf = (block: MadeBlock) => block.root.refs[3]!.refs[3]!;
export const configOf = (block: MadeBlock) => customOf(block).refs.at(-1)!;
/** The masterchain data with the cell of signatures and messages, which nodes show: their clients read both. */
export const masterDataOf = (block: MadeBlock): CoreCell[] => {
  const data = customOf(block);
  return [data, data.refs[block.form.shardHashes === undefined ? 0 : 1]!];
};

export function headerProof(block: MadeBlock): Uint8Array {
  return proofShowing(block.root, headerOf(block));
}

export function configProof(block: MadeBlock, alsoCut?: (cell: CoreCell) => boolean): Uint8Array {
  const shown = allCells(configOf(block));
  const cells: CoreCell[] = headerOf(block);
  const collect = (cell: CoreCell): void => {
    if (shown.has(cell.hash().toString('hex'))) cells.push(cell);
    for (const ref of cell.refs) collect(ref);
  };
  collect(configOf(block));
  cells.push(...masterDataOf(block));
  return proofShowing(block.root, cells, alsoCut);
}

export function signBlock(
  block: MadeBlock,
  by: Committee = block.form.signedBy,
  kind: SetKind = 'ordinary',
  count = by.main,
): SignatureList {
  const common = unsignedSet(kind, block.id);
  // No two blocks of an honest chain stand in one slot.
  const unsigned = common.kind === 'simplex' ? { ...common, slot: block.id.seqno } : common;
  const message = signedMessage(unsigned);
  return { ...unsigned, signatures: by.signers.slice(0, count).map((signer) => entryOf(signer, message)) };
}

// states ----------------------------------------------------------------------------------------------------------

export interface ListedBlock {
  readonly id: BlockIdExt;
  readonly keyBlock: boolean;
}

/** HashmapAug 32 KeyExtBlkRef KeyMaxLt. */
export function prevBlocksCell(entries: readonly ListedBlock[], trailing = false, made?: MadeNodes): CoreCell {
  const listed = entries.map((entry) => ({
    ...entry,
    key: BigInt(entry.id.seqno),
    value: (leaf: Builder) => {
      leaf.storeBit(entry.keyBlock).store(extBlkRef(entry.id));
      return trailing ? leaf.storeBit(false) : leaf;
    },
  }));
  return dictionaryCell(listed, 32, keyMaxLt, made);
}

/** KeyMaxLt: whether there is a key block among them, and their last logical time. */
const keyMaxLt = (entries: readonly ListedBlock[]) => (builder: Builder) =>
  builder.storeBit(entries.some(({ keyBlock }) => keyBlock)).storeUint(entries.length === 0 ? 0 : 9, 64);

export interface StateForm {
  readonly seqno: number;
  readonly config: CoreCell;
  readonly earlier?: readonly ListedBlock[];
  /** The list of earlier blocks, in place of the one made of `earlier`. */
  readonly earlierCell?: CoreCell;
  readonly globalId?: number;
  readonly shard?: ShardForm;
  /** The root of the list of shards. */
  readonly shardHashes?: CoreCell;
  readonly accounts?: CoreCell;
  /** The cell with the balances of the whole and the libraries. */
  readonly totals?: CoreCell;
  /** Flags of the state's info; bit 0 asks for statistics. */
  readonly flags?: number;
  /** block_create_stats#17, or #34 with an extra. */
  readonly stats?: number;
  readonly lastKeyBlock?: BlockIdExt;
  /** Leaves the masterchain data out, as the state of a shard does. */
  readonly plain?: boolean;
  /** Where a bit stands that belongs to nothing. */
  readonly trailing?: 'state' | 'custom' | 'info' | 'entry';
}

export function makeState(form: StateForm): CoreCell {
  const { seqno, config, earlier = [], globalId = GLOBAL_ID, shard = MASTER, stats, lastKeyBlock, trailing } = form;
  const extraBit = (place: StateForm['trailing']) => (builder: Builder) => {
    if (trailing === place) builder.storeBit(false);
  };
  const info = beginCell()
    .storeUint(form.flags ?? (stats === undefined ? 0 : 1), 16)
    .storeUint(1, 32)
    .storeUint(2, 32)
    .storeBit(false);
  if (form.earlierCell !== undefined) info.storeBit(true).storeRef(form.earlierCell);
  else if (earlier.length === 0) info.storeBit(false);
  else info.storeBit(true).storeRef(prevBlocksCell(earlier, trailing === 'entry'));
  info
    .store(keyMaxLt(earlier))
    .storeBit(false)
    .storeBit(lastKeyBlock !== undefined);
  if (lastKeyBlock !== undefined) info.store(extBlkRef(lastKeyBlock));
  if (stats !== undefined) info.storeUint(stats, 8).storeBit(true).storeRef(leaf(10));
  if (stats === 0x34) info.storeUint(11, 32);
  info.store(extraBit('info'));
  const custom = beginCell()
    .storeUint(0xcc26, 16)
    .storeMaybeRef(form.shardHashes ?? null)
    .storeUint(5, 256)
    .storeRef(config)
    .storeRef(info.endCell())
    .storeUint(0, 5)
    .store(extraBit('custom'))
    .endCell();
  const state = beginCell()
    .storeUint(0x9023afe2, 32)
    .storeInt(globalId, 32)
    .store(shardIdent(shard))
    .storeUint(seqno, 32)
    .storeUint(1, 32)
    .storeUint(1_400_000, 32)
    .storeUint(3, 64)
    .storeUint(0, 32)
    .storeBit(false)
    .storeBit(form.plain !== true)
    .storeRef(leaf(7))
    .storeRef(form.accounts ?? leaf(8))
    .storeRef(form.totals ?? NO_TOTALS);
  if (form.plain !== true) state.storeRef(custom);
  return state.store(extraBit('state')).endCell();
}

/** No history, no balance, no fees, no libraries. */
const NO_TOTALS = beginCell().storeUint(0, 128).storeUint(0, 12).endCell();

export interface MadeZerostate {
  readonly id: BlockIdExt;
  readonly root: CoreCell;
  readonly boc: Uint8Array;
}

export function makeZerostate(config: CoreCell, globalId = GLOBAL_ID): MadeZerostate {
  const root = makeState({ seqno: 0, config, globalId });
  const boc = bocBytes(root);
  return {
    root,
    boc,
    id: { workchain: -1, shard: MASTER_SHARD, seqno: 0, rootHash: Uint8Array.from(root.hash()), fileHash: sha256(boc) },
  };
}

export function wholeProof(root: CoreCell): Uint8Array {
  return bocBytes(merkleProof(root));
}

// TL --------------------------------------------------------------------------------------------------------------

export interface ForwardForm {
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  readonly toKeyBlock: boolean;
  readonly destProof: Uint8Array;
  readonly configProof: Uint8Array;
  readonly set: SignatureList;
  readonly catchainSeqno: number;
  readonly listHash: number;
}

function tlSignatures(set: SignatureList): Buffer {
  return Buffer.concat([
    u32(set.signatures.length),
    ...set.signatures.flatMap(({ nodeIdShort, signature }) => [Buffer.from(nodeIdShort), tlBytes(signature)]),
  ]);
}

/** A boxed liteServer.SignatureSet; its first two numbers stand in the other order in its two forms. */
export function tlSignatureSet({
  set,
  listHash,
  catchainSeqno,
}: Pick<ForwardForm, 'set' | 'listHash' | 'catchainSeqno'>) {
  if (set.kind === 'ordinary') {
    return Buffer.concat([Buffer.from('e6a644f6', 'hex'), u32(listHash), u32(catchainSeqno), tlSignatures(set)]);
  }
  return Buffer.concat([
    Buffer.from('009824ac', 'hex'),
    u32(catchainSeqno),
    u32(listHash),
    tlSignatures(set),
    Buffer.from(set.sessionId),
    u32(set.slot),
    tlBytes(set.candidate),
  ]);
}

export function tlForward(link: ForwardForm): Buffer {
  return Buffer.concat([
    Buffer.from('1cce0f52', 'hex'),
    tlBool(link.toKeyBlock),
    blockIdBytes(link.from),
    blockIdBytes(link.to),
    tlBytes(link.destProof),
    tlBytes(link.configProof),
    tlSignatureSet(link),
  ]);
}

export interface BackForm {
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  readonly toKeyBlock: boolean;
  readonly destProof: Uint8Array;
  readonly proof: Uint8Array;
  readonly stateProof: Uint8Array;
}

export function tlBack(link: BackForm): Buffer {
  return Buffer.concat([
    Buffer.from('ef1b7eef', 'hex'),
    tlBool(link.toKeyBlock),
    blockIdBytes(link.from),
    blockIdBytes(link.to),
    tlBytes(link.destProof),
    tlBytes(link.proof),
    tlBytes(link.stateProof),
  ]);
}

export function tlProof(from: BlockIdExt, to: BlockIdExt, links: readonly Buffer[], complete = true): Uint8Array {
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from('c1d2d08e', 'hex'),
      tlBool(complete),
      blockIdBytes(from),
      blockIdBytes(to),
      u32(links.length),
      ...links,
    ]),
  );
}

/** The forward link from a key block to a later block, as an honest server sends it. */
export function honestLink(
  from: MadeBlock,
  to: MadeBlock,
  kind: SetKind = 'ordinary',
  over: Partial<ForwardForm> = {},
): ForwardForm {
  return {
    from: from.id,
    to: to.id,
    toKeyBlock: to.form.config !== undefined,
    destProof: headerProof(to),
    configProof: configProof(from),
    set: signBlock(to, to.form.signedBy, kind),
    catchainSeqno: to.catchainSeqno,
    listHash: to.listHash,
    ...over,
  };
}

/** block_signatures#11 or #12, as a node stores them. */
export function blockSignaturesCell(
  block: MadeBlock,
  set: SignatureList,
  weight: bigint,
  over: { count?: number; keys?: readonly number[]; candidate?: CoreCell } = {},
): CoreCell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(16), {
    serialize: (cell: CoreCell, builder: Builder) => builder.storeSlice(cell.beginParse()),
    parse: () => beginCell().endCell(),
  });
  set.signatures.forEach(({ nodeIdShort, signature }, index) => {
    dictionary.set(
      over.keys?.[index] ?? index,
      beginCell().storeBuffer(Buffer.from(nodeIdShort)).storeUint(5, 4).storeBuffer(Buffer.from(signature)).endCell(),
    );
  });
  const cell = beginCell()
    .storeUint(set.kind === 'ordinary' ? 0x11 : 0x12, 8)
    .storeUint(block.listHash, 32)
    .storeUint(block.catchainSeqno, 32)
    .storeUint(over.count ?? set.signatures.length, 32)
    .storeUint(weight, 64)
    .storeDict(dictionary);
  if (set.kind === 'ordinary') return cell.endCell();
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < set.candidate.length; at += 127) chunks.push(set.candidate.subarray(at, at + 127));
  const chain = chunks.reduceRight<CoreCell | undefined>((next, chunk) => {
    const link = beginCell().storeBuffer(Buffer.from(chunk));
    return (next === undefined ? link : link.storeRef(next)).endCell();
  }, undefined);
  return cell
    .storeBuffer(Buffer.from(set.sessionId))
    .storeUint(set.slot, 32)
    .storeRef(over.candidate ?? chain!)
    .endCell();
}

/** block_proof#c3. */
export function storedProof(block: MadeBlock, signatures: CoreCell | undefined, id: BlockIdExt = block.id): Uint8Array {
  const proof = CoreCell.fromBoc(Buffer.from(headerProof(block)))[0]!;
  const cell = beginCell()
    .storeUint(0xc3, 8)
    .store(shardIdent(block.form.shard ?? MASTER))
    .storeUint(id.seqno, 32)
    .storeBuffer(Buffer.from(id.rootHash))
    .storeBuffer(Buffer.from(id.fileHash))
    .storeBit(signatures !== undefined)
    .storeRef(proof);
  if (signatures !== undefined) cell.storeRef(signatures);
  return bocBytes(cell.endCell());
}
