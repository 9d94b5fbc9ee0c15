/**
 * How long proofs below a block and certificates take, in random order each round; one thread. It asserts nothing.
 * `node build/bench/inclusion.js [--rounds N] [--save NAME]`
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { certificateToBoc, parseCertificate, partsOf } from '../src/core/certificate/parse.ts';
import { verifyCertificate } from '../src/core/certificate/verify.ts';
import { readNamed, signatureListOf, sourceFrom } from '../src/core/certificate/walk-steps.ts';
import { MAINNET } from '../src/core/chain/anchors.ts';
import { fastestSyncEngine } from '../src/core/ed25519/choose.ts';
import { verifyAccount } from '../src/core/facts/account-state.ts';
import { verifyBlockTransactions } from '../src/core/facts/block-list.ts';
import { assumeFinal } from '../src/core/facts/proven-block.ts';
import { verifyShardTop } from '../src/core/facts/shard-top.ts';
import { verifyTransaction } from '../src/core/facts/transaction.ts';
import { signedMessage } from '../src/core/message/signed-message.ts';
import { mainnetCertificate, transactionCertificate } from '../test/helpers/certificates.ts';
import { accountOf, blockId, bytesOf, caseNamed } from '../test/helpers/inclusion.ts';
import { makeLargeBlock } from '../test/helpers/large-block.ts';
import { ROOT } from '../test/helpers/vectors.ts';
import { compare } from './harness.ts';

const jetton = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
const transaction = { proof: bytesOf(jetton, 'proof'), transaction: bytesOf(jetton, 'transaction') };
const request = { account: accountOf(jetton.request!.account!), lt: BigInt(jetton.request!.lt!) };
const jettonBlock = assumeFinal(blockId(jetton.trusted));

const account = caseNamed('account-state/mainnet-2026-07-basechain');
const holder = accountOf(account.account!);
const state = { proof: bytesOf(account, 'proof'), state: bytesOf(account, 'state') };
const trusted = assumeFinal(blockId(account.trusted));
const accountBlock = verifyShardTop({ shardProof: bytesOf(account, 'shardProof') }, trusted, holder);

const { proof: listed, block: listBlock, count } = makeLargeBlock(500_000);
const list = { proof: listed };

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
  const message = signedMessage(signatureListOf(part!, block, validators));
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

const known = transactionCertificate();
const CERTIFICATE = 'certificate, three key blocks';
const SIGNATURES = 'its signature checks alone';
const TASKS: readonly (readonly [name: string, runs: number, run: () => unknown])[] = [
  [SIGNATURES, 2, signaturesAlone],
  [CERTIFICATE, 2, () => verifyCertificate(parseCertificate(certificate), { anchor: MAINNET.initBlock })],
  ['transaction proof', 20, () => verifyTransaction(transaction, jettonBlock, request)],
  ['account state, 2.4 kB', 20, () => verifyAccount(state, accountBlock, holder)],
  [`list of a block of ${Math.round(listed.length / 1000)} kB`, 1, () => verifyBlockTransactions(list, listBlock)],
];

const { values } = parseArgs({ options: { save: { type: 'string' }, rounds: { type: 'string', default: '31' } } });
const timings = await compare(
  TASKS.map(([name, , run]) => ({ name, run })),
  {
    rounds: Number(values.rounds),
    warmUpRounds: 8,
    unitsPerRound: (task) => TASKS.find(([name]) => name === task)![1],
  },
);
for (const { name, medianMs, p10Ms, p90Ms } of timings) {
  const [low, middle, high] = [p10Ms, medianMs, p90Ms].map((ms) => ms.toFixed(2));
  console.log(`${name.padEnd(32)} median ${middle} ms, ${low} to ${high}`);
}
const { ratio } = timings.find(({ name }) => name === CERTIFICATE)!;
console.log(`certificate over its signature checks, median of the rounds: ${ratio.toFixed(3)}`);
const sizes = { certificateBytes: certificate.length, keyBlocks: 3, transactionCertificateBytes: known.length };
console.log(`certificate: ${certificate.length} bytes, ${Math.round(certificate.length / 3)} a key block`);
console.log(`transaction under a known key block: ${known.length} bytes`);
if (values.save !== undefined) {
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
  const results = { schema: 'ton-finality/bench-inclusion@1', machine, listTransactions: count, ratio, sizes, timings };
  const path = join(ROOT, 'bench', 'results', `${values.save}.json`);
  writeFileSync(path, `${JSON.stringify(results, null, 1)}\n`);
}
