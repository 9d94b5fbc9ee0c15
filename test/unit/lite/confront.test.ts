/** A server that names a different block, question by question: clients of the test answer, and timers of the test do not wait. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DecodeError, SourceError, UnknownKind } from '../../../src/core/base/errors.ts';
import { type BlockIdExt, formatBlockId } from '../../../src/core/block/block-id.ts';
import { readPartialBlockProof } from '../../../src/core/chain/block-proof.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { type Hop, hopsOf, type Way } from '../../../src/net/lite/key-block-way.ts';
import { askWitness, askWitnesses, confront, judgeParting, judgeStray } from '../../../src/net/lite/witnesses.ts';
import { ForkError } from '../../../src/net/sources/fork-error.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { tlProof } from '../../helpers/make-chain.ts';

const firstUtime = 1_700_000_000;
const chain = new LiteChain({ length: 27, firstUtime });
const fork = new LiteChain({ length: 27, firstUtime, forkAt: 25 });
const early = new LiteChain({ length: 27, firstUtime, forkAt: 15 });
const tip = chain.id(27);
const LATER = firstUtime + 366 * 86_400;

type LiteAskOptions = NonNullable<Parameters<LiteServerClient['lookup']>[1]>;
type Answer = (known: BlockIdExt, target: BlockIdExt, opts: LiteAskOptions) => Uint8Array | Promise<Uint8Array>;
let servers = 0;
const named = (of: LiteChain, seqno: number) => ({ tl: new Uint8Array(1), id: of.id(seqno) });
/** A client whose server has this chain. */
function serverOf(of: LiteChain, answer: Answer = (known, target) => of.proof(known.seqno, target.seqno), over = {}) {
  const port = ++servers;
  return {
    name: `server ${port}`,
    server: { host: `10.${port}.0.1`, port, publicKey: new Uint8Array(32) },
    lookup: async (seqno: number) => named(of, seqno),
    masterchainInfo: () => Promise.reject(new SourceError('source/timeout', 'no answer')),
    blockProof: async (known: BlockIdExt, target: BlockIdExt, opts: LiteAskOptions) => {
      const tl = Uint8Array.from(await answer(known, target, opts));
      return { tl, claimed: readPartialBlockProof(tl).proof };
    },
    ...over,
  } as unknown as LiteServerClient; // nothing else of it is used
}
const hopsBy = (of: LiteChain, from: number, to: number, name = 'ours') =>
  hopsOf({ client: { name }, tl: of.proof(from, to) });
const WAY = [...hopsBy(chain, 0, 10, 'one'), ...hopsBy(chain, 10, 20, 'two'), ...hopsBy(chain, 20, 27, 'three')];
const fails = (code: 'source/server' | 'source/rate-limited' | 'source/other-chain') => () => {
  throw new SourceError(code, 'no');
};
/** The same answer, said to stop short of what was asked for. */
const cutShort = (tl: Uint8Array) => {
  const bytes = Buffer.from(tl);
  bytes.set(Buffer.from('379779bc', 'hex'), 4);
  return bytes;
};
const caught = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error: unknown) => error as ForkError,
  );

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: performance.now };
/** Delays of the rules below. Connections of other tests may have timers too. */
const DELAYS = [250, 1100, 5000];
/** Delays that were asked for, and timers that are open. */
let delays: number[] = [];
const open = new Set<unknown>();
beforeEach(() => {
  delays = [];
  open.clear();
  globalThis.setTimeout = ((run: () => void, ms: number) => {
    if (!DELAYS.includes(ms)) return real.setTimeout(run, ms);
    delays.push(ms);
    const timer = real.setTimeout(() => {
      open.delete(timer);
      run();
    }, 5);
    open.add(timer);
    return timer;
  }) as unknown as typeof setTimeout; // its other forms are not used
  globalThis.clearTimeout = ((timer: never) => {
    open.delete(timer);
    real.clearTimeout(timer);
  }) as typeof clearTimeout;
});
afterEach(() => {
  Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
  performance.now = real.now;
});
const wait = (ms: number) => new Promise<void>((resolve) => real.setTimeout(resolve, ms));

