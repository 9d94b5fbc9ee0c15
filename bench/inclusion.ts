/**
 * How long proofs below a block and certificates take, the parts of each round one after the other; one thread.
 * `node build/bench/inclusion.js`
 */
import { certificateToBoc, parseCertificate, partsOf } from '../src/certificate/parse.ts';
import { readNamed, signatureSetOf, sourceFrom, verifyCertificate } from '../src/certificate/verify.ts';
import { MAINNET_INIT_BLOCK } from '../src/chain/anchors.ts';
import { fastestSyncEngine } from '../src/ed25519/choose.ts';
import { verifyAccountState } from '../src/inclusion/account-state.ts';
import { verifyBlockTransactions } from '../src/inclusion/block-list.ts';
import { assumeFinal } from '../src/inclusion/proven-block.ts';
import { shardTop } from '../src/inclusion/shard-top.ts';
import { verifyTransaction } from '../src/inclusion/transaction.ts';
import { signedMessage } from '../src/message/signed-message.ts';
import { mainnetCertificate } from '../test/helpers/certificates.ts';
import { accountOf, blockId, bytesOf, caseNamed } from '../test/helpers/inclusion.ts';

const ROUNDS = 15;

const jetton = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
const transaction = { proof: bytesOf(jetton, 'proof'), transaction: bytesOf(jetton, 'transaction') };
const request = { account: accountOf(jetton.request!.account!), lt: BigInt(jetton.request!.lt!) };
const jettonBlock = assumeFinal(blockId(jetton.trusted));

const account = caseNamed('account-state/mainnet-2026-07-basechain');
const holder = accountOf(account.account!);
const state = { proof: bytesOf(account, 'proof'), state: bytesOf(account, 'state') };
const trusted = assumeFinal(blockId(account.trusted));
const accountBlock = shardTop({ shardProof: bytesOf(account, 'shardProof') }, trusted, holder);

const whole = caseNamed('whole-blocks/mainnet-2026-07-81372691');
const list = { proof: bytesOf(whole, 'shardBlock') };
const listBlock = assumeFinal(blockId(whole.shardBlock!));

const certificate = certificateToBoc(mainnetCertificate());

const parsed = parseCertificate(certificate);
const { parts } = partsOf(parsed);

/** The signatures of each block of the certificate, with the keys of the set before it and the message. */
const signed = [...parts.steps.slice(1), parts.last].map(({ proof, signed: part }, k) => {
  const before = parts.steps[k]!;
  const fileHash = before.signed?.fileHash ?? parts.anchor.fileHash;
  const { id } = readNamed(before.proof.ref(0), fileHash, 'step');
  const { validators } = sourceFrom(before.proof.ref(0), id, parts.anchor, 'step', 'if-shown');
  const block = readNamed(proof.ref(0), part!.fileHash, 'block').id;
  const keys = validators.validators.map(({ publicKey }) => publicKey);
  const message = signedMessage(signatureSetOf(part!, block, validators));
  return { keys, message, entries: part!.signatures };
});

/** Nothing but the checks, under keys that are opened for them. */
function signaturesAlone(): void {
  for (const { keys, message, entries } of signed) {
    const ring = fastestSyncEngine().open(keys);
    const places = entries.map(({ index }) => index);
    const valid = ring.verify(
      message,
      places,
      entries.map(({ signature }) => signature),
    );
    if (valid.some((one) => !one)) throw new Error('a signature that does not hold');
    ring.close();
  }
}

const TASKS: readonly (readonly [name: string, runs: number, run: () => unknown])[] = [
  ['transaction proof', 50, () => verifyTransaction(transaction, jettonBlock, request)],
  ['account state, 2.4 kB', 50, () => verifyAccountState(state, accountBlock, holder)],
  [`list of a block of ${Math.round(list.proof.length / 1000)} kB`, 5, () => verifyBlockTransactions(list, listBlock)],
  [
    'certificate, three key blocks',
    3,
    () => verifyCertificate(parseCertificate(certificate), { anchor: MAINNET_INIT_BLOCK }),
  ],
  ['its signature checks alone', 3, signaturesAlone],
];

const times = TASKS.map(() => [] as number[]);
for (let round = 0; round < ROUNDS; round++) {
  for (const [k, [, runs, run]] of TASKS.entries()) {
    const started = performance.now();
    for (let n = 0; n < runs; n++) run();
    times[k]!.push((performance.now() - started) / runs);
  }
}
for (const [k, [name]] of TASKS.entries()) {
  const sorted = times[k]!.sort((a, b) => a - b);
  const [low, middle, high] = [sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!].map((ms) => ms.toFixed(2));
  console.log(`${name.padEnd(32)} median ${middle} ms, ${low} to ${high}`);
}
console.log(`certificate: ${certificate.length} bytes, ${Math.round(certificate.length / 3)} a key block`);
