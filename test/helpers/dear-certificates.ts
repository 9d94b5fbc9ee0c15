/** Certificates that take as much reading as their size allows, and honest ones beside them: of a masterchain block, or of a shard block below it. */
import { createHash } from 'node:crypto';
import { Dictionary } from '@ton/core';
import { CertificateError, DecodeError } from '../../src/core/base/errors.ts';
import { HASH_BYTES } from '../../src/core/base/limits.ts';
import { parseSingleRoot } from '../../src/core/cells/boc.ts';
import { type Cell, tableOf, type WorkMeter } from '../../src/core/cells/cell.ts';
import { writeBoc } from '../../src/core/cells/write-boc.ts';
import { buildCertificate, type CertificateInput } from '../../src/core/certificate/build.ts';
import type { FactInput } from '../../src/core/certificate/build-fact.ts';
import { type FactParts, mapProofs } from '../../src/core/certificate/fact-parts.ts';
import { readProofs } from '../../src/core/certificate/judge-fact.ts';
import { type Certificate, parseCertificate, partsOf } from '../../src/core/certificate/parse.ts';
import { certificateCell, type StepPart } from '../../src/core/certificate/parts.ts';
import { judgeCertificate, workOfParts } from '../../src/core/certificate/verify.ts';
import { HASH_COST } from '../../src/core/certificate/work-limit.ts';
import { openBlock } from '../../src/core/chain/block-header.ts';
import { type Checkpoint, checkpointFromKeyBlock, checkpointFromZerostate } from '../../src/core/chain/checkpoint.ts';
import type { Ed25519Engine } from '../../src/core/ed25519/engine.ts';
import { assumeFinal, factsOf } from '../../src/core/facts/proven-block.ts';
import { beginCell, bocOf, type CoreCell } from './cells.ts';
import { cutProofs } from './cut-many.ts';
import { accountBlock, dictionaryOrNone, HASH_UPDATE } from './dictionaries.ts';
import { everyCell } from './make-back-link.ts';
import {
  type Committee,
  configCell,
  customOf,
  headerProof,
  type MadeBlock,
  makeBlock,
  makeZerostate,
  proofShowing,
  signBlock,
  wholeProof,
} from './make-chain.ts';
import { leafOf, prevProof, shardHashes, WHOLE } from './make-shards.ts';
import { makeSigners, type Signer } from './make-validators.ts';

/** Finds every signature good: what is left is the work beside them. */
const TRUSTING: Ed25519Engine = {
  name: 'trusting',
  open: () => ({ verify: (_message, indexes) => Array<boolean>(indexes.length).fill(true), close() {} }),
};

interface Trust {
  readonly by: Committee;
  readonly config: CoreCell;
  readonly checkpoint: Checkpoint;
  /** The key blocks that were made, and where trust is behind them. */
  readonly steps: StepPart[];
  reached: Checkpoint;
}

const trusts = new Map<number, Trust>();

/** Where trust starts, by how many validators there are: the first has nearly all weight, so it signs alone. */
function trustOf(validators: number): Trust {
  let trust = trusts.get(validators);
  if (trust === undefined) {
    const [first] = makeSigners([1_000_000n], 'setters') as [Signer];
    const others = upTo(validators - 1).map((k) => ({ ...first, publicKey: nameOf(k), weight: 1n })); // they never sign
    const by: Committee = { signers: [first, ...others], main: validators, shuffle: true };
    const config = configCell({ elected: by });
    const { boc, id } = makeZerostate(config);
    const checkpoint = checkpointFromZerostate(boc, id);
    trust = { by, config, checkpoint, steps: [], reached: checkpoint };
    trusts.set(validators, trust);
  }
  return trust;
}

/** 32 bytes that are nobody's key, one for each number. */
function nameOf(k: number): Uint8Array {
  return new Uint8Array(createHash('sha256').update(`${k}`).digest());
}

