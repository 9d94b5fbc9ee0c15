/**
 * A little network to rehearse a bridge on: a masterchain with key blocks, workchain 0 whose shard splits, a vault there, and
 * deposits of every kind, honest and not. Its lite server and its HTTP answers tell the same chain.
 */
import { Dictionary } from '@ton/core';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { type Checkpoint, checkpointFromZerostate } from '../../src/core/chain/checkpoint.ts';
import type { AccountId } from '../../src/core/facts/account-id.ts';
import type { DepositTerms } from '../../src/core/facts/deposit-terms.ts';
import { beginCell, bocOf, type CoreCell, merkleProof } from './cells.ts';
import { bagOf, coreCell } from './cut-proofs.ts';
import {
  account,
  accountCell,
  comment,
  FAILED_ACTION,
  FAILED_CODE,
  hashOfCell,
  MASTER,
  notification,
  std,
  type TransactionForm,
  transactionCell,
  VAULT,
  WALLET_CODE,
} from './deposits.ts';
import { accountBlocksWith, accountsWith, type ListedTransaction } from './dictionaries.ts';
import { LiteChain } from './lite-chain.ts';
import { type LiteAsked, liteError } from './lite-stand-in.ts';
import { everyCell } from './make-back-link.ts';
import { blockIdToAnswer, toAnswer } from './make-block.ts';
import {
  customOf,
  GLOBAL_ID,
  headerProof,
  type MadeBlock,
  makeBlock,
  makeState,
  proofShowing,
  type ShardForm,
  signBlock,
  wholeProof,
} from './make-chain.ts';
import { fork, LEFT, leafOf, RIGHT, shardHashes, WHOLE } from './make-shards.ts';
import { type Chain, once, type RecordedBlock, readHeader } from './stand-in-chain.ts';
import {
  blockIdBytes,
  tlAccount,
  tlConfig,
  tlHeader,
  tlShardProof,
  tlTransaction,
  tlTransactionList,
} from './tl-answers.ts';

/** The vault's jetton wallet: in the other shard than the vault, after the split. */
export const WALLET = account(0x99);
const VAULT_CODE = beginCell().storeUint(0xba5e, 16).endCell();
/** A body with the opcode of an encrypted comment. */
const ENCRYPTED = beginCell().storeUint(0x2167da4b, 32).storeUint(1, 256).endCell();

/** What a deposit brings. */
export interface DepositForm {
  /** In the smallest unit. */
  readonly amount: bigint;
  /** The recipient on the other side. */
  readonly comment: string;
}

interface DepositKind {
  readonly asset: 'TON' | 'jetton';
  /** `accepted`, or the code with which it is refused. */
  readonly outcome: string;
  /** The vault's transaction. */
  readonly form: (given: DepositForm) => TransactionForm;
}

const ton = (outcome: string, over: TransactionForm = {}, message: object = {}): DepositKind => ({
  asset: 'TON',
  outcome,
  form: (given) => ({ ...over, message: { value: given.amount, body: comment(given.comment), ...message } }),
});
const jetton = (outcome: string, wallet: AccountId, over: TransactionForm = {}): DepositKind => ({
  asset: 'jetton',
  outcome,
  form: (given) => ({
    ...over,
    message: {
      source: std(wallet),
      value: 50_000_000n,
      body: notification({ amount: given.amount, payload: comment(given.comment) }),
    },
  }),
});

/** Kinds of deposits that can be asked for, and what has to become of each. */
export const DEPOSIT_KINDS: Readonly<Record<string, DepositKind>> = {
  ton: ton('accepted'),
  jetton: jetton('accepted', WALLET),
  failed: ton('deposit/compute', { description: { computePhase: FAILED_CODE, actionPhase: null, aborted: true } }),
  'failed-action': ton('deposit/action', { description: { actionPhase: FAILED_ACTION, aborted: true } }),
  bounced: ton('deposit/bounced', {}, { bounced: true }),
  refunded: ton('deposit/answered', { out: [{ value: 900n }] }),
  'refunded-jetton': jetton('deposit/answered', WALLET, { out: [{ destination: std(WALLET) }] }),
  /** A stranger deployed genuine code with a made-up balance, and has it notify the vault. */
  forged: jetton('deposit/other-wallet', account(0x66)),
  encrypted: ton('deposit/encrypted', {}, { body: ENCRYPTED }),
  external: ton('deposit/external', { credit: null }, { external: true }),
  'not-active': ton('deposit/account-status', { from: 'frozen', to: 'frozen' }),
};

