/** What each server is asked in a run: how many questions at a time, and how often it answers the same one. */
import { formatBlockId } from '../../src/core/block/block-id.ts';
import type { Answer, Question } from './port.ts';

/** Questions in flight to a server, answers to one question, and milliseconds after which a follower may ask anew. */
const AT_A_TIME = 2;
const ANSWERS = 3;
const ANEW_MS = 2_000;

function keyOf(index: number, question: Question): string | undefined {
  switch (question.kind) {
    case 'lookup':
      return `block ${question.seqno} by server ${index}`;
    case 'proof':
      return `the way from ${formatBlockId(question.known)} to ${formatBlockId(question.target)} by server ${index}`;
    default:
      return undefined;
  }
}

/** No answer: the server hangs up, or wants fewer questions. */
function isNone(answer: Answer): boolean {
  return answer.kind === 'closed' || answer.kind === 'spoiled' || (answer.kind === 'error' && answer.code === 429);
}

export class AskedQuestions {
  readonly #inFlight = new Map<number, number>();
  /** When each question was answered. */
  readonly #answered = new Map<string, number[]>();
  readonly #found: (what: string) => void;

  constructor(found: (what: string) => void) {
    this.#found = found;
  }

  /** @returns called when it is over, with an answer or without */
  asked(index: number): () => void {
    const open = this.#count(index, 1);
    if (open > AT_A_TIME) this.#found(`server ${index} is asked ${open} questions at a time`);
    let isOver = false;
    return () => {
      if (!isOver) this.#count(index, -1);
      isOver = true;
    };
  }

  #count(index: number, more: number): number {
    const open = (this.#inFlight.get(index) ?? 0) + more;
    this.#inFlight.set(index, open);
    return open;
  }

  answered(index: number, question: Question, answer: Answer, nowMs: number, isFollowed: boolean): void {
    const key = keyOf(index, question);
    if (key === undefined || isNone(answer)) return;
    const before = this.#answered.get(key) ?? [];
    const times = [...(isFollowed ? before.filter((ms) => nowMs - ms < ANEW_MS) : before), nowMs];
    this.#answered.set(key, times);
    if (times.length > ANSWERS) this.#found(`${key} is answered ${times.length} times`);
  }
}
