/** Rewrites errors of parsers so that they name the file or the option that the user gave. */
import { CertificateError, DecodeError, TrustError, UsageError, ValidatorSetError } from '../../../core/base/errors.ts';

/** Errors about content, whose path is inside of a file. */
const OF_CONTENT = [DecodeError, ValidatorSetError, TrustError, CertificateError] as const;

/** Returns the message without the path that the error puts before it. */
function withoutPath({ message, path }: { readonly message: string; readonly path: string | undefined }): string {
  return path === undefined || path === '' ? message : message.slice(path.length + 2);
}

/**
 * Runs a parser on the content of a file.
 * @throws the error of the parser, with the name of the file before its path
 */
export function withFileName<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    const Kind = OF_CONTENT.find((kind) => cause instanceof kind);
    if (Kind === undefined) throw cause;
    const error = cause as InstanceType<typeof Kind>; // just found
    const path = error.path === undefined || error.path === '' ? name : `${name}: ${error.path}`;
    const code = error.code as never; // each kind takes the codes that it has
    throw new Kind(code, withoutPath(error), { path, cause, hint: error.hint });
  }
}

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
