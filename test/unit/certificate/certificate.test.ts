import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { buildCertificate } from '../../../src/core/certificate/build.ts';
import { certificateToJson, parseCertificateJson } from '../../../src/core/certificate/json.ts';
import { certificateToBoc, parseCertificate } from '../../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { MAINNET } from '../../../src/core/chain/anchors.ts';
import { verifyBlockProof } from '../../../src/core/chain/walk.ts';
import {
  certificateUnder,
  liveCertificate,
  liveFacts,
  liveInput,
  liveZerostate,
  mainnetCertificate,
  mainnetInput,
} from '../../helpers/certificates.ts';
import { LIVE, liveBytes } from '../../helpers/inclusion.ts';
import { committee, makeBlock } from '../../helpers/make-chain.ts';
import { networkOf } from '../../helpers/networks.ts';

describe('a certificate of a mainnet block over three key blocks', () => {
  const certificate = mainnetCertificate();
  const bytes = certificateToBoc(certificate);

  it('proves what the server’s own proof proves, to a reader who trusts the same block', () => {
    const read = parseCertificate(bytes);
    const report = verifyCertificate(read, { anchor: MAINNET.initBlock });
    const { checkpoint, proofs } = mainnetInput();
    const walk = verifyBlockProof(proofs![0] as Uint8Array, checkpoint);
    expect(report.verdict).toEqual({ status: 'final' });
    expect(report.block).toEqual(walk.tip);
    expect(report.steps.map(({ block }) => block.seqno)).toEqual([46_894_135, 46_897_112, 46_917_741]);
    expect(report.usedAnchor).toMatchObject({ kind: 'anchor', block: MAINNET.initBlock });
    expect(report.proven?.id).toEqual(walk.tip);
  });

  it('is at most 14.5 kB a key block', () => {
    expect(bytes.length / 3).toBeLessThan(14_500);
  });

  it('keeps the fewest signers', () => {
    const report = verifyCertificate(parseCertificate(bytes), { anchor: MAINNET.initBlock });
    const all = verifyCertificate(buildCertificate({ ...mainnetInput(), signers: { keep: 'all' } }), {
      anchor: MAINNET.initBlock,
    });
    expect(report.signed.signers).toBeLessThan(all.signed.signers);
    expect(3n * report.signed.signedWeight > 2n * report.signed.totalWeight).toBe(true);
  });

  it('reads back to the same bytes', () => {
    expect(certificateToBoc(parseCertificate(bytes))).toEqual(bytes);
    expect(certificateToBoc(mainnetCertificate())).toEqual(bytes);
    expect(certificateToBoc(parseCertificateJson(JSON.parse(JSON.stringify(certificateToJson(certificate)))))).toEqual(
      bytes,
    );
  });
});

describe('a certificate with facts', () => {
  const certificate = liveCertificate();
  const verified = () => verifyCertificate(parseCertificate(certificateToBoc(certificate)), { anchor: LIVE.zerostate });

  it('proves every one of them', () => {
    const report = verified();
    expect(report.verdict).toEqual({ status: 'final' });
    expect(report.facts).toHaveLength(liveFacts().length);
    expect(certificate.facts).toEqual([
      ...Array.from({ length: 6 }, () => 'transaction'),
      'message',
      'absent-transaction',
      'account',
      'absent-account',
      'absent-account',
      'config',
      'config',
    ]);
    expect(report.facts.map((fact) => ('found' in fact ? fact.found : true))).toEqual([
      ...Array.from({ length: 7 }, () => true),
      false,
      true,
      false,
      false,
      true,
      false,
    ]);
    for (const fact of report.facts) expect(fact.masterchain).toEqual(LIVE.block);
  });

  it('is believed from a checkpoint in the middle, and what comes before is not looked at', () => {
    const { checkpoint } = verifyBlockProof(liveBytes('proof-zerostate-to-block.tl'), liveZerostate());
    const later = verifyCertificate(certificate, { checkpoint });
    expect(later).toMatchObject({ verdict: { status: 'final' }, skippedSteps: 1, usedAnchor: { kind: 'checkpoint' } });
    expect(later.facts).toHaveLength(verified().facts.length);
  });

  it('without an anchor only agrees with itself, and so do its facts', () => {
    const alone = verifyCertificate(certificate);
    expect(alone.verdict).toEqual({ status: 'undecided', reason: 'self-consistent' });
    expect(alone.proven).toBeUndefined();
    expect(alone.report).toBeUndefined();
    for (const fact of alone.facts) expect(fact.provenance).toEqual({ kind: 'assumed' });
  });

  it('with one transaction under a known key block is at most 8 kB', () => {
    const { checkpoint } = verifyBlockProof(liveBytes('proof-zerostate-to-block.tl'), liveZerostate());
    const small = buildCertificate({
      checkpoint,
      proofs: [liveBytes('proof-key-block-to-block.tl')],
      facts: liveFacts().slice(0, 1),
    });
    expect(small.steps).toBe(1);
    expect(certificateToBoc(small).length).toBeLessThan(8000);
    expect(verifyCertificate(small, { anchor: LIVE.keyBlock }).facts).toHaveLength(1);
  });

  it('has the same bytes from whoever makes it', () => {
    expect(encodeHex(buildCertificate(liveInput()).id)).toBe(encodeHex(certificate.id));
  });

  it('as JSON says in words what it proves', () => {
    const json = JSON.parse(JSON.stringify(certificateToJson(certificate)));
    expect(json.claims).toMatchObject({ block: { seqno: 176 }, keyBlocks: [0, 173] });
    expect(certificateToBoc(parseCertificateJson(json))).toEqual(certificateToBoc(certificate));
  });
});

describe('a small certificate', () => {
  const setters = committee('small', [10n, 20n, 30n]);
  const { zerostate, checkpoint } = networkOf(setters);
  const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0 });
  const bytes = certificateToBoc(certificateUnder(checkpoint, block));
  const codeOf = (changed: Uint8Array): string => {
    try {
      verifyCertificate(parseCertificate(changed), { anchor: zerostate.id });
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
    return 'taken';
  };

  it('is refused with a code when any one of its bytes is another, to a bit or altogether', () => {
    expect(codeOf(bytes)).toBe('taken');
    expect(bytes.length).toBeLessThan(2500);
    for (let at = 0; at < bytes.length; at++) {
      for (const change of [1 << (at & 7), 0xff]) {
        const changed = Uint8Array.from(bytes);
        changed[at]! ^= change;
        expect(codeOf(changed), `byte ${at}`).toMatch(/^(cert|trust|decode|validators)\/[a-z-]+$/);
      }
    }
  });

  it('is refused when it is cut short anywhere, or has a byte more', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(codeOf(bytes.subarray(0, length)), `${length} bytes`).toMatch(/^(cert|decode)\/[a-z-]+$/);
    }
    expect(codeOf(Uint8Array.from([...bytes, 0]))).toBe('decode/boc');
  });
});