/** HashmapE 15 of references, which may be one and the same cell: then its halves are, too, wherever they are as large. */
function messageList(messages: readonly CoreCell[]): CoreCell {
  const isOne = messages.every((cell) => cell === messages[0]);
  const made = new Map<string, CoreCell>();
  const node = (from: number, to: number, bits: number): CoreCell => {
    const name = `${bits} ${from % 2 ** bits} ${to - from}`;
    const cell = (isOne ? made.get(name) : undefined) ?? make(from, to, bits);
    made.set(name, cell);
    return cell;
  };
  const make = (from: number, to: number, bits: number): CoreCell => {
    let common = 0;
    while (common < bits && from >> (bits - common - 1) === (to - 1) >> (bits - common - 1)) common++;
    const label = (from >> (bits - common)) & (2 ** common - 1);
    const cell = beginCell()
      .storeUint(0b10, 2)
      .storeUint(common, 32 - Math.clz32(bits))
      .storeUint(label, common);
    if (common === bits) return cell.storeRef(messages[from]!).endCell();
    const left = bits - common - 1;
    const middle = ((to - 1) >> left) << left;
    return cell
      .storeRef(node(from, middle, left))
      .storeRef(node(middle, to, left))
      .endCell();
  };
  return node(0, messages.length, 15);
}

/** A chain of cells, so deep. */
export function chainOf(depth: number): CoreCell {
  let cell = beginCell().endCell();
  for (let k = 0; k < depth; k++) cell = beginCell().storeUint(k, 16).storeRef(cell).endCell();
  return cell;
}

/** A tree of four references a cell over so many leaves. */
export function treeOf(leaves: number, first = 0): CoreCell {
  let layer = Array.from({ length: leaves }, (_, k) =>
    beginCell()
      .storeUint(first + k, 32)
      .endCell(),
  );
  while (layer.length > 1) {
    layer = Array.from({ length: Math.ceil(layer.length / 4) }, (_, k) => {
      const builder = beginCell();
      for (const cell of layer.slice(4 * k, 4 * k + 4)) builder.storeRef(cell);
      return builder.endCell();
    });
  }
  return layer[0]!;
}

/** A tree of as many cells as fit into its bytes: leaves of two bytes, or three, and forks of none. */
export function smallCells(leaves: number): CoreCell {
  let layer = Array.from({ length: leaves }, (_, k) =>
    beginCell()
      .storeUint(k, leaves > 65_536 ? 24 : 16)
      .endCell(),
  );
  while (layer.length > 1) {
    layer = Array.from({ length: Math.ceil(layer.length / 4) }, (_, k) => {
      const builder = beginCell();
      for (const cell of layer.slice(4 * k, 4 * k + 4)) builder.storeRef(cell);
      return builder.endCell();
    });
  }
  return layer[0]!;
}

/** Cells of nothing but references: forks of every two of so many chains that are shared. */
export function emptyCells(chains: number): CoreCell {
  let last = beginCell().endCell();
  const ends = upTo(chains).map(() => (last = beginCell().storeRef(last).endCell()));
  let layer = ends.flatMap((one) => ends.map((other) => beginCell().storeRef(one).storeRef(other).endCell()));
  while (layer.length > 1) {
    layer = upTo(Math.ceil(layer.length / 4)).map((k) => {
      const builder = beginCell();
      for (const cell of layer.slice(4 * k, 4 * k + 4)) builder.storeRef(cell);
      return builder.endCell();
    });
  }
  return layer[0]!;
}

const ADDRESS = Buffer.alloc(32, 0x11);

/** A message of the account. @param body in the message, or in a cell of its own */
function message(k: number, body: CoreCell, inline: boolean): CoreCell {
  const builder = beginCell()
    .storeUint(0b11, 2)
    .storeUint(0b10, 2)
    .storeBit(false)
    .storeInt(-1, 8)
    .storeBuffer(ADDRESS);
  builder
    .storeUint(0, 2)
    .storeUint(100 + k, 64)
    .storeUint(1, 32)
    .storeBit(false)
    .storeBit(!inline);
  return (inline ? builder.storeSlice(body.beginParse()) : builder.storeRef(body)).endCell();
}

