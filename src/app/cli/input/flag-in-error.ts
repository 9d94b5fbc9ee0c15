/** Rewrites errors about options of the library so that they name the flag that the user gave. */
import { AuditError, UsageError } from '../../../core/base/errors.ts';
import { withoutPath } from '../../files/with-file-name.ts';

/** Options whose flag is the same for all kinds of servers. */
const FLAGS: Readonly<Record<string, string>> = { apiKey: '--api-key-env', sources: '--base-url' };

/** Returns an error about an option of the library as one that names the flag; any other error unchanged. */
function namingFlag(flag: string, cause: unknown): unknown {
  // A variable of the environment has no flag.
  if (!isOfOption(cause) || cause.path === undefined || /_proxy$/i.test(cause.path)) return cause;
  const { hint, path } = cause;
  const given = { path: FLAGS[path] ?? flag, cause, hint };
  if (cause instanceof AuditError) return new AuditError(cause.code, withoutPath(cause), given);
  return new UsageError(cause.code, withoutPath(cause), given);
}

function isOfOption(error: unknown): error is UsageError | AuditError {
  return error instanceof UsageError || error instanceof AuditError;
}

/** Makes a handler of errors that names the flag in those about one of the options of the same names. */
export function flagOfOption(...names: readonly string[]): (error: unknown) => never {
  return (error) => {
    const name = names.find((one) => isOfOption(error) && error.path === one);
    throw name === undefined ? error : namingFlag(`--${name}`, error);
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
