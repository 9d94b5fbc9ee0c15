/** Says an error about an option of the library in the words of the command line. */
import { UsageError } from '../../../core/base/errors.ts';

/** Options that have a flag of the same meaning whichever server they are for. */
const FLAGS: Readonly<Record<string, string>> = { apiKey: '--api-key-env', sources: '--base-url' };

/** A variable of the environment has no flag. */
const isVariable = (path: string): boolean => /_proxy$/i.test(path);

/**
 * Runs what takes its options from a flag.
 * @throws what it throws, a UsageError with the flag in place of the option
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
      ...(hint === undefined ? {} : { hint: hint.replace('with allowHttp', 'with --allow-http') }),
    });
  }
}
