import { describe, expect, it } from 'vitest';
import { followedLine } from '../../../src/app/cli/follow/run-follow.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { parseValidatorSet } from '../../../src/core/validators/from-json.ts';
import { withAcceptedStart } from '../../../src/core/verify/own-report.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { ORDINARY_CASE, readVector } from '../../helpers/vectors.ts';

const folder = ORDINARY_CASE.replace(/^.*?(?=real\/)/, '');
const set = parseSignatureList(readVector(`${folder}/signatures.json`));
const validators = parseValidatorSet(readVector(`${folder}/validators.json`));
const final = verifyBlock(set, validators);
const stale = verifyBlock(set, { ...validators, utimeUntil: 1 }, { context: { nowSeconds: 4_000_000_000 } });

describe('the line of a followed block', () => {
  it('begins with the block only where it is final', () => {
    expect(final.verdict.status).toBe('final');
    expect(followedLine({ report: final, provenBy: 'signatures' }, false)).toMatch(/^\(-1,8000000000000000,\d+\):/);
    expect(stale.verdict).toMatchObject({ status: 'undecided', reason: 'stale-set' });
    for (const provenBy of ['signatures', 'descendant'] as const) {
      expect(followedLine({ report: stale, provenBy }, false)).toMatch(/^UNDECIDED, stale-set: \(-1,/);
    }
  });

  it('says in JSON what the verdict is, and what there is to know beside it', () => {
    const read = (report: typeof final) => JSON.parse(followedLine({ report, provenBy: 'signatures' }, true));
    expect(read(final)).toMatchObject({
      verdict: { status: 'final' },
      warnings: [expect.objectContaining({ code: 'unbound-seqno' })],
    });
    expect(read(final)).not.toHaveProperty('staleStart');
    expect(read(stale)).toMatchObject({ verdict: { status: 'undecided', reason: 'stale-set' } });
  });

  it('carries that an old start was taken', () => {
    const taken = withAcceptedStart(final);
    expect(followedLine({ report: taken, provenBy: 'signatures' }, false)).toMatch(/ stale start$/);
    expect(JSON.parse(followedLine({ report: taken, provenBy: 'signatures' }, true))).toMatchObject({
      staleStart: true,
      warnings: [expect.objectContaining({ code: 'unbound-seqno' }), expect.objectContaining({ code: 'stale-start' })],
    });
  });

  it('gives a block that was refused as JSON too', () => {
    const [first, ...rest] = set.signatures;
    const bad = verifyBlock(
      { ...set, signatures: [{ ...first!, signature: new Uint8Array(64) }, ...rest] },
      validators,
    );
    expect(JSON.parse(followedLine({ report: bad, provenBy: 'signatures' }, true)).verdict).toEqual({
      status: 'rejected',
      defects: [0],
    });
  });
});
