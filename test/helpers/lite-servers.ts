/** Stand-in lite servers with a client each, which end with the test that started them. */
import { afterEach } from 'vitest';
import { connectLite, type LiteClientOptions, type LiteServerClient } from '../../src/net/lite/client.ts';
import type { LiteChain } from './lite-chain.ts';
import { type LiteAsked, type LiteStandIn, type LiteStandInOptions, startLiteStandIn } from './lite-stand-in.ts';

export interface ServedLite {
  readonly standIn: LiteStandIn;
  readonly client: LiteServerClient;
}

/** Constructors of questions, in hex. */
export const ASKS = { head: 'df71a670', lookup: '1ef7c8fa', proof: '449cea8a' } as const;

/** The seqnos that were looked up, in the order of the questions. */
export function lookedUp({ asked }: LiteStandIn): number[] {
  return asked
    .filter(({ constructorId }) => constructorId === ASKS.lookup)
    .map(({ request }) => request.readUInt32LE(20));
}

/** An honest server's answer, but for one kind of question. */
export function but(
  chain: LiteChain,
  kind: keyof typeof ASKS,
  answer: LiteStandInOptions['answer'],
): LiteStandInOptions['answer'] {
  return (asked: LiteAsked) => (asked.constructorId === ASKS[kind] ? answer(asked) : chain.answer(asked));
}

/** To be called once by a file of tests, outside of all groups. */
export function liteServers() {
  const started: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of started.splice(0).reverse()) await one.close();
  });
  return async function serve(answer: LiteStandInOptions['answer'], opts: LiteClientOptions = {}): Promise<ServedLite> {
    const standIn = await startLiteStandIn({ answer });
    const client = connectLite(standIn.server, opts);
    started.push(standIn, client);
    return { standIn, client };
  };
}
