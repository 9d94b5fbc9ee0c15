import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import type { SignatureList } from '../../../src/core/block/signature-list.ts';
import type { ValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { followBlocks } from '../../../src/net/follow/follow-blocks.ts';
import type { FollowOptions } from '../../../src/net/follow/follow-options.ts';
import type { BlockSource } from '../../../src/net/sources/block-source.ts';
import { firstOf } from '../../../src/net/sources/first-of.ts';
import { quorumOf } from '../../../src/net/sources/quorum-of.ts';
import type { HealthChange } from '../../../src/net/sources/server-events.ts';
import { makeSignedSet, type SignedAs, signedAs } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const OLD = makeSigners([1n, 1n, 1n, 1n]);
const NEW = makeSigners([2n, 2n, 2n, 2n], 'next');
const set = makeSet(OLD, { utimeUntil: 2_000_000_000 });
const next = makeSet(NEW, { utimeUntil: 2_000_000_000 });
beforeEach(() => void vi.useFakeTimers().setTimerTickMode('nextTimerAsync'));
afterEach(() => void vi.useRealTimers());

const CLOCK = { clock: () => 1_900_000_000, pollMs: 1 };

type Kind = SignedAs | 'down' | 'other block' | 'ordinary' | 'replayed';

function setOf(kind: Kind, seqno: number): SignatureList {
  if (kind === 'other block') return makeSignedSet('simplex', OLD, seqno + 1);
  if (kind === 'ordinary') return makeSignedSet('ordinary', OLD, seqno);
  if (kind === 'replayed') {
    // Ordinary signatures cover two hashes, so those of an older block are valid under any number.
    const older = makeSignedSet('ordinary', OLD, 99);
    return { ...older, blockId: { ...older.blockId, seqno } };
  }
  if (kind === 'down') throw new SourceError('source/upstream', 'no connection');
  return signedAs(kind, OLD, NEW, seqno);
}

/** A server of a chain that ends at 109. */
function server(name: string, kindOf: (seqno: number) => Kind): BlockSource & { readonly asked: number[] } {
  const asked: number[] = [];
  return {
    name,
    asked,
    latestSeqno: async () => 109,
    signatures: async (seqno) => {
      asked.push(seqno);
      return { signatures: setOf(kindOf(seqno), seqno), source: name };
    },
  };
}

async function statuses(source: BlockSource, count: number, opts: Partial<FollowOptions> = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const { verdict } of followBlocks(source, {
    validators: set,
    from: 100,
    prefetch: 1,
    ...CLOCK,
    ...opts,
  })) {
    found.push(verdict.status === 'undecided' ? verdict.reason : verdict.status);
    if (found.length === count) break;
  }
  return found;
}

