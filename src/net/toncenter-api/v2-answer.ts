/** What all typed v2 answers share: the way in through the envelope, and block ids as a schema of their own. */
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { unwrapAnswer } from '../../core/block/envelope.ts';
import { blockIdType, hash256, int32, int64, uint32 } from './field-schemas.ts';

import { parseTyped, type Schema, typed } from './typed-schema.ts';

/** `ton.blockIdExt`; other network prefixes are taken and not interpreted. The zerostate has shard 0 here. */
export const blockIdExt: Schema<BlockIdExt> = typed({
  '@type': blockIdType,
  workchain: int32,
  shard: int64,
  seqno: uint32,
  root_hash: hash256,
  file_hash: hash256,
});

/** @throws DecodeError naming the JSON path, or `decode/api-error` with the server's words */
export function parseV2Answer<T>(schema: Schema<T>, json: unknown): T {
  const { result, path } = unwrapAnswer(json);
  return parseTyped(schema, result, path);
}
