/** A checkpoint in a real file, kept fresh over lite servers on loopback. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepCheckpoint, readCheckpoint, writeCheckpoint } from '../../../src/app/files/checkpoint-file.ts';
import { type Checkpoint, checkpointToJson } from '../../../src/core/chain/checkpoint.ts';
import { verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import { ForkError } from '../../../src/net/sources/fork-error.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { ASKS, liteServers } from '../../helpers/lite-servers.ts';
import { liteError } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';

const serve = liteServers();
let folder: string;
let file: string;
let chain: LiteChain;
let start: Checkpoint;
/** One for all chains of a test: making them may take longer than a second. */
const firstUtime = Math.floor(Date.now() / 1000) - 44;
const soon = { everySeconds: 0.001, maxHeadAgeSeconds: 3600 };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-keep-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  chain = new LiteChain({ length: 45, firstUtime });
  start = startOf(chain);
  file = join(mkdtempSync(join(folder, 'one-')), 'checkpoint.json');
});

const honest = async () => (await serve((asked) => chain.answer(asked))).client;
/** A listener of a run that must not go on: it ends it. */
const goesOn = () => {
  throw new RangeError('the run goes on');
};
const seqnoOf = (one: Checkpoint) => one.keyBlock.seqno;

describe('a checkpoint in a file', () => {
  it('is read as it was written, over an older one as well', () => {
    writeCheckpoint(file, start);
    writeCheckpoint(file, start);
    expect(checkpointToJson(readCheckpoint(file))).toEqual(checkpointToJson(start));
    expect(readdirSync(join(file, '..'))).toEqual(['checkpoint.json']);
  });

  it('is refused where there is none, where it is a link, and where a byte of it is another', () => {
    expect(() => readCheckpoint(file)).toThrow(expect.objectContaining({ code: 'usage/bad-option', path: file }));
    writeCheckpoint(file, start);
    const link = `${file}.link`;
    symlinkSync(file, link);
    expect(() => readCheckpoint(link)).toThrow(expect.objectContaining({ code: 'usage/bad-option' }));
    expect(() => writeCheckpoint(link, start)).toThrow(expect.objectContaining({ code: 'usage/bad-option' }));
    writeFileSync(file, readFileSync(file, 'utf8').replace('"globalId": -', '"globalId": -1'));
    expect(() => readCheckpoint(file)).toThrow(expect.objectContaining({ code: 'trust/checkpoint' }));
    writeFileSync(file, '{');
    expect(() => readCheckpoint(file)).toThrow(expect.objectContaining({ name: 'DecodeError' }));
  });
});

it('only the very object that was made here is written, for a copy may say anything of how its trust began', async () => {
  const stale = { maxHeadAgeSeconds: 3600, startWasStale: true };
  const { checkpoint: refused } = await syncCheckpoint([await honest()], start, stale);
  expect(refused.staleStart).toBe('refused');
  const copies: Checkpoint[] = [
    { ...start },
    { ...refused, staleStart: 'none' },
    structuredClone(start),
    { ...start, genUtime: start.genUtime + 1 },
    { ...start, globalId: 5 },
  ];
  for (const copy of copies) {
    expect(() => writeCheckpoint(file, copy)).toThrow(
      expect.objectContaining({ name: expect.stringMatching(/^(Usage|Trust)Error$/) }),
    );
  }
  expect(existsSync(file)).toBe(false);
  writeCheckpoint(file, refused);
  expect(readCheckpoint(file).staleStart).toBe('refused');
  writeCheckpoint(file, readCheckpoint(file));
});

