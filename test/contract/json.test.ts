/**
 * `JSON.stringify` of a result: the published JSON where there is one, and else all of it or a TypeError. Nothing of a
 * result is lost without a word.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mergeLedgers } from '../../src/audit.ts';
import { advanceCheckpoint, checkpointToJson, parseCheckpoint } from '../../src/chain.ts';
import { acceptDeposit, formatAccountId } from '../../src/facts.ts';
import { verifyBlock } from '../../src/index.ts';
import { reportToJson } from '../../src/report.ts';
import { scratch } from '../helpers/audit-chain.ts';
import { TERMS, worldOf } from '../helpers/deposits.ts';
import { CALLS, ENTRIES, PARTS } from '../helpers/public-calls.ts';

const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const { checkpoint, set, validators } = PARTS;

describe('JSON.stringify gives the published JSON', () => {
  it('of a checkpoint, and of one that moved on', () => {
    const args = CALLS['./chain']!.advanceCheckpoint!.args as Parameters<typeof advanceCheckpoint>;
    const again = parseCheckpoint(checkpointToJson(checkpoint));
    for (const one of [checkpoint, again, advanceCheckpoint(...args)]) {
      expect(wire(one)).toEqual(checkpointToJson(one));
      expect(parseCheckpoint(wire(one))).toEqual(parseCheckpoint(checkpointToJson(one)));
      expect(Object.keys(one)).not.toContain('toJSON');
    }
    const written = JSON.stringify(checkpoint);
    checkpoint.anchor.rootHash[0]! ^= 1;
    expect(JSON.stringify(checkpoint)).toBe(written);
    checkpoint.anchor.rootHash[0]! ^= 1;
  });

  it('of a report, without the texts for people', () => {
    const report = verifyBlock(set, validators);
    const { headline: _, hints: __, ...members } = reportToJson(report);
    expect(wire(report)).toEqual(members);
  });
});

describe('JSON.stringify for logs', () => {
  const { fact } = worldOf();
  const accept = (payload: () => unknown, atLeast = TERMS.atLeast) =>
    acceptDeposit({ facts: [fact()] }, { ...TERMS, payload, atLeast });

  it.each([
    ['text', 'alice', 'alice'],
    ['bytes', Uint8Array.of(1, 171), '01ab'],
    ['a number of 256 bits', 2n ** 255n, String(2n ** 255n)],
    ['a Buffer', Buffer.of(1, 171), '01ab'],
    ['an object', { name: 'alice' }, { name: 'alice' }],
    ['an object with such members', { chain: 7n, to: [Buffer.of(1, 171)] }, { chain: '7', to: ['01ab'] }],
  ])('of an accepted deposit has every member, for a recipient that is %s', (_, recipient, written) => {
    const deposit = accept(() => recipient);
    const json = wire(deposit) as Readonly<Record<string, unknown>>;
    expect(Object.keys(json).sort()).toEqual(Object.keys(deposit).sort());
    const { key, amount, vault } = deposit;
    expect(json).toMatchObject({
      key: Buffer.from(key).toString('hex'),
      amount: String(amount),
      vault: formatAccountId(vault),
      recipient: written,
    });
  });

  it('of the error for a deposit that is too little has its amounts', () => {
    let error: unknown;
    try {
      accept(() => 'alice', 10n ** 18n);
    } catch (caught) {
      error = caught;
    }
    expect(wire(error)).toMatchObject({
      code: 'deposit/too-little',
      atLeast: '1000000000000000000',
      amount: expect.stringMatching(/^\d+$/) as string,
    });
  });
});

describe('JSON.stringify of the state of a ledger', () => {
  const place = scratch();

  it('has all of its counts, and the state the bytes of the file', async () => {
    try {
      const out = place.next();
      const state = await mergeLedgers(['vectors/audit/mixed.ndjson'], out);
      const { head, hash, lines, next, counts, sets, last } = state;
      const { thinnest, reasons } = counts;
      expect(wire(state)).toMatchObject({ head, hash, lines, next, sets: Object.fromEntries(sets), last });
      expect(wire(state)).toMatchObject({
        counts: { rows: 40, failures: 3, thinnest, reasons: Object.fromEntries(reasons) },
      });
      expect(reasons.size).toBeGreaterThan(0);
      expect(state).toMatchObject({ bytes: readFileSync(out).length });
    } finally {
      place.remove();
    }
  });
});

/** Functions that return bytes, or an account, whose text is `formatAccountId`. The list may only shrink. */
const BARE = ['nodeIdShort', 'signedMessage', 'certificateToBoc', 'cellToBoc', 'parseAccountId', 'jettonWalletAddress'];

const rows = Object.entries(CALLS).flatMap(([entry, calls]) =>
  Object.entries(calls).map(([name, call]) => ({ entry, name, call })),
);

it.each(rows)('$name of $entry gives nothing of which JSON.stringify loses bytes', async ({ entry, name, call }) => {
  const run = (ENTRIES[entry] as Record<string, (...args: readonly unknown[]) => unknown>)[name]!;
  let result: unknown;
  try {
    result = await run(...call.args);
  } catch {
    return; // the call is refused here
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(result);
  } catch (error) {
    expect(String(error)).toContain('BigInt');
    return;
  } finally {
    if (typeof result === 'object' && result !== null && 'close' in result) await (result.close as () => unknown)();
  }
  expect(text?.includes('{"0":') ?? false).toBe(BARE.includes(name));
});
