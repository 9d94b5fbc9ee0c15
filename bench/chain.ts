/**
 * The chain of trust: parsing and hashing bags of cells against `Cell.fromBoc` of @ton/core, and the recorded three-link
 * answer against the bare signature checks in it. Prints two tables; `--quick` runs fewer rounds.
 */
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Cell as CoreCell } from '@ton/core';
import { MAINNET, verifyBlockProof } from '../src/chain.ts';
import { encodeHex } from '../src/core/base/bytes.ts';
import { parseSingleRoot } from '../src/core/cells/boc.ts';
import { parsePartialBlockProof } from '../src/core/chain/block-proof.ts';
import { opensslEngine } from '../src/core/ed25519/openssl.ts';
import { signedMessage } from '../src/core/message/signed-message.ts';
import { nodeIdShort } from '../src/core/validators/node-id-short.ts';
import { ROOT } from '../test/helpers/vectors.ts';
import { compare, type Timing } from './harness.ts';

const real = (path: string) => new Uint8Array(readFileSync(join(ROOT, 'vectors/real', path)));

/** Files of three sizes: the time should grow with the bytes and the ratio stay. */
export const BOC_FILES = [
  'mainnet-genesis/block-1/block.boc',
  'testnet-2025-02/block-27683262/block.boc',
  'mainnet-2025-04/block-46897112/config-proof.boc',
  'mainnet-2024-06/key-block-38616744.boc',
] as const;

/** Ours is the baseline: the ratio of the other row says how many times longer @ton/core takes. */
export async function bocTimings(file: string, rounds: number): Promise<Timing[]> {
  const boc = real(file);
  const buffer = Buffer.from(boc);
  const ours = () => parseSingleRoot(boc).hash();
  const core = () => CoreCell.fromBoc(buffer)[0]!.hash();
  if (encodeHex(ours()) !== core().toString('hex')) throw new Error('a candidate answers wrongly');
  return compare(
    [
      { name: 'parse and hash, strict reader', run: ours },
      { name: 'Cell.fromBoc(...)[0].hash() of @ton/core', run: core },
    ],
    { rounds, unitsPerRound: (name) => (boc.length < 50_000 && name.includes('strict') ? 8 : 1) },
  );
}

/** The bare checks are the baseline: keys prepared, messages built, nothing but `crypto.verify`. */
export async function walkTimings(rounds: number): Promise<Timing[]> {
  const answer = real('mainnet-2025-04/partial-block-proof.tl');
  const checks = parsePartialBlockProof(answer).links.flatMap((link) => {
    if (link.kind !== 'forward') throw new Error('the recorded links all lead forward');
    const { list } = link.signatures;
    const recorded = `vectors/real/mainnet-2025-04/block-${list.blockId.seqno}`;
    // Our own files, whose shape their README tells.
    const { validators } = JSON.parse(readFileSync(join(ROOT, recorded, 'validators.json'), 'utf8')) as {
      validators: { public_key: string }[];
    };
    const keys = new Map(
      validators.map(({ public_key }) => {
        const raw = Buffer.from(public_key, 'hex');
        const key = createPublicKey({
          key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
          format: 'jwk',
        });
        return [encodeHex(nodeIdShort(raw)), key];
      }),
    );
    const message = signedMessage(list);
    return list.signatures.map(({ nodeIdShort: id, signature }) => ({
      message,
      key: keys.get(encodeHex(id))!,
      signature,
    }));
  });
  const bare = () => checks.every(({ message, key, signature }) => verify(null, message, key, signature));
  const walk = () => verifyBlockProof(answer, MAINNET.initBlock, { engine: opensslEngine }).tip.seqno === 46_920_655;
  if (checks.length !== 279 || !bare() || !walk()) throw new Error('a candidate answers wrongly');
  return compare(
    [
      { name: `${checks.length} bare crypto.verify calls`, run: bare },
      { name: 'verifyBlockProof, three links, OpenSSL engine', run: walk },
    ],
    { rounds },
  );
}

function print(title: string, timings: readonly Timing[]): void {
  console.log(title);
  for (const { name, medianMs, p10Ms, p90Ms, ratio } of timings) {
    const range = `${p10Ms.toFixed(2)} to ${p90Ms.toFixed(2)}`;
    console.log(`  ${name.padEnd(46)} ${medianMs.toFixed(2).padStart(8)} ms  (${range})  x ${ratio.toFixed(2)}`);
  }
}

async function main(): Promise<void> {
  const rounds = process.argv.includes('--quick') ? 7 : 41;
  for (const file of BOC_FILES) print(`${file}, ${real(file).length} bytes`, await bocTimings(file, rounds));
  print('mainnet 46894135 to 46920655', await walkTimings(rounds));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
