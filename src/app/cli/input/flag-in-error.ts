/** Rewrites errors about options of the library so that they name the flag that the user gave. */
import { UsageError } from '../../../core/base/errors.ts';
import { withoutPath } from '../../files/with-file-name.ts';

/** Options whose flag is the same for all kinds of servers. */
const FLAGS: Readonly<Record<string, string>> = { apiKey: '--api-key-env', sources: '--base-url' };

/** Returns whether a path is a variable of the environment, which has no flag. */
const isVariable = (path: string): boolean => /_proxy$/i.test(path);

/** Returns an error about an option of the library as one that names the flag; any other error unchanged. */
function namingFlag(flag: string, cause: unknown): unknown {
  if (!(cause instanceof UsageError) || cause.path === undefined || isVariable(cause.path)) return cause;
  const { code, hint, path } = cause;
  return new UsageError(code, withoutPath(cause), { path: FLAGS[path] ?? flag, cause, hint });
}

/** Makes a handler of errors that names the flag in those about the option of the same name. */
export function flagOfOption(name: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof UsageError && error.path === name ? namingFlag(`--${name}`, error) : error;
  };
}

/** Runs a function whose options come from a flag. @throws its errors, as `namingFlag` gives them */
export function withFlagName<T>(flag: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw namingFlag(flag, cause);
  }
}
