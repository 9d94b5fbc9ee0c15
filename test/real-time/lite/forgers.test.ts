/** Synchronisation among servers that forge, cut their proofs, lead past the target, or name blocks that do not exist. */
import { describe, expect, it } from 'vitest';
import type { SourceError } from '../../../src/core/base/errors.ts';
import { checkpointFromKeyBlock } from '../../../src/core/chain/checkpoint.ts';
import type { Ed25519Engine } from '../../../src/core/ed25519/engine.ts';
import { verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import type { SyncOptions } from '../../../src/net/lite/sync-options.ts';
import { ForkError } from '../../../src/net/lite/witnesses.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import { LiteChain, type LiteChainOptions } from '../../helpers/lite-chain.ts';
import { ASKS, but, liteServers, lookedUp, type ServedLite } from '../../helpers/lite-servers.ts';
import { type LiteAsked, liteError } from '../../helpers/lite-stand-in.ts';
import { tlProof } from '../../helpers/make-chain.ts';
import { oneOffEngine } from '../../helpers/one-off-engine.ts';

const serve = liteServers();
const firstUtime = Math.floor(Date.now() / 1000) - 60;
const old = { name: 'old', electedSeconds: -40_000 };
const chainOf = (opts: Partial<LiteChainOptions> = {}) => new LiteChain({ length: 27, firstUtime, ...opts });
const chain = chainOf({ hasStates: true });
const fork = chainOf({ hasStates: true, forkAt: 15 });
const aged = chainOf(old);
const agedFork = chainOf({ ...old, forkAt: 15 });
const honest = (of = chain) => serve((asked) => of.answer(asked));
/** A head is a minute old soon: the chains of these tests were made once. */
const sync = (servers: readonly ServedLite[], opts: SyncOptions = {}, from = chain.zerostateId) =>
  syncCheckpoint(
    servers.map(({ client }) => client),
    from,
    { maxHeadAgeSeconds: 3600, engine: oneOffEngine, ...opts },
  );
const caught = (run: Promise<unknown>) => run.catch((error: unknown) => error);
const names = (servers: readonly ServedLite[]) => servers.map(({ client }) => client.name);

/** The same answer with another word on being complete. */
function said(tl: Uint8Array, isComplete: boolean): Buffer {
  const bytes = Buffer.from(tl);
  bytes.set(Buffer.from(isComplete ? 'b5757299' : '379779bc', 'hex'), 4);
  return bytes;
}
const knownOf = ({ request }: LiteAsked) => request.readUInt32LE(20);
const targetOf = ({ request }: LiteAsked) => request.readUInt32LE(100);
/** Stops after the first key block that it forged; asked from there it goes on, or not. */
const cutting = (of: LiteChain, goesOn = true) =>
  serve(
    but(of, 'proof', (asked) => {
      if (knownOf(asked) <= 10) return said(of.proof(knownOf(asked), 20), false);
      return goesOn ? of.answer(asked) : liteError(651, 'not in db');
    }),
  );

describe('a forger that cuts its proof after its own key block', () => {
  it('is found out by the servers that contradict it: a fork, with evidence from where the ways part', async () => {
    const error = await caught(sync([await cutting(fork), await honest(), await honest(), await honest()]));
    expect(error).toBeInstanceOf(ForkError);
    const proof = verifyForkEvidence((error as ForkError).evidence);
    expect(proof.checkpoint?.keyBlock).toEqual(chain.id(10));
    expect(proof.sides.map(({ blockId }) => blockId)).toEqual([fork.id(20), chain.id(20)]);
  });

  it('is found out too where it does not go on: the way begins again where trust began', async () => {
    const error = await caught(sync([await cutting(fork, false), await honest()]));
    expect(error).toBeInstanceOf(ForkError);
  });

  it.each([true, false])('and has old keys makes no head final, however many it is (goes on: %s)', async (goesOn) => {
    const forgers = [await cutting(agedFork, goesOn), await cutting(agedFork, goesOn), await cutting(agedFork, goesOn)];
    const servers = [...forgers, await honest(aged), await honest(aged)];
    for (const acceptStaleStart of [false, true]) {
      const result = await sync(servers, { witnesses: 2, acceptStaleStart }, aged.zerostateId);
      expect(result).toMatchObject({
        verdict: { status: 'undecided', reason: 'contradicted' },
        startIsStale: true,
        warnings: [expect.objectContaining({ code: 'old-keys' })],
      });
      expect(result.witnesses.refuted).toEqual([]);
      expect(verifyForkEvidence(result.witnesses.evidence[0]).checkpoint?.keyBlock).toEqual(aged.id(10));
    }
  });
});

describe('a server that names another block and cannot prove it at this moment', () => {
  const mute = (of = chain, code = 502) => serve(but(of, 'proof', () => liteError(code, 'not now')));

  it('is told by name in a warning, over a fresh start, and does not count where witnesses are wanted', async () => {
    const servers = [await honest(fork), await mute(chain, 429)];
    const result = await sync(servers);
    const message = `${servers[1]!.client.name} named a different block 27, without a proof`;
    const warning = { code: 'contradicted', message };
    expect(result).toMatchObject({
      verdict: { status: 'final' },
      tip: fork.id(27),
      warnings: [warning],
      witnesses: { agreed: [], refuted: [], contradicts: [{ source: servers[1]!.client.name }] },
    });
    expect(result.report?.warnings).toEqual([warning]);
    const wanted = await sync([await honest(fork), await mute()], { witnesses: 1 });
    expect(wanted.verdict).toEqual({ status: 'undecided', reason: 'too-few-witnesses' });
    expect(wanted.report).toBeUndefined();
  });

  it('leaves it open over a stale start, unless the caller takes that', async () => {
    const servers = async () => [
      await honest(agedFork),
      await honest(agedFork),
      await honest(agedFork),
      await mute(aged),
    ];
    const result = await sync(await servers(), {}, aged.zerostateId);
    expect(result).toMatchObject({
      verdict: { status: 'undecided', reason: 'contradicted' },
      witnesses: { agreed: { length: 2 } },
    });
    const taken = await sync(await servers(), { acceptStaleStart: true }, aged.zerostateId);
    expect(taken.verdict).toEqual({ status: 'final' });
    expect(taken.warnings).toEqual([expect.objectContaining({ code: 'contradicted' })]);
    expect(taken.report?.warnings).toEqual(expect.arrayContaining([expect.objectContaining({ code: 'stale-start' })]));
  });
});

describe('a block that is asked for by its number', () => {
  const to = 18;
  /** Looks up a block 18 that is on no chain, and leads past it. */
  const past = (rest: (asked: LiteAsked) => Buffer) =>
    serve((asked) => {
      if (asked.constructorId === ASKS.lookup) return fork.answer(asked);
      if (asked.constructorId !== ASKS.proof) return chain.answer(asked);
      return knownOf(asked) < 20 ? said(chain.proof(0, 20), false) : rest(asked);
    });

  it('is the one that is reported, or none is', async () => {
    const liar = await past(() => liteError(502, 'no'));
    const result = await sync([liar, await honest(), await honest()], { to });
    expect(result).toMatchObject({ verdict: { status: 'final' }, tip: chain.id(to), tipHeader: { seqno: to } });
    expect(result.witnesses.agreed).toHaveLength(1);
    const error = await caught(sync([liar], { to }));
    expect(error).toMatchObject({ name: 'SourceError' });
  });

  it('is not gone to by a detour over a later key block', async () => {
    const links = [chain.forwardLink(0, 10), chain.forwardLink(10, 20), chain.backLink(20, to)];
    const detour = Buffer.from(tlProof(chain.id(0), chain.id(to), links, true));
    const liar = await serve(but(chain, 'proof', () => detour));
    const result = await sync([liar, await honest(), await honest()], { to });
    expect(result.tip).toEqual(chain.id(to));
    const error = (await caught(sync([liar], { to }))) as SourceError;
    expect(error.statements).toMatchObject([{ error: { cause: { code: 'trust/incomplete' } } }]);
    expect(error.message).toMatch(/past block 18/);
  });

  it('costs no honest server its place when another server leads past it', async () => {
    const liar = await serve(but(chain, 'proof', () => said(chain.proof(0, 20), false)));
    const others = [await honest(), await honest()];
    const result = await sync([liar, ...others], { to });
    expect(result.tip).toEqual(chain.id(to));
    expect(names(others)).toEqual(expect.arrayContaining([...result.witnesses.agreed]));
    expect(result.witnesses.agreed).toHaveLength(1);
    // Never asked for a way back.
    const asked = others.flatMap(({ standIn }) => standIn.asked).filter(({ constructorId: id }) => id === ASKS.proof);
    for (const question of asked) expect(knownOf(question)).toBeLessThan(targetOf(question));
  });

  it('is looked for at the next server when the first names one that does not exist', async () => {
    const liar = await serve((asked) =>
      asked.constructorId === ASKS.proof ? liteError(651, 'not in db') : fork.answer(asked),
    );
    const slow = await serve(async (asked) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return chain.answer(asked);
    });
    const result = await sync([liar, slow], { to });
    expect(result).toMatchObject({ verdict: { status: 'final' }, tip: chain.id(to) });
    expect(result.witnesses.contradicts).toMatchObject([{ source: liar.client.name }]);
  });
});