describe('signatures that are no good', () => {
  it.each(['rejected', 'insufficient', 'strangers', 'other block', 'replayed'] as const)(
    'are asked of the next server before they are reported: %s',
    async (kind) => {
      const [bad, good] = [server('bad', () => kind), server('good', () => 'good')];
      expect(await statuses(firstOf([bad, good]), 5)).toEqual(Array(5).fill('final'));
      // Whoever gave them is asked last from then on.
      expect([bad.asked, good.asked]).toEqual([[100], [100, 101, 102, 103, 104]]);
    },
  );

  it('are asked of the next server too where they are those of a reported block, under a further number', async () => {
    const [bad, good] = [
      server('bad', (seqno) => (seqno === 99 ? 'ordinary' : 'replayed')),
      server('good', () => 'ordinary'),
    ];
    expect(await statuses(firstOf([bad, good]), 4, { from: 99, acceptUnbound: true })).toEqual(Array(4).fill('final'));
    expect([bad.asked, good.asked]).toEqual([
      [99, 100],
      [100, 101, 102],
    ]);
  });

  it('are reported once everybody has been asked', async () => {
    const servers = ['a', 'b', 'c'].map((name) => server(name, () => 'rejected'));
    expect(await statuses(firstOf(servers), 2)).toEqual(['rejected', 'rejected']);
    expect(servers.map(({ asked }) => asked.length)).toEqual([2, 2, 2]);
  });

  it('are reported after signatures that do not cover the number, where no server has any that do', async () => {
    const servers = [server('a', () => 'rejected'), server('b', () => 'replayed'), server('c', () => 'rejected')];
    expect(await statuses(firstOf(servers), 1)).toEqual(['unbound-id']);
  });

  it('are reported next to a server that is down, where they do not cover the number: other servers may never have any', async () => {
    const servers = [server('a', () => 'ordinary'), server('b', () => 'down')];
    expect(await statuses(firstOf(servers), 2, { maxOutageMs: 3000 })).toEqual(['unbound-id', 'unbound-id']);
  });

  it.each(['rejected', 'replayed'] as const)(
    'are not reported while another server may have better ones: it is waited for until it has the block: %s',
    async (kind) => {
      let tries = 0;
      const late = server('late', () => {
        if (tries++ < 6) throw new SourceError('source/not-ready', 'late: not yet');
        return 'good';
      });
      const source = firstOf([server('bad', () => kind), late]);
      expect(await statuses(source, 2)).toEqual(['final', 'final']);
    },
    20_000,
  );

  it('are reported after ten seconds next to a server that stays behind, where no server covers the number', async () => {
    const behind = server('behind', () => {
      throw new SourceError('source/not-ready', 'behind: not yet');
    });
    const source = firstOf([server('a', () => 'ordinary'), behind]);
    const now = performance.now.bind(performance);
    const quick = vi.spyOn(performance, 'now').mockImplementation(() => 20 * now());
    onTestFinished(() => quick.mockRestore());
    expect(await statuses(source, 3)).toEqual(['unbound-id', 'unbound-id', 'unbound-id']);
  }, 30_000);

  it('end the run after the longest outage, unreported, where another server never answers', async () => {
    const source = firstOf([server('bad', () => 'rejected'), server('dead', () => 'down')]);
    // The error names both: it may be the answers of either that have to be seen to.
    await expect(statuses(source, 1, { maxOutageMs: 50 })).rejects.toMatchObject({
      code: 'source/upstream',
      message: expect.stringMatching(/no connection; the signatures of bad: rejected$/),
    });
  });

  it('are the only reason to blame a server: a context that fails is none', async () => {
    const changes: string[] = [];
    const onHealth = ({ server, to }: HealthChange) => void changes.push(`${server} ${to}`);
    let asked = 0;
    const contextOf = async () => {
      if (asked++ === 0) throw new SourceError('source/disagree', 'a liar names a different header');
      return {};
    };
    const source = firstOf([server('a', () => 'good'), server('b', () => 'good')], { onHealth });
    expect(await statuses(source, 1, { contextOf })).toEqual(['final']);
    expect(changes).toEqual([]);
  });

  it('are asked of who was not waited for in a quorum', async () => {
    const late = server('late', () => 'good');
    const slow: BlockSource = {
      ...late,
      signatures: (seqno) => new Promise((resolve) => setTimeout(() => resolve(late.signatures(seqno)), 20)),
    };
    const source = quorumOf([server('a', () => 'rejected'), server('b', () => 'insufficient'), slow], 2);
    expect(await statuses(source, 2)).toEqual(['final', 'final']);
  });
});

describe('where the validators change', () => {
  const chain = server('chain', (seqno) => (seqno < 103 ? 'good' : 'strangers'));

  it('they are asked for again, and the block is reported under the new ones', async () => {
    const asked: [number, boolean][] = [];
    let current: ValidatorSet = set;
    const validators: FollowOptions['validators'] = ({ blockId }, { isAgain }) => {
      asked.push([blockId.seqno, isAgain]);
      if (isAgain) current = next;
      return current;
    };
    expect(await statuses(chain, 6, { validators })).toEqual(Array(6).fill('final'));
    expect(asked).toEqual([
      [100, false],
      [101, false],
      [102, false],
      [103, false],
      [103, true],
      [104, false],
      [105, false],
    ]);
  });

  it('they are asked for again also where another server is down', async () => {
    const servers = [server('up', () => 'strangers'), server('gone', () => 'down')];
    const validators: FollowOptions['validators'] = (_, { isAgain }) => (isAgain ? next : set);
    expect(await statuses(firstOf(servers), 3, { validators, maxOutageMs: 400 })).toEqual(Array(3).fill('final'));
  });

  it('the block is held until they are known, and not passed', async () => {
    const troubles: SourceError[] = [];
    const reported: number[] = [];
    const validators = () => (troubles.length < 3 ? set : next);
    const opts = { validators, from: 103, ...CLOCK, onTrouble: (error: SourceError) => void troubles.push(error) };
    for await (const { coverage, verdict } of followBlocks(chain, opts)) {
      expect(verdict.status).toBe('final');
      if (reported.push(coverage.blockId.seqno) === 3) break;
    }
    expect(reported).toEqual([103, 104, 105]);
    expect(troubles).toMatchObject(Array(3).fill({ code: 'source/not-ready' }));
    expect(troubles[0]!.message).toContain('no member of the validator set signed block 103');
  });

  it('it ends after the longest outage when they never are', async () => {
    const reports = followBlocks(chain, { validators: () => set, from: 103, ...CLOCK, maxOutageMs: 50 });
    await expect(reports.next()).rejects.toThrow('no member of the validator set signed block 103');
  });

  it('a callback that returns no set ends it with an error that names the callback', async () => {
    for (const none of [undefined, null]) {
      const validators = () => none as unknown as ValidatorSet; // as plain JavaScript may
      const reports = followBlocks(chain, { validators, from: 103, ...CLOCK });
      await expect(reports.next()).rejects.toMatchObject({ name: 'UsageError', path: 'validators' });
    }
  });

  it('a set that is one for all is reported for what it is', async () => {
    expect(await statuses(chain, 5, { from: 101 })).toEqual(['final', 'final', ...Array(3).fill('no-known-signer')]);
  });

  it('one forged answer changes nothing: the next server has the old ones', async () => {
    let again = 0;
    const validators: FollowOptions['validators'] = (_, { isAgain }) => {
      if (isAgain) again++;
      return set;
    };
    const source = firstOf([server('bad', () => 'strangers'), server('good', () => 'good')]);
    expect(await statuses(source, 3, { validators })).toEqual(['final', 'final', 'final']);
    expect(again).toBe(0);
  });
});

