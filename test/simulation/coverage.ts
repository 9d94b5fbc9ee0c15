/** Which lines of a room worlds run, by the counts of the engine over the bundle and its source map. */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { basename, join, relative, resolve } from 'node:path';
import { ROOT } from '../helpers/vectors.ts';

export interface Coverage {
  readonly lines: number;
  readonly covered: number;
  readonly files: Readonly<
    Record<string, { readonly lines: number; readonly covered: number; readonly never: readonly number[] }>
  >;
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Whether the code at each place of a text was run: the innermost range says. */
function countsOf(length: number, ranges: readonly Range[]): Uint8Array {
  const runs = new Uint8Array(length).fill(1);
  // Outer ones first: what is inside says it more exactly.
  const sorted = [...ranges].sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of sorted) runs.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return runs;
}

/**
 * @param folder of the sources
 * @param run what is measured; loads the bundle of that name
 */
export async function coverageOf(name: string, folder: string, run: () => Promise<void>): Promise<Coverage> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const bundle = join(ROOT, 'build', 'simulation', `${name}.mjs`);
  const text = readFileSync(bundle, 'utf8');
  const runs = new Uint8Array(text.length);
  const isOurs = (url: string) => basename(url.split('?')[0]!) === basename(bundle);
  for (const { functions } of result.filter(({ url }) => isOurs(url))) {
    const counts = countsOf(
      text.length,
      functions.flatMap(({ ranges }) => ranges),
    );
    for (const [at, isRun] of counts.entries()) if (isRun === 1) runs[at] = 1;
  }
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  const seen = new Map<string, Map<number, boolean>>();
  let offset = 0;
  for (const [line, words] of text.split('\n').entries()) {
    for (let column = 0; column < words.length; column++) {
      if (words[column] === ' ' || words[column] === '}') continue;
      const entry = map.findEntry(line, column);
      if (!('originalSource' in entry)) continue;
      const file = relative(ROOT, resolve(join(ROOT, 'build', 'simulation'), entry.originalSource));
      if (!file.startsWith(folder)) continue;
      if (!seen.has(file)) seen.set(file, new Map());
      const lines = seen.get(file)!;
      lines.set(entry.originalLine + 1, (lines.get(entry.originalLine + 1) ?? false) || runs[offset + column] === 1);
    }
    offset += words.length + 1;
  }
  const files: Record<string, { lines: number; covered: number; never: number[] }> = {};
  for (const [file, lines] of [...seen].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const never = [...lines].flatMap(([line, isRun]) => (isRun ? [] : [line])).sort((a, b) => a - b);
    files[file] = { lines: lines.size, covered: lines.size - never.length, never };
  }
  const sum = (part: 'lines' | 'covered') => Object.values(files).reduce((all, one) => all + one[part], 0);
  return { lines: sum('lines'), covered: sum('covered'), files };
}