describe('heads that do not exist', () => {
  it('cost those that name them, and the highest that a server can prove is gone to', async () => {
    const ahead = [chainOf({ name: 'ghost', length: 33 }), chainOf({ name: 'other ghost', length: 60 })];
    const liars = await Promise.all(
      ahead.map((ghost) =>
        serve((asked) => {
          if (asked.constructorId === ASKS.head) {
            const head = chain.masterchainInfoExt();
            ghost.masterchainInfoExt().copy(head, 24, 24, 104); // the block alone
            return head;
          }
          return asked.constructorId === ASKS.proof ? liteError(651, 'not in db') : chain.answer(asked);
        }),
      ),
    );
    const others = [await honest(), await honest()];
    const result = await sync([...liars, ...others]);
    expect(result).toMatchObject({ verdict: { status: 'final' }, tip: chain.id(27) });
    // A block that only a liar named is asked of no one else but by its number.
    const asked = others.flatMap(({ standIn }) => standIn.asked).filter(({ constructorId: id }) => id === ASKS.proof);
    expect(new Set(asked.map(targetOf))).toEqual(new Set([27]));
    expect(asked).toHaveLength(1);
    // And not even by that while a server leads to the block that it names itself.
    expect(new Set(others.flatMap(({ standIn }) => lookedUp(standIn)))).toEqual(new Set([27]));
  });

  it('that are behind pull nothing down', async () => {
    const behind = chainOf({ hasStates: true });
    behind.head = 12;
    const lagging = await serve((asked) =>
      asked.waitFor === undefined ? behind.answer(asked) : liteError(652, 'timeout'),
    );
    const result = await sync([lagging, await honest()]);
    expect(result.witnesses.behind).toMatchObject([{ source: lagging.client.name }]);
    expect(result).toMatchObject({ verdict: { status: 'final' }, tip: chain.id(27) });
  });
});

