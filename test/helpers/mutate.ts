/**
 * Damages proofs, blocks and checkpoints in every way a broken or hostile server could, and holds what the library makes
 * of them against what it makes of the original. Seeded: a case is found again by its seed and number.
 */

import {
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  checkpointToJson,
  MAINNET,
  parseCheckpoint,
  verifyBlockProof,
  verifyHeader,
  verifyStoredProof,
} from '../../src/chain.ts';
import { crc32c } from '../../src/core/base/crc32c.ts';
import { FinalityError } from '../../src/core/base/errors.ts';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { parseSignatureList } from '../../src/core/block/signature-list.ts';
import { parseBoc } from '../../src/core/cells/boc.ts';
import { openBlock } from '../../src/core/chain/block-header.ts';
import { findValidatorList } from '../../src/core/chain/find-validator-list.ts';
import { CoreCell, type RawCell, rawCells, seededRandom, writeBoc } from './cells.ts';
import { withCountedReads } from './count-reads.ts';
import {
  blockSignaturesCell,
  committee,
  configCell,
  configProof,
  honestLink,
  makeBlock,
  sha256,
  signBlock,
  storedProof,
  tlForward,
  tlProof,
} from './make-chain.ts';
import { httpJson, realBytes, realJson } from './real.ts';
import { shardLink } from './shard-link.ts';

/** One kind of input and what must not change when it is damaged. */
export interface Target {
  readonly name: string;
  readonly file: Uint8Array;
  /** How often it is picked, against the others. */
  readonly share: number;
  /** A bag of cells: then it is damaged cell by cell too, and its checksum made good again. */
  readonly cells: boolean;
  /** What is accepted, as text. */
  read(file: Uint8Array): string;
}

const text = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'bigint' ? `${one}n` : one instanceof Uint8Array ? Buffer.from(one).toString('hex') : one,
  );

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Text that is no JSON is refused before the library is asked. */
function parseJson(file: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(file));
  } catch {
    return undefined;
  }
}

export const idOfJson = (id: Record<string, string | number>): BlockIdExt => ({
  workchain: Number(id.workchain),
  shard: BigInt(id.shard!),
  seqno: Number(id.seqno),
  rootHash: Uint8Array.from(Buffer.from(String(id.root_hash), 'base64')),
  fileHash: Uint8Array.from(Buffer.from(String(id.file_hash), 'base64')),
});

