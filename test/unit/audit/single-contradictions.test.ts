/** What a row, a set and their order may be, up to the bound of each rule: the first value that contradicts, and the last that does not. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  BROKEN_HINT,
  contradictionBetween,
  contradictionInSet,
  contradictionOfStart,
  idOf,
  selfContradiction,
  weighedSet,
} from '../../../src/app/audit/contradictions.ts';
import { LedgerCheck, NO_LEDGER_HINT } from '../../../src/app/audit/ledger-check.ts';
import {
  type AuditBlock,
  type AuditHeader,
  type AuditLine,
  type AuditPlan,
  type AuditRow,
  type AuditSet,
  bitmapOf,
  type SignedAuditBlock,
  setHashOf,
} from '../../../src/app/audit/ledger-lines.ts';
import { Succession } from '../../../src/app/audit/succession.ts';
import { MAX_TOTAL_WEIGHT } from '../../../src/core/base/limits.ts';
import { BLOCK_ID_FIELDS } from '../../../src/core/block/block-id.ts';

const hash = (n: number, fork = 'a') => createHash('sha256').update(`${fork} ${n}`).digest('hex');
const id = (seqno: number, fork?: string) => ({
  workchain: -1,
  shard: '-9223372036854775808',
  seqno,
  rootHash: hash(seqno, fork),
  fileHash: hash(seqno, fork),
});

const policy = { threshold: '2/3', onDefect: 'reject', requireBoundId: false, acceptUnbound: true } as const;
const planOf = (trust: AuditPlan['trust'], over: Partial<AuditPlan> = {}): AuditPlan => ({
  type: 'audit',
  schema: 'ton-finality/audit-row@1',
  from: 1,
  to: 99,
  signEvery: 1,
  policy,
  trust,
  ...over,
});

/** Seven validators; the last six weigh 10 each. */
const validators = [40, 10, 10, 10, 10, 10, 10].map((weight, n) => ({ publicKey: hash(n, 'f'), weight: `${weight}` }));
const setHash = setHashOf({ validators });
const setOf = (provenance: AuditSet['provenance'], name = setHash): AuditSet => ({
  type: 'set',
  set: name,
  totalWeight: '100',
  provenance,
  validators,
});
const GIVEN = planOf({ kind: 'given', set: setHash });
/** Trust begins with key block 10. */
const PROVEN = planOf({ kind: 'proven', anchor: id(10), keyBlock: id(10) });
const by = (keyBlock: number, fork?: string) =>
  ({ kind: 'proven', anchor: id(10), keyBlock: id(keyBlock, fork) }) as const;

const headerOf = (seqno: number, over: Partial<AuditHeader> = {}): AuditHeader => ({
  genUtime: 1000 + seqno,
  keyBlock: false,
  prevKeyBlock: 0,
  parent: hash(seqno - 1),
  ...over,
});
const signed = (seqno: number, over: Partial<SignedAuditBlock> = {}): SignedAuditBlock => ({
  type: 'block',
  block: id(seqno),
  verdict: { status: 'final' },
  bound: BLOCK_ID_FIELDS,
  header: headerOf(seqno),
  provenance: { by: 'signatures', set: 'given' },
  kind: 'simplex',
  signedWeight: '100',
  totalWeight: '100',
  requiredWeight: '67',
  margin: '33',
  set: setHash,
  setCheck: 'match',
  absent: '00',
  bad: '00',
  unknown: 0,
  ...over,
});
/** A row of these validators, with the weight of those who signed. */
const signedBy = (absent: readonly number[], bad: readonly number[], over: Partial<SignedAuditBlock> = {}) => {
  const missing = [...absent, ...bad].reduce((sum, n) => sum + Number(validators[n]!.weight), 0);
  const signedWeight = 100 - missing;
  return signed(5, {
    absent: bitmapOf(absent, 7),
    bad: bitmapOf(bad, 7),
    signedWeight: `${signedWeight}`,
    margin: `${signedWeight - 67}`,
    ...over,
  });
};
const ALL = [0, 1, 2, 3, 4, 5, 6];
const NOT_SIGNED = { kind: null, signedWeight: null, totalWeight: null, requiredWeight: null, margin: null } as const;
const linked = (seqno: number, ground: number, over: Partial<AuditBlock> = {}) =>
  ({
    ...signed(seqno),
    ...NOT_SIGNED,
    ...{ set: null, setCheck: null, absent: null, bad: null, unknown: null },
    provenance: { by: 'descendant', seqno: ground },
    ...over,
  }) as AuditBlock;
