/** The JSON contracts: everything the renderers make fits the published schemas, and the schemas refuse what does not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportToJson } from '../../src/app/report/report-json.ts';
import { parseSignatureList } from '../../src/core/block/signature-list.ts';
import { certificateToJson } from '../../src/core/certificate/json.ts';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { checkpointToJson, parseCheckpoint } from '../../src/core/chain/checkpoint.ts';
import { messagesOf } from '../../src/core/facts/messages.ts';
import { factToJson, messageToJson } from '../../src/core/facts/to-json.ts';
import { parseValidatorSet } from '../../src/core/validators/from-json.ts';
import { copyValidators, createProvenSet, createValidatorSet } from '../../src/core/validators/validator-set.ts';
import type { VerificationReport } from '../../src/core/verify/report.ts';
import { verifyBlock } from '../../src/core/verify/verifier.ts';
import { scenario } from '../helpers/arbitraries.ts';
import { liveCertificate } from '../helpers/certificates.ts';
import { LIVE } from '../helpers/inclusion.ts';
import { makeBlockId, ORIGIN } from '../helpers/make-block.ts';
import { ROOT, readVector, realCases } from '../helpers/vectors.ts';

const schema = (name: string): object => JSON.parse(readFileSync(join(ROOT, 'schemas', name), 'utf8')) as object;
const fits = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema('report-3.json'));

/** Both forms of a report: with texts for people, and as `JSON.stringify` writes the report itself. */
function expectFit(report: VerificationReport): void {
  const json = reportToJson(report);
  expect(json).toMatchObject({ headline: expect.any(String), hints: expect.any(Array) });
  for (const one of [json, report]) {
    const wire: unknown = JSON.parse(JSON.stringify(one));
    expect(fits(wire), JSON.stringify(fits.errors)).toBe(true);
  }
}

describe('the report schema', () => {
  it('fits the report of every recorded case', () => {
    for (const { signatures_file, validators_file } of realCases) {
      if (validators_file === undefined) continue;
      const validators = parseValidatorSet(readVector(`real/${validators_file}`));
      expectFit(verifyBlock(parseSignatureList(readVector(`real/${signatures_file}`)), validators));
    }
  });

  it('fits the report of any mix of defects, under either policy', () => {
    fc.assert(
      fc.property(scenario, fc.constantFrom('reject' as const, 'ignore' as const), ({ set, validators }, onDefect) => {
        expectFit(verifyBlock(set, validators, { onDefect }));
      }),
      { numRuns: 60 },
    );
  });

  it('fits sets of every provenance', () => {
    fc.assert(
      fc.property(scenario, ({ set, validators }) => {
        const others = [
          createProvenSet(copyValidators(validators.validators), {
            ...ORIGIN,
            keyBlock: makeBlockId(5),
            anchor: makeBlockId(1),
          }),
          createValidatorSet(validators.validators, { provenance: { kind: 'claimed', source: 'a server' } }),
        ];
        for (const other of others) expectFit(verifyBlock(set, other));
      }),
      { numRuns: 5 },
    );
  });

  it('refuses a weight that is a number and an unknown status, and is open for new members', () => {
    const validators = parseValidatorSet(readVector('real/fastnet/block-170606/validators.json'));
    const judged = verifyBlock(parseSignatureList(readVector('real/fastnet/block-170606/signatures.json')), validators);
    expectFit(judged);
    const report = reportToJson(judged);
    expect(fits({ ...report, signedWeight: 5 })).toBe(false);
    expect(fits({ ...report, extra: 1, policy: { ...report.policy, extra: 1 } })).toBe(true);
    expect(fits({ ...report, verdict: { status: 'probably' } })).toBe(false);
  });
});

describe('the schemas of checkpoints', () => {
  const compile = (name: string) => new Ajv2020({ allErrors: true, strict: true }).compile(schema(name));
  const written = readVector('checkpoints/0.1.0/from-zerostate.json') as Record<string, unknown>;

  it('fit what is written now, and what version 0.1.0 wrote, and no other member', () => {
    const json = checkpointToJson(parseCheckpoint(written));
    for (const [version, file] of [
      [2, json],
      [1, written],
    ] as const) {
      const fits = compile(`checkpoint-${version}.json`);
      expect(fits(file), JSON.stringify(fits.errors)).toBe(true);
      expect(fits({ ...file, more: 1 })).toBe(false);
      expect(fits(version === 1 ? json : written)).toBe(false);
    }
  });
});

describe('the schemas of facts and certificates', () => {
  const compile = (name: string) =>
    new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema(name));
  const expectValid = (validate: ReturnType<typeof compile>, json: unknown) => {
    expect(validate(JSON.parse(JSON.stringify(json))), JSON.stringify(validate.errors)).toBe(true);
  };

  it('fit facts of every kind, certificates that carry them, and what comes out of those', () => {
    const certificate = liveCertificate();
    expectValid(compile('certificate-1.json'), certificateToJson(certificate));
    const fits = compile('inclusion-1.json');
    for (const anchor of [{ anchor: LIVE.zerostate }, {}]) {
      const report = verifyCertificate(certificate, anchor);
      expectValid(compile('certificate-report-1.json'), report);
      expect(Object.keys(report)).not.toContain('toJSON');
      for (const fact of report.facts) {
        if (fact.kind === 'shard-block' || fact.kind === 'message') continue;
        const messages =
          fact.kind === 'transaction' && fact.found ? { messages: messagesOf(fact).map(messageToJson) } : {};
        expectValid(fits, { ...factToJson(fact), ...messages });
        expect(fits({ ...factToJson(fact), kind: 'rumour' })).toBe(false);
      }
    }
  });

  it('refuse a member that no certificate has', () => {
    const validate = compile('certificate-1.json');
    expect(validate({ ...JSON.parse(JSON.stringify(certificateToJson(liveCertificate()))), more: 1 })).toBe(false);
  });
});
