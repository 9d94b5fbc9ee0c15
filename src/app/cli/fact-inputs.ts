/** What `prove` and `certify` share: which fact is meant, the files that prove it, and the block it stands under. */
import { UsageError } from '../../core/base/errors.ts';
import { parseSignatureSet, type SignatureSet } from '../../core/block/signature-set.ts';
import type { FactInput } from '../../core/certificate/build-fact.ts';
import { provenHeader } from '../../core/chain/block-header.ts';
import { type Checkpoint, parseCheckpoint, validatorSetAt } from '../../core/chain/checkpoint.ts';
import { type KeyBlock, keyBlocksOf } from '../../core/chain/key-blocks.ts';
import { walkBlockProof } from '../../core/chain/walk.ts';
import { type AccountId, parseAccountId } from '../../core/facts/account-id.ts';
import { checkpointBlock, finalBlock, provenTip } from '../../core/facts/final-block.ts';
import type { ProvenBlock } from '../../core/facts/proven-block.ts';
import { verifyBlock } from '../../core/verify/verifier.ts';
import { readAnswerOf } from '../../net/lite-api/read-answers.ts';
import { withFileName } from './input/error-with-file.ts';
import { readJsonOrBytes } from './input/json-or-bytes.ts';
import { helpHint, type OptionTable, type ParsedOptions } from './input/options.ts';
import { inputName, readBytes, readJson } from './input/read-file.ts';

export const FACT_KINDS = ['transaction', 'message', 'account', 'config'] as const;
export type NamedFact = (typeof FACT_KINDS)[number];

export const FACT_OPTIONS = {
  account: { type: 'string' },
  lt: { type: 'string' },
  index: { type: 'string' },
  param: { type: 'string' },
  shard: { type: 'string' },
  checkpoint: { type: 'string' },
  proof: { type: 'string', multiple: true },
  signatures: { type: 'string' },
  block: { type: 'string' },
} as const satisfies OptionTable;

export type FactOptions = ParsedOptions<typeof FACT_OPTIONS>['values'];

export const FACT_USAGE = `what is proven, and the answer of a lite server that proves it
  transaction FILE --account A --lt N          liteServer.transactionInfo, or the whole block
  message FILE --account A --lt N --index N|in the same: a message that went out, or the one that came in
  account FILE --account A                     liteServer.accountState
  config FILE --param N                        liteServer.configInfo
  --account A                                  workchain:hex, or the 48 characters that a wallet shows

under which block
  --checkpoint FILE                            where trust starts, see ton-finality checkpoint
  --proof FILE.tl                              from there to the masterchain block: liteServer.partialBlockProof; repeatable
  --signatures FILE --block FILE               or its signatures, and the block or a proof of its header
  --shard FILE                                 down to the block of a shard: v2 getShardBlockProof, or
                                               liteServer.shardBlockProof; an accountState has it inside`;

/** The options of one command line. */
export interface FactWords {
  readonly command: 'prove' | 'certify';
  readonly options: FactOptions & { readonly 'require-success'?: boolean | undefined };
}

function bad({ command }: FactWords, option: string, message: string): UsageError {
  return new UsageError('usage/bad-option', message, { path: `--${option}`, hint: helpHint(command) });
}

function required(words: FactWords, name: Exclude<keyof FactOptions, 'proof'>): string {
  const value = words.options[name];
  if (value === undefined) throw bad(words, name, 'expected it, got nothing');
  return value;
}

function readNumber(words: FactWords, name: 'lt' | 'index' | 'param', pattern: RegExp): bigint {
  const text = required(words, name);
  if (pattern.test(text)) return BigInt(text);
  throw bad(words, name, `expected a number, got ${JSON.stringify(text.slice(0, 40))}`);
}

function readAccount(words: FactWords): AccountId {
  const text = required(words, 'account');
  return withFileName('--account', () => parseAccountId(text));
}

const OF_TRANSACTION = ['account', 'lt', 'shard', 'require-success'] as const;
/** What each kind of fact is asked with. */
const ASKED_WITH: Readonly<Record<NamedFact, readonly string[]>> = {
  transaction: OF_TRANSACTION,
  message: [...OF_TRANSACTION, 'index'],
  account: ['account', 'shard'],
  config: ['param'],
};

/**
 * Refuses what another kind of fact is asked with: whoever gives it means that kind.
 * @param kind `undefined` where no fact is asked for
 */
export function requireNoOther(kind: NamedFact | undefined, words: FactWords): void {
  const known = kind === undefined ? [] : ASKED_WITH[kind];
  const other = ([...OF_TRANSACTION, 'index', 'param'] as const).find(
    (name) => words.options[name] !== undefined && !known.includes(name),
  );
  if (other === undefined) return;
  throw bad(
    words,
    other,
    kind === undefined ? 'expected a fact that it is of, got none' : `no option of a fact of the kind ${kind}`,
  );
}

/** What is asked for, without any answer to it. */
export interface Question {
  readonly account?: AccountId;
  readonly lt?: bigint;
  readonly message?: number | 'in';
  readonly param?: number;
}

