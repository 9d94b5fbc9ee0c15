/**
 * A toncenter-compatible API v3 server (ton-indexer). It has no signatures; it gives a second opinion on which block
 * has a seqno.
 */

import { BODY_LIMITS } from '../../core/base/limits.ts';
import { readOptions } from '../../core/base/options.ts';
import { ASK_OPTIONS, type AskOptions } from '../sources/block-source.ts';
import {
  type MasterchainShardState,
  masterchainRow,
  parseMasterchainShardState,
} from '../toncenter-api/masterchain-shard-state.ts';
import { createRequester, requireSeqno } from './request.ts';
import type { ToncenterOptions } from './toncenter-options.ts';

/** A client of the part of API v3 that this library uses: the row of a masterchain block, for comparison. */
export interface ToncenterV3 {
  /** The label shown in errors, without keys. */
  readonly name: string;
  /**
   * Returns the rows of this masterchain block. Servers send rows that include the block itself; the documented shape
   * has transactions, which all name the block. @throws SourceError, UsageError
   */
  masterchainBlockShardState(seqno: number, opts?: AskOptions): Promise<MasterchainShardState>;
}

function aboutAnother(state: MasterchainShardState, seqno: number): string | undefined {
  if (state.kind === 'blocks') {
    return masterchainRow(state.blocks, seqno) === undefined ? `no row of masterchain block ${seqno}` : undefined;
  }
  const stray = state.transactions.find(({ mcBlockSeqno }) => mcBlockSeqno !== undefined && mcBlockSeqno !== seqno);
  return stray && `asked for masterchain block ${seqno}, got a transaction of block ${stray.mcBlockSeqno}`;
}

/**
 * Creates a client of one server of API v3.
 * @param opts the base URL as in https://host/api/v3, and optionally the API key, headers, pace, time limits and
 * observers
 * @returns a witness for `crossCheck`
 * @throws UsageError for options that cannot be used
 * @example
 * ```ts
 * import { toncenterV3 } from 'ton-finality/servers';
 * const witness = toncenterV3({ baseUrl: 'https://host.example/api/v3' });
 * console.log(witness.name); // https://host.example/api/v3
 * ```
 */
export function toncenterV3(opts: ToncenterOptions): ToncenterV3 {
  const requester = createRequester(opts);
  return Object.freeze({
    name: requester.label,
    async masterchainBlockShardState(seqno: number, given: AskOptions = {}) {
      const options = readOptions(given, '', ASK_OPTIONS);
      return await requester.ask(
        {
          api: 'v3',
          operation: 'masterchainBlockShardState',
          query: { seqno: requireSeqno(seqno) },
          ...BODY_LIMITS.list,
          read: (json) => {
            const state = parseMasterchainShardState(json);
            if (state.kind === 'blocks') masterchainRow(state.blocks, seqno); // throws for two rows of one block
            return state;
          },
          mismatch: (state) => aboutAnother(state, seqno),
        },
        options,
      );
    },
  });
}
