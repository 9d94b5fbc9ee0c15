/** Audits of a little chain over servers, with the waits that these cost: the rows that files give. */
import { afterAll, describe, expect, it } from 'vitest';
import { auditFiles } from '../../../src/app/audit/file-source.ts';
import { auditServers } from '../../../src/app/audit/http-source.ts';
import { type AuditBlock, seqnoOf } from '../../../src/app/audit/ledger-lines.ts';
import { auditLite } from '../../../src/app/audit/lite-source.ts';
import { createPace } from '../../../src/net/async/pace.ts';
import { connectLite } from '../../../src/net/lite/client.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { auditChain, httpChain, scratch, writeFolder } from '../../helpers/audit-chain.ts';
import { rowsOf, tally } from '../../helpers/audit-rows.ts';
import { liteFlags } from '../../helpers/lite-cli.ts';
import { startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';
import { startStandIn } from '../../helpers/stand-in.ts';

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