/** A transaction of the vault, and where it is. */
interface Kept extends ListedTransaction {
  readonly kind: string;
  readonly shard: MadeBlock;
}

interface ShardTip {
  readonly form: ShardForm;
  readonly block: MadeBlock;
  readonly state: CoreCell;
}

/** One masterchain block with the shard blocks that it lists. */
interface Round {
  readonly top: MadeBlock;
  readonly tips: readonly ShardTip[];
}

export interface BridgeOptions {
  /** Masterchain block from which on workchain 0 has two shards. Default 5. */
  readonly splitAt?: number;
  /** Every such block is a key block. Default 10. */
  readonly keyEvery?: number;
  /** Unix seconds of block 1; each block is made a second after the one before. Default: now. */
  readonly firstUtime?: number;
}

const LT_PER_BLOCK = 1_000_000n;
/** The logical time of a transaction of the vault, from its place among those of the block: 1 for the first. */
const ltOf = (seqno: number, place: number) => BigInt(seqno) * LT_PER_BLOCK + BigInt(10 * place);
const isIn = ({ prefixBits, prefix }: ShardForm, { address }: AccountId) =>
  prefixBits === 0 || address[0]! >> 7 === Number(prefix >> 63n);
const sameBlock = (id: BlockIdExt, bytes: Buffer) => bytes.equals(blockIdBytes(id));
export class BridgeNetwork {
  readonly chain: LiteChain;
  readonly checkpoint: Checkpoint;
  readonly #splitAt: number;
  readonly #firstUtime: number;
  readonly #rounds = new Map<number, Round>();
  readonly #kept: Kept[] = [];
  readonly #http = new Map<number, RecordedBlock>();
  #waiting: { readonly kind: string; readonly form: TransactionForm }[] = [];

  constructor({ splitAt = 5, keyEvery = 10, firstUtime = Math.floor(Date.now() / 1000) }: BridgeOptions = {}) {
    this.#splitAt = splitAt;
    this.#firstUtime = firstUtime;
    this.chain = new LiteChain({ length: 0, keyEvery, hasStates: true, firstUtime, name: 'bridge' });
    const { boc, id } = this.chain.zerostate;
    this.checkpoint = checkpointFromZerostate(boc, id);
    this.nextBlock();
  }

  get head(): number {
    return this.chain.head;
  }

  /** Everything the vault has had so far, the oldest first: its kind and logical time. */
  get deposits(): readonly { readonly kind: string; readonly lt: bigint }[] {
    return this.#kept;
  }

  /** What a bridge here demands of deposits, but for the time. */
  terms(asset: 'TON' | 'jetton', trusted = this.checkpoint): Omit<DepositTerms<string>, 'nowSeconds'> {
    return {
      network: { globalId: GLOBAL_ID, zerostate: this.chain.zerostateId },
      checkpoint: trusted,
      vault: VAULT,
      asset: asset === 'TON' ? 'TON' : { master: MASTER, wallet: WALLET, walletCodeHashes: [hashOfCell(WALLET_CODE)] },
      atLeast: 100n,
      since: 1n,
      payload: (text) => new TextDecoder().decode(text),
    };
  }

