/**
 * A threshold above 2/3, and a key block that does not reach it: nothing leads past that block, from files or over lite servers, in
 * one go, after any end, in parts, or begun beyond it.
 */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditOptions } from '../../../src/app/audit/audit-options.ts';
import { auditRange } from '../../../src/app/audit/audit-range.ts';
import type { AuditSource } from '../../../src/app/audit/audit-source.ts';
import { auditFiles } from '../../../src/app/audit/file-source.ts';
import { type AuditRow, seqnoOf } from '../../../src/app/audit/ledger-lines.ts';
import { auditLite } from '../../../src/app/audit/lite-source.ts';
import { mergeLedgers } from '../../../src/app/audit/merge-ledgers.ts';
import { partOfRange } from '../../../src/app/audit/split-range.ts';
import { connectLite, type LiteServerClient } from '../../../src/net/lite/client.ts';
import { FIRST_UTIME, scratch, text } from '../../helpers/audit-chain.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { toAnswer } from '../../helpers/make-block.ts';
import { signBlock } from '../../helpers/make-chain.ts';
import { startOf } from '../../helpers/networks.ts';
import { rememberingEngine } from '../../helpers/remembering-engine.ts';

const LENGTH = 25;
const engine = rememberingEngine();
const place = scratch();
afterAll(place.remove);

/** All four sign, but for one key block: there 75 % of the weight. */
const weakAt = (weak: number) => (seqno: number) => (seqno === weak ? 3 : 4);

function linesOf(chain: LiteChain, signersOf: (seqno: number) => number): string {
  const file = place.next('blocks.ndjson');
  const lines = [...chain.blocks].map(([seqno, block]) => {
    const answer = toAnswer(signBlock(block, block.form.signedBy, 'simplex', signersOf(seqno)));
    return `${JSON.stringify({ answer, block: Buffer.from(block.boc).toString('base64') })}\n`;
  });
  writeFileSync(file, lines.join(''));
  return file;
}

const word = (row: AuditRow): string => {
  if (row.type === 'failure') return row.code;
  return row.verdict.status === 'undecided' ? row.verdict.reason : row.verdict.status;
};

describe.each([10, 20])('key block %i with 75 %% of the weight, under a threshold of 9/10', (weak) => {
  const signersOf = weakAt(weak);
  const chain = new LiteChain({ length: LENGTH, firstUtime: FIRST_UTIME, name: 'audit', signersOf });
  const sources = new Map<string, AuditSource>([['files', auditFiles(linesOf(chain, signersOf))]]);
  const ends: (() => unknown)[] = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });
  beforeAll(async () => {
    const { server, close } = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
    const client: LiteServerClient = connectLite(server);
    ends.push(() => client.close(), close);
    sources.set('lite servers', auditLite([client], { acceptStaleStart: true }));
  });

  async function audit(opts: Partial<AuditOptions>, from: string): Promise<AuditRow[]> {
    const threshold = { num: 9n, den: 10n };
    const common = { from: 1, to: LENGTH, checkpoint: startOf(chain), threshold, engine };
    const rows: AuditRow[] = [];
    for await (const row of auditRange({ ...common, blocks: sources.get(from)!, ...opts })) rows.push(row);
    return rows;
  }

  const expected = (seqno: number) =>
    seqno < weak ? 'final' : seqno === weak ? 'insufficient' : 'wrong-validator-set';

  describe.each(['files', 'lite servers'])('from %s', (from) => {
    it.each([1, 6])('leads no further, in one go, resumed, or in parts, with --sign-every %i', async (signEvery) => {
      const out = place.next();
      const rows = await audit({ out, signEvery }, from);
      if (signEvery === 1)
        for (const row of rows) expect([seqnoOf(row), word(row)]).toEqual([seqnoOf(row), expected(seqnoOf(row))]);
      expect(rows.filter((row) => word(row) === 'final' && seqnoOf(row) >= weak)).toEqual([]);
      const whole = text(out);
      const lines = whole.split('\n');
      for (const left of [weak - 1, weak + 1, weak + 3]) {
        const cut = place.next();
        writeFileSync(cut, lines.slice(0, left).join('\n')); // ends in the middle of a line
        await audit({ out: cut, signEvery }, from);
        expect(text(cut) === whole).toBe(true);
      }
      const range = { from: 1, to: LENGTH };
      const parts: string[] = [];
      for (const index of [1, 2]) {
        const part = place.next();
        await audit({ ...partOfRange(range, index, 2, signEvery), whole: range, out: part, signEvery }, from);
        parts.push(part);
      }
      const merged = place.next();
      await mergeLedgers(parts, merged);
      expect(text(merged) === whole).toBe(true);
    });

    it('installs nothing for an audit that begins beyond it', async () => {
      const rows = await audit({ from: weak + 1 }, from);
      expect(new Set(rows.map(word))).toEqual(new Set(['wrong-validator-set']));
    });

    it('installs its set where two thirds are enough', async () => {
      const rows = await audit({ from: weak + 1, threshold: { num: 2n, den: 3n } }, from);
      expect(new Set(rows.map(word))).toEqual(new Set(['final']));
    });
  });
});

it('asks a server that was put out on the way to a key block nothing more', async () => {
  const chain = new LiteChain({ length: LENGTH, firstUtime: FIRST_UTIME, name: 'audit' });
  const stranger = new LiteChain({ length: LENGTH, firstUtime: FIRST_UTIME, name: 'stranger' });
  const network = { rootHash: chain.zerostateId.rootHash, fileHash: chain.zerostateId.fileHash };
  const [liar, honest] = await Promise.all(
    [stranger, chain].map((one) => startLiteStandIn({ answer: (asked) => one.answer(asked) })),
  );
  const clients = [liar!, honest!].map(({ server }) => connectLite(server, { network }));
  const source = auditLite(clients, { acceptStaleStart: true });
  const { signal } = new AbortController();
  try {
    await source.lead!(startOf(chain), LENGTH, { num: 2n, den: 3n }, signal);
    const before = liar!.asked.length;
    expect(before).toBeGreaterThan(0);
    const { signed } = await source.open({ from: 1, to: LENGTH, first: 1, signEvery: 1 }, signal);
    for (const seqno of [3, 4, 5]) await signed(seqno, signal);
    expect(liar!.asked).toHaveLength(before);
  } finally {
    for (const client of clients) client.close();
    await Promise.all([liar!.close(), honest!.close()]);
  }
});
