/**
 * Fetches the headers between two blocks. Each header contains the hash of the block before it, so a block below a
 * final one is final too.
 */
import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { QUESTIONS_IN_FLIGHT } from '../../core/base/limits.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../../core/block/block-id.ts';
import { readParent } from '../../core/chain/ancestor.ts';
import type { ProvenHeader } from '../../core/chain/block-header.ts';
import { Tasks } from '../async/tasks.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { LiteServerClient, LookedUpBlock } from './client.ts';
import { provenBy, requireServerFault } from './climb.ts';
import type { Fleet } from './fleet.ts';
import type { LiteAskOptions } from './requester.ts';

/** The lower end of the way: a known block, or only its number. */
export interface Bottom {
  readonly seqno: number;
  readonly id?: BlockIdExt;
}

/** Thrown when the way leads past a known final block: there are two histories. */
export class TwoHistories extends SourceError {
  /** The block of the newer history at the known block's number. */
  readonly other: BlockIdExt;

  constructor(known: BlockIdExt, other: BlockIdExt) {
    super(
      'source/disagree',
      `block ${formatBlockId(known)} is known, a later final block leads to ${formatBlockId(other)}`,
      { hint: 'trust neither, and stop every program that acts on this chain' },
    );
    this.other = other;
  }
}

/** Headers that are requested at a time. More would wait for their turn at the server within their deadline. */
const AHEAD = QUESTIONS_IN_FLIGHT;

/** Milliseconds after which another server is asked for the same header. */
const LATE_MS = 1_000;

/** One block with the id of the block before it. */
export interface LinkedBlock {
  readonly header: ProvenHeader;
  readonly id: BlockIdExt;
  readonly parent: BlockIdExt;
}

/** A server that names a different block than the one on the way down. */
export interface OtherBlock {
  readonly client: LiteServerClient;
  readonly ours: BlockIdExt;
  readonly other: BlockIdExt;
}

/** The blocks between, the oldest first, and the servers that contradict them. */
export interface Descent {
  readonly blocks: readonly LinkedBlock[];
  readonly others: readonly OtherBlock[];
}

/** Servers and time limits of the header questions. */
export interface DescentOptions extends LiteAskOptions {
  /** Servers that claim to have the blocks; these are asked first. */
  readonly servers?: readonly LiteServerClient[];
}

/** The header that a server named. */
interface FoundHeader {
  readonly client: LiteServerClient;
  readonly found: LookedUpBlock;
}

/**
 * Goes down from a final block to the last known one.
 * @param top the block before the final block, from its header
 * @param known the block to arrive at
 * @throws TwoHistories when the way down does not lead to the known block; SourceError when no server helps
 */
export async function descend(fleet: Fleet, top: BlockIdExt, known: Bottom, given: DescentOptions): Promise<Descent> {
  const { servers = [], ...opts } = given;
  /** Servers that are not asked again, each with the different block that it named or the failure of its answer. */
  const passed = new Map<LiteServerClient, OtherBlock | SourceError>();
  /** Servers that failed, or that another one has outrun; asked after the others, also where all rest. */
  const late = new Set<LiteServerClient>();

  /** Asks for a header, the next server as soon as one fails or is late. */
  async function lookup(seqno: number): Promise<FoundHeader> {
    const usable = fleet.usable();
    const first = servers.filter((client) => usable.includes(client));
    const last = servers.filter((client) => fleet.isKept(client));
    const order = new Set([...first, ...usable, ...last]);
    const failures = [...passed].flatMap(([{ name: source }, error]): SourceStatement[] =>
      error instanceof SourceError ? [{ source, error }] : [],
    );
    const tasks = new Tasks<FoundHeader | 'late' | { client: LiteServerClient; error: SourceError }>(opts.signal);
    const open = new Set<LiteServerClient>();
    /** Open questions that a second was waited for. */
    let overdue: readonly LiteServerClient[] = [];
    try {
      for (let id = 0; ; id++) {
        const left = [...order].filter((one) => !passed.has(one));
        const client = left.find((one) => !late.has(one)) ?? left[0];
        if (client !== undefined) {
          order.delete(client);
          open.add(client);
          const ask = async (signal: Signal) => ({
            client,
            found: await fleet.ask(client, (one) => one.lookup(seqno, { ...opts, signal })),
          });
          tasks.begin(id, ask, (error) => ({ client, error }));
          tasks.wake(-1, LATE_MS, 'late');
        } else if (open.size === 0) throw noAgreement(`no lite server has block ${seqno}`, failures);
        const heard = await tasks.take();
        if (heard === 'late') {
          overdue = [...open];
          continue;
        }
        if ('found' in heard) {
          for (const slow of overdue) {
            if (slow === heard.client) break; // the others were asked after it
            if (open.has(slow) && !late.has(slow)) fleet.rest(slow, undefined, 'slow');
            late.add(slow);
          }
          return heard;
        }
        open.delete(heard.client);
        late.add(heard.client);
        failures.push({ source: heard.client.name, error: heard.error });
      }
    } finally {
      tasks.close();
    }
  }

  /** Returns the block with exactly this id, from any server that has it. */
  async function blockWithId(id: BlockIdExt, first: Promise<FoundHeader>): Promise<LinkedBlock> {
    for (let answer = first; ; answer = lookup(id.seqno)) {
      const { client, found } = await answer;
      try {
        if (differingField(found.id, id) === undefined) {
          const parent = () => readParent(found.headerProof, id);
          return { id, ...provenBy(fleet, client, 'lookupBlock', { tl: found.tl }, parent) };
        }
        passed.set(client, { client, ours: id, other: found.id });
      } catch (error) {
        requireServerFault(error);
        passed.set(client, error);
      }
    }
  }

  const asked = new Map<number, Promise<FoundHeader>>();
  const ask = (seqno: number) => {
    const answer = lookup(seqno);
    answer.catch(() => {}); // awaited below, unless a block before it fails
    asked.set(seqno, answer);
  };
  for (let seqno = top.seqno; seqno > known.seqno && seqno > top.seqno - AHEAD; seqno--) ask(seqno);
  const blocks: LinkedBlock[] = [];
  let expected = top;
  while (expected.seqno > known.seqno) {
    const answer = asked.get(expected.seqno)!; // it was requested above, or together with an earlier block
    asked.delete(expected.seqno);
    if (expected.seqno - AHEAD > known.seqno) ask(expected.seqno - AHEAD);
    const block = await blockWithId(expected, answer);
    blocks.push(block);
    expected = block.parent;
  }
  if (known.id !== undefined && differingField(expected, known.id) !== undefined)
    throw new TwoHistories(known.id, expected);
  const others = [...passed.values()].flatMap((one) => (one instanceof SourceError ? [] : [one]));
  return { blocks: blocks.reverse(), others };
}