describe('a head that is where trust begins', () => {
  const short = chainOf({ length: 20, hasStates: true });
  const at = () => checkpointFromKeyBlock(short.blocks.get(20)!.boc, short.id(20));
  const run = (servers: readonly ServedLite[]) =>
    syncCheckpoint(
      servers.map(({ client }) => client),
      at(),
      { maxHeadAgeSeconds: 3600 },
    );
  const other = () => serve((asked) => fork20.answer(asked));
  const fork20 = chainOf({ length: 20, hasStates: true, forkAt: 15 });

  it('is not in doubt because one server names another block of its number', async () => {
    const liar = await other();
    const result = await run([liar, await honest(short)]);
    expect(result).toMatchObject({
      verdict: { status: 'final' },
      tip: short.id(20),
      witnesses: { contradicts: [{ source: liar.client.name }] },
    });
    await expect(run([await other()])).rejects.toMatchObject({ code: 'source/other-chain' });
  });

  it('is waited for by a server that is a little behind', async () => {
    const late = chainOf({ length: 20, hasStates: true });
    late.head = 19;
    const server = await serve((asked) => {
      const answer = late.answer(asked);
      if (asked.constructorId === ASKS.head) late.head = 20; // by the next question it has come
      return answer;
    });
    expect(await run([server])).toMatchObject({ verdict: { status: 'final' }, tip: short.id(20) });
  });
});

