/**
 * Twelve signatures on which implementations are known to differ. An engine that answers one of them wrongly is not
 * used. Cases of `vectors/ed25519` (speccheck and CCTV, sources there); the answers are those of the node.
 */
import { decodeHex } from '../base/bytes.ts';
import type { KeyRing } from './engine.ts';

/** One signature and the node's answer. */
export interface SelfTestCase {
  /** As in `vectors/ed25519`. */
  readonly name: string;
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  readonly expected: boolean;
}

const CASES: Readonly<
  Record<string, readonly [publicKey: string, message: string, signature: string, expected: boolean]>
> = {
  'speccheck-0': [
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    '8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a0000000000000000000000000000000000000000000000000000000000000000',
    true,
  ],
  'speccheck-3': [
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    '9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79',
    '9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009',
    true,
  ],
  'speccheck-4': [
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    '160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09',
    false,
  ],
  'speccheck-6': [
    '442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623',
    '85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40',
    'e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514',
    false,
  ],
  'speccheck-11': [
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    '39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f',
    'a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dca5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04',
    true,
  ],
  'cctv-3': [
    '0000000000000000000000000000000000000000000000000000000000000000',
    '65643235353139766563746f72732033',
    '36684ea91032ba5b1dbab2d02f4debc74c3327f2b3802e2e4d371aa42b12b56b05ba9a796274d80437afa36f1236563f2f3b0aa84cecddc3d20914615ba4fe02',
    true,
  ],
  'cctv-6': [
    '10eb7c3acfb2bed3e0d6ab89bf5a3d6afddd1176ce4812e38d9fd485058fdb1f',
    '65643235353139766563746f7273203130',
    '36684ea91032ba5b1dbab2d02f4debc74c3327f2b3802e2e4d371aa42b12b56bc02e2b9e63e385c058bf62b14b3a2b29ccefe8e38ddb536bc3f9865320a3d801',
    false,
  ],
  'cctv-7': [
    '10eb7c3acfb2bed3e0d6ab89bf5a3d6afddd1176ce4812e38d9fd485058fdb1f',
    '65643235353139766563746f7273',
    '36684ea91032ba5b1dbab2d02f4debc74c3327f2b3802e2e4d371aa42b12b56bbbfd00bd9c259d8d222d15e67a3d8228585050dbb9b9585be20d8fadc721da03',
    true,
  ],
  'cctv-267': [
    'ef75b20e7540e3dff77404193652ba2bd13df99c1508eee1515e27ae25f28076',
    '65643235353139766563746f72732033',
    '36684ea91032ba5b1dbab2d02f4debc74c3327f2b3802e2e4d371aa42b12b56b2d471882773a677af1e3824e757a33f8ddf7bbeaf3d28a09595eb8daa0d74a03',
    false,
  ],
  'cctv-304': [
    'ef75b20e7540e3dff77404193652ba2bd13df99c1508eee1515e27ae25f28076',
    '65643235353139766563746f72732037',
    '0100000000000000000000000000000000000000000000000000000000000000330b30d6c1f07511e2208d233b6a34d4ed7109da2dea615bcd97daee3a842704',
    true,
  ],
  'cctv-307': [
    '0100000000000000000000000000000000000000000000000000000000000080',
    '65643235353139766563746f72732031',
    'b62cf890de42c413b11b1411c9f01f1c4d77aa87ef182258d1251f69af2a350605ba9a796274d80437afa36f1236563f2f3b0aa84cecddc3d20914615ba4fe02',
    true,
  ],
  'cctv-316': [
    'ef75b20e7540e3dff77404193652ba2bd13df99c1508eee1515e27ae25f28076',
    '65643235353139766563746f72732035',
    '01000000000000000000000000000000000000000000000000000000000000802d32f9eeccaa31dba2ff4ab4e196b61e2ee1648073bbb5f599dcff4f7ea02900',
    false,
  ],
};

/**
 * One case as bytes, made when asked for: importing this library computes nothing.
 * @param name one of those above
 */
export function selfTestCase(name: string): SelfTestCase {
  const [publicKey, message, signature, expected] = CASES[name]!;
  return {
    name,
    publicKey: decodeHex(publicKey)!,
    message: decodeHex(message)!,
    signature: decodeHex(signature)!,
    expected,
  };
}

export function selfTestCases(): readonly SelfTestCase[] {
  return Object.keys(CASES).map((name) => selfTestCase(name));
}

/**
 * The first case that a way of opening keys answers otherwise than the node, or `undefined` when it answers all as the
 * node does. An exception counts as a wrong answer.
 */
export function firstSelfTestFailure(
  open: (publicKeys: readonly Uint8Array[]) => KeyRing,
  cases: readonly SelfTestCase[] = selfTestCases(),
): SelfTestCase | undefined {
  return cases.find((testCase) => {
    let ring: KeyRing | undefined;
    try {
      ring = open([testCase.publicKey]);
      return ring.verify(testCase.message, [0], [testCase.signature])[0] !== testCase.expected;
    } catch {
      return true; // the caller says which case failed; why an engine broke does not change that it is not used
    } finally {
      ring?.close();
    }
  });
}
