/**
 * Reads the messages of a proven transaction. An outgoing message was sent, but may not have arrived: the receiver's
 * transaction shows what became of it.
 */

import { badArgument, isObject } from '../base/arguments.ts';
import type { TrustError } from '../base/errors.ts';
import { requireAtMost } from '../base/json-structure.ts';
import { MAX_BOC_CELLS, MAX_OUT_MESSAGES } from '../base/limits.ts';
import { present } from '../base/present.ts';
import { parseSingleRoot } from '../cells/boc.ts';
import { type Cell, isCell } from '../cells/cell.ts';
import { forEachEntry } from '../cells/dictionary.ts';
import { NewCell } from '../cells/new-cell.ts';
import { Slice } from '../cells/slice.ts';
import { writeBoc } from '../cells/write-boc.ts';
import { trustError } from '../chain/shared-checks.ts';
import { readStateInit } from './account-cell.ts';
import { type AccountId, requireAccount } from './account-id.ts';
import { isAccount, type MessageAddress, readBits, readMessageAddress } from './addresses.ts';
import { type Currency, readCurrency, readGrams, readVarUint } from './currency.ts';
import type { HistoryFact } from './history.ts';
import { cellsOf, type TransactionFact } from './transaction.ts';

interface MessageBase {
  /** 'in': the message that caused the transaction; 'out': a message that it sent. */
  readonly direction: 'in' | 'out';
  /** Index among the outgoing messages, from 0; absent for the incoming message. */
  readonly index?: number;
  /** Hash of the message's cell. It is unique for outgoing messages, but not for messages from outside. */
  readonly hash: Uint8Array;
  /** The account of the transaction. */
  readonly account: AccountId;
  /** Logical time of the transaction. Together with account and index it identifies this message. */
  readonly lt: bigint;
  readonly source: MessageAddress;
  readonly destination: MessageAddress;
  readonly body: Cell;
  /** Hash of the body as a separate cell, wherever the body was stored. */
  readonly bodyHash: Uint8Array;
  /** The first 32 bits of the body, if it has that many. */
  readonly opcode?: number;
}

/** A message of a proven transaction. */
export type MessageFact = MessageBase &
  (
    | {
        readonly kind: 'internal';
        readonly value: Currency;
        readonly bounce: boolean;
        /** True for the return of a message that failed: this is not a payment, whatever its value. */
        readonly bounced: boolean;
        readonly createdLt: bigint;
        /** Unix seconds. */
        readonly createdAt: number;
      }
    /** A message from outside. Its sender may have put any source into it. */
    | { readonly kind: 'external-in' }
    /**
     * A message that leaves the chain, such as an event log. The meaning of destination and opcode depends on the
     * contract.
     */
    | { readonly kind: 'external-out'; readonly createdLt: bigint; readonly createdAt: number }
  );

/** Requires a message. @throws UsageError unless it looks like one */
export function requireMessage(message: unknown): void {
  if (!isObject(message) || !isCell(message.body)) throw badArgument('message', 'a message', message);
}

/**
 * Writes a tree of cells as a bag of cells, in one canonical form for each tree. Where the proof leaves out cells, the bag
 * has pruned branches.
 * @param cell the root, such as the body of a message
 * @returns the bytes of the bag
 * @throws UsageError for anything but a cell; DecodeError `decode/too-large` above 262144 cells
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { cellToBoc, messagesOf, parseCertificate, verifyCertificate } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * const certificate = parseCertificate(readFileSync('vectors/examples/deposit.fin.boc'));
 * const [fact] = verifyCertificate(certificate, { checkpoint }).facts;
 * const [message] = fact.kind === 'transaction' && fact.found ? messagesOf(fact) : [];
 * console.log(cellToBoc(message.body).length); // 22
 * ```
 */
export function cellToBoc(cell: Cell): Uint8Array {
  if (!isCell(cell)) throw badArgument('cell', 'a cell', cell);
  return writeBoc(cell);
}

/**
 * Gets the number of cells that will be copied for a body. Messages may share most cells, so the copies have to be
 * limited.
 */
export type OnCopy = (cells: number, path: string) => void;

/** Number of cells at and below some cells of one bag. */
function countCells(cells: readonly Cell[]): number {
  const seen = new Set<number>();
  const pending = [...cells];
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    if (seen.has(cell.index)) continue;
    seen.add(cell.index);
    for (let k = 0; k < cell.refCount; k++) pending.push(cell.ref(k));
  }
  return seen.size;
}

/** Copies the rest of a slice into a separate cell. */
export function asCell(slice: Slice, onCopy?: OnCopy): Cell {
  const { bytes: data, bitLength } = readBits(slice, slice.bitsLeft);
  data[bitLength >> 3]! |= 0x80 >> (bitLength % 8); // the marker bit is only stored if the bits do not end with a whole byte
  const refs = Array.from({ length: slice.refsLeft }, () => slice.ref());
  onCopy?.(1 + countCells(refs), slice.path);
  return parseSingleRoot(writeBoc(new NewCell(data, bitLength, refs)), slice.path);
}

/** Reads the rest of a slice, (Either X ^X), as a cell. */
export function readEither(slice: Slice, onCopy?: OnCopy): Cell {
  if (!slice.bit()) return asCell(slice, onCopy);
  const cell = slice.ref();
  slice.end();
  return cell;
}

/**
 * int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt value:CurrencyCollection
 *   extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32;
 * ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams;
 * ext_out_msg_info$11 src:MsgAddressInt dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfo;
 */
