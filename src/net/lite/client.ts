/**
 * A client of one lite server, with the questions that this library needs. Each answer is typed, and checked to be
 * about what was asked. The member `claimed` is the server's claim; functions of `core/chain` verify it.
 */

import { badArgument, requireArray, requireInt32, requireInteger, requireMembers } from '../../core/base/arguments.ts';
import { decodeHex, encodeHex, equalBytes } from '../../core/base/bytes.ts';
import { DecodeError, SourceError, TrustError } from '../../core/base/errors.ts';
import {
  FROM_KEY_BLOCK,
  HASH_BYTES,
  MASTERCHAIN_SHARD,
  MASTERCHAIN_WORKCHAIN,
  MAX_FRAME_BYTES,
  MAX_HISTORY_TRANSACTIONS,
  MAX_SEQNO,
  ZEROSTATES,
} from '../../core/base/limits.ts';
import { ownBytes, ownBytesOf } from '../../core/base/own-bytes.ts';
import { present } from '../../core/base/present.ts';
import type { AsyncCloseable } from '../../core/base/runtime-types.ts';
import {
  type BlockIdExt,
  copyBlockId,
  differingField,
  formatBlockPlace,
  requireMasterchain,
} from '../../core/block/block-id.ts';
import { fileHash, type ProvenHeader, verifyHeader } from '../../core/chain/block-header.ts';
import { type PartialBlockProof, parsePartialBlockProof } from '../../core/chain/block-proof.ts';
import type { ShardProofAnswer } from '../../core/chain/shard-block-proof.ts';
import { type AccountLike, requireAccount } from '../../core/facts/account-id.ts';
import { requireLt } from '../../core/facts/fact-checks.ts';
import type { LiteServer } from '../lite-api/global-config.ts';
import {
  type AccountStateAnswer,
  type AnswerOf,
  type BlockAnswer,
  type BlockHeaderAnswer,
  type ClaimedHead,
  type ConfigAnswer,
  type LiteAnswer,
  parseLiteAnswer,
  type StateAnswer,
  type TimeAnswer,
  type TransactionAnswer,
  type TransactionListAnswer,
  type VersionAnswer,
  type ZerostateId,
} from '../lite-api/read-answers.ts';
import * as requests from '../lite-api/write-requests.ts';
import { codeOfUnreadable } from '../machine/outcome.ts';
import { failureOf } from '../sources/failure-hints.ts';
import { createLiteRequester, type LiteAskOptions, type LiteOptions, type LiteQuestion } from './requester.ts';

/** An answer: the raw bytes, and the parsed value. */
export interface Answered<T> {
  /** The answer as TL, without the envelope of ADNL. */
  readonly tl: Uint8Array;
  /** The server's claim, without verification. */
  readonly claimed: T;
}

/**
 * A block that a server names, with a proven header of the block with this id. The proof does not show that the block is on
 * the chain.
 */
export interface LookedUpBlock {
  readonly tl: Uint8Array;
  readonly id: BlockIdExt;
  readonly header: ProvenHeader;
  /** The Merkle proof that the header was read from. */
  readonly headerProof: Uint8Array;
}

/**
 * A client of one lite server. Every method throws a `SourceError`, or a `UsageError` for an argument that no server could
 * answer.
 */
