/** The contract between facts and judgement, row by row, under both policies and for both kinds of message. */
import { describe, expect, it } from 'vitest';
import type { SignatureEntry, SignatureList } from '../../src/core/block/signature-list.ts';
import { signedMessage } from '../../src/core/message/signed-message.ts';
import {
  copyValidators,
  createProvenSet,
  createValidatorSet,
  type ValidatorSet,
} from '../../src/core/validators/validator-set.ts';
import type { BlockContext, Policy, Verdict } from '../../src/core/verify/report.ts';
import { verifyBlock } from '../../src/core/verify/verifier.ts';
import { corrupted, entryOf, hashOf, makeBlockId, makeSignedSet, ORIGIN, withEntries } from '../helpers/make-block.ts';
import { makeSigner, makeSigners } from '../helpers/make-validators.ts';

// 40 + 27 + 20 + 6 + 6 = 99: two thirds are exactly 66.
const signers = makeSigners([40n, 27n, 20n, 6n, 6n]);
const strangers = [makeSigner('stranger 1', 1n), makeSigner('stranger 2', 1n)];
const members = signers.map(({ publicKey, weight }, i) => ({ publicKey, weight, adnlAddr: hashOf(`adnl ${i}`) }));
const given = createValidatorSet(members, { shuffle: true, utimeUntil: 1_000_000 });
const claimed = createValidatorSet(members, {
  provenance: { kind: 'claimed', source: 'a server' },
  utimeUntil: 1_000_000,
});
const endless = createValidatorSet(members);
const proven = createProvenSet(copyValidators(members), {
  ...ORIGIN,
  keyBlock: makeBlockId(900),
  anchor: makeBlockId(1),
  utimeUntil: 1_000_000,
});
const otherSet: BlockContext = { header: { source: 'given', catchainSeqno: 7, validatorListHashShort: 1 } };

type Entries = (e: readonly SignatureEntry[], foreign: readonly SignatureEntry[]) => readonly SignatureEntry[];

interface Row {
  readonly title: string;
  readonly entries: Entries;
  readonly reject: string;
  readonly ignore: string;
  readonly set?: ValidatorSet;
  readonly context?: BlockContext;
  readonly policy?: Policy;
  readonly kind?: SignatureList['kind'];
}

const all: Entries = (e) => e;

