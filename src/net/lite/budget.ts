/**
 * Counts the questions to the servers of a run and the bytes of their answers, remembers answers, and enforces the
 * budget of each server.
 */
import { SourceError } from '../../core/base/errors.ts';
import {
  FREE_BYTES_PER_LINK,
  MAX_FRAME_BYTES,
  MAX_PROOF_LINKS,
  MAX_REMEMBERED_ANSWER_BYTES,
  MAX_REMEMBERED_BYTES,
  MAX_SAME_QUESTIONS,
  QUESTIONS_IN_FLIGHT,
} from '../../core/base/limits.ts';
import { formatBlockId } from '../../core/block/block-id.ts';
import { type PartialBlockProof, parsePartialBlockProof } from '../../core/chain/block-proof.ts';
import {
  type AskedBefore,
  answeredAgain,
  askedAgain,
  type Cost,
  costAfter,
  costProven,
  type Length,
  leftOf,
  NO_COST,
  shareOf,
  timesLeft,
} from '../machine/budget.ts';
import { OUTCOMES } from '../machine/outcome.ts';
import { failureOf } from '../sources/failure-hints.ts';
import type { Answered, LiteServerClient, LookedUpBlock } from './client.ts';
import type { LiteAskOptions } from './requester.ts';

/** The questions of a run: on the way to the newest block, and below a proven one. */
export type Questions = Pick<
  LiteServerClient,
  'masterchainInfo' | 'blockProof' | 'lookup' | 'accountState' | 'transaction' | 'transactions' | 'shardProof' | 'ask'
>;

interface Record {
  cost: Cost;
  readonly asked: Map<string, AskedBefore>;
  /** The last failure of each question. */
  readonly failures: Map<string, SourceError>;
}

type TlAnswer = { readonly tl: Uint8Array };

/** A remembered answer. */
interface Kept {
  readonly bytes: number;
  /** Gives the answer to the question that the entry is kept under. */
  readonly again: () => TlAnswer;
}

/**
 * Bytes that must be left before a question is sent: for every question in flight, as many as the links of one answer
 * may have.
 */
const LEAST_LEFT = QUESTIONS_IN_FLIGHT * MAX_PROOF_LINKS * FREE_BYTES_PER_LINK;
/** Questions of one server whose count is kept. */
const MAX_COUNTED = 4096;
/** Answers after which the client may send a question a second time: the server was asked to wait, or failed once. */
const MOST_ANSWERS = 2;

const inMiB = (bytes: number) => (bytes / 1_048_576).toFixed(1);

/** Keeps a copy of a proof, because each answer is handed out as the caller's own. */
function keepProof({ tl: given }: TlAnswer): () => Answered<PartialBlockProof> {
  const own = Uint8Array.from(given);
  return () => {
    const tl = Uint8Array.from(own);
    return { tl, claimed: parsePartialBlockProof(tl) };
  };
}

/** Whether the server answered, if only with a failure. */
function isAnswer({ code, body }: SourceError): boolean {
  const outcome = OUTCOMES[code];
  return outcome !== 'busy' && outcome !== 'none' && (body !== undefined || outcome !== 'failed');
}

export class Meter {
  readonly #share: number;
  readonly #length: Length;
  readonly #onSpent: (client: LiteServerClient, error: SourceError) => void;
  readonly #records = new Map<LiteServerClient, Record>();
  /** Remembered answers, the newest last. */
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;
  /** Answers whose proven bytes were counted. */
  readonly #proven = new WeakSet<Uint8Array>();

  /** Makes a meter. @param onSpent called with a server that has used up its budget */
  constructor(servers: number, length: Length, onSpent: (client: LiteServerClient, error: SourceError) => void) {
    this.#share = shareOf(servers);
    this.#length = length;
    this.#onSpent = onSpent;
  }