it('no file is written that others may write to, since it would not be read', () => {
  writeCheckpoint(file, start);
  for (const mode of [0o666, 0o660, 0o602]) {
    chmodSync(file, mode);
    const usage = expect.objectContaining({ code: 'usage/bad-option', path: file });
    expect(() => writeCheckpoint(file, start)).toThrow(usage);
    expect(() => readCheckpoint(file)).toThrow(usage);
  }
  chmodSync(file, 0o600);
  writeCheckpoint(file, start);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('what is no name of a file, no checkpoint or no server is a mistake of the caller', async () => {
  const client = await honest();
  for (const bad of [undefined, null, 5, '', {}, [file], new Uint8Array(2), Symbol('x'), () => file]) {
    const usage = expect.objectContaining({ name: 'UsageError', code: 'usage/bad-option' });
    expect(() => readCheckpoint(bad as string)).toThrow(usage);
    expect(() => writeCheckpoint(bad as string, start)).toThrow(usage);
    await expect(keepCheckpoint(bad as string, [client], soon)).rejects.toEqual(usage);
    expect(() => writeCheckpoint(file, bad as never)).toThrow(expect.objectContaining({ name: 'UsageError' }));
    await expect(keepCheckpoint(file, bad as never, soon)).rejects.toMatchObject({ name: 'UsageError' });
    if (bad === undefined) continue; // options may be left out
    await expect(keepCheckpoint(file, [client], bad as never)).rejects.toMatchObject({ name: 'UsageError' });
  }
  expect(existsSync(file)).toBe(false);
});

describe('a checkpoint that is kept fresh', () => {
  it('moves with the key blocks until a signal stops it, and has a lock of its own until then', async () => {
    writeCheckpoint(file, start);
    chain.head = 15;
    const stop = new AbortController();
    const kept: number[] = [];
    await keepCheckpoint(file, [await honest()], {
      ...soon,
      signal: stop.signal,
      onProgress: ({ checkpoint }) => {
        expect(seqnoOf(readCheckpoint(file))).toBe(seqnoOf(checkpoint));
        expect(readdirSync(join(file, '..')).filter((name) => name.startsWith('checkpoint.json.lock.'))).toHaveLength(
          1,
        );
        kept.push(seqnoOf(checkpoint));
        if (chain.head === 45) stop.abort();
        chain.head = Math.min(45, chain.head + 16);
      },
    });
    expect(kept).toEqual([10, 30, 40]);
    expect(seqnoOf(readCheckpoint(file))).toBe(40);
    expect(readdirSync(join(file, '..'))).toEqual(['checkpoint.json']);
  });

  it('leaves the file as it is where trust has not moved, and takes another that is put there', async () => {
    chain.head = 25;
    const client = await honest();
    writeCheckpoint(file, start);
    const stop = new AbortController();
    const seen: string[] = [];
    await keepCheckpoint(file, [client], {
      ...soon,
      signal: stop.signal,
      onProgress: () => {
        seen.push(readFileSync(file, 'utf8'));
        if (seen.length === 2) writeFileSync(file, `${JSON.stringify(checkpointToJson(start))}\n\n`);
        if (seen.length === 3) stop.abort();
      },
    });
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).toBe(seen[0]); // begun anew from what stood there
  });

  it('ends on a fork with its evidence, the file as it was', async () => {
    const forked = new LiteChain({ length: 45, forkAt: 43, firstUtime });
    writeCheckpoint(file, start);
    const before = readFileSync(file);
    const other = (await serve((asked) => forked.answer(asked))).client;
    const run = keepCheckpoint(file, [await honest(), other], { ...soon, onError: goesOn, onProgress: goesOn });
    const error = await run.then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(ForkError);
    expect(verifyForkEvidence((error as ForkError).evidence).seqno).toBeGreaterThanOrEqual(43);
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(join(file, '..'))).toEqual(['checkpoint.json']);
  });

  it('tells what failed and tries again; without a listener the first failure ends it', async () => {
    writeCheckpoint(file, start);
    let heads = 0;
    const { client } = await serve((asked) =>
      asked.constructorId === ASKS.head && heads++ < 2 ? liteError(651, 'not ready') : chain.answer(asked),
    );
    const stop = new AbortController();
    const told: string[] = [];
    await keepCheckpoint(file, [client], {
      ...soon,
      maxHeadAgeSeconds: 3600,
      signal: stop.signal,
      // One that is async and fails ends neither the run nor the process.
      onError: async ({ code }) => {
        told.push(code);
        throw new RangeError('the alert was not sent');
      },
      onProgress: () => stop.abort(),
    });
    expect(told.length).toBeGreaterThan(0);
    expect(told.every((code) => code.startsWith('source/'))).toBe(true);
    expect(seqnoOf(readCheckpoint(file))).toBe(40);
    const { client: down } = await serve(() => liteError(651, 'not ready'));
    await expect(keepCheckpoint(file, [down], soon)).rejects.toMatchObject({ name: 'SourceError' });
  });

  it('does not write what stands on a start that is too old', async () => {
    writeCheckpoint(file, start);
    const before = readFileSync(file);
    const now = () => Date.now() / 1000 + 1e8;
    const run = keepCheckpoint(file, [await honest()], {
      ...soon,
      maxHeadAgeSeconds: 1e9,
      clock: now,
      onError: goesOn,
      onProgress: goesOn,
    });
    await expect(run).rejects.toMatchObject({ code: 'trust/stale-start' });
    expect(readFileSync(file)).toEqual(before);
  });

  it('stops in the middle of a question, and between two', async () => {
    writeCheckpoint(file, start);
    const stop = new AbortController();
    const { client } = await serve(() => {
      stop.abort();
      return new Promise<never>(() => {});
    });
    await keepCheckpoint(file, [client], { ...soon, signal: stop.signal });
    const later = new AbortController();
    const onProgress = () => void setTimeout(() => later.abort(), 0);
    await keepCheckpoint(file, [await honest()], { maxHeadAgeSeconds: 3600, signal: later.signal, onProgress });
    expect(seqnoOf(readCheckpoint(file))).toBe(40);
    await keepCheckpoint(file, [await honest()], { signal: later.signal }); // at once
  });

  it('ends with what its listener throws', async () => {
    writeCheckpoint(file, start);
    const onProgress = () => Promise.reject(new RangeError('mine'));
    const run = keepCheckpoint(file, [await honest()], { ...soon, onProgress, onError: () => {} });
    await expect(run).rejects.toMatchObject({
      code: 'usage/callback',
      path: 'onProgress',
      message: expect.stringContaining('mine'),
    });
  });

  it('stops at its signal though its listener never returns', async () => {
    writeCheckpoint(file, start);
    const stop = new AbortController();
    const onProgress = () => {
      stop.abort();
      return new Promise<void>(() => {});
    };
    await keepCheckpoint(file, [await honest()], { ...soon, signal: stop.signal, onProgress });
    expect(readdirSync(join(file, '..'))).toEqual(['checkpoint.json']);
  });

  it('does not overwrite a checkpoint that was pinned again during its walk', async () => {
    writeCheckpoint(file, start);
    const other = new LiteChain({ length: 5, firstUtime, name: 'other' });
    const pinned = startOf(other);
    const { client } = await serve((asked) => {
      if (asked.constructorId === ASKS.proof) writeCheckpoint(file, pinned);
      return chain.answer(asked);
    });
    const run = keepCheckpoint(file, [client], { ...soon, onError: goesOn, onProgress: goesOn });
    await expect(run).rejects.toMatchObject({ code: 'usage/bad-option', path: file });
    expect(readCheckpoint(file)).toEqual(pinned);
    expect(readdirSync(join(file, '..'))).toEqual(['checkpoint.json']);
  });

  it('stops at its signal while it waits for the lock of another one', async () => {
    writeCheckpoint(file, start);
    const [first, second] = [new AbortController(), new AbortController()];
    const client = await honest();
    let ended: Promise<void> | undefined;
    await new Promise<void>((resolve) => {
      const given = { ...soon, everySeconds: 80_000, signal: first.signal, onProgress: () => resolve() };
      ended = keepCheckpoint(file, [client], given);
    });
    const waiting = keepCheckpoint(file, [client], { ...soon, signal: second.signal, onProgress: goesOn });
    setTimeout(() => second.abort(), 50);
    await waiting; // without the error of a file that is in use
    first.abort();
    await ended;
    expect(readdirSync(join(file, '..'))).toEqual(['checkpoint.json']);
  });

  it('refuses options that are none, no server, and no file', async () => {
    const client = await honest();
    for (const bad of [{ everySeconds: 0 }, { everySeconds: 86_401 }, { every: 5 }, { onError: 5 }, { witnesses: 3 }]) {
      await expect(keepCheckpoint(file, [client], bad as object)).rejects.toMatchObject({ code: 'usage/bad-option' });
    }
    await expect(keepCheckpoint(file, [], soon)).rejects.toMatchObject({ code: 'usage/bad-option' });
    await expect(keepCheckpoint(file, [client], soon)).rejects.toMatchObject({ code: 'usage/bad-option', path: file });
    expect(existsSync(file)).toBe(false);
  });
});
