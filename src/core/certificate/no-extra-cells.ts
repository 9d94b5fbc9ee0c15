/**
 * Requires every cell of a proof in a certificate to be necessary: it was opened while the proof was read, or is a
 * border. A certificate therefore carries nothing unread, and equal facts have equal proofs.
 */

import { equalBytes } from '../base/bytes.ts';
import { HASH_BYTES } from '../base/limits.ts';
import {
  type Cell,
  type CellTable,
  hashNumber,
  MERKLE_UPDATE,
  ORDINARY,
  PRUNED,
  refIndex,
  tableOf,
  type WorkMeter,
} from '../cells/cell.ts';
import { certError } from './certificate-error.ts';
import { spend, VISIT_COST, workOf } from './work-limit.ts';

/** Forgets which cells were opened, before the next proof is read. */
export function forgetOpened(root: Cell): void {
  tableOf(root).opened.fill(0);
}

/** References of a cell in the low bits of its descriptor. */
function refsOf(table: CellTable, index: number): number {
  return table.descriptor[index]! & 7;
}

/**
 * Marks a whole tree as necessary: the content of a fact. The caller rejects a tree with pruned cells.
 * @throws CertificateError `cert/too-large`
 */
export function markNeeded(root: Cell, path: string, work: WorkMeter = workOf(root)): void {
  const table = tableOf(root);
  const pending = [root.index];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    spend(work, VISIT_COST, path);
    if (table.kind[index] !== ORDINARY || (table.opened[index] === 1 && index !== root.index)) continue;
    table.opened[index] = 1;
    for (let k = 0; k < refsOf(table, index); k++) pending.push(refIndex(table, index, k));
  }
}

/** Slots for each cell of a bag, and how many collisions are free. Honest hashes hardly ever have more collisions. */
const SLOTS_PER_CELL = 4;
const FREE_STEPS = 8;

/**
 * The cells of one bag during the check of its proofs. Each level-0 hash has a number, and the rounds in which it was
 * seen and shown.
 */
function newMarks({ hashes, kind: { length } }: CellTable) {
  return {
    /**
     * Slots by the first bytes of a hash, with the next free slot on a collision. A slot has the place of the first such
     * hash plus one.
     */
    places: new Uint32Array(2 ** Math.ceil(Math.log2(SLOTS_PER_CELL * length))),
    /** Number of a cell's hash: the place of the first equal hash plus one; 0 if it was not looked up yet. */
    number: new Uint32Array(length),
    seen: new Uint32Array(length),
    shown: new Uint32Array(hashes.length / HASH_BYTES + 1),
    round: 0,
  };
}

type Marks = ReturnType<typeof newMarks>;

const marked = new WeakMap<Uint8Array, Marks>(); // keyed by the hashes, which all views of a bag share

function marksOf(table: CellTable): Marks {
  const marks = marked.get(table.hashes) ?? newMarks(table);
  marked.set(table.hashes, marks);
  return marks;
}

/**
 * Finds the number of a cell's hash. A map with the hash as text would take a quarter of the time of a certificate with
 * small cells. An attacker chooses the hash in a pruned branch and can make many with equal first bytes, so collisions
 * count as work.
 */
function numberOf({ places, number }: Marks, table: CellTable, index: number, pay: () => void): number {
  if (number[index] === 0) {
    const own = hashNumber(table, index, 0);
    const hash = hashAt(table, own);
    const last = places.length - 1;
    let slot = ((hash[0]! << 24) | (hash[1]! << 16) | (hash[2]! << 8) | hash[3]!) & last;
    for (let steps = 1; places[slot] !== 0 && !equalBytes(hashAt(table, places[slot]! - 1), hash); steps++) {
      if (steps > FREE_STEPS) pay();
      slot = (slot + 1) & last;
    }
    if (places[slot] === 0) places[slot] = own + 1;
    number[index] = places[slot]!;
  }
  return number[index]!;
}

function hashAt({ hashes }: CellTable, place: number): Uint8Array {
  return hashes.subarray(HASH_BYTES * place, HASH_BYTES * (place + 1));
}

/** The level mask of a pruned branch below a state update. Equal hashes are stored once, so that there is one form. */
function levelsBelowUpdate(table: CellTable, index: number): number {
  const [own, above] = [0, 1].map((level) => hashAt(table, hashNumber(table, index, level)));
  return equalBytes(own!, above!) ? 2 : 3;
}

/**
 * Requires that a proof shows what was opened through it, and nothing else.
 * @param proof a Merkle proof cell
 * @throws CertificateError `cert/unused-cells`, `cert/too-large`
 */
export function requireAllUsed(proof: Cell, path: string, work: WorkMeter = workOf(proof)): void {
  const unused = (message: string) =>
    certError('cert/unused-cells', message, path, 'a certificate may contain no other cell');
  const table = tableOf(proof);
  const { kind, opened, descriptor } = table;
  const marks = marksOf(table);
  const visit = () => spend(work, VISIT_COST, path);
  const { seen, shown } = marks;
  const round = ++marks.round;
  const pruned: number[] = [];
  const pending = [refIndex(table, proof.index, 0)];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    visit();
    if (seen[index] === round) continue;
    seen[index] = round;
    const number = numberOf(marks, table, index, visit);
    if (kind[index] === PRUNED) {
      if (descriptor[index]! >> 5 !== 1) throw unused('a branch that is pruned for another proof');
      pruned.push(number);
      continue;
    }
    if ((kind[index] !== ORDINARY && kind[index] !== MERKLE_UPDATE) || opened[index] !== 1) {
      throw unused('a cell that is not needed');
    }
    shown[number] = round;
    for (let k = 0; k < refsOf(table, index); k++) {
      const child = refIndex(table, index, k);
      if (kind[index] === ORDINARY) pending.push(child);
      else if (kind[child] !== PRUNED || descriptor[child]! >> 5 !== levelsBelowUpdate(table, child)) {
        throw unused('a state below a state update');
      }
    }
  }
  // A cell that is pruned in one place and shown in another would allow several encodings.
  if (pruned.some((number) => shown[number] === round)) throw unused('a cell that is both shown and pruned');
}
