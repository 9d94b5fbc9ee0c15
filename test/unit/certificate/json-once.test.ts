/** The JSON of a certificate is judged once: what it says of itself is compared with what the reader's judgement found. */
import type { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { verifyCertificateCommand } from '../../../src/app/cli/commands/verify-certificate.ts';
import { certificateToJson, parseCertificateJson, verifyCertificateJson } from '../../../src/core/certificate/json.ts';
import { type Certificate, certificateToBoc, partsOf } from '../../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { parsePartialBlockProof } from '../../../src/core/chain/block-proof.ts';
import { type Checkpoint, checkpointFromKeyBlock, checkpointToJson } from '../../../src/core/chain/checkpoint.ts';
import { liveCertificate, liveZerostate, mainnetCertificate, mainnetInput } from '../../helpers/certificates.ts';

/**
 * OpenSSL counts the signatures that it is asked for, from before the library takes it. They are the same ones again and again: each is
 * checked once.
 */
const counted = vi.hoisted(() => {
  const counts = { checks: 0 };
  const known = new Map<string, boolean>();
  const crypto = process.getBuiltinModule('node:crypto');
  const { verify } = crypto;
  crypto.verify = ((...asked: Parameters<typeof verify>) => {
    const [, message, key, signature] = asked as unknown as [null, Uint8Array, KeyObject, Uint8Array]; // as the library asks
    counts.checks++;
    const words = [key.export({ format: 'jwk' }).x, signature, message]
      .map((one) => Buffer.from(one as string).toString('latin1'))
      .join(':');
    const verdict = known.get(words) ?? verify(null, message, key, signature);
    known.set(words, verdict);
    return verdict;
  }) as typeof verify;
  return counts;
});

const checksOf = <T>(run: () => T): readonly [T, number] => {
  counted.checks = 0;
  return [run(), counted.checks];
};

const [live, mainnet] = [liveCertificate(), mainnetCertificate()];
const entriesOf = (certificate: Certificate) => {
  const { steps, last } = partsOf(certificate).parts;
  return [...steps, last].reduce((sum, { signed }) => sum + (signed?.signatures.length ?? 0), 0);
};

/** The second of its key blocks. */
function middle(): Checkpoint {
  const [tl] = mainnetInput().proofs as readonly Uint8Array[];
  const [, link] = parsePartialBlockProof(tl!).links;
  if (link?.kind !== 'forward') throw new Error('expected a forward link');
  return checkpointFromKeyBlock(link.configProof, link.from);
}

const READERS = [
  ['nobody', mainnet, {}],
  ['its anchor', mainnet, { anchor: partsOf(mainnet).parts.anchor }],
  ['the checkpoint it starts from', mainnet, { checkpoint: mainnetInput().checkpoint }],
  ['a checkpoint in its middle', mainnet, { checkpoint: middle() }],
  ['a clock long after it', mainnet, { anchor: partsOf(mainnet).parts.anchor, nowSeconds: 4_000_000_000 }],
  ['a zerostate, with facts of every kind', live, { checkpoint: liveZerostate() }],
] as const;

describe('the JSON of a certificate', () => {
  it.each(READERS)(
    'for a reader who trusts %s takes the checks of its bytes, and says the same',
    (_, certificate, opts) => {
      const json = JSON.parse(JSON.stringify(certificateToJson(certificate)));
      const [report, least] = checksOf(() => verifyCertificate(certificate, opts));
      const [found, checks] = checksOf(() => verifyCertificateJson(json, opts));
      expect(found).toEqual(report);
      expect(checks).toBe(least);
      expect(checks).toBeGreaterThan(0);
      expect(checks).toBeLessThanOrEqual(entriesOf(certificate));
    },
  );

  it.each(READERS)('that says something else is refused by a reader who trusts %s', (_, certificate, opts) => {
    const json = certificateToJson(certificate) as { claims: { keyBlocks: number[] } };
    const { claims } = json;
    for (const change of [{ keyBlocks: claims.keyBlocks.slice(1) }, { genUtime: 1 }, { facts: [{}] }, { more: 1 }]) {
      const changed = { ...json, claims: { ...claims, ...change } };
      const error = expect.objectContaining({ code: 'cert/claim', path: 'claims' });
      expect(() => verifyCertificateJson(changed, opts)).toThrow(error);
      expect(() => parseCertificateJson(changed)).toThrow(error);
    }
  });
});

describe('the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, data: string | Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, data);
    return path;
  };
  const run = async (path: string, more: readonly string[]) => {
    counted.checks = 0;
    const said = vi.spyOn(process.stdout, 'write').mockImplementation((_text, done) => {
      (done as unknown as () => void)();
      return true;
    });
    try {
      const words = ['--certificate', path, ...more, '--json'];
      const code = await verifyCertificateCommand.main({
        name: 'verify --certificate',
        words,
        all: words,
        commands: [],
      });
      return { code, said: said.mock.calls.map(([text]) => text), checks: counted.checks };
    } finally {
      said.mockRestore();
    }
  };

  it('checks no more signatures than a certificate has, in JSON as in bytes', async () => {
    const checkpoint = file('checkpoint.json', JSON.stringify(checkpointToJson(mainnetInput().checkpoint)));
    const json = file('a.json', JSON.stringify(certificateToJson(mainnet)));
    const bytes = file('a.fin.boc', certificateToBoc(mainnet));
    for (const trust of [['--checkpoint', checkpoint], []]) {
      const found = await run(json, trust);
      expect(found).toEqual(await run(bytes, trust));
      expect(found.checks).toBeGreaterThan(0);
      expect(found.checks).toBeLessThanOrEqual(entriesOf(mainnet));
    }
  });
});
