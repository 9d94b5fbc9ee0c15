/** C13: a clock judges the set that trust starts with, as it judges the last one. */
import { describe, expect, it } from 'vitest';
import { renderCertificate } from '../../../src/app/report/render-facts.ts';
import type { buildCertificate } from '../../../src/core/certificate/build.ts';
import { findEquivocation } from '../../../src/core/certificate/equivocation.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import {
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  markedCheckpoint,
} from '../../../src/core/chain/checkpoint.ts';
import { blockOfReport } from '../../../src/core/facts/final-block.ts';
import { certificateUnder, keyStep } from '../../helpers/certificates.ts';
import { committee, configCell, makeBlock, makeZerostate } from '../../helpers/make-chain.ts';

const setters = committee('setters');
const until = (utimeUntil: number) => configCell({ elected: setters, utimeUntil });
const NOW = 9_000_000;
const notFinal = expect.objectContaining({ code: 'trust/not-final' });

/** A certificate over two sets, and one over the first alone. */
function chainOf(firstUntil: number, secondUntil: number) {
  const zero = makeZerostate(until(firstUntil));
  const checkpoint = checkpointFromZerostate(zero.boc, zero.id);
  const key = makeBlock({ seqno: 3, signedBy: setters, prevKeyBlockSeqno: 0, config: until(secondUntil) });
  const certified = (prevKeyBlockSeqno: number, proofs: Parameters<typeof buildCertificate>[0]['proofs'] = []) => {
    const block = makeBlock({ seqno: 5, signedBy: setters, prevKeyBlockSeqno });
    return certificateUnder(checkpoint, block, { proofs });
  };
  const long = certified(3, [keyStep(key)]);
  return { anchor: zero.id, checkpoint, long, short: certified(0) };
}

describe('C13: the set that trust starts with', () => {
  const { anchor, checkpoint, long } = chainOf(2_000_000, 20_000_000);

  it('is judged by the clock, however fresh the last one is', () => {
    for (const trust of [{ anchor }, { checkpoint }]) {
      const late = verifyCertificate(long, { ...trust, nowSeconds: NOW });
      expect(late.verdict).toEqual({ status: 'undecided', reason: 'stale-set' });
      expect(late.proven).toBeUndefined();
      expect(() => blockOfReport(late.report!)).toThrow(notFinal);
      expect(verifyCertificate(long, { ...trust, nowSeconds: 1_600_000 }).verdict).toEqual({ status: 'final' });
      expect(verifyCertificate(long, trust).verdict).toEqual({ status: 'final' });
    }
  });

  it('says nothing of a certificate from no anchor but that nobody said what to trust', () => {
    const { verdict } = verifyCertificate(long, { nowSeconds: NOW });
    expect(verdict).toEqual({ status: 'undecided', reason: 'self-consistent' });
  });
});

describe('a checkpoint whose stale start was accepted', () => {
  it('marks the report of a certificate, in JSON and text as in the facts', () => {
    const { checkpoint, long } = chainOf(20_000_000, 20_000_000);
    const exceptions = ['accepted-stale-start'];
    const report = verifyCertificate(long, { checkpoint: markedCheckpoint(checkpoint, 'accepted'), nowSeconds: NOW });
    expect(report).toMatchObject({ verdict: { status: 'final' }, exceptions, proven: { provenance: { exceptions } } });
    expect(JSON.parse(JSON.stringify(report))).toMatchObject({ exceptions });
    expect(renderCertificate(report)).toMatch(/^ +exceptions +accepted-stale-start$/m);
    const fresh = verifyCertificate(long, { checkpoint, nowSeconds: NOW });
    expect(fresh).not.toHaveProperty('exceptions');
    expect(renderCertificate(fresh)).not.toContain('exceptions');
  });
});

describe('the oldest set that a certificate leans on', () => {
  it('is the one whose time ends first, wherever it stands, of those from where trust starts', () => {
    for (const [firstUntil, secondUntil, oldest, until] of [
      [2_000_000, 20_000_000, 0, 2_000_000],
      [20_000_000, 2_000_000, 3, 2_000_000],
      [2_000_000, 2_000_000, 0, 2_000_000],
    ] as const) {
      const { anchor, long } = chainOf(firstUntil, secondUntil);
      const { oldestSet, steps } = verifyCertificate(long, { anchor });
      expect(steps.map(({ utimeUntil }) => utimeUntil)).toEqual([firstUntil, secondUntil]);
      expect(oldestSet).toEqual({
        keyBlock: steps.find(({ block }) => block.seqno === oldest)!.block,
        utimeUntil: until,
      });
    }
    const { long } = chainOf(2_000_000, 20_000_000);
    const key = makeBlock({ seqno: 3, signedBy: setters, prevKeyBlockSeqno: 0, config: until(20_000_000) });
    const { oldestSet, skippedSteps } = verifyCertificate(long, {
      checkpoint: checkpointFromKeyBlock(key.boc, key.id),
    });
    expect([skippedSteps, oldestSet]).toEqual([1, { keyBlock: key.id, utimeUntil: 20_000_000 }]);
  });

  it('has an age where the reader has a clock, below zero while it is in office', () => {
    const { anchor, short } = chainOf(2_000_000, 20_000_000);
    for (const [nowSeconds, ageSeconds] of [
      [2_000_007, 7],
      [2_000_000, 0],
      [1_999_998, -2],
    ] as const) {
      expect(verifyCertificate(short, { anchor, nowSeconds }).oldestSet).toMatchObject({ ageSeconds });
    }
    expect(verifyCertificate(short, { anchor }).oldestSet).not.toHaveProperty('ageSeconds');
  });
});

describe('two final blocks in one place', () => {
  it('are shown by none that is past its time, on either side', () => {
    const { anchor, long, short } = chainOf(20_000_000, 2_000_000);
    const refusedAt = (path: string) =>
      expect.objectContaining({ code: 'cert/equivocation', message: expect.stringContaining('stale-set'), path });
    expect(() => findEquivocation(long, short, { anchor, nowSeconds: NOW })).toThrow(refusedAt('a'));
    expect(() => findEquivocation(short, long, { anchor, nowSeconds: NOW })).toThrow(refusedAt('b'));
  });
});
