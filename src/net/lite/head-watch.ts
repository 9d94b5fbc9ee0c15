/** Asks all servers of a follower for their heads, again and again. The heads are claims. */
import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type HeadsEvent, type HeadsState, startHeads, stepHeads } from '../machine/heads.ts';
import { effectOf } from '../machine/outcome.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { LiteServerClient } from './client.ts';
import type { Fleet } from './fleet.ts';
import { askHead, type ServerHead } from './heads.ts';

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
