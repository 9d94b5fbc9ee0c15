/** A start past its stakes is not forgotten by the checkpoint that a walk or a step leads to, in this process or in a file. */
import { describe, expect, it } from 'vitest';
import { buildCertificate } from '../../../src/core/certificate/build.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { advanceCheckpoint, verifyStoredProof } from '../../../src/core/chain/advance.ts';
import { verifyHeader } from '../../../src/core/chain/block-header.ts';
import {
  type Checkpoint,
  checkpointFromKeyBlock,
  checkpointToJson,
  parseCheckpoint,
  validatorSetAt,
} from '../../../src/core/chain/checkpoint.ts';
import { verifyBlockProof, type WalkOptions } from '../../../src/core/chain/walk.ts';
import { blockOfCheckpoint, blockOfReport, blockOfWalk } from '../../../src/core/facts/final-block.ts';
import { staleStartOf } from '../../../src/core/verify/own-report.ts';
import { strict } from '../../../src/core/verify/strict.ts';
import { createVerifier, verifyBlock } from '../../../src/core/verify/verifier.ts';
import { certificateUnder, keyStep } from '../../helpers/certificates.ts';
import {
  blockSignaturesCell,
  committee,
  configCell,
  configProof,
  headerProof,
  honestLink,
  type MadeBlock,
  makeBlock,
  signBlock,
  storedProof,
  tlForward,
  tlProof,
} from '../../helpers/make-chain.ts';

const a = committee('a');
const until = (utimeUntil: number) => configCell({ elected: a, utimeUntil });
const NOW = 9_000_000;
const key = (seqno: number, utimeUntil: number) =>
  makeBlock({ seqno, signedBy: a, prevKeyBlockSeqno: seqno - 100, config: until(utimeUntil) });
/** The set of the first key block is past its stakes by now, those after it are not. */
const [key100, key200, key300] = [key(100, 2_000_000), key(200, 20_000_000), key(300, 20_000_000)];
const head = makeBlock({ seqno: 250, signedBy: a, prevKeyBlockSeqno: 200 });
const start = checkpointFromKeyBlock(key100.boc, key100.id);
const between = (...blocks: readonly MadeBlock[]) =>
  tlProof(
    blocks[0]!.id,
    blocks.at(-1)!.id,
    blocks.slice(1).map((to, n) => tlForward(honestLink(blocks[n]!, to, 'simplex'))),
  );
const walkTo200 = (opts: WalkOptions) => verifyBlockProof(between(key100, key200, head), start, opts);
const stepTo200 = (opts: WalkOptions) =>
  advanceCheckpoint({ block: key200.boc, signatures: signBlock(key200) }, start, opts);
const again = (checkpoint: Checkpoint) => parseCheckpoint(JSON.parse(JSON.stringify(checkpointToJson(checkpoint))));
const TAKEN = expect.objectContaining({ code: 'stale-start' });
const signed = signBlock(head, a, 'simplex');
const header = verifyHeader(headerProof(head), head.id);
const stale = { status: 'undecided', reason: 'stale-set' };
const coded = (code: string) => expect.objectContaining({ code });

const LEADS: readonly (readonly [string, (opts: WalkOptions) => Checkpoint])[] = [
  ['a walk', (opts) => walkTo200(opts).checkpoint],
  ['a step', stepTo200],
  ['a walk, from a file', (opts) => again(walkTo200(opts).checkpoint)],
  ['a step, from a file', (opts) => again(stepTo200(opts))],
  ['a copy of what a walk led to', (opts) => ({ ...walkTo200(opts).checkpoint })],
];

