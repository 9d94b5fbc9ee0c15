/** A ledger whose hashes all fit, and whose lines contradict each other: no reader takes it. And one that ends within a hop. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { LedgerFile } from '../../../src/app/audit/ledger-file.ts';
import {
  type AuditBlock,
  type AuditLine,
  type AuditPlan,
  type AuditSet,
  seqnoOf,
  setHashOf,
} from '../../../src/app/audit/ledger-lines.ts';
import { mergeLedgers } from '../../../src/app/audit/merge-ledgers.ts';
import { checkLedger, readLedger } from '../../../src/app/audit/read-ledger.ts';
import { conclusionOf, surveyLedger } from '../../../src/app/audit/survey/survey.ts';
import { scratch } from '../../helpers/audit-chain.ts';
import { handMade } from '../../helpers/recorded-ledgers.ts';

const place = scratch();
afterAll(place.remove);

type Line = Record<string, unknown>;

const linesIn = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { hash: _, ...rest } = JSON.parse(line) as Line;
      return rest;
    });

/** Sets proven from a checkpoint, every kind of row; and one set that was given, ordinary signatures. */
const MIXED = linesIn('vectors/audit/mixed.ndjson');
const GIVEN = linesIn('vectors/audit/mainnet-1-99.ndjson').slice(0, 32);
GIVEN[0] = { ...GIVEN[0]!, to: 30 };

const headOf = (lines: readonly Line[]) => lines[0] as unknown as AuditPlan;
const at = (lines: readonly Line[], seqno: number) =>
  lines.findIndex((line) => line.type !== 'audit' && line.type !== 'set' && seqnoOf(line as never) === seqno);
const block = (lines: readonly Line[], seqno: number) => lines[at(lines, seqno)] as unknown as AuditBlock;

interface Forged {
  readonly lines: readonly object[];
  /** The line that is refused. */
  readonly line: number;
}

/** One line is another one. @param line that is refused, counted from 1; default that line */
const edited = (lines: readonly Line[], n: number, over: object, line = n + 1): Forged => ({
  lines: lines.map((one, place) => (place === n ? { ...one, ...over } : one)),
  line,
});
const row = (lines: readonly Line[], seqno: number, over: object | ((was: AuditBlock) => object), line?: number) =>
  edited(lines, at(lines, seqno), typeof over === 'function' ? over(block(lines, seqno)) : over, line);
const policy = (lines: readonly Line[], over: object) => ({ policy: { ...headOf(lines).policy, ...over } });

/** The set of the given ledger with other validators, and its rows below it. */
function withValidators(validators: AuditSet['validators']): Forged {
  const totalWeight = String(validators.reduce((sum, { weight }) => sum + BigInt(weight), 0n));
  const set = setHashOf({ validators });
  const lines = GIVEN.map((line, n) => {
    if (n === 0) return { ...line, trust: { kind: 'given', set } };
    return n === 1 ? { ...line, set, totalWeight, validators } : line;
  });
  return { lines, line: 2 };
}
const members = (GIVEN[1] as unknown as AuditSet).validators;
const other = (id: object) => ({ ...id, rootHash: '7'.repeat(64) });
const setLine = (lines: readonly Line[], nth: number) => lines.filter(({ type }) => type === 'set')[nth]!;
const proven = (seqno: number, id: object = block(MIXED, seqno).block) => ({
  provenance: { ...(setLine(MIXED, 1).provenance as object), keyBlock: { ...id, seqno } },
});
const SECOND_SET = MIXED.indexOf(setLine(MIXED, 1));
const LINKED = [5034, 5035, 5036];
const notFinal = { verdict: { status: 'undecided', reason: 'no-final-descendant' }, bound: [] };

/** The rows by descendant, changed one by one. */
const hop = (over: (was: AuditBlock, n: number) => object, line: number): Forged => ({
  lines: MIXED.map((one, n) =>
    LINKED.includes((one as unknown as AuditBlock).block?.seqno) ? { ...one, ...over(one as never, n) } : one,
  ),
  line,
});
const GROUND = at(MIXED, 5037);

const anchorOf = (lines: readonly Line[]) => (headOf(lines).trust as unknown as { anchor: AuditBlock['block'] }).anchor;

/** Trust that begins with another pinned block, in the first line and in every set. */
const startedFrom = (anchor: object, line: number): Forged => ({
  lines: MIXED.map((one) => {
    if (one.type === 'audit') return { ...one, trust: { ...(one.trust as object), anchor } };
    return one.type === 'set' ? { ...one, provenance: { ...(one.provenance as object), anchor } } : one;
  }),
  line,
});

