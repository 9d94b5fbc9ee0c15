/** A certificate of one transaction, its proofs fetched from lite servers. */
import { requireMembers } from '../../core/base/arguments.ts';
import { SourceError } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import { buildCertificate } from '../../core/certificate/build.ts';
import type { Certificate } from '../../core/certificate/parse.ts';
import { parsePartialBlockProof } from '../../core/chain/block-proof.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import { requireAccount } from '../../core/facts/account-id.ts';
import { requireLt } from '../../core/facts/refusals.ts';
import type { TransactionFact } from '../../core/facts/transaction.ts';
import { callbackFailed } from '../async/callbacks.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import { askFact, firstThatProves, judged } from './ask-fact.ts';
import type { LiteServerClient } from './client.ts';
import { Fleet } from './fleet.ts';
import { type FactOptions, type Proven, syncedBlock, type WantedTransaction } from './prove-facts.ts';
import { syncCheckpoint } from './sync.ts';
import type { SyncProgress } from './sync-options.ts';

/**
 * The answers that lead to a block, each from where one before it came to: of a way that was left none stays.
 * @param answer the next one, `SyncProgress.answer`
 */
export function withAnswer(known: readonly Uint8Array[], answer: Uint8Array): readonly Uint8Array[] {
  const { from } = parsePartialBlockProof(answer);
  return [...known.filter((one) => parsePartialBlockProof(one).from.seqno < from.seqno), answer];
}

/** @throws SourceError `source/wrong-block` for a block that a certificate from this checkpoint cannot lead to */
export function requireAhead({ keyBlock }: Checkpoint, seqno: number): void {
  if (seqno > keyBlock.seqno) return;
  const words = `block ${seqno} is not after key block ${keyBlock.seqno} of the checkpoint`;
  throw new SourceError('source/wrong-block', words, {
    hint: 'a certificate leads forward only: give an older checkpoint',
  });
}

/** A certificate, and what it proves. */
export interface Certified extends Proven<TransactionFact> {
  /** Its readers have to trust the key block of the checkpoint that it was made from. */
  readonly certificate: Certificate;
}

/**
 * Makes the certificate of one transaction, by the block that a server names for its time: fetched, proven, and verified as its reader will.
 * @param checkpoint what its readers trust; older than the transaction, for a certificate leads forward only
 * @throws as `proveTransaction`; CertificateError for proofs that are too large for one
 */
export async function certifyTransaction(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedTransaction & { readonly message?: number | 'in' },
  options: FactOptions = {},
): Promise<Certified> {
  const { account: named, lt, message } = requireMembers(wanted, 'a transaction', 'wanted') as typeof wanted; // each is looked at
  const account = requireAccount(named, 'wanted.account');
  requireLt(lt, 'wanted.lt');
  const question = { kind: 'transaction', account, lt, ...present({ message }) } as const;
  const reach = async (to: number | undefined) => {
    requireAhead(checkpoint, to!); // a server named it
    let proofs: readonly Uint8Array[] = [];
    const onProgress = async (progress: SyncProgress) => {
      proofs = withAnswer(proofs, progress.answer);
      try {
        await options.onProgress?.(progress);
      } catch (cause) {
        throw callbackFailed('onProgress', cause); // no fault of the server that is asked
      }
    };
    const result = await syncCheckpoint(servers, checkpoint, { ...options, ...present({ to }), onProgress });
    return { block: syncedBlock(result), newest: result.checkpoint, proofs };
  };
  const fleet = new Fleet(servers);
  const found = await firstThatProves(fleet, fleet.clients, 'a transaction', options.signal, async (one, opts) => {
    const asked = judged(await askFact(one, question, reach, undefined, opts));
    const { proofs } = asked.led;
    const certificate = buildCertificate({ checkpoint, proofs, facts: [asked.input] });
    return { ...asked, certificate };
  });
  if (found === undefined) throw noAgreement('no lite server proves a transaction', fleet.statements());
  const { certificate, fact, led } = found;
  return Object.freeze({ certificate, fact: fact as TransactionFact, checkpoint: led.newest });
}