describe.each(LEADS)('a checkpoint of %s that began with a set past its stakes', (_, lead) => {
  const refused = lead({ nowSeconds: NOW });
  const onward = between(key200, key300, makeBlock({ seqno: 350, signedBy: a, prevKeyBlockSeqno: 300 }));

  it('says so', () => {
    expect(refused.staleStart).toBe('refused');
    expect(lead({ nowSeconds: 1_600_000 }).staleStart).toBe('none');
    expect(lead({}).staleStart).toBe('unknown');
    expect(lead({ nowSeconds: NOW, acceptStaleStart: true }).staleStart).toBe('accepted');
  });

  it('makes nothing final: no key block, report, stored proof or certificate', async () => {
    expect(() => blockOfCheckpoint(refused)).toThrow(coded('trust/stale-start'));
    const report = verifyBlock(signed, validatorSetAt(refused), { context: { header } });
    expect(report.verdict).toEqual(stale);
    expect(() => blockOfReport(report, header)).toThrow(coded('trust/not-final'));
    const verifier = await createVerifier(validatorSetAt(refused));
    expect(verifier.verify(signed).verdict).toEqual(stale);
    verifier.close();
    const proof = storedProof(head, blockSignaturesCell(head, signed, 40n));
    expect(verifyStoredProof(proof, refused).verdict).toEqual(stale);
    const certificate = buildCertificate({ checkpoint: lead({}), signatures: signed, headerProof: headerProof(head) });
    for (const clock of [{}, { nowSeconds: NOW }]) {
      const judged = verifyCertificate(certificate, { checkpoint: refused, ...clock });
      expect(judged.verdict).toEqual(stale);
      expect(judged.proven).toBeUndefined();
      expect(() => blockOfReport(judged.report!)).toThrow(coded('trust/not-final'));
    }
  });

  it('is no start to walk or step on from, with or without a clock', () => {
    for (const clock of [{}, { nowSeconds: NOW }]) {
      const walk = verifyBlockProof(onward, refused, clock);
      expect(walk).toMatchObject({ startIsStale: true, checkpoint: { staleStart: 'refused' } });
      expect(() => blockOfWalk(walk)).toThrow(coded('trust/not-final'));
      expect(walk.reports.map(staleStartOf)).toEqual(['refused', 'refused']);
      const further = verifyBlockProof(tlProof(walk.tip, walk.tip, []), walk, clock);
      expect(further).toMatchObject({ startIsStale: true, checkpoint: { staleStart: 'refused' } });
      const step = advanceCheckpoint({ block: key300.boc, signatures: signBlock(key300) }, refused, clock);
      expect(step).toMatchObject({ startIsStale: true, staleStart: 'refused' });
    }
  });

  it('is taken by name, and all that stands on it says so', () => {
    const accepted = lead({ nowSeconds: NOW, acceptStaleStart: true });
    const exceptions = ['accepted-stale-start'];
    expect(blockOfCheckpoint(accepted).provenance).toMatchObject({ kind: 'checkpoint', exceptions });
    const report = verifyBlock(signed, validatorSetAt(accepted), strict({ nowSeconds: NOW, header }));
    expect(report.verdict.status).toBe('final');
    expect(report.warnings).toEqual([TAKEN]);
    expect(blockOfReport(report).provenance).toMatchObject({ exceptions });
    const walk = verifyBlockProof(onward, accepted, { nowSeconds: NOW });
    expect(walk).toMatchObject({ startIsStale: false, checkpoint: { staleStart: 'accepted' } });
    expect(walk.reports.map(({ warnings }) => warnings)).toEqual([[TAKEN], [TAKEN]]);
    expect(blockOfWalk(walk).provenance).toMatchObject({ exceptions });
    const step = advanceCheckpoint({ block: key300.boc, signatures: signBlock(key300) }, accepted, { nowSeconds: NOW });
    expect(step).toMatchObject({ startIsStale: false, staleStart: 'accepted' });
    const certificate = buildCertificate({ checkpoint: accepted, signatures: signed, headerProof: headerProof(head) });
    const judged = verifyCertificate(certificate, { checkpoint: accepted, nowSeconds: NOW });
    expect(judged.verdict).toEqual({ status: 'final' });
    expect(judged.proven?.provenance).toMatchObject({ exceptions });
    // Of the same certificate from the block that its reader pins, nothing is known to be stale.
    expect(verifyCertificate(certificate, { anchor: key200.id, nowSeconds: NOW }).proven?.provenance).toMatchObject({
      exceptions: [],
    });
  });

  it('is not forgotten by a certificate that steps on from it, with or without a clock', () => {
    const further = makeBlock({ seqno: 350, signedBy: a, prevKeyBlockSeqno: 300 });
    const certificateFrom = (checkpoint: Checkpoint) =>
      certificateUnder(checkpoint, further, { proofs: [keyStep(key300)] });
    const accepted = lead({ nowSeconds: NOW, acceptStaleStart: true });
    for (const clock of [{}, { nowSeconds: NOW }]) {
      const judged = verifyCertificate(certificateFrom(lead({})), { checkpoint: refused, ...clock });
      expect(judged.verdict).toEqual(stale);
      expect(judged.proven).toBeUndefined();
      const taken = verifyCertificate(certificateFrom(accepted), { checkpoint: accepted, ...clock });
      expect(taken.verdict).toEqual({ status: 'final' });
      expect(taken.proven?.provenance).toMatchObject({ exceptions: ['accepted-stale-start'] });
    }
  });

  it('is taken by name on the way on from it, too', () => {
    const walk = verifyBlockProof(onward, refused, { acceptStaleStart: true });
    expect(walk).toMatchObject({ startIsStale: true, checkpoint: { staleStart: 'accepted' } });
    expect(blockOfWalk(walk).provenance).toMatchObject({ exceptions: ['accepted-stale-start'] });
    const nowhere = verifyBlockProof(tlProof(key200.id, key200.id, []), refused, { acceptStaleStart: true });
    expect(nowhere.checkpoint.staleStart).toBe('accepted');
    expect(blockOfWalk(nowhere)).toEqual(blockOfCheckpoint(nowhere.checkpoint));
    expect(blockOfWalk(nowhere).provenance).toMatchObject({ kind: 'checkpoint', exceptions: ['accepted-stale-start'] });
    const step = { block: key300.boc, signatures: signBlock(key300) };
    expect(advanceCheckpoint(step, refused, { acceptStaleStart: true }).staleStart).toBe('accepted');
  });

  it('is refused anew where what it leads to begins with another old set', () => {
    const accepted = lead({ nowSeconds: NOW, acceptStaleStart: true });
    const late = verifyBlockProof(onward, accepted, { nowSeconds: 90_000_000 });
    expect(late).toMatchObject({ startIsStale: true, checkpoint: { staleStart: 'refused' } });
    expect(() => blockOfWalk(late)).toThrow(coded('trust/not-final'));
  });
});