function readInfo(slice: Slice) {
  if (!slice.bit()) {
    slice.skip(1); // ihr_disabled
    const bounce = slice.bit();
    const bounced = slice.bit();
    const source = readMessageAddress(slice);
    const destination = readMessageAddress(slice);
    const value = readCurrency(slice);
    readVarUint(slice, 4);
    readGrams(slice);
    const createdLt = slice.uint64();
    const createdAt = slice.uint(32);
    return { kind: 'internal' as const, source, destination, value, bounce, bounced, createdLt, createdAt };
  }
  const isOut = slice.bit();
  const source = readMessageAddress(slice);
  const destination = readMessageAddress(slice);
  if (isOut) {
    const createdLt = slice.uint64();
    return { kind: 'external-out' as const, source, destination, createdLt, createdAt: slice.uint(32) };
  }
  readGrams(slice);
  return { kind: 'external-in' as const, source, destination };
}

/**
 * The address kinds that are allowed on either side: accounts for what the chain delivers, external addresses
 * otherwise.
 */
function requireAddressKinds(info: ReturnType<typeof readInfo>, slice: Slice): void {
  const isInternal = ({ kind }: MessageAddress) => kind === 'account' || kind === 'anycast' || kind === 'variable';
  const { kind, source, destination } = info;
  if (isInternal(source) !== (kind !== 'external-in') || isInternal(destination) !== (kind !== 'external-out')) {
    throw slice.error(`a message of the kind ${kind} with other addresses`);
  }
}

/**
 * message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X;
 * Source: ton `crypto/block/block.tlb`.
 */
function readMessage(cell: Cell, path: string, onCopy: OnCopy) {
  const slice = new Slice(cell, path);
  const info = readInfo(slice);
  requireAddressKinds(info, slice);
  if (slice.bit()) {
    if (slice.bit()) slice.skipRefs(1);
    else readStateInit(slice); // which a message brings to set up its receiver
  }
  const body = readEither(slice, onCopy);
  const opcode = body.kind === 'ordinary' && body.bitLength >= 32 ? new Slice(body, path).uint(32) : undefined;
  return { ...info, body, bodyHash: body.hash(0), ...present({ opcode }) };
}

/** The messages of a transaction, unread. */
export type ListedMessages = ReturnType<typeof listMessages>;

function wrong(message: string, path: string): TrustError {
  return trustError('trust/message', message, path);
}

/** Reads the message list of a transaction that was proven here. @throws as `messagesOf`, for the list */
export function listMessages(fact: TransactionFact | HistoryFact) {
  const { data, inMessage, outMessages, account: own } = cellsOf(fact);
  const account = requireAccount(own); // a copy, since messages show it
  const cells: Cell[] = [];
  if (outMessages !== undefined) {
    forEachEntry(new Slice(outMessages, 'out_msgs'), 15, MAX_OUT_MESSAGES, (index, value) => {
      if (index !== cells.length) {
        throw wrong(`expected message ${cells.length}, got ${index}`, `out_msgs[${index}]`);
      }
      cells.push(value.ref());
      value.end();
    });
  }
  if (cells.length !== data.outMsgCount) {
    throw wrong(`expected ${data.outMsgCount} messages, got ${cells.length}`, 'out_msgs');
  }
  return { account, lt: data.lt, inMessage, outMessages: cells };
}

/** Reads one message of a list: an outgoing one by its index, or the incoming one. */
export function readListed(
  { account, lt, inMessage, outMessages }: ListedMessages,
  place: number | 'in',
  onCopy: OnCopy,
): MessageFact | undefined {
  const isIn = place === 'in';
  const cell = isIn ? inMessage : outMessages[place];
  if (cell === undefined) return undefined;
  const path = isIn ? 'in_msg' : `out_msgs[${place}]`;
  const read = readMessage(cell, path, onCopy);
  const hash = cell.hash(0);
  const [never, own] = isIn ? ['external-out', read.destination] : ['external-in', read.source];
  if (read.kind === never || !isAccount(own as MessageAddress, account)) {
    throw wrong(`a message that is not ${isIn ? 'for' : 'from'} the account of the transaction`, path);
  }
  const way = isIn ? { direction: 'in' } : { direction: 'out', index: place };
  return Object.freeze({ ...way, hash, account, lt, ...read }) as MessageFact; // the kind agrees with the direction, as checked above
}

/**
 * Returns all messages of a transaction: the incoming one, if any, then the outgoing ones in order. The account of the
 * transaction is the receiver of the incoming message and the sender of the outgoing ones.
 * @param fact a proven transaction with its contents
 * @returns the messages
 * @throws TrustError `trust/message` for a message that the transaction cannot have; `trust/state-missing`,
 * `trust/unproven-block`; DecodeError `decode/boc`, `decode/too-large` for bodies with more than 262144 cells together
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { messagesOf, parseCertificate, verifyCertificate } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * const certificate = parseCertificate(readFileSync('vectors/examples/deposit.fin.boc'));
 * const [fact] = verifyCertificate(certificate, { checkpoint }).facts;
 * const [message] = fact.kind === 'transaction' && fact.found ? messagesOf(fact) : [];
 * console.log(message.kind === 'internal' && message.value.grams); // 3000000000n
 * ```
 */
export function messagesOf(fact: TransactionFact | HistoryFact): readonly MessageFact[] {
  const list = listMessages(fact);
  let copied = 0;
  const onCopy: OnCopy = (cells, path) => {
    copied += cells;
    requireAtMost(MAX_BOC_CELLS, copied, path);
  };
  const places = ['in' as const, ...list.outMessages.keys()];
  const messages = places.map((place) => readListed(list, place, onCopy));
  return Object.freeze(messages.filter((message) => message !== undefined));
}
