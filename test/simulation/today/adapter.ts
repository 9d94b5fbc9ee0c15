/** Today's functions, put behind the port of a world. */

import { encodeHex } from '../../../src/base/bytes.ts';
import { FinalityError, SourceError } from '../../../src/base/errors.ts';
import type { Checkpoint } from '../../../src/chain/checkpoint.ts';
import { type BlockIdExt, differingField } from '../../../src/decode/block-id.ts';
import { sleep } from '../../../src/net/async/timer.ts';
import { connectLite, type LiteServerClient } from '../../../src/net/lite/client.ts';
import { type ForkProof, verifyForkEvidence } from '../../../src/net/lite/evidence.ts';
import { followHead } from '../../../src/net/lite/follow.ts';
import { proveBlock } from '../../../src/net/lite/prove.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import type { SyncOptions } from '../../../src/net/lite/sync-options.ts';
import type { SyncResult } from '../../../src/net/lite/sync-result.ts';
import { ForkError } from '../../../src/net/lite/witnesses.ts';
import type { Command, Given, Kept, Port, Running, Subject } from '../port.ts';
import { checkpointOf, configOf, engine, parsePartialBlockProof } from './chain-model.ts';
import { FIRST_PORT } from './connection.ts';
import { forgetTokens, host } from './host.ts';

/** What a consumer throws. */
class ConsumerFault extends Error {}

const keptOf = (checkpoint: Checkpoint, more: Pick<Kept, 'after'> = {}): Kept => ({
  keyBlock: configOf(checkpoint),
  anchor: checkpoint.anchor,
  whole: checkpoint,
  ...more,
});
const checkpointFrom = ({ whole }: Kept): Checkpoint => whole as Checkpoint; // as it was put there

/** The library's client of each server; a close by the library while a command runs puts the server out. */
function clientsOf({ servers, zerostate, knowsNetwork }: Given, port: Port, isOver: () => boolean): LiteServerClient[] {
  return servers.map((index) => {
    const publicKey = new Uint8Array(32).fill(index + 1);
    const client = connectLite(
      { host: `10.0.${index}.1`, port: FIRST_PORT + index, publicKey },
      knowsNetwork ? { network: zerostate } : {},
    );
    return {
      ...client,
      close() {
        if (!isOver()) port.report({ what: 'out', server: index });
        client.close();
      },
    };
  });
}

