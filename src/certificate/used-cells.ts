/**
 * Every cell of a proof in a certificate is needed: it was opened while the proof was read, or stands for a border. So a
 * certificate carries nothing unread, and equal facts have equal proofs.
 */
import { CertificateError } from '../base/errors.ts';
import { MAX_BOC_CELLS } from '../base/limits.ts';
import { type Cell, tableOf } from '../cells/cell.ts';

/** How many cells may still be looked at. Steps and facts share cells, so without an end a small bag could keep its reader busy for long. */
export interface Visits {
  left: number;
}

/** What all parts of one bag together may take: each cell a few times, and proofs that have most in common. */
export function visitsOf(cell: Cell): Visits {
  return { left: MAX_BOC_CELLS + 4 * tableOf(cell).kind.length };
}

function visit(visits: Visits, path: string): void {
  if (visits.left-- > 0) return;
  throw new CertificateError('cert/too-large', 'steps or facts that share too many cells', { path });
}

/** Forgets which cells were opened, before a proof is read. */
export function forgetOpened(root: Cell): void {
  tableOf(root).opened.fill(0);
}

/**
 * Marks a whole tree as needed: the contents of a fact. A tree that is not whole is for the caller to refuse.
 * @throws CertificateError `cert/too-large`
 */
export function markNeeded(root: Cell, path: string, visits = visitsOf(root)): void {
  const pending = [root];
  const { opened } = tableOf(root);
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    visit(visits, path);
    if (cell.kind !== 'ordinary' || (opened[cell.index] === 1 && cell !== root)) continue;
    opened[cell.index] = 1;
    for (let k = 0; k < cell.refCount; k++) pending.push(cell.ref(k));
  }
}

/** A hash as something that equals itself in a set. */
function nameOf(hash: Uint8Array): string {
  return String.fromCharCode(...hash);
}

/**
 * Requires that a proof shows what was opened since `forgetOpened`, and nothing else.
 * @param proof a Merkle proof cell
 * @throws CertificateError `cert/unused-cells`, `cert/too-large`
 */
export function requireAllUsed(proof: Cell, path: string, visits = visitsOf(proof)): void {
  const unused = (message: string) =>
    new CertificateError('cert/unused-cells', message, { path, hint: 'nothing may be hidden in a certificate' });
  const { opened } = tableOf(proof);
  const seen = new Set<number>();
  const shown = new Set<string>();
  const pruned: string[] = [];
  const pending = [proof.ref(0)];
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    visit(visits, path);
    if (seen.has(cell.index)) continue;
    seen.add(cell.index);
    const name = nameOf(cell.hash(0));
    if (cell.kind === 'pruned') {
      if (cell.levelMask !== 1) throw unused('a branch that is cut off for another proof');
      pruned.push(name);
      continue;
    }
    if ((cell.kind !== 'ordinary' && cell.kind !== 'merkle-update') || opened[cell.index] !== 1) {
      throw unused('a cell that nothing needs');
    }
    shown.add(name);
    for (let k = 0; k < cell.refCount; k++) {
      const child = cell.ref(k);
      if (cell.kind === 'ordinary') pending.push(child);
      else if (child.kind !== 'pruned') throw unused('a state below a state update');
    }
  }
  // What one place cuts off and another shows could be written in several ways.
  if (pruned.some((name) => shown.has(name))) throw unused('a cell that is shown and cut off');
}
