import { afterEach, describe, expect, it } from 'vitest';
import type { SourceError } from '../../../src/core/base/errors.ts';
import { checkpointFromKeyBlock } from '../../../src/core/chain/checkpoint.ts';
import type { FollowStall } from '../../../src/net/follow/stall-reports.ts';
import { connectLite } from '../../../src/net/lite/client.ts';
import { type FollowedBlock, followLite } from '../../../src/net/lite/follow-lite.ts';
import type { FollowLiteOptions } from '../../../src/net/lite/follow-lite-options.ts';
import { verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { ForkError } from '../../../src/net/lite/witnesses.ts';
import type { LiveWarning } from '../../../src/net/sources/witness-report.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { type LiteStandInOptions, liteError, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { configProof, tlProof } from '../../helpers/make-chain.ts';
import { startOf } from '../../helpers/networks.ts';
import { oneOffEngine } from '../../helpers/one-off-engine.ts';

const started: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close();
});

async function serve(chain: LiteChain, over: Partial<LiteStandInOptions> = {}) {
  const standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked), ...over });
  const client = connectLite(standIn.server);
  started.push(standIn, client);
  return { standIn, client };
}

const fast = { signEverySeconds: 0, engine: oneOffEngine } as const;

/** Follows until a block is reported. */
async function until(
  seqno: number,
  clients: Parameters<typeof followLite>[0],
  chain: LiteChain,
  opts: FollowLiteOptions = {},
  onBlock: (block: FollowedBlock) => void = () => {},
  start = startOf(chain),
): Promise<FollowedBlock[]> {
  const blocks: FollowedBlock[] = [];
  for await (const block of followLite(clients, start, { ...fast, ...opts })) {
    blocks.push(block);
    onBlock(block);
    if (block.header.seqno >= seqno) break;
  }
  return blocks;
}

const numbers = (blocks: readonly FollowedBlock[]) => blocks.map(({ header }) => header.seqno);
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

