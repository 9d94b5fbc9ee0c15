/** A certificate that nobody vouches for, made anew each time: a key and an X.509 body of a dozen fields, signed by itself. */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
}

const SEQUENCE = 0x30;
const ED25519 = der(SEQUENCE, Buffer.from('06032b6570', 'hex'));

function name(commonName: string): Buffer {
  const attribute = der(SEQUENCE, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(commonName)));
  return der(SEQUENCE, der(0x31, attribute));
}

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`));
}

function pem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** For 127.0.0.1, valid for a day around now. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const day = 24 * 60 * 60 * 1000;
  const alternativeName = der(SEQUENCE, Buffer.from([0x87, 4, 127, 0, 0, 1]));
  const extensions = der(
    SEQUENCE,
    der(SEQUENCE, Buffer.from('0603551d11', 'hex'), der(0x04, alternativeName)),
    der(
      SEQUENCE,
      Buffer.from('0603551d13', 'hex'),
      Buffer.from('0101ff', 'hex'),
      der(0x04, Buffer.from('30030101ff', 'hex')),
    ),
  );
  const body = der(
    SEQUENCE,
    Buffer.from('a003020102', 'hex'), // version 3
    Buffer.from('020101', 'hex'), // serial number
    ED25519,
    name('a test'),
    der(SEQUENCE, time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    name('a test'),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign(null, body, privateKey);
  const cert = der(SEQUENCE, body, ED25519, der(0x03, Buffer.from([0]), signature));
  const key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).export({
    type: 'pkcs8',
    format: 'pem',
  });
  return { key: String(key), cert: pem('CERTIFICATE', cert) };
}
