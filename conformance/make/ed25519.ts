/** Ed25519: the public suites with the answer of the node, and a pair of our own for each part of the rule. */
import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';
import { ED25519_FILES, fromHex, readEd25519Vectors } from '../../test/helpers/vectors.ts';
import { Book, base64, below, randomOf } from './cases.ts';

const L = Point.CURVE().n;
const EIGHTH = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');

const fromLittleEndian = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const littleEndian = (value: bigint) =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse());
const challenge = (r: Uint8Array, key: Uint8Array, message: Uint8Array) =>
  fromLittleEndian(createHash('sha512').update(r).update(key).update(message).digest()) % L;

/** What is wrong with a signature of a public suite, as far as its bytes tell. */
function ruleOf(publicKey: Uint8Array, signature: Uint8Array): string {
  if (publicKey.length !== 32 || signature.length !== 64) return 'ed25519-lengths';
  if (fromLittleEndian(signature.subarray(32)) >= L) return 'ed25519-s-below-l';
  let key: Point;
  try {
    key = Point.fromBytes(publicKey, true);
  } catch {
    return 'ed25519-key-on-curve';
  }
  const isPlain = Buffer.from(key.toBytes()).equals(publicKey) && key.isTorsionFree();
  if (!isPlain) return 'ed25519-lenient-key';
  let r: Point;
  try {
    r = Point.fromBytes(signature.subarray(0, 32), true);
  } catch {
    return 'ed25519-equation';
  }
  const isExact = Buffer.from(r.toBytes()).equals(signature.subarray(0, 32));
  if (!isExact) return 'ed25519-r-bytewise';
  return r.isTorsionFree() ? 'ed25519-equation' : 'ed25519-no-cofactor';
}

/** Signs with a key and a nonce that may have a part of small order each. */
function sign(secret: bigint, keyTorsion: number, nonce: bigint, nonceTorsion: number, message: Uint8Array) {
  const torsion = (n: number) => EIGHTH.multiply(BigInt(n), false);
  const key = Point.BASE.multiply(secret, false).add(torsion(keyTorsion)).toBytes();
  const r = Point.BASE.multiply(nonce, false).add(torsion(nonceTorsion)).toBytes();
  const k = challenge(r, key, message);
  const signature = new Uint8Array([...r, ...littleEndian((nonce + k * secret) % L)]);
  // Without a cofactor the parts of small order have to cancel: T' = -k T.
  return { key, signature, cancels: (nonceTorsion + Number(k % 8n) * keyTorsion) % 8 === 0 };
}

export function makeEd25519(): Book {
  const book = new Book('ed25519');
  const input = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => ({
    publicKey: base64(publicKey),
    message: base64(message),
    signature: base64(signature),
  });
  for (const file of ED25519_FILES) {
    readEd25519Vectors(file).forEach((vector, n) => {
      const [key, message, signature] = [vector.public_key, vector.message, vector.signature].map(fromHex);
      const rule = ruleOf(key!, signature!);
      const place = { rule, form: file, flags: ['ED25519'], source: `vectors/ed25519/${file}.json, ${vector.name}` };
      const given = input(key!, message!, signature!);
      const comment = `${vector.name}: the node ${vector.openssl ? 'takes' : 'refuses'} it.`;
      if (vector.openssl) book.accept(place, String(n), comment, given);
      else book.reject(place, String(n), comment, given);
    });
  }
  for (let n = 0; n < 4; n++) makePairs(book, n, input);
  return book;
}