const undecided = (reason: string, bound: AuditBlock['bound'] = BLOCK_ID_FIELDS) =>
  ({ verdict: { status: 'undecided', reason }, bound }) as Pick<SignedAuditBlock, 'verdict' | 'bound'>;

const ofRow = (row: AuditBlock, head = GIVEN) => {
  const provenance = head.trust.kind === 'given' ? ({ kind: 'given' } as const) : by(20);
  return selfContradiction(row, head, weighedSet(setOf(provenance), head));
};
const underProven = { provenance: { by: 'signatures', set: 'proven' } } as const;

describe('a set', () => {
  it('may weigh as much as the most that a set can weigh', () => {
    const one = [{ publicKey: hash(1), weight: `${MAX_TOTAL_WEIGHT}` }];
    const name = setHashOf({ validators: one });
    const set = { ...setOf({ kind: 'given' }, name), validators: one, totalWeight: `${MAX_TOTAL_WEIGHT}` };
    expect(contradictionInSet(set, planOf({ kind: 'given', set: name }))).toBeUndefined();
  });
});

describe('a row with signatures', () => {
  it('may have absent validators next to others with bad entries', () => {
    const over = { verdict: { status: 'rejected', defects: [0] } } as const;
    expect(ofRow(signedBy([1], [2], over))).toBeUndefined();
    expect(ofRow(signedBy([1], [1], { ...over, signedWeight: '80', margin: '13' }))).toMatch(/a validator is in both/);
  });

  it('has no bad validator beyond its set', () => {
    const over = { verdict: { status: 'rejected', defects: [0] } } as const;
    expect(ofRow(signedBy([], [2], { ...over, bad: '01' }))).toMatch(/more validators than its set has/);
  });

  it('is final from a margin of 0 on, and insufficient below it', () => {
    const just = planOf(GIVEN.trust, { policy: { ...policy, threshold: '79/100' } });
    const sums = { requiredWeight: '80', margin: '0' };
    expect(ofRow(signedBy([1, 2], [], sums), just)).toBeUndefined();
    expect(ofRow(signedBy([1, 2], [], { ...sums, verdict: { status: 'insufficient' } }), just)).toMatch(
      /insufficient with a margin of 0/,
    );
  });

  it('under a set that the header does not name may have entries of strangers alone', () => {
    const over = { setCheck: 'mismatch', unknown: 3, ...undecided('wrong-validator-set') } as const;
    expect(ofRow(signedBy(ALL, [], over))).toBeUndefined();
  });

  it('is of strangers only if it has entries of strangers and no entry of the set', () => {
    expect(ofRow(signedBy(ALL, [], { verdict: { status: 'insufficient' } }))).toBeUndefined();
    const rejected = { verdict: { status: 'rejected', defects: [0, 1] } } as const;
    expect(ofRow(signedBy(ALL.slice(1), [0], { ...rejected, unknown: 1 }))).toBeUndefined();
    expect(ofRow(signedBy(ALL.slice(1), [0], rejected))).toBeUndefined();
    expect(ofRow(signedBy(ALL, [], { ...undecided('no-known-signer'), unknown: 2 }))).toBeUndefined();
  });

  it('may be undecided for its number where the policy wants it bound', () => {
    const strict = planOf(GIVEN.trust, { policy: { ...policy, requireBoundId: true } });
    const over = { kind: 'ordinary', header: null, ...undecided('unbound-id', ['rootHash', 'fileHash']) } as const;
    expect(ofRow(signedBy([], [], over), strict)).toBeUndefined();
  });

  it('has the members bound that its signatures cover, and no others in their place', () => {
    const over = { kind: 'ordinary', header: null } as const;
    expect(ofRow(signedBy([], [], { ...over, bound: ['rootHash', 'fileHash'] }))).toBeUndefined();
    expect(ofRow(signedBy([], [], { ...over, bound: ['seqno', 'fileHash'] }))).toMatch(/bound: expected rootHash/);
    expect(ofRow(signedBy([], [], { ...over, bound: ['rootHash', 'seqno'] }))).toMatch(/bound: expected rootHash/);
  });

  it('is by signatures, also where no reader of lines looked at it', () => {
    expect(ofRow(signed(5, { provenance: { by: 'descendant', seqno: 9 } }))).toMatch(/provenance.by/);
  });

  it('under a set is final after the key block that proves the set, and below it may only be something else', () => {
    const header = (seqno: number) => ({ header: headerOf(seqno, { prevKeyBlock: 20 }), ...underProven });
    expect(ofRow(signed(21, header(21)), PROVEN)).toBeUndefined();
    const early = { header: null, kind: 'simplex', ...underProven } as const;
    expect(ofRow(signed(20, early), PROVEN)).toMatch(/final by the set of key block 20/);
    expect(ofRow(signed(20, { ...early, ...undecided('stale-head') }), PROVEN)).toBeUndefined();
  });

  it('may name an earlier key block than that of the set if its header shows that this is the wrong set', () => {
    const header = headerOf(25, { prevKeyBlock: 19 });
    expect(ofRow(signed(25, { header, ...underProven }), PROVEN)).toMatch(/setCheck: match/);
    const over = { header, setCheck: 'mismatch', ...underProven, ...undecided('wrong-validator-set') } as const;
    expect(ofRow(signed(25, over), PROVEN)).toBeUndefined();
  });
});

