/** Tasks that run at the same time, and what becomes of them when one fails. */
import { expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import type { Signal } from '../../../src/core/base/runtime-types.ts';
import { Tasks } from '../../../src/net/async/tasks.ts';

it('a task that fails stops whatever else it has under way, and no other task', async () => {
  const tasks = new Tasks<string>(undefined);
  const signals: Signal[] = [];
  tasks.begin(0, (signal) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  const failing = async (signal: Signal) => {
    signals.push(signal);
    throw new SourceError('source/disagree', 'two certified blocks');
  };
  tasks.begin(1, failing, ({ code }) => code);
  expect(await tasks.take()).toBe('source/disagree');
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});
