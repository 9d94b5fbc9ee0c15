/**
 * What a certificate takes is bounded by its size: of all that were found, those whose cells are shared the most take at most
 * three times what an honest one takes. Counted, not timed; `test/slow` measures larger ones.
 */
import { describe, expect, it } from 'vitest';
import { WORK_PER_BYTE } from '../../../src/base/limits.ts';
import { writeBoc } from '../../../src/cells/write-boc.ts';
import { certificateToJson } from '../../../src/certificate/json.ts';
import { certificateToBoc, parseCertificate, partsOf } from '../../../src/certificate/parse.ts';
import { certificateCell } from '../../../src/certificate/parts.ts';
import { verifyCertificate } from '../../../src/certificate/verify.ts';
import { HASH_COST, VALIDATOR_COST } from '../../../src/certificate/work.ts';
import { referenceEngine } from '../../../src/ed25519/reference.ts';
import { beginCell } from '../../helpers/cells.ts';
import { mainnetCertificate } from '../../helpers/certificates.ts';
import {
  certificateOf,
  DEAR,
  dearCertificate,
  HONEST,
  honestCertificate,
  ofSize,
  workTaken,
} from '../../helpers/dear-certificates.ts';

const TARGET = 20_000;

describe('the work of a certificate', () => {
  const honest = HONEST.map((shape) => ofSize(TARGET, (n) => honestCertificate(shape, n)));
  const perByte = (bytes: Uint8Array) => workTaken(bytes).work / bytes.length;
  const dearest = Math.max(...honest.map(perByte));

  it('is a third of what is allowed where it is honest', () => {
    for (const bytes of honest) {
      const { work, isTaken } = workTaken(bytes);
      expect(isTaken).toBe(true);
      expect(work).toBeLessThan((WORK_PER_BYTE / 3) * bytes.length + (HASH_COST * bytes.length) / 12);
    }
  });

  it.each(DEAR)('is bounded where it is shared: %s', (shape) => {
    let refused = 0;
    for (const facts of [8, 64]) {
      for (const n of [1, shape === 'key blocks of one large set' ? 8 : 32]) {
        const bytes = dearCertificate(shape, n, facts);
        const { work, isTaken } = workTaken(bytes);
        if (!isTaken) refused++;
        expect(work / bytes.length, `${shape} ${n} ${facts}`).toBeLessThanOrEqual(3 * dearest);
      }
    }
    if (!/one way|one large set/.test(shape)) expect(refused).toBeGreaterThan(0); // blocks are large beside what they share
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
    const absences = certificateOf({ links: 8, transactions: [], asked: Array.from({ length: 256 }, (_, k) => [k]) });
    expect(workTaken(absences)).toMatchObject({ isTaken: true });
    const params = certificateOf({ params: Array.from({ length: 256 }, (_, k) => message(k)) });
    expect(workTaken(params)).toMatchObject({ isTaken: true });
    const { parts } = partsOf(parseCertificate(absences));
    expect(parts.facts).toHaveLength(256);
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
    let checked = 0;
    const engine = {
      ...referenceEngine,
      open: (keys: readonly Uint8Array[]) => {
        const ring = referenceEngine.open(keys);
        return {
          ...ring,
          verify: (message: Uint8Array, indexes: readonly number[], signatures: readonly Uint8Array[]) => {
            checked += signatures.length;
            return ring.verify(message, indexes, signatures);
          },
        };
      },
    };
    verifyCertificate(parseCertificate(certificateToBoc(mainnet)), { anchor: mainnet.anchor, engine });
    const entries = [...parts.steps, parts.last].reduce((sum, { signed }) => sum + (signed?.signatures.length ?? 0), 0);
    expect(checked).toBe(entries);
  });
});
