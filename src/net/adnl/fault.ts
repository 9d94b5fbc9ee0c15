/**
 * Why a channel cannot be used any more. The owner of the channel turns this fault into an error that names the server.
 */
import type { SourceErrorCode } from '../../core/base/errors.ts';

export type ChannelFaultCode = Extract<
  SourceErrorCode,
  'source/malformed' | 'source/too-large' | 'source/timeout' | 'source/upstream'
>;

export class ChannelFault extends Error {
  override readonly name = 'ChannelFault'; // spelled out: minifiers rename classes
  readonly code: ChannelFaultCode;

  constructor(code: ChannelFaultCode, message: string) {
    super(message);
    this.code = code;
  }
}
