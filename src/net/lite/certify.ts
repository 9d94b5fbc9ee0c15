/** Makes a certificate of one transaction, with proofs from lite servers. */
import { SourceError } from '../../core/base/errors.ts';
import { asGiven, optional, readOptions } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import { buildCertificate } from '../../core/certificate/build.ts';
import type { Certificate } from '../../core/certificate/parse.ts';
import { parsePartialBlockProof } from '../../core/chain/block-proof.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import { type AccountId, type AccountLike, requireAccount } from '../../core/facts/account-id.ts';
import type { AccountFact, NoAccount } from '../../core/facts/account-state.ts';
import { requireLt } from '../../core/facts/fact-checks.ts';
import type { TransactionFact } from '../../core/facts/transaction.ts';
import { callbackFailed } from '../async/callbacks.ts';
import { factReaders } from '../follow/live-options.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import { askFact, firstThatProves, judged } from './ask-fact.ts';
import type { LiteServerClient } from './client.ts';
import { overFleet, type Proven, reached, reachHead, readCall, requireUpToHead } from './fact-head.ts';
import type { WantedTransaction } from './prove-facts.ts';
import type { FactOptions, SyncProgress } from './sync-options.ts';

/**
 * Returns the answers that lead to a block, each from the end of the one before. Answers of a way that was left are
 * dropped. @param answer the next one, `SyncProgress.answer`
 */
export function withAnswer(known: readonly Uint8Array[], answer: Uint8Array): readonly Uint8Array[] {
  const { from } = parsePartialBlockProof(answer);
  return [...known.filter((one) => parsePartialBlockProof(one).from.seqno < from.seqno), answer];
}

/** Checks that a certificate from this checkpoint can lead to a block. @throws SourceError `source/wrong-block` */
export function requireAhead({ keyBlock }: Checkpoint, seqno: number): void {
  if (seqno > keyBlock.seqno) return;
  const words = `block ${seqno} is not after key block ${keyBlock.seqno} of the checkpoint`;
  throw new SourceError('source/wrong-block', words, { hint: 'pass an older checkpoint' });
}

/** A certificate and the facts that it proves. */
export interface Certified extends Proven<TransactionFact> {
  /** A verifier of this certificate has to trust the key block of the checkpoint that you passed. */
  readonly certificate: Certificate;
  /** The state of the wallet that you named, under the same masterchain block. */
  readonly wallet?: AccountFact | NoAccount;
}

/** The facts that a certificate has to prove: a transaction, one of its messages, and the state of a jetton wallet. */
export interface WantedCertificate<Account extends AccountLike = AccountLike> extends WantedTransaction<Account> {
  /** The message that the certificate is about: `in`, or the index of an outgoing message. */
  readonly message?: number | 'in';
  /**
   * The vault's jetton wallet. Its state is proven under the masterchain block of the transaction, as `acceptDeposit`
   * needs it.
   */
  readonly wallet?: Account;
}

/**
 * Makes the certificate of one transaction: finds its block through a server, fetches and checks the proofs, and
 * verifies the result.
 * @param clients one or more clients of lite servers; a server that fails or lies is passed over
 * @param checkpoint the key block that verifiers of the certificate trust; it must be older than the transaction,
 * because a certificate leads forward only
 * @param wanted the account and logical time of the transaction; optionally a message, and a jetton wallet
 * @param options how to reach the newest block; default: its age at most 60 s, no witness required, 10 minutes for the call
 * @returns the certificate and the facts that it proves
 * @throws as `proveTransaction`; CertificateError for proofs that are too large for a certificate
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseAccountId } from 'ton-finality/facts';
 * import { readCheckpoint } from 'ton-finality/node';
 * import { connectLite, parseGlobalConfig, certifyTransaction } from 'ton-finality/servers';
 * const { servers } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * const clients = servers.map((server) => connectLite(server));
 * const wanted = { account: parseAccountId(`0:${'11'.repeat(32)}`), lt: 2000010n };
 * const { certificate } = await certifyTransaction(clients, readCheckpoint('checkpoint.json'), wanted);
 * console.log(certificate.facts); // [ 'transaction' ]
 * for (const client of clients) client.close();
 * ```
 */
export async function certifyTransaction(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedCertificate,
  options: FactOptions = {},
): Promise<Certified> {
  const { wallet, message, ...own } = readOptions(wanted, 'wanted', {
    account: requireAccount,
    lt: requireLt,
    message: asGiven, // buildCertificate checks it
    wallet: optional(requireAccount),
  }) as WantedCertificate<AccountId>; // the readers made this type
  const opts = readOptions(options, '', factReaders());
  const question = { kind: 'transaction', ...own, ...present({ message }) } as const;
  return await overFleet(readCall(clients, checkpoint, opts), async ({ fleet, from, options: more, onReason }) => {
    const { onProgress: _, ...quiet } = more;
    const requireNotNewer = requireUpToHead(fleet, from, quiet, onReason);
    const reach = async (named: number | undefined) => {
      const to = named!; // a server named it
      requireAhead(from, to);
      await requireNotNewer(to);
      let proofs: readonly Uint8Array[] = [];
      const onProgress = async (progress: SyncProgress) => {
        proofs = withAnswer(proofs, progress.answer);
        try {
          await more.onProgress?.(progress);
        } catch (cause) {
          throw callbackFailed('onProgress', cause); // not the fault of the server that is asked
        }
      };
      const head = await reachHead({ fleet, from, options: { ...more, to, onProgress }, onReason });
      return { ...head, proofs };
    };
    const found = await firstThatProves(fleet, fleet.usable(), 'a transaction', more.signal, async (one, asking) => {
      const { led, input, fact, answers } = judged(await askFact(one, question, reach, undefined, asking));
      const beside =
        wallet && judged(await askFact(one, { kind: 'account', account: wallet }, async () => led, undefined, asking));
      const facts = beside === undefined ? [input] : [input, beside.input];
      const certificate = buildCertificate({ checkpoint: from, proofs: led.proofs, facts });
      return { led, fact, beside, certificate, answers: [...answers, ...(beside?.answers ?? [])] };
    });
    if (found === undefined) throw noAgreement('no lite server proves a transaction', fleet.statements());
    const { certificate, fact, beside, led } = found;
    return Object.freeze({
      certificate,
      fact: fact as TransactionFact,
      ...present({ wallet: beside?.fact as AccountFact | NoAccount | undefined }), // of the kind that was asked for
      ...reached(led.result),
    });
  });
}
