/** Asks all servers of a follower for their heads, again and again. The heads are claims. */
import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type HeadsEvent, type HeadsState, startHeads, stepHeads } from '../machine/heads.ts';
import { effectOf } from '../machine/outcome.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { LiteServerClient } from './client.ts';
import type { Fleet } from './fleet.ts';
import { askHead, type ServerHead } from './heads.ts';

export class HeadWatch {
  readonly #fleet: Fleet;
  readonly #signal: Signal;
  readonly #clock: () => number;
  readonly #heads = new Map<LiteServerClient, ServerHead>();
  readonly #failures = new Map<LiteServerClient, SourceStatement>();
  #state: HeadsState<LiteServerClient> = startHeads();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #give: (servers: readonly LiteServerClient[]) => void = () => {};
  #fault: { readonly error: unknown } | undefined;

  constructor(fleet: Fleet, signal: Signal, clock: () => number) {
    this.#fleet = fleet;
    this.#signal = signal;
    this.#clock = clock;
  }

  #apply(event: HeadsEvent<LiteServerClient>, deadlineMs: number): void {
    const [state, actions] = stepHeads(this.#state, event);
    this.#state = state;
    for (const action of actions) {
      if (action.kind === 'ask') void this.#ask(action.server, deadlineMs);
      else if (action.kind === 'wake') {
        clearTimeout(this.#timer); // of a look whose result is not needed any more
        this.#timer = setTimeout(() => this.#apply({ kind: 'woken' }, deadlineMs), action.ms);
      } else {
        clearTimeout(this.#timer);
        this.#give(action.servers);
      }
    }
  }

  /**
   * Asks one server. The question does not affect its standing, because a claimed head says nothing about other
   * answers.
   */
  async #ask(server: LiteServerClient, deadlineMs: number): Promise<void> {
    const question = { deadlineMs, retries: 0, signal: this.#signal };
    let kind: 'answered' | 'failed' = 'answered';
    try {
      const head = () => this.#fleet.query(server, (one) => one.masterchainInfo(question));
      this.#heads.set(server, await askHead(server, this.#clock, head));
      this.#failures.delete(server);
    } catch (error) {
      kind = 'failed';
      if (error instanceof SourceError) {
        if (effectOf(error) === 'out') this.#fleet.expel(server, error);
        this.#failures.set(server, { source: server.name, error });
      } else this.#fault ??= { error };
    }
    this.#apply({ kind, server, nowMs: performance.now() }, deadlineMs);
  }

  /**
   * Asks all servers that are not out at the same time, and waits for some of them. @throws SourceError when none
   * answers
   */
  async look(deadlineMs: number): Promise<readonly ServerHead[]> {
    const servers = await new Promise<readonly LiteServerClient[]>((resolve) => {
      this.#give = resolve;
      this.#apply({ kind: 'look', servers: this.#fleet.kept(), nowMs: performance.now() }, deadlineMs);
    });
    if (this.#fault !== undefined) throw this.#fault.error;
    if (this.#signal.aborted) throw new SourceError('source/aborted', 'stopped by the caller');
    // it has answered
    const heads = servers.filter((one) => this.#fleet.isKept(one)).map((one) => this.#heads.get(one)!);
    if (heads.length === 0) throw noAgreement('no lite server answers', [...this.#failures.values()]);
    return heads;
  }
}
