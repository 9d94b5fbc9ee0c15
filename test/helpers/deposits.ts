/**
 * Deposits on workchain 0 of a little network: a masterchain block, the shard block that it lists, a transaction of a vault in
 * that, and the state of a jetton wallet after it, with every proof. Each part can be made in another way than an honest one.
 */
import { Dictionary, storeTransactionDescription, type TransactionDescription } from '@ton/core';
import { DepositError } from '../../src/core/base/errors.ts';
import { buildCertificate } from '../../src/core/certificate/build.ts';
import { verifyHeader } from '../../src/core/chain/block-header.ts';
import { type Checkpoint, validatorSetAt } from '../../src/core/chain/checkpoint.ts';
import type { AccountId } from '../../src/core/facts/account-id.ts';
import { type AccountFact, verifyAccount } from '../../src/core/facts/account-state.ts';
import type { DepositTerms } from '../../src/core/facts/deposit-terms.ts';
import { blockOfReport } from '../../src/core/facts/final-block.ts';
import type { ProvenBlock } from '../../src/core/facts/proven-block.ts';
import { verifyShardBlock } from '../../src/core/facts/shard-top.ts';
import { type TransactionFact, verifyTransaction } from '../../src/core/facts/transaction.ts';
import { verifyBlock } from '../../src/core/verify/verifier.ts';
import { beginCell, bocOf, type CoreCell, merkleProof } from './cells.ts';
import { bagOf } from './cut-proofs.ts';
import { accountBlocksWith, accountsWith, type Write } from './dictionaries.ts';
import { everyCell } from './make-back-link.ts';
import {
  type BlockForm,
  type Committee,
  committee,
  customOf,
  GLOBAL_ID,
  headerProof,
  type MadeBlock,
  makeBlock,
  makeState,
  proofShowing,
  signBlock,
  UTIME_UNTIL,
} from './make-chain.ts';
import { leafOf, answer as shardAnswer, shardHashes, WHOLE } from './make-shards.ts';
import { networkOf } from './networks.ts';
import { tlAccount, tlTransactionList } from './tl-answers.ts';

export const account = (fill: number, workchain = 0): AccountId => ({
  workchain,
  address: new Uint8Array(32).fill(fill),
});

export const VAULT = account(0x11);
export const SENDER = account(0x22);
export const WALLET = account(0x33);
export const MASTER = account(0x44);
export const STRANGER = account(0x55);
export const LT = 1000n;
const NOW = UTIME_UNTIL - 100_000;

export const by: Committee = committee('deposits');
export const { config, zerostate: zero, checkpoint } = networkOf(by);

/** addr_std, plain or with an anycast of four bits that are those of the address. */
export const std =
  ({ workchain, address }: AccountId, anycast = false): Write =>
  (builder) => {
    builder.storeUint(2, 2).storeBit(anycast);
    if (anycast) builder.storeUint(4, 5).storeUint(address[0]! >> 4, 4);
    return builder.storeInt(workchain, 8).storeBuffer(Buffer.from(address));
  };
/** addr_var of 256 bits. */
export const variable =
  ({ workchain, address }: AccountId): Write =>
  (builder) =>
    builder.storeUint(0b110, 3).storeUint(256, 9).storeInt(workchain, 32).storeBuffer(Buffer.from(address));
export const noAddress: Write = (builder) => builder.storeUint(0, 2);

/** A comment in as many cells as it takes. */
export function comment(text: string | Uint8Array, perCell = 123): CoreCell {
  const bytes = Buffer.from(text as Uint8Array);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += perCell) parts.push(bytes.subarray(at, at + perCell));
  if (parts.length === 0) parts.push(Buffer.alloc(0));
  let next: CoreCell | undefined;
  for (let k = parts.length - 1; k >= 0; k--) {
    const cell = beginCell();
    if (k === 0) cell.storeUint(0, 32);
    cell.storeBuffer(parts[k]!);
    if (next !== undefined) cell.storeRef(next);
    next = cell.endCell();
  }
  return next!;
}

