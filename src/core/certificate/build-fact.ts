/**
 * Makes the parts of a fact: converts the answers of servers, determines whether the object exists, and cuts the proofs
 * down to what verification opens.
 */

import { badOption, requireInt32 } from '../base/arguments.ts';
import { DecodeError } from '../base/errors.ts';
import { HASH_BYTES, MASTERCHAIN_WORKCHAIN } from '../base/limits.ts';
import { ownBytes, ownBytesOf } from '../base/own-bytes.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import { parseSingleRoot } from '../cells/boc.ts';
import { buildMerkleProof } from '../cells/build-proof.ts';
import type { Cell } from '../cells/cell.ts';
import { writeBoc } from '../cells/write-boc.ts';
import { openBlock, readBlock } from '../chain/block-header.ts';
import { readShardProof } from '../chain/shard-block-proof.ts';
import { requireSameBlock } from '../chain/shared-checks.ts';
import { findTransaction } from '../facts/account-blocks.ts';
import { type AccountId, type AccountLike, requireAccount } from '../facts/account-id.ts';
import { type AccountProof, isNoAccount, openAccount } from '../facts/account-state.ts';
import { type ConfigProof, isFromKeyBlock, openSeparate, openState } from '../facts/config-param.ts';
import { requireLt } from '../facts/fact-checks.ts';
import { givenLibrary, type LibraryProof } from '../facts/library.ts';
import type { BlockFacts } from '../facts/proven-block.ts';
import { openStateProof, type StateParts } from '../facts/proven-state.ts';
import { openGiven, type TransactionProof } from '../facts/transaction.ts';
import { type FactParts, IN_MESSAGE, keyOfWay, mapProofs, type StatePart, type WayPart } from './fact-parts.ts';
import { isAbsent, readProofs } from './judge-fact.ts';

/**
 * The path from the certified block down to a shard: v2 getShardBlockProof as JSON, liteServer.shardBlockProof as bytes
 * or parsed, or the state proof of an answer about an account or a shard. The masterchain does not need it.
 */
export type ShardWay = { readonly links: unknown } | { readonly shardProof: Uint8Array };

/** A fact to certify, with the answer that proves it. */
export type FactInput =
  | {
      readonly kind: 'transaction';
      readonly account: AccountLike;
      readonly lt: bigint;
      readonly answer: TransactionProof;
      readonly way?: ShardWay;
      /** Certifies one message of the transaction: its index among the outgoing messages, or the incoming message. */
      readonly message?: number | 'in';
    }
  | { readonly kind: 'account'; readonly account: AccountLike; readonly answer: AccountProof; readonly way?: ShardWay }
  | { readonly kind: 'config'; readonly param: number; readonly answer: ConfigProof }
  | { readonly kind: 'library'; readonly hash: Uint8Array; readonly answer: LibraryProof }
  | { readonly kind: 'shard-block'; readonly block: BlockIdExt; readonly way: { readonly links: unknown } };

function stateOf({ block, state }: StateParts): StatePart {
  if (block !== undefined) return { block, state };
  throw badOption('a zerostate cannot be certified', 'facts');
}

function linksOf(links: unknown, masterchain: BlockIdExt) {
  const read = readShardProof(links);
  requireSameBlock(read.from, masterchain, 'the way does not start at the certified block', 'way');
  const [first] = read.links;
  if (read.back !== undefined || first === undefined) {
    const hint = 'certify the masterchain block that lists the shard block';
    throw badOption('expected links from the certified block itself', 'way', hint);
  }
  return { proofs: read.links.map(({ proof }) => openBlock(proof, 'way').root), top: first.id };
}

function wayOf(way: ShardWay | undefined, masterchain: BlockIdExt): WayPart | undefined {
  if (way === undefined) return undefined;
  if ('links' in way) return { by: 'links', proofs: linksOf(way.links, masterchain).proofs };
  return { by: 'state', ...stateOf(openStateProof(way.shardProof, 'way')) };
}

function messageIndex(message: number | 'in'): number {
  if (message === 'in') return IN_MESSAGE;
  if (Number.isInteger(message) && message >= 0 && message < IN_MESSAGE) return message;
  throw badOption("expected the place of a message, or 'in'", 'message');
}

