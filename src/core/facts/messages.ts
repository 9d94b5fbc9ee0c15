/**
 * The messages of a proven transaction. That one stands among those that went out means that it was sent, not that it
 * arrived: what became of it is in the transaction of its receiver.
 */

import { badArgument, isObject } from '../base/arguments.ts';
import type { TrustError } from '../base/errors.ts';
import { requireAtMost } from '../base/json-structure.ts';
import { MAX_BOC_CELLS, MAX_OUT_MESSAGES } from '../base/limits.ts';
import { present } from '../base/present.ts';
import { parseSingleRoot } from '../cells/boc.ts';
import { Cell } from '../cells/cell.ts';
import { forEachEntry } from '../cells/dictionary.ts';
import { Slice } from '../cells/slice.ts';
import { writeBoc } from '../cells/write-boc.ts';
import { readRootCell } from '../chain/key-block-config.ts';
import { trustError } from '../chain/shared-checks.ts';
import { type AccountId, requireAccount } from './account-id.ts';
import { isAccount, type MessageAddress, readBits, readMessageAddress } from './addresses.ts';
import { type Currency, readCurrency, readGrams, readVarUint } from './currency.ts';
import type { HistoryFact } from './history.ts';
import { requireMember } from './refusals.ts';
import { cellsOf, type TransactionFact } from './transaction.ts';

interface MessageBase {
  /** in: what set the transaction off; out: what it sent. */
  readonly direction: 'in' | 'out';
  /** Place among the messages that went out, from 0; absent for the one that came in. */
  readonly index?: number;
  /** Of the message's cell. Unique for what an account sent, not for what came from outside. */
  readonly hash: Uint8Array;
  /** The account of the transaction. */
  readonly account: AccountId;
  /** Of the transaction. With account and index it names this message once and for all. */
  readonly lt: bigint;
  readonly source: MessageAddress;
  readonly destination: MessageAddress;
  readonly body: Cell;
  /** Of the body as a cell of its own, wherever it stood. */
  readonly bodyHash: Uint8Array;
  /** The first 32 bits of the body, where it has that many. */
  readonly opcode?: number;
}

/** A message of a proven transaction. */
export type MessageFact = MessageBase &
  (
    | {
        readonly kind: 'internal';
        readonly value: Currency;
        readonly bounce: boolean;
        /** It is the return of a message that failed: no payment, whatever its value. */
        readonly bounced: boolean;
        readonly createdLt: bigint;
        /** Unix seconds. */
        readonly createdAt: number;
      }
    /** From outside; its source is whatever its sender wrote. */
    | { readonly kind: 'external-in' }
    /** An event log: to nobody on the chain. Conventions differ in what destination and opcode mean. */
    | { readonly kind: 'external-out'; readonly createdLt: bigint; readonly createdAt: number }
  );

/** @throws UsageError unless it looks like one */
export function requireMessage(message: unknown): void {
  requireMember(message, 'bodyHash', 'a message', 'message');
}

/** Writes a tree of cells as a bag of cells, in one form for each tree. @throws UsageError for what is no cell */
export function cellToBoc(cell: Cell): Uint8Array {
  if (!isObject(cell) || !(cell instanceof Cell)) throw badArgument('cell', 'a cell', cell);
  return writeBoc(cell);
}

/** Told how many cells will be copied for a body: messages may share most of what is in them, so there has to be an end to it. */
export type OnCopy = (cells: number, path: string) => void;

/** How many cells stand at and below some of one bag. */
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

/** A cell of its own out of what a slice has left. */
export function asCell(slice: Slice, onCopy?: OnCopy): Cell {
  const { bytes: data, bitLength } = readBits(slice, slice.bitsLeft);
  data[bitLength >> 3]! |= 0x80 >> (bitLength % 8); // behind whole bytes is no place, and nothing is stored
  const refs = Array.from({ length: slice.refsLeft }, () => slice.ref());
  onCopy?.(1 + countCells(refs), slice.path);
  // No cell has this hash, or is so deep: what is true of it is found when the bag is read.
  const cell = { data, bitLength, refs, hash: () => new Uint8Array(), depth: () => MAX_BOC_CELLS };
  return parseSingleRoot(writeBoc(cell), slice.path);
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

/** The contents of StateInit, read over: what a message brings to set up its receiver. */
function skipStateInit(slice: Slice): void {
  if (slice.bit()) slice.skip(5);
  if (slice.bit()) slice.skip(2);
  for (let k = 0; k < 3; k++) readRootCell(slice);
}

/** What the kinds of addresses must be on either side: accounts for what the chain delivers, no account elsewhere. */
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
    else skipStateInit(slice);
  }
  let body: Cell;
  if (slice.bit()) {
    body = slice.ref();
    slice.end();
  } else {
    body = asCell(slice, onCopy);
  }
  const opcode = body.kind === 'ordinary' && body.bitLength >= 32 ? new Slice(body, path).uint(32) : undefined;
  return { ...info, body, bodyHash: body.hash(0), ...present({ opcode }) };
}

/** The messages of a transaction, unread. */
export interface ListedMessages {
  readonly account: AccountId;
  readonly lt: bigint;
  readonly inMessage: Cell | undefined;
  readonly outMessages: readonly Cell[];
}

function wrong(message: string, path: string): TrustError {
  return trustError('trust/message', message, path);
}

/** Goes over the list of a transaction that was proven here. @throws as `messagesOf`, for the list */
export function listMessages(fact: TransactionFact | HistoryFact): ListedMessages {
  const { data, inMessage, outMessages, account: own } = cellsOf(fact);
  const account = requireAccount(own); // a copy: messages show it
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

/** Reads one message of a list: the one at a place among those that went out, or the one that came in. */
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
  return Object.freeze({ ...way, hash, account, lt, ...read }) as MessageFact; // of a kind that goes this way
}

/**
 * Returns the messages of a transaction: the incoming one, if any, then the outgoing ones, in order. All of them; each that
 * went out is from the account of the transaction, and what came in was for it.
 * @param fact made here, of a transaction whose contents were given
 * @throws TrustError `trust/message` for a message that the transaction cannot have; `trust/state-missing`,
 * `trust/unproven-block`; DecodeError `decode/boc`, `decode/too-large` for bodies that have more than 262144 cells
 * together
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
