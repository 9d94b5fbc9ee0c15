/** A certificate has one form: each proof of a fact shows what is read through it, though another proof shows the same cell. */
import { expect, it } from 'vitest';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { writeBoc } from '../../../src/core/cells/write-boc.ts';
import { parseCertificate, partsOf } from '../../../src/core/certificate/parse.ts';
import { certificateCell } from '../../../src/core/certificate/parts.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { merkleProof } from '../../helpers/cells.ts';
import { certificateUnder } from '../../helpers/certificates.ts';
import { bagOf } from '../../helpers/cut-proofs.ts';
import { everyCell, a as setters, zero } from '../../helpers/make-back-link.ts';
import { configCell, headerProof, infoOf, makeBlock, makeState, proofShowing } from '../../helpers/make-chain.ts';
import { leafOf, makeShardBlock, shardHashes, WHOLE } from '../../helpers/make-shards.ts';
import { startOf } from '../../helpers/networks.ts';

it('a cell that one proof of a fact shows is hidden in another that does not need it', () => {
  const top = makeShardBlock(12, WHOLE);
  const list = shardHashes(leafOf(top.id));
  const state = makeState({ seqno: 1, config: configCell({ elected: setters }), shardHashes: list });
  const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0, state });
  const [masterRef, previous] = [infoOf(top).refs[0]!, infoOf(block).refs[0]!];
  expect(masterRef.equals(previous)).toBe(true); // the block that both name
  const shardProof = bagOf(merkleProof(block.root), merkleProof(state));
  const certificate = certificateUnder(startOf({ zerostate: zero }), block, {
    facts: [
      {
        kind: 'transaction',
        account: { workchain: 0, address: new Uint8Array(32) },
        lt: 99n,
        answer: { proof: headerProof(top) },
        way: { shardProof },
      },
    ],
  });
  const verified = (one: typeof certificate) => verifyCertificate(one, { anchor: zero.id });
  expect(verified(certificate)).toMatchObject({
    verdict: { status: 'final' },
    facts: [{ found: false, reason: 'lt-outside-block' }],
  });
  const { parts } = partsOf(certificate);
  const [fact] = parts.facts;
  if (fact?.kind !== 'absent-transaction') throw new Error('expected an absent transaction');
  const shown = parseSingleRoot(proofShowing(top.root, everyCell(infoOf(top))));
  const other = parseCertificate(writeBoc(certificateCell({ ...parts, facts: [{ ...fact, block: shown }] })));
  expect(other.id).not.toEqual(certificate.id);
  expect(() => verified(other)).toThrow(expect.objectContaining({ code: 'cert/unused-cells', path: 'facts[0]' }));
});
