import { Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/core/base/errors.ts';
import { createAdaptiveEngine } from '../../../src/core/ed25519/adaptive.ts';
import type { Ed25519Engine, KeyRing } from '../../../src/core/ed25519/engine.ts';
import { createKernelEngineSync } from '../../../src/core/ed25519/kernel.ts';
import { opensslEngine } from '../../../src/core/ed25519/openssl.ts';
import { GROUP_ORDER, numberFromLittleEndian, referenceEngine } from '../../../src/core/ed25519/reference.ts';
import { counted, FORMS, inForm, scramble, textOf } from '../../helpers/hostile.ts';
import { makeSigner } from '../../helpers/make-validators.ts';
import { whileWritten } from '../../helpers/meddler.ts';

const message = new TextEncoder().encode('one message');
const signers = Array.from({ length: 5 }, (_, n) => makeSigner(`inputs ${n}`, 1n));
const given = {
  keys: signers.map(({ publicKey }) => publicKey),
  message,
  indexes: [0, 1, 2, 3, 4],
  signatures: signers.map((signer, n) => (n === 3 ? signers[0]! : signer).sign(message)),
};
const expected = [true, true, true, false, true];

/** With how many blocks each is asked: those with tables until they have grown. */
const ENGINES: readonly (readonly [string, () => Ed25519Engine, number])[] = [
  ['reference', () => referenceEngine, 5],
  ['openssl', () => opensslEngine, 45],
  ['kernel', () => createKernelEngineSync(), 45],
  ['kernel without tables', () => createKernelEngineSync({ tableWidth: 0 }), 45],
  ['adaptive', () => createAdaptiveEngine(opensslEngine), 45],
];

function littleEndian(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));
}

