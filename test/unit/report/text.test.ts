import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderSigners, renderText } from '../../../src/app/report/render-report.ts';
import { reportToJson } from '../../../src/app/report/report-json.ts';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { copyValidators, createProvenSet, createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { withWarnings } from '../../../src/core/verify/own-report.ts';
import { coverageRatio } from '../../../src/core/verify/report-facts.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { scenario } from '../../helpers/arbitraries.ts';
import { corrupted, makeBlockId, makeSignedSet, ORIGIN, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';
import { share } from '../../helpers/share.ts';

const signers = makeSigners([50n, 30n, 20n]);
const validators = makeSet(signers);
const set = makeSignedSet('ordinary', signers);
const simplex = makeSignedSet('simplex', signers);
const text = (...args: Parameters<typeof verifyBlock>) => renderText(verifyBlock(...args));

describe('the text of a report', () => {
  it('says the verdict first', () => {
    expect(text(simplex, validators)).toMatch(/^FINAL: masterchain block 1000 \(simplex signatures\)\n/);
    expect(text(withEntries(set, []), validators)).toMatch(/^NOT FINAL, insufficient weight: /);
    const bad = withEntries(set, [corrupted(set.signatures[0]!), ...set.signatures.slice(1)]);
    expect(text(bad, validators)).toMatch(/^NOT FINAL, rejected for 1 bad entry: /);
    expect(text(set, validators, { requireBoundId: true })).toMatch(/^UNDECIDED, unbound-id: /);
  });

  it('names a block whose number nothing binds by its root hash, whatever the verdict, and warns of the number', () => {
    const digits = encodeHex(set.blockId.rootHash).slice(0, 16);
    const named = `block with root hash ${digits}…, claimed to be masterchain block 1000 (ordinary signatures)`;
    expect(text(set, validators).split('\n')[0]).toBe(`FINAL: ${named}`);
    expect(text(set, validators, { requireBoundId: true }).split('\n')[0]).toBe(`UNDECIDED, unbound-id: ${named}`);
    expect(text(withEntries(set, []), validators).split('\n')[0]).toBe(`NOT FINAL, insufficient weight: ${named}`);
    expect(text(set, validators)).toContain('\n  warning    unbound-seqno: ');
    expect(text(simplex, validators)).not.toContain('unbound-seqno');
  });

  it('says where the set came from, for every provenance', () => {
    const { validators: list } = validators;
    const claimed = createValidatorSet(list, { provenance: { kind: 'claimed', source: 'https://a.example' } });
    const proven = createProvenSet(copyValidators(list), {
      ...ORIGIN,
      keyBlock: makeBlockId(7),
      anchor: makeBlockId(3),
    });
    expect(text(set, validators)).toContain('given by the caller');
    expect(text(set, claimed)).toContain('only claimed by https://a.example');
    expect(text(set, proven)).toContain('proven from block 3, by key block 7');
  });

  it('says 0 more than needed when the weight just suffices', () => {
    const just = makeSigners([67n, 33n]);
    const one = makeSignedSet('ordinary', just.slice(0, 1));
    expect(text(one, makeSet(just))).toContain('67 of 100 signed, 0 more than needed');
  });

  it('names the exceptions of a policy', () => {
    const report = text(set, validators, { onDefect: 'ignore', acceptClaimed: true, threshold: { num: 3n, den: 4n } });
    expect(report).toContain('more than 3/4, defects ignored, unlike the node, claimed set accepted');
    expect(text(set, validators, { acceptUnbound: true })).toContain('in the node, unbound number accepted\n');
  });

  it('names what a policy asks for beyond the node', () => {
    const report = text(set, validators, { requireBoundId: true, requireProvenSet: true });
    expect(report).toContain('in the node, whole id must be bound, set must be proven\n');
  });

  it('fills the bar past the line exactly when the weight suffices for it, whatever the weights', () => {
    fc.assert(
      fc.property(scenario, ({ set: any, validators: members }) => {
        const report = verifyBlock(any, members);
        const line = renderText(report)
          .split('\n')
          .find((row) => row.includes('coverage'))!;
        const [left, right] = line.split('|') as [string, string];
        if (report.coverage.signedWeight < report.requiredWeight) expect(right).not.toContain('█');
        else expect(left).not.toContain('░');
      }),
      { numRuns: share(60, 200) },
    );
  });

  it('never rounds a share up', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 61n }), fc.bigInt({ min: 1n, max: 2n ** 61n }), (a, b) => {
        const [signed, total] = a < b ? [a, b] : [b, a];
        fc.pre(total > 0n);
        const ratio = coverageRatio(signed, total);
        return BigInt(Math.round(ratio * 1e6)) * total <= signed * 1_000_000n && (ratio < 1 || signed === total);
      }),
    );
  });
});

it('the table of signers has a line for every entry and every missing validator', () => {
  const rows = renderSigners(verifyBlock(withEntries(set, set.signatures.slice(1)), validators)).split('\n');
  expect(rows).toHaveLength(1 + 2 + 1);
  expect(rows[1]).toMatch(/^ {6}0 {2}[0-9a-f]{64} +30 +30\.0000 % {2}valid$/);
  expect(rows[3]).toMatch(/^ {6}- {2}[0-9a-f]{64} +50 +50\.0000 % {2}missing$/);
});

describe('a report', () => {
  const report = verifyBlock(set, validators);

  it('says in JSON what it says in text: the same headline, the same warnings', () => {
    const json = reportToJson(report);
    expect(json.headline).toBe(renderText(report).split('\n')[0]);
    expect(json.warnings).toEqual([{ code: 'unbound-seqno', message: expect.stringContaining(' number 1000 ') }]);
    expect(json.bound).toEqual(['rootHash', 'fileHash']);
  });

  it('is rendered only if it was made here: no copy, no edit, nothing from another thread', () => {
    const copies = [
      { ...report },
      { ...report, verdict: { status: 'final' } },
      structuredClone(report),
      report.coverage,
      undefined,
      null,
      'final',
    ];
    for (const render of [reportToJson, renderText, renderSigners]) {
      for (const copy of copies) {
        expect(() => render(copy as never)).toThrow(
          expect.objectContaining({ code: 'usage/bad-option', path: 'report' }),
        );
      }
    }
  });

  it('is still one of ours with more warnings', () => {
    const more = withWarnings(report, [{ code: 'down', message: 'a server is down' }]);
    expect(reportToJson(more).warnings).toEqual([...report.warnings, { code: 'down', message: 'a server is down' }]);
    expect({ ...more, warnings: [] }).toEqual({ ...report, warnings: [] });
    expect(Object.isFrozen(more) && Object.isFrozen(more.warnings)).toBe(true);
  });

  it('turned into JSON directly gives the published JSON, without the texts for people', () => {
    const { headline, hints, ...facts } = reportToJson(report);
    expect([headline, hints]).toEqual([expect.stringContaining('FINAL'), []]);
    expect(JSON.stringify(report)).toBe(JSON.stringify(facts));
    expect(JSON.parse(JSON.stringify({ reports: [report] }))).toEqual({ reports: [facts] });
    const more = withWarnings(report, [{ code: 'down', message: 'a server is down' }]);
    expect(JSON.parse(JSON.stringify(more)).warnings).toHaveLength(report.warnings.length + 1);
  });

  it('is copied, compared and sent to a worker like any other object', () => {
    expect(Object.keys(report)).not.toContain('toJSON');
    expect(structuredClone(report)).toEqual(report);
    deepStrictEqual({ ...report }, report);
  });
});