describe('a row by descendant', () => {
  const LINKED = planOf(GIVEN.trust, { from: 5, to: 18, signEvery: 4 });

  it('is judged by a block up to the end of its hop, which is the n-th block of the audit or its last', () => {
    const ground = (seqno: number, of: number) => ofRow(linked(seqno, of), LINKED);
    for (const [seqno, end] of [
      [5, 8],
      [7, 8],
      [9, 12],
      [11, 12],
      [17, 18],
    ] as const) {
      expect(ground(seqno, end)).toBeUndefined();
      expect(ground(seqno, end + 1)).toMatch(/a later block of this audit, of the same hop/);
      expect(ground(seqno, seqno)).toMatch(/a later block of this audit, of the same hop/);
    }
  });

  it('is undecided for no other reason than the blocks that lead down to it', () => {
    expect(ofRow(linked(6, 8, undecided('no-final-descendant', [])), LINKED)).toBeUndefined();
    expect(ofRow(linked(6, 8, undecided('stale-head', [])), LINKED)).toMatch(/no-final-descendant/);
    expect(ofRow(linked(6, 8, { verdict: { status: 'insufficient' }, bound: [] }), LINKED)).toMatch(
      /no-final-descendant/,
    );
  });

  it('is final only after the key block that trust begins with', () => {
    const head = planOf(PROVEN.trust, { from: 5, signEvery: 20 });
    for (const seqno of [9, 10]) {
      expect(ofRow(linked(seqno, 12), head)).toMatch(/final, and trust begins after key block 10/);
      expect(ofRow(linked(seqno, 12, undecided('no-final-descendant', [])), head)).toBeUndefined();
    }
    expect(ofRow(linked(11, 12, { header: headerOf(11, { prevKeyBlock: 10 }) }), head)).toBeUndefined();
  });

  it('is final only where its header names an earlier key block', () => {
    const header = (prevKeyBlock: number) => ({ header: headerOf(6, { prevKeyBlock }) });
    expect(ofRow(linked(6, 8, header(5)), LINKED)).toBeUndefined();
    expect(ofRow(linked(6, 8, header(6)), LINKED)).toMatch(/header.prevKeyBlock: expected an earlier block/);
  });
});

describe('a final row next to a block that trust begins with', () => {
  const plan = planOf({ kind: 'proven', anchor: id(20), keyBlock: id(10) });

  it('may be that block', () => {
    expect(contradictionOfStart(signed(20), plan)).toBeUndefined();
    expect(contradictionOfStart(signed(20, { block: id(20, 'b') }), plan)).toMatchObject({
      message: expect.stringMatching(/differs/),
    });
  });

  it('may follow it without a header that says so', () => {
    expect(contradictionOfStart(signed(21, { header: null }), plan)).toBeUndefined();
    expect(contradictionOfStart(signed(21), plan)).toBeUndefined();
  });
});

