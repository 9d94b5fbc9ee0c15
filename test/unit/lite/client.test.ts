import { afterEach, describe, expect, it } from 'vitest';
import type { SourceError } from '../../../src/core/base/errors.ts';
import { checkpointFromKeyBlock, checkpointFromZerostate } from '../../../src/core/chain/checkpoint.ts';
import { verifyBlockProof } from '../../../src/core/chain/walk.ts';
import { connectLite, type LiteClientOptions, type LiteServerClient } from '../../../src/net/lite/client.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { ASKS } from '../../helpers/lite-servers.ts';
import { type LiteStandIn, type LiteStandInOptions, liteError, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { answerLive, LIVE, liveAnswer, liveIndex } from '../../helpers/live-answers.ts';

const started: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close();
});

async function connect(
  standInOptions: Partial<LiteStandInOptions> = {},
  options: LiteClientOptions = {},
): Promise<{ client: LiteServerClient; standIn: LiteStandIn }> {
  const standIn = await startLiteStandIn({
    answer: ({ request }) => answerLive(request) ?? liteError(0, 'not recorded'),
    ...standInOptions,
  });
  const client = connectLite(standIn.server, options);
  started.push(standIn, client);
  return { client, standIn };
}

const recorded = (file: string) => liveIndex.answers.find((answer) => answer.file === file)!;
const account = (file: string) => {
  const [workchain, address] = recorded(file).account!.split(':');
  return { workchain: Number(workchain), address: Uint8Array.from(Buffer.from(address!, 'hex')) };
};

