/** Certificates made from recorded blocks. */

import { buildCertificate, type CertificateInput } from '../../src/core/certificate/build.ts';
import type { FactInput } from '../../src/core/certificate/build-fact.ts';
import { certificateToBoc } from '../../src/core/certificate/parse.ts';
import { MAINNET_INIT_BLOCK } from '../../src/core/chain/anchors.ts';
import { checkpointFromKeyBlock, checkpointFromZerostate } from '../../src/core/chain/checkpoint.ts';
import { walkBlockProof } from '../../src/core/chain/walk.ts';
import { parseAccountId } from '../../src/core/facts/account-id.ts';
import { readAnswerOf } from '../../src/net/lite-api/read-answers.ts';
import { LIVE, liveAnswer, liveBytes, liveTransactions } from './inclusion.ts';
import { readVectorBytes } from './vectors.ts';

/** Mainnet of April 2025: three key blocks, about a hundred validators each. */
export const mainnetInput = (): CertificateInput => ({
  checkpoint: checkpointFromKeyBlock(
    readVectorBytes('real/mainnet-2025-04/block-46897112/config-proof.boc'),
    MAINNET_INIT_BLOCK,
  ),
  proofs: [readVectorBytes('real/mainnet-2025-04/partial-block-proof.tl')],
});

export const mainnetCertificate = () => buildCertificate(mainnetInput());

export const liveZerostate = () =>
  checkpointFromZerostate(readVectorBytes('live/answers/zerostate.boc'), LIVE.zerostate);

const transactionFact = ({ file, account, lt }: (typeof liveTransactions)[number]): FactInput => ({
  kind: 'transaction',
  account: parseAccountId(account!),
  lt: BigInt(lt!),
  answer: readAnswerOf('transaction', liveBytes(file)),
});

const accountFact = (file: string): FactInput => ({
  kind: 'account',
  account: parseAccountId(liveAnswer(file).account!),
  answer: readAnswerOf('account-state', liveBytes(file)),
});

/** A fact of every kind but a library and a shard block, of one Simplex-signed block. */
export const liveFacts = (): readonly FactInput[] => [
  ...liveTransactions.map(transactionFact),
  { ...transactionFact(liveTransactions[4]!), message: 'in' } as FactInput,
  {
    ...transactionFact(liveTransactions[0]!),
    lt: 368000009n,
    answer: { proof: readAnswerOf('transaction', liveBytes(liveTransactions[0]!.file)).proof },
  } as FactInput,
  accountFact('account-config.tl'),
  accountFact('account-absent.tl'),
  accountFact('account-absent-basechain.tl'),
  { kind: 'config', param: 34, answer: readAnswerOf('config', liveBytes('config-from-state.tl')) },
  { kind: 'config', param: 999, answer: readAnswerOf('config', liveBytes('config-from-state.tl')) },
];

export const liveInput = (facts: readonly FactInput[] = liveFacts()): CertificateInput => ({
  checkpoint: liveZerostate(),
  proofs: [liveBytes('proof-zerostate-to-block.tl')],
  facts,
});

export const liveCertificate = () => buildCertificate(liveInput());

/** One transaction under a key block that its reader knows. */
export function transactionCertificate(): Uint8Array {
  const { checkpoint } = walkBlockProof(liveZerostate(), liveBytes('proof-zerostate-to-block.tl'));
  const proofs = [liveBytes('proof-key-block-to-block.tl')];
  return certificateToBoc(buildCertificate({ checkpoint, proofs, facts: liveFacts().slice(0, 1) }));
}