export function makeTargets(): readonly Target[] {
  const [a, b, c] = [committee('a'), committee('b'), committee('c')];
  const key100 = makeBlock({ seqno: 100, signedBy: c, prevKeyBlockSeqno: 50, config: configCell({ elected: a }) });
  const key200 = makeBlock({ seqno: 200, signedBy: a, prevKeyBlockSeqno: 100, config: configCell({ elected: b }) });
  const block150 = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100 });
  const block250 = makeBlock({ seqno: 250, signedBy: b, prevKeyBlockSeqno: 200 });
  const start = checkpointFromKeyBlock(key100.boc, key100.id);
  const walked = (from: BlockIdExt) => (file: Uint8Array) => {
    const { tip, checkpoint, reports } = verifyBlockProof(file, from);
    return text([tip, checkpointToJson(checkpoint), reports.map(({ verdict }) => verdict)]);
  };
  const stored = (kind: 'ordinary' | 'simplex') =>
    storedProof(block150, blockSignaturesCell(block150, signBlock(block150, a, kind), 40n));
  const genesis = checkpointFromZerostate(realBytes('mainnet-genesis/zerostate.boc'), MAINNET.zerostate);
  const realProof = 'mainnet-2025-04/block-46897112/config-proof.boc';
  const realId = (path: string) => parseSignatureList(realJson(`${path}/signatures.json`)).blockId;
  const readStored = (file: Uint8Array) => {
    const { coverage, verdict } = verifyStoredProof(file, genesis);
    return text([coverage, verdict]);
  };
  const shard = httpJson('v2-getShardBlockProof-python-39984096.json') as { result: { from: Record<string, string> } };
  const shardFrom = idOfJson(shard.result.from);
  const genesisBlock = 'mainnet-genesis/block-1';
  return [
    {
      name: 'proof answer, two made links',
      file: tlProof(key100.id, block250.id, [
        tlForward(honestLink(key100, key200)),
        tlForward(honestLink(key200, block250, 'simplex')),
      ]),
      share: 30,
      cells: false,
      read: walked(key100.id),
    },
    {
      name: 'proof answer, three recorded links',
      file: realBytes('mainnet-2025-04/partial-block-proof.tl'),
      share: 1,
      cells: false,
      read: walked(MAINNET.initBlock),
    },
    {
      name: 'config proof, made',
      file: configProof(key100),
      share: 30,
      cells: true,
      read: (file) => text(checkpointToJson(checkpointFromKeyBlock(file, key100.id))),
    },
    {
      name: 'config proof, recorded',
      file: realBytes(realProof),
      share: 2,
      cells: true,
      read: (file) => text(checkpointToJson(checkpointFromKeyBlock(file, MAINNET.initBlock))),
    },
    {
      name: 'key block, whole',
      file: key200.boc,
      share: 20,
      cells: true,
      read: (file) => text(checkpointToJson(checkpointFromKeyBlock(file, key200.id))),
    },
    {
      name: 'zerostate, recorded',
      file: realBytes('mainnet-genesis/zerostate.boc'),
      share: 6,
      cells: true,
      read: (file) => text(checkpointToJson(checkpointFromZerostate(file, MAINNET.zerostate))),
    },
    {
      name: 'stored proof, made, ordinary',
      file: stored('ordinary'),
      share: 20,
      cells: true,
      read: (file) => text(verifyStoredProof(file, start).coverage),
    },
    {
      name: 'stored proof, made, simplex',
      file: stored('simplex'),
      share: 20,
      cells: true,
      read: (file) => text(verifyStoredProof(file, start).coverage),
    },
    {
      name: 'stored proof, recorded',
      file: realBytes(`${genesisBlock}/block-proof.boc`),
      share: 20,
      cells: true,
      read: readStored,
    },
    {
      name: 'block, recorded',
      file: realBytes(`${genesisBlock}/block.boc`),
      share: 6,
      cells: true,
      read: (file) => text(verifyHeader(file, realId(genesisBlock))),
    },
    {
      name: 'checkpoint file',
      file: encoder.encode(JSON.stringify(checkpointToJson(start))),
      share: 20,
      cells: false,
      read: (file) => text(checkpointToJson(parseCheckpoint(parseJson(file)))),
    },
    {
      name: 'shard proof, recorded',
      file: encoder.encode(JSON.stringify(shard)),
      share: 10,
      cells: false,
      read: (file) => text(shardLink(parseJson(file), shardFrom)),
    },
    {
      // No pin: whatever is accepted is what the cells say. It must be a value or a typed error.
      name: 'configuration of any kind, unpinned',
      file: configProof(key100),
      share: 25,
      cells: true,
      read: (file) => {
        findValidatorList(file);
        return '';
      },
    },
    {
      // Pinned to whatever it hashes to: the damage gets past every hash, down to the readers of cells.
      name: 'key block, pinned to itself',
      file: key200.boc,
      share: 25,
      cells: true,
      read: (file) => {
        const rootHash = openBlock(file, 'block').root.hash(0);
        checkpointFromKeyBlock(file, { ...key200.id, rootHash, fileHash: sha256(file) });
        return '';
      },
    },
    {
      name: 'zerostate, pinned to itself',
      file: realBytes('mainnet-genesis/zerostate.boc'),
      share: 10,
      cells: true,
      read: (file) => {
        const rootHash = openBlock(file, 'zerostate').root.hash(0);
        checkpointFromZerostate(file, { ...MAINNET.zerostate, rootHash, fileHash: sha256(file) });
        return '';
      },
    },
    {
      name: 'cells of any kind, unpinned',
      file: realBytes(`${genesisBlock}/block-proof.boc`),
      share: 20,
      cells: true,
      read: (file) => {
        for (const root of parseBoc(file)) root.hash();
        return '';
      },
    },
  ];
}

type Random = () => number;
const pick = (random: Random, below: number) => Math.floor(random() * below);

/** The checksum that the header asks for, made good again, so that damage gets past it. */
function fixChecksum(file: Uint8Array): Uint8Array {
  const hasCrc = file.length > 10 && file[0] === 0xb5 && file[1] === 0xee && (file[4]! & 0x40) !== 0;
  if (!hasCrc) return file;
  new DataView(file.buffer).setUint32(file.length - 4, crc32c(file, 0, file.length - 4), true);
  return file;
}

function flipBits(file: Uint8Array, random: Random): Uint8Array {
  const changed = Uint8Array.from(file);
  for (let count = 1 + pick(random, 6); count > 0; count--) {
    const bit = pick(random, changed.length * 8);
    changed[bit >> 3]! ^= 1 << (bit & 7);
  }
  return changed;
}

function cut(file: Uint8Array, random: Random): Uint8Array {
  const from = pick(random, file.length);
  if (random() < 0.5) return file.slice(0, from);
  const to = from + 1 + pick(random, Math.min(64, file.length - from));
  return Uint8Array.from(Buffer.concat([file.subarray(0, from), file.subarray(to)]));
}

/** A piece of some file over, or between, a place of another. */
function splice(file: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const from = pick(random, other.length);
  const piece = other.subarray(from, from + 1 + pick(random, 128));
  const at = pick(random, file.length);
  const over = random() < 0.5 ? piece.length : 0;
  const tail = file.subarray(Math.min(file.length, at + over));
  const joined = new Uint8Array(at + piece.length + tail.length);
  joined.set(file.subarray(0, at));
  joined.set(piece, at);
  joined.set(tail, at + piece.length);
  return joined;
}

const rawOf = new Map<Uint8Array, readonly RawCell[]>();

