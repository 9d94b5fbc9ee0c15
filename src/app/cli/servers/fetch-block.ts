/** Fetches a block from servers over HTTP until its signatures are valid, and compares it with the reports of other servers. */

import { encodeHex } from '../../../core/base/bytes.ts';
import { QUESTION_DEADLINE_MS } from '../../../core/base/limits.ts';
import { present } from '../../../core/base/present.ts';
import type { Signal } from '../../../core/base/runtime-types.ts';
import type { SignatureList } from '../../../core/block/signature-list.ts';
import type { ValidatorSet } from '../../../core/validators/validator-set.ts';
import type { BlockHeaderFacts, Warning } from '../../../core/verify/report.ts';
import { rowWitness } from '../../../net/sources/ask-witnesses.ts';
import type { AskOptions, SignedAnswer } from '../../../net/sources/block-source.ts';
import { claimedValidatorSet } from '../../../net/sources/claimed-set.ts';
import { crossCheck } from '../../../net/sources/cross-check.ts';
import { gatherQuorum } from '../../../net/sources/quorum-of.ts';
import type { Assessed } from '../../../net/sources/until-good.ts';
import { type VerifiedBlock, verifyFrom } from '../../../net/sources/verify-from.ts';
import { distinctWarnings } from '../../../net/sources/witness-report.ts';
import type { RawBlockHeader } from '../../../net/toncenter-api/v2-answers.ts';
import { warningWords } from '../../report/render-report.ts';
import type { SourcePlan, WitnessFlags } from '../input/server-options.ts';
import { printEvent } from '../output/print.ts';
import { type Doubt, doubtOf } from '../output/print-verdict.ts';
import { askInOrder, type ServersOfPlan, type V2Server, warningOfStatement } from './http-servers.ts';

export interface BlockToJudge {
  readonly signatures: SignatureList;
  /** The server that sent the block; absent for a file. */
  readonly source?: string;
  readonly header?: BlockHeaderFacts;
  /** Only with `--validators-from server`. */
  readonly claimedSet?: ValidatorSet;
  /** Checks that could not be made. */
  readonly warnings: readonly Warning[];
}

/** A block from servers with its verdict. */
export interface JudgedBlock extends Assessed {
  readonly fetched: BlockToJudge;
}

function headerKey({ id, catchainSeqno, validatorListHashShort, prevKeyBlockSeqno }: RawBlockHeader): string {
  const hashes = [encodeHex(id.rootHash), encodeHex(id.fileHash)];
  return [...hashes, catchainSeqno, validatorListHashShort, prevKeyBlockSeqno].join();
}

/**
 * Asks servers for the header and the claimed set of a block. @param servers the most likely first @throws SourceError, DecodeError,
 * ValidatorSetError
 */
async function withContext(
  { need, claimedSet: isSetWanted }: SourcePlan,
  { signatures, source }: SignedAnswer,
  servers: readonly V2Server[],
  limit: Pick<AskOptions, 'deadlineMs'>,
): Promise<BlockToJudge> {
  const warnings: Warning[] = [];
  /** Asks the servers: with a quorum they must agree on the answer, without one the first answer counts. */
  async function ask<T>(
    one: (server: V2Server, opts: AskOptions) => Promise<T>,
    keyOf: (answer: T) => string,
    opts: AskOptions,
  ) {
    if (need === undefined) return await askInOrder(servers, one, warnings, opts);
    const byName = new Map(servers.map((server) => [server.name, server]));
    const askOne = ({ name }: { readonly name: string }, { signal }: { readonly signal: Signal }) =>
      one(byName.get(name)!, { ...opts, signal }); // the names come from `servers`
    const { agreed, odd } = await gatherQuorum(servers, need, askOne, keyOf, opts);
    warnings.push(...odd.map(warningOfStatement));
    return { answer: agreed[0]!.answer, source }; // `need` is 1 or more
  }

  const { seqno } = signatures.blockId;
  const deadlineMs = Math.min(QUESTION_DEADLINE_MS, limit.deadlineMs ?? Number.POSITIVE_INFINITY);
  const asked = ask((server, opts) => server.header(seqno, opts), headerKey, { deadlineMs });
  const told = await asked.catch(() => undefined); // `crossCheck` judges the failure
  const witness = { name: told?.source ?? source, header: async () => (await asked).answer };
  const checked = await crossCheck(signatures.blockId, source, { header: witness });

  async function claimedSet(): Promise<ValidatorSet> {
    const known = (await asked).answer; // only the header names the key block of the set
    if (need !== undefined) {
      const askParam = async (param: number, seqno: number) =>
        (await ask((server, opts) => server.configParam(param, seqno, opts), encodeHex, {})).answer;
      return await claimedValidatorSet(known, source, askParam);
    }
    // Everything comes from one server, so that it can be named.
    const claim = (server: V2Server, opts: AskOptions) =>
      claimedValidatorSet(known, server.name, (param, seqno) => server.configParam(param, seqno, opts));
    return (await askInOrder(servers, claim, warnings, limit)).answer;
  }
  return {
    signatures,
    source,
    ...present({ header: checked.header, claimedSet: isSetWanted ? await claimedSet() : undefined }),
    warnings: distinctWarnings([...warnings, ...checked.warnings]),
  };
}

/** Returns the reason why a block that would be final is not. */
function doubtFrom({ judged, agreement, rivals }: VerifiedBlock<Assessed>): Doubt | undefined {
  if (judged?.report.verdict.status !== 'final') return undefined;
  if (agreement !== 'contradicted') return doubtOf(agreement);
  return doubtOf(agreement, rivals > 0 ? 'rival' : 'old-set');
}

/** @throws SourceError, DecodeError, TrustError, ValidatorSetError when no server gave a block that can be judged; ForkError */
export async function verifyFromServers<T extends JudgedBlock>(
  plan: SourcePlan,
  { v2, v3 }: ServersOfPlan,
  judge: (fetched: BlockToJudge) => Promise<T>,
  terms: WitnessFlags,
  asJson: boolean,
) {
  const { wanted, need, deadlineMs } = plan;
  const search = { wanted, need, deadlineMs, ...terms, more: v3 === undefined ? [] : [rowWitness(v3)] };
  const verified = await verifyFrom<V2Server, T>(v2, search, async (answer, servers, limit) =>
    judge(await withContext(plan, answer, servers, limit)),
  );
  const { judged, error, witnesses, warnings } = verified;
  if (judged === undefined) {
    for (const { code, message } of warnings) {
      const event = code.includes('/') ? 'server-failed' : code; // the code of an error is none of an event
      await printEvent(event, asJson ? message : warningWords({ code, message }), asJson);
    }
    throw error;
  }
  return {
    judged,
    witnesses,
    warnings: distinctWarnings([...warnings, ...judged.fetched.warnings]),
    ...present({ doubt: doubtFrom(verified) }),
  };
}