describe('a run that goes on from an interrupted one', () => {
  it('proves the answers of that one again, from where it began, and asks for the rest', async () => {
    const answers: Uint8Array[] = [];
    const first = await cutting(chain, false);
    const stop = new Error('enough');
    const onProgress = ({ answer }: { readonly answer: Uint8Array }) => {
      answers.push(answer);
      throw stop;
    };
    await expect(sync([first], { onProgress })).rejects.toBe(stop);
    const second = await honest();
    const resume = [...answers];
    const result = await sync([second], { resume });
    expect(result).toMatchObject({
      verdict: { status: 'final' },
      tip: chain.id(27),
      checkpoint: { anchor: chain.id(0) },
    });
    const asked = second.standIn.asked.filter(({ constructorId }) => constructorId === ASKS.proof);
    expect(asked.map(knownOf)).toEqual([20]);
    await expect(sync([second], { resume: [Uint8Array.from(fork.proof(10, 20))] })).rejects.toMatchObject({
      code: 'trust/not-connected',
    });
  });

  it('takes the answers of a run that had reached a block, and then went on to a newer one', async () => {
    const [first, second] = [Uint8Array.from(chain.proof(0, 17)), Uint8Array.from(chain.proof(10, 27))];
    const result = await sync([await honest()], { resume: [first, second] });
    expect(result).toMatchObject({ verdict: { status: 'final' }, tip: chain.id(27), answers: 0 });
  });

  it('stops at once while it proves those answers again, however many there are', async () => {
    const answers = [0, 10, 20].map((at) => Uint8Array.from(chain.proof(at, Math.min(at + 10, 27))));
    const server = await honest();
    const counting = countingEngine();
    await sync([server], { resume: answers, engine: counting });
    const whole = counting.checked;
    const stop = new AbortController();
    const engine: Ed25519Engine = {
      name: counting.name,
      open(keys) {
        setTimeout(() => stop.abort());
        return counting.open(keys);
      },
    };
    const stopped = sync([server], { resume: answers, engine, signal: stop.signal });
    await expect(stopped).rejects.toMatchObject({ code: 'source/aborted' });
    expect(counting.checked - whole).toBeLessThan(whole);
  });

  it('counts none that agrees as a witness of what it may itself have given that one', async () => {
    const resume = [Uint8Array.from(agedFork.proof(0, 27))];
    const forgers = [await honest(agedFork), await honest(agedFork)];
    expect(await sync(forgers, { resume }, aged.zerostateId)).toMatchObject({
      verdict: { status: 'undecided', reason: 'stale-set' },
      witnesses: { agreed: names(forgers) },
    });
    const whole = [Uint8Array.from(chain.proof(0, 27))];
    const mute = await serve(but(chain, 'lookup', () => liteError(502, 'not now')));
    const one = await sync([await honest(), mute], { resume: whole, witnesses: 1 });
    expect(one.verdict).toEqual({ status: 'undecided', reason: 'too-few-witnesses' });
    const two = await sync([await honest(), await honest()], { resume: whole, witnesses: 1 });
    expect(two.verdict).toEqual({ status: 'final' });
  });

  it('begins again where trust began when no server leads on from there', async () => {
    const resume = [Uint8Array.from(said(fork.proof(0, 20), false))];
    const error = await caught(sync([await honest(), await honest()], { resume }));
    expect(error).toBeInstanceOf(ForkError);
    expect(verifyForkEvidence((error as ForkError).evidence).checkpoint?.keyBlock).toEqual(chain.id(10));
  });

  it('finds a fork that lies in what was proven then, in bytes that are copied once', async () => {
    const odd = { subarray: () => new Uint8Array(0) }; // a copy does not have it
    const resume = [Object.assign(Uint8Array.from(said(fork.proof(0, 20), false)), odd)];
    const error = await caught(sync([await honest(fork), await honest()], { resume }));
    expect(error).toBeInstanceOf(ForkError);
    expect(verifyForkEvidence((error as ForkError).evidence).checkpoint?.keyBlock).toEqual(chain.id(10));
  });
});

describe('a machine that sleeps while a proof is on its way', () => {
  const firstUtime = Math.floor(Date.now() / 1000) - 30 * 86_400;
  const young = { firstUtime, electedSeconds: 1000, name: 'slept' };
  const ours = chainOf(young);
  const forged = chainOf({ ...young, forkAt: 15 });
  let clock = 0;
  /** By the time that its proof is there three weeks have gone by. */
  const slow = (of: LiteChain) =>
    serve(
      but(of, 'proof', (asked) => {
        clock = firstUtime + 20 * 86_400;
        for (const one of [ours, forged]) one.clockSkew = clock - Math.floor(Date.now() / 1000);
        return of.answer(asked);
      }),
    );
  const slept = (servers: readonly ServedLite[], opts: SyncOptions = {}) => {
    clock = firstUtime + 30;
    return sync(servers, { clock: () => clock, to: 27, ...opts }, ours.zerostateId);
  };

  it('is where one is whose start was too old from the beginning', async () => {
    expect(await slept([await slow(forged)])).toMatchObject({
      startIsStale: true,
      verdict: { status: 'undecided', reason: 'stale-set' },
    });
    const agreed = await slept([await slow(ours), await honest(ours), await honest(ours)]);
    expect(agreed).toMatchObject({ startIsStale: true, verdict: { status: 'final' } });
    expect(agreed.checkpoint.staleStart).toBe('accepted');
    const apart = await slept([await slow(forged), await honest(ours), await honest(forged), await honest(forged)]);
    expect(apart).toMatchObject({ verdict: { status: 'undecided', reason: 'contradicted' } });
  });
});