describe('our own link that was dropped', () => {
  const parted = (): [Hop, Hop] => {
    const [ours, theirs] = [hopsBy(chain, 10, 20)[0]!, hopsBy(early, 10, 20, 'theirs')[0]!];
    const { link: _, ...dropped } = ours;
    return [dropped, theirs];
  };
  const judged = (answers: readonly LiteServerClient[], opts = {}) =>
    caught(judgeParting(new Fleet(answers), parted(), opts));

  it('is taken from no server that proves nothing, another block, or a way that does not hold', async () => {
    const engine = countingEngine();
    const nothing = serverOf(chain, (known) => tlProof(known, known, [], true));
    const short = serverOf(chain, (known) => chain.proof(known.seqno, 15));
    const broken = serverOf(chain, () => early.proof(20, 27));
    const error = await judged([nothing, short, broken, serverOf(chain)], { engine });
    const { sides } = verifyForkEvidence(error.evidence);
    expect(sides.map(({ blockId }) => blockId)).toEqual([chain.id(20), early.id(20)]);
    expect(engine.opened).toBeGreaterThan(0);
  });

  it('is taken from no server whose answer leads back', async () => {
    const listed = new LiteChain({ length: 15, firstUtime, hasStates: true });
    const [{ link: _, ...ours }, theirs] = [hopsBy(listed, 10, 15)[0]!, hopsBy(fork, 10, 20, 'theirs')[0]!];
    const back = serverOf(listed, () => tlProof(listed.id(10), listed.id(0), [listed.backLink(10, 0)]));
    expect(await caught(judgeParting(new Fleet([back]), [ours, theirs], {}))).toMatchObject({
      code: 'source/disagree',
    });
  });

  it('is not asked for again after a fault of the program', async () => {
    const fault = new TypeError('a fault');
    const failing = serverOf(chain, () => {
      throw fault;
    });
    expect(await judged([failing, serverOf(chain)])).toBe(fault);
  });

  it('is named with both sides and a hint where no server has it', async () => {
    const error = await judged([serverOf(chain, fails('source/server'))]);
    expect(error).toMatchObject({
      code: 'source/disagree',
      statements: [
        { source: 'ours', key: formatBlockId(chain.id(20)) },
        { source: 'theirs', key: formatBlockId(early.id(20)) },
      ],
      hint: expect.stringMatching(/^trust neither block/),
    });
  });
});

describe('two histories', () => {
  const ours = hopsBy(chain, 10, 20)[0]!;
  const theirs = hopsBy(early, 10, 19, 'theirs')[0]!;

  it('are named by the first number that both have', async () => {
    const error = await caught(judgeParting(new Fleet([]), [ours, theirs], {}));
    expect(error.message).toMatch(/^two certified blocks 19 after key block 10: /);
  });

  it('are old keys by a clock that no server contradicts, and servers are asked for it only where keys look old', async () => {
    let asked = 0;
    const says = (now: number) =>
      serverOf(chain, undefined, {
        masterchainInfo: async () => {
          asked++;
          return { tl: new Uint8Array(1), claimed: { last: tip, lastUtime: now, now, zerostate: chain.id(0) } };
        },
      });
    const pair = [ours, hopsBy(early, 10, 20, 'theirs')[0]!] as const;
    const young = { clock: () => firstUtime + 60 };
    expect(await caught(judgeParting(new Fleet([says(LATER)]), pair, young))).toBeInstanceOf(ForkError);
    expect(asked).toBe(0);
    expect(await judgeParting(new Fleet([says(LATER)]), pair, { clock: () => LATER })).toBeDefined();
    expect(asked).toBe(1);
    const ahead = judgeParting(new Fleet([1, 2, 3].map(() => says(firstUtime + 60))), pair, { clock: () => LATER });
    expect(await caught(ahead)).toMatchObject({ code: 'source/clock' });
    // The clock is set right while servers are asked, and none of them answers.
    let now = LATER;
    const masterchainInfo = () => {
      now = firstUtime + 60;
      return Promise.reject(new SourceError('source/timeout', 'no answer'));
    };
    const set = judgeParting(new Fleet([serverOf(chain, undefined, { masterchainInfo })]), pair, { clock: () => now });
    expect(await caught(set)).toBeInstanceOf(ForkError);
  });

  it('that this run has proven itself are told where they part, with evidence', async () => {
    const stray = hopsBy(early, 0, 27, 'stray');
    const opts = { clock: () => LATER };
    const report = await judgeStray(new Fleet([]), WAY, stray, opts);
    expect(report.forked).toEqual([{ source: 'stray', key: formatBlockId(early.id(20)) }]);
    expect(report.evidence).toHaveLength(1);
    expect((await judgeStray(new Fleet([]), WAY, WAY, opts)).forked).toEqual([]);
  });
});