describe.each(ENGINES)('the %s engine', (_, make, blocks) => {
  it.each(Object.entries(FORMS))('takes %s, writes to nothing, and keeps nothing of it', (_, form) => {
    const engine = make();
    const input = inForm(given, form);
    const ring = engine.open(input.keys);
    scramble(input.keys); // before the first block: keys may be prepared when first needed
    const before = textOf(input);
    // The same answer each time: an engine that turned S round in place gave final, rejected, final.
    for (let block = 0; block < blocks; block++) {
      expect(ring.verify(input.message, input.indexes, input.signatures)).toEqual(expected);
      expect(textOf(input)).toBe(before);
    }
    ring.close();
  });

  it('reads every element of its arguments once', () => {
    const engine = make();
    const keys = counted(given.keys);
    const ring = engine.open(keys.value);
    expect(keys.repeated()).toEqual([]);
    for (let block = 0; block < 3; block++) {
      const indexes = counted(given.indexes);
      const signatures = counted(given.signatures);
      expect(ring.verify(given.message, indexes.value, signatures.value)).toEqual(expected);
      expect([...indexes.repeated(), ...signatures.repeated()]).toEqual([]);
    }
  });

  it('is refused where reading the arguments closes the ring, whatever keys have come to its place meanwhile', () => {
    for (const blocks of [0, 60]) {
      const engine = make();
      const [holder, ring] = [engine.open(given.keys), engine.open([given.keys[0]!])]; // the holder keeps an instance of the kernel
      for (let block = 0; block < blocks; block++) ring.verify(message, [0], given.signatures);
      let other: KeyRing | undefined;
      const closing = new Proxy([given.signatures[1]!], {
        get(target, key, receiver) {
          if (key !== '0') return Reflect.get(target, key, receiver) as unknown;
          ring.close();
          other = engine.open([given.keys[1]!]);
          for (let block = 0; block < blocks; block++) other.verify(message, [0], [given.signatures[1]!]);
          return given.signatures[1];
        },
      });
      // Engines without memory of their own to reuse may answer still, for the keys that they were opened with.
      let answer: readonly boolean[] | string;
      try {
        answer = ring.verify(message, [0], closing);
      } catch (error) {
        answer = (error as UsageError).code;
      }
      expect(['usage/closed', [false]]).toContainEqual(answer);
      if (engine.name.startsWith('kernel')) expect(answer).toBe('usage/closed');
      expect(holder.verify(message, given.indexes, given.signatures)).toEqual(expected);
      other!.close();
      holder.close();
    }
  });

  it('answers wrong types with an error that names the argument', () => {
    const engine = make();
    const ring = engine.open(given.keys);
    const calls: readonly (readonly [string, () => unknown])[] = [
      ['publicKeys', () => engine.open('keys' as never)],
      ['publicKeys', () => engine.open(given.keys[0] as never)],
      ['publicKeys[1]', () => engine.open([given.keys[0]!, 'key' as never])],
      ['publicKeys[0]', () => engine.open([Array.from(given.keys[0]!) as never])],
      ['message', () => ring.verify('text' as never, [0], given.signatures)],
      ['message', () => ring.verify([...message] as never, [0], given.signatures)],
      ['message', () => ring.verify(new Uint16Array(3) as never, [0], given.signatures)],
      ['keyIndexes', () => ring.verify(message, 0 as never, given.signatures)],
      ['keyIndexes[1]', () => ring.verify(message, [0, '1' as never], given.signatures)],
      ['signatures', () => ring.verify(message, [0], given.signatures[0] as never)],
      ['signatures[0]', () => ring.verify(message, [0], ['00' as never])],
      ['signatures[0]', () => ring.verify(message, [0], [null as never])],
      ['signatures[0]', () => ring.verify(message, [0], [Object.create(Uint8Array.prototype) as never])],
      ['signatures[0]', () => ring.verify(message, [0], [new Proxy(given.signatures[0]!, {})])],
    ];
    for (const [path, call] of calls) {
      expect(call, path).toThrow(UsageError);
      expect(call, path).toThrow(expect.objectContaining({ code: 'usage/bad-option', path }));
    }
    expect(ring.verify(message, [0, 5, -1, 0.5, Number.NaN], given.signatures)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('does not take the word of an array for its length', () => {
    const ring = make().open(given.keys);
    const long = new Uint8Array(64 * 1024).fill(0xff);
    long.set(given.signatures[0]!);
    Object.defineProperty(long, 'length', { value: 64 });
    const short = given.signatures[0]!.slice(0, 63);
    Object.defineProperty(short, 'length', { value: 64 });
    for (let block = 0; block < 4; block++) {
      expect(ring.verify(message, [0, 0, 1], [long, short, given.signatures[1]!])).toEqual([false, false, true]);
      expect(ring.verify(message, given.indexes, given.signatures)).toEqual(expected);
    }
  });

  it('is not talked into a forgery by another thread that changes R while it is checked', async () => {
    const ring = make().open(given.keys);
    for (let block = 0; block < 4; block++) ring.verify(message, given.indexes, given.signatures);
    // k is of R one, the equation is that of R two: neither is a signature, a check that looks twice takes them for one.
    const one = Uint8Array.from(given.signatures[1]!);
    const s = 12_345n;
    const key = given.keys[0]!;
    const k = numberFromLittleEndian(sha512(Buffer.concat([one.subarray(0, 32), key, message]))) % GROUP_ORDER;
    const two = Point.BASE.multiply(s).add(Point.fromBytes(key, true).negate().multiply(k)).toBytes();
    one.set(littleEndian(s), 32);
    const forged = Uint8Array.of(...two, ...littleEndian(s));
    const shared = new Uint8Array(new SharedArrayBuffer(64));
    shared.set(one);
    const answers = new Set<boolean>();
    await whileWritten(shared, [one, forged], () => {
      for (let turn = 0; turn < 100; turn++) answers.add(ring.verify(message, [0], [shared])[0]!);
    });
    expect([...answers]).toEqual([false]);
  });
});
