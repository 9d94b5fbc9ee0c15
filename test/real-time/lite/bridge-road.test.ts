/** A bridge's road as a real node answered it: to the deposit, and to nothing else where a bit of an answer is another. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changeRoads, loadRoads, ROADS, UNREAD } from '../../helpers/changed-road.ts';
import { ReplayedServer } from '../../helpers/recorded-road.ts';
import { VECTORS } from '../../helpers/vectors.ts';

const recorded = loadRoads(join(VECTORS, 'live', 'bridge-road.json'));
const names = Object.keys(ROADS) as (keyof typeof ROADS)[];
const servers = new Map(names.map((name) => [name, new ReplayedServer(recorded.roads[name])]));

beforeAll(() => Promise.all([...servers.values()].map((server) => server.start())));
afterAll(() => Promise.all([...servers.values()].map((server) => server.close())));

const take = (name: keyof typeof ROADS, changed?: { readonly question: string; readonly answer: Uint8Array }) =>
  servers.get(name)!.take((client) => ROADS[name](client, recorded), changed);

it('leads to the deposit that a real network had, by a scan and by a certificate', async () => {
  const [scanned, certified] = await Promise.all(names.map((name) => take(name)));
  expect(scanned).toMatchObject({ amount: 3_000_000_000n, recipient: 'alice', vault: recorded.vault });
  expect(scanned!.transaction.lt).toBe(recorded.lt);
  expect(certified!.key).toEqual(scanned!.key);
  expect(certified!.transaction).toEqual(scanned!.transaction);
});

it('leads to no other deposit with one bit changed, and to none but with a bit that nothing rests on', async () => {
  const { refused, other, unread } = await changeRoads(recorded, 16);
  expect(other).toBe(0);
  expect(refused).toBeGreaterThan(20);
  expect(UNREAD).toMatchObject(Object.fromEntries(Object.keys(unread).map((name) => [name, expect.any(String)])));
});

it('refuses a block named for a time whose header is not that of its id', async () => {
  const [question, { answer }] = [...recorded.roads.certify].find(([, { operation }]) => operation === 'a request')!;
  const spoiled = answer.slice();
  spoiled[answer.length - 20]! ^= 1; // in the proof of the header
  await expect(take('certify', { question, answer: spoiled })).rejects.toMatchObject({ name: 'SourceError' });
});
