/** Cells that many facts share are looked at so many times and no more. Counted, not timed. */
import { Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { HASH_BYTES, WORK_AND_HASHES_PER_BYTE, WORK_PER_BYTE, WORK_PER_FACT } from '../../../src/core/base/limits.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { OPEN_COST, tableOf, type WorkMeter } from '../../../src/core/cells/cell.ts';
import { Slice } from '../../../src/core/cells/slice.ts';
import { writeBoc } from '../../../src/core/cells/write-boc.ts';
import { buildCertificate } from '../../../src/core/certificate/build.ts';
import { certificateToJson, parseCertificateJson } from '../../../src/core/certificate/json.ts';
import { forgetOpened, markNeeded, requireAllUsed } from '../../../src/core/certificate/no-extra-cells.ts';
import { certificateToBoc, parseCertificate, partsOf } from '../../../src/core/certificate/parse.ts';
import { certificateCell } from '../../../src/core/certificate/parts.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { walkSteps } from '../../../src/core/certificate/walk-steps.ts';
import { HASH_COST, metered, unbounded, workOf } from '../../../src/core/certificate/work-limit.ts';
import { checkpointFromZerostate } from '../../../src/core/chain/checkpoint.ts';
import { beginCell, bocOf, type CoreCell, merkleProof } from '../../helpers/cells.ts';
import { certificateUnder, keyStep } from '../../helpers/certificates.ts';
import {
  committee,
  configCell,
  headerProof,
  makeBlock,
  makeState,
  makeZerostate,
  signBlock,
  wholeProof,
} from '../../helpers/make-chain.ts';
import { networkOf } from '../../helpers/networks.ts';

/** A tree of four references a cell over so many leaves. */
function treeOf(leaves: number): CoreCell {
  let layer = Array.from({ length: leaves }, (_, k) => beginCell().storeUint(k, 32).endCell());
  while (layer.length > 1) {
    layer = Array.from({ length: Math.ceil(layer.length / 4) }, (_, k) => {
      const builder = beginCell();
      for (const cell of layer.slice(4 * k, 4 * k + 4)) builder.storeRef(cell);
      return builder.endCell();
    });
  }
  return layer[0]!;
}

const setters = committee('setters');
const FIRST = 1000;

/** A certificate with one fact for each of so many parameters, all of which are one and the same big tree. */
function sharing(params: number, leaves: number) {
  const shared = treeOf(leaves);
  const entries = configCell({ elected: setters })
    .beginParse()
    .loadDictDirect(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  for (let k = 0; k < params; k++) entries.set(FIRST + k, shared);
  const config = beginCell().storeDictDirect(entries).endCell();
  const zero = makeZerostate(config);
  const state = makeState({ seqno: 1, config });
  const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0, state });
  const answer = { stateProof: wholeProof(block.root), configProof: wholeProof(state) };
  const facts = Array.from({ length: params }, (_, k) => ({ kind: 'config' as const, param: FIRST + k, answer }));
  const checkpoint = checkpointFromZerostate(zero.boc, zero.id);
  const input = { checkpoint, signatures: signBlock(block), headerProof: headerProof(block), facts };
  return { input, anchor: zero.id };
}

const code = (wanted: string) => expect.objectContaining({ code: wanted });