  /** Has the vault get a deposit in the next block. @returns its logical time */
  deposit(kind: string, given: Partial<DepositForm> = {}): bigint {
    const known = DEPOSIT_KINDS[kind];
    if (known === undefined) throw new Error(`expected one of ${Object.keys(DEPOSIT_KINDS).join(', ')}, got ${kind}`);
    const form = known.form({ amount: 1_000_000_000n, comment: 'alice', ...given });
    return ltOf(this.head + 1, this.#waiting.push({ kind, form }));
  }

  /** Logical time, hash and cell of each waiting deposit, as transactions of the next block. */
  #transactions(seqno: number, now: number) {
    let previous = this.#last();
    return this.#waiting.splice(0).map(({ kind, form }, k) => {
      const lt = ltOf(seqno, k + 1);
      const message = form.message && { createdLt: lt - 1n, createdAt: now, ...form.message };
      const cell = transactionCell({ ...form, lt, now, ...(previous && { previous }), ...(message && { message }) });
      previous = { lt, hash: hashOfCell(cell) };
      return { kind, lt, cell };
    });
  }

  #last() {
    const last = this.#kept.at(-1);
    return last && { lt: last.lt, hash: hashOfCell(last.cell) };
  }

  #shard(form: ShardForm, seqno: number, genUtime: number, transactions: readonly ListedTransaction[]): ShardTip {
    const last = transactions.at(-1);
    const vaultLast = last === undefined ? this.#last() : { lt: last.lt, hash: hashOfCell(last.cell) };
    const accounts = [
      { account: VAULT, code: VAULT_CODE, last: vaultLast },
      { account: WALLET, code: WALLET_CODE, last: undefined },
    ]
      .filter((one) => isIn(form, one.account))
      .map(({ account: own, code, last: lastOf }) => ({
        account: own,
        cell: accountCell({ account: own, code }),
        last: lastOf ?? { lt: 0n, hash: new Uint8Array(32) },
      }));
    const config = beginCell().endCell(); // a shard's state has none
    const state = makeState({ seqno, config, accounts: accountsWith(accounts), shard: form, plain: true });
    const before = this.#rounds.get(seqno - 1)?.tips;
    const parent = before?.find(({ form: { prefixBits, prefix } }) => prefixBits === 0 || prefix === form.prefix);
    const own = isIn(form, VAULT) && transactions.length > 0 ? [{ account: VAULT, transactions }] : [];
    const block = makeBlock({
      seqno,
      signedBy: this.chain.committee(0),
      prevKeyBlockSeqno: 0,
      shard: form,
      afterSplit: parent !== undefined && parent.form.prefixBits < form.prefixBits,
      ...(parent === undefined ? {} : { previous: [parent.block.id] }),
      accountBlocks: accountBlocksWith(own),
      ltRange: [BigInt(seqno) * LT_PER_BLOCK, BigInt(seqno + 1) * LT_PER_BLOCK - 1n],
      genUtime,
      state,
    });
    return { form, block, state };
  }

  /** Makes a block of the masterchain and one of each shard, with the deposits that wait. @returns its seqno */
  nextBlock(genUtime?: number): number {
    const seqno = this.chain.head + 1;
    const now = genUtime ?? this.#firstUtime + seqno - 1;
    const transactions = this.#transactions(seqno, now);
    const forms = seqno < this.#splitAt ? [WHOLE] : [LEFT, RIGHT];
    const tips = forms.map((form) => this.#shard(form, seqno, now, transactions));
    const leaves = tips.map(({ block }) => leafOf(block.id));
    const hashes = shardHashes(leaves.length === 1 ? leaves[0]! : fork(leaves[0]!, leaves[1]!));
    const top = this.chain.append({ shardHashes: hashes, genUtime: now });
    this.#rounds.set(seqno, { top, tips });
    const shard = tips.find(({ form }) => isIn(form, VAULT))!.block; // the shards cover all accounts
    this.#kept.push(...transactions.map((one) => ({ ...one, shard })));
    this.#http.set(seqno, this.#recorded(top));
    this.chain.head = seqno;
    return seqno;
  }

  // HTTP ----------------------------------------------------------------------------------------------------------

  #recorded(top: MadeBlock): RecordedBlock {
    const id = blockIdToAnswer(top.id);
    const signatures = once(() => toAnswer(signBlock(top, top.form.signedBy, 'simplex')));
    return {
      seqno: top.id.seqno,
      get signatures() {
        return signatures();
      },
      header: once(() => readHeader(top.root, id, GLOBAL_ID)),
      validatorsFile: 'none',
    };
  }

  /** The chain as `startStandIn` answers from it. It grows. */
  httpChain(): Chain {
    return {
      init: blockIdToAnswer(this.chain.zerostateId),
      blocks: this.#http,
      configParam: (seqno, param) => {
        const config = this.chain.blocks.get(seqno)?.form.config;
        const keys = Dictionary.Keys.Uint(32);
        return config && Dictionary.loadDirect(keys, Dictionary.Values.Cell(), config).get(param)?.toBoc();
      },
    };
  }

  // the lite server -----------------------------------------------------------------------------------------------

  /** The round with a shard block. */
  #roundOf(bytes: Buffer): (Round & { readonly tip: ShardTip }) | undefined {
    const round = this.#rounds.get(bytes.readUInt32LE(12)); // both count alike
    const tip = round?.tips.find(({ block }) => sameBlock(block.id, bytes));
    return round && tip && { ...round, tip };
  }

  #accountState(request: Buffer): Buffer {
    const round = this.#rounds.get(request.readUInt32LE(16));
    if (round === undefined || !sameBlock(round.top.id, request.subarray(4, 84)))
      return liteError(651, 'block is not in db');
    const own = { workchain: request.readInt32LE(84), address: Uint8Array.from(request.subarray(88, 120)) };
    if (own.workchain !== 0) return liteError(-400, 'no account is kept there');
    const { top } = round;
    const { block, state, form } = round.tips.find((tip) => isIn(tip.form, own))!; // the shards cover all accounts
    const topState = top.form.state!;
    const shown = coreCell(proofShowing(topState, everyCell(top.form.shardHashes!)));
    const known = [VAULT, WALLET].find((one) => Buffer.from(one.address).equals(own.address));
    const code = known === VAULT ? VAULT_CODE : WALLET_CODE;
    const stored = known && isIn(form, known) ? bocOf(accountCell({ account: known, code })) : new Uint8Array(0);
    return tlAccount({
      id: top.id,
      shardBlock: block.id,
      shardProof: bagOf(merkleProof(top.root), shown),
      proof: bagOf(merkleProof(block.root), merkleProof(state)),
      state: stored,
    });
  }

  /** From a transaction backwards. */
  #transactionList(request: Buffer): Buffer {
    const lt = request.readBigUInt64LE(44);
    const at = this.#kept.findIndex((one) => one.lt === lt);
    if (at < 0 || !request.subarray(12, 44).equals(VAULT.address)) return liteError(-400, 'cannot locate transaction');
    const page = this.#kept.slice(Math.max(0, at + 1 - Math.min(16, request.readUInt32LE(4))), at + 1).reverse();
    const blocks = page.map(({ shard }) => shard.id);
    return tlTransactionList(blocks, bagOf(...page.map(({ cell }) => cell)));
  }

  #transaction(request: Buffer): Buffer {
    const round = this.#roundOf(request.subarray(4, 84));
    if (round === undefined) return liteError(651, 'block is not in db');
    const lt = request.readBigUInt64LE(120);
    const isVault = request.subarray(88, 120).equals(VAULT.address);
    const kept = isVault && this.#kept.find((one) => one.lt === lt && one.shard === round.tip.block);
    const transaction = kept ? bocOf(kept.cell) : new Uint8Array(0);
    const { id, root } = round.tip.block;
    return tlTransaction(id, wholeProof(root), transaction);
  }

  #shardProof(request: Buffer): Buffer {
    const round = this.#roundOf(request.subarray(4, 84));
    if (round === undefined) return liteError(651, 'block is not in db');
    const { top, tip } = round;
    const proof = proofShowing(top.root, [customOf(top), ...everyCell(top.form.shardHashes!)]);
    return tlShardProof(top.id, [{ id: tip.block.id, proof }]);
  }

  /** The block of an account's shard at a logical time. */
  #blockAtLt(request: Buffer): Buffer {
    const round = this.#rounds.get(Number(request.readBigUInt64LE(24) / LT_PER_BLOCK));
    const prefix = request.readBigUInt64LE(12);
    // As a Rust node refuses it; a C++ node would take any.
    if ((prefix & 7n) !== 0n) return liteError(500, 'invalid shard ident: Shard prefix cannot be longer than 60');
    const address = Buffer.alloc(32);
    address.writeBigUInt64BE(prefix);
    const tip = round?.tips.find(({ form }) => isIn(form, { workchain: 0, address }));
    if (tip === undefined || request.readInt32LE(8) !== 0) return liteError(651, 'block is not in db');
    return tlHeader(tip.block.id, headerProof(tip.block));
  }

  /** The configuration in the state of a block. */
  #config(request: Buffer): Buffer {
    const round = this.#rounds.get(request.readUInt32LE(20));
    if (round === undefined) return liteError(651, 'block is not in db');
    const { id, root, form } = round.top;
    return tlConfig(0, id, wholeProof(root), wholeProof(form.state!));
  }

  /** The answer to a question, as an honest lite server gives it. */
  async answer(asked: LiteAsked): Promise<Buffer> {
    const { request, constructorId } = asked;
    const mode = request.length < 8 ? 0 : request.readUInt32LE(4);
    if (constructorId === '250e896b') return this.#accountState(request);
    if (constructorId === 'a1e7401c') return this.#transactionList(request);
    if (constructorId === 'ea240fd4') return this.#transaction(request);
    if (constructorId === '5003a64c') return this.#shardProof(request);
    if (constructorId === '1ef7c8fa' && mode === 2) return this.#blockAtLt(request);
    if (constructorId === '191c112a' && mode === 0) return this.#config(request);
    if (constructorId === '9e06ec21' && request.readInt32LE(4) === 0) {
      const round = this.#roundOf(request.subarray(4, 84));
      if (round === undefined) return liteError(651, 'block is not in db');
      const { block } = round.tip;
      return tlHeader(block.id, headerProof(block));
    }
    return await this.chain.answer(asked);
  }
}