describe('a start that is not known to be stale', () => {
  it('serves as before, and does not become known by a clock that comes later', () => {
    const unknown = walkTo200({}).checkpoint;
    const report = verifyBlock(signed, validatorSetAt(unknown), strict({ nowSeconds: NOW, header }));
    expect([report.verdict.status, report.warnings]).toEqual(['final', []]);
    expect(blockOfCheckpoint(unknown).provenance).toMatchObject({ exceptions: [] });
    const walk = verifyBlockProof(between(key200, key300), unknown, { nowSeconds: NOW });
    expect(walk).toMatchObject({ startIsStale: false, checkpoint: { staleStart: 'unknown' } });
    expect(blockOfWalk(walk).provenance).toMatchObject({ exceptions: [] });
  });

  it('is that of a block that somebody pins: nothing lies before it', () => {
    expect(start.staleStart).toBe('none');
    expect(again(start).staleStart).toBe('none');
    // The clock finds out of the pinned set itself, each time, and a checkpoint that has not moved has nothing to keep.
    const walk = verifyBlockProof(
      between(key100, makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100 })),
      start,
      {
        nowSeconds: NOW,
      },
    );
    expect(walk).toMatchObject({ startIsStale: true, checkpoint: { staleStart: 'none' } });
    expect(() => blockOfWalk(walk)).toThrow(coded('trust/not-final'));
    const nowhere = verifyBlockProof(tlProof(key100.id, key100.id, []), start, { nowSeconds: NOW });
    expect(nowhere).toMatchObject({ startIsStale: true, reports: [] });
    expect(() => blockOfWalk(nowhere)).toThrow(coded('trust/not-final'));
    const taken = verifyBlockProof(tlProof(key100.id, key100.id, []), start, {
      nowSeconds: NOW,
      acceptStaleStart: true,
    });
    expect(taken).toMatchObject({ startIsStale: true, checkpoint: { staleStart: 'none' } });
    expect(blockOfWalk(taken).provenance).toMatchObject({ kind: 'checkpoint', exceptions: ['accepted-stale-start'] });
    const fresh = verifyBlockProof(tlProof(key100.id, key100.id, []), start, {
      nowSeconds: 1_600_000,
      acceptStaleStart: true,
    });
    expect(blockOfWalk(fresh).provenance).toMatchObject({ kind: 'checkpoint', exceptions: [] });
  });
});

