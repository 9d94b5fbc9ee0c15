/** The answers of a lite server that prove one deposit, what comes of them without a network, and what of them changed by a bit. */
import { buildCertificate } from '../../src/core/certificate/build.ts';
import { certificateToBoc, parseCertificate } from '../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import type { Checkpoint } from '../../src/core/chain/checkpoint.ts';
import type { AccountId } from '../../src/core/facts/account-id.ts';
import { acceptDeposit, type Deposit } from '../../src/core/facts/deposit.ts';
import type { DepositTerms } from '../../src/core/facts/deposit-terms.ts';
import type { LiteServerClient } from '../../src/net/lite/client.ts';
import { readAnswerOf } from '../../src/net/lite-api/read-answers.ts';
import { lookupByLtRequest } from '../../src/net/lite-api/write-requests.ts';
import { seededRandom } from './cells.ts';

/** TL, as they came. */
export interface DepositAnswers {
  /** From the checkpoint to the masterchain block that lists the shard block. */
  readonly blockProofs: readonly Uint8Array[];
  readonly shardProof: Uint8Array;
  readonly transaction: Uint8Array;
}

export interface WantedDeposit {
  readonly account: AccountId;
  readonly lt: bigint;
}

export async function depositAnswers(
  client: LiteServerClient,
  { keyBlock }: Checkpoint,
  { account, lt }: WantedDeposit,
): Promise<DepositAnswers> {
  const { id } = readAnswerOf('block-header', await client.ask(lookupByLtRequest(account, lt)));
  const shard = await client.shardProof(id);
  const blockProofs: Uint8Array[] = [];
  for (let from = keyBlock; ; ) {
    const { tl, claimed } = await client.blockProof(from, shard.claimed.masterchainId);
    blockProofs.push(tl);
    if (claimed.complete) break;
    from = claimed.to;
  }
  return { blockProofs, shardProof: shard.tl, transaction: (await client.transaction(id, account, lt)).tl };
}

/** The certificate that is made of answers. */
export function certificateOf(answers: DepositAnswers, checkpoint: Checkpoint, wanted: WantedDeposit): Uint8Array {
  const answer = readAnswerOf('transaction', answers.transaction);
  const way = { links: answers.shardProof };
  const facts = [{ kind: 'transaction' as const, ...wanted, answer, way }];
  return certificateToBoc(buildCertificate({ checkpoint, proofs: answers.blockProofs, facts }));
}

/** Accepts what a certificate holds, as a process without a network does. */
export function acceptCertificate(bytes: Uint8Array, terms: DepositTerms<string>): Deposit<string> {
  return acceptDeposit(verifyCertificate(parseCertificate(bytes), { checkpoint: terms.checkpoint }), terms);
}

/** What a deposit says, in one line. */
const said = ({ key, amount, sender, recipient }: Deposit<string>) =>
  [
    Buffer.from(key).toString('hex'),
    amount,
    sender.workchain,
    Buffer.from(sender.address).toString('hex'),
    recipient,
  ].join();

/** What came of so many changes: refused, accepted as what it is, accepted as something else. */
export interface ChangedBits {
  readonly refused: number;
  readonly same: number;
  readonly other: number;
}

/** @param accept gives a deposit for the bytes, or throws */
export function changeBits(
  parts: readonly Uint8Array[],
  times: number,
  accept: (parts: readonly Uint8Array[]) => Deposit<string>,
  seed = 1,
): ChangedBits {
  const truth = said(accept(parts));
  const random = seededRandom(seed);
  const bits = parts.reduce((sum, { length }) => sum + 8 * length, 0);
  const count = { refused: 0, same: 0, other: 0 };
  for (let k = 0; k < times; k++) {
    const own = parts.map((part) => part.slice());
    let at = Math.floor(random() * bits);
    const part = own.find(({ length }) => {
      if (at < 8 * length) return true;
      at -= 8 * length;
      return false;
    })!;
    part[at >> 3]! ^= 1 << (at & 7);
    try {
      count[said(accept(own)) === truth ? 'same' : 'other'] += 1;
    } catch {
      count.refused += 1;
    }
  }
  return count;
}

/** Changes bits of the answers themselves, from which a certificate is made and accepted each time. */
export function changeAnswers(
  answers: DepositAnswers,
  times: number,
  wanted: WantedDeposit,
  terms: DepositTerms<string>,
): ChangedBits {
  const { blockProofs, shardProof, transaction } = answers;
  return changeBits([shardProof, transaction, ...blockProofs], times, ([shard, one, ...proofs]) => {
    const changed = { shardProof: shard!, transaction: one!, blockProofs: proofs };
    return acceptCertificate(certificateOf(changed, terms.checkpoint, wanted), terms);
  });
}
