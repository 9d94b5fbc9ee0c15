/** Facts as JSON, for files and other programs. A published contract: `schemas/inclusion-1.json`. Computes nothing. */
import { encodeHex } from '../base/bytes.ts';
import { blockIdJson } from '../chain/checkpoint.ts';
import { type AccountId, formatAccountId } from './account-id.ts';
import type { AccountFact, NoAccount } from './account-state.ts';
import type { BitString, MessageAddress } from './addresses.ts';
import type { BlockTransactions } from './block-list.ts';
import type { ConfigFact } from './config-param.ts';
import type { LibraryFact } from './library.ts';
import type { MessageFact } from './messages.ts';
import type { BlockProvenance, FactBase } from './proven-block.ts';
import type { NoTransaction, TransactionFact } from './transaction.ts';
import type { TransactionData } from './transaction-cell.ts';

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

type Json = Readonly<Record<string, unknown>>;

function accountJson(account: AccountId): string {
  return formatAccountId(account);
}

function provenanceJson(provenance: BlockProvenance): Json {
  if (provenance.kind === 'assumed') return { kind: 'assumed' };
  if (provenance.kind === 'checkpoint') {
    const { keyBlock, anchor } = provenance;
    return { kind: 'checkpoint', keyBlock: blockIdJson(keyBlock), anchor: blockIdJson(anchor) };
  }
  const { signatures, validators, signedWeight, totalWeight, exceptions } = provenance;
  const set =
    validators.kind === 'proven'
      ? { kind: 'proven', keyBlock: blockIdJson(validators.keyBlock), anchor: blockIdJson(validators.anchor) }
      : { ...validators };
  return {
    kind: 'final',
    signatures,
    validators: set,
    signedWeight: String(signedWeight),
    totalWeight: String(totalWeight),
    exceptions: [...exceptions],
  };
}

function baseJson({ block, masterchain, genUtime, provenance, path }: FactBase): Json {
  return {
    block: blockIdJson(block),
    masterchain: blockIdJson(masterchain),
    ...(genUtime === undefined ? {} : { genUtime }),
    provenance: provenanceJson(provenance),
    path: path.map((step) => ({
      by: step.by,
      block: blockIdJson(step.block),
      ...(step.genUtime === undefined ? {} : { genUtime: step.genUtime }),
    })),
  };
}

function bitsJson({ bytes, bitLength }: BitString): Json {
  return { hex: encodeHex(bytes), bitLength };
}

function addressJson(address: MessageAddress): Json {
  if (address.kind === 'none') return { kind: 'none' };
  if (address.kind === 'external') return { kind: 'external', ...bitsJson(address.bits) };
  const anycast = address.anycast === undefined ? {} : { anycast: bitsJson(address.anycast) };
  if (address.kind === 'account') return { kind: 'account', account: accountJson(address.account), ...anycast };
  return { kind: 'variable', workchain: address.workchain, ...bitsJson(address.bits), ...anycast };
}

/** A message as JSON. Its body is in the transaction, under `bodyHash`. */
export function messageToJson(message: MessageFact): Json {
  return {
    direction: message.direction,
    ...(message.index === undefined ? {} : { index: message.index }),
    kind: message.kind,
    hash: encodeHex(message.hash),
    source: addressJson(message.source),
    destination: addressJson(message.destination),
    ...(message.kind === 'internal'
      ? { value: String(message.value.grams), bounce: message.bounce, bounced: message.bounced }
      : {}),
    ...(message.kind === 'external-in' ? {} : { createdLt: String(message.createdLt), createdAt: message.createdAt }),
    bodyHash: encodeHex(message.bodyHash),
    ...(message.opcode === undefined ? {} : { opcode: message.opcode.toString(16).padStart(8, '0') }),
  };
}

function transactionJson(data: TransactionData): Json {
  const { outcome } = data;
  const { compute, action, bounce, credit, ...plain } = outcome;
  return {
    now: data.now,
    prevTransHash: encodeHex(data.prevTransHash),
    prevTransLt: String(data.prevTransLt),
    outMsgCount: data.outMsgCount,
    origStatus: data.origStatus,
    endStatus: data.endStatus,
    totalFees: String(data.totalFees.grams),
    outcome: {
      ...plain,
      ...(compute === undefined
        ? {}
        : { compute: compute.skipped ? compute : { ...compute, gasUsed: String(compute.gasUsed) } }),
      ...(action === undefined ? {} : { action }),
      ...(bounce === undefined ? {} : { bounce }),
      ...(credit === undefined ? {} : { credit: String(credit.grams) }),
    },
  };
}

function bodyOf(fact: Fact): Json {
  switch (fact.kind) {
    case 'transaction': {
      const named = { account: accountJson(fact.account), lt: String(fact.lt) };
      if (!fact.found) return { found: false, reason: fact.reason, ...named };
      const data = fact.transaction === undefined ? {} : { transaction: transactionJson(fact.transaction) };
      return { found: true, ...named, hash: encodeHex(fact.hash), ...data };
    }
    case 'account': {
      const account = accountJson(fact.account);
      if (!fact.exists) return { exists: false, reason: fact.reason, account };
      return {
        exists: true,
        account,
        accountHash: encodeHex(fact.accountHash),
        lastTransHash: encodeHex(fact.lastTransHash),
        lastTransLt: String(fact.lastTransLt),
        balance: String(fact.balance.grams),
      };
    }
    case 'config':
      if (!fact.found) return { found: false, reason: fact.reason, param: fact.param };
      return { found: true, param: fact.param, hash: encodeHex(fact.hash) };
    case 'library':
      if (!fact.found) return { found: false, reason: fact.reason, hash: encodeHex(fact.hash) };
      return { found: true, hash: encodeHex(fact.hash) };
    default:
      return {
        complete: fact.complete,
        entries: fact.entries.map(({ account, lt, hash }) => ({
          account: accountJson(account),
          lt: String(lt),
          hash: encodeHex(hash),
        })),
      };
  }
}

/** A fact as JSON: hashes in hex, 64-bit numbers and amounts as decimal text. */
export function factToJson(fact: Fact): Json {
  return { schema: INCLUSION_SCHEMA, kind: fact.kind, ...bodyOf(fact), ...baseJson(fact) };
}
