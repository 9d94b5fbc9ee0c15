/** Adds the name of the file to an error. */
import { CertificateError, DecodeError, TrustError, ValidatorSetError } from '../../../core/base/errors.ts';

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
    const isOurs = cause instanceof DecodeError || cause instanceof ValidatorSetError || cause instanceof TrustError;
    if (cause instanceof CertificateError) {
      const path = cause.path === undefined ? name : `${name}: ${cause.path}`;
      throw new CertificateError(cause.code, withoutPath(cause), {
        path,
        cause,
        ...(cause.hint === undefined ? {} : { hint: cause.hint }),
      });
    }
    if (!isOurs) throw cause;
    const path = cause.path === undefined || cause.path === '' ? name : `${name}: ${cause.path}`;
    const options = { path, cause, ...(cause.hint === undefined ? {} : { hint: cause.hint }) };
    const message = withoutPath(cause);
    if (cause instanceof DecodeError) throw new DecodeError(cause.code, message, options);
    if (cause instanceof ValidatorSetError) throw new ValidatorSetError(cause.code, message, options);
    throw new TrustError(cause.code, message, options);
  }
}