describe('two rows after one another', () => {
  it('contradict each other only if both are final and the second names a different block', () => {
    const other = signed(6, { header: headerOf(6, { parent: hash(5, 'b') }) });
    expect(contradictionBetween(signed(5), other)).toMatchObject({ message: expect.stringMatching(/both final/) });
    expect(contradictionBetween(signed(5), signed(6))).toBeUndefined();
    expect(contradictionBetween(signed(5), { ...other, header: null })).toBeUndefined();
    expect(contradictionBetween(signed(5), { ...other, verdict: { status: 'insufficient' } })).toBeUndefined();
    expect(contradictionBetween({ ...signed(5), verdict: { status: 'insufficient' } }, other)).toBeUndefined();
    expect(contradictionBetween({ type: 'failure', seqno: 5, code: 'source/missing' }, other)).toBeUndefined();
    expect(contradictionBetween(undefined, other)).toBeUndefined();
  });
});

describe('rows in order', () => {
  /** The rows, each of which fits those before it. */
  function rowsOf(head: AuditPlan, lines: readonly (AuditRow | AuditSet)[]): Succession {
    const succession = new Succession(head);
    for (const line of lines) {
      if (line.type === 'set') {
        expect(succession.contradictionOfSet(line, 99)).toBeUndefined();
        succession.name(line);
      } else {
        expect(succession.contradiction(line)).toBeUndefined();
        succession.add(line);
      }
    }
    return succession;
  }
  const under = (seqno: number, prevKeyBlock: number, over: Partial<SignedAuditBlock> = {}) =>
    signed(seqno, { header: headerOf(seqno, { prevKeyBlock, parent: null }), ...over });
  const keyBlock = (seqno: number, prevKeyBlock: number) =>
    under(seqno, prevKeyBlock, { header: headerOf(seqno, { prevKeyBlock, keyBlock: true, parent: null }) });
  const failure = (seqno: number): AuditRow => ({ type: 'failure', seqno, code: 'source/missing' });

  it('may have the same time, and not an earlier one', () => {
    const at = (seqno: number, genUtime: number) =>
      signed(seqno, { header: headerOf(seqno, { genUtime, prevKeyBlock: 10, parent: null }) });
    const rows = rowsOf(PROVEN, [at(11, 1500)]);
    expect(rows.contradiction(at(12, 1500))).toBeUndefined();
    expect(rows.contradiction(at(12, 1499))).toMatchObject({ message: expect.stringMatching(/was made before/) });
  });

  it('may name a key block that came after the newest final row, and not that row itself', () => {
    const rows = rowsOf(PROVEN, [under(11, 10), failure(12)]);
    expect(rows.contradiction(under(13, 12))).toBeUndefined();
    expect(rows.contradiction(under(13, 11))).toMatchObject({ message: expect.stringMatching(/follows key block 11/) });
  });

  it('may have a set of no other block than the key block that final rows know, also some rows later', () => {
    const rows = rowsOf(PROVEN, [keyBlock(12, 10), under(13, 12), under(14, 12)]);
    const of = (seqno: number, fork?: string, next = 15) =>
      rows.contradictionOfSet(setOf(by(seqno, fork)), next)?.message;
    expect(of(12)).toBeUndefined();
    expect(of(12, 'b')).toMatch(/which the rows before say is another block/);
    expect(of(11)).toMatch(/which the rows before say is another block/);
    expect(of(13)).toMatch(/which the rows before say is another block/);
    expect(of(10)).toBeUndefined();
    expect(of(9)).toBeUndefined();
    expect(of(15)).toMatch(/which comes after block 15/);
    expect(of(15, undefined, 16)).toBeUndefined();
  });

  it('know only that the key block which a header names is the last, if they do not have it', () => {
    const rows = rowsOf(PROVEN, [failure(11), failure(12), failure(13), under(14, 12)]);
    const of = (seqno: number, fork?: string) => rows.contradictionOfSet(setOf(by(seqno, fork)), 15)?.message;
    for (const fork of ['a', 'b']) expect(of(12, fork)).toBeUndefined();
    expect(of(11)).toBeUndefined();
    for (const seqno of [13, 14]) expect(of(seqno)).toMatch(/which the rows before say is another block/);
  });

  describe('under an earlier set than the last', () => {
    const [first, second] = [setOf(by(10), hash(1, 'e')), setOf(by(12), hash(2, 'e'))];
    const old = (row: SignedAuditBlock): SignedAuditBlock => ({ ...row, set: first.set });
    const rows = () =>
      rowsOf(PROVEN, [first, { ...keyBlock(11, 10), set: first.set }, failure(12), second, failure(13)]);

    it('are final only if a later key block may have installed it again', () => {
      expect(rows().contradiction(old(under(14, 13)))).toBeUndefined();
      expect(rows().contradiction(old(under(14, 12)))).toMatchObject({
        message: expect.stringMatching(/a different set than that of key/),
      });
      expect(rows().contradiction(old(under(14, 12, { verdict: { status: 'insufficient' } })))).toBeUndefined();
    });

    it('are not judged without a header, but right behind a row that names the key block', () => {
      const bare = (seqno: number) => old(signed(seqno, { header: null }));
      expect(rows().contradiction(bare(14))).toBeUndefined();
      const known = rows();
      known.add({ ...under(14, 12), set: second.set });
      expect(known.contradiction(bare(15))).toMatchObject({
        message: expect.stringMatching(/a different set than that of key block 12/),
      });
      known.add(failure(15));
      expect(known.contradiction(bare(16))).toBeUndefined();
    });
  });

  it('of a hop may end with a block that could not be had only if none of them is final', () => {
    const head = planOf(GIVEN.trust, { signEvery: 4 });
    const none = undecided('no-final-descendant', []);
    expect(rowsOf(head, [linked(3, 4, none)]).contradiction(failure(4))).toBeUndefined();
    expect(rowsOf(head, [linked(3, 4)]).contradiction(failure(4))).toMatchObject({
      message: expect.stringMatching(/there is none/),
    });
    expect(rowsOf(head, [linked(2, 4, none)]).contradiction(failure(3))).toMatchObject({
      message: expect.stringMatching(/there is none/),
    });
    expect(rowsOf(head, [linked(2, 4)]).contradiction(failure(3))).toMatchObject({
      message: expect.stringMatching(/there is none/),
    });
  });
});

