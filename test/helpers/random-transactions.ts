/**
 * Random transactions, written with @ton/core where it can and by hand where it cannot, read by it and by us. Addresses of every kind, amounts
 * of other currencies, bodies and code in either place, descriptions of every type that @ton/core writes (no merges), with every phase.
 */
import {
  type AccountStatusChange,
  type Builder,
  type CommonMessageInfo,
  type Cell as CoreCell,
  Dictionary,
  loadTransaction,
  type Message,
  storeTransactionDescription,
  type TransactionComputePhase,
  type TransactionDescription,
} from '@ton/core';
import { encodeHex } from '../../src/core/base/bytes.ts';
import type { AccountId } from '../../src/core/facts/account-id.ts';
import type { MessageAddress } from '../../src/core/facts/addresses.ts';
import { verifyHistory } from '../../src/core/facts/history.ts';
import { type MessageFact, messagesOf } from '../../src/core/facts/messages.ts';
import type { TransactionData } from '../../src/core/facts/transaction-cell.ts';
import { beginCell, bocOf, seededRandom } from './cells.ts';

type Write = (builder: Builder) => Builder;

/** @ton/core throws where an address has another length than 256 bits, and reads nothing of such a transaction. */
export const LISTED = 'a variable address, which @ton/core does not read';

class Maker {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  upTo(most: number): number {
    return Math.floor(this.#random() * (most + 1));
  }

  flag(): boolean {
    return this.upTo(1) === 1;
  }

  bits(count: number): bigint {
    let value = 0n;
    for (let k = 0; k < count; k++) value = (value << 1n) | BigInt(this.upTo(1));
    return value;
  }

  bytes(): Buffer {
    return Buffer.from(this.bits(256).toString(16).padStart(64, '0'), 'hex');
  }

  maybe<T>(make: () => T): T | null {
    return this.flag() ? make() : null;
  }

  of<T>(...choices: readonly T[]): T {
    return choices[this.upTo(choices.length - 1)]!;
  }

  /** An amount of any length. */
  coins(bytes = 15): bigint {
    return this.bits(8 * this.upTo(bytes));
  }

  currencies(bytes = 15): Write {
    const coins = this.coins(bytes);
    const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
    if (this.upTo(3) === 0) for (let k = this.upTo(3); k > 0; k--) other.set(this.upTo(2 ** 20), this.bits(100));
    return (builder) => builder.storeCoins(coins).storeDict(other);
  }

  /** Of an account, plainly or rewritten to it. */
  ofAccount({ workchain, address }: AccountId): Write {
    const depth = this.upTo(3) === 0 ? 1 + this.upTo(29) : 0;
    const whole = BigInt(`0x${Buffer.from(address).toString('hex')}`);
    const rest = 256n - BigInt(depth);
    const written = (this.bits(depth) << rest) | (whole & ((1n << rest) - 1n));
    return (builder) => {
      builder.storeUint(2, 2).storeBit(depth > 0);
      if (depth > 0) builder.storeUint(depth, 5).storeUint(whole >> rest, depth);
      return builder.storeInt(workchain, 8).storeUint(written, 256);
    };
  }

  /** Of any account, or now and then of another length. */
  internal(): Write {
    if (this.upTo(40) > 0) return this.ofAccount({ workchain: this.upTo(255) - 128, address: this.bytes() });
    const length = this.upTo(255);
    const bits = this.bits(length);
    return (builder) => builder.storeUint(0b110, 3).storeUint(length, 9).storeInt(-5, 32).storeUint(bits, length);
  }

  external(): Write {
    const length = this.flag() ? 1 + this.upTo(200) : 0;
    const bits = this.bits(length);
    return (builder) =>
      length === 0 ? builder.storeUint(0, 2) : builder.storeUint(1, 2).storeUint(length, 9).storeUint(bits, length);
  }