function makePairs(book: Book, n: number, input: (...bytes: [Uint8Array, Uint8Array, Uint8Array]) => object): void {
  const random = randomOf(`ed25519 ${n}`);
  const bytes = (length: number) => Uint8Array.from({ length }, () => below(random, 256));
  const scalar = () => (fromLittleEndian(bytes(32)) % (L - 2n)) + 1n;
  const message = bytes(68);
  const [secret, nonce] = [scalar(), scalar()];
  const { key, signature } = sign(secret, 0, nonce, 0, message);
  const given = (publicKey: Uint8Array, signed: Uint8Array) => ({ ...input(publicKey, message, signed) });
  const place = (rule: string) => ({ rule, form: 'pair', flags: ['ED25519'] });
  const pair = (
    rule: string,
    wrong: readonly [name: string, comment: string, key: Uint8Array, signed: Uint8Array][],
  ) => {
    const twin = book.accept(place(rule), `${n}-good`, 'An honest signature.', given(key, signature));
    for (const [name, comment, publicKey, signed] of wrong) {
      book.reject(place(rule), `${n}-${name}`, comment, given(publicKey, signed), twin);
    }
  };
  const s = fromLittleEndian(signature.subarray(32));
  const withS = (value: bigint) => new Uint8Array([...signature.subarray(0, 32), ...littleEndian(value)]);
  pair('ed25519-s-below-l', [
    ['s-plus-l', 'S + L: the same number modulo L.', key, withS(s + L)],
    ['s-plus-8-l', 'S + 8 L, the same number modulo L.', key, withS(s + 8n * L)],
  ]);
  pair('ed25519-lengths', [
    ['signature-63', 'A signature of 63 bytes.', key, signature.slice(0, 63)],
    ['signature-65', 'A signature with a byte behind it.', key, new Uint8Array([...signature, 0])],
    ['key-31', 'A key of 31 bytes.', key.slice(0, 31), signature],
    ['key-33', 'A key with a byte behind it.', new Uint8Array([...key, 0]), signature],
  ]);
  const flipped = (at: number) => {
    const changed = Uint8Array.from(signature);
    changed[at >> 3]! ^= 1 << (at & 7);
    return changed;
  };
  pair('ed25519-equation', [
    ['bit-of-s', 'One bit of S is flipped.', key, flipped(256 + below(random, 248))],
    ['bit-of-r', 'One bit of R is flipped.', key, flipped(below(random, 255))],
  ]);
  const off = Uint8Array.from(key);
  for (let y = 2; ; y++) {
    off.set(littleEndian(BigInt(y + 40 * n)));
    try {
      Point.fromBytes(off, true);
    } catch {
      break;
    }
  }
  pair('ed25519-key-on-curve', [['off-curve', 'A key that is no point of the curve.', off, signature]]);

  // Parts of small order: the first nonce whose part cancels is good, the next that does not is its twin.
  const find = (cancels: boolean) => {
    for (let from = scalar(); ; from++) {
      for (let torsion = 0; torsion < 8; torsion++) {
        const made = sign(secret, 1 + n, from, torsion, message);
        if (made.cancels === cancels) return made;
      }
    }
  };
  const [good, bad] = [find(true), find(false)];
  for (const rule of ['ed25519-lenient-key', 'ed25519-no-cofactor']) {
    const comment = 'A key of mixed order; the parts of small order cancel, so the node takes it.';
    const twin = book.accept(place(rule), `${n}-mixed-good`, comment, given(good.key, good.signature));
    const other =
      'A key of mixed order whose parts of small order do not cancel: only a check with the cofactor takes it.';
    book.reject(place(rule), `${n}-mixed-bad`, other, given(bad.key, bad.signature), twin);
  }
  // R' is the neutral element: its one good encoding is 01 00…; 01 00…80 decodes to it as well.
  const small = (r: Uint8Array) => {
    const k = challenge(r, key, message);
    return new Uint8Array([...r, ...littleEndian((k * secret) % L)]);
  };
  const one = new Uint8Array(32).fill(1, 0, 1);
  const other = Uint8Array.from(one);
  other[31] = 0x80;
  const rule = 'ed25519-r-bytewise';
  const twin = book.accept(
    place(rule),
    `${n}-neutral`,
    'R is the neutral element, in its one encoding.',
    given(key, small(one)),
  );
  const words = 'R in another encoding of the same point: the node compares bytes.';
  book.reject(place(rule), `${n}-neutral-signed`, words, given(key, small(other)), twin);
}