describe('a lite server', () => {
  it('is asked in the very bytes that were recorded, and its answers are read', async () => {
    const { client } = await connect({}, { network: LIVE.zerostate });
    const info = await client.masterchainInfo();
    expect(info.tl).toEqual(liveAnswer('masterchain-info-ext.tl'));
    expect(info.claimed.zerostate.rootHash).toEqual(LIVE.zerostate.rootHash);
    expect(info.claimed.version).toBe(0x101);
    expect(info.claimed.now! - info.claimed.lastUtime!).toBeLessThan(60);
    expect((await client.time()).claimed.now).toBeGreaterThan(1_700_000_000);
    expect((await client.version()).claimed.capabilities).toBe(info.claimed.capabilities);
    expect((await client.header(LIVE.block)).header.seqno).toBe(LIVE.block.seqno);
    expect((await client.block(LIVE.block)).claimed.id).toEqual(LIVE.block);
    expect((await client.block(LIVE.keyBlock)).claimed.id).toEqual(LIVE.keyBlock);
    const shard = recorded('shard-block-proof.tl').shard_block!;
    const proof = await client.shardProof({
      workchain: 0,
      shard: BigInt(shard.shard),
      seqno: shard.seqno,
      rootHash: Uint8Array.from(Buffer.from(shard.root_hash, 'hex')),
      fileHash: Uint8Array.from(Buffer.from(shard.file_hash, 'hex')),
    });
    expect(proof.claimed.links.length).toBeGreaterThan(0);
  });

  it.each([
    [{}, 2],
    [{ concurrency: 4 }, 4],
  ] as const)('of options %j has %d questions in flight at most, of whatever kind', async (options, expected) => {
    let inFlight = 0;
    let most = 0;
    const { client } = await connect(
      {
        async answer({ request }) {
          most = Math.max(most, ++inFlight);
          await new Promise((resolve) => setTimeout(resolve, 5));
          inFlight -= 1;
          return answerLive(request) ?? liteError(0, 'not recorded');
        },
      },
      options,
    );
    const questions = [
      () => client.masterchainInfo(),
      () => client.time(),
      () => client.header(LIVE.block),
      () => client.blockProof(LIVE.keyBlock, LIVE.block),
    ];
    await Promise.all([...questions, ...questions, ...questions].map((ask) => ask()));
    expect(most).toBe(expected);
  });

  it('may send no more bytes than a question allows, or as many as another one that is open', async () => {
    let inFlight = 0;
    const { client, standIn } = await connect({
      async answer({ request }) {
        inFlight += 1;
        while (request[request.length - 1] === 2 && inFlight < 2)
          await new Promise((resolve) => setTimeout(resolve, 1));
        return new Uint8Array(3_000_000);
      },
    });
    const ask = (kind: number, maxBytes?: number) =>
      client.ask(Uint8Array.of(1, 2, 3, kind), maxBytes === undefined ? {} : { maxBytes });
    expect(await ask(1)).toHaveLength(3_000_000);
    expect(await ask(1, 3_000_000)).toHaveLength(3_000_000);
    const error = await ask(1, 2_000_000).catch((error: unknown) => error as SourceError);
    expect(error).toMatchObject({ code: 'source/too-large', attempts: 1 });
    expect((error as SourceError).message).toContain('at most 2000256 may come');
    inFlight = 0;
    await expect(Promise.all([ask(2, 2_000_000), ask(2, 4_000_000)])).resolves.toHaveLength(2);
    expect(standIn.asked).toHaveLength(5);
    const told: unknown[] = [];
    const onAttempt = (error: SourceError | undefined) => void told.push(error?.code);
    await client.ask(Uint8Array.of(1, 2, 3, 1), { onAttempt });
    await client.time({ onAttempt, retries: 0 }).catch(() => {});
    expect(told).toEqual([undefined, 'source/malformed']);
    await expect(ask(1, 0)).rejects.toMatchObject({ code: 'usage/bad-option', path: 'maxBytes' });
  });

  it('proves the way from the zerostate, and from the key block, to the recorded block', async () => {
    const { client } = await connect();
    const zerostate = checkpointFromZerostate(liveAnswer('zerostate.boc'), LIVE.zerostate);
    const first = await client.blockProof(LIVE.zerostate, LIVE.block);
    const walk = verifyBlockProof(first.tl, zerostate, { expect: LIVE.block });
    expect(walk.checkpoint.keyBlock).toEqual(LIVE.keyBlock);
    const second = await client.blockProof(LIVE.keyBlock, LIVE.block);
    expect(verifyBlockProof(second.tl, walk.checkpoint, { expect: LIVE.block }).reports[0]!.verdict.status).toBe(
      'final',
    );
    const config = await client.keyBlockConfig(LIVE.block, [28, 34]);
    expect(checkpointFromKeyBlock(config.claimed.configProof, config.claimed.id).keyBlock).toEqual(LIVE.keyBlock);
  });

  it('tells accounts and transactions, present and absent', async () => {
    const { client } = await connect();
    expect((await client.accountState(LIVE.block, account('account-config.tl'))).claimed.state.length).toBeGreaterThan(
      0,
    );
    for (const file of ['account-absent.tl', 'account-absent-basechain.tl']) {
      expect((await client.accountState(LIVE.block, account(file))).claimed.state.length).toBe(0);
    }
    const { lt, hash } = recorded('history.tl');
    const list = await client.transactions(account('history.tl'), {
      lt: BigInt(lt!),
      hash: Uint8Array.from(Buffer.from(hash!, 'hex')),
      count: 8,
    });
    expect(list.claimed.ids.length).toBeGreaterThan(0);
    const one = recorded('transaction-0.tl');
    const transaction = await client.transaction(LIVE.block, account('transaction-0.tl'), BigInt(one.lt!));
    expect(transaction.claimed.id).toEqual(LIVE.block);
    const absent = client.transaction(
      LIVE.block,
      account('transaction-absent.tl'),
      BigInt(recorded('transaction-absent.tl').lt!),
    );
    await expect(absent).rejects.toMatchObject({ name: 'SourceError', serverCode: 500 });
  });

  it('gives its errors in its own words, cleaned and classed', async () => {
    const words = `LITE_SERVER_NOTREADY: \u001b[31m${'x'.repeat(5000)}`;
    const { client } = await connect({ answer: () => liteError(500, words) }, { retries: 0 });
    const error = await client.time().catch((caught: unknown) => caught as SourceError);
    expect(error).toMatchObject({ code: 'source/not-ready', serverCode: 500, endpoint: client.name });
    expect((error as SourceError).serverText!.length).toBeLessThanOrEqual(501);
    expect((error as SourceError).message).not.toMatch(/\p{Cc}/u);
  });

  it('of another network is refused, whatever else it says', async () => {
    const { client } = await connect({}, { network: 'mainnet' });
    await expect(client.masterchainInfo()).rejects.toMatchObject({ code: 'source/wrong-network' });
  });

  it('is named without its whole key', async () => {
    const { client, standIn } = await connect();
    expect(client.name).toMatch(new RegExp(`^lite://127\\.0\\.0\\.1:${standIn.port}/[0-9a-f]{8}$`));
  });

  it('gets four questions at a time, one connection, and answers in any order', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    const { client, standIn } = await connect({
      answer: ({ request }) =>
        new Promise((resolve) => {
          waiting.push(() => resolve(answerLive(request)));
          most = Math.max(most, waiting.length);
          // The last first.
          setTimeout(() => waiting.pop()?.(), 5);
        }),
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? client.time() : client.version())),
    );
    expect(answers.every(({ claimed }) => claimed.now > 0)).toBe(true);
    expect(most).toBeLessThanOrEqual(4);
    expect(standIn.accepted).toBe(1);
  });

  it('is told to wait for a block that is not there yet', async () => {
    const { client, standIn } = await connect();
    await client.blockProof(LIVE.keyBlock, LIVE.block, { waitForBlock: true });
    await client.masterchainInfo({ afterSeqno: 7 });
    expect(standIn.asked.map(({ waitFor }) => waitFor)).toEqual([
      { seqno: LIVE.block.seqno, timeoutMs: 8000 },
      { seqno: 7, timeoutMs: 8000 },
    ]);
  });

  it('is asked once more without waiting, since the shards may lag behind the masterchain', async () => {
    const { client, standIn } = await connect({
      answer: ({ request, waitFor }) => (waitFor === undefined ? answerLive(request) : liteError(652, 'timeout')),
    });
    await client.blockProof(LIVE.keyBlock, LIVE.block, { waitForBlock: true });
    expect(standIn.asked.map(({ waitFor }) => waitFor !== undefined)).toEqual([true, false]);
  });

  it('is asked for its network and for a block within one deadline', async () => {
    const { client, standIn } = await connect(
      {
        async answer({ request, constructorId }) {
          if (constructorId === ASKS.head) await new Promise((resolve) => setTimeout(resolve, 300));
          return answerLive(request);
        },
      },
      { network: LIVE.zerostate },
    );
    await client.blockProof(LIVE.keyBlock, LIVE.block, { serverMayWait: true, deadlineMs: 6000 });
    // A server may wait until 5 s before the deadline, of which the first answer took 0.3 s.
    expect(standIn.asked.at(-1)!.waitFor!.timeoutMs).toBeLessThanOrEqual(700);
  });

  it('is not asked again at once where there was no time to wait', async () => {
    const { client, standIn } = await connect({ answer: () => liteError(651, 'block is not in db') });
    const proof = client.blockProof(LIVE.keyBlock, LIVE.block, { serverMayWait: true, deadlineMs: 3000, retries: 0 });
    await expect(proof).rejects.toMatchObject({ code: 'source/not-ready', attempts: 1 });
    expect(standIn.asked.map(({ waitFor }) => waitFor)).toEqual([undefined]);
  });

  it('learns the key of a client that has one, and nothing of one that has none', async () => {
    const { client, standIn } = await connect({}, { clientSeed: new Uint8Array(32).fill(7) });
    await client.time();
    await client.time();
    expect(standIn.asked[1]!.peer.isAuthenticated).toBe(true);
    const other = await connect();
    await other.client.time();
    expect(other.standIn.asked[0]!.peer.isAuthenticated).toBe(false);
  });

  it('is connected to again after it was closed, and only when asked', async () => {
    const { client, standIn } = await connect();
    await client.time();
    client.close();
    expect(await standIn.connections()).toBe(0);
    client.close();
    await client.time();
    expect(standIn.accepted).toBe(2);
    await client[Symbol.asyncDispose]();
    expect(await standIn.connections()).toBe(0);
  });

  it('stops at the signal of the caller', async () => {
    const { client, standIn } = await connect({ answer: () => undefined });
    const controller = new AbortController();
    const question = client.time({ signal: controller.signal });
    while (standIn.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    controller.abort();
    await expect(question).rejects.toMatchObject({ code: 'source/aborted' });
    await expect(client.time({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'source/aborted' });
  });
});

