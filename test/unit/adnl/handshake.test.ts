import { describe, expect, it } from 'vitest';
import { aesCtr, ed25519PublicKey, sharedSecret } from '../../../src/net/adnl/crypto.ts';
import { encodeFrame, FrameReader } from '../../../src/net/adnl/frame.ts';
import { clientHandshake } from '../../../src/net/adnl/handshake.ts';
import { keyId, montgomeryU, requireServerKey } from '../../../src/net/adnl/keys.ts';
import { decodeMessage, encodePing, encodeQuery } from '../../../src/net/adnl/messages.ts';
import { fromHex } from '../../helpers/vectors.ts';
import { COMPUTED, RECORDED } from './vectors.ts';

function payloadsOf(reader: FrameReader, bytes: Uint8Array): Uint8Array[] {
  const payloads: Uint8Array[] = [];
  reader.push(bytes, (payload) => payloads.push(Uint8Array.from(payload)));
  return payloads;
}

const fromServer = (random: Uint8Array) => aesCtr(random.subarray(0, 32), random.subarray(64, 80));
const toServer = (random: Uint8Array) => aesCtr(random.subarray(32, 64), random.subarray(80, 96));

describe('the handshake', () => {
  it('of known keys is the computed packet, byte for byte', () => {
    const { serverKey, clientSeed, random } = COMPUTED;
    expect(keyId(serverKey)).toEqual(COMPUTED.keyId);
    expect(montgomeryU(serverKey)).toEqual(COMPUTED.u);
    expect(ed25519PublicKey(clientSeed)).toEqual(COMPUTED.clientKey);
    expect(sharedSecret(clientSeed, COMPUTED.u)).toEqual(COMPUTED.secret);
    const { packet } = clientHandshake(serverKey, clientSeed, random);
    expect(packet.subarray(0, 32)).toEqual(COMPUTED.keyId);
    expect(packet.subarray(32, 64)).toEqual(COMPUTED.clientKey);
    expect(packet.subarray(64)).toEqual(COMPUTED.packetTail);
    expect(packet.length).toBe(256);
  });

  it('names the server by the id of its key, as in the recorded packet', () => {
    expect(keyId(RECORDED.serverKey)).toEqual(RECORDED.packet.subarray(0, 32));
  });

  it('gives the server the same secret from its own seed', () => {
    expect(sharedSecret(COMPUTED.serverSeed, montgomeryU(COMPUTED.clientKey))).toEqual(COMPUTED.secret);
  });

  it.each([
    ['0', '00'.repeat(32)],
    ['1', `01${'00'.repeat(31)}`],
    ['-1', `ec${'ff'.repeat(30)}7f`],
    ['p + 1', `ee${'ff'.repeat(30)}7f`],
  ])('is refused to a key of small order, y = %s', (_, key) => {
    expect(() => requireServerKey(fromHex(key), 'h:1')).toThrow(/small order/);
  });

  it('is refused to bytes that are no key', () => {
    expect(() => requireServerKey(fromHex(`02${'00'.repeat(31)}`), 'h:1')).toThrow(/not one/);
    expect(() => requireServerKey(new Uint8Array(31).fill(1), 'h:1')).toThrow(/not one/);
    expect(() => requireServerKey(COMPUTED.serverKey, 'h:1')).not.toThrow();
  });
});

