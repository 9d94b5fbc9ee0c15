/** Reads blocks from files: a folder of answers and blocks, one list of answers, or a file of lines. */
import { stat } from 'node:fs/promises';
import { badArgument } from '../../core/base/arguments.ts';
import { equalBytes } from '../../core/base/bytes.ts';
import { FinalityError, TrustError } from '../../core/base/errors.ts';
import { requireAtMost } from '../../core/base/json-structure.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { parseSignatureList, type SignatureList } from '../../core/block/signature-list.ts';
import { readParent } from '../../core/chain/ancestor.ts';
import { verifyHeader } from '../../core/chain/block-header.ts';
import { badFile, cannotRead } from '../files/system-error.ts';
import { namingFile, withFileName } from '../files/with-file-name.ts';
import {
  type AnswerPlace,
  type FolderIndex,
  indexFile,
  indexFolder,
  nameOf,
  readAnswers,
  readProof,
  tooLarge,
  twoBlocks,
} from './answer-folder.ts';
import { type AnswerLine, type BadLine, readAnswerLines } from './answer-lines.ts';
import {
  type AuditRange,
  type AuditSource,
  type BlockGetter,
  type FetchedBlock,
  passOver,
  resultOrRefusal,
  unlessRefused,
} from './audit-source.ts';
import { headerIn, saysKeyBlock } from './block-items.ts';
import type { HeaderOfRow } from './report-to-row.ts';
import { UnnumberedEntries, Unreadable } from './unreadable.ts';

/** A proof of a header, and where it is. */
interface PlacedProof {
  readonly proof: Uint8Array;
  readonly place: string;
}

/**
 * Returns the header of a block, from the first proof that shows it; `undefined` if there are no proofs.
 * @throws the error of the last proof if none shows the block: the user put them there for this block
 */
function headerFrom(proofs: readonly PlacedProof[], id: BlockIdExt): HeaderOfRow | undefined {
  let fault: FinalityError | undefined;
  for (const { proof, place } of proofs) {
    const header = resultOrRefusal(() => verifyHeader(proof, id));
    // A proof that was kept for its header may not show the previous block.
    if (!(header instanceof FinalityError))
      return { header, parent: unlessRefused(() => readParent(proof, id).parent) };
    fault = otherBlock(id.seqno, proof, place) ?? namingFile(place, header); // a later proof may be the right one
  }
  if (fault !== undefined) throw fault;
  return undefined;
}

/** Makes the error of a proof that shows the header of a different number; `undefined` for any other proof. */
function otherBlock(seqno: number, proof: Uint8Array, path: string): TrustError | undefined {
  const got = headerIn(proof)?.seqno;
  if (got === undefined || got === seqno) return undefined;
  const hint = 'remove the file, or give it the number of its block';
  return new TrustError('trust/header', `expected the header of block ${seqno}, got that of block ${got}`, {
    path,
    hint,
  });
}

function fetched(signatures: SignatureList, placed: readonly PlacedProof[], from: string): FetchedBlock {
  const known = headerFrom(placed, signatures.blockId);
  const proofs = placed.map(({ proof }) => proof);
  return { signatures, ...(known === undefined ? {} : { known }), proofs, from };
}

/** Most files with different contents that may prove something about one block. */
const MAX_PROOFS = 16;

/** Serves the blocks of a folder, or of one JSON file. */
function indexGetter(path: string, { answers, proofs, unreadable }: FolderIndex, range: AuditRange): BlockGetter {
  let kept: { readonly file: string; readonly list: Promise<unknown> } | undefined;
  /** Reads an answer. The list that was read last is kept, so that a file with many answers is read once. */
  const answerAt = async ({ file, at }: AnswerPlace): Promise<unknown> => {
    if (at === undefined) return await readAnswers(file);
    if (kept?.file !== file) kept = { file, list: readAnswers(file) };
    const list = await kept.list;
    return Array.isArray(list) ? list[at] : undefined;
  };
  /** Reads the proofs of a block, and one more than there may be. A copy of a file counts once. */
  const proofsAt = async (seqno: number): Promise<readonly PlacedProof[]> => {
    const read: PlacedProof[] = [];
    for (const place of proofs.get(seqno) ?? []) {
      const proof = await readProof(place);
      if (proof === undefined || read.some((one) => equalBytes(one.proof, proof))) continue;
      if (read.push({ proof, place }) > MAX_PROOFS) break;
    }
    return read;
  };
  const signed = async (seqno: number): Promise<FetchedBlock> => {
    const { place, other } = answers.get(seqno) ?? {};
    if (place === undefined) throw unreadable.missingBlock(seqno, path);
    if (other !== undefined) throw twoBlocks(seqno, nameOf(place), nameOf(other));
    const own = await proofsAt(seqno);
    requireAtMost(MAX_PROOFS, own.length, `${path}: block ${seqno}`, ' different .boc files');
    if (own.length === 0) {
      const [first] = proofs.get(seqno) ?? [];
      if (first !== undefined) throw tooLarge(first);
      if (unreadable.proofs !== undefined) throw unreadable.proofs.first; // it may be of this block
    }
    const answer = await answerAt(place);
    const signatures = withFileName(nameOf(place), () => parseSignatureList(answer));
    if (signatures.blockId.seqno !== seqno) throw unreadable.missingBlock(seqno, place.file); // the file has changed
    return fetched(signatures, own, place.file);
  };
  return {
    ahead: 8,
    signed,
    async proofs(seqno) {
      return (await proofsAt(seqno)).map(({ proof }) => proof);
    },
    async *keyBlocks() {
      const within = [...proofs.keys()].filter(
        (seqno) => seqno >= range.from && seqno <= range.to && answers.has(seqno),
      );
      for (const seqno of within.sort((a, b) => a - b)) {
        const isKeyBlock = (await proofsAt(seqno)).some(({ proof }) => saysKeyBlock(proof, seqno));
        const block = isKeyBlock ? await signed(seqno).catch(passOver) : undefined; // what cannot be read moves trust nowhere
        if (block !== undefined) yield block;
      }
    },
  };
}

