/** Opens the servers that a command line names, each held to its network, and asks them one after the other. */

import { FinalityError, SourceError, type SourceStatement } from '../../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../../../core/base/limits.ts';
import type { Signal } from '../../../core/base/runtime-types.ts';
import type { SignatureList } from '../../../core/block/signature-list.ts';
import type { ValidatorSet } from '../../../core/validators/validator-set.ts';
import type { BlockHeaderFacts, Warning } from '../../../core/verify/report.ts';
import { checkSet } from '../../../core/verify/set-check.ts';
import { verifyBlock } from '../../../core/verify/verifier.ts';
import { effectOf } from '../../../net/machine/outcome.ts';
import { REST_RULES } from '../../../net/machine/standing.ts';
import type { AskOptions, BlockSource } from '../../../net/sources/block-source.ts';
import { crossCheck, type HeaderWitness } from '../../../net/sources/cross-check.ts';
import { failureOf } from '../../../net/sources/failure-hints.ts';
import { firstOf } from '../../../net/sources/first-of.ts';
import { zerostateGuard } from '../../../net/sources/network-guard.ts';
import { noAgreement } from '../../../net/sources/no-agreement.ts';
import { Pool } from '../../../net/sources/pool.ts';
import { isBest, isOfServer } from '../../../net/sources/until-good.ts';
import { type LiveWarning, warningOf } from '../../../net/sources/witness-report.ts';
import { type ToncenterV2, toncenterV2 } from '../../../net/toncenter/toncenter-v2.ts';
import { type ToncenterV3, toncenterV3 } from '../../../net/toncenter/toncenter-v3.ts';
import { withFlagName } from '../input/flag-in-error.ts';
import { allLeftOut, leaveOut } from '../input/leave-out.ts';
import { requireQuorum, type SourcePlan } from '../input/server-options.ts';

/** A v2 server that is held to its network for every question. */
export interface V2Server extends BlockSource, Pick<ToncenterV2, 'header' | 'configParam'> {}

/** The servers of a plan, before any was asked. */
export interface ServersOfPlan {
  readonly v2: readonly V2Server[];
  readonly v3: ToncenterV3 | undefined;
}

function serverOn(network: SourcePlan['network'], v2: BlockSource & ToncenterV2): V2Server {
  if (network === undefined) return v2;
  const { latestSeqno, guarded } = zerostateGuard(network, v2);
  return {
    name: v2.name,
    waitMs: () => v2.waitMs?.() ?? 0,
    latestSeqno,
    signatures: (seqno, opts) => guarded(opts, () => v2.signatures(seqno, opts)),
    header: (seqno, opts) => guarded(opts, () => v2.header(seqno, opts)),
    configParam: (param, seqno, opts) => guarded(opts, () => v2.configParam(param, seqno, opts)),
  };
}

/** Returns how the user can name a server: as messages do, or by its host. */
const namesOf = ({ name }: { readonly name: string }) => [name, new URL(name).host];

/** Leaves servers out. @throws UsageError for an unknown server, and if too few are left */
function withoutLeft({ v2, v3 }: ServersOfPlan, { without, need }: SourcePlan): ServersOfPlan {
  const kept = leaveOut<{ readonly name: string }>(v3 === undefined ? v2 : [...v2, v3], without, namesOf);
  const left = v2.filter((server) => kept.includes(server));
  if (left.length === 0) throw allLeftOut();
  requireQuorum(need, left.length, 'the servers left');
  return { v2: left, v3: v3 && kept.includes(v3) ? v3 : undefined };
}

/** @throws UsageError that names the flag, for servers that cannot be asked */
export function createServers(plan: SourcePlan): ServersOfPlan {
  const { v3 } = plan;
  const v2 = plan.v2.map((opts) => withFlagName('--base-url', () => serverOn(plan.network, toncenterV2(opts))));
  withFlagName('--base-url', () => firstOf(v2)); // rejects a server given twice
  return withoutLeft({ v2, v3: v3 && withFlagName('--v3-url', () => toncenterV3(v3)) }, plan);
}

/** Makes a warning of the answer of one server that others did not confirm, or of its failure. */
export function warningOfStatement({ source, key, error }: SourceStatement): Warning {
  if (error instanceof SourceError) return warningOf(error); // its text begins with the label
  const code = error instanceof FinalityError ? error.code : 'source/disagree';
  const message = error instanceof Error ? `${source}: ${error.message}` : `${source} says otherwise: ${key}`;
  return { code, message };
}

