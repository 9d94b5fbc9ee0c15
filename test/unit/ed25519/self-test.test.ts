import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { referenceEngine } from '../../../src/core/ed25519/reference.ts';
import { firstSelfTestFailure, selfTestCases } from '../../../src/core/ed25519/self-test.ts';
import { readEd25519Vectors } from '../../helpers/vectors.ts';

const cases = selfTestCases();

describe('the self-test', () => {
  it('holds twelve cases of the vectors, unchanged', () => {
    const vectors = new Map(
      [...readEd25519Vectors('speccheck'), ...readEd25519Vectors('cctv')].map((v) => [v.name, v]),
    );
    expect(cases).toHaveLength(12);
    for (const { name, publicKey, message, signature, expected } of cases) {
      expect(vectors.get(name)).toMatchObject({
        public_key: encodeHex(publicKey),
        message: encodeHex(message),
        signature: encodeHex(signature),
        openssl: expected,
      });
    }
  });

  it('passes the reference engine', () => {
    expect(firstSelfTestFailure(referenceEngine.open)).toBeUndefined();
  });

  it.each([true, false])('fails an engine that always says %s', (answer) => {
    const open = () => ({ verify: () => [answer], close() {} });
    expect(firstSelfTestFailure(open)?.expected).toBe(!answer);
  });

  it('fails an engine that throws or answers nothing', () => {
    const throwing = () => {
      throw new Error('broken');
    };
    expect(firstSelfTestFailure(throwing)).toBeDefined();
    expect(firstSelfTestFailure(() => ({ verify: () => [], close() {} }))).toBeDefined();
  });

  it.each(cases.map(({ name }) => name))('notices an engine that is wrong about %s alone', (name) => {
    const wrong = cases.find((c) => c.name === name)!;
    const open = (keys: readonly Uint8Array[]) => {
      const ring = referenceEngine.open(keys);
      return {
        verify: (m: Uint8Array, k: readonly number[], s: readonly Uint8Array[]) =>
          ring
            .verify(m, k, s)
            .map((answer) =>
              encodeHex(s[0]!) === encodeHex(wrong.signature) && encodeHex(m) === encodeHex(wrong.message)
                ? !answer
                : answer,
            ),
        close: () => ring.close(),
      };
    };
    expect(firstSelfTestFailure(open)?.name).toBe(name);
  });
});
