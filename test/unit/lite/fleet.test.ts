import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LITE_REST_CAP_MS, LITE_REST_MS } from '../../../src/base/limits.ts';
import type { LiteServerClient } from '../../../src/lite/client.ts';
import { Fleet } from '../../../src/lite/fleet.ts';

/** A server as far as a fleet looks at it. */
const clientAt = (port: number) =>
  ({
    name: `lite://127.0.0.1:${port}`,
    server: { host: '127.0.0.1', port, publicKey: new Uint8Array(32).fill(port) },
  }) as unknown as LiteServerClient;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a server that names blocks which nobody can prove', () => {
  it('rests for longer each time, however well it answers in between, until one of them is proven', async () => {
    const [boaster, honest] = [clientAt(1), clientAt(2)];
    const fleet = new Fleet([boaster, honest]);
    const isAsked = () => fleet.usable().includes(boaster);
    let restMs = LITE_REST_MS;
    for (let time = 0; time < 8; time++, restMs = Math.min(LITE_REST_CAP_MS, 2 * restMs)) {
      await fleet.ask(boaster, async () => 'a head');
      fleet.doubt(boaster, new Error('nobody leads there'));
      vi.advanceTimersByTime(restMs - 1);
      expect(isAsked()).toBe(false);
      vi.advanceTimersByTime(1);
      expect(isAsked()).toBe(true);
    }
    expect(restMs).toBe(LITE_REST_CAP_MS);
    fleet.believe(boaster);
    fleet.doubt(boaster, new Error('nobody leads there'));
    vi.advanceTimersByTime(LITE_REST_MS);
    expect(isAsked()).toBe(true);
    expect(fleet.usable()).toContain(honest);
  });

  it('rests no shorter because it fails to answer as well', () => {
    const [boaster, honest] = [clientAt(1), clientAt(2)];
    const fleet = new Fleet([boaster, honest]);
    for (let time = 0; time < 3; time++) fleet.doubt(boaster, new Error('nobody leads there'));
    fleet.rest(boaster, new Error('no answer'));
    vi.advanceTimersByTime(4 * LITE_REST_MS - 1);
    expect(fleet.usable()).toEqual([honest]);
    vi.advanceTimersByTime(1);
    expect(fleet.usable()).toContain(boaster);
  });
});
