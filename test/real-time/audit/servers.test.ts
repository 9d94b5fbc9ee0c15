/** An audit over several servers accuses nobody on the word of one: bad signatures are asked of the next server first, as by verify and follow. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { auditRange } from '../../../src/app/audit/audit-range.ts';
import { type AskHeader, auditServers } from '../../../src/app/audit/http-source.ts';
import { BatchJudge } from '../../../src/app/audit/judge-batch.ts';
import { type AuditRow, seqnoOf } from '../../../src/app/audit/ledger-lines.ts';
import { type AuditLiteOptions, auditLite } from '../../../src/app/audit/lite-source.ts';
import type { HeaderOfRow } from '../../../src/app/audit/report-to-row.ts';
import type { SetBook } from '../../../src/app/audit/set-book.ts';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { type FinalityError, SourceError } from '../../../src/core/base/errors.ts';
import { parseSignatureList, type SignatureList } from '../../../src/core/block/signature-list.ts';
import { validatorSetAt } from '../../../src/core/chain/checkpoint.ts';
import { opensslEngine } from '../../../src/core/ed25519/openssl.ts';
import { resolvePolicy } from '../../../src/core/verify/policy.ts';
import { connectLite } from '../../../src/net/lite/client.ts';
import type { BlockSource } from '../../../src/net/sources/block-source.ts';
import { firstOf } from '../../../src/net/sources/first-of.ts';
import { quorumOf } from '../../../src/net/sources/quorum-of.ts';
import { answerOf, auditChain, FIRST_UTIME } from '../../helpers/audit-chain.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { type LiteStandIn, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { type SignedAs, signedAs } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';
import { startOf } from '../../helpers/networks.ts';

const SIGNERS = makeSigners([1n, 1n, 1n, 1n]);
const OTHERS = makeSigners([2n, 2n, 2n, 2n], 'next');
const validators = makeSet(SIGNERS, { utimeUntil: 2_000_000_000 });

type Kind = SignedAs | 'unreadable' | 'down';

function setOf(kind: Kind, seqno: number): SignatureList {
  if (kind === 'unreadable') return { ok: true, result: { signatures: 5 } } as never;
  if (kind === 'down') throw new SourceError('source/upstream', 'no connection');
  return signedAs(kind, SIGNERS, OTHERS, seqno);
}

function server(name: string, kind: Kind) {
  const asked: number[] = [];
  const source: BlockSource & { readonly asked: number[] } = {
    name,
    asked,
    latestSeqno: async () => 109,
    signatures: async (seqno) => {
      asked.push(seqno);
      return { signatures: setOf(kind, seqno), source: name };
    },
  };
  return source;
}

async function rowsOf(source: BlockSource, to = 110): Promise<string[]> {
  const rows = auditRange({
    from: 100,
    to,
    blocks: auditServers(source),
    validators,
    acceptUnbound: true,
    maxFailures: 100,
    engine: opensslEngine,
  });
  const said: string[] = [];
  const word = (row: AuditRow) =>
    row.type === 'failure' ? row.code : 'reason' in row.verdict ? row.verdict.reason : row.verdict.status;
  for await (const row of rows) said.push(word(row));
  return said;
}

const all = (word: string) => Array.from({ length: 11 }, () => word);

describe('signatures that are no good', () => {
  it.each(['rejected', 'insufficient', 'strangers', 'unreadable'] as const)(
    'are asked of the next server before a row says so: %s',
    async (kind) => {
      const [liar, honest] = [server('liar', kind), server('honest', 'good')];
      expect(await rowsOf(firstOf([liar, honest]))).toEqual(all('final'));
      expect(honest.asked).toHaveLength(11);
    },
  );

  it.each([
    ['rejected', 'rejected'],
    ['insufficient', 'insufficient'],
    ['strangers', 'no-known-signer'],
    ['unreadable', 'source/malformed'],
  ] as const)('of all servers are the verdict of the first: %s', async (kind, word) => {
    const servers = [server('one', kind), server('two', kind), server('three', kind)];
    expect(await rowsOf(firstOf(servers))).toEqual(all(word));
    for (const { asked } of servers) expect(asked).toHaveLength(11);
  });

  it('the first of several is the one that the row is about', async () => {
    expect(await rowsOf(firstOf([server('one', 'rejected'), server('two', 'insufficient')]))).toEqual(all('rejected'));
  });

  it('accuse nobody while another server cannot be asked: the block is tried again later', async () => {
    const servers = [server('liar', 'rejected'), server('gone', 'down')];
    expect(await rowsOf(firstOf(servers))).toEqual(all('source/upstream'));
  });

  it('of one server among those that agree on the block do not count', async () => {
    const servers = [server('liar', 'rejected'), server('one', 'good'), server('two', 'good')];
    expect(await rowsOf(quorumOf(servers, 2))).toEqual(all('final'));
  });

  it('are not looked for where there is nobody else to ask', async () => {
    const one = server('one', 'rejected');
    expect(await rowsOf(one)).toEqual(all('rejected'));
    expect(one.asked).toHaveLength(11);
  });

  it('bring those who gave them behind the others', async () => {
    const [liar, honest] = [server('liar', 'rejected'), server('honest', 'good')];
    expect(await rowsOf(firstOf([liar, honest]), 300)).toHaveLength(201);
    expect(liar.asked.length).toBeLessThan(60);
  });
});

describe('over lite servers', () => {
  const chain = new LiteChain({ length: 12, firstUtime: 1_700_000_000, name: 'audit' });
  const forged = new LiteChain({ length: 12, firstUtime: 1_700_000_000, name: 'forged' });

  async function over(chains: readonly LiteChain[], signEvery: number): Promise<readonly AuditRow[]> {
    const servers = await Promise.all(chains.map((of) => startLiteStandIn({ answer: (asked) => of.answer(asked) })));
    const clients = servers.map(({ server }) => connectLite(server));
    try {
      const rows: AuditRow[] = [];
      const validatorsOfStart = validatorSetAt(startOf(chain));
      for await (const row of auditRange({
        from: 1,
        to: 9,
        blocks: auditLite(clients),
        validators: validatorsOfStart,
        signEvery,
        maxFailures: 100,
        engine: opensslEngine,
      }))
        rows.push(row);
      return rows;
    } finally {
      for (const client of clients) client.close();
      for (const server of servers) await server.close();
    }
  }
  const isFinal = (row: AuditRow) => row.type === 'block' && row.verdict.status === 'final';

  it('blocks of another chain are asked of the next server', async () => {
    const rows = await over([forged, chain], 1);
    expect(rows.filter(isFinal)).toHaveLength(9);
  });

  it('a block in the place of another one makes none below it final that the first one led to', async () => {
    const rows = await over([forged, chain], 7);
    const hash = (seqno: number) => encodeHex(chain.id(seqno).rootHash);
    for (const row of rows)
      if (row.type === 'block' && isFinal(row)) expect(row.block.rootHash).toBe(hash(seqnoOf(row)));
    expect((await over([chain, forged], 7)).filter(isFinal)).toHaveLength(9);
  });
});

describe('blocks that validators without stakes signed', () => {
  const chain = auditChain(30);
  /** From block 6 on it is made with the same keys. */
  const second = new LiteChain({ length: 30, firstUtime: FIRST_UTIME, name: 'audit', forkAt: 6 });
  const servers: LiteStandIn[] = [];
  /** The error that ended the last audit. */
  let ended: unknown;
  afterEach(async () => {
    for (const one of servers.splice(0)) await one.close();
  });

  /** @returns the numbers of the final rows, all of which have the mark, and the code of the error that ended the audit */
  async function over(
    chains: readonly LiteChain[],
    [from, to]: readonly [number, number],
    opts: AuditLiteOptions = {},
  ) {
    for (const of of chains) servers.push(await startLiteStandIn({ answer: (asked) => of.answer(asked) }));
    const clients = servers.map(({ server }) => connectLite(server));
    const blocks = auditLite(clients, { countEachServer: true, ...opts });
    const seqnos: number[] = [];
    try {
      const rows = auditRange({ from, to, blocks, checkpoint: startOf(chain), engine: opensslEngine });
      for await (const row of rows) {
        if (row.type !== 'block' || row.verdict.status !== 'final') continue;
        expect(row.staleStart).toBe('accepted');
        seqnos.push(seqnoOf(row));
      }
      return { seqnos, code: undefined };
    } catch (error) {
      ended = error;
      return { seqnos, code: (error as FinalityError).code };
    } finally {
      for (const client of clients) client.close();
    }
  }
  const to = (from: number, last: number) => Array.from({ length: last - from + 1 }, (_, n) => from + n);

  it.each([[2, 9] as const, [2, 12] as const, [2, 25] as const])(
    'have no row before two more servers name them: %i to %i',
    async (from, last) => {
      expect(await over([chain], [from, last])).toEqual({ seqnos: [], code: 'trust/stale-start' });
    },
  );

  it('have rows where two more servers name them, or a stale start is accepted', async () => {
    expect(await over([chain, chain, chain], [2, 25])).toEqual({ seqnos: to(2, 25), code: undefined });
    expect(await over([chain], [2, 25], { acceptStaleStart: true })).toEqual({ seqnos: to(2, 25), code: undefined });
  });

  it('are held to others at every place where the next final block does not name them', async () => {
    const compared: number[] = [];
    const compare: SetBook['compare'] = async (_, { signatures }) => {
      compared.push(signatures.blockId.seqno);
    };
    const book = { setFor: async () => validators, compare } as unknown as SetBook; // nothing else of it is asked
    const judge = new BatchJudge(opensslEngine, resolvePolicy({ acceptUnbound: true }), book);
    const block = (seqno: number, as: SignedAs, follows = seqno - 1) => {
      const parent = signedAs('good', SIGNERS, OTHERS, follows).blockId;
      const header = { source: 'given', globalId: -777, genUtime: FIRST_UTIME, keyBlock: false, prevKeyBlockSeqno: 0 };
      const known = { header, parent } as unknown as HeaderOfRow; // the rest of the header does not count here
      const signatures = signedAs(as, SIGNERS, OTHERS, seqno);
      return { type: 'signed' as const, seqno, signatures, known, proofs: [], from: 'one' };
    };
    const blocks = [block(100, 'good'), block(101, 'good'), block(102, 'good', 90), block(103, 'insufficient')];
    const { final } = await (await judge.begin(blocks, new AbortController().signal))();
    judge.close();
    expect([...final]).toEqual([100, 101, 102]);
    expect(compared.sort()).toEqual([101, 102]);
  });

  it('are not of the one server that has made them with old keys', async () => {
    const { seqnos, code } = await over([second, chain, chain, chain], [2, 9]);
    expect(seqnos).toEqual([]);
    expect(code).toMatch(/^(source\/disagree|trust\/stale-start)$/);
  });

  it('end an audit with the names of the servers, if one of them contradicts the others', async () => {
    expect(await over([chain, chain, chain, second], [2, 9])).toEqual({ seqnos: [], code: 'trust/stale-start' });
    const { message, hint } = ended as FinalityError;
    expect(message).toContain(`${servers.at(-1)!.server.port}`);
    expect(message).not.toContain('fewer than two');
    expect(hint).toContain('--without SERVER');
    expect(hint).not.toContain('--accept-stale-start');
  });

  it('end an audit with the name of the server that gave a block which it denies when it is compared', async () => {
    let questions = 0;
    // A lookup, the zerostate and a proof are the forged block.
    servers.push(await startLiteStandIn({ answer: (asked) => (questions++ < 3 ? second : chain).answer(asked) }));
    const { seqnos, code } = await over([chain, chain, chain], [7, 7]);
    expect([seqnos, code]).toEqual([[], 'source/disagree']);
    expect((ended as FinalityError).message).toContain(`${servers[0]!.server.port}`);
  });
});

