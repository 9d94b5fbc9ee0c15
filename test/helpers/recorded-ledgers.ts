/**
 * Small ledgers, the same each time: one of recorded mainnet blocks, one that has every kind of line and verdict. `npm run
 * vectors` writes them to `vectors/audit`.
 */

import { LedgerCheck, NO_HASH, writeLine } from '../../src/app/audit/ledger-check.ts';
import {
  AUDIT_ROW_SCHEMA,
  type AuditBlock,
  type AuditLine,
  type AuditPlan,
  type AuditSet,
} from '../../src/app/audit/ledger-lines.ts';
import { linkedRow, setLineOf, signedRow } from '../../src/app/audit/report-to-row.ts';
import { type BlockIdJson, blockIdToJson } from '../../src/core/block/block-id-json.ts';
import { parseSignatureList, type SignatureList } from '../../src/core/block/signature-list.ts';
import { readParent } from '../../src/core/chain/ancestor.ts';
import { type ProvenHeader, verifyHeader } from '../../src/core/chain/block-header.ts';
import { parseValidatorSet } from '../../src/core/validators/from-json.ts';
import { validatorListHashShort } from '../../src/core/validators/list-hash-short.ts';
import type { ValidatorSet } from '../../src/core/validators/validator-set.ts';
import { markProven } from '../../src/core/verify/context.ts';
import { verifyBlock } from '../../src/core/verify/verifier.ts';
import { corrupted, makeBlockId, makeSignedSet, withEntries } from './make-block.ts';
import { makeSet, makeSigner, makeSigners } from './make-validators.ts';
import { readVector, readVectorBytes } from './vectors.ts';

/** A first line. */
export function headLine(from: number, to: number, set: ValidatorSet, over: Partial<AuditPlan> = {}): AuditPlan {
  return {
    type: 'audit',
    schema: AUDIT_ROW_SCHEMA,
    from,
    to,
    signEvery: 1,
    policy: { threshold: '2/3', onDefect: 'reject', requireBoundId: false, acceptUnbound: false },
    trust: { kind: 'given', set: setLineOf(set).set },
    ...over,
  };
}

/** The text of a ledger with these lines. */
export function ledgerText(lines: readonly AuditLine[]): string {
  const check = new LedgerCheck('ledger');
  return lines.map((line) => `${check.write(line)}\n`).join('');
}

/** The text of lines that need not agree with each other: only their hashes do. */
export function handMade(lines: readonly object[]): string {
  let before = NO_HASH;
  return lines
    .map((line) => {
      const { hash: _, ...rest } = line as Record<string, unknown>;
      const { text, hash } = writeLine(rest as unknown as AuditLine, before);
      before = hash;
      return `${text}\n`;
    })
    .join('');
}

/** Mainnet blocks 1 to 99; the first ten with proven headers. */
export function genesisLedger(): string {
  const set = parseValidatorSet(readVector('real/mainnet-genesis/validators.json'));
  const answers = readVector<unknown[]>('real/mainnet-genesis/signatures-1-to-99.json');
  const rows = answers.map((answer) => {
    const signatures = parseSignatureList(answer);
    const { blockId } = signatures;
    if (blockId.seqno > 10) return signedRow(verifyBlock(signatures, set));
    const boc = readVectorBytes(`real/mainnet-genesis/block-${blockId.seqno}/block.boc`);
    const header = verifyHeader(boc, blockId);
    const { parent } = readParent(boc, blockId);
    return signedRow(verifyBlock(signatures, set, { context: { header } }), { header, parent });
  });
  return ledgerText([headLine(1, 99, set), setLineOf(set), ...rows]);
}

const FIRST = 5000;
const OLD = makeSigners([30n, 25n, 20n, 15n, 10n], 'audit old');
const NEW = makeSigners([28n, 24n, 19n, 15n, 9n, 5n, 3n, 2n, 1n], 'audit new');

