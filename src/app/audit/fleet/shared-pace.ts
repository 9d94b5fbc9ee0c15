/** Shares one budget of questions among processes: each takes its turn by the clock of Redis. */

import type { Redis } from 'ioredis';
import type { Signal } from '../../../core/base/runtime-types.ts';
import type { Pace } from '../../../net/async/pace.ts';
import { sleep, untilAborted } from '../../../net/async/timer.ts';

/** Takes the next free turn. KEYS: turn, rest. ARGV: microseconds between turns. Returns microseconds to wait. */
const TAKE_TURN = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local turn = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(redis.call('GET', KEYS[2]) or '0'))
redis.call('SET', KEYS[1], string.format('%.0f', turn + tonumber(ARGV[1])), 'PX', 3600000)
return string.format('%.0f', turn - now)`;

/** Stops all questions for so many microseconds. KEYS: rest. */
const REST = `
local time = redis.call('TIME')
local till = tonumber(time[1]) * 1000000 + tonumber(time[2]) + tonumber(ARGV[1])
if till > tonumber(redis.call('GET', KEYS[1]) or '0') then redis.call('SET', KEYS[1], string.format('%.0f', till), 'PX', 3600000) end
return 1`;

/**
 * Makes a pace that processes share.
 * @param name what is asked, such as the origin of a server; processes with the same name share its budget
 * @param requestsPerSecond of all processes together
 */
export function sharedPace(redis: Redis, name: string, requestsPerSecond: number): Pace {
  const turn = `ton-finality:pace:${name}:turn`;
  const rest = `ton-finality:pace:${name}:rest`;
  const interval = String(Math.ceil(1_000_000 / requestsPerSecond));
  return Object.freeze({
    async run<T>(task: () => Promise<T>, signal: Signal): Promise<T> {
      const waitUs = Number(await untilAborted(redis.eval(TAKE_TURN, 2, turn, rest, interval), signal));
      if (waitUs > 0) await sleep(Math.ceil(waitUs / 1000), signal);
      return await untilAborted(task(), signal);
    },
    rest(ms: number): void {
      redis.eval(REST, 1, rest, String(Math.ceil(ms * 1000))).catch(() => {}); // the server will report it again
    },
  });
}
