/** Audits against a stand-in server with faults that end, killed with SIGKILL at random points and run again until they are done. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from './audit-chain.ts';
import { runCli, startCli } from './run-cli.ts';
import type { StandIn } from './stand-in.ts';
import type { FaultName } from './stand-in-faults.ts';

export interface KilledAudit {
  readonly standIn: StandIn;
  readonly checkpoint: string;
  readonly to: number;
  readonly folder: string;
  /** Audits that are killed, each once or more. */
  readonly points: number;
  readonly seed: number;
}

const FAULTS: readonly FaultName[] = [
  '502-html',
  'connection-reset',
  'rate-limit-error',
  '503',
  'wrong-content-length',
];

/** Numbers from 0 to below 1 that are the same for a seed. */
function random(seed: number): () => number {
  let drawn = 0;
  return () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() / 2 ** 32;
}

/** Some questions fail the first time that a process asks them. @param onQuestion told of each */
function faultsOnce(standIn: StandIn, draw: () => number, onQuestion: () => void): void {
  const asked = new Map<string, number>();
  standIn.chooseFault = (operation, seqno) => {
    onQuestion();
    const key = `${operation} ${seqno}`;
    const times = asked.get(key) ?? 0;
    asked.set(key, times + 1);
    return times % 3 === 0 && draw() < 0.1 ? FAULTS[Math.floor(draw() * FAULTS.length)] : undefined;
  };
}

export interface KillResult {
  /** Points at which the finished ledger was another one. */
  readonly different: readonly string[];
  /** Kills that came before the end. */
  readonly kills: number;
}

export async function killedAudit({ standIn, checkpoint, to, folder, points, seed }: KilledAudit): Promise<KillResult> {
  mkdirSync(folder, { recursive: true });
  const draw = random(seed);
  const words = (out: string) => [
    ...['audit', '--from', '1', '--to', String(to), '--checkpoint', checkpoint, '--quiet', '--out', out],
    ...['--base-url', `${standIn.origin}/api/v2`, '--rate', '1000'],
  ];
  const whole = join(folder, 'whole.ndjson');
  const before = standIn.seen.length;
  const { code, stderr } = await runCli(words(whole));
  if (code !== 4) throw new Error(`expected 4, some undecided, got ${code}: ${stderr}`);
  const questions = standIn.seen.length - before;
  let onQuestion = () => {};
  faultsOnce(standIn, draw, () => onQuestion());
  const different: string[] = [];
  let kills = 0;
  for (let point = 0; point < points; point++) {
    const out = join(folder, `${point}.ndjson`);
    const wanted = draw() < 0.5 ? 1 : 2;
    for (let tries = 0; ; tries++) {
      const { child, ended } = startCli(words(out));
      // Counted in questions, so that a busy machine is killed at the same points as one that is not; and some time after one.
      let left = tries < wanted ? Math.floor(draw() * (questions + 1)) : Number.POSITIVE_INFINITY;
      const afterMs = draw() * (left === 0 ? 400 : 40);
      let timer: NodeJS.Timeout | undefined;
      const count = () => {
        if (left <= 0) timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs);
        left -= 1;
      };
      onQuestion = count;
      if (left === 0) count();
      const { signal, code: ending, stderr: words2 } = await ended;
      clearTimeout(timer);
      onQuestion = () => {};
      if (signal === 'SIGKILL') kills += 1;
      else if (ending === 4) break;
      else throw new Error(`ended with ${ending}: ${words2}`);
    }
    if (text(out) !== text(whole)) different.push(out);
  }
  return { different, kills };
}