  info(direction: 'in' | 'out', account: AccountId): Write {
    const self = this.ofAccount(account);
    const [inside, outside, isInside] = [this.internal(), this.external(), this.upTo(2) > 0];
    const [lt, at] = [this.bits(64), this.upTo(2 ** 31)];
    if (!isInside && direction === 'in') {
      const fee = this.coins();
      return (builder) => builder.storeUint(0b10, 2).store(outside).store(self).storeCoins(fee);
    }
    if (!isInside) {
      return (builder) => builder.storeUint(0b11, 2).store(self).store(outside).storeUint(lt, 64).storeUint(at, 32);
    }
    // As long as everything has room in one cell, whatever the addresses.
    const [flags, value, ihr, forward] = [this.upTo(7), this.currencies(8), this.coins(6), this.coins(6)];
    const [source, destination] = direction === 'in' ? [inside, self] : [self, inside];
    return (builder) =>
      builder
        .storeBit(0)
        .storeUint(flags, 3)
        .store(source)
        .store(destination)
        .store(value)
        .storeCoins(ihr)
        .storeCoins(forward)
        .storeUint(lt, 64)
        .storeUint(at, 32);
  }

  cell(): CoreCell {
    const builder = beginCell().storeUint(this.bits(60), this.upTo(60) === 0 ? 60 : 61);
    for (let k = this.upTo(2); k > 0; k--) builder.storeRef(beginCell().storeUint(this.upTo(99), 7).endCell());
    return builder.endCell();
  }

  message(direction: 'in' | 'out', account: AccountId): CoreCell {
    const builder = beginCell().store(this.info(direction, account) as never);
    const init = this.maybe(() =>
      beginCell()
        .storeUint(0, 2)
        .storeMaybeRef(this.maybe(() => this.cell()))
        .storeMaybeRef(null)
        .storeBit(0),
    );
    const initInCell = this.flag();
    if (init === null) builder.storeBit(0);
    else if (initInCell) builder.storeBit(1).storeBit(1).storeRef(init.endCell());
    else builder.storeBit(1).storeBit(0).storeBuilder(init);
    const body = this.cell();
    const fits = builder.bits + body.bits.length < 1023 && builder.refs + body.refs.length <= 4;
    if (this.flag() && fits) return builder.storeBit(0).storeSlice(body.beginParse()).endCell();
    return builder.storeBit(1).storeRef(body).endCell();
  }

  status(): AccountStatusChange {
    return this.of('unchanged', 'frozen', 'deleted');
  }

  size() {
    return { cells: this.coins(6), bits: this.coins(6) };
  }

  compute(): TransactionComputePhase {
    if (this.upTo(3) === 0) return { type: 'skipped', reason: this.of('no-state', 'bad-state', 'no-gas') };
    return {
      type: 'vm',
      success: this.flag(),
      messageStateUsed: this.flag(),
      accountActivated: this.flag(),
      gasFees: this.coins(),
      gasUsed: this.coins(6),
      gasLimit: this.coins(6),
      gasCredit: this.maybe(() => this.coins(2)),
      mode: this.upTo(127),
      exitCode: this.upTo(2 ** 20) - 2 ** 19,
      exitArg: this.maybe(() => this.upTo(99)),
      vmSteps: this.upTo(9999),
      vmInitStateHash: this.bits(256),
      vmFinalStateHash: this.bits(256),
    };
  }