function transaction(lt: number, messages: readonly CoreCell[] | { readonly list: CoreCell; readonly count: number }) {
  const { list, count } = 'list' in messages ? messages : { list: messageList(messages), count: messages.length };
  return beginCell()
    .storeUint(7, 4)
    .storeBuffer(ADDRESS)
    .storeUint(lt, 64)
    .storeUint(0, 256 + 64)
    .storeUint(1_700_000_000, 32)
    .storeUint(count, 15)
    .storeUint(0b1010, 4)
    .storeRef(beginCell().storeBit(false).storeBit(true).storeRef(list).endCell())
    .storeUint(0, 5)
    .storeRef(HASH_UPDATE)
    .storeRef(beginCell().storeUint(1, 4).storeUint(0, 6).endCell())
    .endCell();
}

/** What is asked of a block: a transaction by its place, and a message of it. */
type Asked = readonly (readonly [transaction: number, message?: number])[];

interface Content {
  readonly transactions?: readonly CoreCell[];
  readonly asked?: Asked;
  /** A parameter of the configuration for each. */
  readonly params?: readonly CoreCell[];
  /** Validators of each set. Default 4. */
  readonly validators?: number;
  /** Key blocks on the way, all of one configuration. */
  readonly steps?: number;
  /** Blocks of a shard from the one that is listed down to the one with the transactions. Default: they are in the masterchain. */
  readonly links?: number;
}

