/** Converts facts to JSON, for files and other programs. The shape is a public contract: `schemas/inclusion-1.json`. */
import { badArgument, isList, isObject, requireMembers } from '../base/arguments.ts';
import { encodeHex, isBytes } from '../base/bytes.ts';
import { ownList } from '../base/own-bytes.ts';
import { isCell } from '../cells/cell.ts';
import { type AccountId, rawAccountId } from './account-id.ts';
import type { AccountFact, NoAccount } from './account-state.ts';
import type { BlockTransactions } from './block-list.ts';
import type { ConfigFact } from './config-param.ts';
import { requireMember } from './fact-checks.ts';
import type { LibraryFact } from './library.ts';
import { type MessageFact, requireMessage } from './messages.ts';
import type { NoTransaction, TransactionFact } from './transaction.ts';

/** The identifier in the JSON of a fact. */
export const INCLUSION_SCHEMA = 'ton-finality/inclusion@1';

/** Any fact below a proven block: presence, or proven absence. */
export type Fact =
  | TransactionFact
  | NoTransaction
  | AccountFact
  | NoAccount
  | ConfigFact
  | LibraryFact
  | BlockTransactions;

export type Json = Readonly<Record<string, unknown>>;

/** Depth of a fact; the deepest has seven levels. */
const MAX_LEVELS = 12;

/**
 * Converts a value of a fact: bytes to hex, 64-bit numbers and amounts to decimal text, accounts to raw form. Cells are
 * left out, as their hashes are in the fact. The hash of an amount's other currencies is `otherCurrencies`.
 */
function valueToJson(value: unknown, level: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (isBytes(value)) return encodeHex(value);
  if (level > MAX_LEVELS) throw badArgument('fact', 'a fact', value);
  if (isList(value)) return ownList(value, 'fact').map((element) => valueToJson(element, level + 1));
  if (typeof value !== 'object' || value === null) return value;
  if (!isObject(value)) throw badArgument('fact', 'a fact', value);
  if (Object.hasOwn(value, 'grams')) return valueToJson(value.grams, level + 1);
  if (Object.hasOwn(value, 'address') && Object.hasOwn(value, 'workchain'))
    return rawAccountId(value as unknown as AccountId); // `rawAccountId` checks it
  if (Object.hasOwn(value, 'bitLength')) {
    const { bytes, bitLength } = value;
    return { hex: valueToJson(bytes, level + 1), bitLength };
  }
  return membersToJson(value, level + 1);
}

/** Converts every member that is there. */
export function membersToJson(value: object, level = 0): Json {
  const json: Record<string, unknown> = {};
  const isAccount = Object.hasOwn(value, 'kind') && (value as { readonly kind: unknown }).kind === 'account';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || isCell(member)) continue;
    const isOpcode = name === 'opcode' && typeof member === 'number';
    const read = isOpcode ? member.toString(16).padStart(8, '0') : valueToJson(member, level + 1);
    if (name === 'bits') Object.assign(json, read);
    // The published JSON of an account says `exists`.
    else json[isAccount && name === 'found' ? 'exists' : name] = read;
    const other: unknown = isObject(member) && Object.hasOwn(member, 'other') ? member.other : undefined; // the other currencies of an amount
    if (isCell(other)) json.otherCurrencies = encodeHex(other.hash(0));
  }
  return json;
}

/** Converts a message to JSON. Its body is in the transaction, under `bodyHash`. */
export function messageToJson(message: MessageFact): Json {
  requireMessage(message);
  return membersToJson(message);
}

/**
 * Converts a fact to JSON: hashes in hex, 64-bit numbers and amounts as decimal text.
 * @param fact that a `verify…` function or `messagesOf` returned
 * @returns plain JSON; its shape is `schemas/inclusion-1.json`
 * @throws UsageError for anything but a fact
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { factToJson, parseCertificate, verifyCertificate } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * const certificate = parseCertificate(readFileSync('vectors/examples/deposit.fin.boc'));
 * const [fact] = verifyCertificate(certificate, { checkpoint }).facts;
 * console.log(fact.kind === 'transaction' && factToJson(fact).lt); // 1684000001
 * ```
 */
export function factToJson(fact: Fact): Json {
  requireMember(fact, 'masterchain', 'a fact', 'fact');
  if (fact.kind !== 'block-transactions') return { schema: INCLUSION_SCHEMA, ...membersToJson(fact) };
  // The place is the same for all entries, so it is written once.
  const entries = ownList(fact.entries, 'fact.entries').map((entry, k) => {
    const { account, lt, hash } = requireMembers(entry, 'a fact', `fact.entries[${k}]`);
    return { account, lt, hash };
  });
  return { schema: INCLUSION_SCHEMA, ...membersToJson({ ...fact, entries }) };
}
