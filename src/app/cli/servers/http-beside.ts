/** Adds servers over HTTP to lite servers: as witnesses of the proven block, and for the block itself if no lite server leads to it. */
import { SourceError } from '../../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../../../core/base/limits.ts';
import { present } from '../../../core/base/present.ts';
import type { SignatureList } from '../../../core/block/signature-list.ts';
import { checkpointToJson, validatorSetAt } from '../../../core/chain/checkpoint.ts';
import { verifyBlockProof } from '../../../core/chain/walk.ts';
import { isStale } from '../../../core/verify/set-check.ts';
import { verifyBlock } from '../../../core/verify/verifier.ts';
import type { LiteServerClient } from '../../../net/lite/client.ts';
import { isBrokenProof } from '../../../net/lite/climb.ts';
import type { SyncOptions } from '../../../net/lite/sync-options.ts';
import { ownHeadOf, type SyncResult } from '../../../net/lite/sync-result.ts';
import { compare, signedWitness } from '../../../net/sources/ask-witnesses.ts';
import { evidenceOf, type ForkEvidence, SIGNED_TWICE_SCHEMA } from '../../../net/sources/fork-error.ts';
import type { ServerEvent } from '../../../net/sources/server-events.ts';
import {
  distinctWarnings,
  joinReports,
  weighWitnesses,
  withVoices,
  witnessWarnings,
} from '../../../net/sources/witness-report.ts';
import { readSourcePlan, type SourceValues } from '../input/server-options.ts';
import { createServers, type V2Server } from './http-servers.ts';

/** The servers over HTTP, if some are named. */
export type Beside = NonNullable<ReturnType<typeof readHttpBeside>['http']>;

/** Reads the servers over HTTP, and which lite servers are left out. @throws UsageError */
export function readHttpBeside(
  word: string,
  options: SourceValues & { readonly without: readonly string[] },
  onServer: (event: ServerEvent) => void,
) {
  const { without, 'base-url': urls } = options;
  if (urls.length === 0) return { http: undefined, without };
  const hosts = urls.map((url) => (URL.canParse(url) ? new URL(url).host : ''));
  const isHttp = (name: string) => /^https?:/.test(name) || hosts.includes(name);
  const plan = readSourcePlan(word, { ...options, without: without.filter(isHttp) }, { onServer })!; // a URL is given
  return { http: { plan, servers: createServers(plan).v2 }, without: without.filter((name) => !isHttp(name)) };
}

/** Terms that hold for all servers together. */
type MixedTerms = Required<Pick<SyncOptions, 'acceptStaleStart' | 'witnesses' | 'countEachServer'>> & {
  readonly waitForBlock: boolean;
  readonly deadlineMs: number | undefined;
};

/**
 * Makes evidence of a proof by a lite server and the signatures that another server shows. All servers that are not out are asked at the
 * same time: one of them may be silent, or send a proof of something else.
 */
async function mixedEvidence(result: SyncResult, other: { readonly source: string; readonly body: Uint8Array }) {
  const { checkpoint, tip } = result;
  const proven = async (client: LiteServerClient): Promise<ForkEvidence> => {
    const { tl } = await client.blockProof(checkpoint.keyBlock, tip, { deadlineMs: QUESTION_DEADLINE_MS });
    verifyBlockProof(tl, checkpoint, { expect: tip });
    const trust = { checkpoint: checkpointToJson(checkpoint) };
    return evidenceOf(SIGNED_TWICE_SCHEMA, tip.seqno, trust, [{ source: client.name, body: tl }, other]);
  };
  try {
    return await Promise.any(ownHeadOf(result)!.fleet.kept().map(proven)); // the result was made here
  } catch (error) {
    for (const one of (error as AggregateError).errors) {
      if (!(one instanceof SourceError || isBrokenProof(one))) throw one;
    }
    return undefined;
  }
}

/**
 * Adds the reports of servers over HTTP to the result of lite servers, and judges the block again by all reports.
 * @param result of a run that accepted its start and needed no witnesses
 * @throws ForkError
 */
export async function withHttp(
  result: SyncResult,
  http: readonly V2Server[],
  { acceptStaleStart, witnesses, countEachServer, waitForBlock, deadlineMs }: MixedTerms,
): Promise<SyncResult> {
  const { tip, checkpoint, startIsStale, verdict } = result;
  const validators = validatorSetAt(checkpoint);
  const isOld = isStale(validators, Date.now() / 1000);
  const { report: said } = await compare(
    http.map(signedWitness),
    {
      blockId: tip,
      source: 'the proof of lite servers',
      isBound: true,
      evidence: (source, body) => mixedEvidence(result, { source, body }),
    },
    {
      verify: (signatures: SignatureList) => verifyBlock(signatures, validators, { requireBoundId: true }),
      isOld: () => isOld,
      waitForBlock,
      ...present({ deadlineMs: deadlineMs && Math.min(deadlineMs, QUESTION_DEADLINE_MS) }),
    },
  );
  const all = joinReports([result.witnesses, said]);
  const prover = ownHeadOf(result)?.prover;
  // The machine may have slept since the proof: a second history by these keys is then no fork, and this one may not be the chain's.
  const isStaleBy = startIsStale || said.forked.length > 0;
  const terms = { startIsStale: isStaleBy, acceptStaleStart, witnesses, prover, countEachServer };
  const { voices, agreement } = weighWitnesses(all, terms);
  const isOldHead = verdict.status === 'undecided' && verdict.reason === 'stale-head';
  const reason = agreement === 'enough' ? (isOldHead ? 'stale-head' : undefined) : agreement;
  return {
    ...result,
    verdict: reason === undefined ? { status: 'final' } : { status: 'undecided', reason },
    witnesses: withVoices(all, voices),
    warnings: distinctWarnings(witnessWarnings(tip.seqno, all)),
  };
}
