/** A checkpoint in the middle of a certificate: what stands before it is read like all else, only its signatures are not. */
import { describe, expect, it } from 'vitest';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { writeBoc } from '../../../src/core/cells/write-boc.ts';
import { parseCertificate, partsOf } from '../../../src/core/certificate/parse.ts';
import { type CertificateParts, certificateCell, type StepPart } from '../../../src/core/certificate/parts.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { checkpointFromKeyBlock } from '../../../src/core/chain/checkpoint.ts';
import { beginCell, bocOf, merkleProof } from '../../helpers/cells.ts';
import { certificateUnder, keyStep } from '../../helpers/certificates.ts';
import { committee, configCell, headerProof, makeBlock, signBlock } from '../../helpers/make-chain.ts';
import { networkOf } from '../../helpers/networks.ts';

const [one, two, three] = ['one', 'two', 'three'].map((name) => committee(name, [10n, 20n, 30n]));
const { checkpoint: start } = networkOf(one!);
const key3 = makeBlock({ seqno: 3, signedBy: one!, prevKeyBlockSeqno: 0, config: configCell({ elected: two! }) });
const key6 = makeBlock({ seqno: 6, signedBy: two!, prevKeyBlockSeqno: 3, config: configCell({ elected: three! }) });
const head = makeBlock({ seqno: 8, signedBy: three!, prevKeyBlockSeqno: 6 });
const proofs = [key3, key6].map(keyStep);
const made = certificateUnder(start, head, { proofs });
const middle = checkpointFromKeyBlock(key3.boc, key3.id);
const last = checkpointFromKeyBlock(key6.boc, key6.id);

const remade = (change: (parts: CertificateParts) => Partial<CertificateParts>) => {
  const { parts } = partsOf(made);
  return parseCertificate(writeBoc(certificateCell({ ...parts, ...change(parts) })));
};
const withStep = (at: number, change: (step: StepPart) => Partial<StepPart>) =>
  remade(({ steps }) => ({ steps: steps.map((step, k) => (k === at ? { ...step, ...change(step) } : step)) }));
const refused = (run: () => unknown, code: string) => expect(run).toThrow(expect.objectContaining({ code }));

const junk = parseSingleRoot(bocOf(merkleProof(beginCell().storeUint(0xdeadbeef, 32).endCell())));

describe('a certificate for a reader who trusts a key block in the middle', () => {
  it('is final from each of its key blocks', () => {
    for (const [k, checkpoint] of [start, middle, last].entries()) {
      const { verdict, steps, skippedSteps, usedAnchor } = verifyCertificate(made, { checkpoint });
      expect(verdict).toEqual({ status: 'final' });
      expect([steps.length, skippedSteps]).toEqual([3 - k, k]);
      expect(usedAnchor).toEqual({ kind: 'checkpoint', block: checkpoint.keyBlock });
      expect(steps[0]).not.toHaveProperty('signed');
    }
  });

  it('shows the start itself, not anything in its place', () => {
    const forged = withStep(0, () => ({ proof: junk }));
    refused(() => verifyCertificate(forged, { checkpoint: start }), 'trust/root-hash');
  });

  it('names as its anchor the block that its first proof is of', () => {
    const renamed = (change: object) => remade(({ anchor }) => ({ anchor: { ...anchor, ...change } }));
    refused(
      () => verifyCertificate(renamed({ rootHash: key6.id.rootHash }), { checkpoint: middle }),
      'trust/root-hash',
    );
    refused(() => verifyCertificate(renamed({ seqno: 2 }), { checkpoint: middle }), 'decode/boc');
  });

  it('carries no proof of anything else in the steps before', () => {
    refused(
      () =>
        verifyCertificate(
          withStep(0, () => ({ proof: junk })),
          { checkpoint: middle },
        ),
      'trust/root-hash',
    );
    refused(
      () =>
        verifyCertificate(
          withStep(1, () => ({ proof: junk })),
          { checkpoint: last },
        ),
      'decode/boc',
    );
    // The whole configuration, of which more than the list of those who sign is never read.
    const shown = parseSingleRoot(bocOf(merkleProof(key3.root)));
    refused(
      () =>
        verifyCertificate(
          withStep(1, () => ({ proof: shown })),
          { checkpoint: last },
        ),
      'cert/unused-cells',
    );
    const { proof } = partsOf(made).parts.steps[2]!;
    refused(
      () =>
        verifyCertificate(
          withStep(1, () => ({ proof })),
          { checkpoint: last },
        ),
      'trust/not-next',
    );
  });

  it('has steps before that follow one another', () => {
    const without = remade(({ steps }) => ({ steps: [steps[0]!, steps[2]!] }));
    refused(() => verifyCertificate(without, { checkpoint: last }), 'trust/not-next');
  });

  it('is of the network that it names', () => {
    refused(
      () =>
        verifyCertificate(
          remade(() => ({ globalId: -3 })),
          { checkpoint: last },
        ),
      'trust/wrong-network',
    );
  });

  it('needs no signatures of the steps before', () => {
    const bare = withStep(1, ({ signed }) => ({ signed: { ...signed!, signatures: [] } }));
    expect(verifyCertificate(bare, { checkpoint: middle }).verdict).toEqual({ status: 'final' });
    refused(() => verifyCertificate(bare, { checkpoint: start }), 'trust/not-final');
  });

  it('does not pass over a hardfork behind the checkpoint', () => {
    const fork = makeBlock({ seqno: 9, signedBy: three!, prevKeyBlockSeqno: 6, vertSeqno: 2 });
    const signed = partsOf(certificateUnder(last, head)).parts;
    const { fileHash } = fork.id;
    const signatures = signBlock(fork).signatures.map(({ signature }, index) => ({ index, signature }));
    const proof = parseSingleRoot(headerProof(fork));
    const forged = parseCertificate(
      writeBoc(certificateCell({ ...signed, last: { proof, signed: { fileHash, signatures } } })),
    );
    refused(() => verifyCertificate(forged, { checkpoint: last }), 'trust/hardfork');
  });
});