/** Cells doubled, exchanged, retyped, cut off or pointed elsewhere, in a bag that is well formed around them. */
function shuffleCells(file: Uint8Array, random: Random): Uint8Array {
  let original = rawOf.get(file);
  if (original === undefined) {
    original = rawCells(CoreCell.fromBoc(Buffer.from(file)));
    rawOf.set(file, original);
  }
  const cells = original.map((cell) => ({ ...cell, refs: [...cell.refs] }));
  for (let count = 1 + pick(random, 3); count > 0; count--) {
    const at = pick(random, cells.length);
    const cell = cells[at]!;
    const other = cells[pick(random, cells.length)]!;
    switch (pick(random, 7)) {
      case 0: // the same cell twice
        cells.push({ ...cell, refs: [...cell.refs] });
        for (const one of cells)
          if (random() < 0.2) one.refs = one.refs.map((ref) => (ref === at ? cells.length - 1 : ref));
        break;
      case 1: // another cell's contents
        Object.assign(cell, { ...other, refs: cell.refs, d1: (other.d1 & ~7) | cell.refs.length });
        break;
      case 2: // a reference elsewhere
        if (cell.refs.length > 0) cell.refs[pick(random, cell.refs.length)] = pick(random, cells.length);
        break;
      case 3: // ordinary to exotic or back
        cell.d1 ^= 8;
        break;
      case 4: // another level
        cell.d1 ^= 32 << pick(random, 3);
        break;
      case 5: // one reference less
        if (cell.refs.length > 0) {
          cell.refs.pop();
          cell.d1--;
        }
        break;
      default: // one bit of data
        if (cell.data.length > 0) {
          cell.data = Uint8Array.from(cell.data);
          cell.data[pick(random, cell.data.length)]! ^= 1 << pick(random, 8);
        }
    }
  }
  return writeBoc(cells, { refSize: 2, offsetSize: 4, crc: random() < 0.5 });
}

/** What came of some cases. */
export interface FuzzResult {
  cases: number;
  accepted: number;
  refused: Map<string, number>;
  /** By one case, from cells and from TL. */
  mostReads: number;
  mostBytes: number;
  /** Everything that must not happen, with the number of its case. */
  readonly failures: string[];
}

/** Some five times what the dearest of thousands of cases takes. */
const MAX_READS = 100_000;
const MAX_BYTES = 64 * 1024 * 1024;

interface Verdict {
  readonly outcome: string;
  readonly reads: number;
  readonly bytes: number;
}

function judge(target: Target, file: Uint8Array, expected: string, reads: () => number): Verdict {
  const before = process.memoryUsage();
  const readBefore = reads();
  let outcome: string;
  try {
    outcome = target.read(file) === expected ? 'accepted' : 'ACCEPTED WITH ANOTHER MEANING';
  } catch (error) {
    outcome = error instanceof FinalityError ? error.code : `CRASH ${String(error)}`;
  }
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.external - before.heapUsed - before.external;
  return { outcome, reads: reads() - readBefore, bytes };
}

/** Runs `count` cases. */
export function fuzzChain(count: number, seed: number, targets: readonly Target[] = makeTargets()): FuzzResult {
  return withCountedReads((reads) => fuzzCounted(count, seed, targets, reads));
}

function fuzzCounted(count: number, seed: number, targets: readonly Target[], reads: () => number): FuzzResult {
  const random = seededRandom(seed);
  const expected = targets.map((target) => target.read(target.file));
  const shares = targets.flatMap(({ share }, index) => new Array<number>(share).fill(index));
  const result: FuzzResult = { cases: 0, accepted: 0, refused: new Map(), mostReads: 0, mostBytes: 0, failures: [] };
  for (let number = 0; number < count; number++) {
    const index = shares[pick(random, shares.length)]!;
    const target = targets[index]!;
    const roll = random();
    const other = targets[pick(random, targets.length)]!.file;
    let file: Uint8Array;
    if (target.cells && roll < 0.5) file = shuffleCells(target.file, random);
    else if (roll < 0.75) file = flipBits(target.file, random);
    else if (roll < 0.87) file = cut(target.file, random);
    else file = splice(target.file, other, random);
    if (target.cells && random() < 0.8) file = fixChecksum(file);
    const { outcome, bytes, ...work } = judge(target, file, expected[index]!, reads);
    result.cases++;
    result.mostReads = Math.max(result.mostReads, work.reads);
    result.mostBytes = Math.max(result.mostBytes, bytes);
    if (outcome === 'accepted') result.accepted++;
    else result.refused.set(outcome, (result.refused.get(outcome) ?? 0) + 1);
    const failed = (what: string) => result.failures.push(`case ${number} of seed ${seed}, ${target.name}: ${what}`);
    if (/^[A-Z]/.test(outcome)) failed(outcome);
    if (work.reads > MAX_READS) failed(`${work.reads} reads`);
    if (bytes > MAX_BYTES) failed(`${bytes} bytes`);
  }
  return result;
}
