/** v2 getConfigParam and getConfigAll: a bag of cells. It is handed on as bytes; what it proves is not decided here. */
import { DecodeError } from '../../core/base/errors.ts';
import { bytes, typeName } from './field-schemas.ts';
import { type Schema, typed } from './typed-schema.ts';
import { parseV2Answer } from './v2-answer.ts';

const configSchema: Schema<{ readonly config: { readonly bytes: Uint8Array } }> = typed({
  '@type': typeName('configInfo'),
  config: typed({ '@type': typeName('tvm.cell'), bytes }),
});

/** The BoC of one config parameter, or of the whole config. @throws DecodeError, also for the empty bytes of a missing parameter */
export function parseConfigInfo(json: unknown): Uint8Array {
  const boc = parseV2Answer(configSchema, json).config.bytes;
  if (boc.length === 0) {
    throw new DecodeError('decode/length', 'expected a bag of cells, got no bytes', {
      path: 'result.config.bytes',
      hint: 'this config parameter does not exist at that block',
    });
  }
  return boc;
}