/** A set of one validator that no line names. */
function madeSet(provenance: unknown): object {
  const validators = [{ publicKey: '5'.repeat(64), weight: '7' }];
  return { type: 'set', set: setHashOf({ validators }), totalWeight: '7', provenance, validators };
}

/** What the set of before the second one comes to, when it signs. */
const { kind, signedWeight, totalWeight, requiredWeight, margin, set, setCheck, absent, bad, unknown } = block(
  MIXED,
  5000,
);
const SIGNED_BY_OLD = { kind, signedWeight, totalWeight, requiredWeight, margin, set, setCheck, absent, bad, unknown };

const FORGED: readonly (readonly [what: string, forged: Forged, reason: RegExp])[] = [
  // Sets against what trust begins with.
  [
    'a set that is not the one that was given',
    edited(GIVEN, 0, { trust: { kind: 'given', set: '7'.repeat(64) } }, 2),
    /expected the one that was given/,
  ],
  [
    'a set proven where one was given',
    edited(GIVEN, 1, { provenance: setLine(MIXED, 0).provenance }),
    /provenance.kind: expected "given"/,
  ],
  [
    'a set given where one is to be proven',
    edited(MIXED, 1, { provenance: { kind: 'given' } }),
    /provenance.kind: expected "proven"/,
  ],
  [
    'a row under a proven set where one was given',
    row(GIVEN, 5, { provenance: { by: 'signatures', set: 'proven' } }),
    /provenance.set: expected "given"/,
  ],
  [
    'a row under a given set where one was proven',
    row(MIXED, 5000, { provenance: { by: 'signatures', set: 'given' } }),
    /provenance.set: expected "proven"/,
  ],
  [
    'a set from another anchor',
    edited(MIXED, 1, { provenance: { ...(MIXED[1]!.provenance as object), anchor: block(MIXED, 5000).block } }),
    /provenance.anchor/,
  ],
  [
    'a set of an earlier key block than trust begins with',
    edited(MIXED, 1, proven(4000, block(MIXED, 5000).block)),
    /provenance.keyBlock: expected block 4999/,
  ],
  [
    'a set of another block of the number that trust begins with',
    edited(MIXED, 1, proven(4999, block(MIXED, 5000).block)),
    /provenance.keyBlock: expected block 4999/,
  ],
  [
    'a set of a key block that comes after its rows',
    edited(MIXED, 1, proven(5_000_000, block(MIXED, 5000).block)),
    /a set of key block 5000000, which comes after block 5000/,
  ],
  [
    'a set of a block that is no key block',
    edited(MIXED, SECOND_SET, proven(5016)),
    /which the rows before say is another block/,
  ],
  [
    'a set of another block than the key block of the rows',
    edited(MIXED, SECOND_SET, proven(5020, other(block(MIXED, 5020).block))),
    /which the rows before say is another block/,
  ],
  ['one key twice in a set', withValidators([members[0]!, ...members]), /a duplicate key/],
  [
    'a validator without weight',
    withValidators([...members.slice(1), { ...members[0]!, weight: '0' }]),
    /without any weight/,
  ],
  ['a set without validators', withValidators([]), /expected 1 to 2\^61, got 0/],
  [
    'more weight than a set can have',
    withValidators([{ ...members[0]!, weight: String(2n ** 61n + 1n) }]),
    /expected 1 to 2\^61/,
  ],
  [
    'a weight of another set with the same hash',
    withValidators([{ ...members[0]!, weight: String(BigInt(members[0]!.weight) + 2n ** 64n) }, ...members.slice(1)]),
    /expected 1 to 2\^61/,
  ],
  // The policy.
  [
    'unbound numbers both refused and accepted',
    edited(GIVEN, 0, policy(GIVEN, { requireBoundId: true, acceptUnbound: true })),
    /policy.acceptUnbound: expected false/,
  ],
  ['signatures of more blocks apart than an audit holds', edited(MIXED, 0, { signEvery: 5000 }), /signEvery/],
  [
    'final with a bad entry',
    row(MIXED, 5012, { verdict: { status: 'final' } }),
    /final with 1 bad entries, which this audit is to reject/,
  ],
  ['final with entries of strangers', row(MIXED, 5000, { unknown: 3 }), /final with 3 bad entries/],
  ['insufficient with entries of strangers', row(MIXED, 5005, { unknown: 3 }), /insufficient with 3 bad entries/],
  [
    'rejected without a defect',
    row(MIXED, 5012, { bad: '00', signedWeight: '100', margin: '33', absent: '00' }),
    /rejected with 0 bad entries/,
  ],
  [
    'rejected where defects are to be ignored',
    edited(MIXED, 0, policy(MIXED, { onDefect: 'ignore' }), at(MIXED, 5012) + 1),
    /rejected with 1 bad entries, which this audit is to ignore/,
  ],
  [
    'fewer defects than bad entries',
    row(MIXED, 5013, { verdict: { status: 'rejected', defects: [] } }),
    /verdict.defects: expected at least 1/,
  ],
  ['one defect named twice', row(MIXED, 5013, { verdict: { status: 'rejected', defects: [1, 1] } }), /verdict.defects/],
  [
    'final under a set that the header does not name',
    row(MIXED, 5000, { setCheck: 'mismatch' }),
    /wrong-validator-set exactly where setCheck is mismatch/,
  ],
  [
    'another set, where the header names this one',
    row(MIXED, 5000, { verdict: { status: 'undecided', reason: 'wrong-validator-set' } }),
    /exactly where setCheck is mismatch/,
  ],
  [
    'nobody known, where there are good entries',
    row(MIXED, 5000, { verdict: { status: 'undecided', reason: 'no-known-signer' } }),
    /no-known-signer exactly where/,
  ],
  [
    'a verdict on entries of strangers alone',
    row(MIXED, 5025, { verdict: { status: 'rejected', defects: [0] } }),
    /no-known-signer exactly where/,
  ],
  [
    'undecided for its number, where there is too little weight',
    row(MIXED, 5005, { verdict: { status: 'undecided', reason: 'claimed-set' } }),
    /claimed-set with too little weight/,
  ],
  ['final with nothing bound', row(GIVEN, 20, { bound: [] }), /bound: expected rootHash, fileHash/],
  ['final with the number bound alone', row(GIVEN, 20, { bound: ['seqno'] }), /bound: expected rootHash, fileHash/],
  [
    'more bound than ordinary signatures cover',
    row(GIVEN, 20, { bound: block(GIVEN, 5).bound }),
    /bound: expected rootHash, fileHash/,
  ],
  [
    'less bound than a proven header shows',
    row(GIVEN, 5, { bound: ['rootHash', 'fileHash'] }),
    /bound: expected workchain, shard/,
  ],
  [
    'final with an unbound number where the policy wants it bound',
    edited(GIVEN, 0, policy(GIVEN, { requireBoundId: true }), at(GIVEN, 11) + 1),
    /wants the whole id to be bound/,
  ],
  [
    'undecided for an unbound number that the policy takes',
    row(GIVEN, 20, { verdict: { status: 'undecided', reason: 'unbound-id' } }),
    /does not want more than is bound/,
  ],
  // Headers of final blocks.
  [
    'a header that names a later key block',
    row(MIXED, 5000, (was) => ({ header: { ...was.header, prevKeyBlock: 4_294_967_295 } })),
    /header.prevKeyBlock: expected an earlier block/,
  ],
  [
    'a header that names its own block as the one before',
    row(MIXED, 5000, (was) => ({ header: { ...was.header, parent: was.block.rootHash } })),
    /header.parent: expected another block/,
  ],
  [
    'a header that names an earlier final block as the one before',
    row(MIXED, 5010, (was) => ({ header: { ...was.header, parent: block(MIXED, 5007).block.rootHash } })),
    /final in an earlier row than the one before it/,
  ],
  [
    'a key block that earlier headers do not know of',
    row(MIXED, 5008, (was) => ({ header: { ...was.header, prevKeyBlock: 5003 } })),
    /follows key block 5003, by the header of final block 5006 it is 4999/,
  ],
  [
    'a key block forgotten by a later header',
    row(MIXED, 5022, (was) => ({ header: { ...was.header, prevKeyBlock: 4999 } })),
    /setCheck: not-checked, and the header names a key block before that of the set/,
  ],
  [
    'time that runs back',
    row(MIXED, 5008, (was) => ({ header: { ...was.header, genUtime: 1_600_000_000 } })),
    /was made before block 5006/,
  ],
  [
    'final before trust begins',
    {
      lines: [
        {
          ...MIXED[0]!,
          trust: { kind: 'proven', anchor: block(MIXED, 5010).block, keyBlock: block(MIXED, 5010).block },
        },
        {
          ...setLine(MIXED, 0),
          provenance: { kind: 'proven', anchor: block(MIXED, 5010).block, keyBlock: block(MIXED, 5010).block },
        },
        ...MIXED.slice(2),
      ],
      line: 3,
    },
    /final by the set of key block 5010, which signs later blocks only/,
  ],
  // Key blocks and their sets.
  [
    'two sets of one key block',
    {
      lines: [
        ...MIXED.slice(0, at(MIXED, 5003)),
        { ...setLine(MIXED, 1), provenance: setLine(MIXED, 0).provenance },
        ...MIXED.slice(at(MIXED, 5003)),
      ],
      line: at(MIXED, 5003) + 1,
    },
    /a set of key block 4999, after one of key block 4999/,
  ],
  [
    'a set of an earlier key block after one of a later',
    {
      lines: [...MIXED.slice(0, at(MIXED, 5024)), madeSet(proven(5010).provenance), ...MIXED.slice(at(MIXED, 5024))],
      line: at(MIXED, 5024) + 1,
    },
    /a set of key block 5010, after one of key block 5020|which the rows before say is another block/,
  ],
  [
    'a row under the set of before, whose header names the key block of the new one',
    row(MIXED, 5022, (was) => ({ ...SIGNED_BY_OLD, header: was.header })),
    /under a different set than that of key block 5020/,
  ],
  [
    'a row without a header under the set of before, beside one under the new one',
    row(MIXED, 5023, { ...SIGNED_BY_OLD, kind: 'ordinary', header: null, bound: ['rootHash', 'fileHash'] }),
    /under a different set than that of key block 5020/,
  ],
  [
    'a set of a key block that is another block in its final row',
    {
      lines: MIXED.map((line, n) => {
        if (n === at(MIXED, 5020)) return { ...line, header: null };
        return n === SECOND_SET ? { ...line, ...proven(5020, other(block(MIXED, 5020).block)) } : line;
      }),
      line: SECOND_SET + 1,
    },
    /a set of key block 5020, which is a different block in its row/,
  ],
  // The blocks that trust begins with.
  [
    'a first row that follows another block than the key block that trust begins with',
    row(MIXED, 5000, (was) => ({ header: { ...was.header, parent: '7'.repeat(64) } })),
    /block 5000 follows block 777.*block 4999 that trust begins with is/,
  ],
  [
    'a later row that is the block that trust begins with',
    row(MIXED, 5003, (was) => ({ block: { ...was.block, rootHash: anchorOf(MIXED).rootHash } })),
    /is the block 4999 that trust begins with/,
  ],
  [
    'a later row that follows the block that trust begins with',
    row(MIXED, 5010, (was) => ({ header: { ...was.header, parent: anchorOf(MIXED).rootHash } })),
    /follows the block 4999 that trust begins with/,
  ],
  [
    'another block in place of the one that was pinned',
    startedFrom({ ...other(block(MIXED, 5006).block), seqno: 5006 }, at(MIXED, 5006) + 1),
    /block 5006 differs from the block that trust begins with/,
  ],
  [
    'two blocks of one number that trust begins with',
    startedFrom(other(anchorOf(MIXED)), 1),
    /trust.keyBlock: expected the block of trust.anchor/,
  ],
  // Rows by descendant.
  [
    'rows by descendant where all signatures were asked for',
    edited(MIXED, 0, { signEvery: 1 }, at(MIXED, 5034) + 1),
    /signatures of every block/,
  ],
  [
    'rows by descendant over the end of their hop',
    edited(MIXED, 0, { signEvery: 7 }, at(MIXED, 5034) + 1),
    /of the same hop/,
  ],
  [
    'a row with signatures that is said to be by descendant',
    row(MIXED, 5000, { provenance: { by: 'descendant', seqno: 5019 } }),
    /kind: expected null/,
  ],
  ['a row by descendant without a header', row(MIXED, 5035, { header: null }), /because of its header/],
  [
    'a row by descendant without a parent',
    row(MIXED, 5035, (was) => ({ header: { ...was.header, parent: null } })),
    /because of its header/,
  ],
  [
    'a row by descendant that follows another block',
    hop(
      (was, n) =>
        n === at(MIXED, 5035) ? { ...notFinal, header: { ...was.header, parent: '7'.repeat(64) } } : notFinal,
      at(MIXED, 5035) + 1,
    ),
    /header.parent: expected the row before/,
  ],
  [
    'a key block by descendant',
    row(MIXED, 5035, (was) => ({ header: { ...was.header, keyBlock: true } })),
    /judged by its own signatures/,
  ],
  [
    'a row by descendant that is insufficient',
    row(MIXED, 5034, { ...notFinal, verdict: { status: 'insufficient' } }),
    /expected final, or undecided, no-final-descendant/,
  ],
  [
    'a row by descendant final with a part of its id',
    row(MIXED, 5034, { bound: ['rootHash', 'fileHash'] }),
    /bound: expected all of the id/,
  ],
  [
    'a row by descendant undecided with all of its id',
    row(MIXED, 5034, { verdict: notFinal.verdict }),
    /bound: expected nothing/,
  ],
  [
    'a row by descendant over one that could not be had',
    {
      lines: MIXED.map((line, n) =>
        n === at(MIXED, 5035) ? { type: 'failure', seqno: 5035, code: 'source/missing' } : line,
      ),
      line: at(MIXED, 5035) + 1,
    },
    /there is none/,
  ],
  [
    'a row by descendant over one that is not final',
    row(MIXED, 5035, notFinal),
    /another row of the hop up to block 5037/,
  ],
  [
    'a row by descendant over one with signatures',
    {
      lines: MIXED.map((line, n) =>
        n === at(MIXED, 5035)
          ? {
              ...block(MIXED, 5033),
              block: block(MIXED, 5035).block,
              header: block(MIXED, 5035).header,
              bound: block(MIXED, 5035).bound,
            }
          : line,
      ),
      line: at(MIXED, 5035) + 1,
    },
    /another row of the hop up to block 5037/,
  ],
  [
    'rows of one hop from two blocks',
    row(MIXED, 5035, { provenance: { by: 'descendant', seqno: 5036 } }),
    /provenance.seqno: expected that of the row before, 5037/,
  ],
  [
    'undecided rows below a block that is final',
    hop(() => notFinal, GROUND + 1),
    /lead up to this one, which is final/,
  ],
  [
    'rows below a block whose header names another one',
    row(MIXED, 5037, (was) => ({ header: { ...was.header, parent: '7'.repeat(64) } })),
    /block 5037 follows block 777/,
  ],
  [
    'rows below a block without a header',
    row(MIXED, 5037, { header: null, bound: ['rootHash', 'fileHash'] }),
    /header.parent: expected the row before/,
  ],
  [
    'rows below a block that is by descendant itself',
    row(MIXED, 5037, { ...block(MIXED, 5036), block: block(MIXED, 5037).block, header: block(MIXED, 5037).header }),
    /of the same hop/,
  ],
];

