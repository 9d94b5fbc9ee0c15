/**
 * Audits that are ended from outside at random points, killed, cut or on a full disk, and run again until they are done: over a
 * stand-in server with faults that end, or over any other that counts its questions.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { text } from './audit-chain.ts';
import { startCli } from './run-cli.ts';
import type { StandIn } from './stand-in.ts';
import type { FaultName } from './stand-in-faults.ts';
import { ROOT } from './vectors.ts';
import { runCli } from './warm-cli.ts';

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

/** Killed; killed, and of the file only what had come to disk before a power cut; a disk that takes no more. */
export type End = 'kill' | 'cut' | 'full';

/** Numbers from 0 to below 1 that are the same for a seed. */
export function random(seed: number): () => number {
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
  /** Files that were cut shorter, and runs that ended since the disk took no more. */
  readonly cuts: number;
  readonly full: number;
}

export interface EndedAudit {
  /** The command line, but for `--out FILE`. */
  readonly words: readonly string[];
  /** The exit code of an audit that is done. */
  readonly code: number;
  /** Has somebody told of each question that the audit asks. */
  readonly listen: (onQuestion: () => void) => void;
  readonly folder: string;
  /** Audits that are ended, each once or more. */
  readonly points: number;
  readonly draw: () => number;
  readonly ends: readonly End[];
  /** What comes between the audit in one go and those that are ended. */
  readonly afterWhole?: () => void;
}

const TMPFS = ['-Urm', '--kill-child', 'bash', '-c'];

/** Whether this machine lets its user mount a little disk; says so loudly where it does not. */
function canMount(): boolean {
  const tried = spawnSync('unshare', [...TMPFS, 'mount -t tmpfs -o size=16k none /mnt']);
  if (tried.status === 0) return true;
  const why = tried.error?.message ?? tried.stderr.toString().trim();
  process.stderr.write(
    `\n*** NOT TESTED: audits on a disk that is full. A limit of the file's size is in its place: ${why} ***\n\n`,
  );
  return false;
}

interface Ending {
  readonly code: number | null;
  readonly stderr: string;
}

function runInBash(script: string): Promise<Ending> {
  const [command, ...before] = script.includes('mount -t') ? ['unshare', ...TMPFS] : ['bash', '-c'];
  return new Promise((resolve, reject) => {
    const child = spawn(command!, [...before, script], { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      stderr += piece;
    });
    child.on('error', reject).on('close', (code) => resolve({ code, stderr }));
  });
}

/** On a disk of so many pages of 4096 bytes, from which all is taken back; or with files of no more bytes than that. */
function onFullDisk(words: readonly string[], out: string, pages: number, isMounted: boolean): Promise<Ending> {
  const quoted = (all: readonly string[]) => all.map((word) => `'${word}'`).join(' ');
  const cli = [process.execPath, join(ROOT, 'build/bundle/app/cli/cli.js'), ...words];
  if (!isMounted) return runInBash(`ulimit -f ${4 * pages}; exec ${quoted([...cli, '--out', out])}`);
  const inside = '/mnt/rows.ndjson';
  return runInBash(
    `mount -t tmpfs -o size=${4 * pages}k none /mnt
     for end in '' .sets; do [ ! -e '${out}'$end ] || cat '${out}'$end > ${inside}$end || rm -f ${inside}$end; done
     ${quoted([...cli, '--out', inside])}; code=$?
     for end in '' .sets; do rm -f '${out}'$end; [ ! -e ${inside}$end ] || cp ${inside}$end '${out}'$end; done
     exit $code`,
  );
}

/** Runs an audit that is killed when it has asked some of its questions, or at the end of a wait. */
async function killed(
  audit: EndedAudit,
  out: string,
  questions: number,
): Promise<Ending & { readonly isKilled: boolean }> {
  const { words, draw, listen } = audit;
  const { child, ended } = startCli([...words, '--out', out]);
  // Counted in questions, so that a busy machine is killed at the same points as one that is not; and some time after one.
  let left = Number.isFinite(questions) ? Math.floor(draw() * (questions + 1)) : questions;
  const afterMs = draw() * (left === 0 ? 400 : 40);
  let timer: NodeJS.Timeout | undefined;
  const count = () => {
    if (left <= 0) timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs);
    left -= 1;
  };
  listen(count);
  if (left === 0) count();
  const { signal, code, stderr } = await ended;
  clearTimeout(timer);
  listen(() => {});
  return { code, stderr, isKilled: signal === 'SIGKILL' };
}

export async function endedAudit(audit: EndedAudit): Promise<KillResult> {
  const { words, folder, points, draw, ends } = audit;
  mkdirSync(folder, { recursive: true });
  const whole = join(folder, 'whole.ndjson');
  let questions = 0;
  audit.listen(() => {
    questions += 1;
  });
  const { code, stderr } = await runCli([...words, '--out', whole]);
  audit.listen(() => {});
  if (code !== audit.code) throw new Error(`expected ${audit.code}, got ${code}: ${stderr}`);
  audit.afterWhole?.();
  const wholeText = text(whole);
  const isMounted = ends.includes('full') && canMount();
  const counts = { kills: 0, cuts: 0, full: 0 };
  const different: string[] = [];
  for (let point = 0; point < points; point++) {
    const out = join(folder, `${point}.ndjson`);
    let wanted = draw() < 0.5 ? 1 : 2;
    for (;;) {
      const end = wanted-- > 0 ? ends[Math.floor(draw() * ends.length)]! : undefined;
      if (end === 'full') {
        const pages = 1 + Math.floor((draw() * wholeText.length) / 4096);
        const { code: ending, stderr: said } = await onFullDisk(words, out, pages, isMounted);
        const left = existsSync(out) ? text(out) : '';
        if (ending === audit.code) break;
        if (ending !== 2 || !wholeText.startsWith(left) || !(left === '' || left.endsWith('\n')))
          throw new Error(`a full disk of ${pages} pages: ended with ${ending}: ${said}`);
        counts.full += 1;
        continue;
      }
      const {
        isKilled,
        code: ending,
        stderr: said,
      } = await killed(audit, out, end === undefined ? Number.POSITIVE_INFINITY : questions);
      if (isKilled) counts.kills += 1;
      else if (ending !== audit.code) throw new Error(`ended with ${ending}: ${said}`);
      if (end === 'cut' && existsSync(out)) {
        truncateSync(out, Math.floor(draw() * (statSync(out).size + 1)));
        if (draw() < 0.5) rmSync(`${out}.sets`, { force: true }); // it may not have come to disk
        counts.cuts += 1;
      } else if (!isKilled) break;
    }
    if (text(out) !== wholeText) different.push(out);
  }
  return { different, ...counts };
}

export async function killedAudit({ standIn, checkpoint, to, folder, points, seed }: KilledAudit): Promise<KillResult> {
  const draw = random(seed);
  let onQuestion = () => {};
  standIn.chooseFault = () => {
    onQuestion();
    return undefined;
  };
  return await endedAudit({
    words: [
      ...['audit', '--from', '1', '--to', String(to), '--checkpoint', checkpoint, '--quiet'],
      ...['--base-url', `${standIn.origin}/api/v2`, '--rate', '1000'],
    ],
    code: 4,
    listen: (listener) => {
      onQuestion = listener;
    },
    folder,
    points,
    draw,
    ends: ['kill'],
    afterWhole: () => faultsOnce(standIn, draw, () => onQuestion()),
  });
}
