/** The ledger of a part as it comes back from a worker: read line by line, up to the first that is wrong, within bounds. */
import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { resolveAudit } from '../../../src/app/audit/audit-options.ts';
import { packPart, readFleetPart, unpackPart } from '../../../src/app/audit/fleet/packed-part.ts';
import { NO_HASH, writeLine } from '../../../src/app/audit/ledger-check.ts';
import type { AuditLine, AuditPlan, AuditTrust } from '../../../src/app/audit/ledger-lines.ts';
import { auditChain } from '../../helpers/audit-chain.ts';
import { startOf } from '../../helpers/networks.ts';

const { head } = resolveAudit({
  ...{ from: 1, to: 3, checkpoint: startOf(auditChain(2)) },
  blocks: { name: 'none', bindsIds: true, open: () => Promise.reject(new Error('not asked')) },
});
const part = { head, maxFailures: 10 };
const failure = (seqno: number, more: object = {}) =>
  ({ type: 'failure', seqno, code: 'source/missing', ...more }) as AuditLine;
const rows = [1, 2, 3].map((seqno) => failure(seqno));

function ledger(lines: readonly AuditLine[]): string {
  let hash = NO_HASH;
  return lines
    .map((line) => {
      const written = writeLine(line, hash);
      hash = written.hash;
      return `${written.text}\n`;
    })
    .join('');
}

/** As if it went on without an end: whoever unpacks all of it fails at that, and not at a line. */
const cutShort = (text: string) => gzipSync(text).subarray(0, -12).toString('base64');
const refusal = async (packed: unknown) => await unpackPart(packed, part, 'part').catch((error: unknown) => error);

describe('the ledger of a part', () => {
  it('comes back as it was sent, without its first line and hashes', async () => {
    expect(await unpackPart(await packPart(ledger([head, ...rows])), part, 'part')).toEqual(rows);
  });

  it('is refused where trust has the same anchor and another key block: the first difference is shown', async () => {
    const trust = head.trust as Extract<AuditTrust, { kind: 'proven' }>;
    const other = { ...head, trust: { ...trust, keyBlock: { ...trust.keyBlock, seqno: 77 } } };
    expect(await refusal(await packPart(ledger([other, ...rows])))).toMatchObject({
      code: 'audit/plan',
      message: expect.stringMatching(/: trust\.keyBlock\.seqno is 77, expected 0$/),
    });
  });

  it('comes back with the members that the format has, in their order, and no others', async () => {
    const odd = rows.map((row) => ({
      more: { text: 'x'.repeat(1000) },
      ...Object.fromEntries(Object.entries(row).reverse()),
    }));
    const packed = await packPart(ledger([head, ...(odd as unknown as AuditLine[])]));
    expect(JSON.stringify(await unpackPart(packed, part, 'part'))).toBe(JSON.stringify(rows));
    for (const name of ['mixed', 'mainnet-1-99']) {
      const [first, ...lines] = readFileSync(`vectors/audit/${name}.ndjson`, 'utf8').trimEnd().split('\n');
      const { hash: _, ...plan } = JSON.parse(first!) as AuditPlan & { hash: string };
      const whole = { head: plan, maxFailures: 10 };
      const own = lines.map((line) => line.replace(/,"hash":"\w+"\}$/, '}'));
      const more = { more: [7] };
      const withMore = (value: unknown): unknown =>
        typeof value !== 'object' || value === null || Array.isArray(value)
          ? value
          : { ...more, ...Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withMore(one)])) };
      for (const made of [own, own.map((line) => JSON.stringify(withMore(JSON.parse(line))))]) {
        const text = ledger([plan, ...made.map((line) => JSON.parse(line) as AuditLine)]);
        const read = await unpackPart(await packPart(text), whole, 'part');
        expect(read.map((line) => JSON.stringify(line))).toEqual(own);
      }
    }
  });

  it('is unpacked no further than to the first line that is wrong', async () => {
    const bomb = cutShort('\n'.repeat(1 << 22));
    expect(() => gunzipSync(Buffer.from(bomb, 'base64'))).toThrow();
    expect(await refusal(bomb)).toMatchObject({ code: 'audit/ledger', path: 'part:1' });
    const late = cutShort(`${ledger([head, ...rows])}{}\n${'x\n'.repeat(1 << 20)}`);
    expect(await refusal(late)).toMatchObject({ code: 'audit/ledger', path: 'part:5' });
  });

  it('is unpacked no further than a line or a part can be long', async () => {
    expect(await refusal(cutShort('x'.repeat(1 << 25)))).toMatchObject({
      code: expect.stringMatching(/^audit\//),
      message: expect.stringContaining('at most'),
    });
    const wide = [1, 2, 3].map((seqno) => failure(seqno, { pad: 'x'.repeat(1 << 23) }));
    expect(await refusal(cutShort(ledger([head, ...wide])))).toMatchObject({
      code: 'audit/queue',
      message: expect.stringContaining('at most'),
    });
  });

  it.each([
    ['no text', 7, 'audit/queue'],
    ['nothing that unpacks', 'x', 'audit/queue'],
    ['a part of a row too few', gzipSync(ledger([head, ...rows.slice(1)])).toString('base64'), 'audit/ledger'],
    ['an unfinished one', gzipSync(ledger([head, ...rows.slice(0, 2)])).toString('base64'), 'audit/queue'],
    ['one with a line begun', gzipSync(`${ledger([head, ...rows])}{`).toString('base64'), 'audit/queue'],
    ['an empty one', gzipSync('').toString('base64'), 'audit/queue'],
  ])('is refused as %s', async (_, packed, code) => {
    expect(await refusal(packed)).toMatchObject({ code });
  });

  it.each([
    ['range', { ...head, to: 4 }],
    ['signEvery', { ...head, signEvery: 2 }],
    ['whole', { ...head, whole: { from: 1, to: 9 } }],
    ['threshold', { ...head, policy: { ...head.policy, threshold: '3/4' } }],
    ['defects', { ...head, policy: { ...head.policy, onDefect: 'ignore' } }],
    ['trust', { ...head, trust: { kind: 'given', set: NO_HASH } }],
    ['a member that nobody knows', { ...head, more: 1 }],
  ] as const)('is refused where its %s is not that of the plan', async (_, other) => {
    const lines = [other as AuditPlan, ...rows, ...(other.to === 4 ? [failure(4)] : [])];
    expect(await refusal(await packPart(ledger(lines)))).toMatchObject({ code: 'audit/plan' });
  });
});

describe('a job', () => {
  it('is read as a part, and refused as anything else', () => {
    expect(readFleetPart(JSON.parse(JSON.stringify(part)))).toEqual(part);
    const far = { ...head, to: head.from + 200_000 };
    for (const data of [null, 7, {}, { head }, { head: rows[0], maxFailures: 1 }, { head, maxFailures: 1.5 }]) {
      expect(() => readFleetPart(data)).toThrow(expect.objectContaining({ code: 'audit/queue' }));
    }
    expect(() => readFleetPart({ head: far, maxFailures: 1 })).toThrow(/at most 100000 blocks/);
  });
});