/**
 * Milliseconds that each server has to give a header, without the wait for its turn in its own pace. That wait has a limit of its own,
 * because a server may ask for a rest of an hour.
 */
const HEADER_SHARE_MS = 2_000;

/** Callbacks for headers that are missing or wrong. */
interface HeaderTelling {
  readonly onTrouble: (error: SourceError) => void;
  readonly onWarning: (warning: LiveWarning) => void;
}

/**
 * Asks for the headers of followed blocks: first the server that gave the signatures, then the others. A header is a
 * claim, so a server that has none, or that names a different block, holds no block up. It rests, and the next one is
 * asked. The same holds for a server that names other validators than those whose valid signatures another server gave.
 * @returns a function that gives a header which names the block; `undefined` if no server has one
 */
export function headersOf(
  servers: readonly V2Server[],
  validators: ValidatorSet,
  { onTrouble, onWarning }: HeaderTelling,
) {
  const pool = new Pool(servers, REST_RULES.http);
  const told = new Set<string>();

  function tellContradiction(server: V2Server, error: SourceError): void {
    if (told.has(server.name)) return; // the server may contradict every block from now on
    told.add(server.name);
    const message = `the header of ${server.name} is not that of the signed block: ${error.message}`;
    onWarning({ code: 'contradicted', message, servers: [server.name] });
  }

  return async (signatures: SignatureList, said: string, signal: Signal): Promise<BlockHeaderFacts | undefined> => {
    const isSigned = (requireBoundId: boolean) => isBest(verifyBlock(signatures, validators, { requireBoundId }));
    const awake = pool
      .inOrder('signatures', HEADER_SHARE_MS)
      .filter(({ source, isProbe }) => isProbe || pool.stateOf(source) === 'up');
    const own = awake.filter(({ source }) => source.name === said);
    for (const { source: server } of [...own, ...awake.filter((one) => !own.includes(one))]) {
      const deadlineMs = HEADER_SHARE_MS + Math.min(server.waitMs?.() ?? 0, QUESTION_DEADLINE_MS);
      const askedAtMs = performance.now();
      let failure: SourceError | undefined;
      const witness: HeaderWitness = {
        name: server.name,
        header: (seqno, opts) =>
          server.header(seqno, opts).catch((error: unknown) => {
            if (error instanceof SourceError) failure = error;
            throw error;
          }),
      };
      try {
        const { header } = await crossCheck(signatures.blockId, said, { header: witness }, { signal, deadlineMs });
        if (header !== undefined) {
          const isAgainst = server.name !== said && checkSet(validators, header) === 'mismatch';
          if (isAgainst && isSigned(false)) {
            throw failureOf(server.name, 'source/disagree', 'it names other validators than those that signed');
          }
          pool.answered(server, askedAtMs);
          return header;
        }
        if (failure === undefined) continue;
        onTrouble(failure);
        if (effectOf(failure) !== 'behind') pool.rest(server, failure);
      } catch (error) {
        if (signal.aborted || !(error instanceof SourceError)) throw error;
        // Signatures that prove no block do not show that the header of another server is wrong.
        if (server.name !== said && !isSigned(true)) continue;
        tellContradiction(server, error);
        pool.rest(server, error);
      }
    }
    return undefined;
  };
}

/** Least time in milliseconds for each server, even if the others used all of it. */
const MIN_SHARE_MS = 100;

/**
 * Asks the servers in order. Returns the first answer, the name of its server, and a warning for each that failed before. A time limit
 * covers all servers: each may use its share of the rest.
 */
export async function askInOrder<T>(
  servers: readonly V2Server[],
  ask: (server: V2Server, opts: AskOptions) => Promise<T>,
  warnings: Warning[],
  { deadlineMs }: { readonly deadlineMs?: number | undefined },
): Promise<{ readonly answer: T; readonly source: string }> {
  const failed: (SourceStatement & { readonly error: FinalityError })[] = [];
  const end = performance.now() + (deadlineMs ?? 0);
  for (const [at, server] of servers.entries()) {
    const share = Math.max(MIN_SHARE_MS, (end - performance.now()) / (servers.length - at));
    try {
      const answer = await ask(server, deadlineMs === undefined ? {} : { deadlineMs: share });
      warnings.push(...failed.map(warningOfStatement));
      return { answer, source: server.name };
    } catch (error) {
      if (!isOfServer(error)) throw error;
      failed.push({ source: server.name, error });
    }
  }
  const same = new Set(failed.map(({ error }) => error.message)).size === 1;
  throw same ? failed[0]!.error : noAgreement(`none of ${servers.length} servers gave an answer`, failed);
}
