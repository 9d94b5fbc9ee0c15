/** Rewrites an error about an option of the library so that it names the flag. */
import { UsageError } from '../../../core/base/errors.ts';

/** Options whose flag is the same for all kinds of servers. */
const FLAGS: Readonly<Record<string, string>> = { apiKey: '--api-key-env', sources: '--base-url' };

/** Returns whether a path is a variable of the environment, which has no flag. */
const isVariable = (path: string): boolean => /_proxy$/i.test(path);

/**
 * Runs a function whose options come from a flag.
 * @throws its errors; a UsageError names the flag instead of the option
 */
export function withFlagName<T>(flag: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof UsageError) || cause.path === undefined || isVariable(cause.path)) throw cause;
    const { code, hint, message, path } = cause;
    throw new UsageError(code, message.slice(path.length + 2), {
      path: FLAGS[path] ?? flag,
      cause,
      hint,
    });
  }
}
