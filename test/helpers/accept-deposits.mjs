/**
 * Accepts deposits as the far side of a bridge does: by the built package, with certificates and a pinned checkpoint from files, and
 * nothing else. Certificates in hex and terms come over stdin; a line of JSON says what became of each.
 */
import { text } from 'node:stream/consumers';
import { acceptDeposit, parseCertificate, verifyCertificate } from 'ton-finality/facts';
import { readCheckpoint } from 'ton-finality/node';

const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
const account = ({ workchain, address }) => ({ workchain, address: bytes(address) });

const { checkpointFile, certificates, vault, asset, nowSeconds } = JSON.parse(await text(process.stdin));
const checkpoint = readCheckpoint(checkpointFile);
const terms = {
  network: { globalId: checkpoint.globalId, zerostate: checkpoint.anchor },
  checkpoint,
  nowSeconds,
  vault: account(vault),
  asset:
    asset === 'TON'
      ? 'TON'
      : {
          master: account(asset.master),
          wallet: account(asset.wallet),
          walletCodeHashes: asset.walletCodeHashes.map(bytes),
        },
  atLeast: 1n,
  since: 1n,
  payload: (comment) => new TextDecoder().decode(comment),
};
for (const certificate of certificates) {
  try {
    const report = verifyCertificate(parseCertificate(bytes(certificate)), { checkpoint });
    const { key, amount, recipient } = acceptDeposit(report, terms);
    console.log(JSON.stringify({ key: Buffer.from(key).toString('hex'), amount: String(amount), recipient }));
  } catch (error) {
    console.log(JSON.stringify({ code: error.code ?? String(error) }));
  }
}