describe('frames', () => {
  it('of the server are read as recorded, the key stream running on from one to the next', () => {
    const reader = new FrameReader(fromServer(RECORDED.random));
    expect(payloadsOf(reader, RECORDED.emptyFrame)).toEqual([new Uint8Array(0)]);
    expect(payloadsOf(reader, RECORDED.answerFrame)).toEqual([RECORDED.answerPayload]);
    expect(reader.isInside).toBe(false);
  });

  it('of the server are read with computed keys', () => {
    const { fromServer: cipher } = clientHandshake(COMPUTED.serverKey, COMPUTED.clientSeed, COMPUTED.random);
    expect(payloadsOf(new FrameReader(cipher), COMPUTED.emptyFrame)).toEqual([new Uint8Array(0)]);
  });

  it('of the client are those on record', () => {
    const frame = encodeFrame(toServer(RECORDED.random), RECORDED.queryPayload, RECORDED.queryNonce);
    expect(frame).toEqual(Buffer.from(RECORDED.queryFrame));
    const { toServer: cipher } = clientHandshake(COMPUTED.serverKey, COMPUTED.clientSeed, COMPUTED.random);
    expect(encodeFrame(cipher, encodePing(COMPUTED.pingId), new Uint8Array(32))).toEqual(
      Buffer.from(COMPUTED.pingFrame),
    );
  });

  it('are the same however the stream is cut', () => {
    const stream = Buffer.concat([RECORDED.emptyFrame, RECORDED.answerFrame]);
    for (let at = 0; at <= stream.length; at++) {
      const reader = new FrameReader(fromServer(RECORDED.random));
      const payloads = [...payloadsOf(reader, stream.subarray(0, at)), ...payloadsOf(reader, stream.subarray(at))];
      expect(payloads).toEqual([new Uint8Array(0), RECORDED.answerPayload]);
    }
    const reader = new FrameReader(fromServer(RECORDED.random));
    const payloads = [...stream].flatMap((byte) => payloadsOf(reader, Uint8Array.of(byte)));
    expect(payloads).toEqual([new Uint8Array(0), RECORDED.answerPayload]);
  });

  it.each([0, 63, 2 ** 24 + 1, 2 ** 32 - 1])('with a length of %d are refused at once', (length) => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(length);
    const bytes = toServer(RECORDED.random).update(head);
    const reader = new FrameReader(toServer(RECORDED.random));
    expect(() => payloadsOf(reader, bytes)).toThrow(`expected a frame of 64 to ${2 ** 24} bytes, got ${length}`);
  });

  it('take no memory for what a length promises', () => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(2 ** 24);
    const reader = new FrameReader(toServer(RECORDED.random));
    reader.push(toServer(RECORDED.random).update(Buffer.concat([head, Buffer.alloc(1000)])), () => {});
    expect(reader.isInside).toBe(true);
    expect(reader.room).toBeLessThanOrEqual(64 * 1024);
  });

  it('with a wrong checksum are refused, whichever bit is wrong', () => {
    for (let bit = 32; bit < 8 * RECORDED.emptyFrame.length; bit++) {
      const bytes = Uint8Array.from(RECORDED.emptyFrame);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => payloadsOf(new FrameReader(fromServer(RECORDED.random)), bytes)).toThrow('wrong checksum');
    }
  });
});

describe('messages', () => {
  it('of the client are those on record', () => {
    const queryId = RECORDED.queryPayload.subarray(4, 36);
    expect(encodeQuery(queryId, fromHex('345aad16'))).toEqual(RECORDED.queryPayload);
  });

  it('of the server are read as recorded', () => {
    expect(decodeMessage(RECORDED.answerPayload)).toEqual({
      kind: 'answer',
      queryId: RECORDED.queryPayload.subarray(4, 36),
      bytes: fromHex('0d0053e9a3ac3062'),
    });
    expect(decodeMessage(fromHex('03fb69dc0807060504030201'))).toEqual({ kind: 'pong', id: COMPUTED.pingId });
    expect(decodeMessage(new Uint8Array(0))).toEqual({ kind: 'other' });
    expect(decodeMessage(fromHex('0102030405060708'))).toEqual({ kind: 'other' });
  });

  const answer = (bytes: string) => fromHex(`1684ac0f${'11'.repeat(32)}${bytes}`);
  it.each([
    ['bytes in the long form for a short length', answer('fe040000aabbccdd')],
    ['bytes in the ff form', answer('ff04000000000000aabbccdd')],
    ['padding that is not zero', answer('02aabb01')],
    ['trailing bytes', answer('03aabbcc00000000')],
    ['bytes that promise more than is there', answer('feffffffaabbccdd')],
    ['a query id cut short', fromHex('1684ac0f1111')],
    ['a pong of 13 bytes', fromHex('03fb69dc010203040506070809')],
    ['three bytes', fromHex('010203')],
  ])('with %s are refused', (_, payload) => {
    expect(() => decodeMessage(payload)).toThrow(/frame: byte/);
  });
});