const rows: readonly Row[] = [
  { title: 'all valid, 3s > 2t', entries: all, reject: 'final', ignore: 'final' },
  { title: 'all valid, one above two thirds', entries: (e) => [e[0]!, e[1]!], reject: 'final', ignore: 'final' },
  {
    title: 'all valid, exactly two thirds',
    entries: (e) => [e[0]!, e[2]!, e[3]!],
    reject: 'insufficient',
    ignore: 'insufficient',
  },
  { title: 'all valid, far below', entries: (e) => [e[4]!], reject: 'insufficient', ignore: 'insufficient' },
  {
    title: 'one bad signature, the rest above 2/3',
    entries: (e) => [...e.slice(0, 4), corrupted(e[4]!)],
    reject: 'rejected',
    ignore: 'final',
  },
  {
    title: 'one bad signature, needed for 2/3',
    entries: (e) => [corrupted(e[0]!), ...e.slice(1)],
    reject: 'rejected',
    ignore: 'insufficient',
  },
  {
    title: 'one unknown signer, the rest above 2/3',
    entries: (e, u) => [...e, u[0]!],
    reject: 'rejected',
    ignore: 'final',
  },
  {
    title: 'one signer twice, the rest above 2/3 without it',
    entries: (e) => [...e, e[4]!],
    reject: 'rejected',
    ignore: 'final',
  },
  {
    title: 'one signer twice, needed for 2/3',
    entries: (e) => [e[0]!, e[1]!, e[1]!, e[0]!],
    reject: 'rejected',
    ignore: 'insufficient',
  },
  {
    title: 'one signer twice, once good and once bad',
    entries: (e) => [...e, corrupted(e[0]!)],
    reject: 'rejected',
    ignore: 'insufficient',
  },
  {
    title: 'some unknown, the rest below 2/3',
    entries: (e, u) => [e[4]!, u[0]!],
    reject: 'rejected',
    ignore: 'insufficient',
  },
  { title: 'no entries', entries: () => [], reject: 'insufficient', ignore: 'insufficient' },
  { title: 'all unknown', entries: (_, u) => u, reject: 'no-known-signer', ignore: 'no-known-signer' },
  {
    title: 'one unknown signer twice and nobody else',
    entries: (_, u) => [u[0]!, u[0]!],
    reject: 'no-known-signer',
    ignore: 'no-known-signer',
  },
  {
    title: 'one known signer, twice, with a bad signature',
    entries: (e) => [corrupted(e[0]!), corrupted(e[0]!)],
    reject: 'rejected',
    ignore: 'insufficient',
  },
  {
    title: 'one of each defect, the rest above 2/3',
    entries: (e, u) => [e[0]!, e[1]!, e[2]!, corrupted(e[3]!), e[4]!, e[4]!, u[0]!],
    reject: 'rejected',
    ignore: 'final',
  },
  {
    title: 'header names another set hash',
    entries: all,
    context: otherSet,
    reject: 'wrong-validator-set',
    ignore: 'wrong-validator-set',
  },
  {
    title: 'header names another set hash, and all are unknown',
    entries: (_, u) => u,
    context: otherSet,
    reject: 'wrong-validator-set',
    ignore: 'wrong-validator-set',
  },
  {
    title: 'header names another set hash, and one signature is bad',
    entries: (e) => [corrupted(e[0]!)],
    context: otherSet,
    reject: 'wrong-validator-set',
    ignore: 'wrong-validator-set',
  },
  {
    title: 'set claimed by a server, otherwise final',
    entries: all,
    set: claimed,
    reject: 'claimed-set',
    ignore: 'claimed-set',
  },
  {
    title: 'set claimed by a server and accepted by name',
    entries: all,
    set: claimed,
    policy: { acceptClaimed: true },
    reject: 'final',
    ignore: 'final',
  },
  {
    title: 'set claimed by a server, not final anyhow',
    entries: (e) => [e[0]!],
    set: claimed,
    reject: 'insufficient',
    ignore: 'insufficient',
  },
  {
    title: 'set claimed by a server, one bad signature',
    entries: (e) => [...e.slice(0, 4), corrupted(e[4]!)],
    set: claimed,
    reject: 'rejected',
    ignore: 'claimed-set',
  },
  {
    title: 'set long past its time, asked of a head',
    entries: all,
    context: { nowSeconds: 1_032_769 },
    reject: 'stale-set',
    ignore: 'stale-set',
  },
  {
    title: 'set past its round while its stakes are still held',
    entries: all,
    context: { nowSeconds: 1_032_768 },
    reject: 'final',
    ignore: 'final',
  },
  {
    title: 'claimed before stale',
    entries: all,
    set: claimed,
    context: { nowSeconds: 9e9 },
    reject: 'claimed-set',
    ignore: 'claimed-set',
  },
  {
    title: 'ordinary set, no header, requireBoundId',
    entries: all,
    kind: 'ordinary',
    policy: { requireBoundId: true },
    reject: 'unbound-id',
    ignore: 'unbound-id',
  },
  {
    title: 'simplex set, no header, requireBoundId',
    entries: all,
    kind: 'simplex',
    policy: { requireBoundId: true },
    reject: 'final',
    ignore: 'final',
  },
  {
    title: 'claimed before unbound',
    entries: all,
    kind: 'ordinary',
    set: claimed,
    policy: { requireBoundId: true },
    reject: 'claimed-set',
    ignore: 'claimed-set',
  },
  {
    title: 'a header that only says it is proven binds nothing',
    entries: all,
    kind: 'ordinary',
    context: { header: { source: 'proven', seqno: 1000 } },
    policy: { requireBoundId: true },
    reject: 'unbound-id',
    ignore: 'unbound-id',
  },
  {
    title: 'a clock, and a set whose end is not known',
    entries: all,
    set: endless,
    context: { nowSeconds: 1 },
    reject: 'unknown-age',
    ignore: 'unknown-age',
  },
  {
    title: 'no clock, and a set whose end is not known',
    entries: all,
    set: endless,
    reject: 'final',
    ignore: 'final',
  },
  {
    title: 'a clock, a set whose end is not known, not final anyhow',
    entries: (e) => [e[0]!],
    set: endless,
    context: { nowSeconds: 1 },
    reject: 'insufficient',
    ignore: 'insufficient',
  },
  {
    title: 'claimed before unknown age',
    entries: all,
    set: createValidatorSet(members, { provenance: { kind: 'claimed', source: 'a server' } }),
    context: { nowSeconds: 1 },
    reject: 'claimed-set',
    ignore: 'claimed-set',
  },
  {
    title: 'unknown age before unbound',
    entries: all,
    kind: 'ordinary',
    set: endless,
    context: { nowSeconds: 1 },
    policy: { requireBoundId: true },
    reject: 'unknown-age',
    ignore: 'unknown-age',
  },
  {
    title: 'a head that is older than the limit',
    entries: all,
    context: { header: { source: 'given', genUtime: 1000 }, nowSeconds: 1061, maxHeadAgeSeconds: 60 },
    reject: 'stale-head',
    ignore: 'stale-head',
  },
  {
    title: 'a head as old as the limit',
    entries: all,
    context: { header: { source: 'given', genUtime: 1000 }, nowSeconds: 1060, maxHeadAgeSeconds: 60 },
    reject: 'final',
    ignore: 'final',
  },
  {
    title: 'a head of unknown age, and a limit',
    entries: all,
    context: { nowSeconds: 1061, maxHeadAgeSeconds: 60 },
    reject: 'stale-head',
    ignore: 'stale-head',
  },
  {
    title: 'stale head before unbound',
    entries: all,
    kind: 'ordinary',
    context: { nowSeconds: 1061, maxHeadAgeSeconds: 60 },
    policy: { requireBoundId: true },
    reject: 'stale-head',
    ignore: 'stale-head',
  },
  {
    title: 'unknown age before stale head',
    entries: all,
    set: endless,
    context: { nowSeconds: 1061, maxHeadAgeSeconds: 60 },
    reject: 'unknown-age',
    ignore: 'unknown-age',
  },
  {
    title: 'a set that is only given, requireProvenSet',
    entries: all,
    policy: { requireProvenSet: true },
    reject: 'claimed-set',
    ignore: 'claimed-set',
  },
  {
    title: 'a proven set, requireProvenSet',
    entries: all,
    set: proven,
    policy: { requireProvenSet: true },
    reject: 'final',
    ignore: 'final',
  },
  {
    title: 'only given before stale',
    entries: all,
    context: { nowSeconds: 9e9 },
    policy: { requireProvenSet: true },
    reject: 'claimed-set',
    ignore: 'claimed-set',
  },
  {
    title: 'ordinary set, no header, acceptUnbound',
    entries: all,
    kind: 'ordinary',
    policy: { acceptUnbound: true },
    reject: 'final',
    ignore: 'final',
  },
  {
    title: 'stale before unbound',
    entries: all,
    kind: 'ordinary',
    context: { nowSeconds: 9e9 },
    policy: { requireBoundId: true },
    reject: 'stale-set',
    ignore: 'stale-set',
  },
];