/** transfer_notification#7362d09c of TEP-74. */
export function notification({
  amount = 500n,
  sender = std(SENDER),
  payload = comment('alice'),
  inline = false,
  more = '',
  op = 0x7362d09c,
}: {
  amount?: bigint;
  sender?: Write;
  payload?: CoreCell;
  inline?: boolean;
  more?: string;
  op?: number;
} = {}): CoreCell {
  const cell = beginCell()
    .storeUint(op, 32)
    .storeUint(7, 64)
    .storeCoins(amount)
    .store(sender as never);
  if (inline) cell.storeBit(false).storeSlice(payload.beginParse());
  else cell.storeBit(true).storeRef(payload);
  for (const bit of more) cell.storeBit(bit === '1');
  return cell.endCell();
}

export interface MessageForm {
  readonly source?: Write;
  readonly destination?: Write;
  readonly value?: bigint;
  readonly other?: boolean;
  readonly bounced?: boolean;
  readonly external?: boolean;
  readonly body?: CoreCell;
  /** When it was sent: logical time, which tells messages apart, and Unix seconds. */
  readonly createdLt?: bigint;
  readonly createdAt?: number;
}

function currencies(value: bigint, other: boolean): Write {
  const more = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  if (other) more.set(100, 10n ** 12n);
  return (builder) => builder.storeCoins(value).storeDict(more);
}

export function messageCell({
  source = std(SENDER),
  destination = std(VAULT),
  value = 1000n,
  other = false,
  bounced = false,
  external = false,
  body = comment('alice'),
  createdLt = LT - 1n,
  createdAt = NOW,
}: MessageForm = {}): CoreCell {
  const cell = beginCell();
  if (external)
    cell
      .storeUint(0b10, 2)
      .store(noAddress as never)
      .store(destination as never)
      .storeCoins(0);
  else {
    cell
      .storeUint(bounced ? 0b0101 : 0b0110, 4)
      .store(source as never)
      .store(destination as never);
    cell
      .store(currencies(value, other) as never)
      .storeCoins(0)
      .storeCoins(3)
      .storeUint(createdLt, 64)
      .storeUint(createdAt, 32);
  }
  return cell.storeBit(false).storeBit(true).storeRef(body).endCell();
}

type Generic = Extract<TransactionDescription, { type: 'generic' }>;

const VM = {
  type: 'vm' as const,
  success: true,
  messageStateUsed: false,
  accountActivated: false,
  gasFees: 1n,
  gasUsed: 1n,
  gasLimit: 9n,
  gasCredit: null,
  mode: 0,
  exitCode: 0,
  exitArg: null,
  vmSteps: 1,
  vmInitStateHash: 0n,
  vmFinalStateHash: 0n,
};
export const FAILED_CODE = { ...VM, success: false, exitCode: 11 };
export const SKIPPED_CODE = { type: 'skipped' as const, reason: 'no-gas' as const };
const ACTION = {
  success: true,
  valid: true,
  noFunds: false,
  statusChange: 'unchanged' as const,
  totalFwdFees: null,
  totalActionFees: null,
  resultCode: 0,
  resultArg: null,
  totalActions: 0,
  specActions: 0,
  skippedActions: 0,
  messagesCreated: 0,
  actionListHash: 0n,
  totalMessageSize: { cells: 0n, bits: 0n },
};
export const FAILED_ACTION = { ...ACTION, success: false, resultCode: 37 };

const STATUSES = { uninit: 0, frozen: 1, active: 2, nonexist: 3 };
type Status = keyof typeof STATUSES;

