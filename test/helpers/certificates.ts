/** Certificates: of recorded blocks, and of blocks of our own. */

import { buildCertificate, type CertificateInput } from '../../src/core/certificate/build.ts';
import type { FactInput } from '../../src/core/certificate/build-fact.ts';
import { certificateToBoc } from '../../src/core/certificate/parse.ts';
import { MAINNET } from '../../src/core/chain/anchors.ts';
import { checkpointFromKeyBlock, checkpointFromZerostate } from '../../src/core/chain/checkpoint.ts';
import { verifyBlockProof } from '../../src/core/chain/walk.ts';
import { parseAccountId } from '../../src/core/facts/account-id.ts';
import { parseLiteAnswer } from '../../src/net/lite-api/read-answers.ts';
import { LIVE, liveAnswer, liveBytes, liveTransactions } from './inclusion.ts';
import { configProof, headerProof, type MadeBlock, signBlock } from './make-chain.ts';
import { readVectorBytes } from './vectors.ts';

/** Mainnet of April 2025: three key blocks, about a hundred validators each. */
export const mainnetInput = (): CertificateInput => ({
  checkpoint: checkpointFromKeyBlock(
    readVectorBytes('real/mainnet-2025-04/block-46897112/config-proof.boc'),
    MAINNET.initBlock,
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
  answer: parseLiteAnswer(liveBytes(file), 'transaction'),
});

const accountFact = (file: string): FactInput => ({
  kind: 'account',
  account: parseAccountId(liveAnswer(file).account!),
  answer: parseLiteAnswer(liveBytes(file), 'account-state'),
});

/** A fact of every kind but a library and a shard block, of one Simplex-signed block. */
export const liveFacts = (): readonly FactInput[] => [
  ...liveTransactions.map(transactionFact),
  { ...transactionFact(liveTransactions[4]!), message: 'in' } as FactInput,
  {
    ...transactionFact(liveTransactions[0]!),
    lt: 368000009n,
    answer: { proof: parseLiteAnswer(liveBytes(liveTransactions[0]!.file), 'transaction').proof },
  } as FactInput,
  accountFact('account-config.tl'),
  accountFact('account-absent.tl'),
  accountFact('account-absent-basechain.tl'),
  { kind: 'config', param: 34, answer: parseLiteAnswer(liveBytes('config-from-state.tl'), 'config') },
  { kind: 'config', param: 999, answer: parseLiteAnswer(liveBytes('config-from-state.tl'), 'config') },
];

export const liveInput = (facts: readonly FactInput[] = liveFacts()): CertificateInput => ({
  checkpoint: liveZerostate(),
  proofs: [liveBytes('proof-zerostate-to-block.tl')],
  facts,
});

export const liveCertificate = () => buildCertificate(liveInput());

/** One transaction under a key block that its reader knows. */
export function transactionCertificate(): Uint8Array {
  const { checkpoint } = verifyBlockProof(liveBytes('proof-zerostate-to-block.tl'), liveZerostate());
  const proofs = [liveBytes('proof-key-block-to-block.tl')];
  return certificateToBoc(buildCertificate({ checkpoint, proofs, facts: liveFacts().slice(0, 1) }));
}

/** A certificate of a block under a checkpoint. @param more of what it is made of; the signatures are those of all who may sign */
export const certificateUnder = (
  checkpoint: CertificateInput['checkpoint'],
  block: MadeBlock,
  more: Partial<CertificateInput> = {},
) =>
  buildCertificate({
    checkpoint,
    signatures: signBlock(block),
    headerProof: headerProof(block),
    ...more,
  } as CertificateInput);

/** A key block as a step of the way to such a block. */
export const keyStep = (block: MadeBlock) => ({ block: configProof(block), signatures: signBlock(block) });
