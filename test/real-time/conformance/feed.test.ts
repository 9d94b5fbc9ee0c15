/** What the runner makes of adapters that hang, die, lie and babble. The clock is the test's. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Listener, type Outcome, runner } from '../../conformance/runner.ts';
import { ROOT } from '../../helpers/vectors.ts';

const caseOf = (deed: string, k = 0) => ({ id: `boc/${deed}/${k}`, operation: 'boc', input: { do: deed } });
const fake = (...args: readonly string[]) => ({
  command: process.execPath,
  args: [join(ROOT, 'test/conformance/fake-adapter.mjs'), ...args],
  cwd: ROOT,
});
/** Nothing here waits for time to pass: what would is ended by its timer, which the test lets go off. */
const never = { set: () => undefined, clear: () => {} };

async function outcomesOf(deeds: readonly string[]): Promise<Record<string, string>> {
  const { outcomes } = await runner.feed(
    deeds.map((deed, k) => caseOf(deed, k)),
    fake(),
    { timers: never },
  );
  const text = ({ answer, fault, detail }: Outcome) => (answer === undefined ? `${fault}: ${detail}` : answer.result);
  return Object.fromEntries([...outcomes].map(([id, outcome]) => [id, text(outcome)]));
}

describe('a real process', () => {
  it('is asked many cases, and its answers come in any order', async () => {
    expect(await outcomesOf(['accept', 'hold', 'reject', 'release', 'unsupported'])).toEqual({
      'boc/accept/0': 'accept',
      'boc/hold/1': 'accept',
      'boc/reject/2': 'reject',
      'boc/release/3': 'accept',
      'boc/unsupported/4': 'unsupported',
    });
  });

  it('loses each case alone that it dies of or babbles at, in the midst of others', async () => {
    const faults = {
      die: /^crash: exited with 3/,
      abort: /^crash: ended by SIGABRT/,
      garbage: /^crash: a line that is no answer: Segmentation fault/,
      shape: /^crash: a line that is no answer/,
      stranger: /^crash: an answer to nobody, which was not asked/,
      overlong: /^crash: a line over 1 MiB/,
      twice: /^crash: answered twice/,
      flood: /^crash: answered twice/,
    };
    const outcomes = await outcomesOf([
      'accept',
      ...Object.keys(faults).flatMap((deed) => ['accept', deed, 'accept', 'reject']),
    ]);
    for (const [deed, words] of Object.entries(faults)) {
      const id = Object.keys(outcomes).find((one) => one.startsWith(`boc/${deed}/`))!;
      expect(outcomes[id]).toMatch(words);
      delete outcomes[id];
    }
    expect(Object.values(outcomes)).toEqual([
      'accept',
      ...Object.keys(faults).flatMap(() => ['accept', 'accept', 'reject']),
    ]);
  });

  it('that has no hello, or cannot be started, ends the run', async () => {
    await expect(runner.feed([caseOf('accept')], fake('no-hello'), { timers: never })).rejects.toThrow(/no hello/);
    const nothing = { command: join(ROOT, 'no-such-program'), args: [], cwd: ROOT };
    await expect(runner.feed([caseOf('accept')], nothing, { timers: never })).rejects.toThrow(/cannot be started/);
  });

  it('that dies of every case ends the run, with what it said', async () => {
    const cases = Array.from({ length: 40 }, (_, k) => caseOf('die', k));
    await expect(runner.feed(cases, fake(), { timers: never, barrenLives: 3 })).rejects.toThrow(/3 times in a row/);
  });
});

/** An adapter in this process. Timers go off when it has nothing to say. */
function inMemory(deeds: Readonly<Record<string, (id: string, say: (value: object) => void) => void>>) {
  let timer: (() => void) | undefined;
  const lives: string[][] = [];
  const start = (_how: object, listener: Listener) => {
    const asked: string[] = [];
    lives.push(asked);
    let isOver = false;
    const say = (value: object) => listener.line(JSON.stringify(value));
    const exit = (why: string) => {
      if (!isOver) queueMicrotask(() => listener.exit(why));
      isOver = true;
    };
    queueMicrotask(() => say({ implementation: 'x', version: '1', language: 'x', operations: ['boc'] }));
    return {
      send(line: string) {
        const { id, input } = JSON.parse(line) as { id: string; input: { do: string } };
        asked.push(id);
        setImmediate(() => {
          if (isOver) return;
          const deed = deeds[input.do];
          if (deed === undefined) say({ id, result: 'accept' });
          else deed(id, say);
          // Where nobody else has anything to say either, time passes.
          setImmediate(() => setImmediate(() => timer?.()));
        });
      },
      end: () => exit('exited with 0'),
      kill: () => exit('ended by SIGKILL'),
    };
  };
  const timers = {
    set(run: () => void) {
      timer = run;
      return run;
    },
    clear(given: unknown) {
      if (given === timer) timer = undefined;
    },
  };
  return { start, timers, lives };
}

describe('an adapter that hangs', () => {
  it('loses the case that hangs by itself, and no other', async () => {
    const { start, timers, lives } = inMemory({ hang: () => {} });
    const cases = ['accept', 'hang', 'accept', 'hang', 'accept'].map((deed, k) => caseOf(deed, k));
    const { outcomes, faults } = await runner.feed(cases, {}, { start, timers });
    const of = (id: string) => outcomes.get(id)?.answer?.result ?? outcomes.get(id)?.fault;
    expect(cases.map(({ id }) => of(id))).toEqual(['accept', 'timeout', 'accept', 'timeout', 'accept']);
    expect(faults).toEqual([]);
    // The two that hung were asked again, each alone.
    expect(lives.slice(1).map((asked) => asked.length)).toEqual([1, 1]);
  });

  it('and stays after the end of its input is told to do so, which is a fault of no case', async () => {
    const { start, timers } = inMemory({});
    let last: (() => void) | undefined;
    const stays = (how: object, listener: Listener) => ({
      ...start(how, listener),
      end: () => setImmediate(() => last?.()),
    });
    const set = (run: () => void) => {
      last = run;
      return timers.set(run);
    };
    const { faults } = await runner.feed([caseOf('accept')], {}, { start: stays, timers: { ...timers, set } });
    expect(faults).toEqual(['it did not exit at the end of its input']);
  });
});

it('operations that an adapter does not have are not asked', async () => {
  const { start, timers, lives } = inMemory({});
  const cases = [{ ...caseOf('accept'), operation: 'account' }, caseOf('accept', 1)];
  const { outcomes } = await runner.feed(cases, {}, { start, timers });
  expect(outcomes.get('boc/accept/0')?.answer?.result).toBe('unsupported');
  expect(lives).toEqual([['boc/accept/1']]);
});
