/**
 * Second opinions on one block: its header from v2, its row from v3. These prove nothing, but they tell a wrong
 * validator set from bad signatures. A witness without an answer gives a warning; a witness that contradicts gives an
 * error.
 */
import { requireMembers } from '../../core/base/arguments.ts';
import { DecodeError, SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { type BlockIdExt, copyBlockId, differingField, formatBlockId } from '../../core/block/block-id.ts';
import type { BlockHeaderFacts, Warning } from '../../core/verify/report.ts';
import { isA } from '../machine/outcome.ts';
import {
  type MasterchainShardState,
  masterchainRow,
  type ShardBlock,
} from '../toncenter-api/masterchain-shard-state.ts';
import type { RawBlockHeader } from '../toncenter-api/v2-answers.ts';
import type { AskOptions } from './block-source.ts';
import { failureOf } from './failure-hints.ts';
import { saidBy } from './no-agreement.ts';

/** A source of masterchain block headers, such as `toncenterV2`. */
export interface HeaderWitness {
  readonly name: string;
  /** Returns the header of this masterchain block. @throws SourceError */
  header(seqno: number, opts?: AskOptions): Promise<RawBlockHeader>;
}

/** A source of the rows of a masterchain block, such as `toncenterV3`. */
export interface ShardStateWitness {
  readonly name: string;
  /** Returns the rows of this masterchain block and of its shards. @throws SourceError */
  masterchainBlockShardState(seqno: number, opts?: AskOptions): Promise<MasterchainShardState>;
}

/** The sources that can give a second opinion. */
export interface Witnesses {
  readonly header?: HeaderWitness;
  readonly v3?: ShardStateWitness;
}

/** The result of second opinions. They can speak against a validator set, never for a block. */
export interface CrossCheck {
  /** A claimed header, for the `context` of `verifyBlock`; absent when no witness gave a header. */
  readonly header?: BlockHeaderFacts;
  /** Names of the witnesses that name the same block id. */
  readonly confirmedBy: readonly string[];
  /** Warnings about what could not be checked: `not-cross-checked`. */
  readonly warnings: readonly Warning[];
}

interface Testimony {
  readonly source: string;
  readonly facts: Required<Omit<BlockHeaderFacts, 'source'>>;
}

type Claim = Omit<Testimony['facts'], 'blockId' | 'seqno'> & { readonly id: BlockIdExt };

async function testimony(witness: { readonly name: string }, ask: () => Promise<Claim>): Promise<Testimony> {
  const { id, genUtime, catchainSeqno, validatorListHashShort, prevKeyBlockSeqno } = await ask();
  const facts = { blockId: id, seqno: id.seqno, genUtime, catchainSeqno, validatorListHashShort, prevKeyBlockSeqno };
  return { source: witness.name, facts }; // the name may be known only after the answer
}

/** Returns the row of a masterchain block. @throws SourceError also for an answer without that row */
export async function askRow(witness: ShardStateWitness, seqno: number, opts: AskOptions): Promise<ShardBlock> {
  const state = await witness.masterchainBlockShardState(seqno, opts);
  if (state.kind === 'transactions') {
    throw failureOf(witness.name, 'source/malformed', 'no block rows in the answer, so no hashes to compare');
  }
  const row = masterchainRow(state.blocks, seqno);
  if (row !== undefined) return row;
  throw failureOf(witness.name, 'source/wrong-block', `no row of masterchain block ${seqno}`);
}

/** Whether an error reports two rows of one block, of which at most one can be right. */
function isTwoRows({ cause }: SourceError): boolean {
  return cause instanceof DecodeError && cause.code === 'decode/two-blocks';
}

function isContradiction(error: SourceError): boolean {
  if (isA(error.code, 'contradiction') || isTwoRows(error)) return true;
  // Where all of several witnesses failed, the code of the error is that of the most hopeful failure.
  return error.statements.some((one) => one.error instanceof SourceError && one.error.code === 'source/wrong-block');
}

function notChecked(error: unknown): Warning {
  // A missing answer takes nothing away from the signatures; a contradiction or an abort does.
  const isMissing = error instanceof SourceError && error.code !== 'source/aborted' && !isContradiction(error);
  if (isMissing) return { code: 'not-cross-checked', message: error.message };
  throw error;
}

const COMPARED = ['catchainSeqno', 'validatorListHashShort', 'genUtime'] as const;

function contradiction(what: string, statements: readonly SourceStatement[]): SourceError {
  return new SourceError('source/disagree', `${what}: ${saidBy(statements)}`, {
    statements,
    hint: 'one of the servers is wrong, or is of a different chain',
  });
}

/**
 * Asks witnesses about the block that a server gave signatures of: for its header over API v2, and for its row over API
 * v3.
 * @param blockId the block that the signatures are for
 * @param said the name of the server that gave the signatures, for the error
 * @param witnesses the sources of the header and of the row; each is optional
 * @param opts signal and time limit of the questions; default: those of each witness
 * @returns the header as context for `verifyBlock`, the witnesses that confirmed the block, and warnings
 * @throws SourceError `source/disagree` when a witness names a different block at this seqno, or witnesses contradict
 * each other; `source/wrong-block`, `source/wrong-network` or `source/malformed` when a witness answers about a
 * different block or chain, or names two blocks; `source/aborted`
 * @example
 * ```ts
 * import { parseSignatureList } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * import { crossCheck, toncenterV2, toncenterV3 } from 'ton-finality/servers';
 * const { blockId } = parseSignatureList(simplexSample.signatures);
 * const header = toncenterV2({ baseUrl: 'https://toncenter.com/api/v2' });
 * const v3 = toncenterV3({ baseUrl: 'https://toncenter.com/api/v3' });
 * const { confirmedBy } = await crossCheck(blockId, 'my server', { header, v3 });
 * console.log(confirmedBy.length); // 2
 * ```
 */
export async function crossCheck(
  blockId: BlockIdExt,
  said: string,
  witnesses: Witnesses,
  opts: AskOptions = {},
): Promise<CrossCheck> {
  requireMembers(witnesses, 'an object with witnesses', 'witnesses');
  copyBlockId(blockId, 'blockId'); // for its check
  const { header, v3 } = witnesses;
  const asked = [
    ...(header === undefined ? [] : [testimony(header, () => header.header(blockId.seqno, opts))]),
    ...(v3 === undefined ? [] : [testimony(v3, () => askRow(v3, blockId.seqno, opts))]),
  ];
  const answers = await Promise.all(asked.map((answer) => answer.catch(notChecked)));
  const warnings = answers.filter((answer): answer is Warning => 'code' in answer);
  const testimonies = answers.filter((answer): answer is Testimony => !('code' in answer));
  for (const { source, facts } of testimonies) {
    if (differingField(facts.blockId, blockId) === undefined) continue;
    throw contradiction(`servers name different blocks ${blockId.seqno}`, [
      { source: said, key: formatBlockId(blockId) },
      { source, key: formatBlockId(facts.blockId) },
    ]);
  }
  const [first, second] = testimonies;
  for (const name of COMPARED) {
    if (first === undefined || second === undefined || first.facts[name] === second.facts[name]) continue;
    throw contradiction(
      `servers disagree on the ${name} of block ${blockId.seqno}`,
      [first, second].map(({ source, facts }) => ({ source, key: String(facts[name]) })),
    );
  }
  return {
    ...(first === undefined ? {} : { header: { source: 'claimed', ...first.facts } }),
    confirmedBy: testimonies.map(({ source }) => source),
    warnings,
  };
}
