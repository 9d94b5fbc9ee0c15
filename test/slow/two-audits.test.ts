/** Two audits of one ledger at once, each process 1 of a PID namespace of its own, as in containers: one goes on, the other touches nothing. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { checkpointToJson } from '../../src/core/chain/checkpoint.ts';
import { FIRST_UTIME, scratch, text } from '../helpers/audit-chain.ts';
import { LiteChain } from '../helpers/lite-chain.ts';
import { liteFlags } from '../helpers/lite-cli.ts';
import { startLiteStandIn } from '../helpers/lite-stand-in.ts';
import { canMakeNamespaces, NAMESPACE } from '../helpers/lock-rounds.ts';
import { startOf } from '../helpers/networks.ts';
import { runCli } from '../helpers/run-cli.ts';
import { ROOT } from '../helpers/vectors.ts';

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

function inContainer(words: readonly string[]): Promise<Ended> {
  const cli = [process.execPath, join(ROOT, 'build/bundle/app/cli/cli.js'), ...words];
  return new Promise((resolve, reject) => {
    const child = spawn('unshare', [...NAMESPACE, ...cli], { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      stderr += piece;
    });
    child.on('error', reject).on('close', (code) => resolve({ code, stderr }));
  });
}

const ROUNDS = Number(process.env.NUM ?? 10);

it(`one of two audits goes on, ${ROUNDS} times, and the other has touched nothing`, async () => {
  if (!canMakeNamespaces()) return; // it was said
  const place = scratch();
  const chain = new LiteChain({ length: 25, firstUtime: FIRST_UTIME, name: 'audit' });
  /** Servers answer when it is open, so that the audit that goes on is still there when the other gives up. */
  let gate = Promise.resolve();
  let questions = 0;
  let askedMs = 0;
  const standIn = await startLiteStandIn({
    answer: async (asked) => {
      if (questions === 0) askedMs = performance.now();
      questions += 1;
      await gate;
      return await chain.answer(asked);
    },
  });
  try {
    const checkpoint = place.next('checkpoint.json');
    writeFileSync(checkpoint, JSON.stringify(checkpointToJson(startOf(chain))));
    const flags = [
      '--checkpoint',
      checkpoint,
      '--accept-stale-start',
      '--quiet',
      '--deadline',
      '120',
      ...liteFlags(standIn),
    ];
    const words = (out: string) => ['audit', '--from', '1', '--to', '25', ...flags, '--out', out];
    const whole = place.next();
    expect(await runCli(words(whole))).toMatchObject({ code: 0 });
    const begun = text(whole).split('\n').slice(0, 9).join('\n').concat('\n');
    const figures: { readonly goesOnAfterMs: number; readonly endsAfterMs: number }[] = []; // printed: a busy machine is slow
    for (let round = 0; round < ROUNDS; round++) {
      const out = place.next();
      if (round % 2 === 1) writeFileSync(out, begun); // one that was begun earlier
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      questions = 0;
      const startMs = performance.now();
      const both = [inContainer(words(out)), inContainer(words(out))];
      const first = await Promise.race(both);
      const endedMs = performance.now();
      expect(first).toMatchObject({ code: 2, stderr: expect.stringMatching(/in use by /) });
      expect(questions).toBeGreaterThan(0); // the other one is at it
      // It has its first line at most, and nothing lies beside it but one lock.
      const left = existsSync(out) ? text(out) : '';
      expect(round % 2 === 1 ? left === begun : begun.startsWith(left)).toBe(true);
      const beside = readdirSync(place.folder).filter((name) => name.startsWith(`${basename(out)}.`));
      expect(beside).toEqual([expect.stringContaining('.lock.')]);
      open();
      const ended = await Promise.all(both);
      expect(ended.map(({ code }) => code).sort()).toEqual([0, 2]);
      expect(text(out) === text(whole)).toBe(true);
      figures.push({ goesOnAfterMs: Math.round(askedMs - startMs), endsAfterMs: Math.round(endedMs - startMs) });
    }
    process.stderr.write(`${JSON.stringify(figures)}\n`);
  } finally {
    await standIn.close();
    place.remove();
  }
}, 1_800_000);