export interface TransactionForm {
  readonly account?: AccountId;
  readonly lt?: bigint;
  /** Unix seconds. */
  readonly now?: number;
  readonly previous?: { readonly lt: bigint; readonly hash: Uint8Array };
  /** `null`: no message came in. */
  readonly message?: MessageForm | null;
  /** Those that went out, from the account. */
  readonly out?: readonly MessageForm[];
  readonly from?: Status;
  readonly to?: Status;
  readonly description?: Partial<Generic> | { readonly type: 'tick-tock' | 'merge-install' };
  /** Default: the value of the message. `null`: no credit phase. */
  readonly credit?: bigint | null;
  readonly creditOther?: boolean;
}

/** trans_ord$0000 by hand where a credit of other currencies is asked for: @ton/core writes that amiss. */
function descriptionCell(form: TransactionForm): CoreCell {
  const { message, credit = message?.value ?? 1000n, description = {}, creditOther = false } = form;
  if (description.type === 'tick-tock') {
    const storagePhase = { storageFeesCollected: 0n, storageFeesDue: null, statusChange: 'unchanged' as const };
    const ends = { isTock: false, aborted: false, destroyed: false };
    const phases = { storagePhase, computePhase: VM, actionPhase: ACTION };
    return beginCell()
      .store(storeTransactionDescription({ type: 'tick-tock', ...ends, ...phases }))
      .endCell();
  }
  const whole: Generic = {
    type: 'generic',
    creditFirst: true,
    storagePhase: null,
    creditPhase: null,
    computePhase: VM,
    actionPhase: ACTION,
    bouncePhase: null,
    aborted: false,
    destroyed: false,
    ...(description.type === 'merge-install' ? {} : (description as Partial<Generic>)),
  };
  const made = beginCell().store(storeTransactionDescription(whole)).endCell().beginParse();
  const isMerge = description.type === 'merge-install';
  const head = made.loadUint(5); // tag, credit_first
  made.loadUint(2); // neither a storage nor a credit phase: ours comes here
  const cell = beginCell();
  if (isMerge)
    cell.storeUint(0b0111, 4).storeUint(0, 12).storeUint(1, 256).storeUint(2, 256).storeRef(beginCell().endCell());
  else cell.storeUint(head, 5);
  cell.storeBit(false);
  if (credit === null) cell.storeBit(false);
  else
    cell
      .storeBit(true)
      .storeBit(false)
      .store(currencies(credit, creditOther) as never);
  if (!isMerge) return cell.storeSlice(made).endCell();
  // Without a bounce phase: aborted, destroyed.
  cell.storeBits(made.loadBits(made.remainingBits - 3)).storeUint(0, 2);
  return cell.storeRef(made.loadRef()).storeRef(made.loadRef()).endCell();
}

