/** Runs the examples of a Markdown file where their reader would, and says what they print. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LiteDesk, layBridgeDesk, layDepositDesk, layLiteDesk, layRecordedDesk } from './desk.ts';
import { type StandIn, startStandIn } from './stand-in.ts';
import { ROOT } from './vectors.ts';
import { runProgram, runWarm } from './warm-cli.ts';

/** Where the reader has started `npm run stand-in`; that port may be taken here. */
const SHOWN = '127.0.0.1:8081';

const CLI = join(ROOT, 'build/bundle/app/cli/cli.js');

/** One run of the command in which a shell would find nothing to do: its words. */
const PLAIN = /^(?:npx )?ton-finality ([\w./:=@,+ -]+)$/;

export interface ExampleRunner {
  /** What the command prints, on both streams. */
  command(text: string): Promise<string>;
  /** What the program prints, as a module under plain Node that nothing keeps alive when it is through. */
  program(code: string): Promise<string>;
  close(): Promise<void>;
}

/** @param name of a folder of its own, inside the project, so that programs import the package by its name */
export async function startExamples(name: string): Promise<ExampleRunner> {
  const folder = join(ROOT, 'build', `examples-${name}`);
  rmSync(folder, { recursive: true, force: true });
  const standIn: StandIn = await startStandIn();
  const recorded = layRecordedDesk(join(folder, 'recorded'));
  const deposit = layDepositDesk(join(folder, 'deposit'));
  let lite: LiteDesk | undefined;
  const here = `127.0.0.1:${standIn.port}`;

  function run(command: string, args: readonly string[], cwd: string, env = {}): Promise<string> {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    return new Promise((resolve, reject) => {
      child.on('error', reject).on('close', () => resolve(printed.trimEnd().replaceAll(here, SHOWN)));
    });
  }

  let bridge: Promise<Pick<LiteDesk, 'close'>> | undefined;
  let programs = 0;
  return {
    async command(text) {
      // What a shell would run, without reinstalling the project under the running test.
      const runnable = text
        .replace(/^npm ci && /, '')
        .replace(/^npm start$/, 'node scripts/start.mjs')
        .replace(/\b(?:npx )?ton-finality /g, `node ${CLI} `)
        .replaceAll(SHOWN, here);
      if (text.startsWith('npm ')) return run('bash', ['-c', runnable], ROOT);
      let [cwd, env] = [/\btransaction\.tl|\.fin\.boc/.test(text) ? deposit : recorded, {}];
      if (text.includes('global.config.json')) {
        lite ??= await layLiteDesk(join(folder, 'lite')); // its newest block is a second old from now
        [cwd, env] = [join(folder, 'lite'), lite.env];
      }
      const words = PLAIN.exec(text)?.[1]?.replaceAll(SHOWN, here).split(' ');
      if (words === undefined) return run('bash', ['-c', runnable], cwd, env);
      return (await runWarm(words, { cwd, env })).both.trimEnd().replaceAll(here, SHOWN);
    },
    async program(code) {
      // In `lite` after the commands of the same page, which have made the checkpoint.
      let desk = code.includes('global.config.json') ? join(folder, 'lite') : recorded;
      if (code.includes('depositsOf')) {
        desk = join(folder, 'bridge');
        bridge ??= layBridgeDesk(desk);
        await bridge;
      }
      const file = join(desk, `example-${programs++}.mjs`);
      writeFileSync(file, code.replaceAll(SHOWN, here));
      return (await runProgram(file, { cwd: desk })).both.trimEnd().replaceAll(here, SHOWN);
    },
    async close() {
      await lite?.close();
      await (await bridge)?.close();
      await standIn.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The output that a text shows, as a pattern: a line of `…` alone stands for any lines. Of the stand-in lite servers, whose chain
 * is made when they start, hashes are cut to `…` within a line, and times are another day's.
 */
export function shownOutput(shown: string, command = ''): RegExp {
  const line = (text: string) =>
    command.includes('global.config.json')
      ? escaped(text)
          .replaceAll('…', '\\S*')
          .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ')
          .replace(/\d+ s ago/g, '\\d+ s ago')
      : escaped(text);
  const source = shown.split('\n').map((text) => (text === '…' ? '(?:.*\\n)*?' : `${line(text)}\\n`));
  return new RegExp(`^${source.join('')}$`);
}