describe('a server that names a different block', () => {
  const other = fork.id(27);

  it.each([
    ['failed', 'source/server', [250, 250]],
    ['is busy', 'source/rate-limited', [1100, 1100]],
  ] as const)('is asked again after its time where it %s', async (_, code, wanted) => {
    const client = serverOf(fork, fails(code));
    const { contradicts } = await confront(new Fleet([client]), client, { way: WAY }, other, {});
    expect(contradicts).toMatchObject([{ source: client.name, error: { code } }]);
    expect(delays).toEqual(wanted);
  });

  it('is not asked again once its questions have taken ten seconds', async () => {
    let passed = 0;
    performance.now = () => real.now.call(performance) + passed;
    let asked = 0;
    const client = serverOf(fork, () => {
      asked++;
      passed += 10_000;
      throw new SourceError('source/server', 'no');
    });
    await confront(new Fleet([client]), client, { way: WAY }, other, {});
    expect([asked, delays]).toEqual([1, []]);
  });

  it('may prove it in several answers, from an earlier key block than it was asked first', async () => {
    const asked: number[] = [];
    const client = serverOf(fork, (known, target) => {
      asked.push(known.seqno);
      if (asked.length === 1) throw new SourceError('source/other-chain', 'unknown');
      return known.seqno === 10 ? cutShort(fork.proof(10, 20)) : fork.proof(known.seqno, target.seqno);
    });
    const error = await caught(confront(new Fleet([client]), client, { way: WAY }, other, {}));
    expect(asked).toEqual([20, 10, 20]);
    const { sides } = verifyForkEvidence(error.evidence);
    expect(sides.map(({ source, blockId }) => [source, blockId])).toEqual([
      ['three', tip],
      [client.name, other],
    ]);
  });

  it('has neither lied nor proven it in a form that this version does not know', async () => {
    const unknown = new DecodeError('decode/shape', 'unknown', { cause: new UnknownKind('new') });
    const engine = {
      ...countingEngine(),
      open() {
        throw unknown;
      },
    };
    const client = serverOf(fork);
    const fleet = new Fleet([client]);
    const { contradicts, refuted } = await confront(fleet, client, { way: WAY }, other, { engine });
    expect(contradicts).toMatchObject([{ source: client.name, error: { code: 'source/unsupported' } }]);
    expect(refuted).toEqual([]);
    expect(fleet.kept()).toEqual([client]);
    expect(delays.filter((ms) => ms === 250).length).toBeGreaterThan(0);
  });

  it('with old keys is out, with the proof that showed them', async () => {
    const client = serverOf(fork);
    const fleet = new Fleet([client]);
    const report = await confront(fleet, client, { way: WAY }, other, { clock: () => LATER });
    expect(report.forked).toMatchObject([{ source: client.name }]);
    expect(fleet.kept()).toEqual([]);
    expect(fleet.lastErrorOf(client)).toMatchObject({ code: 'source/disagree', body: expect.any(Uint8Array) });
  });

  describe('where hashes prove ours', () => {
    const hashed = (id: BlockIdExt, way: Way = WAY) => {
      const asked = { times: 0 };
      const wayTo = async () => {
        asked.times++;
        return way;
      };
      return { asked, hashed: { id, wayTo } };
    };

    it('is named with the server that proved the block after ours', async () => {
      const client = serverOf(fork);
      const { hashed: block } = hashed(chain.id(26));
      const error = await caught(confront(new Fleet([client]), client, { way: WAY, hashed: block }, fork.id(26), {}));
      expect(error.statements?.map(({ source }) => source)).toEqual(['three', client.name]);
    });

    it('is judged at the number of ours, and not at a key block before it', async () => {
      const client = serverOf(fork, (known, target) => {
        if (known.seqno === 20 && firstOf20) {
          firstOf20 = false;
          throw new SourceError('source/other-chain', 'unknown');
        }
        return known.seqno === 10 ? cutShort(fork.proof(10, 20)) : fork.proof(known.seqno, target.seqno);
      });
      let firstOf20 = true;
      const { asked, hashed: block } = hashed(chain.id(26), hopsBy(chain, 0, 26));
      const error = await caught(confront(new Fleet([client]), client, { way: WAY, hashed: block }, fork.id(26), {}));
      expect(asked.times).toBe(1);
      expect(verifyForkEvidence(error.evidence).sides.map(({ blockId }) => blockId)).toEqual([
        chain.id(26),
        fork.id(26),
      ]);
    });

    it('is judged by our way alone where the ways part before', async () => {
      const client = serverOf(early, (known, target) => {
        if (known.seqno === 20) throw new SourceError('source/other-chain', 'unknown');
        return early.proof(known.seqno, target.seqno);
      });
      const { asked, hashed: block } = hashed(chain.id(26));
      const error = await caught(confront(new Fleet([client]), client, { way: WAY, hashed: block }, early.id(26), {}));
      expect(asked.times).toBe(0);
      expect(verifyForkEvidence(error.evidence).sides.map(({ blockId }) => blockId)).toEqual([
        chain.id(20),
        early.id(20),
      ]);
    });
  });
});

