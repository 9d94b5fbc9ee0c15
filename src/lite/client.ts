/**
 * The questions of one lite server that this library needs, each answer typed and about what was asked. What is named
 * `claimed` is the server's word; the functions of `chain/` find out what of it is proven.
 */

import { decodeHex, encodeHex, equalBytes } from '../base/bytes.ts';
import { DecodeError, SourceError, TrustError, UsageError } from '../base/errors.ts';
import {
  MASTERCHAIN_SHARD,
  MASTERCHAIN_WORKCHAIN,
  MAX_LITE_TRANSACTIONS,
  MAX_SEQNO,
  ZEROSTATES,
} from '../base/limits.ts';
import type { AsyncCloseable } from '../base/runtime-types.ts';
import { fileHash, type ProvenHeader, provenHeader } from '../chain/block-header.ts';
import { type PartialBlockProof, parsePartialBlockProof } from '../chain/block-proof.ts';
import { type BlockIdExt, differingField, requireMasterchain } from '../decode/block-id.ts';
import type { LiteServer } from '../decode/global-config.ts';
import {
  type ClaimedAccount,
  type ClaimedBlock,
  type ClaimedConfig,
  type ClaimedHead,
  type ClaimedHeader,
  type ClaimedShardProof,
  type ClaimedState,
  type ClaimedTransaction,
  type ClaimedTransactions,
  type ClaimedVersion,
  parseTlAccountState,
  parseTlBlockData,
  parseTlBlockHeader,
  parseTlBlockState,
  parseTlConfigInfo,
  parseTlMasterchainInfo,
  parseTlMasterchainInfoExt,
  parseTlShardBlockProof,
  parseTlTime,
  parseTlTransactionInfo,
  parseTlTransactionList,
  parseTlVersion,
  type ZerostateId,
} from '../decode/lite-answers.ts';
import { createLiteRequester, type LiteAskOptions, type LiteOptions, type LiteQuestion } from './requester.ts';
import {
  type AccountId,
  accountStateRequest,
  blockProofRequest,
  blockRequest,
  headerRequest,
  keyBlockConfigRequest,
  lookupRequest,
  masterchainInfoExtRequest,
  masterchainInfoRequest,
  shardProofRequest,
  stateRequest,
  timeRequest,
  transactionRequest,
  transactionsRequest,
  versionRequest,
} from './requests.ts';

/** An answer: the bytes as they came, and what they say. */
export interface Answered<T> {
  /** TL, without the envelope of ADNL. */
  readonly tl: Uint8Array;
  /** The server's word, no more. */
  readonly claimed: T;
}

/** A block that a server names, with a header that is proven to be of a block with this id. That it is on the chain is not. */
export interface LookedUpBlock {
  readonly tl: Uint8Array;
  readonly id: BlockIdExt;
  readonly header: ProvenHeader;
  /** The Merkle proof that the header was read from. */
  readonly headerProof: Uint8Array;
}

