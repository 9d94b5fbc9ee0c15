/**
 * Fetches blocks from lite servers without trusting any: the header of each block is proven, and so are the key blocks
 * up to the set that signs it.
 */

import { FinalityError, SourceError, TrustError } from '../../core/base/errors.ts';
import { flag, readOptions } from '../../core/base/options.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../../core/block/block-id.ts';
import { readParent } from '../../core/chain/ancestor.ts';
import { type Checkpoint, validatorSetAt } from '../../core/chain/checkpoint.ts';
import type { ResolvedPolicy } from '../../core/verify/report.ts';
import { isStale } from '../../core/verify/set-check.ts';
import { exceeds } from '../../core/verify/weights.ts';
import type { LiteServerClient } from '../../net/lite/client.ts';
import { brokenProof, isBrokenProof } from '../../net/lite/climb.ts';
import { Fleet, requireDistinctServers } from '../../net/lite/fleet.ts';
import { syncCheckpoint } from '../../net/lite/sync.ts';
import type { SyncOptions, SyncProgress } from '../../net/lite/sync-options.ts';
import { ownHeadOf, type SyncResult } from '../../net/lite/sync-result.ts';
import { failureOf } from '../../net/sources/failure-hints.ts';
import { noAgreement } from '../../net/sources/no-agreement.ts';
import { masterchain } from '../../net/sources/signed-answer.ts';
import type { AuditLead, AuditSource, FetchedBlock, GivenBlock } from './audit-source.ts';

/** Options of an audit over lite servers. */
export interface AuditLiteOptions {
  /**
   * Start at a checkpoint whose validators no longer have stakes, without two other servers that name the same blocks.
   * Default false.
   */
  readonly acceptStaleStart?: boolean;
  /**
   * Count each server as a witness, even if several share an address block (/24, /48) or host name. Default false: they
   * count once.
   */
  readonly countEachServer?: boolean;
}

/** Questions at a time. */
const AHEAD = 8;
/** Most ids of key blocks that are kept. */
const MAX_KEPT = 64;

/**
 * Makes the questions to one server. The ids of key blocks that it named are kept: a wrong id leads to a proof that
 * fails.
 */
function questionsTo(fleet: Fleet, client: LiteServerClient) {
  const keyBlocks = new Map<number, Promise<BlockIdExt>>();
  const lookup = (seqno: number, signal: Signal) => fleet.query(client, (one) => one.lookup(seqno, { signal }));

  async function idOf(seqno: number, signal: Signal): Promise<BlockIdExt> {
    if (seqno !== 0) return (await lookup(seqno, signal)).id;
    const head = await fleet.query(client, (one) => one.masterchainInfo({ signal }));
    const { rootHash, fileHash } = head.claimed.zerostate;
    return { ...masterchain(0), rootHash, fileHash };
  }

  function keyBlock(seqno: number, signal: Signal): Promise<BlockIdExt> {
    const known = keyBlocks.get(seqno);
    if (known !== undefined) return known;
    const asked = idOf(seqno, signal);
    keyBlocks.set(seqno, asked);
    asked.catch(() => keyBlocks.delete(seqno));
    if (keyBlocks.size > MAX_KEPT) keyBlocks.delete(keyBlocks.keys().next().value!); // there is one
    return asked;
  }

  async function signed(seqno: number, signal: Signal): Promise<FetchedBlock> {
    const { id, header, headerProof, tl: lookedUp } = await lookup(seqno, signal);
    let parent: BlockIdExt;
    try {
      parent = readParent(headerProof, id).parent;
    } catch (error) {
      throw isBrokenProof(error) ? brokenProof(client, 'lookupBlock', lookedUp, error) : error;
    }
    const from = await keyBlock(header.prevKeyBlockSeqno, signal);
    const { tl, claimed } = await fleet.query(client, (one) => one.blockProof(from, id, { signal }));
    const link = claimed.links.at(-1);
    if (link?.kind !== 'forward' || differingField(link.to, id) !== undefined) {
      const words = `getBlockProof: no signatures of block ${seqno} in the proof that ends there`;
      throw failureOf(client.name, 'source/wrong-block', words, { body: tl });
    }
    // The answer is about the requested block, with signatures, as an audit needs it. Bytes beyond that count against
    // the budget.
    fleet.proved(client, lookedUp, 1);
    fleet.proved(client, tl, claimed.links.length);
    const blame = () => {
      const what = `the signatures of block ${seqno} from this server were not valid, those of another server were`;
      fleet.rest(client, failureOf(client.name, 'source/malformed', what));
    };
    return {
      signatures: link.signatures.list,
      known: { header, parent },
      proofs: [headerProof],
      from: client.name,
      blame,
    };
  }

  return { lookup, signed };
}

