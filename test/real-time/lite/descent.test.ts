/** The way down from a block that is final: each block is the very one that the block after it names, whoever sends it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { beginCell, convertToMerkleProof } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { descend, TwoHistories } from '../../../src/net/lite/descent.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { but, liteServers, lookedUp } from '../../helpers/lite-servers.ts';
import { liteError } from '../../helpers/lite-stand-in.ts';

const serve = liteServers();
const firstUtime = 1_700_000_000;
const chain = new LiteChain({ length: 30, firstUtime });
const fork = new LiteChain({ length: 30, firstUtime, forkAt: 12 });
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
const ids = (first: number, last: number) => range(first, last).map((seqno) => chain.id(seqno));
const idsOf = ({ blocks }: Awaited<ReturnType<typeof descend>>) => blocks.map(({ id }) => id);
const honest = () => serve((asked) => chain.answer(asked));

describe('the way down', () => {
  it('gives the blocks between, the oldest first, and asks for each of them once', async () => {
    for (const [top, known] of [
      [30, 9],
      [17, 9],
      [18, 9],
      [12, 9],
    ] as const) {
      const { client, standIn } = await honest();
      const descent = await descend(new Fleet([client]), chain.id(top), { seqno: known, id: chain.id(known) }, {});
      expect(idsOf(descent)).toEqual(ids(known + 1, top));
      expect(descent.others).toEqual([]);
      for (const { header, id, parent } of descent.blocks) {
        expect(header.blockId).toEqual(id);
        expect(parent).toEqual(chain.id(id.seqno - 1));
      }
      expect(lookedUp(standIn).sort((a, b) => a - b)).toEqual(range(known + 1, top));
    }
  });

  it('goes over whichever server has a block, and tells what each said when none has', async () => {
    const empty = await serve(but(chain, 'lookup', () => liteError(651, 'block is not in db')));
    const { client } = await honest();
    expect(idsOf(await descend(new Fleet([empty.client, client]), chain.id(11), { seqno: 9 }, {}))).toEqual(
      ids(10, 11),
    );
    await expect(descend(new Fleet([empty.client]), chain.id(11), { seqno: 9 }, {})).rejects.toMatchObject({
      code: 'source/not-ready',
      message: expect.stringMatching(/^no lite server has block 1[01]: /),
      statements: [{ source: empty.client.name, error: { code: 'source/not-ready' } }],
    });
  });

  it('leaves a server whose block is of a form that is not known, without calling it a liar', async () => {
    const root = beginCell().storeUint(0x5175616e, 32).endCell();
    const block = { ...chain.id(11), rootHash: Uint8Array.from(root.hash()) as BlockIdExt['rootHash'] };
    const headerProof = Uint8Array.from(convertToMerkleProof(root).toBoc());
    const { client } = await honest();
    let asked = 0;
    const lookup = async () => {
      asked += 1;
      return { ...(await client.lookup(11)), id: block, headerProof };
    };
    const fleet = new Fleet([{ ...client, lookup }]);
    await expect(descend(fleet, block, { seqno: 10 }, {})).rejects.toMatchObject({ code: 'source/unsupported' });
    expect(fleet.kept()).toHaveLength(1);
    expect(asked).toBe(1);
    const liar = { ...client, lookup: async () => ({ ...(await client.lookup(11)), headerProof }) };
    await expect(descend(new Fleet([liar]), chain.id(11), { seqno: 10 }, {})).rejects.toMatchObject({
      statements: [{ source: client.name, error: { code: 'source/malformed' } }],
    });
  });

  it('says why servers lack a block now, and nothing of what one of them did before', async () => {
    const [old, pruned] = [await honest(), await serve(but(chain, 'lookup', () => liteError(-400, 'no such block')))];
    const fleet = new Fleet([old.client, pruned.client]);
    fleet.rest(old.client, new SourceError('source/disagree', 'it named another block, a week ago'));
    const error = await descend(fleet, chain.id(11), { seqno: 9 }, {}).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'source/bad-request', statements: [{ source: pruned.client.name }] });
  });

  it('ends at the signal, and at a fault of the program, without asking another server', async () => {
    const [one, other] = [await honest(), await honest()];
    const stopped = new Fleet([one.client, other.client]);
    await expect(descend(stopped, chain.id(11), { seqno: 9 }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'source/aborted',
    });
    const faulty: LiteServerClient = { ...one.client, lookup: () => Promise.reject(new TypeError('a fault')) };
    await expect(descend(new Fleet([faulty, other.client]), chain.id(11), { seqno: 9 }, {})).rejects.toThrow(
      new TypeError('a fault'),
    );
    expect(lookedUp(other.standIn)).toEqual([]);
  });

  it('goes round a server that names another block than the one after it does, and tells: it may be right', async () => {
    const liar = await serve((asked) => fork.answer(asked));
    const { client } = await honest();
    const fleet = new Fleet([liar.client, client]);
    const descent = await descend(fleet, chain.id(20), { seqno: 15 }, { servers: [liar.client] });
    expect(idsOf(descent)).toEqual(ids(16, 20));
    // Three blocks were asked of it when it was seen to name another one; it is asked no more.
    expect(descent.others).toEqual([{ client: liar.client, ours: chain.id(18), other: fork.id(18) }]);
    expect(fleet.kept()).toEqual([liar.client, client]);
  });

  it('asks a server that let a question run into its limit after the others, and calls none slow that was asked since', async () => {
    const [silent, slow, wrong] = [await honest(), await honest(), await serve((asked) => fork.answer(asked))];
    const asked: number[] = [];
    const never: LiteServerClient = {
      ...silent.client,
      async lookup(seqno) {
        asked.push(seqno);
        await sleep(1000);
        throw new SourceError('source/timeout', 'no answer in time');
      },
    };
    const quiet: LiteServerClient = {
      ...slow.client,
      async lookup(seqno, opts) {
        await sleep(100);
        return await slow.client.lookup(seqno, opts);
      },
    };
    const fleet = new Fleet([never, quiet, wrong.client]);
    for (const client of fleet.servers) fleet.rest(client); // of resting servers, those that named the block are first
    const descent = await descend(fleet, chain.id(20), { seqno: 14 }, { servers: [never, quiet, wrong.client] });
    expect(idsOf(descent)).toEqual(ids(15, 20));
    expect(asked).toEqual([20, 19, 18]);
    expect(fleet.stateOf(quiet)).toBe('up');
  });

  it('leaves out a server whose header is of another block, and passes on a fault of the program', async () => {
    const [bad, good] = [await honest(), await honest()];
    const swapped: LiteServerClient = {
      ...bad.client,
      async lookup(seqno, opts) {
        const { headerProof } = await bad.client.lookup(seqno - 1, opts);
        return { ...(await bad.client.lookup(seqno, opts)), headerProof };
      },
    };
    const fleet = new Fleet([swapped, good.client]);
    expect(idsOf(await descend(fleet, chain.id(11), { seqno: 9 }, {}))).toEqual(ids(10, 11));
    expect(fleet.kept()).toEqual([good.client]);
    expect(fleet.statements()[0]!.error).toMatchObject({
      code: 'source/malformed',
      cause: { code: 'trust/root-hash' },
    });
    const faulty: LiteServerClient = {
      ...bad.client,
      async lookup(seqno, opts) {
        const found = await bad.client.lookup(seqno, opts);
        return Object.defineProperty({ ...found }, 'headerProof', {
          get() {
            throw new TypeError('a fault');
          },
        });
      },
    };
    await expect(descend(new Fleet([faulty, good.client]), chain.id(11), { seqno: 9 }, {})).rejects.toThrow(
      new TypeError('a fault'),
    );
  });

  it('that leads past a block that is known is one of two histories', async () => {
    const { client } = await serve((asked) => fork.answer(asked));
    const known = { seqno: 15, id: chain.id(15) };
    const error = await descend(new Fleet([client]), fork.id(20), known, {}).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TwoHistories);
    expect(error).toMatchObject({
      code: 'source/disagree',
      other: fork.id(15),
      hint: expect.stringMatching(/trust neither/),
    });
  });
});
