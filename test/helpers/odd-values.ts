/** Values that no function of this library is meant for. */

/** A proxy that was taken back: whatever it is asked, it throws a TypeError. */
export function revoked<T extends object>(target: T): T {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** What code of the caller throws: it is theirs, and comes out as it went in. */
export class Theirs extends Error {}

function throwing(): never {
  throw new Theirs('of the caller');
}

const traps = {
  get: throwing,
  has: throwing,
  ownKeys: throwing,
  getPrototypeOf: throwing,
  getOwnPropertyDescriptor: throwing,
};

/** Bytes that say they are as long as no memory is. */
const long = (bytes = new Uint8Array(32)) => Object.defineProperty(bytes, 'length', { value: 2 ** 40 });

/** Sixty of them, made anew for each call: some are used up by one. */
export const ODD: readonly (readonly [name: string, make: () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['true', () => true],
  ['false', () => false],
  ['0', () => 0],
  ['-0', () => -0],
  ['-1', () => -1],
  ['1.5', () => 1.5],
  ['NaN', () => Number.NaN],
  ['Infinity', () => Number.POSITIVE_INFINITY],
  ['2^53', () => 2 ** 53],
  ['a bigint', () => 5n],
  ['a negative bigint', () => -(2n ** 63n)],
  ['a bigint of many digits', () => 10n ** 3000n],
  ['no text', () => ''],
  ['text', () => 'text'],
  ['text with a colon', () => '1.2.3.4:5:key'],
  ['a URL', () => 'http://127.0.0.1:9/api/v2'],
  ['JSON', () => '{"ok":true}'],
  ['long text', () => 'x'.repeat(100_000)],
  ['half a surrogate pair', () => '\ud800'],
  ['a symbol', () => Symbol('x')],
  ['a function', () => () => {}],
  ['a function that throws', () => throwing],
  ['an async function', () => async () => undefined],
  ['a class', () => class {}],
  ['no elements', () => []],
  ['one element', () => [1]],
  ['an array of undefined', () => [undefined]],
  ['an array of null', () => [null]],
  ['an array with holes', () => new Array(3)],
  ['an array of 2^32', () => new Array(2 ** 32 - 1)],
  [
    'an array in itself',
    () => {
      const own: unknown[] = [];
      own.push(own);
      return own;
    },
  ],
  ['an object', () => ({})],
  ['an object without a prototype', () => Object.create(null)],
  [
    'an object in itself',
    () => {
      const own: Record<string, unknown> = {};
      own.self = own;
      return own;
    },
  ],
  ['an object that inherits', () => Object.create({ seqno: 1 })],
  [
    'an object of a getter that throws',
    () => ({
      get seqno() {
        return throwing();
      },
    }),
  ],
  ['an answer', () => ({ ok: true, result: {} })],
  ['something with a then', () => Object.fromEntries([['then', 5]])],
  ['something with a length', () => ({ length: 2 ** 32 })],
  ['a promise', () => Promise.resolve(5)],
  [
    'a promise that fails',
    () => {
      const failing = Promise.reject(new Theirs('late'));
      failing.catch(() => {});
      return failing;
    },
  ],
  ['a Map', () => new Map([['seqno', 1]])],
  ['a Set', () => new Set([1])],
  ['a Date', () => new Date(0)],
  ['an invalid Date', () => new Date(Number.NaN)],
  ['a RegExp', () => /x/],
  ['an Error', () => new Error('x')],
  ['no bytes', () => new Uint8Array(0)],
  ['a few bytes', () => new Uint8Array(3)],
  ['32 bytes', () => new Uint8Array(32)],
  ['a Buffer', () => Buffer.from('text')],
  ['bytes of another length than they say', () => long()],
  ['shared bytes', () => new Uint8Array(new SharedArrayBuffer(32))],
  [
    'bytes that were handed away',
    () => {
      const bytes = new Uint8Array(32);
      structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
      return bytes;
    },
  ],
  ['words of two bytes', () => new Uint16Array(32)],
  ['a DataView', () => new DataView(new ArrayBuffer(8))],
  ['a proxy that was revoked', () => revoked({})],
  ['a list that was revoked', () => revoked([])],
  ['a function that was revoked', () => revoked(() => {})],
  ['a proxy that throws', () => new Proxy({}, traps)],
  ['a proxy of bytes', () => new Proxy(new Uint8Array(32), {})],
];
