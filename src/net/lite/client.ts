/**
 * The questions of one lite server that this library needs, each answer typed and about what was asked. What is named
 * `claimed` is the server's word; the functions of `chain/` find out what of it is proven.
 */

import { badArgument, requireInteger, requireList, requireMembers } from '../../core/base/arguments.ts';
import { decodeHex, encodeHex, equalBytes } from '../../core/base/bytes.ts';
import { DecodeError, SourceError, TrustError, UsageError } from '../../core/base/errors.ts';
import {
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
import { type BlockIdExt, copyBlockId, differingField, requireMasterchain } from '../../core/block/block-id.ts';
import { fileHash, type ProvenHeader, provenHeader } from '../../core/chain/block-header.ts';
import { type PartialBlockProof, parsePartialBlockProof } from '../../core/chain/block-proof.ts';
import type { AccountId } from '../../core/facts/account-id.ts';
import type { ShardProofAnswer } from '../../core/facts/shard-proof-answer.ts';
import type { LiteServer } from '../lite-api/global-config.ts';
import {
  type AccountStateAnswer,
  type BlockAnswer,
  type BlockHeaderAnswer,
  type ClaimedHead,
  type ConfigAnswer,
  type LiteAnswer,
  readAnswerOf,
  type StateAnswer,
  type TimeAnswer,
  type TransactionAnswer,
  type TransactionListAnswer,
  type VersionAnswer,
  type ZerostateId,
} from '../lite-api/read-answers.ts';
import {
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
} from '../lite-api/write-requests.ts';
import { codeOfUnreadable } from '../machine/outcome.ts';
import { createLiteRequester, type LiteAskOptions, type LiteOptions, type LiteQuestion } from './requester.ts';

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
  time(opts?: LiteAskOptions): Promise<Answered<TimeAnswer>>;
  version(opts?: LiteAskOptions): Promise<Answered<VersionAnswer>>;
  /** The way from one masterchain block to another, at most 16 links of it: for `walkBlockProof`. */
  blockProof(known: BlockIdExt, target: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<PartialBlockProof>>;
  /** The masterchain block with this seqno. */
  lookup(seqno: number, opts?: LiteAskOptions): Promise<LookedUpBlock>;
  /** The header of a block of any workchain. */
  header(id: BlockIdExt, opts?: LiteAskOptions): Promise<LookedUpBlock>;
  /** A block's file; it has the file hash of the id. */
  block(id: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<BlockAnswer>>;
  /** The file of a zerostate; it has the file hash of the id. */
  zerostateFile(id: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<StateAnswer>>;
  /** Parameters of the configuration that rules at a masterchain block, proven from its key block: for `checkpointFromKeyBlock`. */
  keyBlockConfig(id: BlockIdExt, params: readonly number[], opts?: LiteAskOptions): Promise<Answered<ConfigAnswer>>;
  shardProof(id: BlockIdExt, opts?: LiteAskOptions): Promise<Answered<ShardProofAnswer>>;
  accountState(id: BlockIdExt, account: AccountId, opts?: LiteAskOptions): Promise<Answered<AccountStateAnswer>>;
  transaction(
    id: BlockIdExt,
    account: AccountId,
    lt: bigint,
    opts?: LiteAskOptions,
  ): Promise<Answered<TransactionAnswer>>;
  /** Up to 16 transactions of an account, the newest with this lt and hash. */
  transactions(
    account: AccountId,
    newest: { readonly lt: bigint; readonly hash: Uint8Array; readonly count: number },
    opts?: LiteAskOptions,
  ): Promise<Answered<TransactionListAnswer>>;
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

/** Reads an answer of one kind. */
const only =
  <K extends LiteAnswer['kind']>(kind: K) =>
  (tl: Uint8Array) =>
    readAnswerOf(kind, tl);

function zerostateOf(network: LiteNetwork): ZerostateId {
  if (typeof network === 'string') {
    if (!Object.hasOwn(ZEROSTATES, network)) throw badArgument('network', 'mainnet, testnet or a zerostate', network);
    const { rootHash, fileHash } = ZEROSTATES[network];
    return { rootHash: decodeHex(rootHash)!, fileHash: decodeHex(fileHash)! }; // our own hex
  }
  const { rootHash, fileHash } = requireMembers(network, 'mainnet, testnet or a zerostate', 'network');
  return {
    rootHash: ownBytesOf(HASH_BYTES, rootHash as Uint8Array, 'network.rootHash'), // it looks, as the next does
    fileHash: ownBytesOf(HASH_BYTES, fileHash as Uint8Array, 'network.fileHash'),
  };
}

function requireAccount(account: AccountId): AccountId {
  const { workchain, address } = requireMembers(account, 'an account', 'account');
  return {
    workchain: requireInteger(workchain, 'account.workchain', -0x80000000, 0x7fffffff),
    address: ownBytesOf(HASH_BYTES, address, 'account.address'),
  };
}

function requireLt(lt: bigint): bigint {
  if (typeof lt === 'bigint' && lt >= 0n && lt < 1n << 64n) return lt;
  throw badArgument('lt', 'a logical time as a bigint', lt);
}

function requireParams(params: readonly number[]): readonly number[] {
  requireList(params, 'params');
  return params.map((param, at) => requireInteger(param, `params[${at}]`, -0x80000000, 0x7fffffff));
}

function requireSeqno(seqno: number): number {
  if (Number.isInteger(seqno) && seqno >= 1 && seqno <= MAX_SEQNO) return seqno;
  throw new UsageError('usage/bad-option', `expected 1 to ${MAX_SEQNO}, got ${String(seqno)}`, { path: 'seqno' });
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

  /** Whether the server has said that it is of the network; there is nothing to say where none is wanted. */
  let isOfNetwork = network === undefined;

  /** What is asked by number or by id could as well be of another network, so that is looked at before the first of them. */
  async function requireOwnNetwork(options: LiteAskOptions | undefined): Promise<void> {
    const { signal, deadlineMs, retries } = options ?? {};
    if (!isOfNetwork) await client.masterchainInfo(present({ signal, deadlineMs, retries }));
  }

  async function askOwn<T>(...question: Parameters<typeof ask<T>>): Promise<Answered<T>> {
    await requireOwnNetwork(question[4]);
    return await ask(...question);
  }

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
    isOfNetwork = equalBytes(zerostate.rootHash, rootHash) && equalBytes(zerostate.fileHash, fileHash);
    if (isOfNetwork) return;
    throw new SourceError(
      'source/wrong-network',
      `${name}: a server of another network: its zerostate has root hash ${encodeHex(zerostate.rootHash)}, that of yours has ${encodeHex(rootHash)}`,
      { endpoint: name, hint: 'give a server of the network you mean' },
    );
  }

  const waitFor = (seqno: number, options: LiteAskOptions | undefined) =>
    options?.waitForBlock === true || options?.serverMayWait === true ? { afterSeqno: seqno } : {};

  /** A header that does not prove the id beside it is as good as unreadable. */
  async function lookedUp(question: Promise<Answered<BlockHeaderAnswer>>, operation: string): Promise<LookedUpBlock> {
    const { tl, claimed } = await question;
    try {
      const { id, headerProof } = claimed;
      return { tl, id, header: provenHeader(headerProof, id), headerProof };
    } catch (error) {
      if (!(error instanceof TrustError || error instanceof DecodeError)) throw error;
      const words = `${name}: ${operation}: a header of another block: ${error.message}`;
      throw new SourceError(codeOfUnreadable(error), words, {
        endpoint: name,
        body: tl,
        cause: error,
        hint: 'ask another server',
      });
    }
  }

  const client: LiteServerClient = Object.freeze({
    name,
    server: requester.server,
    async masterchainInfo(options: LiteAskOptions & { readonly afterSeqno?: number } = {}) {
      const { afterSeqno } = requireMembers(options, 'an object with options', 'options') as typeof options; // looked at next
      if (afterSeqno !== undefined) requireInteger(afterSeqno, 'afterSeqno', 0, MAX_SEQNO);
      const read = (kind: 'masterchain-info' | 'masterchain-info-ext') => (tl: Uint8Array) => {
        const head: ClaimedHead = readAnswerOf(kind, tl);
        requireMasterchain(head.last, 'masterchainInfo.last');
        return head;
      };
      const rest = afterSeqno === undefined ? {} : { afterSeqno };
      const answered = await ask(
        'getMasterchainInfoExt',
        masterchainInfoExtRequest(),
        read('masterchain-info-ext'),
        rest,
        options,
      ).catch((error: unknown) => {
        if (!(error instanceof SourceError) || error.code !== 'source/bad-request') throw error;
        // A server from before 2020.
        return ask('getMasterchainInfo', masterchainInfoRequest(), read('masterchain-info'), rest, options);
      });
      requireNetwork(answered.claimed.zerostate);
      return answered;
    },
    time: (options?: LiteAskOptions) => ask('getTime', timeRequest(), only('time'), {}, options),
    version: (options?: LiteAskOptions) => ask('getVersion', versionRequest(), only('version'), {}, options),
    async blockProof(from: BlockIdExt, to: BlockIdExt, options?: LiteAskOptions) {
      const [known, target] = [copyBlockId(from, 'known'), copyBlockId(to, 'target')];
      const mismatch = ({ claimed }: Answered<PartialBlockProof>) => otherBlock(claimed.from, known);
      const rest = { mismatch, ...waitFor(Math.max(known.seqno, target.seqno), options) };
      return await askOwn('getBlockProof', blockProofRequest(known, target), parsePartialBlockProof, rest, options);
    },
    async lookup(seqno: number, options?: LiteAskOptions) {
      const asked = { workchain: MASTERCHAIN_WORKCHAIN, shard: MASTERCHAIN_SHARD, seqno: requireSeqno(seqno) };
      const mismatch = ({ claimed }: Answered<BlockHeaderAnswer>) =>
        otherBlock(claimed.id, { ...claimed.id, ...asked });
      const rest = { mismatch, ...waitFor(seqno, options) };
      const question = askOwn('lookupBlock', lookupRequest(seqno), only('block-header'), rest, options);
      return await lookedUp(question, 'lookupBlock');
    },
    async header(given: BlockIdExt, options?: LiteAskOptions) {
      const id = copyBlockId(given, 'id');
      const mismatch = ({ claimed }: Answered<BlockHeaderAnswer>) => otherBlock(claimed.id, id);
      const question = askOwn('getBlockHeader', headerRequest(id), only('block-header'), { mismatch }, options);
      return await lookedUp(question, 'getBlockHeader');
    },
    async block(given: BlockIdExt, options?: LiteAskOptions) {
      const id = copyBlockId(given, 'id');
      const mismatch = ({ claimed }: Answered<BlockAnswer>) => otherBlock(claimed.id, id) ?? otherFile(claimed, id);
      return await askOwn('getBlock', blockRequest(id), only('block'), { mismatch }, options);
    },
    async zerostateFile(given: BlockIdExt, options?: LiteAskOptions) {
      const id = copyBlockId(given, 'id');
      const mismatch = ({ claimed }: Answered<StateAnswer>) => otherBlock(claimed.id, id) ?? otherFile(claimed, id);
      return await askOwn('getState', stateRequest(id), only('state'), { mismatch }, options);
    },
    async keyBlockConfig(given: BlockIdExt, params: readonly number[], options?: LiteAskOptions) {
      const request = keyBlockConfigRequest(copyBlockId(given, 'id'), requireParams(params));
      return await askOwn('getConfigParams', request, only('config'), {}, options);
    },
    async shardProof(given: BlockIdExt, options?: LiteAskOptions) {
      const request = shardProofRequest(copyBlockId(given, 'id'));
      return await askOwn('getShardBlockProof', request, only('shard-block-proof'), {}, options);
    },
    async accountState(given: BlockIdExt, account: AccountId, options?: LiteAskOptions) {
      const id = copyBlockId(given, 'id');
      const mismatch = ({ claimed }: Answered<AccountStateAnswer>) => otherBlock(claimed.id, id);
      const request = accountStateRequest(id, requireAccount(account));
      return await askOwn('getAccountState', request, only('account-state'), { mismatch }, options);
    },
    async transaction(given: BlockIdExt, account: AccountId, lt: bigint, options?: LiteAskOptions) {
      const id = copyBlockId(given, 'id');
      const mismatch = ({ claimed }: Answered<TransactionAnswer>) => otherBlock(claimed.id, id);
      const request = transactionRequest(id, requireAccount(account), requireLt(lt));
      return await askOwn('getOneTransaction', request, only('transaction'), { mismatch }, options);
    },
    async transactions(
      account: AccountId,
      newest: { readonly lt: bigint; readonly hash: Uint8Array; readonly count: number },
      options?: LiteAskOptions,
    ) {
      const { lt, hash, count } = requireMembers(newest, 'the newest transaction', 'newest') as typeof newest; // each is looked at
      requireInteger(count, 'count', 1, MAX_HISTORY_TRANSACTIONS);
      const own = ownBytesOf(HASH_BYTES, hash, 'newest.hash');
      const request = transactionsRequest(requireAccount(account), requireLt(lt), own, count);
      return await askOwn('getTransactions', request, only('transaction-list'), {}, options);
    },
    async ask(request: Uint8Array, options?: LiteAskOptions) {
      const copy = ownBytes(request, 'request', MAX_FRAME_BYTES);
      await requireOwnNetwork(options);
      return await requester.ask({ operation: 'a request', request: copy, read: (tl) => tl }, options);
    },
    close: () => requester.close(),
    async [Symbol.asyncDispose]() {
      requester.close();
    },
  });
  return client;
}

function otherFile({ data }: BlockAnswer | StateAnswer, id: BlockIdExt): string | undefined {
  return equalBytes(fileHash(data), id.fileHash) ? undefined : `asked for ${nameOf(id)}, got a file with another hash`;
}