describe('a ledger, line by line', () => {
  const ledger = (...lines: readonly AuditLine[]) => {
    const check = new LedgerCheck('mine');
    for (const line of lines) check.write(line);
    return check;
  };
  const given = setOf({ kind: 'given' });
  const HOPS = planOf(GIVEN.trust, { signEvery: 4 });
  const bare = { header: null, kind: 'ordinary', bound: ['rootHash', 'fileHash'] } as const;

  it('has no last row before its first line, and says what it has in JSON', () => {
    expect(new LedgerCheck('mine').last).toBeUndefined();
    const check = ledger(GIVEN, given, signed(1));
    const { hash: running, counts } = check;
    expect(JSON.parse(JSON.stringify(check))).toEqual({
      head: GIVEN,
      hash: running,
      lines: 3,
      next: 2,
      counts: JSON.parse(JSON.stringify(counts)),
      sets: { [setHash]: 7 },
      last: signed(1),
    });
    expect(counts).toMatchObject({ final: 1, notFinal: 0, failures: 0 });
  });

  it('is to be restored where a later line is wrong, and is no ledger where the first is', () => {
    expect(() => ledger().read('{}')).toThrow(expect.objectContaining({ hint: NO_LEDGER_HINT }));
    expect(() => ledger(GIVEN).read('{}')).toThrow(expect.objectContaining({ hint: BROKEN_HINT }));
  });

  it('with line ends of Windows is told so, with the program that mends them', () => {
    expect(() => ledger(GIVEN).read('{}\r')).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('got CRLF'),
        hint: expect.stringContaining('dos2unix'),
      }),
    );
  });

  it('may end with an incomplete line up to its last block, and not after it', () => {
    const head = planOf(GIVEN.trust, { to: 2 });
    const check = ledger(head, given, signed(1));
    expect(() => check.requireEnd(5)).not.toThrow();
    check.write(signed(2));
    expect(() => check.requireEnd(5)).toThrow(/expected the end, after block 2, got 5 bytes/);
    expect(() => check.requireEnd(0)).not.toThrow();
  });

  it('takes no line that contradicts the others, and writes nothing of it', () => {
    const check = ledger(GIVEN, given, signed(1));
    expect(check.stage(signed(2, { header: headerOf(2, { parent: hash(1, 'b') }) }))).toBeDefined();
    expect([check.lines, check.next, check.take()]).toEqual([3, 2, '']);
    expect(check.stage(signed(2))).toBeUndefined();
    expect(check.take()).toMatch(/^\{"type":"block".*\}\n$/);
  });

  it('knows the final blocks of an open hop, and forgets them with the hop', () => {
    const none = { ...undecided('no-final-descendant', []), header: headerOf(1) };
    for (const [row, isKnown] of [
      [linked(1, 4), true],
      [linked(1, 4, none), false],
    ] as const) {
      const check = ledger(HOPS, row);
      expect(check.hasFinal(hash(1))).toBe(isKnown);
      check.dropOpen();
      expect([check.hasFinal(hash(1)), check.lines, check.next]).toEqual([false, 1, 1]);
    }
  });

  it('counts the rows of a hop with the row of the block that leads down to them', () => {
    const check = ledger(HOPS, linked(1, 4), linked(2, 4), linked(3, 4));
    expect(check.counts).toMatchObject({ final: 0, notFinal: 0, undecided: 0, failures: 0 });
    check.write(given);
    check.write(signed(4));
    expect(check.counts).toMatchObject({ final: 4, notFinal: 0, undecided: 0, failures: 0 });
  });

  it('forgets with an open hop the set that was named in it, and no other', () => {
    const check = ledger(HOPS, linked(1, 4), linked(2, 4), linked(3, 4), given);
    check.dropOpen();
    expect([...check.sets.keys()]).toEqual([]);
    for (const seqno of [1, 2, 3]) check.write(linked(seqno, 4));
    expect(() => check.write(signed(4))).toThrow(/a set that no line before names/);
    check.write(given);
    check.write(signed(4));
    check.write(linked(5, 8));
    check.dropOpen();
    expect([...check.sets.keys()]).toEqual([setHash]);
    check.write(signed(5));
  });

  it('has each key block of a set as its own row has it, from the first block on', () => {
    const proven = setOf(by(10));
    const other = [{ ...validators[0]!, weight: '100' }];
    const of = (keyBlock: number, fork?: string): AuditSet => ({
      ...setOf(by(keyBlock, fork), setHashOf({ validators: other })),
      validators: other,
    });
    const from = (first: number) => planOf(PROVEN.trust, { from: first });
    const check = ledger(from(11), proven, signed(11, { ...bare, ...underProven }));
    expect(() => check.write(of(11, 'b'))).toThrow(/a set of key block 11, which is a different block in its row/);
    check.write(of(11));
    expect(() => ledger(from(10), proven)).not.toThrow();
  });

  it('remembers the last key block that is final, whatever follows it', () => {
    const check = ledger(GIVEN, given);
    expect(check.lastKeyBlock).toBeUndefined();
    check.write(signed(1, { header: headerOf(1, { keyBlock: true }) }));
    expect(check.lastKeyBlock).toBe(idOf(id(1)));
    check.write(signed(2, { header: headerOf(2, { prevKeyBlock: 1 }) }));
    check.write(signed(3, bare));
    const header = headerOf(4, { keyBlock: true, prevKeyBlock: 1 });
    check.write(signedBy(ALL, [], { block: id(4), header, verdict: { status: 'insufficient' } }));
    expect(check.lastKeyBlock).toBe(idOf(id(1)));
  });

  it('has no block that follows an earlier final one over a row that is not final', () => {
    const notFinal = signedBy(ALL, [], { ...bare, block: id(2), verdict: { status: 'insufficient' } });
    const check = ledger(GIVEN, given, signed(1), notFinal);
    expect(() => check.write(signed(3, { header: headerOf(3, { parent: hash(1) }) }))).toThrow(
      /final in an earlier row than the one before it/,
    );
    check.write(signed(3));
  });
});