/** Finds the transaction in a block that was given whole. */
function inBlock(block: Cell, account: AccountId, lt: bigint): Cell | undefined {
  const found = findTransaction(readBlock(block, 'proof'), account.address, lt, 'proof');
  if (typeof found === 'string' || found.kind !== 'ordinary' || found.level !== 0) return undefined;
  return parseSingleRoot(writeBoc(found), 'contents'); // a bag of its own, so that reading it does not open cells elsewhere
}

/** @throws DecodeError for a tree with pruned cells: a certificate contains whole trees */
function requireWhole(contents: Cell | undefined, path: string): void {
  if (contents === undefined || contents.level === 0) return;
  throw new DecodeError('decode/boc', 'expected the whole of it, got a part', { path });
}

type TransactionInput = Extract<FactInput, { kind: 'transaction' }>;

function transactionParts(input: TransactionInput, way: WayPart | undefined): FactParts {
  const account = requireAccount(input.account);
  const { lt } = input;
  requireLt(lt, 'lt');
  const { proof, transaction } = input.answer;
  const { root: block, whole } = openBlock(proof, 'proof');
  const given = openGiven(transaction, 'transaction');
  requireWhole(given, 'transaction');
  const common = { account, lt, way, block, transaction: given ?? (whole ? inBlock(block, account, lt) : undefined) };
  if (input.message === undefined) return { kind: 'transaction', ...common };
  return { kind: 'message', index: messageIndex(input.message), ...common };
}

type AccountInput = Extract<FactInput, { kind: 'account' }>;

function accountParts({ account: named, answer, way }: AccountInput, masterchain: BlockIdExt): FactParts {
  const account = requireAccount(named);
  const { state } = answer;
  const proof = ownBytes(answer.proof, 'proof');
  const shardProof = answer.shardProof === undefined ? undefined : ownBytes(answer.shardProof, 'shardProof');
  const byState = shardProof === undefined || shardProof.length === 0 ? undefined : { shardProof };
  const path = account.workchain === MASTERCHAIN_WORKCHAIN ? undefined : wayOf(way ?? byState, masterchain);
  if (proof.length === 0) return { kind: 'account', account, way: path, state: undefined, contents: undefined };
  const contents = openAccount(state);
  requireWhole(contents, 'state');
  return { kind: 'account', account, way: path, state: stateOf(openStateProof(proof, 'proof')), contents };
}

/** Makes the parts of one fact, with the proofs as they came. @throws DecodeError, TrustError, UsageError */
export function factPartsOf(input: FactInput, { id }: BlockFacts, path: string): FactParts {
  switch (input.kind) {
    case 'transaction':
      return transactionParts(input, wayOf(input.way, id));
    case 'account':
      return accountParts(input, id);
    case 'config': {
      requireInt32(input.param, 'param');
      const { answer, param } = input;
      const proof = isFromKeyBlock(answer) ? openBlock(answer.configProof, path).root : stateOf(openState(answer));
      return { kind: 'config', param, proof };
    }
    case 'library': {
      const { stateProof, dataProof, libraries = [] } = input.answer;
      const hash = ownBytesOf(HASH_BYTES, input.hash, 'hash');
      const library = givenLibrary(libraries, hash);
      requireWhole(library, 'library');
      return { kind: 'library', hash, state: stateOf(openSeparate(stateProof, dataProof)), library };
    }
    default: {
      const { workchain, shard, seqno } = input.block;
      const { proofs, top } = linksOf(input.way.links, id);
      const key = keyOfWay(top.shard, shard);
      return { kind: 'shard-block', key, workchain, shard, seqno, way: { by: 'links', proofs } };
    }
  }
}

function cutCell(cell: Cell): Cell {
  const root = cell.kind === 'merkle-proof' ? cell.ref(0) : cell;
  return parseSingleRoot(buildMerkleProof(root), 'proof');
}

/** Makes the part for an object that is absent. */
function asAbsent(part: FactParts): FactParts {
  if (part.kind === 'transaction') return { ...part, kind: 'absent-transaction' };
  if (part.kind !== 'account') return part; // a message cannot be proven absent
  return {
    ...part,
    kind: 'absent-account',
    contents: part.contents && isNoAccount(part.contents) ? undefined : part.contents,
  };
}

/**
 * Cuts the proofs of a fact. @throws TrustError, DecodeError, CertificateError as `judgeFact`, for the proofs without
 * contents
 */
export function recutFact(part: FactParts, facts: BlockFacts, path: string): FactParts {
  const { part: read, fact } = readProofs(part, facts, path);
  return mapProofs(isAbsent(fact) ? asAbsent(read) : read, cutCell);
}
