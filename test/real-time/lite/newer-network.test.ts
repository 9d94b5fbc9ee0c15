/** Answers in a form that this program does not know: it says so, where most servers send them, and no liar ends a run by one. */
import { describe, expect, it } from 'vitest';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { followLite } from '../../../src/net/lite/follow-lite.ts';
import type { FollowLiteOptions } from '../../../src/net/lite/follow-lite-options.ts';
import { proveOlderBlock } from '../../../src/net/lite/prove.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { ASKS, but, liteServers } from '../../helpers/lite-servers.ts';
import { type LiteStandInOptions, liteError } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';
import { inNewForm, newerFrom } from '../../helpers/newer-network.ts';
import { oneOffEngine } from '../../helpers/one-off-engine.ts';

const serve = liteServers();
const chain = new LiteChain({ length: 25, hasStates: true });
const opts = { maxHeadAgeSeconds: 3600, engine: oneOffEngine };
const UPGRADE = {
  code: 'source/unsupported',
  hint: expect.stringMatching(/upgrade: this program is older than the network/),
};
type AnswerOf = LiteStandInOptions['answer'];
const honest: AnswerOf = (asked) => chain.answer(asked);
const newer = newerFrom(chain, 21);
const down: AnswerOf = () => liteError(502, 'gone');

const clientsOf = async (answers: readonly AnswerOf[]): Promise<LiteServerClient[]> =>
  await Promise.all(answers.map(async (answer) => (await serve(answer)).client));
const sync = async (...answers: readonly AnswerOf[]) =>
  await syncCheckpoint(await clientsOf(answers), chain.zerostateId, opts);

describe('a synchronisation', () => {
  it('ends where all servers are of a newer network, and says to upgrade', async () => {
    await expect(sync(newer, newer, newer)).rejects.toMatchObject(UPGRADE);
    await expect(sync(newer)).rejects.toMatchObject(UPGRADE);
    const byNumber = syncCheckpoint(await clientsOf([newer, newer]), chain.zerostateId, { ...opts, to: 22 });
    await expect(byNumber).rejects.toMatchObject(UPGRADE);
  });

  it('says so too where most of those that answer are, and the others do not answer', async () => {
    await expect(sync(newer, newer, down)).rejects.toMatchObject(UPGRADE);
  });

  it('does not say so for fewer', async () => {
    const pruned = but(chain, 'proof', () => liteError(651, 'not in db'));
    await expect(sync(newer, pruned, pruned)).rejects.toMatchObject({ code: 'source/not-ready' });
  });

  it('goes on with a single server that answers in a form that is known, however many others do not', async () => {
    const slowly: AnswerOf = async (asked) => {
      if (asked.constructorId === ASKS.proof) await new Promise((resolve) => setTimeout(resolve, 1200));
      return await chain.answer(asked);
    };
    const result = await sync(newer, newer, newer, slowly);
    expect(result.verdict.status).toBe('final');
    expect(result.tip).toEqual(chain.id(25));
  });

  it('says so of whole answers too, where two servers send the same and not garbage of their own', async () => {
    const head = (id: string) =>
      but(chain, 'head', async (asked) => {
        const answer = Buffer.from(await chain.answer(asked));
        return Buffer.concat([Buffer.from(id, 'hex'), answer.subarray(4)]);
      });
    await expect(sync(head('0102aabb'), head('0102aabb'))).rejects.toMatchObject(UPGRADE);
    await expect(sync(head('0102aabb'), head('0102aabc'))).rejects.toMatchObject({ code: 'source/malformed' });
    // The id of another answer that is known.
    await expect(sync(head('19822d75'), head('19822d75'))).rejects.toMatchObject({ code: 'source/malformed' });
  });
});

it('an older block that no server proves in a known form is told so', async () => {
  const [client] = await clientsOf([honest]);
  const head = await syncCheckpoint([client!], chain.zerostateId, opts);
  const back: AnswerOf = async (asked) => {
    const answer = await chain.answer(asked);
    return asked.constructorId === ASKS.proof ? inNewForm(answer) : answer;
  };
  await expect(proveOlderBlock(await clientsOf([back, back]), head, 7)).rejects.toMatchObject(UPGRADE);
  expect((await proveOlderBlock(await clientsOf([back, back, honest]), head, 7)).blockId).toEqual(chain.id(7));
});

describe('a follower', () => {
  const follow = async (answers: readonly AnswerOf[], over: FollowLiteOptions = {}) => {
    const seqnos: number[] = [];
    const start = startOf(chain);
    const blocks = followLite(await clientsOf(answers), start, { signEverySeconds: 0, from: 15, ...over });
    const end = (async () => {
      for await (const { header } of blocks) {
        seqnos.push(header.seqno);
        if (header.seqno === 18) chain.head = 25;
        if (header.seqno === 25) break;
      }
    })();
    return { seqnos, end };
  };
  const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

  it('hands out what comes before the upgrade, ends there, and says what to do', async () => {
    chain.head = 18;
    const { seqnos, end } = await follow([newer, newer]);
    await expect(end).rejects.toMatchObject(UPGRADE);
    expect(seqnos).toEqual(range(15, 18));
  });

  it('is not ended by liars who say so, while another server is silent for a time', async () => {
    chain.head = 18;
    let silentUntil = Number.POSITIVE_INFINITY;
    const waking: AnswerOf = async (asked) => {
      if (chain.head > 18 && silentUntil === Number.POSITIVE_INFINITY) silentUntil = performance.now() + 3000;
      return chain.head > 18 && performance.now() < silentUntil ? liteError(502, 'gone') : await chain.answer(asked);
    };
    const troubles: string[] = [];
    const { seqnos, end } = await follow([newer, newer, waking], { onTrouble: ({ code }) => void troubles.push(code) });
    await end;
    expect(seqnos).toEqual(range(15, 25));
    expect(new Set(troubles)).toContain('source/unsupported');
  });
});
