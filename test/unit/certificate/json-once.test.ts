/** The JSON of a certificate is judged once: what it says of itself is compared with what the reader's judgement found. */
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
import type { Ed25519Engine } from '../../../src/core/ed25519/engine.ts';
import { liveCertificate, liveZerostate, mainnetCertificate, mainnetInput } from '../../helpers/certificates.ts';

const counted = vi.hoisted(() => ({ checks: 0 }));

/** The engine that the command takes counts the signatures that it is asked for. They are the same ones again and again. */
vi.mock('../../../src/core/ed25519/choose.ts', async (original) => {
  const real = await original<typeof import('../../../src/core/ed25519/choose.ts')>();
  const { rememberingEngine } = await import('../../helpers/remembering-engine.ts');
  const inner = rememberingEngine();
  const engine: Ed25519Engine = {
    ...inner,
    open(keys) {
      const ring = inner.open(keys);
      return {
        verify(message, indexes, signatures) {
          counted.checks += indexes.length;
          return ring.verify(message, indexes, signatures);
        },
        close: () => ring.close(),
      };
    },
  };
  return { ...real, fastestSyncEngine: () => engine };
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
      const code = await verifyCertificateCommand.main({ words, all: words, commands: [] });
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