const short = (verdict: Verdict) => (verdict.status === 'undecided' ? verdict.reason : verdict.status);

describe.each(['ordinary', 'simplex'] as const)('the verdict on a set of kind %s', (kind) => {
  const signed = makeSignedSet(kind, signers);
  const foreign = strangers.map((stranger) => entryOf(stranger, signedMessage(signed)));

  it.each(rows.filter((row) => row.kind === undefined || row.kind === kind))(
    '$title: $reject, ignoring defects $ignore',
    (row) => {
      const set = withEntries(signed, row.entries(signed.signatures, foreign));
      const judged = (onDefect: 'reject' | 'ignore') =>
        short(verifyBlock(set, row.set ?? given, { ...row.policy, onDefect, context: row.context ?? {} }).verdict);
      expect([judged('reject'), judged('ignore')]).toEqual([row.reject, row.ignore]);
    },
  );

  it('names exactly the defective entries when it rejects', () => {
    const [a, b, c, d, e] = signed.signatures as [
      SignatureEntry,
      SignatureEntry,
      SignatureEntry,
      SignatureEntry,
      SignatureEntry,
    ];
    const { verdict } = verifyBlock(withEntries(signed, [a, corrupted(b), c, foreign[0]!, d, e, e]), given);
    expect(verdict.status === 'rejected' && verdict.defects.map(({ index, outcome }) => [index, outcome])).toEqual([
      [1, 'bad-signature'],
      [3, 'unknown-signer'],
      [5, 'duplicate-signer'],
      [6, 'duplicate-signer'],
    ]);
  });
});
