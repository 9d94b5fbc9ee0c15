/** The page's side of the worker: made of the page's own script, stopped and started again when the user says so. */
import type { EngineNews, Outcome, Progress, Reply, Request, Trouble } from './protocol.ts';
import { troubleOf } from './trouble.ts';
import { announceEngine, serve } from './work.ts';

interface Waiting {
  readonly request: Request;
  readonly tell: (progress: Progress) => void;
  readonly settle: (outcome: Outcome) => void;
}

export class Runner {
  readonly #script: string;
  readonly #onEngine: (engine: EngineNews) => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #isReady = false;
  #next = 1;

  /**
   * @param script the text of the page's script, which works as a worker where there is no document
   * @param onEngine receives the engine that checks signatures here
   */
  constructor(script: string, onEngine: (engine: EngineNews) => void) {
    this.#script = script;
    this.#onEngine = onEngine;
    this.#start();
  }

  #start(): void {
    this.#isReady = false;
    try {
      const url = URL.createObjectURL(new Blob([this.#script], { type: 'text/javascript' }));
      const worker = new Worker(url);
      worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
        if (data.type === 'ready') URL.revokeObjectURL(url);
        this.#take(data);
      });
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        this.#lose(worker, event.message);
      });
      this.#worker = worker;
    } catch {
      this.#workHere();
    }
  }

  /** Works in the page where the browser rejects workers; the page does not respond meanwhile. */
  #workHere(): void {
    this.#worker = undefined;
    void announceEngine((reply) => this.#take(reply));
    for (const [id, { request }] of this.#waiting) void serve(id, request, (reply) => this.#take(reply));
  }

  #lose(worker: Worker, why: string): void {
    if (worker !== this.#worker) return;
    worker.terminate();
    if (this.#isReady) {
      this.#endAll(troubleOf(new Error(why || 'the worker has ended')));
      this.#start();
    } else this.#workHere();
  }

  #endAll(trouble: Trouble): void {
    for (const { settle } of this.#waiting.values()) settle({ trouble });
    this.#waiting.clear();
  }

  #take(reply: Reply): void {
    if (reply.type === 'ready') this.#isReady = true;
    else if (reply.type === 'engine') this.#onEngine(reply.engine);
    else {
      const waiting = this.#waiting.get(reply.id);
      if (waiting === undefined) return;
      if (reply.type === 'progress') {
        waiting.tell(reply.progress);
        return;
      }
      this.#waiting.delete(reply.id);
      waiting.settle(reply.type === 'answer' ? { answer: reply.answer } : { trouble: reply.trouble });
    }
  }

  /** Never throws. */
  ask(request: Request, tell: Waiting['tell']): Promise<Outcome> {
    return new Promise((settle) => {
      const id = this.#next++;
      this.#waiting.set(id, { request, tell, settle });
      if (this.#worker !== undefined) this.#worker.postMessage({ id, request });
      else void serve(id, request, (reply) => this.#take(reply));
    });
  }

  /** Gives up everything that is under way. */
  stop(trouble: Trouble): void {
    this.#endAll(trouble);
    if (this.#worker === undefined) return;
    this.#worker.terminate();
    this.#start();
  }
}