type AskedServer = ReturnType<typeof questionsTo>;

/** Proves the way to a block. Servers that lied on it are out for the whole audit. */
async function syncTo(fleet: Fleet, from: Checkpoint, opts: SyncOptions): Promise<SyncResult> {
  const result = await syncCheckpoint(fleet.servers, from, opts);
  fleet.keepOut(ownHeadOf(result)!.fleet); // it is of this run
  return result;
}

/** Returns whether a block is proven, however old it is. */
function isProven(verdict: SyncResult['verdict']): boolean {
  return verdict.status === 'final' || verdict.reason === 'stale-head';
}

/**
 * Moves to the key block that rules a block, over key blocks whose signatures exceed the threshold. If those of one key
 * block do not, the walk ends at the one before.
 */
async function lead(
  fleet: Fleet,
  from: Checkpoint,
  opts: SyncOptions & { readonly to: number },
  threshold: ResolvedPolicy['threshold'],
): Promise<AuditLead> {
  let refused: number | undefined;
  const notEnough = new Error('a key block without enough signatures'); // ends the walk
  const onProgress = ({ keyBlocks, reports }: SyncProgress) => {
    for (const [n, { block }] of keyBlocks.entries()) {
      const report = reports[n];
      if (block.seqno >= opts.to || report === undefined) continue; // it rules only later blocks
      const { signedWeight, totalWeight } = report.coverage;
      if (exceeds(signedWeight, totalWeight, threshold)) continue;
      refused = block.seqno;
      throw notEnough;
    }
  };
  let result: SyncResult;
  try {
    result = await syncTo(fleet, from, { ...opts, onProgress });
  } catch (error) {
    if (error !== notEnough || refused === undefined) throw error;
    if (refused - 1 <= from.keyBlock.seqno) return { checkpoint: from, refused };
    return { ...(await lead(fleet, from, { ...opts, to: refused - 1 }, threshold)), refused };
  }
  if (isProven(result.verdict)) return { checkpoint: result.checkpoint };
  throw staleStart(result);
}

/** Returns the error for a block that other servers contradict, or that too few of them name. */
function staleStart(result: SyncResult): TrustError {
  const { verdict, tip, warnings } = result;
  const isContradicted = verdict.status === 'undecided' && verdict.reason === 'contradicted';
  const against = warnings.map(({ message }) => message).join('; ');
  const why = isContradicted
    ? `${ownHeadOf(result)!.prover!.name} led to block ${formatBlockId(tip)}; ${against}` // no run from a checkpoint ends there
    : 'fewer than two other servers name the same blocks';
  const hint = isContradicted
    ? 'exclude the server that is wrong with --without SERVER, or pass a newer checkpoint'
    : 'pass servers of independent operators, or --accept-stale-start: an attacker with the old keys could forge every later block';
  const words = `the validators of the checkpoint can have withdrawn their stakes, and ${why}`;
  return new TrustError('trust/stale-start', words, { path: 'checkpoint', hint });
}

/**
 * Proves the block of a number from the checkpoint of its set, and compares it with all servers.
 * @throws TrustError `trust/stale-start` unless two more servers name it; SourceError `source/disagree` if they name a
 * different block than this one
 */
async function compare(fleet: Fleet, from: Checkpoint, given: GivenBlock, opts: SyncOptions): Promise<void> {
  const { blockId } = given.signatures;
  const result = await syncTo(fleet, from, { ...opts, to: blockId.seqno });
  if (!isProven(result.verdict)) throw staleStart(result);
  if (differingField(result.tip, blockId) === undefined) return;
  const words = `${given.from}: other servers prove a different block ${blockId.seqno}, and the validators can have withdrawn their stakes`;
  const hint = 'exclude this server with --without SERVER: an attacker with the old keys could have made the block';
  throw new SourceError('source/disagree', words, { endpoint: given.from, hint });
}

