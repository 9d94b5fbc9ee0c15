/**
 * What other servers say of a proven head. A server that names another block under its number either lies, which its
 * missing proof shows, or there are two certified blocks: the validators signed twice, and nothing can be trusted any more.
 */

import { SourceError, type SourceStatement } from '../base/errors.ts';
import { present } from '../base/present.ts';
import type { Signal } from '../base/runtime-types.ts';
import { parsePartialBlockProof } from '../chain/block-proof.ts';
import { checkpointFromKeyBlock, checkpointFromZerostate } from '../chain/checkpoint.ts';
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

/** Two certified blocks under one number. Everything that shows it is in `evidence`. */
export class ForkError extends SourceError {
  readonly evidence: ForkEvidence;

  constructor(message: string, evidence: ForkEvidence, statements: readonly SourceStatement[]) {
    super('source/disagree', message, {
      statements,
      hint: 'believe neither block: keep the evidence, show it to others, and stop whatever acts on this chain',
    });
    this.evidence = evidence;
  }
}

const WITNESS_DEADLINE_MS = 10_000;

function askOptions(signal: Signal | undefined) {
  return { deadlineMs: WITNESS_DEADLINE_MS, serverMayWait: true, retries: 1, ...present({ signal }) };
}

/** Makes the checkpoint that an answer begins at from the proof of its configuration that the answer itself carries. */
function checkpointAt({ from, tl }: Leg) {
  const link = parsePartialBlockProof(tl).links.find((one) => one.kind === 'forward');
  if (link?.kind !== 'forward' || differingField(link.from, from) !== undefined) return undefined;
  return from.seqno === 0
    ? checkpointFromZerostate(link.configProof, from)
    : checkpointFromKeyBlock(link.configProof, from);
}

/**
 * Asks a server to prove the other block that it names.
 * @param leg an answer that proves `tip`
 * @returns why it could not; it is out then
 * @throws ForkError when it could
 */
export async function confront(
  fleet: Fleet,
  client: LiteServerClient,
  leg: Leg,
  tip: BlockIdExt,
  other: BlockIdExt,
  { engine, signal }: LinkOptions & { readonly signal?: Signal },
): Promise<SourceStatement> {
  const key = formatBlockId(other);
  const start = checkpointAt(leg);
  if (start === undefined) throw new TypeError('a leg without a forward link');
  let tl: Uint8Array;
  try {
    tl = (await fleet.ask(client, (one) => one.blockProof(leg.from, other, askOptions(signal)))).tl;
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
  const sides = [
    { source: leg.client.name, key: formatBlockId(tip), body: leg.tl },
    { source: client.name, key, body: tl },
  ];
  throw new ForkError(
    `two certified blocks ${tip.seqno}: ${sides.map((side) => `${side.source} says ${side.key}`).join('; ')}`,
    forkEvidence(start, sides),
    sides,
  );
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
  opts: LinkOptions & { readonly signal?: Signal },
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
