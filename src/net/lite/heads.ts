/** Asks servers for their heads and their clocks, and picks the blocks to prove. Nothing here is proven. */

import { equalBytes } from '../../core/base/bytes.ts';
import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { CONNECT_TIMEOUT_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import type { ClaimedHead } from '../lite-api/read-answers.ts';
import { clocksAgainst, type HeadsEvent, type HeadsState, startHeads, stepHeads } from '../machine/heads.ts';
import { effectOf } from '../machine/outcome.ts';
import { failureOf, liteHint } from '../sources/failure-hints.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { LiteServerClient } from './client.ts';
import { requireServerFault } from './climb.ts';
import type { Fleet } from './fleet.ts';

export interface ServerHead {
  readonly client: LiteServerClient;
  readonly head: ClaimedHead;
  /** This machine's time in Unix seconds when the server was asked, and when its answer had come. */
  readonly heldAgainst: readonly [asked: number, answered: number];
}

/** Asks a server for its head. @param clock returns this machine's time in Unix seconds */
export async function askHead(
  client: LiteServerClient,
  clock: () => number,
  question: () => Promise<{ readonly claimed: ClaimedHead }>,
): Promise<ServerHead> {
  const asked = clock();
  const { claimed: head } = await question();
  return { client, head, heldAgainst: [asked, clock()] };
}

/** Milliseconds in which a server that rests has to answer: it may be the only one that knows the newest block. */
const RESTING_DEADLINE_MS = 1_000;

/**
 * Asks all servers at once. Servers on a different network are out, servers without an answer rest. @throws SourceError
 * when none answers
 */
export async function askHeads(
  fleet: Fleet,
  signal: Signal | undefined,
  clock: () => number,
): Promise<readonly ServerHead[]> {
  const deadline = { deadlineMs: CONNECT_TIMEOUT_MS, retries: 1, ...present({ signal }) };
  const briefly = { deadlineMs: RESTING_DEADLINE_MS, retries: 0, ...present({ signal }) };
  const awake = new Set(fleet.usable());
  const failures: SourceStatement[] = [];
  const heads = await Promise.all(
    fleet.kept().map(async (client): Promise<ServerHead | undefined> => {
      const question = awake.has(client)
        ? () => fleet.ask(client, (one) => one.masterchainInfo(deadline))
        : () => fleet.query(client, (one) => one.masterchainInfo(briefly));
      try {
        return await askHead(client, clock, question);
      } catch (error) {
        requireServerFault(error);
        failures.push({ source: client.name, error });
        return undefined;
      }
    }),
  );
  const answered = heads.filter((head) => head !== undefined);
  if (answered.length === 0) throw noAgreement('no lite server answers', failures);
  return answered;
}

/**
 * Makes a function that asks all servers that are not out at the same time, and waits for some of them. It throws a
 * SourceError when none answers.
 */
export function watchHeads(fleet: Fleet, signal: Signal, clock: () => number) {
  const heads = new Map<LiteServerClient, ServerHead>();
  const failures = new Map<LiteServerClient, SourceStatement>();
  let state: HeadsState<LiteServerClient> = startHeads();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let give: (servers: readonly LiteServerClient[]) => void = () => {};
  let fault: { readonly error: unknown } | undefined;

  function apply(event: HeadsEvent<LiteServerClient>, deadlineMs: number): void {
    const [after, actions] = stepHeads(state, event);
    state = after;
    for (const action of actions) {
      if (action.kind === 'ask') void ask(action.server, deadlineMs);
      else if (action.kind === 'wake') {
        clearTimeout(timer); // of a look whose result is not needed any more
        timer = setTimeout(() => apply({ kind: 'woken' }, deadlineMs), action.ms);
      } else {
        clearTimeout(timer);
        give(action.servers);
      }
    }
  }

  /**
   * Asks one server. The question does not affect its standing, because a claimed head says nothing about other
   * answers.
   */
  async function ask(server: LiteServerClient, deadlineMs: number): Promise<void> {
    const question = { deadlineMs, retries: 0, signal };
    let kind: 'answered' | 'failed' = 'answered';
    try {
      const head = () => fleet.query(server, (one) => one.masterchainInfo(question));
      heads.set(server, await askHead(server, clock, head));
      failures.delete(server);
    } catch (error) {
      kind = 'failed';
      if (error instanceof SourceError) {
        if (effectOf(error) === 'out') fleet.expel(server, error);
        failures.set(server, { source: server.name, error });
      } else fault ??= { error };
    }
    apply({ kind, server, nowMs: performance.now() }, deadlineMs);
  }

  return async function look(deadlineMs: number): Promise<readonly ServerHead[]> {
    const servers = await new Promise<readonly LiteServerClient[]>((resolve) => {
      give = resolve;
      apply({ kind: 'look', servers: fleet.kept(), nowMs: performance.now() }, deadlineMs);
    });
    if (fault !== undefined) throw fault.error;
    if (signal.aborted) throw new SourceError('source/aborted', 'stopped by the caller');
    // it has answered
    const given = servers.filter((one) => fleet.isKept(one)).map((one) => heads.get(one)!);
    if (given.length === 0) throw noAgreement('no lite server answers', [...failures.values()]);
    return given;
  };
}

/**
 * Checks this machine's clock. The last argument is the server that just proved a block, with the time of that block.
 * @throws SourceError `source/clock`, see `clocksAgainst`
 */
export function requireClock(...args: Parameters<typeof clocksAgainst<LiteServerClient>>): void {
  const said = clocksAgainst(...args);
  if (said === undefined) return;
  throw clockError(`this machine's clock says ${said.own}, the servers' ${said.theirs.join(', ')}`);
}

/** Whether a server claims a different network than the one of the trusted start, as far as its zerostate is known. */
function isOfOther(root: BlockIdExt, { zerostate }: ClaimedHead): boolean {
  const isSame = (['rootHash', 'fileHash'] as const).every((name) => equalBytes(root[name], zerostate[name]));
  return root.seqno === 0 && !isSame;
}

/** Returns the error for a server on a different network. @param name of the server */
function otherNetwork(name: string): SourceError {
  return failureOf(name, 'source/wrong-network', 'its zerostate differs from the one of the checkpoint', {
    hint: 'use servers of its network, or pin both hashes again',
  });
}

/**
 * Puts out servers that claim to be on a different network. Rule R11 of live verification.
 * @param root the zerostate of the trusted start, or the block that trust began at
 * @throws SourceError where all that answered are
 */
export function ofNetwork(fleet: Fleet, root: BlockIdExt, heads: readonly ServerHead[]): readonly ServerHead[] {
  const others = heads.filter(({ head }) => isOfOther(root, head));
  for (const { client } of others) fleet.expel(client, otherNetwork(client.name));
  if (others.length === heads.length) throw noAgreement('no lite server is of the network', fleet.statements());
  return heads.filter((one) => !others.includes(one));
}

/** Returns the error for a proven block that was made after this machine's time. */
export function madeAhead(block: string, genUtime: number, ownSeconds: number): SourceError {
  return clockError(`${block} was made at ${genUtime}, this machine's clock says ${Math.round(ownSeconds)}`);
}

function clockError(message: string): SourceError {
  return new SourceError('source/clock', message, { hint: liteHint('source/clock')! }); // this code has a hint
}
