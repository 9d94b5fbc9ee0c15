/** Where the machines of a fleet meet: what a caller says of it, and what of that is refused. */
import { UsageError } from '../../../core/base/errors.ts';

/** Where the fleet meets. */
export interface FleetOptions {
  /** `redis://…` or `rediss://…`; what is secret in it is in no message. */
  readonly redis: string;
  /** Default `ton-finality-audit`. */
  readonly queue?: string;
}

export const DEFAULT_QUEUE = 'ton-finality-audit';

const QUEUE_NAME = /^[\w.-]{1,100}$/;

/** @throws UsageError for what is no URL of Redis, or no name */
export function requireFleet(opts: FleetOptions): Required<FleetOptions> {
  const { redis, queue = DEFAULT_QUEUE } = opts;
  if (typeof redis !== 'string' || !/^rediss?:\/\//.test(redis) || !URL.canParse(redis)) {
    throw new UsageError('usage/bad-option', 'expected a URL such as redis://127.0.0.1:6379', { path: 'redis' });
  }
  if (typeof queue !== 'string' || !QUEUE_NAME.test(queue)) {
    throw new UsageError('usage/bad-option', 'expected letters, digits, dots and dashes', { path: 'queue' });
  }
  return { redis, queue };
}
