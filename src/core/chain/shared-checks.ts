/** Errors that several rules share. Each has the code of its rule and the path of the value. */
import { encodeHex } from '../base/bytes.ts';
import { TrustError, type TrustErrorCode } from '../base/errors.ts';
import { type BlockIdExt, differingField } from '../block/block-id.ts';

export function trustError(code: TrustErrorCode, message: string, path: string, hint?: string): TrustError {
  return new TrustError(code, message, { path, hint });
}

/**
 * Requires two block ids to be equal in all five fields. @param what says which two, as in `the link starts elsewhere`
 */
export function requireSameBlock(
  got: BlockIdExt,
  wanted: BlockIdExt,
  what: string,
  path: string,
  code: TrustErrorCode = 'trust/not-connected',
  hint?: string,
): void {
  const field = differingField(got, wanted);
  if (field === undefined) return;
  const [was, due] = [got[field], wanted[field]].map((value) =>
    value instanceof Uint8Array ? `${encodeHex(value).slice(0, 16)}…` : String(value),
  );
  throw trustError(code, `${what}: ${field} expected ${due}, got ${was}`, path, hint);
}
