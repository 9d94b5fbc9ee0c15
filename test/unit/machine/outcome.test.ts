import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import {
  DecodeError,
  SourceError,
  type SourceErrorCode,
  TrustError,
  UnknownKind,
  ValidatorSetError,
} from '../../../src/core/base/errors.ts';
import {
  codeOfUnreadable,
  EFFECTS,
  effectOf,
  isA,
  lacksBlock,
  mayPass,
  OUTCOMES,
  outcomeOf,
  type Trait,
} from '../../../src/net/machine/outcome.ts';
import { ROOT } from '../../helpers/vectors.ts';

const text = readFileSync(join(ROOT, 'src/core/base/errors.ts'), 'utf8').split('export type SourceErrorCode')[1]!;
const codes = [...text.split('/** Every code there is')[0]!.matchAll(/^ {2}\| '(source\/[a-z-]+)'/gm)].map(
  ([, code]) => code as SourceErrorCode,
);

it('every code of a failed question has an outcome, and no other has', () => {
  expect(codes.length).toBeGreaterThan(10);
  expect(Object.keys(OUTCOMES).sort()).toEqual(codes.sort());
});

it('each code has the outcome of the vocabulary that its words describe', () => {
  const having = (outcome: string) => codes.filter((code) => OUTCOMES[code] === outcome).map((code) => code.slice(7));
  expect(Object.fromEntries([...new Set(Object.values(OUTCOMES))].map((one) => [one, having(one).sort()]))).toEqual({
    none: ['aborted', 'budget'],
    busy: ['rate-limited'],
    'not-yet': ['not-ready'],
    'unknown-block': ['other-chain'],
    pruned: ['missing'],
    failed: ['auth', 'bad-request', 'clock', 'disagree', 'server', 'timeout', 'tls', 'upstream'],
    broken: ['malformed', 'too-large', 'wrong-block'],
    unsupported: ['unsupported'],
    false: ['wrong-network'],
  });
});

it('only what is false puts a server out, only a good answer does it good, and who is behind is at no fault', () => {
  const having = (effect: string) =>
    Object.keys(EFFECTS).filter((one) => EFFECTS[one as keyof typeof EFFECTS] === effect);
  expect([having('out'), having('good'), having('none'), having('behind')]).toEqual([
    ['false'],
    ['answered'],
    ['none'],
    ['not-yet'],
  ]);
  expect(having('rest').sort()).toEqual(['broken', 'busy', 'failed', 'pruned', 'unknown-block', 'unsupported']);
});

it('an answer that can be read and does not hold is false, one that cannot be read is broken', () => {
  const malformed = (cause?: unknown) => new SourceError('source/malformed', 'x', { cause });
  expect(outcomeOf(malformed(new TrustError('trust/root-hash', 'x')))).toBe('false');
  expect(outcomeOf(malformed(new ValidatorSetError('validators/empty', 'x')))).toBe('false');
  expect(outcomeOf(malformed(new DecodeError('decode/boc', 'x')))).toBe('broken');
  expect(outcomeOf(malformed())).toBe('broken');
  const upstream = new SourceError('source/upstream', 'x', { cause: new TrustError('trust/root-hash', 'x') });
  expect(outcomeOf(upstream)).toBe('failed');
  expect(effectOf(malformed(new TrustError('trust/root-hash', 'x')))).toBe('out');
  expect(effectOf(malformed())).toBe('rest');
});

it('an answer of a kind that is not known is unsupported, unless all of it could be anything', () => {
  const unread = (cause: unknown) => codeOfUnreadable(new DecodeError('decode/tl', 'x', { cause }));
  expect(unread(new UnknownKind('0a'))).toBe('source/unsupported');
  expect(unread(new UnknownKind('0a', true))).toBe('source/malformed');
  expect(unread(undefined)).toBe('source/malformed');
  expect(codeOfUnreadable(new TrustError('trust/root-hash', 'x', { cause: new UnknownKind('0a') }))).toBe(
    'source/malformed',
  );
  expect(codeOfUnreadable(undefined)).toBe('source/malformed');
});