describe('facts that share what they prove', () => {
  it('are taken where that is little, each once', () => {
    const { input, anchor } = sharing(5, 64);
    const certificate = buildCertificate(input);
    const { verdict, facts } = verifyCertificate(certificate, { anchor });
    expect(verdict).toEqual({ status: 'final' });
    expect(facts).toHaveLength(5);
    const { parts } = partsOf(certificate);
    const twice = writeBoc(certificateCell({ ...parts, facts: [...parts.facts, parts.facts[2]!] }));
    expect(() => parseCertificate(twice)).toThrow(
      expect.objectContaining({ code: 'cert/not-canonical', path: 'facts[5]' }),
    );
  });

  it('are refused where looking at all of them takes more than a bag may', () => {
    const { input } = sharing(20, 1500);
    const few = buildCertificate({ ...input, facts: input.facts.slice(0, 2) });
    expect(certificateToBoc(few).length).toBeLessThan(100_000);
    expect(() => buildCertificate(input)).toThrow(
      expect.objectContaining({ code: 'cert/too-large', path: expect.stringContaining('facts[') }),
    );
  });

  it('may together take so much for each byte of the bag', () => {
    const proof = parseSingleRoot(bocOf(merkleProof(treeOf(64))));
    const work = workOf(proof);
    const all = work.left;
    const { bytes, hashes } = tableOf(proof);
    expect(all).toBe(WORK_AND_HASHES_PER_BYTE * bytes.length - (HASH_COST * hashes.length) / HASH_BYTES); // small cells
    const large = parseSingleRoot(bocOf(merkleProof(beginCell().storeUint(1, 800).endCell())));
    expect(workOf(large).left).toBe(WORK_PER_BYTE * tableOf(large).bytes.length);
    expect(workOf(large, 3).left).toBe(WORK_PER_BYTE * tableOf(large).bytes.length + 3 * WORK_PER_FACT);
    forgetOpened(proof);
    markNeeded(proof.ref(0), 'fact', work);
    expect(work.left).toBe(all - 85);
    requireAllUsed(proof, 'fact', work);
    expect(work.left).toBe(all - 170);
    const just = (left: number) => ({ ...work, left });
    const enough = just(85);
    requireAllUsed(proof, 'fact', enough);
    expect(enough.left).toBe(0);
    expect(() => requireAllUsed(proof, 'fact', just(84))).toThrow(code('cert/too-large'));
    expect(() => markNeeded(proof.ref(0), 'fact', just(0))).toThrow(code('cert/too-large'));
  });

  it('may open so many cells, each of them, and are free to be read afterwards', () => {
    const root = parseSingleRoot(bocOf(treeOf(4)));
    const work = workOf(root);
    work.left = 3 * OPEN_COST;
    const open = () => new Slice(root, 'here');
    metered(root, work, () => {
      for (let k = 0; k < 3; k++) open();
      expect(work.left).toBe(0);
      expect(open).toThrow(expect.objectContaining({ code: 'cert/too-large', path: 'here' }));
    });
    for (let k = 0; k < 9; k++) open();
    metered(root, work, open); // what was handed out keeps its meter
  });
});

describe('steps that share what they show', () => {
  it('are refused where looking at all of them takes more than a bag may, those before a checkpoint too', () => {
    const { checkpoint } = networkOf(setters);
    const keys = [1, 2, 3].map((seqno) =>
      makeBlock({ seqno, signedBy: setters, prevKeyBlockSeqno: seqno - 1, config: configCell({ elected: setters }) }),
    );
    const block = makeBlock({ seqno: 4, signedBy: setters, prevKeyBlockSeqno: 3 });
    const certificate = certificateUnder(checkpoint, block, { proofs: keys.map(keyStep) });
    const { parts } = partsOf(certificate);
    const walk = (work: WorkMeter, at = 0) => walkSteps(parts, { at, kind: 'anchor' }, {}, work);
    const just = (left: number) => ({ ...unbounded(), left });
    const enough = just(1_000_000);
    expect(walk(enough).steps).toHaveLength(4);
    const taken = 1_000_000 - enough.left;
    expect(taken).toBeGreaterThan(4 * 10);
    const exact = just(taken);
    walk(exact);
    expect(exact.left).toBe(0);
    for (const at of [0, 3]) {
      expect(() => walk(just(taken - 1), at)).toThrow(
        expect.objectContaining({ code: 'cert/too-large', path: 'chain[3]' }),
      );
    }
  });
});

describe('the JSON of a certificate', () => {
  it('from another anchor is refused before its claims are computed', () => {
    const { input, anchor } = sharing(1, 4);
    const certificate = buildCertificate(input);
    const json = { ...certificateToJson(certificate), claims: 'not looked at' };
    const other = { ...anchor, fileHash: new Uint8Array(32) };
    expect(() => parseCertificateJson(json, { anchor: other })).toThrow(code('cert/anchor'));
    expect(() => parseCertificateJson(json, { anchor })).toThrow(code('cert/claim'));
    const { checkpoint: stray } = networkOf(committee('elsewhere'));
    expect(() => parseCertificateJson(json, { checkpoint: stray })).toThrow(code('cert/anchor'));
    expect(() => parseCertificateJson(json, { checkpoint: input.checkpoint })).toThrow(code('cert/claim'));
    expect(() => parseCertificateJson(json, { anchor, checkpoint: stray })).toThrow(code('usage/bad-option'));
    const own = certificateToJson(certificate);
    expect(parseCertificateJson(own, { checkpoint: input.checkpoint }).id).toEqual(certificate.id);
    expect(certificateToBoc(parseCertificateJson(own, { anchor }))).toEqual(certificateToBoc(certificate));
  });
});
