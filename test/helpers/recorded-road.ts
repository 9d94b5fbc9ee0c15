/** A bridge's questions and what a lite server answered to them, recorded once, to be asked again with a bit of an answer changed. */
import { connectLite, type LiteServerClient } from '../../src/net/lite/client.ts';
import type { RecordedLiteAnswer } from '../../src/net/lite/requester.ts';
import type { LiteServer } from '../../src/net/lite-api/global-config.ts';
import { type LiteStandIn, liteError, startLiteStandIn } from './lite-stand-in.ts';

/** One question of a road; of the same question asked twice the first answer. */
export interface RecordedAnswer {
  readonly operation: string;
  readonly answer: Uint8Array;
}

const WAIT = '92b8eaba';

/** What was asked, but for how long the server may wait with its answer. */
function questionOf(request: Uint8Array): string {
  const hex = Buffer.from(request).toString('hex');
  return hex.startsWith(WAIT) ? hex.slice(24) : hex;
}

/** Takes a road once, and keeps every answer that it heard. */
export async function recordRoad(
  server: LiteServer,
  road: (client: LiteServerClient) => Promise<unknown>,
): Promise<ReadonlyMap<string, RecordedAnswer>> {
  const heard = new Map<string, RecordedAnswer>();
  const onAnswer = ({ operation, request, answer }: RecordedLiteAnswer) => {
    const question = questionOf(request);
    if (!heard.has(question)) heard.set(question, { operation, answer: answer.slice() });
  };
  const client = connectLite(server, { onAnswer });
  try {
    await road(client);
  } finally {
    client.close();
  }
  return heard;
}

/** A server that says again what was recorded, one answer of it changed where a test says so, and nothing else. */
export class ReplayedServer {
  readonly #answers: ReadonlyMap<string, RecordedAnswer>;
  #standIn: LiteStandIn | undefined;
  #client: LiteServerClient | undefined;
  #changed: { readonly question: string; readonly answer: Uint8Array } | undefined;

  constructor(answers: ReadonlyMap<string, RecordedAnswer>) {
    this.#answers = answers;
  }

  async start(): Promise<void> {
    this.#standIn = await startLiteStandIn({
      answer: ({ request }) => {
        const question = questionOf(request);
        if (this.#changed?.question === question) return this.#changed.answer;
        return this.#answers.get(question)?.answer ?? liteError(-400, 'not recorded');
      },
    });
  }

  /** Takes a road on which the answer to one question is another. */
  async take<T>(
    road: (client: LiteServerClient) => Promise<T>,
    changed?: { readonly question: string; readonly answer: Uint8Array },
  ): Promise<T> {
    this.#changed = changed;
    this.#client ??= connectLite(this.#standIn!.server, { retries: 0, timeoutMs: 60_000 });
    return await road(this.#client);
  }

  async close(): Promise<void> {
    this.#client?.close();
    await this.#standIn?.close();
  }
}
