/** The recorded proofs below a block, and what must come of each. */
import { type BlockIdExt, differingField } from '../../src/core/block/block-id.ts';
import { type AccountId, parseAccountId } from '../../src/core/facts/account-id.ts';
import { fromHex, readVector, readVectorBytes } from './vectors.ts';

export interface IdJson {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly rootHash: string;
  /** null where the recording does not say it. */
  readonly fileHash: string | null;
}

export interface MessageJson {
  readonly index?: number;
  readonly kind: string;
  readonly hash: string;
  readonly bodyHash: string;
  readonly src?: string;
  readonly dest?: string | null;
  readonly value?: string;
  readonly createdLt?: string;
  readonly op?: number;
}

export interface TransactionJson {
  readonly account: string;
  readonly lt: string;
  readonly hash: string;
  readonly now: number;
  readonly prevTransHash: string;
  readonly prevTransLt: string;
  readonly outMsgCount: number;
  readonly description: string;
  readonly aborted?: boolean;
  readonly inMsg: MessageJson | null;
  readonly outMsgs: readonly MessageJson[];
}

export interface InclusionCase {
  readonly id: string;
  readonly kind: string;
  readonly trusted: IdJson;
  readonly shardBlock?: IdJson;
  readonly account?: string;
  readonly finality?: string;
  readonly request?: { readonly account?: string; readonly lt?: string; readonly block?: IdJson };
  readonly files?: Readonly<Record<string, string>>;
  // The shape is that of the kind; each test reads what its kind has.
  // biome-ignore lint/suspicious/noExplicitAny: expectations of ten kinds, read by tests only
  readonly expect: any;
}

export const inclusionCases: readonly InclusionCase[] = readVector<InclusionCase[]>('inclusion/index.json');

export const casesOf = (kind: string): readonly InclusionCase[] =>
  inclusionCases.filter((entry) => entry.kind === kind);

export function caseNamed(id: string): InclusionCase {
  return inclusionCases.find((entry) => entry.id === id)!;
}

export function blockId({ workchain, shard, seqno, rootHash, fileHash }: IdJson): BlockIdExt {
  const hash = (hex: string | null) => (hex === null ? new Uint8Array(32) : fromHex(hex));
  return { workchain, shard: BigInt(shard), seqno, rootHash: hash(rootHash), fileHash: hash(fileHash) };
}

export function bytesOf({ files }: InclusionCase, name: string): Uint8Array {
  return readVectorBytes(`inclusion/${files![name]!}`);
}

export function accountOf(text: string): AccountId {
  return parseAccountId(text);
}

export const sameBlock = (a: BlockIdExt, b: BlockIdExt): boolean => differingField(a, b) === undefined;

/** The answers of one lite server about one block; see `vectors/live/README.md`. */
interface LiveAnswer {
  readonly file: string;
  readonly account?: string;
  readonly lt?: string;
  readonly hash?: string;
}

interface LiveIdJson {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

const live = readVector<{
  answers: LiveAnswer[];
  block: LiveIdJson;
  key_block: LiveIdJson;
  zerostate: LiveIdJson;
}>('live/answers/index.json');

const liveId = ({ root_hash, file_hash, ...id }: LiveIdJson) =>
  blockId({ ...id, rootHash: root_hash, fileHash: file_hash });

export const LIVE = {
  block: liveId(live.block),
  keyBlock: liveId(live.key_block),
  zerostate: liveId(live.zerostate),
};

export const liveBytes = (file: string): Uint8Array => readVectorBytes(`live/answers/${file}`);

export function liveAnswer(file: string): LiveAnswer {
  return live.answers.find((answer) => answer.file === file)!;
}

export const liveTransactions: readonly LiveAnswer[] = live.answers.filter(({ file }) => /^transaction-\d/.test(file));

/** The bag inside liteServer.blockData: behind its id (4), the block's id (80) and a long length (4). */
export function blockOf(tl: Uint8Array): Uint8Array {
  const length = tl[85]! | (tl[86]! << 8) | (tl[87]! << 16);
  return tl.slice(88, 88 + length);
}
