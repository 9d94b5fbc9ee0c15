/** Opens the servers that a command line names, each held to its network, and asks them one after the other. */

import { FinalityError, SourceError, type SourceStatement, UsageError } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import type { Warning } from '../../core/verify/report.ts';
import type { AskOptions, BlockSource } from '../../net/sources/block-source.ts';
import { firstOf } from '../../net/sources/first-of.ts';
import { zerostateGuard } from '../../net/sources/network-guard.ts';
import { noAgreement } from '../../net/sources/no-agreement.ts';
import type { ServerObservers } from '../../net/sources/server-events.ts';
import { type ToncenterV2, toncenterV2 } from '../../net/toncenter/toncenter-v2.ts';
import { type ToncenterV3, toncenterV3 } from '../../net/toncenter/toncenter-v3.ts';
import { withFlagName } from './input/error-with-flag.ts';
import type { SourcePlan } from './input/server-options.ts';

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
    latestSeqno,
    signatures: (seqno, opts) => guarded(opts, () => v2.signatures(seqno, opts)),
    header: (seqno, opts) => guarded(opts, () => v2.header(seqno, opts)),
    configParam: (param, seqno, opts) => guarded(opts, () => v2.configParam(param, seqno, opts)),
  };
}

/** Returns the servers without those to leave out. @throws UsageError for an unknown server, and when none is left */
function without(servers: ServersOfPlan, left: readonly string[], need: number | undefined): ServersOfPlan {
  const isNamed = ({ name }: { readonly name: string }, one: string) => name === one || new URL(name).host === one;
  const all = servers.v3 === undefined ? servers.v2 : [...servers.v2, servers.v3];
  const fail = (message: string, path = '--without') => new UsageError('usage/bad-option', message, { path });
  for (const one of left) {
    if (all.some((server) => isNamed(server, one))) continue;
    throw fail(
      `expected a configured server, got ${JSON.stringify(one.slice(0, 80))}: pass its host, or the URL as messages name it`,
    );
  }
  const isKept = (server: { readonly name: string }) => !left.some((one) => isNamed(server, one));
  const v2 = servers.v2.filter(isKept);
  if (v2.length === 0) throw fail('no server is left');
  if (need !== undefined && need > v2.length) throw fail(`expected 1 to ${v2.length}, the servers left`, '--quorum');
  return { v2, v3: servers.v3 && isKept(servers.v3) ? servers.v3 : undefined };
}

/** @throws UsageError that names the flag, for servers that cannot be asked */
export function createServers(plan: SourcePlan, { onServer }: ServerObservers = {}): ServersOfPlan {
  const observers = present({ onServer });
  const v2 = plan.v2.map((opts) =>
    withFlagName('--base-url', () => serverOn(plan.network, toncenterV2({ ...opts, ...observers }))),
  );
  const { v3 } = plan;
  withFlagName('--base-url', () => firstOf(v2)); // rejects a server given twice
  const all = { v2, v3: v3 && withFlagName('--v3-url', () => toncenterV3({ ...v3, ...observers })) };
  return without(all, plan.without, plan.need);
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
  { deadlineMs }: Pick<AskOptions, 'deadlineMs'> | { readonly deadlineMs: number | undefined },
): Promise<{ readonly answer: T; readonly source: string }> {
  const failed: (SourceStatement & { readonly error: FinalityError })[] = [];
  const end = performance.now() + (deadlineMs ?? 0);
  for (const [at, server] of servers.entries()) {
    const share = Math.max(MIN_SHARE_MS, (end - performance.now()) / (servers.length - at));
    try {
      const answer = await ask(server, deadlineMs === undefined ? {} : { deadlineMs: share });
      warnings.push(
        ...failed.map(({ source, error }) => ({
          code: error.code,
          message: (error instanceof SourceError ? '' : `${source}: `) + error.message,
        })),
      );
      return { answer, source: server.name };
    } catch (error) {
      if (!(error instanceof FinalityError) || error instanceof UsageError) throw error;
      failed.push({ source: server.name, error });
    }
  }
  const same = new Set(failed.map(({ error }) => error.message)).size === 1;
  throw same ? failed[0]!.error : noAgreement(`none of ${servers.length} servers gave an answer`, failed);
}
