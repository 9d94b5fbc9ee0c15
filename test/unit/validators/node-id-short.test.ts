import { expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { nodeIdShort } from '../../../src/core/validators/node-id-short.ts';
import { fromHex, readVector } from '../../helpers/vectors.ts';

it.each([
  ['0'.repeat(64), '5dcc566cb9a2a4b9408b7e36d1226dceb36b6be586a2583cae540979638c600e'],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    'fa5f5e235da938a976f38f1bdc5273355c17e3f6f70e1838d9e88024eecd9ffb',
  ],
  [
    '89462f768d318759a230f72ef92bdbcd02a09c791d40e6a01a53f42409e248a1',
    '2cf18f60a038f4d0b40cfd6b3a817dfcb5f10cd9076060570decd4e72699d48b',
  ],
])('the node id of key %s is the SHA-256 of boxed pub.ed25519', (key, id) => {
  expect(encodeHex(nodeIdShort(fromHex(key)))).toBe(id);
});

it('the node id of anything but 32 bytes is a mistake of the caller', () => {
  for (const key of ['ab', new Uint8Array(31), new Uint8Array(33), null])
    expect(() => nodeIdShort(key as never)).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path: 'publicKey' }),
    );
});

it('the node ids of the reference answers are reproduced', () => {
  const { config34 } = readVector<{ config34: { list: { public_key: string; node_id_short: string }[] } }>(
    'synthetic/reference.json',
  );
  for (const { public_key, node_id_short } of config34.list) {
    expect(encodeHex(nodeIdShort(fromHex(public_key)))).toBe(node_id_short);
  }
});