/** Every method throws a `SourceError`, or a `UsageError` for an argument that no server could answer. */
export interface LiteServerClient extends AsyncCloseable {
  /** `lite://host:port/` and half of the key's id. */
  readonly name: string;
  readonly server: LiteServer;
  /** Where the server says the head is, and when. With `afterSeqno` it answers once it has that block, or after some seconds. */
  masterchainInfo(opts?: LiteAskOptions & { readonly afterSeqno?: number }): Promise<Answered<ClaimedHead>>;
  time(opts?: LiteAskOptions): Promise<Answered<{ readonly now: number }>>;
  version(opts?: LiteAskOptions): Promise<Answered<ClaimedVersion>>;
  /** The way from one masterchain block to another, at most 16 links of it: for `walkBlockProof`. */
  blockProof(known: BlockIdExt, target: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<PartialBlockProof>>;
  /** The masterchain block with this seqno. */
  lookup(seqno: number, opts?: LiteAskOptions): Promise<LookedUpBlock>;
  /** The header of a block of any workchain. */
  header(id: BlockIdExt, opts?: LiteAskOptions): Promise<LookedUpBlock>;
  /** A block's file; it has the file hash of the id. */
  block(id: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<ClaimedBlock>>;
  /** The file of a zerostate; it has the file hash of the id. */
  zerostateFile(id: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<ClaimedState>>;
  /** Parameters of the configuration that rules at a masterchain block, proven from its key block: for `checkpointFromKeyBlock`. */
  keyBlockConfig(id: BlockIdExt, params: readonly number[], opts?: LiteAskOptions): Promise<Answered<ClaimedConfig>>;
  shardProof(id: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<ClaimedShardProof>>;
  accountState(id: BlockIdExt, account: AccountId, opts?: LiteAskOptions): Promise<Answered<ClaimedAccount>>;
  transaction(
    id: BlockIdExt,
    account: AccountId,
    lt: bigint,
    opts?: LiteAskOptions,
  ): Promise<Answered<ClaimedTransaction>>;
  /** Up to 16 transactions of an account, the newest with this lt and hash. */
  transactions(
    account: AccountId,
    newest: { readonly lt: bigint; readonly hash: Uint8Array; readonly count: number },
    opts?: LiteAskOptions,
  ): Promise<Answered<ClaimedTransactions>>;
  /** Any other request, boxed TL; the answer as it came, unless it is an error. */
  ask(request: Uint8Array, opts?: LiteAskOptions): Promise<Uint8Array>;
  /** Ends the connection and whatever is asked on it. A later question opens a new one. */
  close(): void;
}

/** A network by its zerostate, or one that is known by name. */
export type LiteNetwork = 'mainnet' | 'testnet' | ZerostateId;

/** How one lite server is reached, waited for, and held to its network. */
export interface LiteClientOptions extends LiteOptions {
  /** The network that the server must be of; its word on the head is refused otherwise. */
  readonly network?: LiteNetwork;
}

function zerostateOf(network: LiteNetwork): ZerostateId {
  if (typeof network !== 'string') return network;
  const { rootHash, fileHash } = ZEROSTATES[network];
  return { rootHash: decodeHex(rootHash)!, fileHash: decodeHex(fileHash)! }; // our own hex
}

function requireSeqno(seqno: number): number {
  if (Number.isInteger(seqno) && seqno >= 1 && seqno <= MAX_SEQNO) return seqno;
  throw new UsageError('usage/bad-option', `expected 1 to ${MAX_SEQNO}, got ${seqno}`, { path: 'seqno' });
}

function nameOf({ workchain, shard, seqno }: BlockIdExt): string {
  return `(${workchain},${BigInt.asUintN(64, shard).toString(16)},${seqno})`;
}

/** Says so when an answer is about another block than the one asked for. */
function otherBlock(got: BlockIdExt, asked: BlockIdExt): string | undefined {
  const field = differingField(got, asked);
  return field === undefined ? undefined : `asked for ${nameOf(asked)}, got ${nameOf(got)}: the ${field} differs`;
}

/** @throws UsageError for a server or options that cannot be used */
export function connectLite(server: LiteServer, opts: LiteClientOptions = {}): LiteServerClient {
  const requester = createLiteRequester(server, opts);
  const { name } = requester;
  const network = opts.network === undefined ? undefined : zerostateOf(opts.network);

  function ask<T>(
    operation: string,
    request: Uint8Array,
    parse: (tl: Uint8Array) => T,
    rest: Pick<LiteQuestion<Answered<T>>, 'mismatch' | 'afterSeqno'> = {},
    options?: LiteAskOptions,
  ): Promise<Answered<T>> {
    const read = (tl: Uint8Array) => ({ tl, claimed: parse(tl) });
    return requester.ask({ operation, request, read, ...rest }, options);
  }

  function requireNetwork(zerostate: ZerostateId): void {
    if (network === undefined) return;
    const { rootHash, fileHash } = network;
    if (equalBytes(zerostate.rootHash, rootHash) && equalBytes(zerostate.fileHash, fileHash)) return;
    throw new SourceError(
      'source/wrong-network',
      `${name}: a server of another network: its zerostate has root hash ${encodeHex(zerostate.rootHash)}, that of yours has ${encodeHex(rootHash)}`,
      { endpoint: name, hint: 'give a server of the network you mean' },
    );
  }

  const waitFor = (seqno: number, options: LiteAskOptions | undefined) =>
    options?.waitForBlock === true || options?.serverMayWait === true ? { afterSeqno: seqno } : {};

  /** A header that does not prove the id beside it is as good as unreadable. */
  async function lookedUp(question: Promise<Answered<ClaimedHeader>>, operation: string): Promise<LookedUpBlock> {
    const { tl, claimed } = await question;
    try {
      const { id, headerProof } = claimed;
      return { tl, id, header: provenHeader(headerProof, id), headerProof };
    } catch (error) {
      if (!(error instanceof TrustError || error instanceof DecodeError)) throw error;
      throw new SourceError('source/malformed', `${name}: ${operation}: a header of another block: ${error.message}`, {
        endpoint: name,
        body: tl,
        cause: error,
        hint: 'ask another server',
      });
    }
  }

  return Object.freeze({
    name,
    server: requester.server,
    async masterchainInfo(options: LiteAskOptions & { readonly afterSeqno?: number } = {}) {
      const { afterSeqno } = options;
      const read = (parse: (tl: Uint8Array) => ClaimedHead) => (tl: Uint8Array) => {
        const head = parse(tl);
        requireMasterchain(head.last, 'masterchainInfo.last');
        return head;
      };
      const rest = afterSeqno === undefined ? {} : { afterSeqno };
      const answered = await ask(
        'getMasterchainInfoExt',
        masterchainInfoExtRequest(),
        read(parseTlMasterchainInfoExt),
        rest,
        options,
      ).catch((error: unknown) => {
        if (!(error instanceof SourceError) || error.code !== 'source/bad-request') throw error;
        // A server from before 2020.
        return ask('getMasterchainInfo', masterchainInfoRequest(), read(parseTlMasterchainInfo), rest, options);
      });
      requireNetwork(answered.claimed.zerostate);
      return answered;
    },
    time: (options?: LiteAskOptions) => ask('getTime', timeRequest(), parseTlTime, {}, options),
    version: (options?: LiteAskOptions) => ask('getVersion', versionRequest(), parseTlVersion, {}, options),
    blockProof(known: BlockIdExt, target: BlockIdExt, options?: LiteAskOptions) {
      const mismatch = ({ claimed }: Answered<PartialBlockProof>) => otherBlock(claimed.from, known);
      const rest = { mismatch, ...waitFor(Math.max(known.seqno, target.seqno), options) };
      return ask('getBlockProof', blockProofRequest(known, target), parsePartialBlockProof, rest, options);
    },
    async lookup(seqno: number, options?: LiteAskOptions) {
      const asked = { workchain: MASTERCHAIN_WORKCHAIN, shard: MASTERCHAIN_SHARD, seqno: requireSeqno(seqno) };
      const mismatch = ({ claimed }: Answered<ClaimedHeader>) => otherBlock(claimed.id, { ...claimed.id, ...asked });
      const rest = { mismatch, ...waitFor(seqno, options) };
      const question = ask('lookupBlock', lookupRequest(seqno), parseTlBlockHeader, rest, options);
      return await lookedUp(question, 'lookupBlock');
    },
    async header(id: BlockIdExt, options?: LiteAskOptions) {
      const mismatch = ({ claimed }: Answered<ClaimedHeader>) => otherBlock(claimed.id, id);
      const question = ask('getBlockHeader', headerRequest(id), parseTlBlockHeader, { mismatch }, options);
      return await lookedUp(question, 'getBlockHeader');
    },
    block(id: BlockIdExt, options?: LiteAskOptions) {
      const mismatch = ({ claimed }: Answered<ClaimedBlock>) => otherBlock(claimed.id, id) ?? otherFile(claimed, id);
      return ask('getBlock', blockRequest(id), parseTlBlockData, { mismatch }, options);
    },
    zerostateFile(id: BlockIdExt, options?: LiteAskOptions) {
      const mismatch = ({ claimed }: Answered<ClaimedState>) => otherBlock(claimed.id, id) ?? otherFile(claimed, id);
      return ask('getState', stateRequest(id), parseTlBlockState, { mismatch }, options);
    },
    keyBlockConfig(id: BlockIdExt, params: readonly number[], options?: LiteAskOptions) {
      return ask('getConfigParams', keyBlockConfigRequest(id, params), parseTlConfigInfo, {}, options);
    },
    shardProof(id: BlockIdExt, options?: LiteAskOptions) {
      return ask('getShardBlockProof', shardProofRequest(id), parseTlShardBlockProof, {}, options);
    },
    accountState(id: BlockIdExt, account: AccountId, options?: LiteAskOptions) {
      const mismatch = ({ claimed }: Answered<ClaimedAccount>) => otherBlock(claimed.id, id);
      return ask('getAccountState', accountStateRequest(id, account), parseTlAccountState, { mismatch }, options);
    },
    transaction(id: BlockIdExt, account: AccountId, lt: bigint, options?: LiteAskOptions) {
      const mismatch = ({ claimed }: Answered<ClaimedTransaction>) => otherBlock(claimed.id, id);
      const request = transactionRequest(id, account, lt);
      return ask('getOneTransaction', request, parseTlTransactionInfo, { mismatch }, options);
    },
    async transactions(
      account: AccountId,
      { lt, hash, count }: { readonly lt: bigint; readonly hash: Uint8Array; readonly count: number },
      options?: LiteAskOptions,
    ) {
      if (!(Number.isInteger(count) && count >= 1 && count <= MAX_LITE_TRANSACTIONS)) {
        throw new UsageError('usage/bad-option', `expected 1 to ${MAX_LITE_TRANSACTIONS}, got ${count}`, {
          path: 'count',
        });
      }
      const request = transactionsRequest(account, lt, hash, count);
      return await ask('getTransactions', request, parseTlTransactionList, {}, options);
    },
    async ask(request: Uint8Array, options?: LiteAskOptions) {
      const copy = Uint8Array.from(request);
      return await requester.ask({ operation: 'a request', request: copy, read: (tl) => tl }, options);
    },
    close: () => requester.close(),
    async [Symbol.asyncDispose]() {
      requester.close();
    },
  });
}

function otherFile({ data }: ClaimedBlock, id: BlockIdExt): string | undefined {
  return equalBytes(fileHash(data), id.fileHash) ? undefined : `asked for ${nameOf(id)}, got a file with another hash`;
}