/**
 * Creates an audit source over lite servers. The set of each key block is proven from the checkpoint.
 * @param clients one or more; if one fails, the next is asked
 * @param opts `acceptStaleStart` and `countEachServer`, both false by default
 * @returns a source for `blocks` of an audit; servers are asked when the audit runs
 * @throws UsageError for clients or options of a wrong type
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { auditLite, auditRange } from 'ton-finality/audit';
 * import { opensslEngine, readCheckpoint } from 'ton-finality/node';
 * import { connectLite, parseGlobalConfig } from 'ton-finality/servers';
 * const { servers } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * const clients = servers.map((server) => connectLite(server));
 * const trust = { checkpoint: readCheckpoint('checkpoint.json'), engine: opensslEngine };
 * for await (const row of auditRange({ from: 5, to: 5, blocks: auditLite(clients), ...trust })) {
 *   if (row.type !== 'block') continue;
 *   console.log(row.verdict.status); // final
 * }
 * for (const client of clients) client.close();
 * ```
 */
export function auditLite(clients: readonly LiteServerClient[], opts: AuditLiteOptions = {}): AuditSource {
  const fleet = new Fleet(requireDistinctServers(clients), 'lasting');
  const questions = new Map(fleet.servers.map((client) => [client, questionsTo(fleet, client)]));
  const readers = { acceptStaleStart: flag(false), countEachServer: flag(false) };
  const { acceptStaleStart, countEachServer } = readOptions(opts, '', readers);

  // A start that was accepted earlier is not held against the servers again, unless its validators are old by now.
  const isOld = (from: Checkpoint) => from.staleStart === 'refused' || isStale(validatorSetAt(from), Date.now() / 1000);

  /** Asks these servers in turn, until one gives the result. */
  async function inOrder<T>(
    what: string,
    ask: (one: AskedServer, client: LiteServerClient) => Promise<T>,
    servers: readonly LiteServerClient[] = fleet.usable(),
  ): Promise<T> {
    for (const client of servers) {
      try {
        return await ask(questions.get(client)!, client); // made from the same list
      } catch (error) {
        if (!(error instanceof FinalityError) || error.code === 'source/aborted') throw error;
        fleet.rest(client, error);
      }
    }
    const said = fleet.statements();
    throw noAgreement(`no lite server gives ${what}`, said, fleet.servers.length - said.length);
  }

  /**
   * Fetches a block with signatures. @param gave servers that already gave the block with invalid signatures, or failed
   */
  async function signedBy(
    seqno: number,
    signal: Signal,
    gave: Set<LiteServerClient>,
  ): Promise<FetchedBlock | undefined> {
    const left = fleet.usable().filter((client) => !gave.has(client));
    if (left.length === 0 && gave.size > 0) return undefined;
    const ask = async (one: AskedServer, client: LiteServerClient) => {
      gave.add(client);
      return { ...(await one.signed(seqno, signal)), another: (again: Signal) => signedBy(seqno, again, gave) };
    };
    return await inOrder(`the signatures of block ${seqno}`, ask, left);
  }

  return Object.freeze({
    name: clients.map(({ name }) => name).join(', '),
    bindsIds: true,
    open: async () => ({
      ahead: AHEAD,
      signed: async (seqno: number, signal: Signal) => (await signedBy(seqno, signal, new Set()))!, // a server gave it, or it has thrown
      proofs: async (seqno: number, signal: Signal) => [
        (await inOrder(`the header of block ${seqno}`, (one) => one.lookup(seqno, signal))).headerProof,
      ],
    }),
    lead: (from: Checkpoint, seqno: number, threshold: ResolvedPolicy['threshold'], signal: Signal) =>
      lead(fleet, from, { to: seqno, acceptStaleStart, countEachServer, signal }, threshold),
    isOld,
    async compare(from: Checkpoint, given: GivenBlock, signal: Signal): Promise<void> {
      if (isOld(from) && !acceptStaleStart) await compare(fleet, from, given, { countEachServer, signal });
    },
  });
}