function serverOf(source: string): number {
  return Number(/:(\d+)\//.exec(source)?.[1]) - FIRST_PORT;
}

function tellWitnesses({ witnesses }: SyncResult, port: Port): void {
  for (const { source, error } of witnesses.refuted) {
    port.report({
      what: 'refuted',
      server: serverOf(source),
      why: error instanceof SourceError ? error.code : 'no error',
    });
  }
}

/** Each answer behind the one that it goes on from; what was left for it goes. */
function keepAnswer(answers: Uint8Array[], answer: Uint8Array, start: BlockIdExt): void {
  const { from } = parsePartialBlockProof(answer);
  const isAnew = differingField(from, start) === undefined;
  const at = answers.findIndex((one) => differingField(parsePartialBlockProof(one).to, from) === undefined) + 1;
  if (at > 0 || isAnew) answers.splice(isAnew ? 0 : at, answers.length, answer);
}

/** What `sync` does around the library. */
async function sync(clients: LiteServerClient[], given: Given, opts: SyncOptions, port: Port): Promise<void> {
  const kept = port.read('checkpoint');
  const start = kept === undefined ? given.root : kept.keyBlock;
  const from: Checkpoint | BlockIdExt =
    kept !== undefined ? checkpointFrom(kept) : given.isPinned ? start.id : checkpointOf(start, start.id);
  const partial = ((port.read('partial')?.answers ?? []) as readonly Uint8Array[]).slice(); // written below
  const result = await syncCheckpoint(clients, from, {
    ...opts,
    resume: partial,
    onProgress({ checkpoint, answer }) {
      keepAnswer(partial, answer, start.id);
      port.write('partial', { ...keptOf(checkpoint), answers: [...partial] });
    },
  });
  tellWitnesses(result, port);
  const { verdict, tip, report, checkpoint } = result;
  if (verdict.status === 'final' || verdict.reason === 'stale-head') {
    port.write('checkpoint', keptOf(checkpoint));
    port.write('partial', undefined);
  }
  if (verdict.status === 'final') {
    const how = report === undefined ? 'start' : 'signatures';
    port.report({ what: 'final', id: tip, how, warnings: report?.warnings ?? [] });
  } else port.report({ what: 'undecided', reason: verdict.reason, id: tip });
}

function checkpointGiven(given: Given, port: Port): Checkpoint {
  const kept = port.read('checkpoint');
  return kept === undefined ? checkpointOf(given.root, given.root.id) : checkpointFrom(kept);
}

/** What `verify` does around the library: a block, the head, or one that a head lists. */
async function verify(
  clients: LiteServerClient[],
  given: Given,
  { seqno }: Command,
  opts: SyncOptions,
  port: Port,
): Promise<void> {
  const start = checkpointGiven(given, port);
  const asked = seqno === undefined ? {} : { asked: seqno };
  const isOld = seqno !== undefined && seqno <= start.keyBlock.seqno;
  const result = await syncCheckpoint(clients, start, seqno === undefined || isOld ? opts : { ...opts, to: seqno });
  tellWitnesses(result, port);
  const { verdict, tip, signatures, report } = result;
  if (verdict.status === 'undecided' && (isOld ? verdict.reason !== 'stale-head' : true)) {
    port.report({ what: 'undecided', reason: verdict.reason, id: tip });
    return;
  }
  if (isOld) {
    const proof = await proveBlock(clients, result, seqno, opts.signal === undefined ? {} : { signal: opts.signal });
    port.report({ what: 'final', id: proof.blockId, ...asked, how: 'ancestor', warnings: report?.warnings ?? [] });
    return;
  }
  if (signatures === undefined) {
    port.report({ what: 'undecided', reason: 'nothing to prove', id: tip });
    return;
  }
  port.report({ what: 'final', id: tip, ...asked, how: 'signatures', warnings: report?.warnings ?? [] });
}

/** What `follow` does around the library: a block is noted once its consumer has it. */
async function follow(
  clients: LiteServerClient[],
  given: Given,
  command: Command,
  opts: SyncOptions,
  port: Port,
): Promise<void> {
  const { signEverySeconds = 5, consumerMs = 0, throwsAt } = command;
  const state = port.read('state');
  const start = state === undefined ? checkpointGiven(given, port) : checkpointFrom(state);
  let count = 0;
  const blocks = followHead(clients, start, {
    signEverySeconds,
    engine,
    acceptStaleStart: command.acceptStaleStart,
    ...(opts.signal === undefined ? {} : { signal: opts.signal }),
    ...(state?.after === undefined ? {} : { after: state.after }),
    onTrouble: ({ code, message }) => port.report({ what: 'trouble', code, message }),
    onStall: ({ code }) => port.report({ what: 'stall', code }),
  });
  for await (const { header, provenBy, report, checkpoint } of blocks) {
    const id = header.blockId!; // every header that is handed out has one
    if (count++ === throwsAt) throw new ConsumerFault('the consumer threw');
    if (report.verdict.status === 'final') port.report({ what: 'final', id, how: provenBy, warnings: report.warnings });
    else
      port.report({
        what: 'undecided',
        reason: 'reason' in report.verdict ? report.verdict.reason : report.verdict.status,
        id,
      });
    if (consumerMs > 0) await sleep(consumerMs, opts.signal).catch(() => {});
    port.write('state', keptOf(checkpoint, { after: id }));
  }
}

function tellFailure(error: unknown, port: Port): void {
  if (error instanceof ConsumerFault) return;
  if (!(error instanceof FinalityError)) {
    const message = error instanceof Error ? (error.stack ?? error.message).slice(0, 400) : String(error);
    port.report({ what: 'failed', code: 'raw', message, isTyped: false });
    return;
  }
  const { code, message } = error;
  if (!(error instanceof ForkError)) {
    port.report({ what: 'failed', code, message, isTyped: true });
    return;
  }
  let proof: ForkProof | undefined;
  try {
    proof = verifyForkEvidence(error.evidence);
  } catch {
    // evidence that proves nothing names nobody
  }
  port.report({
    what: 'failed',
    code,
    message,
    isTyped: true,
    signers: proof?.signedBoth.map((id) => encodeHex(id)) ?? [],
  });
}

async function run(command: Command, given: Given, port: Port, signal: AbortSignal): Promise<void> {
  let isOver = false;
  const clients = clientsOf(given, port, () => isOver);
  const { name, witnesses, acceptStaleStart } = command;
  const opts: SyncOptions = { witnesses, acceptStaleStart, engine, signal };
  try {
    if (name === 'sync') await sync(clients, given, opts, port);
    else if (name === 'follow') await follow(clients, given, command, opts, port);
    else await verify(clients, given, command, opts, port);
  } catch (error) {
    tellFailure(error, port);
  } finally {
    isOver = true;
    for (const client of clients) client.close();
  }
  port.report({ what: 'done' });
}

export const subject: Subject & { forget(): void } = {
  start(command, given, port): Running {
    host.port = port;
    const stop = new AbortController();
    void run(command, given, port, stop.signal);
    return { abort: () => stop.abort() };
  },
  forget: forgetTokens,
};