describe('following the head', () => {
  it('reports every block once, in order, over key blocks, each as it is', async () => {
    const chain = new LiteChain({ length: 45 });
    chain.head = 8;
    const { client } = await serve(chain);
    const blocks = await until(45, [client], chain, { from: 3 }, () => {
      chain.head = Math.min(45, chain.head + 2);
    });
    expect(numbers(blocks)).toEqual(range(3, 45));
    for (const { header, report } of blocks) {
      expect(header.blockId).toEqual(chain.id(header.seqno));
      expect(report.verdict.status).toBe('final');
    }
    expect(blocks.at(-1)!.checkpoint.keyBlock).toEqual(chain.id(40));
    expect(new Set(blocks.map(({ provenBy }) => provenBy))).toEqual(new Set(['signatures', 'descendant']));
  });

  it('begins at the head, and asks one question a block and three for the signed one', async () => {
    const chain = new LiteChain({ length: 19 });
    chain.head = 12;
    const { client, standIn } = await serve(chain);
    const blocks = await until(19, [client], chain, {}, ({ header }) => {
      if (header.seqno === 12) chain.head = 19;
    });
    expect(numbers(blocks)).toEqual(range(12, 19));
    const counts = new Map<string, number>();
    for (const { constructorId } of standIn.asked) counts.set(constructorId, (counts.get(constructorId) ?? 0) + 1);
    expect(counts.get('449cea8a')).toBe(2);
    expect(counts.get('1ef7c8fa')).toBe(6);
  });

  it('goes on after the block that was reported last', async () => {
    const chain = new LiteChain({ length: 30 });
    const { client } = await serve(chain);
    const blocks = await until(30, [client], chain, { after: chain.id(17) });
    expect(numbers(blocks)).toEqual(range(18, 30));
  });

  it('gives with each block a checkpoint that a later run can go on from, over key blocks too', async () => {
    const chain = new LiteChain({ length: 30, keyEvery: 4 });
    const { client } = await serve(chain);
    const blocks = await until(30, [client], chain, { from: 3 });
    expect(blocks.filter(({ provenBy }) => provenBy === 'signatures').map(({ header }) => header.seqno)).toEqual([30]);
    for (const { header, checkpoint } of [blocks[0]!, blocks[9]!, blocks[24]!, blocks[25]!, blocks[26]!]) {
      const after = header.blockId;
      for await (const next of followLite([client], checkpoint, { ...fast, after })) {
        expect(next.header.seqno).toBe(header.seqno + 1);
        break;
      }
    }
    expect(blocks.at(-1)!.checkpoint.keyBlock.seqno).toBe(28);
  });

  it('catches up in steps where it is far behind', async () => {
    const chain = new LiteChain({ length: 600, keyEvery: 250 });
    const { client } = await serve(chain);
    const blocks = await until(600, [client], chain, { from: 2 });
    expect(numbers(blocks)).toEqual(range(2, 600));
    expect(blocks.filter(({ provenBy }) => provenBy === 'signatures').map(({ header }) => header.seqno)).toEqual([
      257, 513, 600,
    ]);
  });

  it('survives a server that restarts, and one that names a block nobody has', async () => {
    const chain = new LiteChain({ length: 40 });
    chain.head = 5;
    const first = await serve(chain);
    let restarts = 0;
    const troubles: SourceError[] = [];
    const blocks = await until(
      40,
      [first.client],
      chain,
      { from: 1, onTrouble: (error) => void troubles.push(error) },
      ({ header }) => {
        if (header.seqno % 5 === 0 && restarts < 4) {
          restarts += 1;
          first.standIn.dropAll();
        }
        chain.head = Math.min(40, chain.head + 1);
      },
    );
    expect(numbers(blocks)).toEqual(range(1, 40));
  });

  it('is not led astray by a liar among the servers', async () => {
    const chain = new LiteChain({ length: 25 });
    const fork = new LiteChain({ length: 25, forkAt: 12 });
    chain.head = 10;
    const liar = await serve(chain, {
      answer: (asked) => (asked.constructorId === '1ef7c8fa' ? fork.answer(asked) : chain.answer(asked)),
    });
    const honest = await serve(chain);
    const blocks = await until(25, [liar.client, honest.client], chain, { from: 5 }, () => {
      chain.head = Math.min(25, chain.head + 3);
    });
    expect(blocks.map(({ header }) => header.blockId)).toEqual(range(5, 25).map((seqno) => chain.id(seqno)));
  });

  it('waits nowhere for a block that only a server of another network names', async () => {
    const chain = new LiteChain({ length: 30 });
    chain.head = 10;
    const other = new LiteChain({ length: 200, name: 'another network' });
    // It says that it is of ours.
    const info = Buffer.from(other.masterchainInfoExt());
    for (const name of ['rootHash', 'fileHash'] as const)
      info.set(chain.zerostateId[name], info.indexOf(Buffer.from(other.zerostateId[name])));
    const stranger = await serve(other, {
      answer: (asked) => (asked.constructorId === 'df71a670' ? info : other.answer(asked)),
    });
    const honest = await serve(chain);
    const blocks = await until(30, [stranger.client, honest.client], chain, { from: 5 }, () => {
      chain.head = Math.min(30, chain.head + 3);
    });
    expect(numbers(blocks)).toEqual(range(5, 30));
    const proofs = [stranger, honest].map(({ standIn }) =>
      standIn.asked.filter(({ constructorId }) => constructorId === '449cea8a'),
    );
    expect(proofs.map(({ length }) => length > 0)).toEqual([true, true]);
    expect(proofs.flat().filter(({ waitFor }) => (waitFor?.seqno ?? 0) > 30)).toEqual([]);
  });

  it('asks a server nothing more that says that it is of another network, and ends where all do', async () => {
    const chain = new LiteChain({ length: 12 });
    const stranger = await serve(new LiteChain({ length: 3, name: 'another network' }));
    const honest = await serve(chain);
    const warned: string[] = [];
    const opts = { from: 5, onWarning: ({ code, message }: LiveWarning) => void warned.push(code, message) };
    expect(numbers(await until(12, [stranger.client, honest.client], chain, opts))).toEqual(range(5, 12));
    expect(warned).toEqual(['server-out', expect.stringContaining('its zerostate differs')]);
    expect(stranger.standIn.asked.filter(({ constructorId }) => constructorId !== 'df71a670')).toEqual([]);
    await expect(until(12, [stranger.client], chain, { from: 5 })).rejects.toMatchObject({
      code: 'source/wrong-network',
    });
  });

  it('ends at a second certified history, with evidence', async () => {
    const firstUtime = Math.floor(Date.now() / 1000) - 30;
    const chain = new LiteChain({ length: 30, firstUtime, name: 'forked' });
    const fork = new LiteChain({ length: 30, firstUtime, name: 'forked', forkAt: 11 });
    chain.head = 13;
    let current = chain;
    const { client } = await serve(chain, { answer: (asked) => current.answer(asked) });
    const error = await until(30, [client], chain, { from: 9 }, ({ header }) => {
      if (header.seqno === 13) current = fork; // the server now shows the other history
    }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ForkError);
    expect(verifyForkEvidence((error as ForkError).evidence).seqno).toBe(13);
  });

  it('does not begin at a checkpoint past its stakes, unless two others agree or the caller takes it', async () => {
    const old = new LiteChain({ length: 12, electedSeconds: -40_000, name: 'old' });
    const servers = [await serve(old), await serve(old), await serve(old)].map(({ client }) => client);
    await expect(until(12, servers.slice(0, 2), old, { from: 8 })).rejects.toMatchObject({ code: 'trust/stale-start' });
    expect(numbers(await until(12, servers, old, { from: 8 }))).toEqual(range(8, 12));
    const taken = await until(12, servers.slice(0, 1), old, { from: 8, acceptStaleStart: true });
    expect(numbers(taken)).toEqual(range(8, 12));
  });

  it('does not begin at a checkpoint that began so either, and hands on that it was taken', async () => {
    const chain = new LiteChain({ length: 12, electedSeconds: 40_000, name: 'young' });
    const { client } = await serve(chain);
    const refused = { ...startOf(chain), staleStart: 'refused' as const };
    await expect(until(12, [client], chain, { from: 8 }, () => undefined, refused)).rejects.toMatchObject({
      code: 'trust/stale-start',
    });
    const taken = await until(12, [client], chain, { from: 8, acceptStaleStart: true }, () => undefined, refused);
    expect(numbers(taken)).toEqual(range(8, 12));
    expect(taken.map(({ checkpoint }) => checkpoint.staleStart)).toEqual(taken.map(() => 'accepted'));
    expect(taken[0]!.report.warnings).toEqual([expect.objectContaining({ code: 'stale-start' })]);
  });

  it.each(['none', 'unknown'] as const)('hands on over key blocks how its trust began: %s', async (staleStart) => {
    const chain = new LiteChain({ length: 33 });
    chain.head = 4;
    const { client } = await serve(chain);
    const start = { ...startOf(chain), staleStart };
    const next = () => {
      chain.head = Math.min(33, chain.head + 1);
    };
    const blocks = await until(33, [client], chain, { from: 3 }, next, start);
    expect(new Set(blocks.map(({ checkpoint }) => checkpoint.keyBlock.seqno))).toEqual(new Set([0, 10, 20, 30]));
    expect(blocks.map(({ checkpoint }) => checkpoint.staleStart)).toEqual(blocks.map(() => staleStart));
  });

  describe('after a sleep that is longer than the stakes of its validators', () => {
    const DAY = 86_400;
    async function sleeper(count: number, opts: FollowLiteOptions = {}) {
      const firstUtime = Math.floor(Date.now() / 1000) - 30 * DAY;
      const chain = new LiteChain({ length: 25, firstUtime, electedSeconds: 1000, name: 'sleeper' });
      chain.head = 12;
      const clients = [];
      for (let at = 0; at < count; at++) clients.push((await serve(chain)).client);
      const blocks: FollowedBlock[] = [];
      let nowSeconds = firstUtime + 12;
      const tick = () => {
        chain.clockSkew = nowSeconds - Math.floor(Date.now() / 1000); // the servers have the true time
      };
      tick();
      const run = until(25, clients, chain, { from: 5, clock: () => nowSeconds, ...opts }, (block) => {
        blocks.push(block);
        if (block.header.seqno !== 12) return;
        nowSeconds = firstUtime + 20 * DAY;
        tick();
        chain.head = 25;
      });
      return { blocks, ended: run.catch((error: unknown) => error) };
    }
    const isMarked = ({ report }: FollowedBlock) => report.warnings.some(({ code }) => code === 'stale-start');

    it('is where a new one is: it ends, and says what can be done', async () => {
      const { blocks, ended } = await sleeper(2);
      expect(await ended).toMatchObject({ code: 'trust/stale-start', path: 'checkpoint' });
      expect(numbers(blocks)).toEqual(range(5, 12));
    });

    it('is there too where it slept while it waited for a proof', async () => {
      const firstUtime = Math.floor(Date.now() / 1000) - 30 * DAY;
      const chain = new LiteChain({ length: 25, firstUtime, electedSeconds: 1000, name: 'sleeper' });
      let nowSeconds = firstUtime + 25;
      const { client } = await serve(chain, {
        answer(asked) {
          if (asked.constructorId === '449cea8a') nowSeconds = firstUtime + 20 * DAY;
          return chain.answer(asked);
        },
      });
      await expect(until(25, [client], chain, { clock: () => nowSeconds })).rejects.toMatchObject({
        code: 'trust/stale-start',
        path: 'checkpoint',
      });
    });

    it('goes on where two others agree, and says so from there on', async () => {
      const { blocks, ended } = await sleeper(3);
      await ended;
      expect(numbers(blocks)).toEqual(range(5, 25));
      expect(blocks.filter(isMarked).map(({ header }) => header.seqno)).toEqual(range(13, 25));
    });

    it('goes on where the caller takes it, and says so from there on', async () => {
      const { blocks, ended } = await sleeper(1, { acceptStaleStart: true });
      await ended;
      expect(blocks.filter(isMarked).map(({ header }) => header.seqno)).toEqual(range(13, 25));
    });
  });

  it('waits where the head is the block that trust begins at, and where servers tell of blocks before it', async () => {
    const chain = new LiteChain({ length: 24 });
    const start = checkpointFromKeyBlock(configProof(chain.blocks.get(20)!), chain.id(20));
    for (const told of [20, 17]) {
      let head = told;
      const servers = await Promise.all(
        [1, 2].map(() =>
          serve(chain, {
            answer: (asked) => {
              chain.head = asked.constructorId === 'df71a670' ? head : 24;
              return chain.answer(asked);
            },
          }),
        ),
      );
      setTimeout(() => {
        head = 24;
      }, 100);
      const troubles: SourceError[] = [];
      const clients = servers.map(({ client }) => client);
      const onTrouble = (error: SourceError) => void troubles.push(error);
      for await (const { header } of followLite(clients, start, { ...fast, onTrouble })) {
        expect(header.seqno).toBe(24);
        break;
      }
      expect(troubles).toEqual([]);
    }
  });

  it("ends at a block that this machine's clock has not come to", async () => {
    const chain = new LiteChain({ length: 12 });
    const { client } = await serve(chain);
    const now = () => 1_000_000_000;
    await expect(until(12, [client], chain, { from: 3, clock: now })).rejects.toMatchObject({ code: 'source/clock' });
  });

  it('is not held behind by a quick server that admits to one block after the other', async () => {
    const chain = new LiteChain({ length: 120 });
    let reported = 2;
    const liar = await serve(chain, {
      answer: (asked) => {
        if (asked.constructorId !== 'df71a670') return chain.answer(asked);
        chain.head = Math.min(120, reported + 1);
        const said = chain.masterchainInfoExt();
        chain.head = 120;
        return said;
      },
    });
    const honest = await serve(chain, {
      answer: async (asked) => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return await chain.answer(asked);
      },
    });
    const blocks = await until(120, [liar.client, honest.client], chain, { from: 3 }, ({ header }) => {
      reported = header.seqno;
    });
    expect(numbers(blocks)).toEqual(range(3, 120));
    expect(blocks.filter(({ provenBy }) => provenBy === 'signatures').length).toBeLessThan(5);
  });

  it('does not wait long for a server that names its head and answers nothing else', async () => {
    const chain = new LiteChain({ length: 30, keyEvery: 100 });
    chain.head = 12;
    let isMute = false;
    const mute = await serve(chain, {
      answer: (asked) => (isMute && asked.constructorId === '1ef7c8fa' ? undefined : chain.answer(asked)),
    });
    const honest = await Promise.all([1, 2].map(() => serve(chain)));
    const clients = [mute, ...honest].map(({ client }) => client);
    const blocks = await until(30, clients, chain, { from: 5, signEverySeconds: 0.3 }, () => {
      isMute = true;
      chain.head = Math.min(30, chain.head + 1);
    });
    expect(numbers(blocks)).toEqual(range(5, 30));
    // It rests after the first that it did not answer, those asked ahead at the same time among them.
    expect(mute.standIn.asked.filter(({ constructorId }) => constructorId === '1ef7c8fa').length).toBeLessThan(20);
  });

  it('compares each signed block with another server before it is handed out', async () => {
    const firstUtime = Math.floor(Date.now() / 1000) - 30;
    const chain = new LiteChain({ length: 30, firstUtime, name: 'forked' });
    const fork = new LiteChain({ length: 30, firstUtime, name: 'forked', forkAt: 14 });
    chain.head = 12;
    fork.head = 17;
    let current = chain;
    const turning = await serve(chain, { answer: (asked) => current.answer(asked) });
    const honest = await serve(chain);
    const seen: number[] = [];
    const run = until(30, [turning.client, honest.client], chain, { from: 9 }, ({ header }) => {
      seen.push(header.seqno);
      if (header.seqno !== 12) return;
      current = fork;
      chain.head = 16; // the fork is a block ahead
    });
    const error = await run.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ForkError);
    expect(verifyForkEvidence((error as ForkError).evidence).signedBoth.length).toBeGreaterThan(0);
    expect(seen).toEqual(range(9, 12));
  });

  it('has no more patience with a server that gives the first part of the way again and again', async () => {
    const chain = new LiteChain({ length: 12 });
    const first = Buffer.from(tlProof(chain.id(0), chain.id(10), [chain.forwardLink(0, 10)], false));
    chain.proof = (known) => (known === 0 ? first : liteError(651, 'not in db'));
    const { client } = await serve(chain);
    const stop = AbortSignal.timeout(8_000); // ends it where patience has no end
    const run = until(12, [client], chain, { from: 12, maxOutageMs: 1_000, signal: stop });
    await expect(run).rejects.toMatchObject({ code: expect.stringMatching(/^source\//) });
  });

  it('hands out a block only once as many others name it as have to', async () => {
    const chain = new LiteChain({ length: 12 });
    const other = new LiteChain({ length: 12, forkAt: 12, name: 'other' });
    const { client } = await serve(chain);
    const silent = await serve(chain, { answer: () => liteError(500, 'no') });
    const liar = await serve(chain, {
      answer: (asked) => (asked.constructorId === '1ef7c8fa' ? other.answer(asked) : chain.answer(asked)),
    });
    const errors: SourceError[] = [];
    const opts = { from: 12, maxOutageMs: 500, onTrouble: (error: SourceError) => void errors.push(error) };
    for (const set of [{ strict: true }, { witnesses: 1 }]) {
      const run = until(12, [client, silent.client, liar.client], chain, { ...opts, ...set });
      await expect(run).rejects.toMatchObject({
        code: 'trust/too-few-witnesses',
        message: expect.stringContaining('0 other servers name block 12, 1 are needed'),
      });
    }
    expect(errors[0]).toMatchObject({ code: 'source/not-ready' });
    const honest = await serve(chain);
    const four = [client, silent.client, liar.client, honest.client];
    expect(numbers(await until(12, four, chain, { from: 9, strict: true }))).toEqual(range(9, 12));
    await expect(until(12, four, chain, { ...opts, witnesses: 2 })).rejects.toMatchObject({
      code: 'trust/too-few-witnesses',
    });
    for (const bad of [{ witnesses: 4 }, { witnesses: -1 }, { witnesses: 0.5 }, { strict: 1 as never }])
      await expect(until(12, four, chain, bad)).rejects.toMatchObject({ code: 'usage/bad-option' });
    await expect(until(12, [client], chain, { strict: true })).rejects.toMatchObject({ path: 'strict' });
  });

  it('goes on where a server proves another history by validators whose stakes are free, and tells', async () => {
    const DAY = 86_400;
    const firstUtime = Math.floor(Date.now() / 1000) - 25 * DAY;
    const times = { firstUtime, blockSeconds: DAY, electedSeconds: 8 * DAY, keyEvery: 5, name: 'old keys' };
    const chain = new LiteChain({ ...times, length: 26 });
    const fork = new LiteChain({ ...times, length: 26, forkAt: 3 });
    chain.head = 22;
    let current = chain;
    const turning = await serve(chain, { answer: (asked) => current.answer(asked) });
    const honest = await serve(chain);
    const warnings: LiveWarning[] = [];
    const opts = {
      from: 21,
      acceptStaleStart: true,
      onWarning: (warning: LiveWarning) => void warnings.push(warning),
    };
    const blocks = await until(26, [honest.client, turning.client], chain, opts, () => {
      current = fork;
      chain.head = Math.min(26, chain.head + 1);
      fork.head = chain.head;
    });
    expect(blocks.map(({ header }) => header.blockId)).toEqual(range(21, 26).map((seqno) => chain.id(seqno)));
    expect(warnings.map(({ code }) => code)).toEqual(expect.arrayContaining(['stale-set', 'old-keys', 'server-out']));
    const evidence = warnings.find(({ code }) => code === 'old-keys')?.evidence;
    expect(verifyForkEvidence(evidence).signedBoth.length).toBeGreaterThan(0);
  });

  it('ends at another block than the one that was pinned on the way', async () => {
    const chain = new LiteChain({ length: 25 });
    const { client } = await serve(chain);
    expect((await until(25, [client], chain, { after: chain.id(5), through: chain.id(20) })).length).toBe(20);
    const through = { ...chain.id(20), rootHash: new Uint8Array(32) };
    const seen: number[] = [];
    const run = until(
      25,
      [client],
      chain,
      { after: chain.id(5), through },
      ({ header }) => void seen.push(header.seqno),
    );
    await expect(run).rejects.toMatchObject({ code: 'trust/anchor-hash' });
    expect(seen).toEqual([]);
  });

  it('ends where no server has a newer block for too long, and tells at once where all are far behind its place', async () => {
    const chain = new LiteChain({ length: 12 });
    const { client } = await serve(chain);
    await expect(until(13, [client], chain, { from: 12, maxOutageMs: 1 })).rejects.toMatchObject({
      code: 'source/not-ready',
      hint: expect.stringContaining('other servers'),
    });
    const stalls: FollowStall[] = [];
    const after = { ...chain.id(12), seqno: 0x7fffffff };
    const onStall = (stall: FollowStall) => void stalls.push(stall);
    await expect(until(13, [client], chain, { after, onStall, maxOutageMs: 300 })).rejects.toMatchObject({
      code: 'source/not-ready',
    });
    expect(stalls).toEqual([expect.objectContaining({ code: 'behind-state', head: 0x7fffffff, said: 12 })]);
  });

  it('hands out nothing more after the signal, however much is ready', async () => {
    const chain = new LiteChain({ length: 12 });
    const { client } = await serve(chain);
    const controller = new AbortController();
    const blocks = await until(12, [client], chain, { from: 5, signal: controller.signal }, ({ header }) => {
      if (header.seqno === 7) controller.abort();
    });
    expect(numbers(blocks)).toEqual([5, 6, 7]);
    const rest = await until(12, [client], chain, { after: blocks.at(-1)!.header.blockId! });
    expect(numbers(rest)).toEqual(range(8, 12));
  });

  it('leaves the error of its consumer alone, and ends', async () => {
    const chain = new LiteChain({ length: 12 });
    const { client, standIn } = await serve(chain);
    const run = until(12, [client], chain, { from: 5 }, ({ header }) => {
      if (header.seqno === 7) throw new RangeError('the consumer fell over');
    });
    await expect(run).rejects.toThrow('the consumer fell over');
    const asked = standIn.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(standIn.asked.length).toBe(asked);
  });

  it('names a callback that throws', async () => {
    const chain = new LiteChain({ length: 12 });
    const dead = await serve(chain, { answer: () => liteError(502, 'gone') });
    const onTrouble = () => {
      throw new Error('oops');
    };
    await expect(until(12, [dead.client], chain, { onTrouble })).rejects.toMatchObject({
      code: 'usage/callback',
      path: 'onTrouble',
    });
  });

  it('ends where all servers have another time than this machine, and not for one of them', async () => {
    const firstUtime = Math.floor(Date.now() / 1000) - 12;
    const [one, other] = [1, 2].map(() => new LiteChain({ length: 12, firstUtime, name: 'clocks' }));
    one!.clockSkew = 3600;
    const clients = [(await serve(one!)).client, (await serve(other!)).client];
    expect(numbers(await until(12, clients, one!, { from: 5 }))).toEqual(range(5, 12));
    other!.clockSkew = 3000;
    await expect(until(12, clients, one!, { from: 5 })).rejects.toMatchObject({ code: 'source/clock' });
  });

  it('gives up when every server lies, and after a long outage', async () => {
    const chain = new LiteChain({ length: 12 });
    const liar = await serve(chain, {
      answer: (asked) => (asked.constructorId === '449cea8a' ? chain.proof(0, 11) : chain.answer(asked)),
    });
    await expect(until(12, [liar.client], chain)).rejects.toMatchObject({ code: 'source/malformed' });
    const mute = await serve(chain, { answer: () => liteError(502, 'gone') });
    await expect(until(12, [mute.client], chain, { maxOutageMs: 1 })).rejects.toMatchObject({ code: 'source/server' });
  });

  it('ends quietly at the signal', async () => {
    const chain = new LiteChain({ length: 12 });
    const { client } = await serve(chain);
    const controller = new AbortController();
    const blocks: number[] = [];
    for await (const { header } of followLite([client], startOf(chain), { from: 5, signal: controller.signal })) {
      blocks.push(header.seqno);
      if (header.seqno === 12) setTimeout(() => controller.abort(), 20);
    }
    expect(blocks).toEqual(range(5, 12));
  });

  it('refuses options that mean nothing', async () => {
    const chain = new LiteChain({ length: 12 });
    const { client } = await serve(chain);
    const wrong: readonly Record<string, unknown>[] = [
      { from: 0 },
      { from: 1.5 },
      { from: '5' },
      { from: 2 ** 31 },
      { from: 5, after: chain.id(5) },
      { after: 5 },
      { after: { ...chain.id(5), seqno: 2 ** 31 } },
      { through: {} },
      { signEverySeconds: -1 },
      { signEverySeconds: Number.NaN },
      { signEverySeconds: Number.POSITIVE_INFINITY },
      { signEverySeconds: '5' },
      { maxOutageMs: 'x' },
      { maxOutageMs: Number.NaN },
      { maxOutageMs: Number.POSITIVE_INFINITY },
      { acceptStaleStart: 'no' },
      { clock: 5 },
      { onTrouble: 5 },
      { onStall: true },
      { onWarning: {} },
      { signal: {} },
      { engine: 'openssl' },
      { fron: 7 },
    ];
    for (const opts of wrong) {
      const error = await until(12, [client], chain, opts as FollowLiteOptions).catch((caught: unknown) => caught);
      expect(error, Object.keys(opts).join()).toMatchObject({ code: 'usage/bad-option' });
    }
    for (const time of [Number.NaN, Date.now(), '5', 5n, undefined, Promise.resolve(5)]) {
      const blocks = until(12, [client], chain, { clock: () => time as number });
      await expect(blocks).rejects.toMatchObject({ code: 'usage/bad-option', path: 'clock()' });
    }
    const clock = () => {
      throw new RangeError('no clock');
    };
    const blocks = until(12, [client], chain, { clock });
    await expect(blocks).rejects.toMatchObject({ code: 'usage/callback', path: 'clock' });
    const start = startOf(chain);
    const calls: readonly (readonly unknown[])[] = [
      [[client], null],
      [[client], chain.id(3)],
      [client, start],
      [[null], start],
      [[], start],
      [[client], start, null],
      [[client, client], start],
    ];
    for (const args of calls) {
      const blocks = followLite(...(args as unknown as Parameters<typeof followLite>));
      await expect(blocks.next()).rejects.toMatchObject({ code: 'usage/bad-option' });
    }
  });
});
