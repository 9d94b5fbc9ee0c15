/** Every single bit of a checkpoint and of each kind of proof, changed. */
import { describe, expect, it } from 'vitest';
import {
  checkpointFromKeyBlock,
  checkpointToJson,
  parseCheckpoint,
  verifyBlockProof,
  verifyStoredProof,
} from '../../../src/chain.ts';
import { FinalityError } from '../../../src/core/base/errors.ts';
import { CoreCell } from '../../helpers/cells.ts';
import {
  blockSignaturesCell,
  committee,
  configCell,
  configProof,
  honestLink,
  makeBlock,
  signBlock,
  storedProof,
  tlForward,
  tlProof,
} from '../../helpers/make-chain.ts';
import { rememberingEngine } from '../../helpers/remembering-engine.ts';
import { isFull, share } from '../../helpers/share.ts';

/** Every eleventh bit falls in each place of a byte. */
const STEP = share(11, 1);

const a = committee('a');
const key100 = makeBlock({
  seqno: 100,
  signedBy: committee('c'),
  prevKeyBlockSeqno: 50,
  config: configCell({ elected: a }),
});
const block150 = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100 });
const start = checkpointFromKeyBlock(key100.boc, key100.id);
const engine = rememberingEngine();

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof FinalityError) return error.code;
    throw error;
  }
  throw new Error('expected an error, got none');
}

describe('a checkpoint', () => {
  const text = JSON.stringify(checkpointToJson(start));

  it('edited by any one bit is refused, or is no JSON any more', () => {
    const bytes = new TextEncoder().encode(text);
    const outcomes = new Map<string, number>();
    for (let bit = 0; bit < bytes.length * 8; bit += STEP) {
      const edited = Uint8Array.from(bytes);
      edited[bit >> 3]! ^= 1 << (bit & 7);
      let json: unknown;
      try {
        json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(edited));
      } catch {
        continue;
      }
      // Hex in the other case spells the same bytes: the only edit that changes nothing.
      if (JSON.stringify(lowerHex(json)) === text) {
        expect(parseCheckpoint(json)).toEqual(start);
        continue;
      }
      const code = codeOf(() => parseCheckpoint(json));
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
    }
    expect([...outcomes.keys()].every((code) => /^(trust|decode)\//.test(code))).toBe(true);
    expect(outcomes.get('trust/checkpoint')).toBeGreaterThan(1000 / STEP);
  });
  const lowerHex = (json: unknown) =>
    JSON.parse(JSON.stringify(json), (key, value) =>
      ['rootHash', 'fileHash'].includes(key) ? String(value).toLowerCase() : value,
    );
});

describe('one changed bit in a proof gives an error or the same result, never another accepted one', () => {
  const flips = (bytes: Uint8Array, from: number, check: (changed: Uint8Array) => unknown, expected: unknown) => {
    let same = 0;
    for (let bit = from; bit < bytes.length * 8; bit += STEP) {
      const changed = Uint8Array.from(bytes);
      changed[bit >> 3]! ^= 0x80 >> (bit & 7);
      let result: unknown;
      try {
        result = check(changed);
      } catch (error) {
        if (!(error instanceof FinalityError)) throw error;
        continue;
      }
      expect(result, `bit ${bit}`).toEqual(expected);
      same++;
    }
    return same;
  };

  it('in a proof answer, with the proofs in it', () => {
    const tl = tlProof(key100.id, block150.id, [tlForward(honestLink(key100, block150))]);
    const check = (bytes: Uint8Array) => {
      const { tip, checkpoint, reports } = verifyBlockProof(bytes, key100.id, { engine });
      return {
        tip,
        keyBlock: checkpoint.keyBlock,
        config: checkpoint.config,
        proof: checkpoint.configProof,
        final: reports[0]!.verdict,
      };
    };
    expect(flips(tl, 0, check, check(tl))).toBe(0);
  });

  it('in a config proof without a checksum', () => {
    const root = CoreCell.fromBoc(Buffer.from(configProof(key100)))[0]!;
    const proof = Uint8Array.from(root.toBoc({ idx: false, crc32: false }));
    expect(flips(proof, 0, (bytes) => checkpointFromKeyBlock(bytes, key100.id), start)).toBe(0);
  });

  it('in a stored proof without a checksum', () => {
    const stored = storedProof(block150, blockSignaturesCell(block150, signBlock(block150, a, 'simplex'), 40n));
    const proof = Uint8Array.from(CoreCell.fromBoc(Buffer.from(stored))[0]!.toBoc({ idx: false, crc32: false }));
    const check = (bytes: Uint8Array) => verifyStoredProof(bytes, start, { engine }).coverage;
    // An empty label can be spelled 00 or 10: one bit for each of the four signatures, and no other.
    const same = flips(proof, 0, check, check(proof));
    if (isFull) expect(same).toBe(4);
    else expect(same).toBeLessThanOrEqual(4);
  });
});