describe('over HTTP a header', () => {
  const TO = 300;
  const chain = new LiteChain({ length: TO, keyEvery: 100, firstUtime: FIRST_UTIME, name: 'audit' });

  /** A server that claims these key blocks. */
  function claims(of: (seqno: number) => number) {
    const asked: number[] = [];
    const header: AskHeader = async (seqno) => {
      asked.push(seqno);
      return { prevKeyBlockSeqno: of(seqno) };
    };
    return { asked, header };
  }
  const honest = () => claims((seqno) => chain.blocks.get(seqno)!.form.prevKeyBlockSeqno);
  const silent = () =>
    claims(() => {
      throw new SourceError('source/upstream', 'no connection');
    });

  /** @returns how many rows say what */
  async function tallyOver(servers: readonly ReturnType<typeof claims>[], to: number) {
    const source: BlockSource = {
      name: 'one',
      latestSeqno: async () => TO,
      signatures: async (seqno) => ({
        signatures: parseSignatureList({ ok: true, result: answerOf(chain.blocks.get(seqno)!) }),
        source: 'one',
      }),
    };
    const blocks = auditServers(source, { header: servers.map(({ header }) => header) });
    const said: Record<string, number> = {};
    const trust = { checkpoint: startOf(chain), engine: opensslEngine };
    for await (const row of auditRange({ from: 1, to, blocks, ...trust, acceptUnbound: true })) {
      if (row.type === 'failure') continue;
      const word = 'reason' in row.verdict ? row.verdict.reason : row.verdict.status;
      said[word] = (said[word] ?? 0) + 1;
    }
    return said;
  }

  it('rules out a set where all servers claim so', async () => {
    const all = { final: 100, 'wrong-validator-set': 10 };
    expect(await tallyOver([honest()], 110)).toEqual(all);
    expect(await tallyOver([honest(), honest()], 110)).toEqual(all);
    expect(await tallyOver([honest(), silent()], 110)).toEqual(all);
    expect(await tallyOver([silent(), honest()], 110)).toEqual(all);
  });

  it('of one server rules out no set that a header of another server names', async () => {
    const lie = () => claims((seqno) => (seqno > 40 ? 40 : 0));
    expect(await tallyOver([lie()], 50)).toEqual({ final: 40, 'wrong-validator-set': 10 });
    for (const servers of [
      [lie(), honest()],
      [honest(), lie()],
      [lie(), silent(), honest()],
    ]) {
      expect(await tallyOver(servers, 50)).toEqual({ final: 50 });
    }
  });

  it.each([
    ['a key block that is not before the block', (seqno: number) => seqno],
    ['an earlier key block for a later block', (seqno: number) => TO - seqno],
  ])('is a lie that brings the next server to be asked if it names %s', async (_, lie) => {
    const from = (seqno: number) => (seqno === 1 ? 0 : lie(seqno));
    await expect(tallyOver([claims(from)], 250)).rejects.toMatchObject({ code: 'source/wrong-block' });
    expect(await tallyOver([claims(from), honest()], 50)).toEqual({ final: 50 });
  });

  it('is not waited for where its server is slow, and another server can be asked', async () => {
    const slow = (ms: number) => {
      const one = honest();
      const header: AskHeader = async (seqno, opts) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return await one.header(seqno, opts);
      };
      return { ...one, header };
    };
    const all = { final: 100, 'wrong-validator-set': 10 };
    for (const servers of [
      [slow(9_000), honest()],
      [slow(1e9), honest()],
      [honest(), slow(9_000)],
      [honest(), slow(1e9)],
    ]) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      const startMs = performance.now();
      let tally: Record<string, number> | undefined;
      void tallyOver(servers, 110).then((said) => {
        tally = said;
      });
      while (tally === undefined && performance.now() - startMs < 200_000) await vi.advanceTimersByTimeAsync(1_000);
      const tookMs = performance.now() - startMs;
      vi.useRealTimers();
      expect(tally).toEqual(all);
      expect(tookMs).toBeLessThan(45_000);
    }
  });

  it('that makes up a key block for every block costs a few questions, where another server can be asked', async () => {
    const liar = claims((seqno) => seqno - 1);
    expect(await tallyOver([liar, honest()], TO)).toEqual({ final: 100, 'wrong-validator-set': 200 });
    expect(liar.asked.length).toBeLessThan(60);
    const second = claims((seqno) => seqno - 1);
    expect(await tallyOver([honest(), second], TO)).toEqual({ final: 100, 'wrong-validator-set': 200 });
    expect(second.asked.length).toBeLessThan(60);
  });
});