/** Reads lines once, in order, and holds the lines that may still be asked for. */
function linesGetter(file: string, range: AuditRange): BlockGetter {
  const lines = readAnswerLines(file);
  const held = new Map<number, AnswerLine | BadLine>();
  const unreadable = new Unreadable();
  const unnumbered = new UnnumberedEntries<BadLine>();
  let isOver = false;
  let turn: Promise<unknown> = Promise.resolve();

  function blame(next: number): void {
    for (const [seqno, line] of unnumbered.takeUpTo(next)) if (seqno >= range.from) held.set(seqno, line);
  }

  /** Reads the line after a block too: it may have a different block under the same number. */
  async function readTo(seqno: number): Promise<void> {
    while ((unnumbered.lastSeqno ?? -1) <= seqno && !isOver) {
      const { done, value: line } = await lines.next();
      if (done === true) {
        if (unnumbered.lastSeqno !== undefined) blame(range.to + 1);
        isOver = true;
        return;
      }
      const next = line.id?.seqno;
      const isSecond = next !== undefined && next === unnumbered.lastSeqno;
      if ('makeError' in line && !isSecond) unreadable.add(line.makeError);
      if ('makeError' in line && next === undefined) unnumbered.add(line);
      if (next !== undefined && !isSecond) blame(next);
      if (next !== undefined && next >= range.from) held.set(next, line);
    }
  }

  async function lineAt(seqno: number): Promise<AnswerLine | undefined> {
    const mine = turn.then(() => readTo(seqno));
    turn = mine.catch(() => {}); // each caller sees the error
    await mine;
    const line = held.get(seqno);
    if (line !== undefined && 'makeError' in line) throw line.makeError();
    return line;
  }

  return {
    ahead: 1,
    async signed(seqno) {
      const line = await lineAt(seqno);
      if (line === undefined) {
        const next = [...held.keys()].find((key) => key > seqno); // they are in order
        const place = next === undefined ? file : `${file} (read in order, block ${next} is next)`;
        throw unreadable.missingBlock(seqno, place);
      }
      const { signatures, proof, place } = line;
      return fetched(signatures, proof === undefined ? [] : [{ proof, place }], place);
    },
    async proofs(seqno) {
      const proof = (await lineAt(seqno))?.proof;
      return proof === undefined ? [] : [proof];
    },
    release(seqno) {
      for (const key of held.keys()) if (key <= seqno) held.delete(key);
    },
    async *keyBlocks() {
      let block: FetchedBlock | undefined;
      for await (const line of readAnswerLines(file)) {
        const seqno = line.id?.seqno;
        if (seqno === undefined || seqno < range.from) continue;
        // The next number shows that no different block has the number of this one.
        if (block !== undefined && block.signatures.blockId.seqno !== seqno) yield block;
        block = undefined;
        if (seqno > range.to) return;
        if ('makeError' in line || line.proof === undefined) continue;
        const { proof, signatures, place } = line;
        if (saysKeyBlock(proof, seqno)) block = unlessRefused(() => fetched(signatures, [{ proof, place }], place));
      }
      if (block !== undefined) yield block;
    },
    async close() {
      await lines.return(undefined);
    },
  };
}

/** @throws UsageError if it cannot be read */
export async function statSource(path: string): Promise<{ isDirectory(): boolean; isFile(): boolean }> {
  return await stat(path).catch((cause: unknown) => {
    throw cannotRead(path, cause);
  });
}

/**
 * Creates an audit source over files.
 * @param path a file or a folder, which is searched with all folders below it:
 * - in a folder, `.json` files have answers of getMasterchainBlockSignatures, one or a list
 * - in a folder, `.boc` files have blocks or proofs of headers, at most 16 different ones for each block, with the seqno in the path or the header
 * - a `.json` file has one answer or a list
 * - any other file has lines in order of seqno, each an answer or `{ "answer": …, "block": base64 }`
 * @returns a source for `blocks` of an audit; the files are read when the audit runs
 * @throws UsageError for anything but a path
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { parseValidatorSet } from 'ton-finality';
 * import { auditFiles, auditRange } from 'ton-finality/audit';
 * import { opensslEngine } from 'ton-finality/node';
 * import { simplexSample } from 'ton-finality/sample';
 * writeFileSync('answers.json', JSON.stringify(simplexSample.signatures));
 * const trust = { validators: parseValidatorSet(simplexSample.validators), engine: opensslEngine };
 * const blocks = auditFiles('answers.json');
 * for await (const row of auditRange({ from: 59379986, to: 59379986, blocks, ...trust })) {
 *   if (row.type !== 'block') continue;
 *   console.log(row.verdict.status); // final
 * }
 * ```
 */
export function auditFiles(path: string): AuditSource {
  if (typeof path !== 'string' || path === '') throw badArgument('path', 'the path of a file or folder', path);
  let skipped: AuditSource['skipped'];
  return Object.freeze({
    name: path,
    bindsIds: true,
    get skipped() {
      return skipped;
    },
    async open(range: AuditRange) {
      const found = await statSource(path);
      if (found.isDirectory()) {
        const index = await indexFolder(path);
        skipped = index.unreadable.proofs;
        return indexGetter(path, index, range);
      }
      if (!found.isFile()) throw badFile(path, 'expected a folder or a plain file');
      return path.endsWith('.json') ? indexGetter(path, await indexFile(path), range) : linesGetter(path, range);
    },
  });
}
