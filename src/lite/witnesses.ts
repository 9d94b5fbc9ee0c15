/**
 * What other servers say of a proven head. A server that names another block under its number either lies, which its
 * missing proof shows, or there are two certified blocks: the validators signed twice, and nothing can be trusted any more.
 */

import { SourceError, type SourceStatement } from '../base/errors.ts';
import { present } from '../base/present.ts';
import type { Signal } from '../base/runtime-types.ts';
import { parsePartialBlockProof } from '../chain/block-proof.ts';
import { type Checkpoint, checkpointFromKeyBlock, checkpointFromZerostate } from '../chain/checkpoint.ts';
import type { LinkOptions } from '../chain/link.ts';
import { walkBlockProof } from '../chain/walk.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../decode/block-id.ts';
import type { LiteServerClient } from './client.ts';
import { brokenProof, isBrokenProof, type Leg } from './climb.ts';
import { type ForkEvidence, forkEvidence } from './evidence.ts';
import type { Fleet } from './fleet.ts';

/** What became of asking the others. */
export interface WitnessReport {
  /** Servers that name the same block. */
  readonly agreed: readonly string[];
  /** Those that said nothing in time, or not of this block. */
  readonly silent: readonly SourceStatement[];
  /** Those that named another block and could not prove it. */
  readonly refuted: readonly SourceStatement[];
}

const FORK_HINT = 'believe neither block: keep the evidence, show it to others, and stop whatever acts on this chain';

/** Two certified blocks under one number. Everything that shows it is in `evidence`. */
export class ForkError extends SourceError {
  readonly evidence: ForkEvidence;

  constructor(message: string, evidence: ForkEvidence, statements: readonly SourceStatement[]) {
    super('source/disagree', message, { statements, hint: FORK_HINT });
    this.evidence = evidence;
  }
}

const WITNESS_DEADLINE_MS = 10_000;

interface WitnessOptions extends LinkOptions {
  readonly signal?: Signal;
}

function askOptions(signal: Signal | undefined) {
  return { deadlineMs: WITNESS_DEADLINE_MS, serverMayWait: true, retries: 1, ...present({ signal }) };
}

/** The key block that the first signatures of an answer are judged from, by the proof of its configuration that is in the answer. */
function firstKeyBlock({ tl }: Leg): Checkpoint {
  const link = parsePartialBlockProof(tl).links.find((one) => one.kind === 'forward');
  if (link?.kind !== 'forward') throw new TypeError('a leg without a forward link');
  const { configProof, from } = link;
  return from.seqno === 0 ? checkpointFromZerostate(configProof, from) : checkpointFromKeyBlock(configProof, from);
}

/**
 * The proof of `tip` from that key block: the leg itself, or one that its server is asked for where the leg begins at a
 * block that is none.
 * @returns `undefined` when the server does not give it again
 */
async function proofFrom(
  start: Checkpoint,
  fleet: Fleet,
  leg: Leg,
  tip: BlockIdExt,
  { engine, signal }: WitnessOptions,
): Promise<Uint8Array | undefined> {
  if (differingField(leg.from, start.keyBlock) === undefined) return leg.tl;
  try {
    const { tl } = await fleet.ask(leg.client, (one) => one.blockProof(start.keyBlock, tip, askOptions(signal)));
    walkBlockProof(start, tl, { to: tip, ...present({ engine }) });
    return tl;
  } catch (error) {
    const isItsFault = isBrokenProof(error) || (error instanceof SourceError && error.code !== 'source/aborted');
    if (!isItsFault) throw error;
    return undefined;
  }
}

/**
 * Asks a server to prove the other block that it names.
 * @param leg an answer that proves `tip`
 * @returns why it could not; it is out then
 * @throws ForkError when it could; a SourceError of the same code where the leg cannot be shown as evidence
 */
export async function confront(
  fleet: Fleet,
  client: LiteServerClient,
  leg: Leg,
  tip: BlockIdExt,
  other: BlockIdExt,
  opts: WitnessOptions,
): Promise<SourceStatement> {
  const { engine, signal } = opts;
  const key = formatBlockId(other);
  const start = firstKeyBlock(leg);
  let tl: Uint8Array;
  try {
    tl = (await fleet.ask(client, (one) => one.blockProof(start.keyBlock, other, askOptions(signal)))).tl;
  } catch (error) {
    if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
    fleet.expel(client, error);
    return { source: client.name, key, error };
  }
  try {
    walkBlockProof(start, tl, { to: other, ...present({ engine }) });
  } catch (error) {
    if (!isBrokenProof(error)) throw error;
    const broken = brokenProof(client, 'getBlockProof', tl, error);
    fleet.expel(client, broken);
    return { source: client.name, key, error: broken, body: tl };
  }
  const own = await proofFrom(start, fleet, leg, tip, opts);
  const sides = [
    { source: leg.client.name, key: formatBlockId(tip), body: own ?? leg.tl },
    { source: client.name, key, body: tl },
  ] as const;
  const message = `two certified blocks ${tip.seqno}: ${sides.map((side) => `${side.source} says ${side.key}`).join('; ')}`;
  if (own === undefined) throw new SourceError('source/disagree', message, { statements: sides, hint: FORK_HINT });
  throw new ForkError(message, forkEvidence(start, sides), sides);
}

/**
 * Asks all servers that are not out, but the one that gave the proof.
 * @param leg the answer that ends at `tip`
 * @throws ForkError when another block under this number is certified too
 */
export async function askWitnesses(
  fleet: Fleet,
  tip: BlockIdExt,
  leg: Leg,
  opts: WitnessOptions,
): Promise<WitnessReport> {
  const { signal } = opts;
  const question = askOptions(signal);
  const agreed: string[] = [];
  const silent: SourceStatement[] = [];
  const refuted: SourceStatement[] = [];

  await Promise.all(
    fleet
      .kept()
      .filter((client) => client !== leg.client)
      .map(async (client) => {
        let id: BlockIdExt;
        try {
          id = (await fleet.ask(client, (one) => one.lookup(tip.seqno, question))).id;
        } catch (error) {
          if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
          silent.push({ source: client.name, error });
          return;
        }
        if (differingField(id, tip) === undefined) agreed.push(client.name);
        else {
          const refutation = await confront(fleet, client, leg, tip, id, opts);
          refuted.push(refutation);
        }
      }),
  );
  return Object.freeze({ agreed, silent, refuted });
}
