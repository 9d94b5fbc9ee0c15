/** What a maker and a reader of certificates may get wrong: told by name, never passed over. */
import { describe, expect, it } from 'vitest';
import { buildCertificate } from '../../../src/core/certificate/build.ts';
import { findEquivocation } from '../../../src/core/certificate/equivocation.ts';
import { certificateToJson, parseCertificateJson } from '../../../src/core/certificate/json.ts';
import { minimalSigners } from '../../../src/core/certificate/minimal-signers.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { liveFacts, liveInput } from '../../helpers/certificates.ts';
import { LIVE } from '../../helpers/inclusion.ts';
import { committee, headerProof, makeBlock, signBlock } from '../../helpers/make-chain.ts';
import { networkOf } from '../../helpers/networks.ts';

const setters = committee('setters', [10n, 20n, 30n, 40n]);
const { zerostate: zero, checkpoint } = networkOf(setters);
const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0 });
const set = signBlock(block);
const input = {
  checkpoint,
  signatures: set,
  headerProof: headerProof(block),
};
const certificate = buildCertificate(input);
const anchor = zero.id;
const badOption = (path: string) => expect.objectContaining({ code: 'usage/bad-option', path });

describe('options of a reader', () => {
  it('are known by name, and have a value: a misspelt clock is no clock', () => {
    for (const [opts, path] of [
      [{ anchor, nowSecond: 1 }, 'nowSecond'],
      [{ ancor: anchor }, 'ancor'],
      [{ anchor: undefined }, 'anchor'],
      [{ anchor, nowSeconds: undefined }, 'nowSeconds'],
      [{ anchor, nowSeconds: 1_600_000_000_000 }, 'nowSeconds'],
      [null, 'options'],
    ] as const) {
      expect(() => verifyCertificate(certificate, opts as never)).toThrow(badOption(path));
      expect(() => findEquivocation(certificate, certificate, opts as never)).toThrow(badOption(path));
    }
    expect(() => parseCertificateJson(certificateToJson(certificate), { ancor: anchor } as never)).toThrow(
      badOption('ancor'),
    );
  });

  it('are read once: an anchor that changes while it is looked at vouches for nothing', () => {
    const wrong = { ...anchor, rootHash: new Uint8Array(32).fill(1) };
    for (let right = 0; right < 2 ** 5; right++) {
      let reads = 0;
      const opts = {
        get anchor() {
          return ((right >> reads++) & 1) === 1 ? anchor : wrong;
        },
      };
      let used: unknown;
      try {
        used = verifyCertificate(certificate, opts).usedAnchor.kind;
      } catch (error) {
        expect(error).toEqual(expect.objectContaining({ code: 'cert/anchor' }));
      }
      if (used !== undefined) expect([used, (right >> (reads - 1)) & 1]).toEqual(['anchor', 1]);
    }
  });

  it('come with claims of any shape, of which only the right ones are taken', () => {
    const json = certificateToJson(certificate);
    const claims = json.claims as Record<string, unknown>;
    let deep: unknown = claims;
    for (let level = 0; level < 20_000; level++) deep = { facts: deep };
    const cyclic: Record<string, unknown> = { ...claims };
    cyclic.facts = cyclic;
    const lists = { ...claims, facts: {} };
    for (const other of [deep, cyclic, lists, { ...claims, block: 5n }, { ...claims, more: 1 }, null, undefined, []]) {
      expect(() => parseCertificateJson({ ...json, claims: other })).toThrow(
        expect.objectContaining({ code: 'cert/claim' }),
      );
    }
    const reversed = Object.fromEntries(Object.entries(claims).reverse());
    expect(parseCertificateJson({ ...json, claims: reversed }).id).toEqual(certificate.id);
  });

  it('come with a report whose JSON is that of its own members', () => {
    const report = verifyCertificate(certificate, { anchor });
    expect(JSON.parse(JSON.stringify(report))).toMatchObject({ verdict: { status: 'final' } });
    expect(() => JSON.stringify({ ...report })).toThrow(TypeError);
    expect(Object.isFrozen(report)).toBe(true);
  });
});

describe('what a certificate is made of', () => {
  it('is known by name, and each fact is asked by what its kind is asked by', () => {
    const [transaction] = liveFacts() as readonly [ReturnType<typeof liveFacts>[number]];
    for (const [change, path] of [
      [{ fact: [] }, 'fact'],
      [{ signers: { keep: 'most' } }, 'keep'],
      [{ signers: { treshold: { num: 3n, den: 4n } } }, 'treshold'],
      [{ proofs: 5 }, 'proofs'],
      [{ proofs: [null] }, 'proofs[0]'],
      [{ facts: {} }, 'facts'],
      [{ facts: [undefined] }, 'facts[0]'],
      [{ facts: [{ ...transaction, kind: 'transactions' }] }, 'facts[0].kind'],
      [{ facts: [transaction, { ...transaction, mesage: 'in' }] }, 'facts[1].mesage'],
      [{ facts: [{ ...transaction, answer: null }] }, 'facts[0].answer'],
      [{ facts: [{ ...transaction, way: 5 }] }, 'facts[0].way'],
      [{ facts: [{ kind: 'shard-block', block: LIVE.block, way: { shardProof: new Uint8Array(1) } }] }, 'facts[0].way'],
    ] as const) {
      expect(() => buildCertificate({ ...liveInput([]), ...change } as never)).toThrow(badOption(path));
    }
  });
});

describe('the fewest signers', () => {
  const validators = createValidatorSet(setters.signers.map(({ publicKey, weight }) => ({ publicKey, weight })));
  const report = verifyBlock(set, validators);

  it('are of the signatures that the report is of', () => {
    expect(minimalSigners(report).map(({ index }) => index)).toEqual([2, 3]);
  });

  it('are those that were checked, whatever happens to the list that was passed', () => {
    const own = {
      ...set,
      signatures: set.signatures.map((entry) => ({ ...entry, signature: entry.signature.slice() })),
    };
    const judged = verifyBlock(own, validators);
    for (const { signature } of own.signatures) signature.fill(0);
    expect(minimalSigners(judged)).toEqual(minimalSigners(report));
    expect(() => minimalSigners({ ...judged })).toThrow(badOption('report'));
  });
});
