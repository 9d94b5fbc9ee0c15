/** An audit over several servers accuses nobody on the word of one: bad signatures are asked of the next server first, as by verify and follow. */
import { describe, expect, it } from 'vitest';
import type { AuditRow } from '../../../src/audit/row.ts';
import { auditRange } from '../../../src/audit/run.ts';
import { auditServers } from '../../../src/audit/servers.ts';
import { SourceError } from '../../../src/base/errors.ts';
import { opensslEngine } from '../../../src/ed25519/openssl.ts';
import type { BlockSource } from '../../../src/sources/block-source.ts';
import { firstOf } from '../../../src/sources/first-and-race.ts';
import { quorumOf } from '../../../src/sources/quorum-source.ts';
import { corrupted, makeSignedSet, toAnswer, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const SIGNERS = makeSigners([1n, 1n, 1n, 1n]);
const OTHERS = makeSigners([2n, 2n, 2n, 2n], 'next');
const validators = makeSet(SIGNERS, { utimeUntil: 2_000_000_000 });

type Kind = 'good' | 'rejected' | 'insufficient' | 'strangers' | 'unreadable' | 'down';

function answerOf(kind: Kind, seqno: number): unknown {
  const good = makeSignedSet('simplex', SIGNERS, seqno);
  const [first, second] = good.signatures;
  switch (kind) {
    case 'good':
      return toAnswer(good);
    case 'rejected':
      return toAnswer(withEntries(good, [corrupted(first!), ...good.signatures.slice(1)]));
    case 'insufficient':
      return toAnswer(withEntries(good, [first!, second!]));
    case 'strangers':
      return toAnswer(makeSignedSet('simplex', OTHERS, seqno));
    case 'unreadable':
      return { ok: true, result: { signatures: 5 } };
    default:
      throw new SourceError('source/upstream', 'no connection');
  }
}

function server(name: string, kind: Kind) {
  const asked: number[] = [];
  const source: BlockSource & { readonly asked: number[] } = {
    name,
    asked,
    latestSeqno: async () => 109,
    signatures: async (seqno) => {
      asked.push(seqno);
      return answerOf(kind, seqno);
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
    ['unreadable', 'decode/shape'],
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
