/** Proves any older block by a final head: a few kilobytes instead of the block's signatures. */
import { badArgument, badOption } from '../../core/base/arguments.ts';
import type { SourceError } from '../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS, TURN_DEADLINE_MS } from '../../core/base/limits.ts';
import { callback, readOptions } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { proveAncestor } from '../../core/chain/ancestor.ts';
import type { ProvenHeader } from '../../core/chain/block-header.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import { withVoice } from '../follow/stall-reports.ts';
import { ASK_OPTIONS, type AskOptions } from '../sources/block-source.ts';
import { failureOf } from '../sources/failure-hints.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { LiteServerClient } from './client.ts';
import { provenBy, requireServerFault } from './climb.ts';
import { Fleet, requireDistinctServers } from './fleet.ts';
import type { SyncStall } from './sync-options.ts';
import { type OwnHead, ownHeadOf, type SyncResult } from './sync-result.ts';

/** Options of one proof of an older block. */
export interface ProveOptions extends AskOptions {
  /** Called when there has been no proof for 10 s, 20 s, 40 s and so on, with the reason in `code`. */
  readonly onStall?: (stall: SyncStall) => void;
}

/** An older block and the proof that it is final. The library did not check signatures of that block itself. */
export interface OlderBlockProof {
  readonly blockId: BlockIdExt;
  readonly header: ProvenHeader;
  readonly provenance: {
    readonly kind: 'ancestor';
    /** The block in whose state this one is listed. */
    readonly head: BlockIdExt;
    /** The report of the head; absent where trust began at the head itself. */
    readonly report?: VerificationReport;
  };
  /** The answer as TL. */
  readonly tl: Uint8Array;
}

/**
 * Proves an older masterchain block by a back link from a head. Servers need the head's state, so the head must be
 * fresh.
 * @param clients one or more clients of lite servers; a server that fails or lies is passed over
 * @param head the object that `syncCheckpoint` returned; a copy of it proves nothing
 * @param seqno the number of the older block
 * @param given time limits; default: no deadline
 * @returns the proven block and the answer that proves it
 * @throws SourceError when no server has a proof that holds; UsageError for a block that is not older than the head,
 * and for a head that is a copy or in doubt
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { readCheckpoint } from 'ton-finality/node';
 * import { connectLite, parseGlobalConfig, proveOlderBlock, syncCheckpoint } from 'ton-finality/servers';
 * const { servers } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * const clients = servers.map((server) => connectLite(server));
 * const head = await syncCheckpoint(clients, readCheckpoint('checkpoint.json'));
 * const { blockId } = await proveOlderBlock(clients, head, 3);
 * console.log(blockId.seqno); // 3
 * for (const client of clients) client.close();
 * ```
 */
export async function proveOlderBlock(
  clients: readonly LiteServerClient[],
  head: SyncResult,
  seqno: number,
  given: ProveOptions = {},
): Promise<OlderBlockProof> {
  const own = ownHeadOf(head);
  if (own === undefined) {
    const hint = 'run syncCheckpoint again';
    throw badArgument('head', 'the result object of syncCheckpoint', head, hint);
  }
  const { tip, prover, fleet: before } = own;
  const { verdict, report } = head;
  // An old head is final as well, and so are the blocks before it.
  if (verdict.status !== 'final' && verdict.reason !== 'stale-head') {
    throw badOption(`expected a head that is final, got one that is undecided: ${verdict.reason}`, 'head');
  }
  if (!(Number.isInteger(seqno) && seqno >= 1 && seqno < tip.seqno)) {
    throw badOption(`expected 1 to ${tip.seqno - 1}, got ${String(seqno)}`, 'seqno');
  }
  const { onStall, ...asked } = readOptions(given, '', { ...ASK_OPTIONS, onStall: callback() });
  const fleet = new Fleet(requireDistinctServers(clients));
  fleet.keepOut(before);
  let code: SyncStall['code'] = 'no-server';
  const reason = () => {
    const error = fleet.statements()[0]?.error as SourceError | undefined; // errors of a fleet are SourceErrors
    return { code, head: tip.seqno, said: tip.seqno, ...present({ error }) };
  };
  return await withVoice({ signal: asked.signal, onStall, reason }, (signal) =>
    proveOlder(fleet, { tip, ...present({ prover, report }) }, seqno, { ...asked, signal }, () => {
      code = 'not-proven';
    }),
  );
}

/**
 * Does the work of `proveOlderBlock` over the fleet of a larger run. @param seqno below the head's number @throws
 * SourceError when no server has a proof that holds
 */
export async function proveOlder(
  fleet: Fleet,
  { tip, prover, report }: Omit<OwnHead, 'fleet'> & Pick<SyncResult, 'report'>,
  seqno: number,
  asked: AskOptions,
  onNamed?: () => void,
): Promise<OlderBlockProof> {
  const { deadlineMs = QUESTION_DEADLINE_MS } = asked;
  // The server that proved the head has just answered, and has its state.
  let inOrder = fleet.usable(prover);
  // A silent server must not hold up the others: those that were late have the whole time after them.
  for (const limitMs of new Set([Math.min(TURN_DEADLINE_MS, deadlineMs), deadlineMs])) {
    const opts = { retries: 1, ...asked, deadlineMs: limitMs };
    const late: LiteServerClient[] = [];
    for (const client of inOrder) {
      try {
        const { id } = await fleet.ask(client, (one) => one.lookup(seqno, opts));
        onNamed?.();
        const { tl, claimed } = await fleet.ask(client, (one) => one.blockProof(tip, id, opts));
        // An answer that is only a part of the way is not a lie, but not a proof either.
        if (!claimed.complete && claimed.to.seqno > seqno) {
          const words = `getBlockProof: it ends at block ${claimed.to.seqno}`;
          throw failureOf(client.name, 'source/not-ready', words, { body: tl, hint: 'ask another server' });
        }
        const header = provenBy(fleet, client, 'getBlockProof', { tl }, () => proveAncestor(tip, tl, id));
        const provenance = Object.freeze({ kind: 'ancestor', head: tip, ...present({ report }) });
        return Object.freeze({ blockId: id, header, provenance, tl });
      } catch (error) {
        requireServerFault(error);
        fleet.rest(client, error);
        if (error.code === 'source/timeout') late.push(client);
      }
    }
    inOrder = late;
  }
  throw noAgreement(`no lite server proves block ${seqno}`, fleet.statements());
}