describe('a witness', () => {
  const compared = { tip, way: WAY };

  it('is asked for its block within the time that is given', async () => {
    const given: LiteAskOptions[] = [];
    const lookup = async (seqno: number, opts: LiteAskOptions) => {
      given.push(opts);
      return named(chain, seqno);
    };
    const client = serverOf(chain, undefined, { lookup });
    await askWitness(new Fleet([client]), client, compared, { deadlineMs: 1234, retries: 3 });
    await askWitness(new Fleet([client]), client, compared, {});
    expect(given).toMatchObject([
      { deadlineMs: 1234, retries: 3 },
      { deadlineMs: 10_000, retries: 1 },
    ]);
  });

  /** Names its block after this time, or never. */
  const slow = (of: LiteChain, ms: number) =>
    serverOf(of, undefined, {
      lookup: async (seqno: number, { signal }: LiteAskOptions) => {
        await Promise.race([
          ms === Number.POSITIVE_INFINITY ? new Promise(() => {}) : wait(ms),
          new Promise((_, reject) => {
            signal!.addEventListener('abort', () => reject(new SourceError('source/aborted', 'stopped')));
          }),
        ]);
        return named(of, seqno);
      },
    });

  it('that named a different block before has five seconds, and counts the same again after them', async () => {
    const [mute, late] = [slow(fork, Number.POSITIVE_INFINITY), slow(chain, 40)];
    const before = { source: mute.name, key: 'the block of before' };
    const report = await askWitnesses(new Fleet([mute, late]), compared, { open: [before] });
    expect(report).toMatchObject({ agreed: [late.name], contradicts: [before] });
    expect(delays).toEqual([5000]);
    expect(open.size).toBe(0);
  });

  it('that named a different block before may agree now, and has no timer then', async () => {
    const client = serverOf(chain);
    const { agreed, contradicts } = await askWitnesses(new Fleet([client]), compared, {
      open: [{ source: client.name, key: 'the block of before' }],
    });
    expect([agreed, contradicts, delays, open.size]).toEqual([[client.name], [], [5000], 0]);
  });

  it('that named a different block before ends the comparison by a fault of the program, as any other does', async () => {
    const fault = new TypeError('a fault');
    const lookup = () => Promise.reject(fault);
    const client = serverOf(chain, undefined, { lookup });
    const work = askWitnesses(new Fleet([client]), compared, { open: [{ source: client.name }] });
    expect(await caught(work)).toBe(fault);
    expect(open.size).toBe(0);
  });

  it('is asked no further once another one has shown a fork', async () => {
    let isStopped = false;
    const lookup = (_: number, { signal }: LiteAskOptions) =>
      new Promise((_, reject) => {
        signal!.addEventListener('abort', () => {
          isStopped = true;
          reject(new SourceError('source/aborted', 'stopped'));
        });
      });
    const mute = serverOf(chain, undefined, { lookup });
    const error = await caught(askWitnesses(new Fleet([serverOf(fork), mute]), compared, {}));
    expect(error.evidence).toBeDefined();
    expect(isStopped).toBe(true);
  });
});
