/** A thousand times four processes ask for one file at once, half of the time over a lock of a process that was killed: always one has it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Contender, canMakeNamespaces, lockRounds } from '../helpers/lock-rounds.ts';

const BATCH = 50;

async function rounds(contained: readonly boolean[], count: number): Promise<Readonly<Record<string, number>>> {
  const folder = mkdtempSync(join(tmpdir(), 'ton-finality-locks-'));
  const contenders = await Promise.all(contained.map((one) => Contender.start(one)));
  const total: Record<string, number> = {};
  try {
    for (let done = 0; done < count; done += BATCH) {
      const files = Array.from({ length: BATCH }, (_, at) => join(folder, `${done + at}.json`));
      const { counts } = await lockRounds(contenders, files);
      for (const [name, times] of Object.entries(counts)) total[name] = (total[name] ?? 0) + times;
    }
  } finally {
    for (const one of contenders) await one.end();
    rmSync(folder, { recursive: true, force: true });
  }
  return total;
}

it('one of four processes goes on, a thousand times', async () => {
  expect(await rounds([false, false, false, false], 1000)).toEqual({ '1 owner': 1000 });
}, 1_800_000);

it('one of four processes in three PID namespaces goes on, a thousand times', async () => {
  if (!canMakeNamespaces()) return; // it was said
  expect(await rounds([false, false, true, true], 1000)).toEqual({ '1 owner': 1000 });
}, 1_800_000);
