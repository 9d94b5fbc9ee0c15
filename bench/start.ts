/**
 * How long the command takes to start: fresh processes of `node -e 0` and of the command as it ships, in turns.
 *
 *   node build/bench/start.js [ROUNDS]     prints medians; 21 rounds unless told
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../test/helpers/vectors.ts';

const COMMAND = join(ROOT, 'build/bundle/app/cli/cli.js');
const BLOCK = join(ROOT, 'vectors/real/mainnet-2026-04-simplex/block-59379986');
const BASELINE = 'node -e 0';

const CANDIDATES: readonly (readonly [name: string, ...args: string[]])[] = [
  [BASELINE, '-e', '0'],
  ['ton-finality --version', COMMAND, '--version'],
  [
    'ton-finality verify FILE',
    COMMAND,
    ...['verify', join(BLOCK, 'signatures.json'), '--validators', join(BLOCK, 'validators.json')],
  ],
];

export interface StartRow {
  readonly name: string;
  readonly medianMs: number;
  /** Median of the ratios to the `node -e 0` of the same round. */
  readonly timesNode: number;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

/** A process that does not end with 0 ends the bench: it did not do what is measured. */
export function startTimes(rounds: number): StartRow[] {
  const times = CANDIDATES.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < CANDIDATES.length; turn++) {
      const at = (round + turn) % CANDIDATES.length;
      const [, ...args] = CANDIDATES[at]!;
      const start = performance.now();
      execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      times[at]!.push(performance.now() - start);
    }
  }
  return CANDIDATES.map(([name], at) => ({
    name,
    medianMs: median(times[at]!),
    timesNode: median(times[at]!.map((ms, round) => ms / times[0]![round]!)),
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, medianMs, timesNode } of startTimes(Number(process.argv[2] ?? 21))) {
    process.stdout.write(
      `${name.padEnd(30)}${medianMs.toFixed(1).padStart(8)} ms${timesNode.toFixed(2).padStart(8)} x\n`,
    );
  }
}
