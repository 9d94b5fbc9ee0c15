/** Asks a server for its head, in a process with an environment of its own: `node build/test/helpers/ask-once.js BASE_URL`. */
import { SourceError } from '../../src/core/base/errors.ts';
import { toncenterV2 } from '../../src/net/toncenter/toncenter-v2.ts';

const source = toncenterV2({ baseUrl: process.argv[2] ?? '', allowHttp: true, retries: 1, deadlineMs: 10_000 });
try {
  process.stdout.write(JSON.stringify({ head: await source.latestSeqno() }));
} catch (error) {
  if (!(error instanceof SourceError)) throw error;
  const { code, message, attempts, hint } = error;
  process.stdout.write(JSON.stringify({ code, message, attempts, hint }));
}
