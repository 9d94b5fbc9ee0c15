/** The stand-in server is right by the recorded and computed exchanges, not by agreeing with the client. */
import { expect, it } from 'vitest';
import { openHandshake, plainFrame, publicKeyOf, serverKeyId } from '../../helpers/lite-stand-in.ts';
import { COMPUTED, RECORDED } from './vectors.ts';

const packet = Buffer.concat([COMPUTED.keyId, COMPUTED.clientKey, COMPUTED.packetTail]);

it('the stand-in opens the computed handshake and answers with the computed frame', () => {
  expect(publicKeyOf(COMPUTED.serverSeed)).toEqual(COMPUTED.serverKey);
  const keys = openHandshake(COMPUTED.serverSeed, packet)!;
  expect(keys.clientKey).toEqual(COMPUTED.clientKey);
  expect(keys.toClient.update(plainFrame(Buffer.alloc(0), Buffer.alloc(32)))).toEqual(Buffer.from(COMPUTED.emptyFrame));
  const ping = Buffer.concat([Buffer.from('9a2b084d', 'hex'), COMPUTED.pingId]);
  expect(keys.fromClient.update(Buffer.from(COMPUTED.pingFrame))).toEqual(plainFrame(ping, Buffer.alloc(32)));
});

it('the stand-in refuses a handshake for another server, or a damaged one', () => {
  expect(openHandshake(new Uint8Array(32).fill(9), packet)).toBeUndefined();
  const damaged = Buffer.from(packet);
  damaged[200]! ^= 1;
  expect(openHandshake(COMPUTED.serverSeed, damaged)).toBeUndefined();
});

it('the stand-in knows servers by the recorded key id', () => {
  expect(serverKeyId(RECORDED.serverKey)).toEqual(Buffer.from(RECORDED.packet.subarray(0, 32)));
});
