/** Reads what `prove` and `certify` share: the fact, the files that prove it, and its block. */
import { UsageError } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import { parseSignatureList, type SignatureList } from '../../core/block/signature-set.ts';
import type { FactInput } from '../../core/certificate/build-fact.ts';
import { verifyHeader } from '../../core/chain/block-header.ts';
import { type Checkpoint, validatorSetAt } from '../../core/chain/checkpoint.ts';
import { type KeyBlock, keyBlocksOf } from '../../core/chain/key-blocks.ts';
import { verifyBlockProof } from '../../core/chain/walk.ts';
import { type AccountId, parseAccountId } from '../../core/facts/account-id.ts';
import { blockOfCheckpoint, blockOfReport, blockOfWalk } from '../../core/facts/final-block.ts';
import type { ProvenBlock } from '../../core/facts/proven-block.ts';
import { verifyBlock } from '../../core/verify/verifier.ts';
import { parseLiteAnswer } from '../../net/lite-api/read-answers.ts';
import { didYouMean } from './command.ts';
import { withFileName } from './input/error-with-file.ts';
import { readJsonOrBytes } from './input/json-or-bytes.ts';
import {
  badFlag,
  type OptionTable,
  type OptionValues,
  shown,
  textRow,
  textRows,
  under,
  without,
} from './input/option-rows.ts';
import { readCheckpointFlag } from './input/read-checkpoint.ts';
import { inputName, readBytes, readJson } from './input/read-file.ts';

export const FACT_KINDS = ['transaction', 'message', 'account', 'config'] as const;
export type NamedFact = (typeof FACT_KINDS)[number];

export const FACT_WORDS: readonly (readonly [string, string])[] = [
  ['transaction FILE', 'with --account and --lt: liteServer.transactionInfo, or the whole block'],
  ['message FILE', 'with --account, --lt and --index, the same file: an outgoing message, or the incoming one'],
  ['account FILE', 'with --account: liteServer.accountState'],
  ['config FILE', 'with --param: liteServer.configInfo'],
];

/** Options for files that lead to a block. */
const WAY_OPTIONS = {
  proof: textRows('FILE.tl', 'liteServer.partialBlockProof, from the checkpoint to the masterchain block; repeatable'),
  signatures: { ...textRow('FILE', 'or the signatures of the masterchain block, with --block'), needs: ['block'] },
  block: {
    ...textRow('FILE', 'the masterchain block, or a proof of its header, with --signatures'),
    needs: ['signatures'],
  },
  shard: textRow(
    'FILE',
    'proof of a shard block: v2 getShardBlockProof or liteServer.shardBlockProof; an accountState contains it',
  ),
} satisfies OptionTable;

export const FACT_OPTIONS = {
  ...under('fact to prove', {
    account: textRow('A', 'workchain:hex, or the 48-character address of a wallet'),
    lt: textRow('N', 'logical time of the transaction'),
    index: textRow('N|in', 'message of the transaction: the N-th outgoing one, or in for the incoming one'),
    param: textRow('N', 'number of the configuration parameter'),
  }),
  ...under('final block to prove under', {
    checkpoint: textRow('FILE', 'checkpoint to start from, see ton-finality checkpoint'),
    ...without(['lite', 'config'], WAY_OPTIONS),
  }),
} satisfies OptionTable;

export type FactFlags = OptionValues<typeof FACT_OPTIONS> & { readonly 'require-success'?: true | undefined };

function required(options: FactFlags, name: 'account' | 'lt' | 'index' | 'param'): string {
  const value = options[name];
  if (value === undefined) throw badFlag(name, 'expected a value, got nothing');
  return value;
}

function readNumber(options: FactFlags, name: 'lt' | 'index' | 'param', pattern: RegExp): bigint {
  const given = required(options, name);
  if (pattern.test(given)) return BigInt(given);
  throw badFlag(name, `expected a number, got ${shown(given)}`);
}

function readAccountFlag(options: FactFlags): AccountId {
  const given = required(options, 'account');
  return withFileName('--account', () => parseAccountId(given));
}

/** Reads the words after a command: the kind of fact, and the file. @throws UsageError */
export function readFactWords([kind, file, ...surplus]: readonly string[]): {
  readonly kind: NamedFact;
  readonly file: string;
} {
  const known = readFactKind(kind);
  if (file === undefined || surplus.length > 0) {
    const got = file === undefined ? 'nothing' : `${1 + surplus.length}`;
    throw new UsageError(
      'usage/bad-option',
      `expected one FILE after ${known}, or --config FILE or --lite HOST:PORT:KEY without FILE, got ${got}`,
    );
  }
  return { kind: known, file };
}

/** Reads the first word after a command. @throws UsageError */
export function readFactKind(word: string | undefined): NamedFact {
  const known = FACT_KINDS.find((name) => name === word);
  if (known !== undefined) return known;
  const got = word === undefined ? 'nothing' : `${shown(word)}${didYouMean(word, FACT_KINDS)}`;
  throw new UsageError('usage/bad-option', `expected transaction, message, account or config, got ${got}`);
}

const OF_TRANSACTION = ['account', 'lt', 'shard', 'require-success'] as const;
/** The options of each kind of fact. */
const ASKED_WITH: Readonly<Record<NamedFact, readonly string[]>> = {
  transaction: OF_TRANSACTION,
  message: [...OF_TRANSACTION, 'index'],
  account: ['account', 'shard'],
  config: ['param'],
};

