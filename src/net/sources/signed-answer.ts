/**
 * Reads the heads and signatures that a source gives. Sources are a public interface, so each answer is checked here
 * once, before it is used.
 */
import { badArgument, requireMembers } from '../../core/base/arguments.ts';
import { isBytes } from '../../core/base/bytes.ts';
import { DecodeError } from '../../core/base/errors.ts';
import { describeJson } from '../../core/base/json-structure.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN, MAX_SEQNO } from '../../core/base/limits.ts';
import { requireType } from '../../core/base/options.ts';
import type { Own } from '../../core/base/own-bytes.ts';
import { type BlockPlace, formatBlockPlace } from '../../core/block/block-id.ts';
import { copySignatureList, type SignatureList } from '../../core/block/signature-list.ts';
import { messageOf } from '../../core/message/signed-message.ts';
import { codeOfUnreadable } from '../machine/outcome.ts';
import type { AskOptions, BlockSource, SignedAnswer } from './block-source.ts';
import { failureOf } from './failure-hints.ts';

const HINT = 'signatures(seqno) gives { signatures, source }; parseSignatureList makes them of the JSON of a server';

/** Asks a source for its head. @throws SourceError also for an answer that is not a seqno */
export async function headOf(source: BlockSource, opts: AskOptions): Promise<number> {
  const head = await source.latestSeqno(opts);
  if (Number.isInteger(head) && head >= 0 && head <= MAX_SEQNO) return head;
  throw failureOf(source.name, 'source/malformed', `expected a seqno as its head, got ${describeJson(head)}`);
}

export function masterchain(seqno: number): BlockPlace {
  return { workchain: MASTERCHAIN_WORKCHAIN, shard: MASTERCHAIN_SHARD, seqno };
}

/** Returns a message when a block is not at the position asked for. */
export function misplaced(id: BlockPlace, asked: BlockPlace): string | undefined {
  const isThere = id.workchain === asked.workchain && id.shard === asked.shard && id.seqno === asked.seqno;
  return isThere ? undefined : `asked for block ${formatBlockPlace(asked)}, got block ${formatBlockPlace(id)}`;
}

/**
 * Returns a message when the signatures are about a different block than the masterchain block asked for. An ordinary
 * message is made of the id alone. A simplex message is made of a candidate, which may name any block.
 * @param signatures in bytes that no other code can write to
 * @throws DecodeError for a candidate that cannot be read
 */
export function otherBlock(signatures: SignatureList, seqno: number): string | undefined {
  const wrong = misplaced(signatures.blockId, masterchain(seqno));
  if (wrong !== undefined) return wrong;
  if (signatures.kind !== 'simplex') return undefined;
  try {
    messageOf(signatures);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError && error.code === 'decode/candidate-mismatch') return error.message;
    throw error;
  }
}

type Another = NonNullable<SignedAnswer['another']>;

/** An answer that was read and copied. */
export interface OwnAnswer extends SignedAnswer {
  readonly signatures: Own<SignatureList>;
}

function readMembers(given: unknown, name: string): OwnAnswer {
  const members = requireMembers(given, 'signatures and their source', 'answer');
  const { signatures, source = name, body, another, blame } = members;
  requireType(source, 'string', 'source');
  if (body !== undefined && !isBytes(body)) throw badArgument('body', 'a Uint8Array', body);
  requireType(another, 'function', 'another');
  requireType(blame, 'function', 'blame');
  return {
    signatures: copySignatureList(signatures as SignatureList), // `copySignatureList` checks it
    source: source as string,
    ...(body === undefined ? {} : { body }),
    ...(another === undefined ? {} : { another: (opts?: AskOptions) => (another as Another).call(given, opts) }),
    ...(blame === undefined ? {} : { blame: () => (blame as () => void).call(given) }),
  };
}

/**
 * Checks and copies the answer of a source about the block asked for.
 * @param name of the source, for errors
 * @throws SourceError `source/malformed` or `source/wrong-block`, attributed to the server that gave the answer
 */
export function readSigned(given: unknown, seqno: number, name: string): OwnAnswer {
  let answer: OwnAnswer | undefined;
  let wrong: string | undefined;
  try {
    answer = readMembers(given, name);
    wrong = otherBlock(answer.signatures, seqno);
  } catch (cause) {
    const { source: endpoint = name, body } = answer ?? {};
    // Members may be getters, which can throw anything.
    const words = cause instanceof Error ? `: ${cause.message}` : '';
    const what = `signatures that cannot be read${words}`;
    throw failureOf(endpoint, codeOfUnreadable(cause), what, { body, cause, hint: HINT });
  }
  if (wrong === undefined) return Object.freeze(answer);
  const { source: endpoint, body } = answer;
  throw failureOf(endpoint, 'source/wrong-block', wrong, { body });
}

/** Asks a source for the signatures of a block. @throws SourceError also as `readSigned` */
export async function askSigned(source: BlockSource, seqno: number, opts: AskOptions): Promise<OwnAnswer> {
  return readSigned(await source.signatures(seqno, opts), seqno, source.name);
}