describe('a server whose set could not be proven', () => {
  it.each([
    ['a set that is not reached at first', 'good' as const, 0],
    ['bad signatures', 'rejected' as const, 1],
  ])('is blamed for its own faults only: %s', async (_, kind, times) => {
    let led = 0;
    let blamed = 0;
    const blame = () => {
      blamed += 1;
    };
    const setFor = async () => {
      led += 1;
      if (led === 1 && kind === 'good') throw new SourceError('source/upstream', 'no connection');
      return validators;
    };
    const book = { setFor, compare: async () => {} } as unknown as SetBook; // nothing else of it is asked
    const judge = new BatchJudge(opensslEngine, resolvePolicy({ acceptUnbound: true }), book);
    const block = (from: string, as: SignedAs) => ({
      ...{
        type: 'signed' as const,
        seqno: 100,
        signatures: signedAs(as, SIGNERS, OTHERS, 100),
        proofs: [],
        from,
        blame,
      },
      another: async () => (from === 'one' ? block('two', 'good') : undefined),
    });
    const { signal } = new AbortController();
    const { items, rows } = await (await judge.begin([block('one', kind)], signal))();
    judge.close();
    expect(rows[0]).toMatchObject({ verdict: { status: 'final' } });
    expect(items[0]).toMatchObject({ from: 'two' });
    expect(blamed).toBe(times);
  });
});