describe('a callback', () => {
  const never = () => new Promise<never>(() => {});
  const chain = server('chain', () => 'good');

  it('that returns no object as context ends the run with an error that names it', async () => {
    for (const none of [null, 'header', 7, true]) {
      const contextOf = () => none as never; // as plain JavaScript may
      const reports = followBlocks(chain, { validators: set, from: 103, ...CLOCK, contextOf });
      await expect(reports.next()).rejects.toMatchObject({ name: 'UsageError', path: 'contextOf' });
    }
  });

  it.each(['validators', 'contextOf'] as const)(
    'that never settles does not outlive the signal, which it gets: %s',
    async (name) => {
      const stop = new AbortController();
      let signal: AbortSignal | undefined;
      const hangs = (_: unknown, opts: { readonly signal: AbortSignal }) => {
        signal = opts.signal;
        setTimeout(() => stop.abort(), 5);
        return never();
      };
      const opts = { validators: set, ...CLOCK, [name]: hangs, signal: stop.signal };
      expect(await followBlocks(chain, opts).next()).toEqual({ done: true, value: undefined });
      expect(signal?.aborted).toBe(true);
    },
  );

  it.each(['validators', 'contextOf', 'clock', 'onLag', 'onTrouble', 'onStall'] as const)(
    'that throws is named in the error: %s',
    async (name) => {
      const broken = () => {
        throw new RangeError('out of luck');
      };
      let looks = 0;
      const source: BlockSource = {
        ...chain,
        latestSeqno: async () => (name === 'onStall' && looks++ > 0 ? 100 : 109),
        signatures: async (seqno) => ({
          signatures: setOf(name === 'onTrouble' && looks++ === 0 ? 'down' : 'good', seqno),
          source: 'chain',
        }),
      };
      const from = name === 'clock' || name === 'onStall' ? 109 : 100;
      const reports = followBlocks(source, { validators: set, from, ...CLOCK, lagAfter: 2, [name]: broken });
      const run = async () => {
        for await (const _ of reports);
      };
      await expect(run()).rejects.toMatchObject({
        code: 'usage/callback',
        path: name,
        message: `${name}: the callback threw: out of luck`,
        cause: expect.any(RangeError),
      });
    },
  );

  it('that is async and fails is named too where its answer is waited for', async () => {
    const validators = async () => {
      throw new Error('no such file');
    };
    await expect(statuses(chain, 1, { validators })).rejects.toThrow('validators: the callback threw: no such file');
  });

  it('that throws a SourceError is trouble', async () => {
    let asked = 0;
    const contextOf = async () => {
      if (asked++ < 2) throw new SourceError('source/upstream', 'no header');
      return {};
    };
    expect(await statuses(chain, 1, { contextOf })).toEqual(['final']);
  });
});

it('keeps the pause that a server asked for, where the source does not keep it itself', async () => {
  const asked: number[] = [];
  const chain = server('chain', () => 'good');
  const refuse = (retryAfterMs: number) => {
    asked.push(performance.now());
    if (asked.length < 3) throw new SourceError('source/rate-limited', 'too many', { retryAfterMs });
  };
  const throttled = (name: string, retryAfterMs: number): BlockSource => ({
    ...chain,
    name,
    signatures: async (seqno) => {
      refuse(retryAfterMs);
      return await chain.signatures(seqno);
    },
  });
  expect(await statuses(throttled('one', 900), 1)).toEqual(['final']);
  expect(asked[1]! - asked[0]!).toBeGreaterThan(890);
  // Of several the one that may be asked first counts.
  asked.length = 0;
  expect(await statuses(firstOf([throttled('a', 60_000), throttled('b', 900)]), 1)).toEqual(['final']);
  expect(asked[2]! - asked[1]!).toBeGreaterThan(890);
  expect(asked[2]! - asked[1]!).toBeLessThan(30_000);
});

it('leaves nothing behind when the consumer leaves its loop', async () => {
  const signals: AbortSignal[] = [];
  const chain = server('chain', () => 'good');
  const source: BlockSource = {
    ...chain,
    signatures: (seqno, opts) => {
      signals.push(opts!.signal!);
      return seqno > 100 ? new Promise(() => {}) : chain.signatures(seqno);
    },
  };
  for await (const _ of followBlocks(source, { validators: set, from: 100, ...CLOCK, prefetch: 4 })) break;
  expect(signals.length).toBe(4);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});
