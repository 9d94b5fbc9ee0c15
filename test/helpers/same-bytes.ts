/**
 * Audits of drawn chains, policies and faults, each done in one go, cut and gone on with, and in parts: whatever is drawn, the
 * ledgers have the same bytes. Signatures are checked once for all cases, so that a case costs little.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { AuditOptions } from '../../src/app/audit/audit-options.ts';
import { auditRange } from '../../src/app/audit/audit-range.ts';
import { auditFiles } from '../../src/app/audit/file-source.ts';
import { mergeLedgers } from '../../src/app/audit/merge-ledgers.ts';
import { checkLedger } from '../../src/app/audit/read-ledger.ts';
import { partOfRange } from '../../src/app/audit/split-range.ts';
import { advanceCheckpoint } from '../../src/core/chain/advance.ts';
import { type Checkpoint, validatorSetAt } from '../../src/core/chain/checkpoint.ts';
import { FIRST_UTIME, text } from './audit-chain.ts';
import { LiteChain } from './lite-chain.ts';
import { toAnswer } from './make-block.ts';
import { signBlock } from './make-chain.ts';
import { startOf } from './networks.ts';
import { rememberingEngine } from './remembering-engine.ts';

const LENGTH = 9;

/** With key blocks often and seldom. One validator more or less decides between 2/3 and 9/10. */
const CHAINS = [2, 3, 4].map(
  (keyEvery) => new LiteChain({ length: LENGTH, keyEvery, firstUtime: FIRST_UTIME, name: `same bytes ${keyEvery}` }),
);

const keyBlocksOf = (chain: LiteChain) => [...chain.blocks.values()].filter(({ form }) => form.config !== undefined);

/** Where trust begins: the zerostate, or the first key block. */
const STARTS = CHAINS.map((chain): readonly [Checkpoint, Checkpoint] => {
  const start = startOf(chain);
  const [first] = keyBlocksOf(chain);
  return [start, advanceCheckpoint({ block: first!.boc, signatures: signBlock(first!) }, start)];
});

const FAULTS = ['none', 'unsigned', 'unproven', 'unreadable', 'known-bad', 'forged', 'other-block'] as const;

export interface DrawnBlock {
  /** Validators that sign, of four. */
  readonly signers: number;
  readonly kind: 'ordinary' | 'simplex';
  readonly fault: (typeof FAULTS)[number];
  /** Lines of garbage before it. */
  readonly garbage: number;
}

export interface DrawnCase {
  readonly chain: number;
  readonly blocks: readonly DrawnBlock[];
  readonly isFolder: boolean;
  readonly from: number;
  readonly count: number;
  readonly signEvery: number;
  readonly threshold: readonly [num: bigint, den: bigint];
  readonly acceptUnbound: boolean;
  readonly start: 'zerostate' | 'key-block' | 'given';
  /** The share of the bytes at which a run is ended, and whether the sets that it kept are lost. */
  readonly cut: { readonly at: number; readonly isForgotten: boolean };
  readonly parts: number;
}

const oneOf = fc.constantFrom;

export const DRAWN_CASE: fc.Arbitrary<DrawnCase> = fc.record({
  chain: fc.nat(CHAINS.length - 1),
  blocks: fc.array(
    fc.record({
      signers: oneOf(4, 4, 4, 3, 3, 2),
      kind: oneOf('simplex', 'simplex', 'ordinary'),
      fault: fc.oneof(
        { weight: 6, arbitrary: fc.constant('none' as const) },
        { weight: 1, arbitrary: oneOf(...FAULTS) },
      ),
      garbage: oneOf(0, 0, 0, 0, 0, 1, 2),
    }),
    { minLength: LENGTH, maxLength: LENGTH },
  ) as fc.Arbitrary<DrawnBlock[]>, // words are those of the lists
  isFolder: oneOf(false, false, false, true),
  from: oneOf(1, 1, 2, 4),
  count: fc.integer({ min: 3, max: LENGTH }),
  signEvery: oneOf(1, 1, 2, 3, 4, 6),
  threshold: oneOf([2n, 3n], [9n, 10n], [9n, 10n]) as fc.Arbitrary<[bigint, bigint]>, // pairs
  acceptUnbound: fc.boolean(),
  start: oneOf('zerostate', 'zerostate', 'key-block', 'given'),
  cut: fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), isForgotten: fc.boolean() }),
  parts: oneOf(2, 2, 3),
});

const answers = new Map<string, object>();

