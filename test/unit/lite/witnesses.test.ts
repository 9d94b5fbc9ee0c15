/** Other servers' word on a proven head: who agrees, who is silent, who lies, and when there are two certified blocks. */
import { describe, expect, it } from 'vitest';
import { formatBlockId } from '../../../src/decode/block-id.ts';
import type { Ed25519Engine } from '../../../src/ed25519/engine.ts';
import { referenceEngine } from '../../../src/ed25519/reference.ts';
import type { LiteServerClient } from '../../../src/lite/client.ts';
import type { Leg } from '../../../src/lite/climb.ts';
import { verifyForkEvidence } from '../../../src/lite/evidence.ts';
import { Fleet } from '../../../src/lite/fleet.ts';
import { askWitnesses, ForkError } from '../../../src/lite/witnesses.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { but, liteServers, lookedUp } from '../../helpers/lite-servers.ts';
import { liteError } from '../../helpers/lite-stand-in.ts';

const serve = liteServers();
const firstUtime = 1_700_000_000;
const chain = new LiteChain({ length: 27, firstUtime });
const fork = new LiteChain({ length: 27, firstUtime, forkAt: 25 });
const tip = chain.id(27);
const honest = () => serve((asked) => chain.answer(asked));
const legOf = (client: LiteServerClient, from = 0): Leg => ({
  client,
  from: chain.id(from),
  tl: chain.proof(from, 27),
});
/** Says that block 27 is that of the fork, and answers whoever wants a proof. */
const liar = (proof: Parameters<typeof but>[2]) =>
  serve((asked) => (asked.constructorId === '449cea8a' ? proof(asked) : fork.answer(asked)));

describe('witnesses of a head', () => {
  it('are all but the server that proved it; what each says is told by name', async () => {
    const [prover, agrees, mute] = [
      await honest(),
      await honest(),
      await serve(but(chain, 'lookup', () => liteError(651, 'block is not in db'))),
    ];
    const fleet = new Fleet([prover.client, agrees.client, mute.client]);
    const report = await askWitnesses(fleet, tip, legOf(prover.client), {});
    expect(report).toEqual({
      agreed: [agrees.client.name],
      silent: [{ source: mute.client.name, error: expect.objectContaining({ code: 'source/not-ready' }) }],
      refuted: [],
    });
    expect(lookedUp(prover.standIn)).toEqual([]);
    expect(fleet.kept()).toHaveLength(3);
  });

  it('have ten seconds, may wait for the block, are asked twice at most, and let go at the signal', async () => {
    const prover = await honest();
    const stranger = await liar(() => liteError(651, 'not in db'));
    const given: unknown[] = [];
    const watched: LiteServerClient = {
      ...stranger.client,
      lookup(seqno, opts) {
        given.push(opts);
        return stranger.client.lookup(seqno, opts);
      },
      blockProof(known, target, opts) {
        given.push(opts);
        return stranger.client.blockProof(known, target, opts);
      },
    };
    const { signal } = new AbortController();
    await askWitnesses(new Fleet([prover.client, watched]), tip, legOf(prover.client), { signal });
    await askWitnesses(new Fleet([prover.client, watched]), tip, legOf(prover.client), {});
    const common = { deadlineMs: 10_000, serverMayWait: true, retries: 1 };
    expect(given).toEqual([{ ...common, signal }, { ...common, signal }, common, common]);
  });

  it('are given up at the signal, and at a fault of the program', async () => {
    const [prover, other] = [await honest(), await honest()];
    const ask = (witness: LiteServerClient, signal?: AbortSignal) =>
      askWitnesses(
        new Fleet([prover.client, witness]),
        tip,
        legOf(prover.client),
        signal === undefined ? {} : { signal },
      );
    await expect(ask(other.client, AbortSignal.abort())).rejects.toMatchObject({ code: 'source/aborted' });
    const fault = () => Promise.reject(new TypeError('a fault'));
    await expect(ask({ ...other.client, lookup: fault })).rejects.toThrow(new TypeError('a fault'));
    const stranger = await liar((asked) => fork.answer(asked));
    await expect(ask({ ...stranger.client, blockProof: fault })).rejects.toThrow(new TypeError('a fault'));
    const stop = new AbortController();
    const stopped: LiteServerClient = {
      ...stranger.client,
      blockProof(known, target, opts) {
        stop.abort();
        return stranger.client.blockProof(known, target, opts);
      },
    };
    await expect(ask(stopped, stop.signal)).rejects.toMatchObject({ code: 'source/aborted' });
  });
});

