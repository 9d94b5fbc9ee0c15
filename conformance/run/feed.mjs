/**
 * Puts cases before an adapter, and starts it again when it hangs or dies. A few questions are open at a time; where one of them ends the
 * adapter, each is asked again alone, so that the fault is laid on the right one.
 */
import { startProcess } from './adapter-process.mjs';

export const LIMITS = {
  caseMs: 10_000,
  helloMs: 60_000,
  open: 8,
  /** Lives in a row without one answer, after which nothing more is to be had. */
  barrenLives: 25,
};
const RESULTS = new Set(['accept', 'reject', 'unsupported']);
const MAX_DETAIL = 500;
const MAX_FAULTS = 100;

const realTimers = { set: setTimeout, clear: clearTimeout };

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** @returns {string | undefined} what is wrong with a hello */
function faultOfHello(hello) {
  if (!isObject(hello)) return 'its first line is no JSON object';
  for (const name of ['implementation', 'version', 'language']) {
    if (typeof hello[name] !== 'string' || hello[name] === '') return `its hello has no ${name}`;
  }
  const { operations } = hello;
  const isList = Array.isArray(operations) && operations.every((one) => typeof one === 'string');
  return isList ? undefined : 'its hello has no list of operations';
}

/** An answer of the right shape, or undefined. */
function answerOf(line) {
  const answer = parse(line);
  if (!isObject(answer) || typeof answer.id !== 'string' || !RESULTS.has(answer.result)) return undefined;
  if (answer.value !== undefined && !isObject(answer.value)) return undefined;
  const detail = typeof answer.detail === 'string' ? { detail: answer.detail.slice(0, MAX_DETAIL) } : {};
  const value = answer.value === undefined ? {} : { value: answer.value };
  return { id: answer.id, result: answer.result, ...value, ...detail };
}

/** The run cannot go on: the adapter does not start, or never answers. */
export class NoAdapter extends Error {}

/**
 * @param cases what to ask: `{ id, operation, input }` of each is sent, and nothing else
 * @param how command, args and cwd of the adapter
 * @param options limits, `timers` (set, clear), and `onOutcome(id, outcome)`, which is called again where a second answer changes one
 * @returns hello, the outcome of each case by id (`{ answer }` or `{ fault: 'crash' | 'timeout', detail }`), and faults that belong to no case
 */
export async function feed(cases, how, options = {}) {
  const { caseMs, helloMs, open, barrenLives } = { ...LIMITS, ...options };
  const { timers = realTimers, onOutcome = () => {}, start = startProcess } = options;
  const byId = new Map(cases.map((one) => [one.id, one]));
  const queue = [...byId.keys()];
  /** Asked together with others when the adapter ended: now one at a time. */
  const suspects = [];
  const outcomes = new Map();
  const faults = [];
  let hello;
  let barren = 0;

  const note = (text) => {
    if (faults.length < MAX_FAULTS) faults.push(text);
  };
  const settle = (id, outcome) => {
    outcomes.set(id, outcome);
    onOutcome(id, outcome);
  };

  /** @returns when the adapter has ended */
  const live = () =>
    new Promise((resolve) => {
      const waiting = new Set();
      let greeted = false;
      let answered = 0;
      let ending = false;
      let killed;
      let timer;
      const arm = (ms, why) => {
        timers.clear(timer);
        timer = timers.set(() => stop(why), ms);
      };
      const stop = (why) => {
        killed ??= why;
        adapter.kill();
      };
      const ask = () => {
        if (killed !== undefined || ending) return;
        // Where nothing else is left to be asked, the suspects come next, each by itself.
        const from = suspects.length > 0 ? suspects : queue;
        const most = from === suspects ? 1 : open;
        while (waiting.size < most && from.length > 0) {
          const id = from.shift();
          if (!hello.operations.includes(byId.get(id).operation)) {
            settle(id, { answer: { id, result: 'unsupported', detail: 'the adapter does not have this operation' } });
            continue;
          }
          waiting.add(id);
          const { operation, input } = byId.get(id);
          adapter.send(JSON.stringify({ id, operation, input }));
        }
        if (waiting.size > 0) arm(caseMs, { fault: 'timeout', detail: `no answer in ${caseMs} ms` });
        else if (queue.length + suspects.length > 0) ask();
        else {
          ending = true;
          adapter.end();
          arm(caseMs, { fault: 'end', detail: 'it did not exit at the end of its input' });
        }
      };
      const fault = (detail) => stop({ fault: 'crash', detail });
      const line = (text) => {
        if (killed !== undefined) return;
        if (!greeted) {
          const given = parse(text);
          const wrong = faultOfHello(given);
          if (wrong !== undefined) return fault(wrong);
          greeted = true;
          hello ??= given;
          return ask();
        }
        const answer = answerOf(text);
        if (answer === undefined) return fault(`a line that is no answer: ${text.slice(0, 100)}`);
        const { id } = answer;
        if (waiting.delete(id)) {
          answered++;
          settle(id, { answer });
          return ask();
        }
        if (outcomes.has(id)) {
          settle(id, { fault: 'crash', detail: 'answered twice' });
          // Nobody needs to read an endless stream of them.
          if (++answered > 10 * cases.length + 100) fault('too many answers');
          return undefined;
        }
        return fault(`an answer to ${id.slice(0, 100)}, which was not asked`);
      };
      const exit = (why) => {
        timers.clear(timer);
        const { fault: kind, detail } = killed ?? { fault: 'crash', detail: why };
        if (kind === 'end') note(detail);
        else if (waiting.size === 1) settle([...waiting][0], { fault: kind, detail });
        else if (waiting.size > 1) suspects.push(...waiting);
        else if (killed !== undefined || !ending) note(detail);
        resolve({ answered, greeted, detail });
      };
      const adapter = start(how, { line, exit, overlong: () => killed === undefined && fault('a line over 1 MiB') });
      arm(helloMs, { fault: 'crash', detail: `no hello in ${helloMs} ms` });
    });

  let isFirst = true;
  while (isFirst || queue.length + suspects.length > 0) {
    isFirst = false;
    const { answered, greeted, detail } = await live();
    if (!greeted) throw new NoAdapter(`no hello: ${detail}`);
    barren = answered > 0 ? 0 : barren + 1;
    if (barren >= barrenLives && queue.length + suspects.length > 0) {
      throw new NoAdapter(`ended ${barren} times in a row without an answer, at last: ${detail}`);
    }
  }
  return { hello, outcomes, faults };
}
