import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveTo } from '../../../src/app/cli/output/save-answers.ts';

/** Frees what nothing holds. Nothing that this turn of the loop has looked at is freed in it. */
async function collectGarbage(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-expose-gc');
}

describe('saved answers', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'saved-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are on disk only: a long run has more of them than memory holds', async () => {
    const bodies: WeakRef<Uint8Array>[] = [];
    const body = () => {
      const bytes = new Uint8Array(8);
      bodies.push(new WeakRef(bytes));
      return bytes;
    };
    const saved = saveTo(folder);
    for (let n = 0; n < 20; n++) {
      saved.keep({
        operation: 'getBlockProof',
        source: 'lite://192.0.2.1:4924/key',
        request: new Uint8Array(1),
        answer: body(),
      });
      saved.keep({
        operation: 'getMasterchainBlockSignatures',
        source: 'https://example.com/api/v2',
        status: 200,
        query: { seqno: String(n) },
        body: body(),
      });
    }
    expect(readdirSync(folder)).toHaveLength(40);
    expect(saved.summary()).toMatch(/^saved 40 answers to /);
    await collectGarbage();
    const held = bodies.filter((one) => one.deref() !== undefined);
    expect(bodies).toHaveLength(40);
    expect(held.length).toBeLessThan(2); // the last one may still be on the stack
  });

  it('get their folder and those above it', () => {
    saveTo(join(folder, 'a', 'b'));
    expect(readdirSync(join(folder, 'a'))).toEqual(['b']);
  });

  it.runIf(process.platform === 'linux')('do not wait for ever for a folder that cannot be made', () => {
    expect(() => saveTo('/proc/ton-finality')).toThrow(/^--save: cannot be written \(E[A-Z]+\)$/);
  });
});
