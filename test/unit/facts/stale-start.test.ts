/** Trust that began with a set past its stakes: no way to a final block passes over that. */
import { describe, expect, it } from 'vitest';
import { checkpointFromKeyBlock } from '../../../src/core/chain/checkpoint.ts';
import { verifyBlockProof } from '../../../src/core/chain/walk.ts';
import { blockOfReport, blockOfWalk } from '../../../src/core/facts/final-block.ts';
import { withStaleStart, withWarnings } from '../../../src/core/verify/own-report.ts';
import { committee, configCell, honestLink, makeBlock, tlForward, tlProof } from '../../helpers/make-chain.ts';

const MORE = { code: 'more', message: 'more' };

const setters = committee('setters');
const until = (utimeUntil: number) => configCell({ elected: setters, utimeUntil });
const key100 = makeBlock({ seqno: 100, signedBy: setters, prevKeyBlockSeqno: 50, config: until(2_000_000) });
const key200 = makeBlock({ seqno: 200, signedBy: setters, prevKeyBlockSeqno: 100, config: until(20_000_000) });
const head = makeBlock({ seqno: 250, signedBy: setters, prevKeyBlockSeqno: 200 });
const start = checkpointFromKeyBlock(key100.boc, key100.id);
const links = [tlForward(honestLink(key100, key200)), tlForward(honestLink(key200, head))];
const walkAt = (nowSeconds: number) => verifyBlockProof(tlProof(key100.id, head.id, links), start, { nowSeconds });
const notFinal = expect.objectContaining({ code: 'trust/not-final' });
const stale = expect.objectContaining({
  code: 'trust/not-final',
  message: expect.stringMatching(/is not final: stale-set/),
});

describe('a walk whose start is past its stakes, while its head is not', () => {
  const walk = walkAt(9_000_000);

  it('has reports that make no block final, as it makes none itself', () => {
    expect(walk).toMatchObject({ startIsStale: true });
    expect(walk.reports.map(({ verdict }) => verdict.status)).toEqual(['final', 'final']);
    expect(() => blockOfWalk(walk)).toThrow(notFinal);
    for (const report of walk.reports) expect(() => blockOfReport(report)).toThrow(stale);
    expect(() => blockOfReport(walk.reports[1]!, walk.tipHeader)).toThrow(notFinal);
    const onward = verifyBlockProof(tlProof(head.id, head.id, []), walk, { nowSeconds: 9_000_000 });
    expect(onward.startIsStale).toBe(true);
    expect(blockOfReport(walkAt(1_600_000).reports[1]!, walk.tipHeader).provenance).toMatchObject({ exceptions: [] });
  });

  it('is not forgotten by a copy with another warning', () => {
    expect(() => blockOfReport(withWarnings(walk.reports[1]!, [MORE]), walk.tipHeader)).toThrow(notFinal);
  });

  it('is shown where somebody took it by name', () => {
    const taken = withStaleStart(walk.reports[1]!, 'accepted');
    for (const report of [taken, withWarnings(taken, [MORE])]) {
      expect(blockOfReport(report, walk.tipHeader).provenance).toMatchObject({ exceptions: ['accepted-stale-start'] });
    }
  });
});
