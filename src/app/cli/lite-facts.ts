/** `prove … --lite`: asks lite servers for a fact and for the way to it. None is believed: what comes is a proof, or refused. */
import { DecodeError, SourceError, type SourceStatement, TrustError, UsageError } from '../../core/base/errors.ts';
import { MASTERCHAIN_WORKCHAIN, MAX_SEQNO } from '../../core/base/limits.ts';
import type { FactInput } from '../../core/certificate/build-fact.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import type { KeyBlock } from '../../core/chain/key-blocks.ts';
import { checkpointBlock, finalBlock } from '../../core/facts/final-block.ts';
import type { ProvenBlock } from '../../core/facts/proven-block.ts';
import { olderBlock } from '../../core/facts/shard-top.ts';
import type { Fact } from '../../core/facts/to-json.ts';
import { connectLite, type LiteServerClient } from '../../net/lite/client.ts';
import { proveBlock } from '../../net/lite/prove.ts';
import { syncCheckpoint } from '../../net/lite/sync.ts';
import type { SyncProgress } from '../../net/lite/sync-options.ts';
import type { SyncResult } from '../../net/lite/sync-result.ts';
import { readAnswerOf } from '../../net/lite-api/read-answers.ts';
import { configParamsRequest, lookupByLtRequest } from '../../net/lite-api/write-requests.ts';
import { unsupportedBy } from '../../net/machine/upgrade.ts';
import { noAgreement } from '../../net/sources/no-agreement.ts';
import { type LedTo, type NamedFact, type Question, startOf, withKeyBlocks } from './fact-inputs.ts';
import type { LitePlan } from './input/lite-options.ts';
import { tellFork } from './keep-evidence.ts';

import { sayWhileWaiting, type Waiting } from './say-while-waiting.ts';
import { noteWitnesses } from './witness-words.ts';

/** A fact with the answers that prove it, and the masterchain block that it stands under. */
export interface FetchedFact extends LedTo {
  readonly input: FactInput;
  /** The server said which block to look in: that the fact is not there says nothing of any other block. */
  readonly inServersBlock?: boolean;
}

/** What to ask for. */
export interface LiteQuestion {
  readonly kind: NamedFact;
  readonly question: Question;
  readonly checkpoint: Checkpoint;
  /** The masterchain block to prove it under; default the head, or the block that holds the transaction. */
  readonly seqno?: number;
  /** Where evidence goes if two blocks of one number are certified. */
  readonly evidence?: string;
  /** Of what is told on standard error. */
  readonly asJson?: boolean;
}

/** Doubts about a block that is proven, and what to do. */
const DOUBTS: Partial<Record<string, readonly [string, string]>> = {
  'stale-set': [
    'the checkpoint is older than the stakes of its validators',
    'an attacker with the old keys could have made what follows: ton-finality sync, with more servers, makes a newer one',
  ],
  contradicted: [
    'the checkpoint is older than the stakes of its validators, and a server names another block',
    'leave out the server that is wrong by --without SERVER, or give a newer checkpoint',
  ],
};

/** @param wanted the number that was asked for */
function headBlock(
  { verdict, report, tip, tipHeader, checkpoint, headAgeSeconds }: SyncResult,
  wanted?: number,
): ProvenBlock {
  if (wanted !== undefined && tip.seqno !== wanted) {
    throw new SourceError('source/wrong-block', `asked for block ${wanted}, block ${tip.seqno} was proven`);
  }
  const doubt = verdict.status === 'undecided' ? DOUBTS[verdict.reason] : undefined;
  if (doubt !== undefined) {
    const [message, hint] = doubt;
    throw new TrustError('trust/stale-start', message, { path: '--checkpoint', hint });
  }
  if (verdict.status === 'undecided') {
    throw new SourceError(
      'source/not-ready',
      `the newest block, ${tip.seqno}, is ${Math.round(headAgeSeconds)} s old`,
      {
        hint: 'ask other servers; --seqno N proves what stood there at a block of your choice',
      },
    );
  }
  return report === undefined ? checkpointBlock(checkpoint) : finalBlock(report, tipHeader);
}

async function masterchainBlock(
  { clients, checkpoint: start, evidence, asJson, waiting, countEachServer }: Ask,
  seqno: number | undefined,
): Promise<LedTo> {
  const known = start.keyBlock.seqno;
  let keyBlocks: readonly KeyBlock[] = [startOf(start)];
  if (seqno === known) return { block: checkpointBlock(start), keyBlocks };
  const onProgress = (progress: SyncProgress) => {
    waiting.proved(progress.tip.seqno, progress.target.seqno);
    keyBlocks = withKeyBlocks(keyBlocks, progress.keyBlocks);
  };
  if (seqno !== undefined && seqno > known) {
    const result = await syncCheckpoint(clients, start, { to: seqno, countEachServer, onProgress });
    await noteWitnesses(result, evidence, asJson);
    return { block: headBlock(result, seqno), keyBlocks };
  }
  const head = await syncCheckpoint(clients, start, { countEachServer, onProgress });
  await noteWitnesses(head, evidence, asJson);
  const block = headBlock(head);
  if (seqno === undefined) return { block, keyBlocks };
  const older = olderBlock((await proveBlock(clients, head, seqno)).tl, block);
  if (older.id.seqno === seqno) return { block: older, keyBlocks };
  throw new SourceError('source/wrong-block', `asked for block ${seqno}, block ${older.id.seqno} was proven`);
}