  #of(client: LiteServerClient): Record {
    let record = this.#records.get(client);
    if (record === undefined) {
      record = { cost: NO_COST, asked: new Map(), failures: new Map() };
      this.#records.set(client, record);
    }
    return record;
  }

  /** Continues from the costs of an earlier part of the run. */
  inherit(before: Meter): void {
    for (const [client, { cost, asked, failures }] of before.#records) {
      this.#records.set(client, { cost, asked: new Map(asked), failures: new Map(failures) });
    }
  }

  #count(record: Record, key: string, counted: AskedBefore): void {
    const { asked } = record;
    asked.delete(key);
    asked.set(key, counted);
    if (asked.size <= MAX_COUNTED || this.#length === 'run') return;
    const oldest = asked.keys().next().value!; // the map is full
    asked.delete(oldest);
    record.failures.delete(oldest);
  }

  #charge(client: LiteServerClient, bytes: number): void {
    const record = this.#of(client);
    const nowMs = performance.now();
    record.cost = costAfter(record.cost, bytes, nowMs, this.#share, this.#length);
    if (leftOf(record.cost, nowMs, this.#share, this.#length) < LEAST_LEFT) this.#onSpent(client, this.#spent(client));
  }

  #spent(client: LiteServerClient): SourceError {
    const words = `the answers have ${inMiB(this.#of(client).cost.bytes)} MiB more than they prove, at most ${inMiB(this.#share)} MiB is allowed`;
    return failureOf(client.name, 'source/budget', words);
  }

  /** Notes that an answer proved links or blocks: that many bytes of it are free. */
  proved(client: LiteServerClient, answer: Uint8Array, links: number): void {
    if (this.#proven.has(answer)) return;
    this.#proven.add(answer);
    const record = this.#of(client);
    record.cost = costProven(record.cost, answer.length, links);
  }

  #keep(name: string, kept: Kept): void {
    if (kept.bytes > MAX_REMEMBERED_ANSWER_BYTES) return;
    this.#kept.set(name, kept);
    this.#keptBytes += kept.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#keptBytes <= MAX_REMEMBERED_BYTES) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytes;
    }
  }

  /** Asks a question. @param key of the question, where it is about one block @throws SourceError */
  async #ask<T extends TlAnswer>(
    client: LiteServerClient,
    key: string | undefined,
    opts: LiteAskOptions,
    question: (opts: LiteAskOptions) => Promise<T>,
    onRepeat: () => void,
  ): Promise<T> {
    const record = this.#of(client);
    const nowMs = performance.now();
    const left = leftOf(record.cost, nowMs, this.#share, this.#length);
    if (left < LEAST_LEFT) throw this.#spent(client);
    const times = key === undefined ? MAX_SAME_QUESTIONS : timesLeft(record.asked.get(key), nowMs, this.#length);
    if (times === 0) {
      onRepeat();
      const { code, message, hint } = record.failures.get(key!) ?? { code: 'source/not-ready', message: client.name };
      throw new SourceError(code, message, { endpoint: client.name, attempts: 0, hint });
    }
    // The answer may take a share of what is left, because other questions are in flight.
    const maxBytes = Math.min(MAX_FRAME_BYTES, Math.floor(left / QUESTIONS_IN_FLIGHT));
    const isOnce = times < MOST_ANSWERS;
    const once = isOnce ? { retries: 0, serverMayWait: false } : {};
    const most = isOnce ? 1 : MOST_ANSWERS;
    if (key !== undefined) this.#count(record, key, askedAgain(record.asked.get(key), most));
    const count = (answers: number) => {
      if (key === undefined) return;
      const after = answeredAgain(record.asked.get(key), { answers, most }, performance.now(), this.#length);
      this.#count(record, key, after);
    };
    let heard: number | undefined;
    const onFailure = ({ code, message, hint, body }: SourceError, answers: number) => {
      heard = (heard ?? 0) + answers;
      // without the body
      if (answers > 0 && key !== undefined) record.failures.set(key, new SourceError(code, message, { hint }));
      if (body !== undefined) this.#charge(client, body.length);
    };
    const onAttempt = (error: SourceError | undefined) => {
      if (error !== undefined) onFailure(error, Number(isAnswer(error)));
    };
    try {
      const answer = await question({ ...opts, ...once, maxBytes, onAttempt });
      count(1 + (heard ?? 0));
      this.#charge(client, answer.tl.length);
      return answer;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      // A client that does not report its attempts has their number in the error.
      if (heard === undefined) onFailure(error, isAnswer(error) ? Math.min(error.attempts, MOST_ANSWERS) : 0);
      count(heard!);
      throw error;
    }
  }

  /** Returns the questions to a server. @param onRepeat called when an answer was remembered, so that it is not asked */
  questions(client: LiteServerClient, onRepeat: () => void): Questions {
    type AskWith<T> = (opts: LiteAskOptions) => Promise<T>;
    const unkeyed = <T extends TlAnswer>(opts: LiteAskOptions, question: AskWith<T>) =>
      this.#ask(client, undefined, opts, question, onRepeat);
    /** @param keep returns how to give the answer again */
    const keyed = async <T extends TlAnswer>(
      key: string,
      opts: LiteAskOptions,
      question: AskWith<T>,
      keep: (answer: T) => () => T,
    ): Promise<T> => {
      const name = `${client.name} ${key}`;
      const known = this.#kept.get(name);
      if (known !== undefined) {
        onRepeat();
        return known.again() as T; // kept under this name
      }
      const answer = await this.#ask(client, key, opts, question, onRepeat);
      this.#keep(name, { bytes: answer.tl.length, again: keep(answer) });
      return answer;
    };
    return {
      masterchainInfo: (opts = {}) => unkeyed(opts, (asked) => client.masterchainInfo(asked)),
      accountState: (id, account, opts = {}) => unkeyed(opts, (asked) => client.accountState(id, account, asked)),
      transaction: (id, account, lt, opts = {}) => unkeyed(opts, (asked) => client.transaction(id, account, lt, asked)),
      transactions: (account, newest, opts = {}) =>
        unkeyed(opts, (asked) => client.transactions(account, newest, asked)),
      shardProof: (id, opts = {}) => unkeyed(opts, (asked) => client.shardProof(id, asked)),
      ask: async (request, opts = {}) =>
        (await unkeyed(opts, async (asked) => ({ tl: await client.ask(request, asked) }))).tl,
      lookup: (seqno, opts = {}) => {
        const keep = (block: LookedUpBlock) => () => block;
        return keyed(`lookup ${seqno}`, opts, (asked) => client.lookup(seqno, asked), keep);
      },
      blockProof: (from, to, opts = {}) => {
        const key = `proof ${formatBlockId(from)} ${formatBlockId(to)}`;
        return keyed(key, opts, (asked) => client.blockProof(from, to, asked), keepProof);
      },
    };
  }
}
