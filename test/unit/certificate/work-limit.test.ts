/**
 * What a certificate takes is bounded by its size: of all that were found, those whose cells are shared the most take at most
 * three times what an honest one takes. Counted, not timed; `test/slow` measures larger ones.
 */
import { describe, expect, it } from 'vitest';
import { WORK_PER_BYTE } from '../../../src/core/base/limits.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { writeBoc } from '../../../src/core/cells/write-boc.ts';
import { certificateToJson } from '../../../src/core/certificate/json.ts';
import { certificateToBoc, parseCertificate, partsOf } from '../../../src/core/certificate/parse.ts';
import { certificateCell } from '../../../src/core/certificate/parts.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { HASH_COST, VALIDATOR_COST } from '../../../src/core/certificate/work-limit.ts';
import { beginCell } from '../../helpers/cells.ts';
import { mainnetCertificate } from '../../helpers/certificates.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import {
  certificateOf,
  chainOf,
  DEAR,
  dearCertificate,
  HONEST,
  honestCertificate,
  ofSize,
  treeOf,
  workTaken,
} from '../../helpers/dear-certificates.ts';
import { committee, configCell, makeBlock, wholeProof } from '../../helpers/make-chain.ts';
import { isFull, share } from '../../helpers/share.ts';

const TARGET = 20_000;

/** A bag of cells of nothing but one reference, the last of which says that it has levels, and it has none. */
function smallBag(mask: number, cells: number): Uint8Array {
  const [count, size] = [Buffer.alloc(2), Buffer.alloc(4)];
  count.writeUInt16BE(cells);
  size.writeUInt32BE(4 * cells - 2);
  const head = [0xb5, 0xee, 0x9c, 0x72, 2, 4, ...count, 0, 1, 0, 0, ...size, 0, 0];
  const chain = Array.from({ length: cells - 1 }, (_, k) => [1 | (mask << 5), 0, (k + 1) >> 8, (k + 1) & 0xff]);
  return Uint8Array.from([...head, ...chain.flat(), mask === 0 ? 0x20 : mask << 5, 0]);
}