type Ask = LiteQuestion & {
  readonly clients: readonly LiteServerClient[];
  readonly countEachServer: boolean;
  readonly waiting: Waiting;
};

async function fetchTransaction(client: LiteServerClient, ask: Ask) {
  const { question, seqno } = ask;
  const { account, lt, message } = question;
  if (account === undefined || lt === undefined) throw new TypeError('a transaction without account and lt');
  const inMasterchain = account.workchain === MASTERCHAIN_WORKCHAIN;
  const common = { kind: 'transaction' as const, account, lt, ...(message === undefined ? {} : { message }) };
  if (seqno !== undefined) {
    if (!inMasterchain) {
      throw new UsageError('usage/bad-option', 'a transaction of a shard is looked for by its time', {
        path: '--seqno',
        hint: 'leave it out: the masterchain block that lists the shard block is found and proven',
      });
    }
    const led = await masterchainBlock(ask, seqno);
    return { ...led, input: { ...common, answer: await transactionIn(client, led.block.id, question) } };
  }
  const { id } = readAnswerOf('block-header', await client.ask(lookupByLtRequest(account, lt)));
  const inServersBlock = true;
  if (inMasterchain) {
    const led = await masterchainBlock(ask, id.seqno);
    const answer = await transactionIn(client, led.block.id, question);
    return { inServersBlock, ...led, input: { ...common, answer } };
  }
  const { claimed: links } = await client.shardProof(id);
  const led = await masterchainBlock(ask, links.masterchainId.seqno);
  const answer = await transactionIn(client, id, question);
  return { inServersBlock, ...led, input: { ...common, answer, way: { links } } };
}

async function transactionIn(client: LiteServerClient, id: ProvenBlock['id'], { account, lt }: Question) {
  const { claimed } = await client.transaction(id, account!, lt!); // looked at by who calls
  return claimed;
}

async function fetchFrom(client: LiteServerClient, ask: Ask): Promise<FetchedFact> {
  const { kind, question, seqno } = ask;
  if (kind === 'transaction' || kind === 'message') return await fetchTransaction(client, ask);
  const led = await masterchainBlock(ask, seqno);
  const { id } = led.block;
  const { account, param } = question;
  if (kind === 'config') {
    if (param === undefined) throw new TypeError('a parameter without its number');
    const answer = readAnswerOf('config', await client.ask(configParamsRequest(id, [param])));
    return { ...led, input: { kind, param, answer } };
  }
  if (account === undefined) throw new TypeError('an account without its name');
  const { claimed: answer } = await client.accountState(id, account);
  return { ...led, input: { kind, account, answer } };
}

/** A fork is no server's fault: another one may only not know of it. */
function isServersFault(error: unknown): boolean {
  if (error instanceof TrustError) return error.code !== 'trust/stale-start' && error.code !== 'trust/aborted';
  if (error instanceof SourceError) return error.code !== 'source/disagree';
  return error instanceof DecodeError;
}

/** A block that the server chose proves what it holds, and no absence: the transaction may stand in any other. */
function requireThere({ fact }: Judged): void {
  if (!('found' in fact) || fact.found) return;
  const { seqno, workchain } = fact.block;
  const shown = `block ${workchain}:${seqno}, which the server named for this time, does not hold the transaction`;
  throw new SourceError('source/wrong-block', shown, {
    hint: 'ask other servers; --seqno N proves an absence in the masterchain block that you name',
  });
}

/** What is judged of what came. */
interface Judged {
  readonly fact: Exclude<Fact, { kind: 'block-transactions' | 'library' }>;
}

/**
 * Asks one server after the other, until the proof of one holds.
 * @param prove judges what came; what it throws of a proof is the server's fault, and the next one is asked
 * @throws SourceError, TrustError: what the last one did wrong; `source/wrong-block` when it named a block that does not
 * hold the transaction; ForkError, with the evidence kept
 */
export async function proveOverLite<T extends Judged>(
  plan: LitePlan,
  question: LiteQuestion,
  prove: (fetched: FetchedFact) => T,
): Promise<T> {
  const waiting = sayWhileWaiting(question.asJson === true);
  const { onServer } = waiting;
  const clients = plan.servers.map((server) =>
    connectLite(server, plan.network === undefined ? { onServer } : { network: plan.network, onServer }),
  );
  try {
    const failures: SourceStatement[] = [];
    for (const client of clients) {
      try {
        const fetched = await fetchFrom(client, {
          ...question,
          clients,
          waiting,
          countEachServer: plan.countEachServer,
        });
        const judged = prove(fetched);
        if (fetched.inServersBlock === true) requireThere(judged);
        return judged;
      } catch (error) {
        if (!isServersFault(error)) throw error;
        failures.push({ source: client.name, error });
      }
    }
    if (unsupportedBy(failures) !== 'few') throw noAgreement(`no lite server gives the ${question.kind}`, failures);
    throw failures.at(-1)!.error; // there is a server
  } catch (error) {
    await tellFork(error, { evidence: question.evidence, json: question.asJson });
    throw error;
  } finally {
    waiting.end();
    for (const client of clients) client.close();
  }
}

/** @throws UsageError */
export function readSeqno(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seqno = Number(text);
  if (/^[0-9]{1,10}$/.test(text) && seqno >= 1 && seqno <= MAX_SEQNO) return seqno;
  throw new UsageError('usage/bad-option', `expected 1 to ${MAX_SEQNO}, got ${JSON.stringify(text.slice(0, 20))}`, {
    path: '--seqno',
  });
}
