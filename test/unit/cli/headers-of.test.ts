/** Headers of followed blocks: which servers are asked, for how long, and which one is blamed for another block. */
import { describe, expect, it } from 'vitest';
import { headersOf, type V2Server } from '../../../src/app/cli/servers/http-servers.ts';
import { SourceError } from '../../../src/core/base/errors.ts';
import type { SignatureList } from '../../../src/core/block/signature-list.ts';
import { toncenter } from '../../../src/servers.ts';
import { blockIdToAnswer, makeBlockId, makeSignedSet } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([1n, 1n, 1n, 1n]);
const strangers = makeSigners([1n, 1n, 1n, 1n], 'strangers');

function headerOf(fork: number) {
  const id = makeSignedSet('simplex', signers, 7, fork).blockId;
  const numbers = { global_id: -239, version: 0, min_ref_mc_seqno: 1, prev_key_block_seqno: 1, gen_utime: 1 };
  const flags = { after_merge: false, after_split: false, before_split: false, want_merge: false, want_split: false };
  return toncenter.raw.parseBlockHeader({
    ok: true,
    result: {
      ...{ '@type': 'blocks.header', id: blockIdToAnswer(id), ...numbers, ...flags, is_key_block: false },
      ...{ validator_list_hash_short: 5, catchain_seqno: 0, start_lt: '1', end_lt: '2' },
      prev_blocks: [blockIdToAnswer(makeBlockId(6))],
    },
  });
}

const none = async (): Promise<never> => {
  throw new SourceError('source/not-ready', 'no header');
};

function server(name: string, header: V2Server['header'], waitMs = 0): V2Server {
  return { name, waitMs: () => waitMs, header, latestSeqno: none, signatures: none, configParam: none };
}

function headers(servers: readonly V2Server[]) {
  const told: (readonly string[] | undefined)[] = [];
  const telling = {
    onTrouble() {},
    onWarning: ({ servers: names }: { servers?: readonly string[] }) => told.push(names),
  };
  const ask = headersOf(servers, makeSet(signers), telling as never);
  return { told, of: (list: SignatureList) => ask(list, 'giver', new AbortController().signal) };
}

describe('the header of a followed block', () => {
  it('is asked last of a server that wants no question for an hour, and not waited for so long', async () => {
    const asked: string[] = [];
    const servers = ['giver', 'resting', 'good'].map((name) =>
      server(
        name,
        async (_, opts) => {
          asked.push(`${name} ${opts?.deadlineMs}`);
          return await none();
        },
        name === 'resting' ? 3_600_000 : 0,
      ),
    );
    await headers(servers).of(makeSignedSet('simplex', signers, 7));
    expect(asked).toEqual(['giver 2000', 'good 2000', 'resting 12000']);
  });

  const older = makeSignedSet('ordinary', signers, 3);

  it.each([
    ['signed', makeSignedSet('simplex', signers, 7), ['other']],
    ['signed by strangers', makeSignedSet('simplex', strangers, 7), undefined],
    ['signed under another number', { ...older, blockId: { ...older.blockId, seqno: 7 } }, undefined],
  ])('of another block blames the server that gave it only next to one that is %s', async (_, list, blamed) => {
    const { told, of } = headers([server('giver', none), server('other', async () => headerOf(1))]);
    expect(await of(list)).toBeUndefined();
    expect(told).toEqual(blamed === undefined ? [] : [blamed]);
  });
});