it('a server lacks a block that is not there yet or not known to it, and nothing else says so', () => {
  expect(codes.filter(lacksBlock).sort()).toEqual(['source/not-ready', 'source/other-chain']);
});

it('what else is decided by a code is said of these codes and of no others', () => {
  const traits: Readonly<Record<Trait, readonly string[]>> = {
    'once-more': ['not-ready', 'server'],
    'whole-source': ['aborted', 'auth', 'other-chain', 'tls', 'wrong-network'],
    'wrong-at-first': ['auth', 'bad-request', 'too-large', 'wrong-network'],
    refusal: ['auth', 'wrong-network'],
    'perhaps-absent': ['bad-request', 'malformed', 'server'],
    contradiction: ['disagree', 'wrong-block', 'wrong-network'],
    final: ['aborted', 'disagree', 'too-large'],
    faultless: ['aborted', 'clock', 'disagree'],
    silence: ['timeout', 'upstream'],
    'ends-following': ['clock', 'disagree'],
  };
  for (const [trait, wanted] of Object.entries(traits)) {
    const having = codes.filter((code) => isA(code, trait as Trait)).map((code) => code.slice(7));
    expect([trait, having.sort()]).toEqual([trait, wanted]);
  }
});

/** Where codes are named, their words are written, or one code is looked up by its own name. */
const TABLES = ['core/base/errors.ts', 'net/machine/outcome.ts', 'net/sources/failure-hints.ts'];

/** Lists, maps and chains of comparisons by code. @param source without comments */
function decisionsByCode(source: string): readonly string[] {
  const code = `'source\\/[a-z-]+'`;
  const forms = [
    `[\\[(,]\\s*${code},\\s*${code}`, // a list of codes
    `(?<!\\?\\s*${code}\\s*)[{,]\\s*${code}\\s*:`, // a member named by a code
    `case\\s+${code}`,
    `[=!]==?\\s*${code}\\s*(?:\\|\\||&&)[^;{}?]*[=!]==?\\s*${code}`, // one comparison after another
    `(?:Set|Map)[^;]{0,80}\\[\\s*\\[?\\s*${code}`,
  ];
  return forms.flatMap((form) => [...source.matchAll(new RegExp(form, 'g'))].map(([found]) => found));
}

it('no other file decides by a list of codes', () => {
  const src = join(ROOT, 'src');
  const files = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)))
    .filter((file) => !TABLES.includes(file));
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => {
    const source = readFileSync(join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    return decisionsByCode(source).map((one) => `${file}: ${one}`);
  });
  expect(found).toEqual([]);
});

it('and such a list would be found, however it is written', () => {
  const kinds = [
    `new Set(['source/auth'])`,
    `const A = [\n  'source/auth',\n  'source/tls',\n];`,
    `const A = {\n  'source/auth': 'failed',\n};`,
    `const A = { x: 1, 'source/tls': 2 };`,
    `switch (code) { case 'source/auth': return 1; }`,
    `if (code === 'source/auth' || code === 'source/tls') return;`,
    `new Map([['source/auth', 1]])`,
  ];
  for (const kind of kinds) expect([kind, decisionsByCode(kind).length > 0]).toEqual([kind, true]);
  const others = [
    `throw new SourceError('source/auth', 'words', { hint });`,
    `if (error.code === 'source/aborted') throw error;`,
    `const code = isLate ? 'source/timeout' : 'source/upstream';`,
  ];
  for (const other of others) expect([other, decisionsByCode(other)]).toEqual([other, []]);
});

it('another try may help where servers may answer later or more of them may agree, and nowhere else', () => {
  expect(codes.filter((code) => !mayPass(new SourceError(code, 'x'))).sort()).toEqual([
    'source/clock',
    'source/disagree',
  ]);
  expect(mayPass(new TrustError('trust/too-few-witnesses', 'x'))).toBe(true);
  expect(mayPass(new TrustError('trust/not-final', 'x'))).toBe(false);
  for (const other of [new DecodeError('decode/shape', 'x', {}), new Error('x'), undefined])
    expect(mayPass(other)).toBe(false);
});
