/** Declares the options of a fleet in a file of its own, so that no declaration of the package names an optional package. */
import { UsageError } from '../../../core/base/errors.ts';
import { optional } from '../../../core/base/options.ts';

/** The Redis and the queue that a fleet shares. */
export interface FleetOptions {
  /** `redis://…` or `rediss://…`. No message contains its user and password. */
  readonly redis: string;
  /** Default `ton-finality-audit`. */
  readonly queue?: string;
}

export const DEFAULT_QUEUE = 'ton-finality-audit';

/** @throws UsageError for an invalid Redis URL or name */
export const FLEET_READERS = {
  redis(url: unknown, path: string): string {
    if (typeof url === 'string' && /^rediss?:\/\//.test(url) && URL.canParse(url)) return url;
    throw new UsageError('usage/bad-option', 'expected a URL such as redis://127.0.0.1:6379', { path });
  },
  queue: optional((name: unknown, path): string => {
    if (typeof name === 'string' && /^[\w.-]{1,100}$/.test(name)) return name;
    throw new UsageError('usage/bad-option', 'expected letters, digits, dots and dashes', { path });
  }, DEFAULT_QUEUE),
} as const;
