/** Runs `raw-fuzz.ts` as a process of its own, which has to end by itself. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './vectors.ts';

export interface RawFuzzResult {
  readonly asked: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly slowest: number;
  readonly stillOpen: number;
  readonly left: readonly string[];
  readonly trouble: readonly string[];
}

const SCRIPT = join(ROOT, 'build', 'test', 'helpers', 'raw-fuzz.js');

export async function fuzzRawServer(count: number, seed: number): Promise<RawFuzzResult> {
  const limitMs = 60_000 + count * 60;
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, String(count), String(seed)], {
    timeout: limitMs,
  });
  return JSON.parse(stdout) as RawFuzzResult; // what the script prints
}
