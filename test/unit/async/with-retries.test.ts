/** A question that is asked again, by the rule of the machine. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceError, type SourceErrorCode } from '../../../src/core/base/errors.ts';
import { withRetries } from '../../../src/net/async/with-retries.ts';
import type { RetryPolicy } from '../../../src/net/machine/retry.ts';

const POLICY: RetryPolicy = { retries: 3, waitForBlock: false, rateLimitWaitMs: 1100 };
const failed = (code: SourceErrorCode, attempts: number) => new SourceError(code, 'x', { attempts });

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a question that is tried again', () => {
  const stopped = (tries: number) => failed('source/aborted', tries);

  it('hands each try its number and what the one before it ended with', async () => {
    vi.useFakeTimers();
    const seen: unknown[] = [];
    const attempt = async (tries: number, before: SourceError | undefined) => {
      seen.push([tries, before?.code, performance.now()]);
      if (tries < 3) throw failed('source/upstream', tries);
      return 'answer';
    };
    const start = performance.now();
    const answer = withRetries({ attempt, endMs: start + 30_000, signal: undefined, stopped }, POLICY);
    await vi.runAllTimersAsync();
    await expect(answer).resolves.toBe('answer');
    expect(seen).toEqual([
      [1, undefined, start],
      [2, 'source/upstream', start + 250],
      [3, 'source/upstream', start + 750],
    ]);
  });

  it('ends with the last failure, and at once with what is no failure of a server', async () => {
    const ends = (error: Error) => {
      const attempt = async () => {
        throw error;
      };
      return withRetries({ attempt, endMs: performance.now() + 1000, signal: undefined, stopped }, POLICY);
    };
    const last = failed('source/upstream', 4);
    await expect(ends(last)).rejects.toBe(last);
    const own = new RangeError('ours');
    await expect(ends(own)).rejects.toBe(own);
  });

  it('ends its wait when the caller stops it', async () => {
    const controller = new AbortController();
    const attempt = async (tries: number) => {
      queueMicrotask(() => queueMicrotask(() => controller.abort()));
      throw failed('source/upstream', tries);
    };
    const { signal } = controller;
    const answer = withRetries({ attempt, endMs: performance.now() + 30_000, signal, stopped }, POLICY);
    await expect(answer).rejects.toMatchObject({ code: 'source/aborted', attempts: 1 });
  });
});
