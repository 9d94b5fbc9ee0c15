import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sayWhileWaiting } from '../../../src/app/cli/output/say-while-waiting.ts';
import { ROOT } from '../../helpers/vectors.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a command that waits for servers', () => {
  it('says why after ten seconds, after twenty, after forty, and nothing once it is over', () => {
    const said: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text: unknown) => said.push(String(text)) > 0);
    const fits = new Ajv2020({ strict: true }).compile(
      JSON.parse(readFileSync(join(ROOT, 'schemas/event-1.json'), 'utf8')) as object,
    );
    const event = { server: 'lite://a', operation: 'lookup', latencyMs: 1, attempts: 1 };
    const waiting = sayWhileWaiting(true);
    waiting.onServer({ ...event, outcome: 'source/timeout' });
    vi.advanceTimersByTime(9_900);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(200);
    waiting.onServer({ ...event, outcome: 'ok' });
    vi.advanceTimersByTime(10_000);
    waiting.proved(7, 90);
    vi.advanceTimersByTime(20_000);
    waiting.end();
    vi.advanceTimersByTime(600_000);
    const events = said.map((text) => JSON.parse(text));
    for (const one of events) expect(fits(one), JSON.stringify(fits.errors)).toBe(true);
    expect(events).toMatchObject([
      { code: 'no-server', seconds: 10, server: 'lite://a', message: expect.stringContaining('source/timeout') },
      { code: 'not-proven', seconds: 20 },
      { code: 'catching-up', seconds: 40, head: 7, said: 90 },
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