/**
 * Rejects options of another kind of fact: the user probably means that kind.
 * @param kind `undefined` if no fact is given
 */
export function requireNoOther(kind: NamedFact | undefined, options: FactFlags): void {
  const known = kind === undefined ? [] : ASKED_WITH[kind];
  const other = ([...OF_TRANSACTION, 'index', 'param'] as const).find(
    (name) => options[name] !== undefined && !known.includes(name),
  );
  if (other === undefined) return;
  throw badFlag(other, kind === undefined ? 'requires a fact, got none' : `not an option of the fact ${kind}`);
}

/** A question about a fact, without an answer. */
export interface QuestionFlags {
  readonly account?: AccountId;
  readonly lt?: bigint;
  readonly message?: number | 'in';
  readonly param?: number;
}

/** Reads the question from the command line. @throws UsageError, DecodeError */
export function readQuestion(kind: NamedFact, options: FactFlags): QuestionFlags {
  if (kind === 'config') return { param: Number(readNumber(options, 'param', /^-?[0-9]{1,10}$/)) };
  const account = readAccountFlag(options);
  if (kind === 'account') return { account };
  const lt = readNumber(options, 'lt', /^[0-9]{1,20}$/);
  if (kind === 'transaction') return { account, lt };
  const isIn = required(options, 'index') === 'in';
  return { account, lt, message: isIn ? 'in' : Number(readNumber(options, 'index', /^[0-9]{1,5}$/)) };
}

const BAG_OF_CELLS = 0xb5;

/** Reads the proof of a shard block in either form. */
async function readShardProof(file: string | undefined): Promise<unknown> {
  if (file === undefined) return undefined;
  const read = await readJsonOrBytes(file);
  return 'json' in read ? read.json : read.bytes;
}

/** Reads the fact of the command line, with its answer from a file. */
export async function readFactInput(kind: NamedFact, file: string, options: FactFlags): Promise<FactInput> {
  requireNoOther(kind, options);
  const bytes = await readBytes(file);
  const read = <T>(parse: () => T): T => withFileName(inputName(file), parse);
  const { account, lt, message, param } = readQuestion(kind, options);
  if (param !== undefined) return { kind: 'config', param, answer: read(() => parseLiteAnswer(bytes, 'config')) };
  if (account === undefined) throw new TypeError('a fact of no account'); // only a parameter has no account
  const shard = await readShardProof(options.shard);
  const way = shard === undefined ? {} : { way: { links: shard } };
  if (lt === undefined) {
    return { kind: 'account', account, answer: read(() => parseLiteAnswer(bytes, 'account-state')), ...way };
  }
  const answer = bytes[0] === BAG_OF_CELLS ? { proof: bytes } : read(() => parseLiteAnswer(bytes, 'transaction'));
  return { kind: 'transaction', account, lt, answer, ...way, ...present({ message }) };
}

/** The files that lead from the checkpoint to the block, parsed. */
export interface BlockInputs {
  readonly checkpoint: Checkpoint;
  readonly proofs: readonly Uint8Array[];
  readonly set: SignatureList | undefined;
  readonly headerProof: Uint8Array | undefined;
}

export async function readBlockInputs(options: FactFlags): Promise<BlockInputs> {
  const checkpoint = await readCheckpointFlag(options.checkpoint);
  const proofs: Uint8Array[] = [];
  for (const name of options.proof ?? []) proofs.push(await readBytes(name));
  if (options.signatures === undefined || options.block === undefined) {
    return { checkpoint, proofs, set: undefined, headerProof: undefined };
  }
  const answer = await readJson(options.signatures);
  const set = withFileName(inputName(options.signatures), () => parseSignatureList(answer));
  return { checkpoint, proofs, set, headerProof: await readBytes(options.block) };
}

/** A masterchain block, and the key blocks that lead to it. */
export interface LedTo {
  readonly block: ProvenBlock;
  /** Key blocks in order; the checkpoint's comes first. */
  readonly keyBlocks: readonly KeyBlock[];
}

/** Returns the key block from which the checkpoint leads on. */
export function keyBlockOfCheckpoint({ keyBlock: block, genUtime }: Checkpoint): KeyBlock {
  return { block, genUtime };
}

/** Appends the key blocks of an answer after the last known one; answers may overlap. */
export function withKeyBlocks(known: readonly KeyBlock[], more: readonly KeyBlock[]): readonly KeyBlock[] {
  const last = known.at(-1)!.block.seqno; // the checkpoint's key block is there
  return [...known, ...more.filter(({ block }) => block.seqno > last)];
}

/** Proves the masterchain block to which the files lead. @throws TrustError for an invalid proof */
export function leadTo({ checkpoint, proofs, set, headerProof }: BlockInputs): LedTo {
  let from = checkpoint;
  let block = blockOfCheckpoint(from);
  let keyBlocks: readonly KeyBlock[] = [keyBlockOfCheckpoint(from)];
  for (const [k, proof] of proofs.entries()) {
    const walk = withFileName(`--proof ${k + 1}`, () => verifyBlockProof(proof, from));
    from = walk.checkpoint;
    block = blockOfWalk(walk);
    keyBlocks = withKeyBlocks(keyBlocks, keyBlocksOf(proof));
  }
  if (set === undefined || headerProof === undefined) return { block, keyBlocks };
  const header = verifyHeader(headerProof, set.blockId);
  const report = verifyBlock(set, validatorSetAt(from), { context: { header } });
  return { block: blockOfReport(report, header), keyBlocks };
}