/** Writes lines that all fit. */
function writeAll(ledger: LedgerFile, lines: readonly AuditLine[]): void {
  for (const line of lines) expect(ledger.check.stage(line)).toBeUndefined();
  ledger.flush();
}

describe('a ledger is refused by every reader', () => {
  it('unless it is an honest one', async () => {
    for (const lines of [MIXED, GIVEN]) {
      const file = place.next();
      writeFileSync(file, handMade(lines));
      expect((await checkLedger(file)).state.lines).toBe(lines.length);
    }
  });

  it.each(FORGED)('for %s', async (_, { lines, line }, reason) => {
    const file = place.next();
    writeFileSync(file, handMade(lines));
    const refusal = expect.objectContaining({
      code: 'audit/ledger',
      path: `${file}:${line}`,
      message: expect.stringMatching(reason),
    });
    const read = async () => {
      for await (const _ of readLedger(file));
    };
    await expect(read()).rejects.toEqual(refusal);
    await expect(surveyLedger(file)).rejects.toEqual(refusal);
    await expect(LedgerFile.open(file, lines[0] as AuditPlan)).rejects.toEqual(refusal);
    if (line > 1) await expect(mergeLedgers([file], place.next())).rejects.toEqual(refusal);
    expect(readFileSync(file, 'utf8')).toBe(handMade(lines)); // left as it was
  });
});