/** A header as if it had been proven: what a row shows of one. */
function headerAt(seqno: number, keyBlock: boolean, prevKeyBlockSeqno: number, set: ValidatorSet): ProvenHeader {
  return markProven({
    source: 'proven',
    blockId: makeBlockId(seqno),
    seqno,
    genUtime: 1_700_000_000 + 3 * (seqno - FIRST),
    catchainSeqno: 1,
    validatorListHashShort: validatorListHashShort(set, 1) ?? 1,
    globalId: -777,
    keyBlock,
    prevKeyBlockSeqno,
    vertSeqno: 0,
    vertSeqnoIncr: false,
  });
}

/** The key blocks whose sets sign: the one that trust begins with, and one of the forty. */
const [START, MOVED] = [blockIdToJson(makeBlockId(FIRST - 1)), blockIdToJson(makeBlockId(FIRST + 20))];

/** A set as if it had been proven. */
function provenSet(set: ValidatorSet, keyBlock: BlockIdJson): AuditSet {
  return { ...setLineOf(set), provenance: { kind: 'proven', keyBlock, anchor: START } };
}

function underProven(row: AuditBlock): AuditBlock {
  return { ...row, provenance: { by: 'signatures', set: 'proven' } };
}

/**
 * Forty blocks, two sets, every verdict, blocks by descendant, and three that could not be had. Blocks with an even number have
 * proven headers, and those that lead down to others.
 */
export function mixedLedger(): string {
  const oldSet = makeSet(OLD);
  const newSet = makeSet(NEW);
  const trust = { kind: 'proven', anchor: START, keyBlock: START } as const;
  const head = headLine(FIRST, FIRST + 39, oldSet, { signEvery: 19, trust });
  const lines: AuditLine[] = [head, provenSet(oldSet, START)];
  for (let seqno = FIRST; seqno < FIRST + 40; seqno++) {
    const at = seqno - FIRST;
    const isNew = at > 20;
    if (at === 21) lines.push(provenSet(newSet, MOVED));
    const [signers, validators] = isNew ? [NEW, newSet] : [OLD, oldSet];
    const header = headerAt(seqno, at === 20, isNew ? FIRST + 20 : FIRST - 1, validators);
    const known = { header, parent: makeBlockId(seqno - 1) };
    if (at === 9 || at === 30 || at === 31) {
      lines.push({ type: 'failure', seqno, code: at === 9 ? 'source/missing' : 'source/not-ready' });
      continue;
    }
    if (at > 33 && at < 37) {
      lines.push(linkedRow(makeBlockId(seqno), known, FIRST + 37, true));
      continue;
    }
    const whole = shaped(makeSignedSet(at % 2 === 0 ? 'simplex' : 'ordinary', signers, seqno), at);
    const isKnown = at % 2 === 0 || at === 37;
    const report = verifyBlock(whole, validators, isKnown ? { context: { header } } : {});
    lines.push(underProven(signedRow(report, isKnown ? known : undefined)));
  }
  return ledgerText(lines);
}

/** Who signed block `at`, and how. */
function shaped(whole: SignatureList, at: number): SignatureList {
  const { signatures } = whole;
  const [first, ...rest] = signatures;
  if (at === 5) return withEntries(whole, signatures.slice(2)); // too little weight
  if (at === 12) return withEntries(whole, [corrupted(first!), ...rest]);
  if (at === 13) return withEntries(whole, [first!, first!, ...rest]);
  if (at === 25) {
    const strangers = [makeSigner('audit stranger', 1n)];
    return withEntries(whole, makeSignedSet(whole.kind, strangers, whole.blockId.seqno).signatures);
  }
  return withEntries(
    whole,
    signatures.filter((_, n) => n === 0 || n === 1 || n === 2 || (at + n) % 4 !== 0),
  );
}

export const RECORDED_LEDGERS: Readonly<Record<string, () => string>> = {
  'mainnet-1-99': genesisLedger,
  mixed: mixedLedger,
};
