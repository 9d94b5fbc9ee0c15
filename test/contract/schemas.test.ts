/** The JSON contracts: everything the renderers make fits the published schemas, and the schemas refuse what does not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSignatureSet } from '../../src/decode/signature-set.ts';
import { reportToJson } from '../../src/report/json.ts';
import { validatorSetFromJson } from '../../src/validators/from-json.ts';
import { createProvenSet, createValidatorSet } from '../../src/validators/validator-set.ts';
import { verifyBlock } from '../../src/verify/verifier.ts';
import { scenario } from '../helpers/arbitraries.ts';
import { makeBlockId } from '../helpers/make-block.ts';
import { ROOT, readVector, realCases } from '../helpers/vectors.ts';

const schema = (name: string): object => JSON.parse(readFileSync(join(ROOT, 'schemas', name), 'utf8')) as object;
const fits = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema('report-2.json'));

function expectFit(json: unknown): void {
  const wire: unknown = JSON.parse(JSON.stringify(json));
  expect(fits(wire), JSON.stringify(fits.errors)).toBe(true);
}

describe('the report schema', () => {
  it('fits the report of every recorded case', () => {
    for (const { signatures_file, validators_file } of realCases) {
      if (validators_file === undefined) continue;
      const validators = validatorSetFromJson(readVector(`real/${validators_file}`));
      expectFit(reportToJson(verifyBlock(parseSignatureSet(readVector(`real/${signatures_file}`)), validators)));
    }
  });

  it('fits the report of any mix of defects, under either policy', () => {
    fc.assert(
      fc.property(scenario, fc.constantFrom('reject' as const, 'ignore' as const), ({ set, validators }, onDefect) => {
        expectFit(reportToJson(verifyBlock(set, validators, { onDefect })));
      }),
      { numRuns: 60 },
    );
  });

  it('fits sets of every provenance', () => {
    fc.assert(
      fc.property(scenario, ({ set, validators }) => {
        const others = [
          createProvenSet(validators.validators, { keyBlock: makeBlockId(5), anchor: makeBlockId(1) }),
          createValidatorSet(validators.validators, { provenance: { kind: 'claimed', source: 'a server' } }),
        ];
        for (const other of others) expectFit(reportToJson(verifyBlock(set, other)));
      }),
      { numRuns: 5 },
    );
  });

  it('refuses a weight that is a number and an unknown status, and is open for new members', () => {
    const validators = validatorSetFromJson(readVector('real/fastnet/block-170606/validators.json'));
    const report = reportToJson(
      verifyBlock(parseSignatureSet(readVector('real/fastnet/block-170606/signatures.json')), validators),
    );
    expectFit(report);
    expect(fits({ ...report, signedWeight: 5 })).toBe(false);
    expect(fits({ ...report, extra: 1, policy: { ...report.policy, extra: 1 } })).toBe(true);
    expect(fits({ ...report, verdict: { status: 'probably' } })).toBe(false);
  });
});