/** What the words of the command ask for. @throws UsageError, DecodeError */
export function readQuestion(kind: NamedFact, words: FactWords): Question {
  if (kind === 'config') return { param: Number(readNumber(words, 'param', /^-?[0-9]{1,10}$/)) };
  const account = readAccount(words);
  if (kind === 'account') return { account };
  const lt = readNumber(words, 'lt', /^[0-9]{1,20}$/);
  if (kind === 'transaction') return { account, lt };
  const isIn = required(words, 'index') === 'in';
  return { account, lt, message: isIn ? 'in' : Number(readNumber(words, 'index', /^[0-9]{1,5}$/)) };
}

const BAG_OF_CELLS = 0xb5;

/** The proof of a shard block in either form. */
async function readShardProof(file: string | undefined): Promise<unknown> {
  if (file === undefined) return undefined;
  const read = await readJsonOrBytes(file);
  return 'json' in read ? read.json : read.bytes;
}

/** The fact that the words of the command ask for, with its answer from a file. */
export async function readFactInput(kind: NamedFact, file: string, words: FactWords): Promise<FactInput> {
  requireNoOther(kind, words);
  const bytes = await readBytes(file);
  const read = <T>(parse: () => T): T => withFileName(inputName(file), parse);
  const { account, lt, message, param } = readQuestion(kind, words);
  if (param !== undefined) return { kind: 'config', param, answer: read(() => readAnswerOf('config', bytes)) };
  if (account === undefined) throw new TypeError('a fact of no account'); // only a parameter is that
  const shard = await readShardProof(words.options.shard);
  const way = shard === undefined ? {} : { way: { links: shard } };
  if (lt === undefined) {
    return { kind: 'account', account, answer: read(() => readAnswerOf('account-state', bytes)), ...way };
  }
  const answer = bytes[0] === BAG_OF_CELLS ? { proof: bytes } : read(() => readAnswerOf('transaction', bytes));
  return { kind: 'transaction', account, lt, answer, ...way, ...(message === undefined ? {} : { message }) };
}

/** The files that lead from the checkpoint to the block, read. */
export interface BlockInputs {
  readonly checkpoint: Checkpoint;
  readonly proofs: readonly Uint8Array[];
  readonly set: SignatureSet | undefined;
  readonly headerProof: Uint8Array | undefined;
}

export async function readCheckpoint(words: FactWords): Promise<Checkpoint> {
  const file = required(words, 'checkpoint');
  const json = await readJson(file);
  return withFileName(inputName(file), () => parseCheckpoint(json));
}

export async function readBlockInputs(words: FactWords): Promise<BlockInputs> {
  const { options } = words;
  const checkpoint = await readCheckpoint(words);
  const proofs: Uint8Array[] = [];
  for (const name of options.proof ?? []) proofs.push(await readBytes(name));
  if ((options.signatures === undefined) !== (options.block === undefined)) {
    throw bad(words, 'block', 'expected --signatures and --block together');
  }
  if (options.signatures === undefined || options.block === undefined) {
    return { checkpoint, proofs, set: undefined, headerProof: undefined };
  }
  const answer = await readJson(options.signatures);
  const set = withFileName(inputName(options.signatures), () => parseSignatureSet(answer));
  return { checkpoint, proofs, set, headerProof: await readBytes(options.block) };
}

/** A masterchain block, and the key blocks that lead to it. */
export interface LedTo {
  readonly block: ProvenBlock;
  /** That of the checkpoint first. */
  readonly keyBlocks: readonly KeyBlock[];
}

/** The key block that a way starts at. */
export function startOf({ keyBlock: block, genUtime }: Checkpoint): KeyBlock {
  return { block, genUtime };
}

/** Those of an answer that come behind the ones that are known, which answers may repeat. */
export function withKeyBlocks(known: readonly KeyBlock[], more: readonly KeyBlock[]): readonly KeyBlock[] {
  const last = known.at(-1)!.block.seqno; // there is that of the checkpoint
  return [...known, ...more.filter(({ block }) => block.seqno > last)];
}

/** The masterchain block that the files lead to. @throws TrustError when they do not hold */
export function proveBlock({ checkpoint, proofs, set, headerProof }: BlockInputs): LedTo {
  let from = checkpoint;
  let block = checkpointBlock(from);
  let keyBlocks: readonly KeyBlock[] = [startOf(from)];
  for (const [k, proof] of proofs.entries()) {
    const walk = withFileName(`--proof ${k + 1}`, () => walkBlockProof(from, proof));
    from = walk.checkpoint;
    block = provenTip(walk);
    keyBlocks = withKeyBlocks(keyBlocks, keyBlocksOf(proof));
  }
  if (set === undefined || headerProof === undefined) return { block, keyBlocks };
  const header = provenHeader(headerProof, set.blockId);
  const report = verifyBlock(set, validatorSetAt(from), { evidence: { header } });
  return { block: finalBlock(report, header), keyBlocks };
}
