/** Makes the errors of this room. */
import { CertificateError, type CertificateErrorCode } from '../base/errors.ts';

export function certError(code: CertificateErrorCode, message: string, path: string, hint?: string): CertificateError {
  return new CertificateError(code, message, { path, hint });
}
