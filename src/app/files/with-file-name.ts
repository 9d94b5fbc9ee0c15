/** Rewrites errors of parsers so that they name the file in which the content is. */
import {
  CertificateError,
  DecodeError,
  type FinalityError,
  TrustError,
  ValidatorSetError,
} from '../../core/base/errors.ts';

/** Errors about content, whose path is inside of a file. */
const OF_CONTENT = [DecodeError, ValidatorSetError, TrustError, CertificateError] as const;

/** Returns the message without the path that the error puts before it. */
export function withoutPath({ message, path }: Pick<FinalityError, 'message' | 'path'>): string {
  return path === undefined || path === '' ? message : message.slice(path.length + 2);
}

/** What to do about a file whose bytes are of another kind, where the error does not say it. */
const HINTS: Readonly<Record<string, string>> = {
  'decode/boc': 'pass the whole file as it was written, in bytes: decode base64 or hex first',
  'decode/tl': 'pass the whole answer of the server in bytes, and nothing else',
};

/** Returns an error about content with the name of the file before its path; any other error unchanged. */
export function namingFile<E>(name: string, cause: E): E {
  const Kind = OF_CONTENT.find((kind) => cause instanceof kind);
  if (Kind === undefined) return cause;
  const error = cause as InstanceType<typeof Kind>; // just found
  const path = error.path === undefined || error.path === '' ? name : `${name}: ${error.path}`;
  const code = error.code as never; // each kind takes the codes that it has
  return new Kind(code, withoutPath(error), { path, cause, hint: error.hint ?? HINTS[error.code] }) as E; // of the class of `cause`
}

/**
 * Runs a parser on the content of a file.
 * @throws the error of the parser, with the name of the file before its path
 */
export function withFileName<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw namingFile(name, cause);
  }
}