describe('a call that means nothing', () => {
  it('is refused with the place named, never with a raw error, and no server is asked', async () => {
    const chain = new LiteChain({ length: 2 });
    const standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
    const client = connectLite(standIn.server);
    const connect = connectLite as (...args: readonly unknown[]) => unknown;
    const { server } = standIn;
    const refused = (path: string) => expect.objectContaining({ code: 'usage/bad-option', path });
    for (const [path, ...args] of [
      ['server', null],
      ['server', 'lite'],
      ['server', 5],
      ['options', server, null],
      ['network', server, { network: 'x' }],
      ['network', server, { network: null }],
      ['network.rootHash', server, { network: {} }],
      ['timeoutMs', server, { timeoutMs: '5' }],
      ['deadlineMs', server, { deadlineMs: Number.NaN }],
      ['retries', server, { retries: -1 }],
      ['retries', server, { retries: '1' }],
      ['concurrency', server, { concurrency: 5 }],
      ['requestsPerSecond', server, { requestsPerSecond: 0 }],
      ['clientSeed', server, { clientSeed: 'a'.repeat(32) }],
      ['onAnswer', server, { onAnswer: 5 }],
      ['open', server, { open: {} }],
    ] as const) {
      expect(() => connect(...args), path).toThrow(refused(path));
    }
    const id = chain.id(1);
    const asked = client as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>;
    const account = { workchain: 0, address: new Uint8Array(32) };
    for (const [method, path, ...args] of [
      ['header', 'id', null],
      ['block', 'id', 'text'],
      ['shardProof', 'id', undefined],
      ['zerostateFile', 'id', []],
      ['blockProof', 'target', id, null],
      ['blockProof', 'known', 5, id],
      ['keyBlockConfig', 'params', id, 34],
      ['keyBlockConfig', 'params[0]', id, ['34']],
      ['accountState', 'account', id, null],
      ['accountState', 'account.address', id, { workchain: 0, address: 'text' }],
      ['transaction', 'lt', id, account, 5],
      ['transactions', 'newest', account, null],
      ['transactions', 'newest.hash', account, { lt: 1n, count: 1 }],
      ['lookup', 'seqno', '5'],
      ['lookup', 'seqno', 5n],
      ['lookup', 'options', 1, null],
      ['lookup', 'deadlineMs', 1, { deadlineMs: 'soon' }],
      ['lookup', 'signal', 1, { signal: 5 }],
      ['masterchainInfo', 'options', null],
      ['masterchainInfo', 'afterSeqno', { afterSeqno: -1 }],
      ['time', 'retries', { retries: 'x' }],
      ['ask', 'request', 'text'],
    ] as const) {
      await expect(asked[method]!(...args), `${method} ${path}`).rejects.toThrow(refused(path));
    }
    expect(standIn.asked).toEqual([]);
    client.close();
    await standIn.close();
  });
});

describe('a key that cannot be of a server', () => {
  const server = { host: '10.1.2.3', port: 4924 };
  it.each([
    ['too short', new Uint8Array(31), /expected the key of 10\.1\.2\.3:4924/],
    ['of small order', new Uint8Array(32), /key of 10\.1\.2\.3:4924, got one of small order/],
    ['no point of the curve', Uint8Array.from([2, ...new Uint8Array(31)]), /key of 10\.1\.2\.3:4924, .*not one/],
    ['text', 'x' as never, /expected the key of 10\.1\.2\.3:4924/],
  ])('is named with its server: %s', (_, publicKey, message) => {
    const error = { code: 'usage/bad-option', path: 'server.publicKey', message: expect.stringMatching(message) };
    expect(() => connectLite({ ...server, publicKey })).toThrowError(expect.objectContaining(error));
  });
});