/** A configuration with more parameters, and all of the rest of it. */
function configWith(config: CoreCell, params: readonly CoreCell[]): CoreCell {
  const entries = config.beginParse().loadDictDirect(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  for (const [k, cell] of params.entries()) entries.set(FIRST_PARAM + k, cell);
  return beginCell().storeDictDirect(entries).endCell();
}

const FIRST_LT = 10;
const FIRST_PARAM = 1000;

/** Signatures of the one that signs alone. */
const signed = (block: MadeBlock, { by }: Trust) => signBlock(block, by, 'ordinary', 1);

/** The key blocks on the way, each as a part of a certificate: made one at a time, so that none is too dear to be made, and once. */
function stepsOf(count: number, trust: Trust): readonly StepPart[] {
  const { by, config, steps } = trust;
  while (steps.length < count) {
    const k = steps.length;
    const block = makeBlock({ seqno: k + 1, signedBy: by, prevKeyBlockSeqno: k, config });
    const next = makeBlock({ seqno: k + 2, signedBy: by, prevKeyBlockSeqno: k + 1 });
    const made = buildCertificate({
      checkpoint: trust.reached,
      proofs: [{ block: block.boc, signatures: signed(block, trust) }],
      signatures: signed(next, trust),
      headerProof: headerProof(next),
      engine: TRUSTING,
    });
    trust.reached = checkpointFromKeyBlock(block.boc, block.id);
    steps.push(partsOf(made).parts.steps[1]!); // the first is where it starts
  }
  return steps.slice(0, count);
}

/** A certificate that begins where trust does. */
function stepOnly(trust: Trust): Certificate {
  const block = makeBlock({ seqno: 1, signedBy: trust.by, prevKeyBlockSeqno: 0 });
  return buildCertificate({
    checkpoint: trust.checkpoint,
    signatures: signed(block, trust),
    headerProof: headerProof(block),
    engine: TRUSTING,
  });
}

function checkpointOfStep(count: number, { by, config }: Trust): Checkpoint {
  const { boc, id } = makeBlock({ seqno: count, signedBy: by, prevKeyBlockSeqno: count - 1, config });
  return checkpointFromKeyBlock(boc, id);
}

interface Made {
  readonly input: CertificateInput;
  readonly block: MadeBlock;
  /** All facts, each proof and each transaction read once. */
  readonly parts: readonly FactParts[];
}

/** What a certificate of such a block is made of: as a maker is asked for it, where that is for parameters only, and in parts. */
export function inputOf(content: Content): Made {
  const { transactions = [], asked = [], params = [], validators = 4, steps = 0, links } = content;
  const trust = trustOf(validators);
  const listed =
    transactions.length === 0
      ? [{ lt: 1n, cell: beginCell().endCell() }]
      : transactions.map((cell, k) => ({ lt: BigInt(FIRST_LT + k), cell }));
  const value = accountBlock(ADDRESS, listed, beginCell().storeUint(1, 8).endCell());
  const accountBlocks = dictionaryOrNone([{ key: BigInt(`0x${ADDRESS.toString('hex')}`), value }], 256, 5);
  const ltRange = [1n, BigInt(FIRST_LT + Math.max(transactions.length, asked.length) + 1)] as const;
  const config = params.length === 0 ? undefined : configWith(trust.config, params);
  const form = { seqno: steps + 1, signedBy: trust.by, prevKeyBlockSeqno: steps, ...(config && { config }) };
  let holder: MadeBlock;
  let block: MadeBlock;
  let way: readonly Cell[] | undefined;
  if (links === undefined) {
    block = makeBlock({ ...form, accountBlocks, ltRange });
    holder = block;
  } else {
    const shard = { signedBy: trust.by, prevKeyBlockSeqno: 0, shard: WHOLE };
    holder = makeBlock({ ...shard, seqno: 10, accountBlocks, ltRange });
    const blocks = [holder];
    for (const k of upTo(links)) blocks.push(makeBlock({ ...shard, seqno: 11 + k, previous: [blocks[k]!.id] }));
    const hashes = shardHashes(leafOf(blocks.at(-1)!.id));
    block = makeBlock({ ...form, shardHashes: hashes });
    const list = proofShowing(block.root, [customOf(block), ...everyCell(hashes)]);
    const down = [list, ...blocks.slice(1).reverse().map(prevProof)];
    way = down.map((given) => openBlock(given, 'way').root);
  }
  const proof = wholeProof(holder.root);
  const place = { workchain: links === undefined ? -1 : 0, address: Uint8Array.from(ADDRESS) };
  const facts: FactInput[] = [];
  for (const k of params.keys()) {
    facts.push({ kind: 'config', param: FIRST_PARAM + k, answer: { mode: 0x8000, configProof: proof } });
  }
  const { root } = openBlock(proof, 'proof');
  const read = new Map<number, Cell>();
  const transactionAt = (k: number) => {
    const cell = read.get(k) ?? parseSingleRoot(bocOf(transactions[k]!));
    read.set(k, cell);
    return cell;
  };
  const down = way === undefined ? undefined : { by: 'links' as const, proofs: way };
  const parts: FactParts[] = asked.map(([k, index]) => {
    const lt = BigInt(FIRST_LT + k);
    const common = { account: place, lt, way: down, block: root };
    if (k >= transactions.length) return { kind: 'absent-transaction', ...common, transaction: undefined };
    const transaction = transactionAt(k);
    if (index === undefined) return { kind: 'transaction', ...common, transaction };
    return { kind: 'message', ...common, transaction, index };
  });
  for (const k of params.keys()) parts.push({ kind: 'config', param: FIRST_PARAM + k, proof: root });
  const last = { signatures: signed(block, trust), headerProof: links === undefined ? proof : headerProof(block) }; // the maker cuts it
  return { input: { checkpoint: trust.checkpoint, ...last, facts }, block, parts };
}

/** The bytes of a certificate of such a block, whether its reader takes it or not. */
export function certificateOf(content: Content): Uint8Array {
  const { input, block, parts: below } = inputOf(content);
  const { steps: count = 0, validators = 4 } = content;
  const steps = stepsOf(count, trustOf(validators));
  const last = count === 0 ? undefined : checkpointOfStep(count, trustOf(validators));
  const { facts: _facts, ...rest } = input;
  const { parts } = partsOf(buildCertificate({ ...rest, checkpoint: last ?? rest.checkpoint, engine: TRUSTING }));
  const holder = factsOf(assumeFinal(block.id));
  const read = below.map((part) => readProofs(part, holder, 'facts').part);
  const proofs: Cell[] = [];
  for (const part of read) mapProofs(part, (proof) => proofs[proofs.push(proof) - 1]!);
  const cut = cutProofs(proofs);
  const made = read.map((part) => mapProofs(part, (proof) => cut.get(proof)!));
  const start = count === 0 ? parts : partsOf(stepOnly(trustOf(validators))).parts;
  return writeBoc(certificateCell({ ...parts, anchor: start.anchor, steps: [start.steps[0]!, ...steps], facts: made }));
}

const leaf = (k: number) => beginCell().storeUint(k, 32).storeUint(0, 320).endCell();
const upTo = (count: number) => Array.from({ length: count }, (_, k) => k);

/** Contents as people send them: some forty bytes a cell. */
function contents(first: number, cells: number): CoreCell {
  let cell = leaf(first);
  for (let k = 1; k < cells; k++) {
    const builder = beginCell().storeUint(first, 32).storeUint(k, 32).storeUint(0, 256);
    cell = builder.storeRef(cell).endCell();
  }
  return cell;
}

/** What anybody might want: transactions with messages of their own, each asked for, then a message of each. */
const honest = {
  transactions: (n: number): Content => ({
    transactions: upTo(Math.min(n, 1024)).map((k) =>
      transaction(FIRST_LT + k, [message(2 * k, leaf(k), true), message(2 * k + 1, leaf(k), false)]),
    ),
    asked: upTo(Math.min(n, 128)).flatMap((k) => [[k], [k, 0]] as const),
  }),
  'transactions that say much': (n: number): Content => ({
    transactions: upTo(128).map((k) =>
      transaction(FIRST_LT + k, [message(k, contents(k << 16, Math.ceil(n / 16)), false)]),
    ),
    asked: upTo(128).flatMap((k) => [[k], [k, 0]] as const),
  }),
  messages: (n: number): Content => ({
    transactions: [
      transaction(
        FIRST_LT,
        upTo(Math.min(n, 255)).map((k) => message(k, contents(k << 16, Math.ceil(n / 255)), true)),
      ),
    ],
    asked: upTo(Math.min(n, 255)).map((k) => [0, k] as const),
  }),
  params: (n: number): Content => ({
    params: upTo(Math.min(n, 200)).map((k) => treeOf(Math.max(1 + (k % 64), n / 200), n > 200 ? k << 16 : 0)),
  }),
  'key blocks': (n: number): Content => ({ steps: Math.min(n, 255), params: [leaf(0)] }),
};

/** A parameter that makes a block so large: 60 bytes a leaf. */
const bulk = (leaves: number) => treeOf(Math.max(1, leaves));

/** Cells that are shared as much as can be, or as small. @param n how large @param facts how many */
const dear = {
  'messages that are one cell': (n: number, facts: number): Content => ({
    transactions: [transaction(FIRST_LT, Array<CoreCell>(4096).fill(message(0, treeOf(n), false)))],
    asked: upTo(facts).map((k) => [0, k] as const),
  }),
  'transactions that have one list': (n: number, facts: number): Content => {
    const count = Math.min(4096, 16 * n);
    const list = messageList(Array<CoreCell>(count).fill(message(0, leaf(0), true)));
    return {
      transactions: upTo(facts).map((k) => transaction(FIRST_LT + k, { list, count })),
      asked: upTo(facts).map((k) => [k, 0] as const),
    };
  },
  'bodies that are one tree': (n: number, facts: number): Content => {
    const body = beginCell().storeRef(treeOf(n)).endCell();
    return {
      transactions: [
        transaction(
          FIRST_LT,
          upTo(facts).map((k) => message(k, body, true)),
        ),
      ],
      asked: upTo(facts).map((k) => [0, k] as const),
    };
  },
  'bodies that are one tree of small cells': (n: number, facts: number): Content => {
    const body = beginCell().storeRef(smallCells(n)).endCell();
    return {
      transactions: [
        transaction(
          FIRST_LT,
          upTo(facts).map((k) => message(k, body, true)),
        ),
      ],
      asked: upTo(facts).map((k) => [0, k] as const),
    };
  },
  'parameters that are one tree': (n: number, facts: number): Content => ({
    params: Array<CoreCell>(facts).fill(treeOf(n)),
  }),
  'parameters that are one tree of small cells': (n: number, facts: number): Content => ({
    params: Array<CoreCell>(facts).fill(smallCells(n)),
  }),
  'parameters of cells without a bit': (n: number, facts: number): Content => ({
    params: Array<CoreCell>(facts).fill(emptyCells(Math.ceil(Math.sqrt(n)))),
  }),
  'key blocks of one large set': (n: number, facts: number): Content => ({
    validators: 4 * n,
    steps: Math.min(facts, Math.max(4, Math.floor(2048 / n))),
    params: [leaf(0)],
  }),
  'shard blocks of one way': (n: number, facts: number): Content => ({
    links: 63,
    transactions: [transaction(FIRST_LT, [message(0, bulk(n), false)])],
    asked: upTo(facts).map((k) => [k] as const),
  }),
  'many transactions at the end of one way': (n: number, facts: number): Content => ({
    links: Math.min(n, 63),
    transactions: upTo(facts).map((k) =>
      transaction(FIRST_LT + k, [message(k, bulk(Math.min(n, 100_000) / facts), true)]),
    ),
    asked: upTo(facts).map((k) => [k] as const),
  }),
};

export const HONEST = Object.keys(honest) as readonly (keyof typeof honest)[];
export const DEAR = Object.keys(dear) as readonly (keyof typeof dear)[];

export function honestCertificate(shape: keyof typeof honest, n: number): Uint8Array {
  return certificateOf(honest[shape](n));
}

export function dearCertificate(shape: keyof typeof dear, n: number, facts: number): Uint8Array {
  return certificateOf(dear[shape](n, facts));
}

/** What a certificate takes beside its signature checks: cells hashed, then whatever its reader did until it was done or refused. */
export function workTaken(bytes: Uint8Array): { readonly work: number; readonly isTaken: boolean } {
  const certificate = parseCertificate(bytes);
  const { parts } = partsOf(certificate);
  const { proof } = parts.last;
  const most = workOfParts(parts).left;
  let left = most;
  let least = most;
  const meter: WorkMeter = {
    ...workOfParts(parts),
    get left() {
      return left;
    },
    set left(value) {
      left = value;
      least = Math.min(least, value);
    },
  };
  let isTaken = true;
  try {
    judgeCertificate(certificate, { anchor: certificate.anchor, engine: TRUSTING }, meter);
  } catch (error) {
    if (!(error instanceof CertificateError) || error.code !== 'cert/too-large') throw error;
    isTaken = false;
  }
  return { work: (HASH_COST * tableOf(proof).hashes.length) / HASH_BYTES + most - Math.max(least, 0), isTaken };
}

/** A certificate of about a size, or as large as it gets: no bag has more than so many cells. @param make from how large it shall be */
export function ofSize(bytes: number, make: (n: number) => Uint8Array): Uint8Array {
  let [n, best, most] = [1, make(1), Number.POSITIVE_INFINITY];
  for (let k = 0; k < 7 && best.length < 0.9 * bytes; k++) {
    const wanted = Math.ceil(n * Math.min(16, Math.max(1.1, bytes / best.length)));
    const next = wanted < most ? wanted : Math.floor((n + most) / 2);
    try {
      const made = make(next);
      if (made.length === best.length && k > 0) break; // it grows no further
      [n, best] = [next, made];
    } catch (error) {
      if (!(error instanceof DecodeError) || error.code !== 'decode/too-large') throw error;
      most = next;
    }
  }
  return best;
}

/** Microseconds of the processor that a certificate takes a byte, beside its signature checks. */
function cpuPerByte(bytes: Uint8Array): number {
  const before = process.cpuUsage();
  workTaken(bytes);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / bytes.length;
}

/** How often a certificate takes what others take a byte, on average over them: each the least of a few, one after the other. */
export function cpuRatio(bytes: Uint8Array, others: readonly Uint8Array[], rounds = 5): number {
  const all = [bytes, ...others];
  const least = all.map(() => Number.POSITIVE_INFINITY);
  for (let k = 0; k < rounds; k++)
    for (const [at, one] of all.entries()) least[at] = Math.min(least[at]!, cpuPerByte(one));
  const [own, ...rest] = least as [number, ...number[]];
  return (own * rest.length) / rest.reduce((sum, one) => sum + one, 0);
}