  description(): TransactionDescription {
    const storage = () => ({
      storageFeesCollected: this.coins(),
      storageFeesDue: this.maybe(() => this.coins()),
      statusChange: this.status(),
    });
    const action = () => ({
      success: this.flag(),
      valid: this.flag(),
      noFunds: this.flag(),
      statusChange: this.status(),
      totalFwdFees: this.maybe(() => this.coins()),
      totalActionFees: this.maybe(() => this.coins()),
      resultCode: this.upTo(99) - 50,
      resultArg: this.maybe(() => this.upTo(99)),
      totalActions: this.upTo(255),
      specActions: this.upTo(255),
      skippedActions: this.upTo(255),
      messagesCreated: this.upTo(255),
      actionListHash: this.bits(256),
      totalMessageSize: this.size(),
    });
    const bounce = () =>
      this.of(
        { type: 'negative-funds' as const },
        { type: 'no-funds' as const, messageSize: this.size(), requiredForwardFees: this.coins() },
        { type: 'ok' as const, messageSize: this.size(), messageFees: this.coins(), forwardFees: this.coins() },
      );
    const splitInfo = {
      currentShardPrefixLength: this.upTo(63),
      accountSplitDepth: this.upTo(63),
      thisAddress: this.bits(256),
      siblingAddress: this.bits(256),
    };
    const ends = { aborted: this.flag(), destroyed: this.flag() };
    const kind = this.upTo(9);
    if (kind === 0) return { type: 'storage', storagePhase: storage() };
    if (kind === 1) {
      const phases = { storagePhase: storage(), computePhase: this.compute(), actionPhase: this.maybe(action) };
      return { type: 'tick-tock', isTock: this.flag(), ...phases, ...ends };
    }
    if (kind === 2) {
      // With an action phase @ton/core writes it in the cell, where TL-B has a reference.
      return {
        type: 'split-prepare',
        splitInfo,
        storagePhase: this.maybe(storage),
        computePhase: this.compute(),
        ...ends,
      };
    }
    return {
      type: 'generic',
      creditFirst: this.flag(),
      storagePhase: this.maybe(storage),
      creditPhase: this.maybe(() => ({
        dueFeesColelcted: this.maybe(() => this.coins()),
        credit: { coins: this.coins() },
      })),
      computePhase: this.compute(),
      actionPhase: this.maybe(action),
      bouncePhase: this.maybe(bounce),
      ...ends,
    };
  }
}

/** One transaction of a seed, and the account it is of. */
export function randomTransaction(seed: number): {
  readonly cell: CoreCell;
  readonly account: AccountId;
  readonly lt: bigint;
} {
  const make = new Maker(seed);
  const account = { workchain: make.of(0, -1), address: Uint8Array.from(make.bytes()) };
  const lt = make.bits(63) + 1n;
  const count = make.upTo(9) === 0 ? make.upTo(40) : make.upTo(4);
  const out = Dictionary.empty(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  for (let k = 0; k < count; k++) out.set(k, make.message('out', account));
  const messages = beginCell()
    .storeMaybeRef(make.maybe(() => make.message('in', account)))
    .storeDict(out)
    .endCell();
  const update = beginCell().storeUint(0x72, 8).storeUint(make.bits(256), 256).storeUint(make.bits(256), 256).endCell();
  const cell = beginCell()
    .storeUint(7, 4)
    .storeBuffer(Buffer.from(account.address))
    .storeUint(lt, 64)
    .storeUint(make.bits(256), 256)
    .storeUint(make.bits(40) % lt, 64)
    .storeUint(make.upTo(2 ** 31), 32)
    .storeUint(count, 15)
    .storeUint(make.upTo(15), 4)
    .storeRef(messages)
    .store(make.currencies() as never)
    .storeRef(update)
    .storeRef(beginCell().store(storeTransactionDescription(make.description())).endCell())
    .endCell();
  return { cell, account, lt };
}

const hex = (bytes: Uint8Array) => encodeHex(Uint8Array.from(bytes));
const hash = (cell: CoreCell) => hex(cell.hash());
const number = (value: bigint) => value.toString(16).padStart(64, '0');

/** What an address is, in the words of both. */
function ourAddress(address: MessageAddress): string {
  if (address.kind === 'none') return 'none';
  if ('account' in address) return `${address.account.workchain}:${hex(address.account.address)}`;
  return `${address.kind} ${address.bits.bitLength} ${hex(address.bits.bytes)}`;
}

function theirAddress(address: CommonMessageInfo['src'] | CommonMessageInfo['dest']): string {
  if (address === null || address === undefined) return 'none';
  if ('hash' in address) return `${address.workChain}:${hex(address.hash)}`;
  const { value, bits } = address;
  const bytes = Math.ceil(bits / 8);
  const padded = (value << BigInt(8 * bytes - bits)).toString(16).padStart(2 * bytes, '0');
  return `external ${bits} ${bits === 0 ? '' : padded}`;
}

function ourMessage(message: MessageFact): unknown {
  const { source, destination, body } = message;
  const ends = { source: ourAddress(source), destination: ourAddress(destination), body: hex(body.hash()) };
  if (message.kind === 'external-in') return { kind: message.kind, ...ends };
  const made = { createdLt: message.createdLt, createdAt: message.createdAt };
  if (message.kind === 'external-out') return { kind: message.kind, ...ends, ...made };
  const { value, bounce, bounced } = message;
  const other = value.other === undefined ? '' : hex(value.other.hash());
  return { kind: message.kind, ...ends, ...made, grams: value.grams, other, bounce, bounced };
}

function theirMessage({ info, body }: Message): unknown {
  const ends = { source: theirAddress(info.src), destination: theirAddress(info.dest), body: hash(body) };
  if (info.type === 'external-in') return { kind: info.type, ...ends };
  const made = { createdLt: info.createdLt, createdAt: info.createdAt };
  if (info.type === 'external-out') return { kind: info.type, ...ends, ...made };
  const { coins, other } = info.value;
  const dictionary = other == null || other.size === 0 ? '' : hash(beginCell().storeDictDirect(other).endCell());
  return {
    kind: info.type,
    ...ends,
    ...made,
    grams: coins,
    other: dictionary,
    bounce: info.bounce,
    bounced: info.bounced,
  };
}

function theirOutcome(description: TransactionDescription): unknown {
  const { type } = description;
  const compute = 'computePhase' in description ? description.computePhase : undefined;
  const action = ('actionPhase' in description ? description.actionPhase : undefined) ?? undefined;
  const bounce = ('bouncePhase' in description ? description.bouncePhase : undefined) ?? undefined;
  const credit = ('creditPhase' in description ? description.creditPhase : undefined) ?? undefined;
  const named = { generic: 'ordinary', 'tick-tock': 'isTock' in description && description.isTock ? 'tock' : 'tick' };
  const isIn = (word: string): word is keyof typeof named => word in named;
  return {
    type: isIn(type) ? named[type] : type,
    aborted: 'aborted' in description && description.aborted,
    destroyed: 'destroyed' in description && description.destroyed,
    compute:
      compute &&
      (compute.type === 'skipped'
        ? { skipped: true, reason: compute.reason }
        : { skipped: false, success: compute.success, exitCode: compute.exitCode, gasUsed: compute.gasUsed }),
    action: action && {
      success: action.success,
      valid: action.valid,
      noFunds: action.noFunds,
      resultCode: action.resultCode,
      messagesCreated: action.messagesCreated,
    },
    bounce: bounce && (bounce.type === 'ok' ? 'done' : bounce.type),
    credit: credit?.credit.coins,
  };
}

function ourOutcome({ outcome }: TransactionData): unknown {
  const { type, aborted, destroyed, compute, action, bounce, credit } = outcome;
  return { type, aborted, destroyed, compute, action, bounce, credit: credit?.grams };
}

const STATUSES = { uninitialized: 'uninit', frozen: 'frozen', active: 'active', 'non-existing': 'nonexist' } as const;

/** One transaction as both readers have it; `theirs` is LISTED where @ton/core cannot read it for a reason that is known. */
export function readByBoth(seed: number): {
  readonly ours: unknown;
  readonly theirs: unknown;
  readonly messages: number;
} {
  const { cell, account, lt } = randomTransaction(seed);
  const [fact] = verifyHistory([{ transactions: bocOf(cell) }], { account, lt, hash: Uint8Array.from(cell.hash()) });
  const { transaction } = fact!;
  const messages = messagesOf(fact!);
  const ours = {
    address: hex(transaction.address),
    lt: transaction.lt,
    previous: [hex(transaction.prevTransHash), transaction.prevTransLt],
    now: transaction.now,
    count: transaction.outMsgCount,
    statuses: [transaction.origStatus, transaction.endStatus],
    fees: transaction.totalFees.grams,
    update: [hex(transaction.oldAccountHash), hex(transaction.newAccountHash)],
    outcome: ourOutcome(transaction),
    messages: messages.map(ourMessage),
  };
  let read: ReturnType<typeof loadTransaction>;
  try {
    read = loadTransaction(cell.beginParse());
  } catch (error) {
    const isVariable = messages.some(({ destination, source }) => [destination.kind, source.kind].includes('variable'));
    if (!isVariable) throw error;
    return { ours, theirs: LISTED, messages: messages.length };
  }
  const all = [...(read.inMessage == null ? [] : [read.inMessage]), ...read.outMessages.values()];
  const theirs = {
    address: number(read.address),
    lt: read.lt,
    previous: [number(read.prevTransactionHash), read.prevTransactionLt],
    now: read.now,
    count: read.outMessagesCount,
    statuses: [STATUSES[read.oldStatus], STATUSES[read.endStatus]],
    fees: read.totalFees.coins,
    update: [hex(read.stateUpdate.oldHash), hex(read.stateUpdate.newHash)],
    outcome: theirOutcome(read.description),
    messages: all.map(theirMessage),
  };
  return { ours, theirs, messages: messages.length };
}
