import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveTo } from '../../../src/app/cli/output/save-answers.ts';

describe('saved answers', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'saved-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are on disk only: a long run has more of them than memory holds', async () => {
    class Body extends Uint8Array {}
    const saved = await saveTo(folder);
    for (let n = 0; n < 20; n++) {
      saved.keep({
        operation: 'getBlockProof',
        source: 'lite://192.0.2.1:4924/key',
        request: new Uint8Array(1),
        answer: new Body(8),
      });
      saved.keep({
        operation: 'getMasterchainBlockSignatures',
        source: 'https://example.com/api/v2',
        status: 200,
        query: { seqno: String(n) },
        body: new Body(8),
      });
    }
    expect(readdirSync(folder)).toHaveLength(40);
    expect(saved.summary()).toMatch(/^saved 40 answers to /);
    expect(queryObjects(Body, { format: 'count' })).toBeLessThan(2); // the last one may still be on the stack
  });
});