function answerTo(chain: number, seqno: number, { signers, kind, fault }: DrawnBlock): object {
  const key = `${chain} ${seqno} ${signers} ${kind} ${fault === 'forged'}`;
  let answer = answers.get(key);
  if (answer === undefined) {
    const block = CHAINS[chain]!.blocks.get(seqno)!;
    const set = signBlock(block, block.form.signedBy, kind, signers);
    const [first, ...rest] = set.signatures;
    const forged = { ...first!, signature: new Uint8Array(64).fill(7) };
    answer = toAnswer(fault === 'forged' ? { ...set, signatures: [forged, ...rest] } : set);
    answers.set(key, answer);
  }
  return answer;
}

const bocOf = (chain: number, seqno: number, { fault }: DrawnBlock): Uint8Array | undefined => {
  if (fault === 'unproven') return undefined;
  const at = fault === 'other-block' ? (seqno % LENGTH) + 1 : seqno;
  return CHAINS[chain]!.blocks.get(at)!.boc;
};

/** The answer as text; one that cannot be read may still say of which block it is. */
function spoiled(answer: object, { fault }: DrawnBlock): string {
  const whole = JSON.stringify(answer);
  if (fault === 'known-bad') return whole.replace('"signature":"', '"signature":"*');
  return fault === 'unreadable' ? whole.slice(0, -9) : whole;
}

function writeBlocks({ chain, blocks, isFolder }: DrawnCase, place: string): string {
  const lines: string[] = [];
  if (isFolder) mkdirSync(place);
  for (const [n, drawn] of blocks.entries()) {
    const seqno = n + 1;
    const boc = bocOf(chain, seqno, drawn);
    const answer = drawn.fault === 'unsigned' ? undefined : spoiled(answerTo(chain, seqno, drawn), drawn);
    if (isFolder) {
      if (answer !== undefined) writeFileSync(join(place, `${seqno}.json`), answer);
      if (boc !== undefined) writeFileSync(join(place, `${seqno}.boc`), boc);
      continue;
    }
    for (let line = 0; line < drawn.garbage; line++) lines.push(line === 0 ? 'garbage' : '{"answer":');
    if (answer === undefined) continue;
    const block = boc === undefined ? '' : `,"block":"${Buffer.from(boc).toString('base64')}"`;
    lines.push(`{"answer":${answer}${block}}`);
  }
  if (!isFolder) writeFileSync(place, lines.map((line) => `${line}\n`).join(''));
  return place;
}

/** Each signature is checked once for all cases. */
const engine = rememberingEngine();

async function run(opts: AuditOptions): Promise<void> {
  const rows = auditRange(opts);
  while ((await rows.next()).done !== true);
}

export interface SameBytes {
  readonly whole: string;
  /** What was gone on with after a cut, and what the parts come to. */
  readonly resumed: string;
  readonly merged: string;
}

/** In memory where there is such a place: nothing is read after a power cut. */
const PLACE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export async function ledgersOf(drawn: DrawnCase): Promise<SameBytes> {
  const folder = mkdtempSync(join(PLACE, 'ton-finality-same-bytes-'));
  try {
    const blocks = auditFiles(writeBlocks(drawn, join(folder, drawn.isFolder ? 'blocks' : 'blocks.ndjson')));
    const { from, signEvery, acceptUnbound, parts } = drawn;
    const to = Math.min(LENGTH + 1, from + drawn.count - 1); // the last may be one that no file has
    const [zerostate, keyBlock] = STARTS[drawn.chain]!;
    const [num, den] = drawn.threshold;
    const trust =
      drawn.start === 'given'
        ? { validators: validatorSetAt(zerostate) }
        : { checkpoint: drawn.start === 'zerostate' ? zerostate : keyBlock };
    const common = { ...trust, blocks, signEvery, acceptUnbound, threshold: { num, den }, maxFailures: 1000, engine };
    const whole = join(folder, 'whole.ndjson');
    await run({ ...common, from, to, out: whole });
    const bytes = text(whole);
    await checkLedger(whole);

    const out = join(folder, 'cut.ndjson');
    writeFileSync(out, bytes.slice(0, Math.floor(drawn.cut.at * (bytes.length + 1))));
    if (!drawn.cut.isForgotten && existsSync(`${whole}.sets`)) copyFileSync(`${whole}.sets`, `${out}.sets`);
    await run({ ...common, from, to, out });

    const count = Math.min(parts, Math.ceil((to - from + 1) / signEvery));
    const files: string[] = [];
    for (let index = 1; index <= count; index++) {
      const part = join(folder, `part-${index}.ndjson`);
      await run({ ...common, ...partOfRange({ from, to }, index, count, signEvery), whole: { from, to }, out: part });
      files.push(part);
    }
    const merged = join(folder, 'merged.ndjson');
    await mergeLedgers(files, merged, { maxFailures: 1000 });
    return { whole: bytes, resumed: text(out), merged: text(merged) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
