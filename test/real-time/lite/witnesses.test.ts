/** Other servers' word on a proven head: who agrees, who is silent, who lies, and when there are two certified blocks. */
import { describe, expect, it } from 'vitest';
import { formatBlockId } from '../../../src/core/block/block-id.ts';
import type { Ed25519Engine } from '../../../src/core/ed25519/engine.ts';
import { referenceEngine } from '../../../src/core/ed25519/reference.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { continued, hopsOf, type Way } from '../../../src/net/lite/key-block-way.ts';
import { askWitnesses, type Compared, confront, ForkError } from '../../../src/net/lite/witnesses.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { ASKS, but, liteServers, lookedUp } from '../../helpers/lite-servers.ts';
import { liteError } from '../../helpers/lite-stand-in.ts';

const serve = liteServers();
const firstUtime = 1_700_000_000;
const chain = new LiteChain({ length: 27, firstUtime });
const fork = new LiteChain({ length: 27, firstUtime, forkAt: 25 });
const parted = new LiteChain({ length: 27, firstUtime, forkAt: 15 });
const tip = chain.id(27);
const honest = () => serve((asked) => chain.answer(asked));
/** The block that is compared, on the way from some block, in answers that end at these blocks. */
const provenBy = (prover: LiteServerClient, from = 0, stops: readonly number[] = [27], of = chain): Compared => {
  let way: Way = [];
  let at = from;
  for (const to of stops) {
    way = continued(way, hopsOf({ client: prover, tl: of.proof(at, to) }));
    at = to;
  }
  return { tip: of.id(at), way, prover };
};
/** Says that block 27 is that of the fork, and answers whoever wants a proof. */
const liar = (proof: Parameters<typeof but>[2]) =>
  serve((asked) => (asked.constructorId === '449cea8a' ? proof(asked) : fork.answer(asked)));

/** Lets the servers of both chains name this time. */
const atTime = (seconds: number) => {
  for (const one of [chain, fork, parted]) one.clockSkew = seconds - Math.floor(Date.now() / 1000);
};
const aYearLater = firstUtime + 366 * 86_400;

const unknownBlock = liteError(-400, 'block 1 is unknown from the perspective of reference block');
/** The same answer, said to stop short of what was asked for. */
const cutShort = (tl: Uint8Array) => {
  const bytes = Buffer.from(tl);
  bytes.set(Buffer.from('379779bc', 'hex'), 4);
  return bytes;
};

