/** The instructions of the Dockerfile, and a folder that looks like what they make: for machines without Docker. */
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './vectors.ts';

export interface Instruction {
  readonly name: string;
  readonly text: string;
  /** Position of the FROM above it. */
  readonly stage: number;
}

/** Every instruction in order. A line that goes on in the next is none that this file writes. */
export function dockerInstructions(): readonly Instruction[] {
  let stage = -1;
  return readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
      if (name === 'FROM') stage += 1;
      return { name, text, stage };
    });
}

/** The words of an instruction in its exec form. */
export function execForm(text: string): readonly string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[]; // a test reads every one
}

/** What a COPY takes and where it puts it. */
export function copyOf(text: string): {
  readonly from: string | undefined;
  readonly sources: string[];
  readonly to: string;
} {
  const words = text.split(' ');
  const from = words[0]?.startsWith('--from=') ? words.shift()!.slice('--from='.length) : undefined;
  const to = words.pop()!;
  return { from, sources: words, to };
}

/**
 * Makes the folder of the last stage below `root`, by its COPY lines, from this project as it is built.
 * @returns a path of the image to one of this machine
 */
export function makeImage(root: string): (path: string) => string {
  const instructions = dockerInstructions();
  const last = instructions.at(-1)!.stage;
  const here = (path: string) => path.replaceAll('/opt/ton-finality', join(root, 'opt/ton-finality'));
  let workdir = '/';
  for (const { name, text, stage } of instructions) {
    if (stage !== last) continue;
    if (name === 'WORKDIR') {
      workdir = text;
      mkdirSync(join(root, workdir), { recursive: true });
    }
    if (name !== 'COPY') continue;
    const { from, sources, to } = copyOf(text);
    for (const source of sources) {
      const path = from === undefined ? source : source.replace(/^\/src\//, '');
      const target = to.endsWith('/') ? join(root, workdir, to, path) : join(root, workdir, to);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(ROOT, path), target, { recursive: true });
    }
  }
  // What its RUN installs; `npm run test:package` does that very thing.
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'opt/ton-finality/node_modules'));
  return here;
}