describe('the work of a certificate', () => {
  const honest = HONEST.map((shape) => ofSize(TARGET, (n) => honestCertificate(shape, n)));
  const perByte = (bytes: Uint8Array) => workTaken(bytes).work / bytes.length;
  const dearest = Math.max(...honest.map(perByte));

  it('is a half of what is allowed where it is honest', () => {
    for (const bytes of honest) {
      const { work, isTaken } = workTaken(bytes);
      expect(isTaken).toBe(true);
      expect(work).toBeLessThan((WORK_PER_BYTE / 2) * bytes.length + (HASH_COST * bytes.length) / 12);
    }
  });

  it.each(DEAR)('is bounded where it is shared: %s', (shape) => {
    let refused = 0;
    const isOfBlocks = /one way|one large set/.test(shape);
    for (const facts of [8, isOfBlocks ? share(24, 64) : 64]) {
      for (const n of [1, shape === 'key blocks of one large set' ? 8 : 32]) {
        const bytes = dearCertificate(shape, n, facts);
        const { work, isTaken } = workTaken(bytes);
        if (!isTaken) refused++;
        expect(work / bytes.length, `${shape} ${n} ${facts}`).toBeLessThanOrEqual(3 * dearest);
      }
    }
    if (!isOfBlocks) expect(refused).toBeGreaterThan(0); // blocks are large beside what they share
  });

  it('has the same bound where it is made, and where its claims are made', () => {
    const bytes = dearCertificate('messages that are one cell', 4, 16);
    const certificate = parseCertificate(bytes);
    const refused = expect.objectContaining({ code: 'cert/too-large' });
    expect(() => verifyCertificate(certificate, { anchor: certificate.anchor })).toThrow(refused);
    expect(() => verifyCertificate(certificate)).toThrow(refused);
    expect(() => certificateToJson(certificate)).toThrow(refused);
  });

  it('is that of one way, however many facts stand at its end', () => {
    const [few, many] = [2, 34].map((facts) => dearCertificate('shard blocks of one way', 1, facts)) as [
      Uint8Array,
      Uint8Array,
    ];
    const [less, more] = [workTaken(few), workTaken(many)];
    expect([less.isTaken, more.isTaken]).toEqual([true, true]);
    expect((more.work - less.work) / 32).toBeLessThan(less.work / 10);
  });

  it('leaves room for as many facts as a certificate holds, at the end of one way and of nearly equal cells', () => {
    const message = (k: number) => beginCell().storeUint(k, 32).endCell();
    const upTo256 = Array.from({ length: 256 }, (_, k) => k);
    for (const links of isFull ? [0, 8, 63] : [8]) {
      const absences = certificateOf({ links, transactions: [], asked: upTo256.map((k) => [k] as const) });
      expect(workTaken(absences)).toMatchObject({ isTaken: true });
      expect(parseCertificate(absences).facts).toHaveLength(256);
    }
    for (const value of [message, () => message(1)]) {
      expect(workTaken(certificateOf({ params: upTo256.map(value) }))).toMatchObject({ isTaken: true });
    }
  });

  it('leaves room for the messages of a transaction with as many as it may have, and large bodies', () => {
    const bytes = ofSize(share(60_000, 300_000), (n) => honestCertificate('messages', n));
    expect(parseCertificate(bytes).facts).toHaveLength(255);
    expect(workTaken(bytes)).toMatchObject({ isTaken: true });
  });

  it('leaves room for one large parameter of small cells', () => {
    expect(workTaken(certificateOf({ params: [treeOf(share(5000, 20_000))] }))).toMatchObject({ isTaken: true });
    expect(workTaken(certificateOf({ params: [chainOf(500)] }))).toMatchObject({ isTaken: true });
  });

  it('is looked at before anything is hashed: of small cells, and of cells of many levels', () => {
    for (const [mask, cells] of [
      [0, 4000],
      [7, 1000],
    ] as const) {
      // Its last cell says another level than it has, which hashing finds.
      const bag = smallBag(mask, cells);
      expect(() => parseSingleRoot(bag)).toThrow(expect.objectContaining({ code: 'decode/boc' }));
      expect(() => parseCertificate(bag)).toThrow(expect.objectContaining({ code: 'cert/too-large' }));
    }
  });

  it('counts validators before a set is made of them', () => {
    const leaf = beginCell().storeUint(0x53, 8).storeUint(0x8e81278a, 32).storeUint(9, 256).storeUint(1, 64).endCell();
    let list = beginCell().storeUint(0, 2).storeSlice(leaf.beginParse()).endCell();
    for (let k = 0; k < 16; k++) list = beginCell().storeUint(0, 2).storeRef(list).storeRef(list).endCell();
    const outcome = (main: number) => {
      const head = beginCell().storeUint(0x11, 8).storeUint(1, 32).storeUint(2_000_000, 32).storeUint(65_535, 16);
      const param34 = head.storeUint(main, 16).storeSlice(list.beginParse()).endCell();
      const signers = committee('a');
      const config = configCell({ elected: signers, param34 });
      const block = makeBlock({ seqno: 1, signedBy: signers, prevKeyBlockSeqno: 0, config });
      const { parts } = partsOf(mainnetCertificate());
      const step = { proof: parseSingleRoot(wholeProof(block.root)), signed: undefined };
      const steps = [step, ...parts.steps.slice(1)];
      const certificate = parseCertificate(writeBoc(certificateCell({ ...parts, anchor: block.id, steps })));
      return () => verifyCertificate(certificate, { anchor: block.id });
    };
    expect(outcome(10)).toThrow(expect.objectContaining({ code: 'validators/repeated-key' }));
    expect(outcome(3000)).toThrow(expect.objectContaining({ code: 'cert/too-large', path: 'chain[0]' }));
  });

  it('counts each validator of each key block', () => {
    const of = (validators: number) => dearCertificate('key blocks of one large set', validators / 4, 4);
    const [few, many] = [workTaken(of(4)), workTaken(of(36))];
    expect((many.work - few.work) / 32).toBeGreaterThan(5 * VALIDATOR_COST);
  });

  it('reads a transaction once, however many facts are about it', () => {
    const facts = (count: number) => workTaken(honestCertificate('messages', count)).work;
    const [few, more, most] = [facts(20), facts(40), facts(60)];
    expect(most - more).toBeLessThan(1.1 * (more - few));
  });
});

describe('the signatures of a certificate', () => {
  it('are checked once each: none stands at two places', () => {
    const mainnet = mainnetCertificate();
    const { parts } = partsOf(mainnet);
    const [, second] = parts.steps;
    const twice = writeBoc(certificateCell({ ...parts, last: { ...parts.last, signed: second!.signed! } }));
    expect(() => parseCertificate(twice)).toThrow(
      expect.objectContaining({ code: 'cert/not-canonical', path: 'certificate.last.signed.signatures' }),
    );
    const engine = countingEngine();
    verifyCertificate(parseCertificate(certificateToBoc(mainnet)), { anchor: mainnet.anchor, engine });
    const entries = [...parts.steps, parts.last].reduce((sum, { signed }) => sum + (signed?.signatures.length ?? 0), 0);
    expect(engine.checked).toBe(entries);
  });
});