describe('witnesses of a head', () => {
  it('are all but the server that proved it; what each says is told by name', async () => {
    const [prover, agrees, mute] = [
      await honest(),
      await honest(),
      await serve(but(chain, 'lookup', () => liteError(651, 'block is not in db'))),
    ];
    const fleet = new Fleet([prover.client, agrees.client, mute.client]);
    const report = await askWitnesses(fleet, provenBy(prover.client), {});
    expect(report).toEqual({
      agreed: [agrees.client.name],
      behind: [{ source: mute.client.name, error: expect.objectContaining({ code: 'source/not-ready' }) }],
      silent: [],
      contradicts: [],
      refuted: [],
      forked: [],
      evidence: [],
    });
    expect(lookedUp(prover.standIn)).toEqual([]);
    expect(fleet.kept()).toHaveLength(3);
  });

  it('have ten seconds, may wait for the block until they lack one of ours, are asked twice at most, and let go at the signal', async () => {
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
    await askWitnesses(new Fleet([prover.client, watched]), provenBy(prover.client), { signal });
    await askWitnesses(new Fleet([prover.client, watched]), provenBy(prover.client), {});
    const maxBytes = 16_777_216;
    const [signals, onAttempt] = [expect.any(AbortSignal), expect.any(Function)];
    const common = { deadlineMs: 10_000, serverMayWait: true, maxBytes, onAttempt, signal: signals };
    // From block 20, from 10, and from the zerostate: the server knows none of them.
    const proofs = [true, false, false].map((serverMayWait) => ({ ...common, retries: 0, serverMayWait }));
    const both = [{ ...common, retries: 1 }, ...proofs];
    expect(given).toEqual([...both, ...both]);
  });

  it('are given up at the signal, and at a fault of the program', async () => {
    const [prover, other] = [await honest(), await honest()];
    const ask = (witness: LiteServerClient, signal?: AbortSignal) =>
      askWitnesses(
        new Fleet([prover.client, witness]),
        provenBy(prover.client),
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
  it.each([
    ['a failure', 'source/bad-request', () => liteError(-400, 'something else')],
    ['that it is busy', 'source/rate-limited', () => liteError(429, 'too many requests')],
    ['that it has pruned it', 'source/not-ready', () => liteError(651, 'not in db')],
    ['that it does not know the trusted block', 'source/other-chain', () => unknownBlock],
    ['an answer that cannot be read', 'source/malformed', () => Buffer.from('00000000', 'hex')],
  ])('and answers with %s contradicts without a proof, and stays', async (_, code, proof) => {
    const prover = await honest();
    const stranger = await liar(proof);
    const fleet = new Fleet([prover.client, stranger.client]);
    const { contradicts, refuted, agreed, silent } = await askWitnesses(fleet, provenBy(prover.client), {});
    expect(contradicts).toEqual([
      { source: stranger.client.name, key: formatBlockId(fork.id(27)), error: expect.objectContaining({ code }) },
    ]);
    expect([agreed, silent, refuted]).toEqual([[], [], []]);
    expect(fleet.kept()).toEqual([prover.client, stranger.client]);
  });

  it('is asked three times at most from one key block, and from earlier ones where it does not know that one', async () => {
    const prover = await honest();
    const long = new LiteChain({ length: 27, keyEvery: 2, firstUtime });
    const asked = async (answer: () => Buffer) => {
      const stranger = await liar(answer);
      const compared = provenBy(prover.client, 0, [26, 27], long);
      await askWitnesses(new Fleet([prover.client, stranger.client]), compared, {});
      return stranger.standIn.asked
        .filter(({ constructorId }) => constructorId === ASKS.proof)
        .map(({ request }) => request.readUInt32LE(20));
    };
    expect(await asked(() => liteError(502, 'no'))).toEqual([26, 26, 26]);
    expect(await asked(() => unknownBlock)).toEqual([26, 24, 22, 18, 10, 0]);
  });

  it('and proves one that our way does not part from has said all that it can, and stays', async () => {
    const [prover, witness] = [await honest(), await honest()];
    const fleet = new Fleet([prover.client, witness.client]);
    const { contradicts } = await confront(fleet, witness.client, provenBy(prover.client), chain.id(24), {});
    expect(contradicts).toHaveLength(1);
    expect(fleet.kept()).toContain(witness.client);
    expect(witness.standIn.asked.filter(({ constructorId }) => constructorId === ASKS.proof)).toHaveLength(1);
  });

  it('and proves the known one instead, or a block before it, is refuted, and out', async () => {
    const prover = await honest();
    for (const tl of [chain.proof(20, 27), fork.proof(20, 26), chain.proof(20, 25)]) {
      const stranger = await liar(() => tl);
      const fleet = new Fleet([prover.client, stranger.client]);
      const { refuted } = await askWitnesses(fleet, provenBy(prover.client), {});
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
    await expect(askWitnesses(fleet, provenBy(prover.client), { engine })).rejects.toThrow(new TypeError('a fault'));
    expect(fleet.kept()).toHaveLength(2);
  });

  it.each([
    ['the zerostate', 0],
    ['a key block', 10],
    ['the key block that rules it', 20],
  ])('and proves it too, from %s, shows a fork: both answers are in the evidence', async (_, from) => {
    const prover = await honest();
    const other = await liar((asked) => fork.answer(asked));
    const compared = provenBy(prover.client, from);
    const error = await askWitnesses(new Fleet([prover.client, other.client]), compared, {}).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(ForkError);
    const { message, evidence, statements, hint, code } = error as ForkError;
    const names = [prover.client.name, other.client.name];
    const keys = [formatBlockId(tip), formatBlockId(fork.id(27))];
    expect(code).toBe('source/disagree');
    expect(hint).toMatch(/trust neither block: keep the evidence/);
    expect(message).toBe(
      `two certified blocks 27 after key block 20: ${names.map((name, k) => `${name} says ${keys[k]}`).join('; ')}`,
    );
    expect(statements.map(({ source, key }) => [source, key])).toEqual(names.map((name, k) => [name, keys[k]]));
    const proof = verifyForkEvidence(JSON.parse(JSON.stringify(evidence)));
    expect(proof.checkpoint?.keyBlock).toEqual(chain.id(20));
    expect(proof.sides.map(({ source, blockId }) => [source, blockId])).toEqual([
      [names[0], tip],
      [names[1], fork.id(27)],
    ]);
  });

  describe('from a pinned block that is no key block', () => {
    const listed = new LiteChain({ length: 17, firstUtime, hasStates: true });
    const parted = new LiteChain({ length: 17, firstUtime, hasStates: true, forkAt: 15 });
    const legBy = (client: LiteServerClient) => provenBy(client, 13, [17], listed);

    it('and proves it too shows a fork, with evidence from the key block that rules there', async () => {
      const prover = await serve((asked) => listed.answer(asked));
      const other = await serve((asked) => parted.answer(asked));
      const engine = countingEngine();
      const fleet = new Fleet([prover.client, other.client]);
      const error = await askWitnesses(fleet, legBy(prover.client), { engine }).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ForkError);
      expect(engine.opened).toBe(1);
      const proof = verifyForkEvidence((error as ForkError).evidence);
      expect(proof.checkpoint?.keyBlock).toEqual(listed.id(10));
      expect(proof.sides.map(({ blockId }) => blockId)).toEqual([listed.id(17), parted.id(17)]);
    });
  });
});

describe('two histories that parted before the newest key block', () => {
  const forged = (client: LiteServerClient) => provenBy(client, 0, [20, 27], parted);

  it.each([
    ['in one answer', [27]],
    ['in two, the first of which ends at a key block of one of them', [20, 27]],
  ])('are a fork, however the proof of one of them is cut: %s', async (_, stops) => {
    const forger = await serve((asked) => parted.answer(asked));
    const witness = await honest();
    const fleet = new Fleet([forger.client, witness.client]);
    const compared = provenBy(forger.client, 0, stops, parted);
    const error = await askWitnesses(fleet, compared, {}).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ForkError);
    const proof = verifyForkEvidence((error as ForkError).evidence);
    expect(proof.checkpoint?.keyBlock).toEqual(chain.id(10));
    expect(proof.sides.map(({ blockId }) => blockId)).toEqual([parted.id(20), chain.id(20)]);
    expect(fleet.kept()).toHaveLength(2);
  });

  it('are a fork as soon as the part of a proof that came shows it', async () => {
    const forger = await serve((asked) => parted.answer(asked));
    let answers = 0;
    const witness = await serve(
      but(chain, 'proof', (asked) => {
        if (asked.request.readUInt32LE(20) === 20) return chain.answer(asked);
        answers += 1;
        return cutShort(chain.proof(10, 20));
      }),
    );
    const fleet = new Fleet([forger.client, witness.client]);
    await expect(askWitnesses(fleet, forged(forger.client), {})).rejects.toBeInstanceOf(ForkError);
    expect(answers).toBe(1);
  });

  it('are old keys where the set that signed both is past its stakes: told, with evidence', async () => {
    const clock = () => aYearLater;
    atTime(aYearLater);
    for (const baseIsStale of [true, false]) {
      const forger = await serve((asked) => parted.answer(asked));
      const witness = await honest();
      const fleet = new Fleet([forger.client, witness.client]);
      const report = await askWitnesses(fleet, forged(forger.client), { clock, isBaseStale: () => baseIsStale });
      expect(report).toMatchObject({
        agreed: [],
        contradicts: [],
        refuted: [],
        forked: [{ source: witness.client.name, key: formatBlockId(chain.id(27)) }],
      });
      expect(verifyForkEvidence(report.evidence[0]).checkpoint?.keyBlock).toEqual(chain.id(10));
      // Over a stale base no one can tell which of the two is old.
      expect(fleet.kept()).toHaveLength(baseIsStale ? 2 : 1);
    }
  });

  it('are no fork, and put nobody out, where the machine slept past the stakes in the comparison', async () => {
    let nowSeconds = firstUtime + 60;
    const prover = await honest();
    const other = await serve((asked) => {
      nowSeconds = aYearLater;
      atTime(nowSeconds);
      return fork.answer(asked);
    });
    const fleet = new Fleet([prover.client, other.client]);
    const opts = { clock: () => nowSeconds, isBaseStale: () => nowSeconds === aYearLater };
    const { forked } = await askWitnesses(fleet, provenBy(prover.client), opts);
    expect(forked).toMatchObject([{ source: other.client.name }]);
    expect(fleet.kept()).toHaveLength(2);
  });

  it('are old keys too where no server names a time', async () => {
    const answer = (of: LiteChain) => but(of, 'head', () => liteError(500, 'down'));
    const [forger, witness] = [await serve(answer(parted)), await serve(answer(chain))];
    const fleet = new Fleet([forger.client, witness.client]);
    const compared = askWitnesses(fleet, forged(forger.client), { clock: () => aYearLater, isBaseStale: () => true });
    expect(await compared).toMatchObject({ forked: [{ source: witness.client.name }] });
  });

  it('are a fork too where our own link was dropped: it is asked for again, or told without evidence', async () => {
    const forger = await serve((asked) => parted.answer(asked));
    const witness = await honest();
    const { way, ...compared } = forged(forger.client);
    const dropped = way.map(({ link: _, ...hop }) => hop);
    const fleet = new Fleet([forger.client, witness.client]);
    const error = await askWitnesses(fleet, { ...compared, way: dropped }, {}).catch((caught: unknown) => caught);
    expect(verifyForkEvidence((error as ForkError).evidence).sides[0].blockId).toEqual(parted.id(20));
    forger.client.close();
    await forger.standIn.close();
    const again = askWitnesses(new Fleet([forger.client, witness.client]), { ...compared, way: dropped }, {});
    await expect(again).rejects.toMatchObject({ name: 'SourceError', code: 'source/disagree' });
    await expect(again).rejects.not.toBeInstanceOf(ForkError);
  });
});

describe('a server that proves another block where hashes prove ours', () => {
  const ours = chain.id(26);
  const other = fork.id(26);
  /** @param to where the way to our own signatures ends @param opts of the comparison */
  const confronted = async (to: number | undefined, opts = {}) => {
    const prover = await honest();
    const witness = await serve((asked) => fork.answer(asked));
    const fleet = new Fleet([prover.client, witness.client]);
    const { way } = provenBy(prover.client);
    const wayTo = async () => (to === undefined ? way : provenBy(prover.client, 0, [to]).way);
    const hashed = { id: ours, wayTo };
    const asked = () => prover.standIn.asked.map(({ constructorId }) => constructorId);
    return { fleet, witness, asked, outcome: confront(fleet, witness.client, { way, hashed }, other, opts) };
  };

  it('shows a fork, with evidence where our own signatures came', async () => {
    const error = await (await confronted(26)).outcome.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ForkError);
    const { sides } = verifyForkEvidence((error as ForkError).evidence);
    expect(sides.map(({ blockId }) => blockId)).toEqual([ours, other]);
  });

  it('shows a fork without evidence where they did not come, and nobody is asked for them again', async () => {
    const { outcome, asked } = await confronted(undefined);
    const error = await outcome.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'SourceError', code: 'source/disagree' });
    expect((error as Error).message).toContain(formatBlockId(ours));
    expect((error as Error).message).toContain(formatBlockId(other));
    expect(error).not.toBeInstanceOf(ForkError);
    expect(asked()).not.toContain('449cea8a');
  });

  it('shows old keys where the set that signed both is past its stakes', async () => {
    atTime(aYearLater);
    const { outcome, fleet } = await confronted(undefined, { clock: () => aYearLater });
    expect(await outcome).toMatchObject({ contradicts: [], forked: [{ key: formatBlockId(other) }], evidence: [] });
    expect(fleet.kept()).toHaveLength(1);
  });
});
