/** Rules of the house that a reader of one file cannot see: nothing is there twice, and no file needs itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');
const TEXTS: ReadonlyMap<string, string> = new Map(
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('assembly'))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(SRC, name), 'utf8')]),
);

/** What each file declares by lines that fit, with the files of each name. */
function declared(pattern: RegExp): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const [file, text] of TEXTS) {
    for (const name of new Set([...text.matchAll(pattern)].map((match) => match[1]!))) {
      files.set(name, [...(files.get(name) ?? []), file]);
    }
  }
  return files;
}

/** Files that a file imports, types and lazy imports included. */
function importsOf(file: string): string[] {
  const named = [...TEXTS.get(file)!.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
  return named
    .map(([, path]) => relative(SRC, join(SRC, dirname(file), path!)).replaceAll('\\', '/'))
    .filter((path) => TEXTS.has(path));
}

/** Groups of files each of which leads to all the others: Tarjan's algorithm. */
function circles(): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    open.push(file);
    for (const next of importsOf(file)) {
      if (!index.has(next)) visit(next);
      if (open.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) found.push(group.sort());
  };
  for (const file of TEXTS.keys()) if (!index.has(file)) visit(file);
  return found;
}

/** Names of private helpers that three files or more still have. What is mended leaves the list. */
const STILL_THRICE: readonly string[] = [
  'ask', // a question each, of a thread, a contradiction, a synchronisation and a command
  'end', // of a machine each
  'judge', // a fact, a comparison, a followed block, a command's answer
  'keyOf',
  'nameOf',
  'readMessage', // of TL-B, of ADNL
];

/** Constants that two files or more still declare under one name. What is mended leaves the list. */
const STILL_TWICE: readonly string[] = [
  'BACKSLASH', // characters of JSON
  'CHUNK_BYTES', // of files
  'CLOSE', // letters of a name, and a message to a thread
  'CLOSE_BRACKET',
  'COMMA',
  'FROM_KEY_BLOCK', // asked and read
  'HASH_BYTES', // the report page is one file of its own
  'MAX_NAME_CHARS',
  'MAX_NUMBER',
  'MAX_REFUSALS',
  'NEWLINE',
  'NONCE_BYTES',
  'OPENING_BRACE',
  'ORDINARY', // no meaning in common
  'PAD',
  'SEED_BYTES', // of a shuffle, of a key
  'SIGNATURE_BYTES', // a worker imports nothing
  'WAIT_STEP_MS',
];

/** Knobs of `base/limits.ts` that one file uses and that are not beside their user yet. What is mended leaves the list. */
const STILL_FAR: readonly string[] = [
  'FAR_BEHIND_BLOCKS',
  'FRAME_RATE_WINDOW_MS',
  'IDLE_CLOSE_MS',
  'KEYED_REQUESTS_PER_SECOND',
  'KEYLESS_REQUESTS_PER_SECOND',
  'LITE_REST_CAP_MS',
  'LITE_REST_MS',
  'MAX_CONFRONT_CPU_MS',
  'MAX_RETRY_AFTER_MS',
  'MIN_FRAME_BYTES_PER_WINDOW',
  'PING_AFTER_MS',
  'RECONNECT_BASE_MS',
  'RECONNECT_CAP_MS',
  'RECONNECT_EARLY_MS',
  'RUN_BYTES',
  'RUN_BYTES_PER_SERVER',
  'SAME_QUESTION_MS',
  'SHARE_REFILL_MS',
  'SIGN_EVERY_SECONDS',
  'SILENT_AFTER_MS',
  'WAIT_FOR_BLOCK_MS',
];

/** Circles that are left. What is mended leaves the list. */
const STILL_CIRCLES: readonly string[] = [
  'app/cli/metrics-option.ts app/cli/metrics.ts', // a type and a lazy import
];

/** What one call may take of an input stands in one place, whoever counts it: a size, a depth, a number of elements. */
function isCap(name: string): boolean {
  return /^(?:MAX|WORK)_/.test(name) && !/_(?:MS|SECONDS)$/.test(name);
}

describe('one of everything', () => {
  it('reads the sources', () => {
    expect(TEXTS.size).toBeGreaterThan(200);
    expect(importsOf('core/verify/judge.ts')).toContain('core/verify/report.ts');
  });

  it('no file leads back to itself, types and lazy imports included', () => {
    expect(
      circles()
        .map((group) => group.join(' '))
        .sort(),
    ).toEqual([...STILL_CIRCLES].sort());
  });

  it('no private helper of one name is in three files', () => {
    const helpers = declared(/^(?:async )?(?:function\*? |const )([a-z]\w*)(?:[(<]| = (?:async )?(?:\(|function))/gm);
    const thrice = [...helpers].filter(([, files]) => files.length > 2).map(([name]) => name);
    expect(thrice.sort()).toEqual([...STILL_THRICE].sort());
  });

  it('no number of one name and value is declared twice', () => {
    const twice = [...declared(/^(?:export )?const ([A-Z][A-Z0-9_]+(?:: number)? = -?\d[^;\n]*);/gm)];
    const names = twice.filter(([, files]) => files.length > 1).map(([declaration]) => declaration.split(/[ :]/)[0]!);
    expect([...new Set(names)].sort()).toEqual([...STILL_TWICE].sort());
  });

  it('a knob that one file uses is in that file', () => {
    const limits = TEXTS.get('core/base/limits.ts')!;
    const names = [...limits.matchAll(/^export const (\w+)/gm)].map((match) => match[1]!);
    const users = (name: string) =>
      [...TEXTS].filter(([file, text]) => file !== 'core/base/limits.ts' && new RegExp(`\\b${name}\\b`).test(text));
    const isOwn = (name: string) => new RegExp(`\\b${name}\\b`, 'g')[Symbol.match](limits)!.length > 1;
    const far = names.filter((name) => !isCap(name) && users(name).length < 2 && !isOwn(name));
    expect(far.sort()).toEqual([...STILL_FAR].sort());
  });
});
