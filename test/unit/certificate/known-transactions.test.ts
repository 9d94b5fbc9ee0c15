/** A transaction that several facts are about is read once, but only where all that proves it is the same cells. */
import { expect, it } from 'vitest';
import type { Cell } from '../../../src/core/cells/cell.ts';
import { openMerkleProof } from '../../../src/core/cells/merkle-proof.ts';
import type { FactParts } from '../../../src/core/certificate/fact-parts.ts';
import { judgeFact, noFindings } from '../../../src/core/certificate/judge-fact.ts';
import { parseCertificate, partsOf } from '../../../src/core/certificate/parse.ts';
import { readNamed } from '../../../src/core/certificate/walk-steps.ts';
import { unbounded } from '../../../src/core/certificate/work-limit.ts';
import { assumeFinal, factsOf } from '../../../src/core/facts/proven-block.ts';
import { merkleProof } from '../../helpers/cells.ts';
import { certificateUnder, liveCertificate } from '../../helpers/certificates.ts';
import { bagOf } from '../../helpers/cut-proofs.ts';
import { dearCertificate } from '../../helpers/dear-certificates.ts';
import { LIVE } from '../../helpers/inclusion.ts';
import { committee, headerProof, makeBlock, makeState } from '../../helpers/make-chain.ts';
import { leafOf, makeShardBlock, shardHashes, WHOLE } from '../../helpers/make-shards.ts';
import { networkOf } from '../../helpers/networks.ts';

type Transaction = Extract<FactParts, { readonly lt: bigint }>;
const transactionsIn = (facts: readonly FactParts[]) => facts.filter((fact): fact is Transaction => 'lt' in fact);

/** Judges one fact after another, as the facts of one certificate. */
function judging(block: Parameters<typeof assumeFinal>[0]) {
  const facts = factsOf(assumeFinal(block));
  const findings = noFindings(unbounded());
  return (part: FactParts) => judgeFact(part, facts, 'fact', findings);
}

const refused = (run: () => unknown, code: string) => expect(run).toThrow(expect.objectContaining({ code }));

it('another proof of a known transaction is looked at: by links, in the block, and of the transaction itself', () => {
  const certificate = parseCertificate(dearCertificate('many transactions at the end of one way', 2, 2));
  const { last, facts } = partsOf(certificate).parts;
  const [first, second] = transactionsIn(facts);
  if (first?.way?.by !== 'links' || second === undefined) throw new Error('expected two transactions by links');
  const { proofs } = first.way;
  expect(proofs.length).toBeGreaterThan(2);
  const judged = judging(readNamed(openMerkleProof(last.proof, 'last'), last.signed.fileHash, 'last').id);
  const known = judged(first);
  expect(known).toMatchObject({ kind: 'transaction', found: true });
  expect(judged({ ...first })).toBe(known);
  const by = (...some: Cell[]) => ({ ...first, way: { by: 'links' as const, proofs: some } });
  refused(() => judged(by(...proofs.slice(0, -1))), 'trust/root-hash');
  refused(() => judged(by(proofs[0]!, proofs[2]!, proofs[1]!, ...proofs.slice(3))), 'trust/root-hash');
  refused(() => judged({ ...first, way: undefined }), 'trust/wrong-shard');
  refused(() => judged({ ...first, block: proofs[0]! }), 'trust/root-hash');
  refused(() => judged({ ...first, transaction: second.transaction }), 'trust/transaction-hash');
  expect(judged({ ...first, transaction: undefined })).not.toHaveProperty('transaction');
  expect(judged(second)).toMatchObject({ found: true, lt: second.lt });
});

it('another proof of a known transaction is looked at: by a state', () => {
  const setters = committee('setters');
  const { config, checkpoint } = networkOf(setters);
  const top = makeShardBlock(12, WHOLE);
  const list = shardHashes(leafOf(top.id));
  const state = makeState({ seqno: 1, config, shardHashes: list });
  const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0, state });
  const certificate = certificateUnder(checkpoint, block, {
    facts: [
      {
        kind: 'transaction',
        account: { workchain: 0, address: new Uint8Array(32) },
        lt: 99n,
        answer: { proof: headerProof(top) },
        way: { shardProof: bagOf(merkleProof(block.root), merkleProof(state)) },
      },
    ],
  });
  const [absent] = transactionsIn(partsOf(certificate).parts.facts);
  if (absent?.way?.by !== 'state') throw new Error('expected a transaction by a state');
  const judged = judging(block.id);
  expect(judged(absent)).toMatchObject({ found: false });
  const { way } = absent;
  refused(() => judged({ ...absent, way: { ...way, state: way.block } }), 'trust/state-hash');
  refused(() => judged({ ...absent, way: { ...way, block: way.state } }), 'trust/root-hash');
});

it('a transaction that is known to be absent has no messages', () => {
  const absent = transactionsIn(partsOf(liveCertificate()).parts.facts).find(({ kind }) => kind.startsWith('absent-'))!;
  const judged = judging(LIVE.block);
  expect(judged(absent)).toMatchObject({ found: false });
  refused(() => judged({ ...absent, kind: 'message', index: 0 }), 'cert/claim');
  refused(() => judged({ ...absent, kind: 'transaction' }), 'cert/claim');
});
