/** Audits of a little chain over servers, with the waits that these cost: the rows that files give. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { auditFiles } from '../../../src/app/audit/file-source.ts';
import { auditServers } from '../../../src/app/audit/http-source.ts';
import { type AuditBlock, seqnoOf } from '../../../src/app/audit/ledger-lines.ts';
import { auditLite } from '../../../src/app/audit/lite-source.ts';
import { createPace } from '../../../src/net/async/pace.ts';
import { connectLite } from '../../../src/net/lite/client.ts';
import { firstOf } from '../../../src/net/sources/first-of.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { auditChain, FIRST_UTIME, httpChain, scratch, writeFolder } from '../../helpers/audit-chain.ts';
import { rowsOf, tally } from '../../helpers/audit-rows.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteFlags } from '../../helpers/lite-cli.ts';
import { startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { toAnswer } from '../../helpers/make-block.ts';
import { signBlock } from '../../helpers/make-chain.ts';
import { startOf } from '../../helpers/networks.ts';
import { type StandIn, startStandIn } from '../../helpers/stand-in.ts';
import type { RecordedBlock } from '../../helpers/stand-in-chain.ts';

const place = scratch();
afterAll(place.remove);

const chain = auditChain();
const common = { from: 1, to: 45, checkpoint: startOf(chain) } as const;

const wholeRows = await rowsOf({ ...common, blocks: auditFiles(writeFolder(chain, place.next('blocks'))) });

describe('an audit over servers', () => {
  const pace = createPace({ requestsPerSecond: 1000, concurrency: 8 });

  it('over HTTP covers one epoch, leaves numbers unbound, and outlives faults that end', async () => {
    const standIn = await startStandIn({ chain: httpChain(chain) });
    try {
      const faults = ['502-html', 'connection-reset', 'rate-limit-error', '503'] as const;
      const met = new Set<string>();
      standIn.chooseFault = (operation, seqno) => {
        const key = `${operation} ${seqno}`;
        if (met.has(key) || seqno % 3 !== 0) return undefined;
        met.add(key);
        return faults[seqno % 4];
      };
      const v2 = toncenterV2({ baseUrl: `${standIn.origin}/api/v2`, pace, retries: 3 });
      const blocks = auditServers(v2, { header: v2.header });
      const out = place.next();
      const rows = (await rowsOf({ ...common, to: 25, blocks, out })) as AuditBlock[];
      // Key block 10 is the last that the zerostate's set signs; of these, 5 and 10 are ordinary.
      expect(tally(rows)).toEqual({ final: 8, 'unbound-id': 2, 'wrong-validator-set': 15 });
      expect(rows[4]).toMatchObject({ bound: ['rootHash', 'fileHash'], header: null });
      const accepted = await rowsOf({ ...common, to: 10, acceptUnbound: true, blocks });
      expect(tally(accepted)).toEqual({ final: 10 });
      standIn.chooseFault = (_, seqno) => (seqno === 4 ? '500' : undefined);
      const missing = await rowsOf({ ...common, to: 6, blocks });
      expect(tally(missing)).toMatchObject({ final: 4, 'unbound-id': 1 });
      expect(missing[3]).toMatchObject({ type: 'failure', seqno: 4 });
    } finally {
      await standIn.close();
    }
  });

  it('over lite servers proves headers and sets, and gives the rows that files give', async () => {
    const standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
    const client = connectLite(liteFlags(standIn)[1]!);
    try {
      const blocks = auditLite([client], { acceptStaleStart: true });
      const rows = (await rowsOf({ ...common, from: 5, to: 34, blocks })) as AuditBlock[];
      expect(tally(rows)).toEqual({ final: 30 });
      expect(rows.map(({ block }) => block)).toEqual(
        (wholeRows as AuditBlock[]).slice(4, 34).map(({ block }) => block),
      );
      expect(rows.every(({ bound, setCheck }) => bound.length === 5 && setCheck === 'match')).toBe(true);
      const linked = (await rowsOf({ ...common, from: 5, to: 34, signEvery: 7, blocks })) as AuditBlock[];
      expect(tally(linked)).toEqual({ final: 30 });
      expect(linked.filter(({ kind }) => kind !== null).map(seqnoOf)).toEqual([10, 11, 18, 20, 25, 30, 32, 34]);
      await expect(rowsOf({ ...common, from: 12, to: 14, blocks: auditLite([client]) })).rejects.toMatchObject({
        code: 'trust/stale-start',
      });
    } finally {
      client.close();
      await standIn.close();
    }
  });
});

describe('signatures that may be those of an older block', () => {
  const long = new LiteChain({ length: 48, keyEvery: 100, firstUtime: FIRST_UTIME, name: 'audit' });
  const standIns: StandIn[] = [];
  afterEach(async () => {
    for (const one of standIns.splice(0)) await one.close();
  });

  /** A server whose signatures are simplex from this block on; in place of those that it lies about, the first block's. */
  async function server(
    simplexFrom: number,
    liesAbout: (seqno: number) => boolean = () => false,
    of = long,
  ): Promise<StandIn> {
    const all = httpChain(of);
    const signaturesOf = (seqno: number) => {
      const block = of.blocks.get(seqno)!;
      const kind = seqno < simplexFrom ? 'ordinary' : 'simplex';
      return toAnswer(signBlock(block, block.form.signedBy, kind, 3)) as RecordedBlock['signatures'];
    };
    const blocks = new Map<number, RecordedBlock>();
    for (const [seqno, block] of all.blocks) {
      const given = signaturesOf(liesAbout(seqno) ? 1 : seqno);
      blocks.set(seqno, { ...block, signatures: { ...given, id: { ...given.id, seqno } } });
    }
    const standIn = await startStandIn({ chain: { ...all, blocks } });
    standIns.push(standIn);
    return standIn;
  }

  async function tallyOver(servers: readonly StandIn[], of = long, { from = 1, hasHeaders = of !== long } = {}) {
    const pace = createPace({ requestsPerSecond: 1000, concurrency: 8 });
    const sources = servers.map(({ origin }) => toncenterV2({ baseUrl: `${origin}/api/v2`, pace, retries: 0 }));
    const header = hasHeaders ? sources.map((source) => source.header) : []; // `long` has one set
    const blocks = auditServers(firstOf(sources), { header });
    return tally(await rowsOf({ from, to: 48, checkpoint: startOf(of), blocks }));
  }

  it('are asked of the other servers, wherever these have signatures that cover the number', async () => {
    const liar = await server(4, () => true);
    expect(await tallyOver([liar, await server(4)])).toEqual({ 'unbound-id': 3, final: 45 });
  });

  it('are asked of the other servers below the blocks of the next set', async () => {
    const short = new LiteChain({ length: 48, keyEvery: 40, firstUtime: FIRST_UTIME, name: 'audit' });
    const [liar, honest] = [await server(4, () => true, short), await server(4, () => false, short)];
    expect(await tallyOver([liar, honest], short)).toEqual({ 'unbound-id': 3, final: 37, 'wrong-validator-set': 8 });
    const batch = await tallyOver([liar, honest], short, { from: 33, hasHeaders: false });
    expect(batch).toEqual({ 'unbound-id': 8, final: 8 });
  });

  it('are asked of the other servers below a block that one of these does not give', async () => {
    const [liar, honest] = [await server(4, () => true), await server(4)];
    honest.chooseFault = (operation, seqno) => (seqno % 16 === 0 && /sign/i.test(operation) ? '500' : undefined);
    expect(await tallyOver([liar, honest])).toEqual({ 'unbound-id': 3, final: 42, 'source/server': 3 });
  });

  it('cost one question a batch where every server is honest, and none has better ones', async () => {
    const [one, two] = [await server(100), await server(100)];
    expect(await tallyOver([one, two])).toEqual({ 'unbound-id': 48 });
    expect([one.seen.length, two.seen.length]).toEqual([48, 3]);
  });

  it('cost two questions a batch where the other server has none of the blocks', async () => {
    const [one, two] = [await server(100), await server(100)];
    two.chooseFault = () => 'not-ready';
    expect(await tallyOver([one, two])).toEqual({ 'unbound-id': 48 });
    expect([one.seen.length, two.seen.length]).toEqual([48, 6]);
  });

  it('are no verdict on a block while a server cannot be asked, if signatures of an earlier one cover its number', async () => {
    const [liar, honest] = [await server(4, (seqno) => seqno === 2 || seqno === 9), await server(4)];
    honest.chooseFault = () => '500';
    expect(await tallyOver([liar, honest])).toEqual({ 'unbound-id': 3, final: 44, 'source/server': 1 });
  });
});
