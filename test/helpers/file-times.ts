/** What a test file costs, for `scripts/test-times.mjs`: processor time of its process and of all that it started, and wall time. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';
import { ROOT } from './vectors.ts';

const TICKS_A_SECOND = 100;

interface Process {
  readonly parent: number;
  readonly seconds: number;
}

function processes(): Map<number, Process> {
  const all = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The name of a program may hold spaces and brackets: the numbers begin after the last one.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      all.set(Number(name), { parent: Number(fields[1]), seconds: ticks / TICKS_A_SECOND });
    } catch {
      // It has ended.
    }
  }
  return all;
}

/** Of this process, of those that have ended, and of those that run. */
function processorTime(): number {
  const all = processes();
  const isOurs = (id: number): boolean => id === process.pid || (all.has(id) && isOurs(all.get(id)!.parent));
  return [...all].reduce((sum, [id, { seconds }]) => (isOurs(id) ? sum + seconds : sum), 0);
}

export function recordTimes(file: string): void {
  const begun = { cpu: processorTime(), wall: Date.now() };
  afterAll(() => {
    const name = relative(ROOT, expect.getState().testPath ?? '?');
    const cpu = Math.round((processorTime() - begun.cpu) * 100) / 100;
    appendFileSync(file, `${JSON.stringify({ name, cpu, wall: (Date.now() - begun.wall) / 1000 })}\n`);
  });
}
