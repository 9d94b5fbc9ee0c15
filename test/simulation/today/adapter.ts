/** Today's functions, put behind the port of a world, with the files that the commands keep. */

import { notOnTheWay, placeOf } from '../../../src/app/cli/follow/follow-place.ts';
import { openFollowState } from '../../../src/app/cli/follow/follow-state.ts';
import { sayWhileWaiting, type Waiting } from '../../../src/app/cli/output/say-while-waiting.ts';
import { SyncPartial } from '../../../src/app/cli/servers/sync-partial.ts';
import { readFoundFile } from '../../../src/app/files/found-file.ts';
import { lockFile } from '../../../src/app/files/lock-file.ts';
import { writeFileAtomically } from '../../../src/app/files/write-file.ts';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { FinalityError, SourceError } from '../../../src/core/base/errors.ts';
import { present } from '../../../src/core/base/present.ts';
import type { Signal } from '../../../src/core/base/runtime-types.ts';
import { type BlockIdExt, differingField, formatBlockId, parseBlockId } from '../../../src/core/block/block-id.ts';
import type { Checkpoint } from '../../../src/core/chain/checkpoint.ts';
import { sleep } from '../../../src/net/async/timer.ts';
import { connectLite, type LiteServerClient } from '../../../src/net/lite/client.ts';
import { isBrokenProof } from '../../../src/net/lite/climb.ts';
import { followLite } from '../../../src/net/lite/follow-lite.ts';
import { type ForkProof, verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { proveOlderBlock } from '../../../src/net/lite/prove.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import type { SyncOptions } from '../../../src/net/lite/sync-options.ts';
import type { SyncResult } from '../../../src/net/lite/sync-result.ts';
import { ForkError } from '../../../src/net/lite/witnesses.ts';
import type { Command, FileName, Given, Kept, Port, Running, Subject } from '../port.ts';
import { checkpointOf, checkpointToJson, configOf, engine, parseCheckpoint } from './chain-model.ts';
import { FIRST_PORT } from './connection.ts';
import { forgetTokens, host } from './host.ts';

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** What a consumer throws. */
class ConsumerFault extends Error {}

const CHECKPOINT = '/world/checkpoint';
const STATE = '/world/state';
const MAX_BYTES = 16 << 20;

/** The library's client of each server; a close by the library while a command runs puts the server out. */
function clientsOf(
  { servers, zerostate, knowsNetwork }: Given,
  port: Port,
  { onServer }: Waiting,
  isOver: () => boolean,
): LiteServerClient[] {
  return servers.map((index) => {
    const publicKey = new Uint8Array(32).fill(index + 1);
    const client = connectLite(
      { host: `10.0.${index}.1`, port: FIRST_PORT + index, publicKey },
      knowsNetwork ? { network: zerostate, onServer } : { onServer },
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

/** The checkpoint that an earlier command wrote, or that of the block that the user pinned. */
function checkpointGiven(given: Given): Checkpoint {
  const bytes = readFoundFile(CHECKPOINT, MAX_BYTES);
  return bytes === undefined ? checkpointOf(given.root, given.root.id) : parseCheckpoint(JSON.parse(textOf(bytes)));
}

/** What `sync` does around the library. */
async function sync(clients: LiteServerClient[], given: Given, opts: SyncOptions, around: Around): Promise<void> {
  const lock = await lockFile(CHECKPOINT);
  let partial: SyncPartial | undefined;
  try {
    const isFirst = readFoundFile(CHECKPOINT, MAX_BYTES) === undefined;
    const start = isFirst && given.isPinned ? given.root.id : checkpointGiven(given);
    const kept = new SyncPartial(`${CHECKPOINT}.partial`, 'keyBlock' in start ? start.keyBlock : start);
    partial = kept;
    let hasMoved = false;
    const go = () =>
      syncCheckpoint(clients, start, {
        ...opts,
        resume: kept.answers,
        onProgress({ answer, tip, target }) {
          around.waiting.proved(tip.seqno, target.seqno);
          hasMoved = true;
          lock.requireHeld();
          try {
            kept.add(answer);
          } catch {
            // what cannot be kept now may be kept by the next answer
          }
        },
      });
    const result = await go().catch(async (error: unknown) => {
      if (hasMoved || kept.end === undefined || !isBrokenProof(error)) throw error;
      kept.forget();
      return await go();
    });
    around.waiting.end();
    tellWitnesses(result, around.port);
    const { verdict, tip, report, warnings, checkpoint } = result;
    if (verdict.status === 'final' || verdict.reason === 'stale-head') {
      lock.requireHeld();
      writeFileAtomically(CHECKPOINT, `${JSON.stringify(checkpointToJson(checkpoint), null, 2)}\n`);
      kept.remove();
    }
    if (verdict.status === 'final') {
      const how = report === undefined ? 'start' : 'signatures';
      around.port.report({ what: 'final', id: tip, how, warnings: [...warnings, ...(report?.warnings ?? [])] });
    } else around.port.report({ what: 'undecided', reason: verdict.reason, id: tip });
  } finally {
    partial?.close();
    lock.release();
  }
}

/** What `verify` does around the library: a block, the head, or one that a head lists. */
async function verify(
  clients: LiteServerClient[],
  given: Given,
  { seqno }: Command,
  opts: SyncOptions,
  { port }: Around,
): Promise<void> {
  const start = checkpointGiven(given);
  const asked = seqno === undefined ? {} : { asked: seqno };
  const isOld = seqno !== undefined && seqno <= start.keyBlock.seqno;
  const result = await syncCheckpoint(clients, start, seqno === undefined || isOld ? opts : { ...opts, to: seqno });
  tellWitnesses(result, port);
  const { verdict, tip, signatures, report } = result;
  const warnings = [...result.warnings, ...(report?.warnings ?? [])];
  if (verdict.status === 'undecided' && (isOld ? verdict.reason !== 'stale-head' : true)) {
    port.report({ what: 'undecided', reason: verdict.reason, id: tip });
    return;
  }
  if (isOld) {
    const proof = await proveOlderBlock(
      clients,
      result,
      seqno,
      opts.signal === undefined ? {} : { signal: opts.signal },
    );
    port.report({ what: 'final', id: proof.blockId, ...asked, how: 'ancestor', warnings });
    return;
  }
  if (signatures === undefined) {
    port.report({ what: 'undecided', reason: 'nothing to prove', id: tip });
    return;
  }
  port.report({ what: 'final', id: tip, ...asked, how: 'signatures', warnings });
}

/** A state is of use only where its key block comes after that of the checkpoint. */
async function requireOnTheWay(clients: LiteServerClient[], start: Checkpoint, keyBlock: BlockIdExt): Promise<void> {
  const { tip } = await syncCheckpoint(clients, start, { to: keyBlock.seqno, acceptStaleStart: true, engine });
  if (differingField(tip, keyBlock) !== undefined) throw notOnTheWay(keyBlock, start);
}

/** What `follow` does around the library: a block is noted once its consumer has it. */
async function follow(
  clients: LiteServerClient[],
  given: Given,
  command: Command,
  { signal, witnesses, strict }: SyncOptions,
  { port }: Around,
): Promise<void> {
  const { signEverySeconds = 5, consumerMs = 0, throwsAt, acceptStaleStart } = command;
  const start = checkpointGiven(given);
  const begun = formatBlockId(start.keyBlock);
  const trust = { checkpoint: start, start: begun };
  const file = command.hasState === true ? STATE : undefined;
  const state = await openFollowState(file, { trust, sync: command.isSynced });
  let count = 0;
  try {
    const { checkpoint, unproven, ...place } = placeOf(state.kept, start, undefined);
    if (unproven !== undefined) await requireOnTheWay(clients, start, unproven);
    const blocks = followLite(clients, checkpoint, {
      ...place,
      ...present({ witnesses, strict, signal }),
      signEverySeconds,
      engine,
      acceptStaleStart,
      onTrouble: ({ code, message }) => port.report({ what: 'trouble', code, message }),
      onStall: ({ code }) => port.report({ what: 'stall', code }),
      onWarning: ({ code, message }) => port.report({ what: 'trouble', code, message }),
    });
    for await (const { header, provenBy, report, checkpoint: moved } of blocks) {
      const id = header.blockId!; // every header that is handed out has one
      state.begin(id.seqno);
      state.beforeNext();
      if (count++ === throwsAt) throw new ConsumerFault('the consumer threw');
      const { verdict } = report;
      if (verdict.status === 'final') port.report({ what: 'final', id, how: provenBy, warnings: report.warnings });
      else port.report({ what: 'undecided', reason: 'reason' in verdict ? verdict.reason : verdict.status, id });
      if (consumerMs > 0) await sleep(consumerMs, signal).catch(() => {});
      port.report({ what: 'taken' });
      state.note({ after: id, checkpoint: moved, start: begun });
    }
    state.keep();
  } catch (error) {
    try {
      state.keep();
    } catch {
      // the error that ended the run says more
    }
    throw error;
  } finally {
    state.close();
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

/** What every command has around the library. */
interface Around {
  readonly port: Port;
  readonly waiting: Waiting;
}

async function run(command: Command, given: Given, port: Port, signal: Signal): Promise<void> {
  let isOver = false;
  const { name, witnesses, acceptStaleStart, strict, maxHeadAgeSeconds } = command;
  const waiting = sayWhileWaiting(true);
  if (name === 'follow') waiting.end();
  const clients = clientsOf(given, port, waiting, () => isOver);
  const given2 = present({ witnesses: strict === true && witnesses === 0 ? undefined : witnesses, strict });
  const opts: SyncOptions = { ...given2, ...present({ maxHeadAgeSeconds }), acceptStaleStart, engine, signal };
  const around = { port, waiting };
  try {
    if (name === 'sync') await sync(clients, given, opts, around);
    else if (name === 'follow') await follow(clients, given, command, opts, around);
    else await verify(clients, given, command, opts, around);
  } catch (error) {
    tellFailure(error, port);
  } finally {
    waiting.end();
    isOver = true;
    for (const client of clients) client.close();
  }
  port.report({ what: 'done' });
}

function read(file: FileName, content: Uint8Array): Kept | undefined {
  const json = JSON.parse(textOf(content)) as { after?: string; checkpoint?: unknown };
  const kept = file === 'checkpoint' ? json : json.checkpoint;
  if (kept === undefined) return undefined;
  const checkpoint = parseCheckpoint(kept);
  const { anchor, staleStart } = checkpoint;
  return {
    keyBlock: configOf(checkpoint),
    anchor,
    staleStart,
    ...(json.after === undefined ? {} : { after: parseBlockId(json.after) }),
  };
}

export const subject: Omit<Subject, 'second'> & { forget(): void } = {
  start(command, given, port): Running {
    host.port = port;
    const stop = new AbortController();
    void run(command, given, port, stop.signal);
    return { abort: () => stop.abort() };
  },
  read,
  forget: forgetTokens,
};
