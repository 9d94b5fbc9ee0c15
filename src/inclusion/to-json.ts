/** Facts as JSON, for files and other programs. A published contract: `schemas/inclusion-1.json`. Computes nothing. */
import { encodeHex } from '../base/bytes.ts';
import { ownList } from '../base/own-bytes.ts';
import { Cell } from '../cells/cell.ts';
import { type AccountId, rawAccountId } from './account-id.ts';
import type { AccountFact, NoAccount } from './account-state.ts';
import type { BitString } from './addresses.ts';
import type { BlockTransactions } from './block-list.ts';
import type { ConfigFact } from './config-param.ts';
import type { Currency } from './currency.ts';
import type { LibraryFact } from './library.ts';
import { type MessageFact, requireMessage } from './messages.ts';
import { requireMember } from './refusals.ts';
import type { NoTransaction, TransactionFact } from './transaction.ts';

/** The identifier in the JSON of a fact. */
export const INCLUSION_SCHEMA = 'ton-finality/inclusion@1';

/** Anything that is proven below a block, or proven to be absent. */
export type Fact =
  | TransactionFact
  | NoTransaction
  | AccountFact
  | NoAccount
  | ConfigFact
  | LibraryFact
  | BlockTransactions;

export type Json = Readonly<Record<string, unknown>>;

/**
 * A value of a fact: bytes in hex, 64-bit numbers and amounts as decimal text, accounts in raw form. Cells are left out: their
 * hashes stand beside them; that of the other currencies of an amount is `otherCurrencies`.
 */
export function valueToJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return encodeHex(value);
  if (Array.isArray(value)) return value.map(valueToJson);
  if (typeof value !== 'object' || value === null) return value;
  if ('grams' in value) return String(value.grams);
  if ('address' in value && 'workchain' in value) return rawAccountId(value as AccountId); // nothing else has both
  if ('bitLength' in value) {
    const { bytes, bitLength } = value as BitString; // nothing else has this member
    return { hex: encodeHex(bytes), bitLength };
  }
  return membersToJson(value);
}

/** The same of every member that is there. */
export function membersToJson(value: object): Json {
  const json: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || member instanceof Cell) continue;
    if (name === 'bits') Object.assign(json, valueToJson(member));
    else json[name] = name === 'opcode' ? member.toString(16).padStart(8, '0') : valueToJson(member);
    const { other } = member as Partial<Currency>; // of an amount
    if (other !== undefined) json.otherCurrencies = valueToJson(other.hash(0));
  }
  return json;
}

/** A message as JSON. Its body is in the transaction, under `bodyHash`. */
export function messageToJson(message: MessageFact): Json {
  requireMessage(message);
  return membersToJson(message);
}

/** A fact as JSON: hashes in hex, 64-bit numbers and amounts as decimal text. */
export function factToJson(fact: Fact): Json {
  requireMember(fact, 'masterchain', 'a fact', 'fact');
  if (fact.kind !== 'block-transactions') return { schema: INCLUSION_SCHEMA, ...membersToJson(fact) };
  // Where they stand is said once for all of them.
  const entries = ownList(fact.entries, 'fact.entries').map(({ account, lt, hash }) => ({ account, lt, hash }));
  return { schema: INCLUSION_SCHEMA, ...membersToJson({ ...fact, entries }) };
}