describe('a ledger that ends within a hop', () => {
  const whole = handMade(MIXED);
  const texts = whole.trimEnd().split('\n');
  const cutAfter = (seqno: number, more = 0) => {
    const file = place.next();
    const lines = texts.slice(0, at(MIXED, seqno) + 1).map((line) => `${line}\n`);
    writeFileSync(file, lines.join('') + texts[at(MIXED, seqno) + 1]!.slice(0, more));
    return {
      file,
      before: texts
        .slice(0, at(MIXED, 5034))
        .map((line) => `${line}\n`)
        .join(''),
    };
  };

  it.each(LINKED)('ends before the hop, when it was cut after block %i', async (seqno) => {
    for (const more of [0, 100]) {
      const { file, before } = cutAfter(seqno, more);
      const read: AuditLine[] = [];
      const end = await checkLedger(file, (line) => read.push(line));
      expect(read).toHaveLength(at(MIXED, 5034));
      expect(end.wholeBytes).toBe(before.length);
      expect(end.wholeBytes + end.tailBytes).toBe(readFileSync(file).length);
      expect(end.state).toMatchObject({ next: 5034, lines: read.length, last: { block: { seqno: 5033 } } });
      expect(end.state.counts.final).toBe(
        read.filter((line) => line.type === 'block' && line.verdict.status === 'final').length,
      );
      expect(end.state.hasFinal(block(MIXED, 5034).block.rootHash)).toBe(false);
    }
  });

  it('is no report of the blocks of the hop, whichever of them are asked for', async () => {
    const { file } = cutAfter(5036);
    for (const to of LINKED) {
      const { survey } = await surveyLedger(file, { to });
      expect(survey).toMatchObject({ last: 5033, isFinished: false, byDescendant: 0 });
      expect(['not-final', 'not-fetched']).toContain(conclusionOf(survey));
    }
    expect((await surveyLedger(file, { to: 5033 })).survey.isFinished).toBe(true);
  });

  it('does not end before it when the block that all lead down from is there', async () => {
    const { file } = cutAfter(5037);
    expect((await checkLedger(file)).state).toMatchObject({ next: 5038, lines: at(MIXED, 5037) + 1 });
    const { survey } = await surveyLedger(file, { to: 5035 });
    expect(survey).toMatchObject({ last: 5035, isFinished: true, byDescendant: 2 });
  });

  it('is gone on with before the hop', async () => {
    for (const seqno of LINKED) {
      const { file, before } = cutAfter(seqno);
      const ledger = await LedgerFile.open(file, headOf(MIXED));
      expect(ledger.check.next).toBe(5034);
      expect(readFileSync(file, 'utf8')).toBe(before);
      writeAll(ledger, MIXED.slice(at(MIXED, 5034)) as unknown as AuditLine[]);
      ledger.close();
      expect(readFileSync(file, 'utf8')).toBe(whole);
    }
  });

  it('is never left by a run: rows that wait for a block are not written', async () => {
    const file = place.next();
    const ledger = await LedgerFile.open(file, headOf(MIXED));
    writeAll(ledger, MIXED.slice(1, at(MIXED, 5036)) as unknown as AuditLine[]);
    expect(ledger.check.next).toBe(5034);
    writeAll(ledger, MIXED.slice(at(MIXED, 5034)) as unknown as AuditLine[]);
    ledger.close();
    expect(readFileSync(file, 'utf8')).toBe(whole);
  });

  it('may have a block in place of the ground that could not be had, if nothing below it is final', async () => {
    const lines = hop(() => notFinal, 0).lines.map((line, n) =>
      n === GROUND ? { type: 'failure', seqno: 5037, code: 'trust/wrong-network' } : line,
    );
    const file = place.next();
    writeFileSync(file, handMade(lines));
    expect((await checkLedger(file)).state.counts).toMatchObject({ failures: 4, undecided: 4 });
  });

  it('is tried again from its hop when the block that it leads down from is one that its source did not have', async () => {
    const lines = hop(() => notFinal, 0).lines.slice(0, GROUND);
    const file = place.next();
    writeFileSync(file, handMade([...lines, { type: 'failure', seqno: 5037, code: 'source/upstream' }]));
    const ledger = await LedgerFile.open(file, headOf(MIXED));
    expect(ledger.check.next).toBe(5034);
    ledger.close();
  });

  it('keeps no set whose first row is not there', async () => {
    const file = place.next();
    writeFileSync(
      file,
      texts
        .slice(0, SECOND_SET + 1)
        .map((line) => `${line}\n`)
        .join(''),
    );
    const ledger = await LedgerFile.open(file, headOf(MIXED));
    expect(ledger.check).toMatchObject({ next: 5021, lines: SECOND_SET });
    expect(ledger.check.sets.size).toBe(1);
    ledger.close();
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(SECOND_SET);
  });
});
