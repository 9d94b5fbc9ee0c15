/** Runs in the page: the http entry. */
import { SourceError } from '../../src/core/base/errors.ts';
import { toncenterV2 } from '../../src/servers.ts';

/** The head of a server, or what the failure says. */
async function head(baseUrl: string) {
  const source = toncenterV2({ baseUrl, retries: 0, requestsPerSecond: Number.POSITIVE_INFINITY });
  try {
    return { head: await source.latestSeqno() };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { code, hint } = error;
    return { code, hint };
  }
}

const program = { head };
export type HttpProgram = typeof program;
Object.assign(globalThis, { program });