describe('a witness that names another block', () => {
  it('and gives no proof of it is refuted, and out', async () => {
    const prover = await honest();
    const stranger = await liar(() => liteError(-400, 'something else'));
    const fleet = new Fleet([prover.client, stranger.client]);
    const { refuted, agreed, silent } = await askWitnesses(fleet, tip, legOf(prover.client), {});
    expect(refuted).toEqual([
      {
        source: stranger.client.name,
        key: formatBlockId(fork.id(27)),
        error: expect.objectContaining({ code: 'source/bad-request' }),
      },
    ]);
    expect([agreed, silent]).toEqual([[], []]);
    expect(fleet.kept()).toEqual([prover.client]);
  });

  it('and proves the known one instead, or a block before it, is refuted, and out', async () => {
    const prover = await honest();
    for (const tl of [chain.proof(0, 27), fork.proof(0, 26), chain.proof(0, 20)]) {
      const stranger = await liar(() => tl);
      const fleet = new Fleet([prover.client, stranger.client]);
      const { refuted } = await askWitnesses(fleet, tip, legOf(prover.client), {});
      expect(refuted).toEqual([
        {
          source: stranger.client.name,
          key: formatBlockId(fork.id(27)),
          error: expect.objectContaining({
            code: 'source/malformed',
            endpoint: stranger.client.name,
            cause: expect.objectContaining({ code: 'trust/incomplete' }),
          }),
          body: Uint8Array.from(tl),
        },
      ]);
      expect(fleet.kept()).toEqual([prover.client]);
    }
  });

  it('is judged by the engine that is given, whose faults are nobody’s lie', async () => {
    const prover = await honest();
    const stranger = await liar((asked) => fork.answer(asked));
    const engine: Ed25519Engine = {
      ...referenceEngine,
      open() {
        throw new TypeError('a fault');
      },
    };
    const fleet = new Fleet([prover.client, stranger.client]);
    await expect(askWitnesses(fleet, tip, legOf(prover.client), { engine })).rejects.toThrow(new TypeError('a fault'));
    expect(fleet.kept()).toHaveLength(2);
  });

  it.each([
    ['the zerostate', 0],
    ['a key block', 10],
    ['the key block that rules it', 20],
  ])('and proves it too, from %s, shows a fork: both answers are in the evidence', async (_, from) => {
    const prover = await honest();
    const other = await liar((asked) => fork.answer(asked));
    const leg = legOf(prover.client, from);
    const error = await askWitnesses(new Fleet([prover.client, other.client]), tip, leg, {}).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(ForkError);
    const { message, evidence, statements, hint, code } = error as ForkError;
    const names = [prover.client.name, other.client.name];
    const keys = [formatBlockId(tip), formatBlockId(fork.id(27))];
    expect(code).toBe('source/disagree');
    expect(hint).toMatch(/believe neither block: keep the evidence/);
    expect(message).toBe(`two certified blocks 27: ${names.map((name, k) => `${name} says ${keys[k]}`).join('; ')}`);
    expect(statements.map(({ source, key }) => [source, key])).toEqual(names.map((name, k) => [name, keys[k]]));
    const proof = verifyForkEvidence(JSON.parse(JSON.stringify(evidence)));
    expect(proof.checkpoint.keyBlock).toEqual(chain.id(from));
    expect(proof.sides.map(({ source, blockId }) => [source, blockId])).toEqual([
      [names[0], tip],
      [names[1], fork.id(27)],
    ]);
  });

  describe('from a pinned block that is no key block', () => {
    const listed = new LiteChain({ length: 17, firstUtime, hasStates: true });
    const parted = new LiteChain({ length: 17, firstUtime, hasStates: true, forkAt: 15 });
    const from = listed.id(13);
    const legBy = (client: LiteServerClient): Leg => ({ client, from, tl: listed.proof(13, 17) });

    it('and does not prove it is refuted all the same', async () => {
      const prover = await serve((asked) => listed.answer(asked));
      const stranger = await serve(but(listed, 'lookup', (asked) => parted.answer(asked)));
      const fleet = new Fleet([prover.client, stranger.client]);
      const { refuted } = await askWitnesses(fleet, listed.id(17), legBy(prover.client), {});
      expect(refuted).toMatchObject([{ source: stranger.client.name, error: { code: 'source/other-chain' } }]);
      expect(fleet.kept()).toEqual([prover.client]);
    });

    it('and proves it too shows a fork, with evidence from the key block that rules there', async () => {
      const prover = await serve((asked) => listed.answer(asked));
      const other = await serve((asked) => parted.answer(asked));
      const { engine, opened } = countingEngine();
      const error = await askWitnesses(new Fleet([prover.client, other.client]), listed.id(17), legBy(prover.client), {
        engine,
      }).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ForkError);
      expect(opened()).toBe(2);
      const proof = verifyForkEvidence((error as ForkError).evidence);
      expect(proof.checkpoint.keyBlock).toEqual(listed.id(10));
      expect(proof.sides.map(({ blockId }) => blockId)).toEqual([listed.id(17), parted.id(17)]);
    });

    it.each([
      ['gives no proof any more', () => liteError(651, 'not in db')],
      ['proves another block now', () => listed.proof(10, 16)],
    ])('shows a fork also when the first server %s, as what each has sent', async (_, again) => {
      const prover = await serve(but(listed, 'proof', again));
      const other = await serve((asked) => parted.answer(asked));
      const error = await askWitnesses(
        new Fleet([prover.client, other.client]),
        listed.id(17),
        legBy(prover.client),
        {},
      ).catch((caught: unknown) => caught);
      expect(error).not.toBeInstanceOf(ForkError);
      expect(error).toMatchObject({
        code: 'source/disagree',
        message: expect.stringMatching(/^two certified blocks 17: /),
        hint: expect.stringMatching(/believe neither block/),
        statements: [{ body: listed.proof(13, 17) }, { body: Uint8Array.from(parted.proof(10, 17)) }],
      });
    });

    it('is left at the signal, and at a fault of the program', async () => {
      const prover = await serve((asked) => listed.answer(asked));
      const other = await serve((asked) => parted.answer(asked));
      const stop = new AbortController();
      const ask = (blockProof: LiteServerClient['blockProof']) => {
        const client = { ...prover.client, blockProof };
        const fleet = new Fleet([client, other.client]);
        return askWitnesses(fleet, listed.id(17), legBy(client), { signal: stop.signal });
      };
      await expect(ask(() => Promise.reject(new TypeError('a fault')))).rejects.toThrow(new TypeError('a fault'));
      const stopped = ask((known, target, opts) => {
        stop.abort();
        return prover.client.blockProof(known, target, opts);
      });
      await expect(stopped).rejects.toMatchObject({ code: 'source/aborted' });
    });
  });
});