describe('a walk that was taken by name', () => {
  it('is gone on from as that, without saying it again', () => {
    const walk = verifyBlockProof(between(key100, key200), key100.id, { nowSeconds: NOW, acceptStaleStart: true });
    expect(walk).toMatchObject({ startIsStale: true, checkpoint: { staleStart: 'none' } });
    const onward = verifyBlockProof(
      between(key200, key300, makeBlock({ seqno: 350, signedBy: a, prevKeyBlockSeqno: 300 })),
      walk,
      {
        nowSeconds: NOW,
      },
    );
    expect(onward).toMatchObject({ startIsStale: true, checkpoint: { staleStart: 'accepted' } });
    expect(blockOfWalk(onward).provenance).toMatchObject({ exceptions: ['accepted-stale-start'] });
    const refused = verifyBlockProof(between(key100, key200), key100.id, { nowSeconds: NOW });
    const same = verifyBlockProof(between(key200, key300, key(400, 20_000_000)), refused, { nowSeconds: NOW });
    expect(same.checkpoint.staleStart).toBe('refused');
    expect(() => blockOfWalk(same)).toThrow(coded('trust/not-final'));
  });

  it('needs true or false', () => {
    for (const odd of ['yes', 1, null] as never[]) {
      expect(() => walkTo200({ acceptStaleStart: odd })).toThrow(coded('usage/bad-option'));
      expect(() => stepTo200({ acceptStaleStart: odd })).toThrow(coded('usage/bad-option'));
    }
  });
});

describe('a checkpoint file', () => {
  it('of version 1 says nothing of its start', () => {
    const { staleStart: _, schema: __, version: ___, checksum: ____, ...rest } = checkpointToJson(start);
    expect(_).toBe('none');
    expect(parseCheckpoint(checkpointToJson({ ...start, staleStart: undefined } as never)).staleStart).toBe('unknown');
    expect(Object.keys(rest)).toEqual(['globalId', 'anchor', 'keyBlock', 'genUtime', 'configProof']);
  });

  it('of version 2 that was edited, or whose start is none that is known, is refused', () => {
    const json = checkpointToJson(walkTo200({ nowSeconds: NOW }).checkpoint);
    expect(json).toMatchObject({ schema: 'ton-finality/checkpoint@2', version: 2, staleStart: 'refused' });
    const { staleStart, ...without } = json;
    expect(staleStart).toBe('refused');
    for (const other of [
      { ...json, staleStart: 'none' },
      { ...json, staleStart: 'fresh' },
      without,
      { ...json, version: 1 },
    ]) {
      expect(() => parseCheckpoint(other)).toThrow(coded('trust/checkpoint'));
    }
    expect(() => parseCheckpoint({ ...json, schema: 'ton-finality/checkpoint@1', version: 1 })).toThrow(
      coded('trust/checkpoint'),
    );
    expect(() => parseCheckpoint({ ...json, schema: 'ton-finality/checkpoint@3', version: 3 })).toThrow(
      expect.objectContaining({
        code: 'trust/checkpoint',
        message: expect.stringMatching(/expected ton-finality\/checkpoint@2, got ton-finality\/checkpoint@3$/),
        hint: expect.stringContaining('upgrade'),
      }),
    );
    expect(() => checkpointToJson({ ...start, staleStart: 'fresh' as never })).toThrow(coded('trust/checkpoint'));
  });

  it('shows the configuration of its key block whatever its start', () => {
    expect(checkpointFromKeyBlock(configProof(key200), key200.id).config).toEqual(walkTo200({}).checkpoint.config);
  });
});