export function transactionCell(form: TransactionForm = {}): CoreCell {
  const { account: own = VAULT, lt = LT, message, out = [], previous } = form;
  const sent = Dictionary.empty(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  for (const [k, one] of out.entries()) {
    sent.set(k, messageCell({ source: std(own), destination: std(SENDER), ...one }));
  }
  const inbound = message === null ? null : messageCell({ destination: std(own), ...message });
  return beginCell()
    .storeUint(7, 4)
    .storeBuffer(Buffer.from(own.address))
    .storeUint(lt, 64)
    .storeBuffer(Buffer.from(previous?.hash ?? new Uint8Array(32)))
    .storeUint(previous?.lt ?? 0n, 64)
    .storeUint(form.now ?? NOW, 32)
    .storeUint(out.length, 15)
    .storeUint(STATUSES[form.from ?? 'active'], 2)
    .storeUint(STATUSES[form.to ?? 'active'], 2)
    .storeRef(beginCell().storeMaybeRef(inbound).storeDict(sent).endCell())
    .storeUint(0, 5)
    .storeRef(beginCell().storeUint(0x72, 8).storeUint(1, 256).storeUint(2, 256).endCell())
    .storeRef(descriptionCell(form))
    .endCell();
}

export const WALLET_CODE = beginCell().storeUint(0xc0de, 16).endCell();
/** library_ref#02 hash:bits256, which names the code above. */
export const LIBRARY_CODE = beginCell().storeUint(2, 8).storeBuffer(WALLET_CODE.hash()).endCell({ exotic: true });
export const hashOfCell = (cell: CoreCell) => Uint8Array.from(cell.hash());

export interface WalletForm {
  readonly account?: AccountId;
  readonly code?: CoreCell;
  readonly data?: CoreCell;
  readonly status?: 'active' | 'uninit' | 'frozen';
  /** Of the last transaction. */
  readonly last?: { readonly lt: bigint; readonly hash: Uint8Array };
}

export function accountCell(form: WalletForm): CoreCell {
  const { account: own = WALLET, code = WALLET_CODE, data = beginCell().endCell(), status = 'active' } = form;
  const cell = beginCell()
    .storeBit(true)
    .store(std(own) as never)
    .storeUint(0, 9)
    .storeUint(NOW, 32)
    .storeBit(false);
  cell.storeUint(LT, 64).storeCoins(5n).storeBit(false);
  if (status === 'uninit') cell.storeUint(0, 2);
  else if (status === 'frozen') cell.storeUint(1, 2).storeUint(1, 256);
  else cell.storeUint(0b100, 3).storeMaybeRef(code).storeMaybeRef(data).storeBit(false);
  return cell.endCell();
}

export interface WorldForm extends TransactionForm {
  readonly wallet?: WalletForm;
  readonly master?: Partial<BlockForm>;
  readonly signedBy?: Committee;
}

/** A deposit and all that proves it. */
export function worldOf(form: WorldForm = {}) {
  const { account: own = VAULT, lt = LT, wallet = {}, signedBy = by } = form;
  const cell = transactionCell(form);
  const holder = wallet.account ?? WALLET;
  const stored = accountCell(wallet);
  const accounts = accountsWith([{ account: holder, cell: stored, last: wallet.last }]);
  const shardForm = { ...WHOLE, workchain: own.workchain };
  const state = makeState({ seqno: 12, config, accounts, shard: shardForm, plain: true });
  const shard = makeBlock({
    seqno: 12,
    signedBy,
    prevKeyBlockSeqno: 0,
    shard: shardForm,
    accountBlocks: accountBlocksWith([{ account: own, transactions: [{ lt, cell }] }]),
    ltRange: [lt - 1n, lt + 1n],
    genUtime: NOW,
    state,
  });
  const tops = shardHashes(leafOf(shard.id), own.workchain);
  const top = makeBlock({
    seqno: 7,
    signedBy,
    prevKeyBlockSeqno: 0,
    genUtime: NOW,
    shardHashes: tops,
    ...form.master,
  });
  const listed = proofShowing(top.root, [customOf(top), ...everyCell(tops)]);
  const way = shardAnswer(top, [{ id: shard.id, proof: listed }]);
  const answer = { proof: shard.boc, transaction: bocOf(cell) };
  const accountAnswer = { proof: bagOf(merkleProof(shard.root), merkleProof(state)), state: bocOf(stored) };
  const below = (block: ProvenBlock) => verifyShardBlock(way, block, shard.id);
  return {
    cell,
    shard,
    top,
    way,
    answer,
    /** The cell of the account beside the vault's transaction. */
    stored,
    accountAnswer,
    below,
    /** The transaction under a masterchain block that was proven in some way. */
    fact: (block = finalOf(top)) => verifyTransaction(answer, below(block), { account: own, lt }) as TransactionFact, // it is there
    /** The state of the wallet, likewise. */
    wallet: (block = finalOf(top)) => verifyAccount(accountAnswer, below(block), holder) as AccountFact,
    certificate: (more: object = {}, over: object = {}) =>
      buildCertificate({
        checkpoint,
        ...('proofs' in over ? {} : { signatures: signBlock(top, signedBy), headerProof: headerProof(top) }),
        facts: [
          { kind: 'transaction', account: own, lt, answer, way: { links: way }, ...more },
          { kind: 'account', account: holder, answer: accountAnswer, way: { links: way } },
        ],
        ...over,
      }),
  };
}

/** A shard block after which a vault has this many transactions, all deposits, and what a lite server says of them. */
export function vaultWith(count: number, genUtime: number, redeployedAt?: number, inBlock?: CoreCell) {
  const cells: CoreCell[] = [];
  let previous: { lt: bigint; hash: Uint8Array } | undefined;
  for (let k = 0; k < count; k++) {
    const lt = LT + BigInt(10 * k);
    if (k === redeployedAt) previous = undefined;
    const form = { lt, message: { value: 1000n + BigInt(k) }, ...(previous && { previous }) };
    const cell = transactionCell(form);
    cells.push(cell);
    previous = { lt, hash: hashOfCell(cell) };
  }
  const form = { account: VAULT, ...(previous && { last: previous }) };
  const stored = accountCell(form);
  const state = makeState({
    seqno: 12,
    config,
    accounts: accountsWith([{ account: VAULT, cell: stored, last: previous }]),
    shard: WHOLE,
    plain: true,
  });
  const last = { cell: inBlock ?? cells.at(-1)!, lt: previous!.lt };
  const shard = makeBlock({
    seqno: 12,
    signedBy: by,
    prevKeyBlockSeqno: 0,
    shard: WHOLE,
    accountBlocks: accountBlocksWith([{ account: VAULT, transactions: [last] }]),
    ltRange: [last.lt - 1n, last.lt + 1n],
    genUtime,
    state,
  });
  return {
    cells,
    shard,
    last,
    tops: shardHashes(leafOf(shard.id)),
    /** liteServer.accountState under a masterchain block. */
    accountState: (top: MadeBlock) =>
      tlAccount({
        id: top.id,
        shardBlock: shard.id,
        shardProof: bagOf(merkleProof(top.root), merkleProof(top.form.state!)),
        proof: bagOf(merkleProof(shard.root), merkleProof(state)),
        state: bocOf(stored),
      }),
    /** liteServer.transactionList from a transaction backwards. */
    list: (lt: bigint, most: number) => {
      const from = Number((lt - LT) / 10n);
      const page = cells.slice(Math.max(0, from + 1 - most), from + 1).reverse();
      const blocks = page.map(() => shard.id);
      return tlTransactionList(blocks, bagOf(...page));
    },
  };
}

/** A block that is final under the set of a checkpoint. */
export function finalOf(block: MadeBlock, from: Checkpoint = checkpoint, policy: object = {}): ProvenBlock {
  const header = verifyHeader(headerProof(block), block.id);
  const report = verifyBlock(signBlock(block), validatorSetAt(from), { ...policy, context: { header } });
  return blockOfReport(report, header);
}

export const TERMS: DepositTerms<string> = {
  network: { globalId: GLOBAL_ID, zerostate: zero.id },
  checkpoint,
  nowSeconds: NOW + 10,
  vault: VAULT,
  asset: 'TON',
  atLeast: 100n,
  since: 1n,
  payload: (text) => {
    const name = new TextDecoder().decode(text);
    if (name === '') throw new Error('nobody');
    return name;
  },
};

export const JETTON_TERMS: DepositTerms<string> = {
  ...TERMS,
  asset: { master: MASTER, wallet: WALLET, walletCodeHashes: [hashOfCell(WALLET_CODE)] },
};

/** A transfer of jettons to the vault. */
export const jettonForm = (body: CoreCell = notification(), over: MessageForm = {}): WorldForm => ({
  message: { source: std(WALLET), value: 50n, body, ...over },
});

/** The code of a refusal; `accepted` where there was none. */
export function outcomeOf(call: () => unknown): string {
  try {
    call();
    return 'accepted';
  } catch (error) {
    if (error instanceof DepositError) return error.code;
    return `${(error as { code?: string }).code ?? (error as Error).message}`;
  }
}