export interface LiteServerClient extends AsyncCloseable {
  /** The label `lite://host:port/` and half of the key's id. */
  readonly name: string;
  /** The address and the public key of the server. */
  readonly server: LiteServer;
  /**
   * Asks for the head and its time, as the server claims them. With `afterSeqno` the server answers once it has that
   * block, or after some seconds.
   */
  masterchainInfo(opts?: LiteAskOptions & { readonly afterSeqno?: number }): Promise<Answered<ClaimedHead>>;
  /** Asks for the server's clock. */
  time(opts?: LiteAskOptions): Promise<Answered<TimeAnswer>>;
  /** Asks for the version and the capabilities of the server. */
  version(opts?: LiteAskOptions): Promise<Answered<VersionAnswer>>;
  /** Asks for the way from one masterchain block to another, at most 16 links of it, for `verifyBlockProof`. */
  blockProof(known: BlockIdExt, target: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<PartialBlockProof>>;
  /** Asks for the masterchain block with this seqno. */
  lookup(seqno: number, opts?: LiteAskOptions): Promise<LookedUpBlock>;
  /** Asks for the header of a block of any workchain. */
  header(id: BlockIdExt, opts?: LiteAskOptions): Promise<LookedUpBlock>;
  /** Asks for a block's file, and checks its file hash. */
  block(id: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<BlockAnswer>>;
  /** Asks for the file of a zerostate, and checks its file hash. */
  zerostateFile(id: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<StateAnswer>>;
  /**
   * Asks for parameters of the configuration in force at a masterchain block, proven from its key block, for
   * `checkpointFromKeyBlock`.
   */
  keyBlockConfig(id: BlockIdExt, params: readonly number[], opts?: LiteAskOptions): Promise<Answered<ConfigAnswer>>;
  /** Asks for the way from a masterchain block down to a shard block, for `verifyShardBlock`. */
  shardProof(id: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<ShardProofAnswer>>;
  /** Asks for an account in the state after a block, with its proofs, for `verifyAccount`. */
  accountState(id: BlockIdExt, account: AccountLike, opts?: LiteAskOptions): Promise<Answered<AccountStateAnswer>>;
  /** Asks for the transaction of an account with this logical time in a block, with its proof, for `verifyTransaction`. */
  transaction(
    id: BlockIdExt,
    account: AccountLike,
    lt: bigint,
    opts?: LiteAskOptions,
  ): Promise<Answered<TransactionAnswer>>;
  /** Asks for up to 16 transactions of an account, beginning with the one of this lt and hash and going back. */
  transactions(
    account: AccountLike,
    newest: { readonly lt: bigint; readonly hash: Uint8Array; readonly count: number },
    opts?: LiteAskOptions,
  ): Promise<Answered<TransactionListAnswer>>;
  /** Sends any other request as boxed TL, and returns the answer as it came. An answer that is an error is thrown. */
  ask(request: Uint8Array, opts?: LiteAskOptions): Promise<Uint8Array>;
  /** Ends the connection and the questions on it. A later question opens a new connection. */
  close(): void;
}

/** A network, by its zerostate or by a known name. */
export type Network = 'mainnet' | 'testnet' | ZerostateId;

/** How to reach one lite server, how long to wait, and which network it has to belong to. */
export interface LiteClientOptions extends LiteOptions {
  /** The network that the server must be on. A server on a different network is rejected. */
  readonly network?: Network;
}

function zerostateOf(network: Network): ZerostateId {
  if (typeof network === 'string') {
    if (!Object.hasOwn(ZEROSTATES, network)) throw badArgument('network', 'mainnet, testnet or a zerostate', network);
    const { rootHash, fileHash } = ZEROSTATES[network];
    return { rootHash: decodeHex(rootHash)!, fileHash: decodeHex(fileHash)! }; // hex digits of this library
  }
  const { rootHash, fileHash } = requireMembers(network, 'mainnet, testnet or a zerostate', 'network');
  return {
    // `ownBytesOf` checks it, here and below
    rootHash: ownBytesOf(HASH_BYTES, rootHash as Uint8Array, 'network.rootHash'),
    fileHash: ownBytesOf(HASH_BYTES, fileHash as Uint8Array, 'network.fileHash'),
  };
}

/** Returns a message when an answer is about a different block than the one asked for. */
function otherBlock(got: BlockIdExt, asked: BlockIdExt): string | undefined {
  const field = differingField(got, asked);
  return field === undefined
    ? undefined
    : `asked for ${formatBlockPlace(asked)}, got ${formatBlockPlace(got)}: the ${field} differs`;
}

/** Checks that an answer is about this block; if the answer has the block's file, that the file hash matches. */
const about = (id: BlockIdExt) => ({
  mismatch({ claimed }: Answered<{ readonly id: BlockIdExt; readonly data?: Uint8Array }>): string | undefined {
    const isFile = claimed.data === undefined || equalBytes(fileHash(claimed.data), id.fileHash);
    return (
      otherBlock(claimed.id, id) ??
      (isFile ? undefined : `asked for ${formatBlockPlace(id)}, got a file with a different hash`)
    );
  },
});

/** The checks of a question, in addition to its bytes. */
type Rest<T> = Pick<LiteQuestion<Answered<T>>, 'mismatch' | 'afterSeqno'>;

/**
 * Creates a client of one lite server, which connects at the first question.
 * @param server the address and public key of the server, or both as text of the form `HOST:PORT:KEY`: the key in base64,
 * an IPv6 address in brackets
 * @param opts time limits, size limits, observers, and the network that the server must belong to
 * @returns a client; call its `close` to end the connection
 * @throws UsageError for a server or options that cannot be used
 * @example
 * ```ts
 * import { connectLite } from 'ton-finality/servers';
 * const client = connectLite('1.2.3.4:4924:n4VDnSCUuSpjnCyUk9e3QOOd6o0ItSWYbTnW3Wnn8wk=');
 * client.close();
 * console.log(client.name.slice(0, 19)); // lite://1.2.3.4:4924
 * ```
 */
export function connectLite(server: LiteServer | string, opts: LiteClientOptions = {}): LiteServerClient {
  const requester = createLiteRequester(server, opts);
  const { name } = requester;
  const network = opts.network === undefined ? undefined : zerostateOf(opts.network);

  /** Whether the server has named the required network; true where none is required. */
  let isOfNetwork = network === undefined;

  /**
   * Checks the network once: questions by number or by id could be answered from a different one. @returns the options
   * for what is left of the question's time
   */
  async function afterOwnNetwork(options: LiteAskOptions | undefined): Promise<LiteAskOptions | undefined> {
    if (isOfNetwork) return options;
    const { signal, deadlineMs, retries } = options ?? {};
    const startMs = performance.now();
    await client.masterchainInfo(present({ signal, deadlineMs, retries }));
    const leftMs = (deadlineMs ?? requester.deadlineMs) - (performance.now() - startMs);
    return { ...options, deadlineMs: Math.max(Number.MIN_VALUE, leftMs) };
  }

  function ask<T>(
    operation: string,
    request: Uint8Array,
    parse: (tl: Uint8Array) => T,
    options?: LiteAskOptions,
    rest: Rest<T> = {},
  ): Promise<Answered<T>> {
    const read = (tl: Uint8Array) => ({ tl, claimed: parse(tl) });
    return requester.ask({ operation, request, read, ...rest }, options);
  }

  /** Asks a server of the network, and reads an answer of one kind. */
  async function askOwn<K extends LiteAnswer['kind']>(
    operation: string,
    request: Uint8Array,
    kind: K,
    options?: LiteAskOptions,
    rest?: Rest<AnswerOf<K>>,
  ): Promise<Answered<AnswerOf<K>>> {
    const left = await afterOwnNetwork(options);
    return await ask(operation, request, (tl) => parseLiteAnswer(tl, kind), left, rest);
  }

  function requireNetwork(zerostate: ZerostateId): void {
    if (network === undefined) return;
    const { rootHash, fileHash } = network;
    isOfNetwork = equalBytes(zerostate.rootHash, rootHash) && equalBytes(zerostate.fileHash, fileHash);
    if (isOfNetwork) return;
    const got = encodeHex(zerostate.rootHash);
    const words = `the server is of a different network: expected a zerostate with root hash ${encodeHex(rootHash)}, got ${got}`;
    throw failureOf(name, 'source/wrong-network', words);
  }

  const waitFor = (seqno: number, options: LiteAskOptions | undefined) =>
    options?.waitForBlock === true || options?.serverMayWait === true ? { afterSeqno: seqno } : {};

  /** A header that does not prove its id counts as an unreadable answer. */
  async function lookUp(
    operation: string,
    request: Uint8Array,
    options: LiteAskOptions | undefined,
    rest: Rest<BlockHeaderAnswer>,
  ): Promise<LookedUpBlock> {
    const { tl, claimed } = await askOwn(operation, request, 'block-header', options, rest);
    try {
      const { id, headerProof } = claimed;
      return { tl, id, header: verifyHeader(headerProof, id), headerProof };
    } catch (error) {
      if (!(error instanceof TrustError || error instanceof DecodeError)) throw error;
      const words = `${operation}: a header of a different block: ${error.message}`;
      throw failureOf(name, codeOfUnreadable(error), words, { body: tl, cause: error });
    }
  }

  const client = Object.freeze<LiteServerClient>({
    name,
    server: requester.server,
    async masterchainInfo(options = {}) {
      // checked below
      const { afterSeqno } = requireMembers(options, 'an object with options', 'options') as typeof options;
      if (afterSeqno !== undefined) requireInteger(afterSeqno, 'afterSeqno', 0, MAX_SEQNO);
      const rest = present({ afterSeqno });
      const head = (operation: string, request: Uint8Array, kind: 'masterchain-info' | 'masterchain-info-ext') => {
        const read = (tl: Uint8Array) => {
          const claimed: ClaimedHead = parseLiteAnswer(tl, kind);
          const { seqno } = requireMasterchain(claimed.last, 'masterchainInfo.last');
          // Followers look the head up by its number, so an error about that number must be blamed on the server.
          if (seqno > MAX_SEQNO) {
            const path = 'masterchainInfo.last.seqno';
            throw new DecodeError('decode/range', `expected at most ${MAX_SEQNO}, got ${seqno}`, { path });
          }
          return claimed;
        };
        return ask(operation, request, read, options, rest);
      };
      const extended = head('getMasterchainInfoExt', requests.masterchainInfoExtRequest(), 'masterchain-info-ext');
      const answered = await extended.catch((error: unknown) => {
        if (!(error instanceof SourceError) || error.code !== 'source/bad-request') throw error;
        // A server from before 2020.
        return head('getMasterchainInfo', requests.masterchainInfoRequest(), 'masterchain-info');
      });
      requireNetwork(answered.claimed.zerostate);
      return answered;
    },
    time: (options) => ask('getTime', requests.timeRequest(), (tl) => parseLiteAnswer(tl, 'time'), options),
    version: (options) => ask('getVersion', requests.versionRequest(), (tl) => parseLiteAnswer(tl, 'version'), options),
    async blockProof(from, to, options) {
      const [known, target] = [copyBlockId(from, 'known'), copyBlockId(to, 'target')];
      const left = await afterOwnNetwork(options);
      return await ask('getBlockProof', requests.blockProofRequest(known, target), parsePartialBlockProof, left, {
        mismatch: ({ claimed }) => otherBlock(claimed.from, known),
        ...waitFor(Math.max(known.seqno, target.seqno), options),
      });
    },
    async lookup(seqno, options) {
      requireInteger(seqno, 'seqno', 1, MAX_SEQNO);
      const asked = { workchain: MASTERCHAIN_WORKCHAIN, shard: MASTERCHAIN_SHARD, seqno };
      return await lookUp('lookupBlock', requests.lookupRequest(seqno), options, {
        mismatch: ({ claimed }) => otherBlock(claimed.id, { ...claimed.id, ...asked }),
        ...waitFor(seqno, options),
      });
    },
    async header(given, options) {
      const id = copyBlockId(given, 'id');
      return await lookUp('getBlockHeader', requests.headerRequest(id), options, about(id));
    },
    async block(given, options) {
      const id = copyBlockId(given, 'id');
      return await askOwn('getBlock', requests.blockRequest(id), 'block', options, about(id));
    },
    async zerostateFile(given, options) {
      const id = copyBlockId(given, 'id');
      return await askOwn('getState', requests.stateRequest(id), 'state', options, about(id));
    },
    async keyBlockConfig(given, params, options) {
      const id = copyBlockId(given, 'id');
      requireArray(params, 'params');
      const own = params.map((param, at) => requireInt32(param, `params[${at}]`));
      const request = requests.configParamsRequest(id, own, FROM_KEY_BLOCK);
      return await askOwn('getConfigParams', request, 'config', options);
    },
    async shardProof(given, options) {
      const request = requests.shardProofRequest(copyBlockId(given, 'id'));
      return await askOwn('getShardBlockProof', request, 'shard-block-proof', options);
    },
    async accountState(given, account, options) {
      const id = copyBlockId(given, 'id');
      const request = requests.accountStateRequest(id, requireAccount(account));
      return await askOwn('getAccountState', request, 'account-state', options, about(id));
    },
    async transaction(given, account, lt, options) {
      const id = copyBlockId(given, 'id');
      const request = requests.transactionRequest(id, requireAccount(account), requireLt(lt, 'lt'));
      return await askOwn('getOneTransaction', request, 'transaction', options, about(id));
    },
    async transactions(account, newest, options) {
      // each is checked below
      const { lt, hash, count } = requireMembers(newest, 'the newest transaction', 'newest') as typeof newest;
      requireInteger(count, 'count', 1, MAX_HISTORY_TRANSACTIONS);
      const own = ownBytesOf(HASH_BYTES, hash, 'newest.hash');
      const request = requests.transactionsRequest(requireAccount(account), requireLt(lt, 'lt'), own, count);
      return await askOwn('getTransactions', request, 'transaction-list', options);
    },
    async ask(request, options) {
      const copy = ownBytes(request, 'request', MAX_FRAME_BYTES);
      const left = await afterOwnNetwork(options);
      return await requester.ask({ operation: 'a request', request: copy, read: (tl) => tl }, left);
    },
    close: () => requester.close(),
    [Symbol.asyncDispose]: async () => requester.close(),
  });
  return client;
}
