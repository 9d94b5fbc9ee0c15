/**
 * Damages recorded proofs and certificates by one bit and looks that nothing comes out but an error or the same fact. Used
 * by `npm test` for a slice, and by `test/slow/fuzz-inclusion.ts` for the long run.
 */

import { FinalityError } from '../../src/core/base/errors.ts';
import { buildCertificate } from '../../src/core/certificate/build.ts';
import { certificateToBoc, parseCertificate } from '../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import type { CertificateOptions } from '../../src/core/certificate/walk-steps.ts';
import { MAINNET } from '../../src/core/chain/anchors.ts';
import { verifyAccount } from '../../src/core/facts/account-state.ts';
import { verifyBlockTransactions } from '../../src/core/facts/block-list.ts';
import { verifyConfig } from '../../src/core/facts/config-param.ts';
import { messagesOf } from '../../src/core/facts/messages.ts';
import { assumeFinal } from '../../src/core/facts/proven-block.ts';
import { verifyShardTop } from '../../src/core/facts/shard-top.ts';
import { type Fact, factToJson, messageToJson } from '../../src/core/facts/to-json.ts';
import { verifyTransaction } from '../../src/core/facts/transaction.ts';
import { parseLiteAnswer } from '../../src/net/lite-api/read-answers.ts';
import { seededRandom } from './cells.ts';
import { liveFacts, liveInput, liveZerostate, mainnetCertificate } from './certificates.ts';
import { accountOf, blockId, bytesOf, caseNamed, LIVE, liveAnswer, liveBytes } from './inclusion.ts';

interface Target {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What comes out, as text; two different texts are two different facts. */
  readonly read: (bytes: Uint8Array) => string;
  readonly share: number;
}

const text = (fact: Fact): string => JSON.stringify(factToJson(fact));

function transactionText(proof: Uint8Array, transaction: Uint8Array, entry: ReturnType<typeof caseNamed>): string {
  const request = { account: accountOf(entry.request!.account!), lt: BigInt(entry.request!.lt!) };
  const fact = verifyTransaction({ proof, transaction }, assumeFinal(blockId(entry.trusted)), request);
  return text(fact) + (fact.found ? JSON.stringify(messagesOf(fact).map(messageToJson)) : '');
}

/**
 * What is there can be changed into nothing else by a bit. What is absent can: the question stands in the certificate, and
 * a proof that one key is absent often proves the same of its neighbours. That is true, too, and a test of its own.
 */
const present = () => liveFacts().filter((_, k) => k < 7 || k === 8 || k === 11);

/** @param long also what takes long to read */
export function makeInclusionTargets(long = false): readonly Target[] {
  const jetton = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
  const [proof, transaction] = [bytesOf(jetton, 'proof'), bytesOf(jetton, 'transaction')];
  const account = caseNamed('account-state/mainnet-2025-06-48996195');
  const [shardProof, stateProof, state] = ['shardProof', 'proof', 'state'].map((name) => bytesOf(account, name));
  const holder = accountOf(account.account!);
  const masterchain = assumeFinal(blockId(account.trusted));
  const accountText = (parts: object) =>
    text(verifyAccount({ shardProof: shardProof!, proof: stateProof!, state: state!, ...parts }, masterchain, holder));
  const live = assumeFinal(LIVE.block);
  const absent = accountOf(liveAnswer('account-absent-basechain.tl').account!);
  const certificateText = (trust: CertificateOptions) => (bytes: Uint8Array) => {
    const report = verifyCertificate(parseCertificate(bytes), trust);
    return JSON.stringify([report.verdict, report.block, report.facts], (_, value: unknown) =>
      typeof value === 'bigint'
        ? String(value)
        : value instanceof Uint8Array
          ? value.join()
          : (value as object)?.constructor?.name === 'Cell'
            ? null
            : value,
    );
  };
  const targets: readonly Target[] = [
    { name: 'transaction proof', bytes: proof, read: (bytes) => transactionText(bytes, transaction, jetton), share: 3 },
    { name: 'transaction', bytes: transaction, read: (bytes) => transactionText(proof, bytes, jetton), share: 2 },
    { name: 'shard proof', bytes: shardProof!, read: (bytes) => accountText({ shardProof: bytes }), share: 2 },
    { name: 'state proof', bytes: stateProof!, read: (bytes) => accountText({ proof: bytes }), share: 3 },
    { name: 'account', bytes: state!, read: (bytes) => accountText({ state: bytes }), share: 1 },
    {
      name: 'absent account',
      bytes: liveBytes('account-absent-basechain.tl'),
      read: (bytes) => text(verifyAccount(parseLiteAnswer(bytes, 'account-state'), live, absent)),
      share: 3,
    },
    {
      name: 'shards',
      bytes: liveBytes('all-shards.tl'),
      read: (bytes) => JSON.stringify(verifyShardTop(parseLiteAnswer(bytes, 'all-shards'), live, absent).id.seqno),
      share: 1,
    },
    {
      name: 'block list',
      bytes: liveBytes('list-transactions.tl'),
      read: (bytes) => text(verifyBlockTransactions(parseLiteAnswer(bytes, 'block-transactions'), live)),
      share: 2,
    },
    {
      name: 'config',
      bytes: liveBytes('config-from-state.tl'),
      read: (bytes) => text(verifyConfig(parseLiteAnswer(bytes, 'config'), live, 34)),
      share: 1,
    },
    {
      name: 'certificate with facts',
      bytes: certificateToBoc(buildCertificate(liveInput(present()))),
      read: certificateText({ anchor: LIVE.zerostate }),
      share: 2,
    },
    {
      name: 'certificate by its checkpoint',
      bytes: certificateToBoc(buildCertificate(liveInput(present()))),
      read: certificateText({ checkpoint: liveZerostate() }),
      share: 1,
    },
    {
      name: 'mainnet certificate',
      bytes: long ? certificateToBoc(mainnetCertificate()) : new Uint8Array(0),
      read: certificateText({ anchor: MAINNET.initBlock }),
      share: long ? 1 : 0,
    },
  ];
  return targets.filter(({ share }) => share > 0);
}

export interface FuzzResult {
  readonly cases: number;
  readonly accepted: number;
  readonly refused: ReadonlyMap<string, number>;
  /** Another fact, or an error that is none of ours. */
  readonly failures: readonly string[];
}

export function fuzzInclusion(cases: number, seed: number, targets = makeInclusionTargets()): FuzzResult {
  const random = seededRandom(seed);
  const bag = targets.flatMap((target) => Array.from({ length: target.share }, () => target));
  const expected = new Map(targets.map((target) => [target, target.read(target.bytes)]));
  const refused = new Map<string, number>();
  const failures: string[] = [];
  let accepted = 0;
  for (let k = 0; k < cases; k++) {
    const target = bag[Math.floor(random() * bag.length)]!;
    const bit = Math.floor(random() * target.bytes.length * 8);
    const bytes = Uint8Array.from(target.bytes);
    bytes[bit >> 3]! ^= 0x80 >> (bit & 7);
    try {
      if (target.read(bytes) === expected.get(target)) accepted++;
      else failures.push(`${target.name}, bit ${bit}: another fact`);
    } catch (error) {
      if (!(error instanceof FinalityError)) failures.push(`${target.name}, bit ${bit}: ${String(error)}`);
      else refused.set(error.code, (refused.get(error.code) ?? 0) + 1);
    }
  }
  return { cases, accepted, refused, failures };
}
