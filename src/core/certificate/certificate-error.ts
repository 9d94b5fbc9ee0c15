/** Makes the errors of this room. */
import { CertificateError, type CertificateErrorCode } from '../base/errors.ts';

export function certError(code: CertificateErrorCode, message: string, path: string, hint?: string): CertificateError {
  return new CertificateError(code, message, { path, hint });
}

/** Makes the error for a list that is too long. */
export function tooMany(what: string, most: number, path: string): CertificateError {
  return certError('cert/too-large', `expected at most ${most} ${what}`, path);
}
