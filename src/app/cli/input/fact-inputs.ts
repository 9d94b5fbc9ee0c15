/** Reads what `prove` and `certify` share: the fact, the files that prove it, and its block. */
import { UsageError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import { parseSignatureList } from '../../../core/block/signature-list.ts';
import type { CertificateInput } from '../../../core/certificate/build.ts';
import type { FactInput } from '../../../core/certificate/build-fact.ts';
import { verifyHeader } from '../../../core/chain/block-header.ts';
import { type Checkpoint, validatorSetAt } from '../../../core/chain/checkpoint.ts';
import { type KeyBlock, keyBlocksOf } from '../../../core/chain/key-blocks.ts';
import { verifyBlockProof } from '../../../core/chain/walk.ts';
import { type AccountId, parseAccountId } from '../../../core/facts/account-id.ts';
import { blockOfCheckpoint, blockOfReport, blockOfWalk } from '../../../core/facts/final-block.ts';
import { verifyBlock } from '../../../core/verify/verifier.ts';
import type { FactQuestion } from '../../../net/lite/ask-fact.ts';
import { parseLiteAnswer } from '../../../net/lite-api/read-answers.ts';
import { withFileName } from '../../files/with-file-name.ts';
import { didYouMean } from '../command.ts';
import type { WordsRow } from '../command-table.ts';
import { LITE_OPTIONS } from './lite-options.ts';
import { badFlag, needing, type OptionTable, type OptionValues, option, shown, under, without } from './option-rows.ts';
import { inputName, readBytes, readCheckpointFlag, readJsonAs, readJsonOrBytes } from './read-file.ts';
import { NETWORK_OPTION, STRICT_OPTION, WITNESS_OPTIONS } from './shared-options.ts';

const OF_TRANSACTION = ['account', 'lt', 'shard', 'require-success'] as const;

/** Each kind of fact: its options, and its FILE in help texts. */
const FACTS = {
  transaction: [OF_TRANSACTION, 'with --account and --lt: liteServer.transactionInfo, or the whole block'],
  message: [
    [...OF_TRANSACTION, 'index'],
    'with --account, --lt and --index, the same file: an outgoing message, or the incoming one',
  ],
  account: [['account', 'shard'], 'with --account: liteServer.accountState'],
  config: [['param'], 'with --param: liteServer.configInfo'],
} as const satisfies Record<string, readonly [readonly string[], string]>;
type NamedFact = keyof typeof FACTS;
const FACT_KINDS = Object.keys(FACTS) as readonly NamedFact[]; // its own members

/** The words of a command that proves facts. */
export const FACT_WORDS: WordsRow = {
  wanted: 'a fact and its FILE',
  count: [0, 9],
  rows: Object.entries(FACTS).map(([kind, [, file]]) => [`${kind} FILE`, file]),
  choices: FACT_KINDS,
};

/** Options for files that lead to a block. */
const WAY_OPTIONS = {
  proof: option.texts(
    'FILE.tl',
    'liteServer.partialBlockProof, from the checkpoint to the masterchain block; repeatable',
  ),
  signatures: { ...option.text('FILE', 'or the signatures of the masterchain block, with --block'), needs: ['block'] },
  block: {
    ...option.text('FILE', 'the masterchain block, or a proof of its header, with --signatures'),
    needs: ['signatures'],
  },
  shard: option.text(
    'FILE',
    'proof of a shard block: v2 getShardBlockProof or liteServer.shardBlockProof; an accountState contains it',
  ),
} satisfies OptionTable;

export const FACT_OPTIONS = {
  ...under('fact to prove', {
    account: option.text('A', 'workchain:hex, or the 48-character address of a wallet'),
    lt: option.text('N', 'logical time of the transaction'),
    index: option.text('N|in', 'message of the transaction: the N-th outgoing one, or in for the incoming one'),
    param: option.text('N', 'number of the configuration parameter'),
  }),
  ...under('final block to prove under', {
    checkpoint: option.text('FILE', 'checkpoint to start from, see ton-finality checkpoint'),
    ...without(['lite', 'config'], WAY_OPTIONS),
  }),
} satisfies OptionTable;

/** The heading of options for a fact that is fetched from servers. */
export const OVER_LITE = 'over lite servers, instead of FILE, --proof, --signatures, --block and --shard';

export const LITE_FACT_OPTIONS = under(OVER_LITE, {
  ...LITE_OPTIONS,
  ...NETWORK_OPTION,
  ...WITNESS_OPTIONS,
  ...needing(['lite', 'config'], {
    ...STRICT_OPTION,
    seqno: option.seqno(
      'masterchain block to prove under; default: the newest. A masterchain transaction is proven to be, or not to be, in this block. By default a server names the block; if the transaction is not there, the next server is asked and no absence is proven',
    ),
  }),
});

export type FactFlags = OptionValues<typeof FACT_OPTIONS> & { readonly 'require-success'?: boolean };

function required(options: FactFlags, name: 'account' | 'lt' | 'index' | 'param'): string {
  const value = options[name];
  if (value === undefined) throw badFlag(name, 'expected a value, got nothing');
  return value;
}

function readNumber(options: FactFlags, name: 'lt' | 'index' | 'param', pattern: RegExp): bigint {
  const given = required(options, name);
  if (pattern.test(given)) return BigInt(given);
  throw badFlag(name, `expected a whole number in decimal digits, got ${shown(given)}`);
}

/** Reads an option with an address. @throws DecodeError that names the option */
export function readAccount(name: string, given: string): AccountId {
  return withFileName(`--${name}`, () => parseAccountId(given));
}

/**
 * Rejects options of another kind of fact: the user probably means that kind.
 * @param kind `undefined` if no fact is given
 */
export function requireNoOther(kind: NamedFact | undefined, options: FactFlags): void {
  const known: readonly string[] = kind === undefined ? [] : FACTS[kind][0];
  const other = ([...OF_TRANSACTION, 'index', 'param'] as const).find((name) => options[name] && !known.includes(name));
  if (other === undefined) return;
  throw badFlag(other, kind === undefined ? 'requires a fact, got none' : `not an option of the fact ${kind}`);
}

function readQuestion(kind: NamedFact, options: FactFlags): FactQuestion {
  if (kind === 'config') return { kind, param: Number(readNumber(options, 'param', /^-?[0-9]{1,10}$/)) };
  const account = readAccount('account', required(options, 'account'));
  if (kind === 'account') return { kind, account };
  const transaction = { kind: 'transaction', account, lt: readNumber(options, 'lt', /^[0-9]{1,20}$/) } as const;
  if (kind === 'transaction') return transaction;
  const isIn = required(options, 'index') === 'in';
  return { ...transaction, message: isIn ? 'in' : Number(readNumber(options, 'index', /^[0-9]{1,5}$/)) };
}

/** The fact that a command line names, and the file with the answer; no file if servers are asked. */
export type NamedQuestion = Readonly<Awaited<ReturnType<typeof readNamedQuestion>>>;

/** Reads the first word after a command. @throws UsageError */
function readFactKind(word: string | undefined): NamedFact {
  const known = FACT_KINDS.find((name) => name === word);
  if (known !== undefined) return known;
  const got = word === undefined ? 'nothing' : `${shown(word)}${didYouMean(word, FACT_KINDS)}`;
  throw new UsageError('usage/bad-option', `expected transaction, message, account or config, got ${got}`);
}

/**
 * Reads the words after a command, and the options of the fact.
 * @param isLite whether servers are asked, which takes the place of a file
 * @throws UsageError, DecodeError
 */
export async function readNamedQuestion(words: readonly string[], options: FactFlags, isLite: boolean) {
  const [word, ...files] = words;
  const kind = readFactKind(word);
  if (files.length !== (isLite ? 0 : 1)) {
    const wanted = isLite
      ? 'no FILE with --lite or --config'
      : `one FILE after ${kind}, or --config FILE or --lite HOST:PORT:KEY without FILE`;
    throw new UsageError('usage/bad-option', `expected ${wanted}, got ${files.length || 'nothing'}`);
  }
  const [name] = files;
  requireNoOther(kind, options);
  const file = name === undefined ? undefined : { name, bytes: await readBytes(name) };
  return { kind, question: readQuestion(kind, options), ...present({ file }) };
}

const BAG_OF_CELLS = 0xb5;

/** Reads the answer to a question from its file. @throws UsageError, DecodeError, TrustError */
export async function readFactInput({ question, file }: NamedQuestion, { shard }: FactFlags): Promise<FactInput> {
  const { name, bytes } = file!; // no server is asked
  const read = <T>(parse: () => T): T => withFileName(inputName(name), parse);
  if (question.kind === 'config') return { ...question, answer: read(() => parseLiteAnswer(bytes, 'config')) };
  const proof = shard === undefined ? undefined : await readJsonOrBytes(shard);
  const way = proof && { way: { links: 'json' in proof ? proof.json : proof.bytes } };
  if (question.kind === 'account') {
    return { ...question, answer: read(() => parseLiteAnswer(bytes, 'account-state')), ...way };
  }
  const answer = bytes[0] === BAG_OF_CELLS ? { proof: bytes } : read(() => parseLiteAnswer(bytes, 'transaction'));
  return { ...question, answer, ...way };
}

/** The files that lead from the checkpoint to the block, parsed. */
export type BlockInputs = Pick<CertificateInput, 'checkpoint' | 'signatures'> & {
  readonly proofs: readonly Uint8Array[];
  readonly headerProof?: Uint8Array;
};

export async function readBlockInputs(options: FactFlags): Promise<BlockInputs> {
  const { proof, signatures: file, block } = options;
  const checkpoint = await readCheckpointFlag(options);
  const proofs: Uint8Array[] = [];
  for (const name of proof) proofs.push(await readBytes(name));
  if (file === undefined || block === undefined) return { checkpoint, proofs };
  const signatures = await readJsonAs(file, parseSignatureList);
  return { checkpoint, proofs, signatures, headerProof: await readBytes(block) };
}

/** A masterchain block, and the key blocks that lead to it, in order; the checkpoint's comes first. */
export type LedTo = Readonly<ReturnType<typeof leadTo>>;

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
export function leadTo({ checkpoint, proofs, signatures, headerProof }: BlockInputs) {
  let from = checkpoint;
  let block = blockOfCheckpoint(from);
  let keyBlocks: readonly KeyBlock[] = [keyBlockOfCheckpoint(from)];
  for (const [k, proof] of proofs.entries()) {
    const walk = withFileName(`--proof ${k + 1}`, () => verifyBlockProof(proof, from));
    from = walk.checkpoint;
    block = blockOfWalk(walk);
    keyBlocks = withKeyBlocks(keyBlocks, keyBlocksOf(proof));
  }
  if (signatures === undefined || headerProof === undefined) return { block, keyBlocks };
  const header = verifyHeader(headerProof, signatures.blockId);
  const report = verifyBlock(signatures, validatorSetAt(from), { context: { header } });
  return { block: blockOfReport(report, header), keyBlocks };
}
