/** Connects the machines of a fleet through Redis, and shares one pace among them. The optional packages are loaded on first use. */

import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { badOption } from '../../../core/base/arguments.ts';
import { SourceError, UsageError } from '../../../core/base/errors.ts';
import type { Signal } from '../../../core/base/runtime-types.ts';
import type { Pace } from '../../../net/async/pace.ts';
import { sleep, untilAborted } from '../../../net/async/timer.ts';

/** The Redis and the queue that a fleet shares. */
export interface FleetQueue {
  /** `redis://…` or `rediss://…`. No message contains its user and password. */
  readonly redis: string;
  readonly queue: string;
}

export const DEFAULT_QUEUE = 'ton-finality-audit';

/** @throws UsageError with the names of the missing packages */
async function load<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw new UsageError('usage/bad-option', `a fleet needs the package ${what}, which is not installed`, {
      hint: 'npm install bullmq ioredis',
      cause,
    });
  }
}

/** Commands wait while Redis is unreachable, without a limit. */
const PATIENT = { maxRetriesPerRequest: null, retryStrategy: (times: number) => Math.min(50 * times, 1000) };

function ignore(): void {
  // a failed connection is made again, and its commands wait
}

/** Opens a connection of its own. */
export async function connectRedis(url: string): Promise<Redis> {
  const { Redis: Client } = await load('ioredis', () => import('ioredis'));
  return new Client(url, PATIENT).on('error', ignore);
}

/** Milliseconds until the first answer of Redis has to come. Later answers have no limit. */
const FIRST_ANSWER_MS = 15_000;
const OLDEST = [6, 2] as const;

/**
 * Asks Redis for its version once: a wrong address would otherwise wait without end.
 * @throws SourceError if no Redis answers or the password is wrong; UsageError for a version that is too old
 */
export async function requireRedis(url: string, firstAnswerMs = FIRST_ANSWER_MS): Promise<void> {
  const { Redis: Client } = await load('ioredis', () => import('ioredis'));
  const { host } = new URL(url); // without user and password
  const client = new Client(url, { ...PATIENT, connectTimeout: firstAnswerMs });
  const none = (why: string) => new SourceError('source/upstream', `no Redis at ${host}: ${why.slice(0, 200)}`);
  let timer: NodeJS.Timeout | undefined;
  const refused = new Promise<never>((_, reject) => {
    let why = 'no answer';
    timer = setTimeout(() => reject(none(why)), firstAnswerMs);
    client.on('error', ({ message }: Error) => {
      why = message;
      if (/NOAUTH|WRONGPASS|ERR AUTH/.test(why))
        reject(new SourceError('source/auth', `${host}: ${why.slice(0, 200)}`));
    });
  });
  const asked = client.info('server').catch(({ message }: Error) => {
    throw none(message);
  });
  asked.catch(ignore); // ends with the connection
  try {
    const version = /^redis_version:(\d+)\.(\d+)/m.exec(await Promise.race([asked, refused]));
    const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)];
    if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
    throw badOption(`expected a Redis of ${OLDEST.join('.')} or newer, got ${major}.${minor}`, 'redis');
  } finally {
    clearTimeout(timer);
    client.disconnect();
  }
}

export async function openQueue({ redis, queue }: FleetQueue): Promise<Queue> {
  const { Queue: BullQueue } = await load('bullmq', () => import('bullmq'));
  const opened = new BullQueue(queue, { connection: { url: redis, ...PATIENT } });
  opened.on('error', ignore);
  return opened;
}

/**
 * Starts a worker.
 * @param lockMs milliseconds without a sign of life, after which another worker takes the part
 * @param name of the worker, recorded with each part that it takes
 * @param process returns the result of a part; a part with an error marked final is not tried again
 */
export async function openWorker(
  { redis, queue }: FleetQueue,
  lockMs: number,
  name: string,
  process: (data: unknown) => Promise<string>,
  isFinal: (error: unknown) => boolean,
): Promise<Worker> {
  const { Worker: BullWorker, UnrecoverableError } = await load('bullmq', () => import('bullmq'));
  const worker = new BullWorker(
    queue,
    async ({ data }) => {
      try {
        return await process(data);
      } catch (error) {
        const words = error instanceof Error ? error.message : 'unknown failure';
        throw isFinal(error) ? new UnrecoverableError(words) : error;
      }
    },
    {
      connection: { url: redis, ...PATIENT },
      name,
      concurrency: 1,
      lockDuration: lockMs,
      stalledInterval: lockMs,
      maxStalledCount: 1000, // workers may die any number of times
      runRetryDelay: 500,
      drainDelay: 1,
    },
  );
  worker.on('error', ignore);
  return worker;
}

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
 * Makes a pace that processes share: each takes its turn by the clock of Redis.
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
