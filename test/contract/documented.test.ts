/** Nothing public is without a word: every exported name has a doc comment, every error code a cause and a remedy. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes, errorPage } from '../../scripts/error-table.mjs';
import { apiList, notAlone, publicNames } from '../../scripts/public-names.mjs';
import { exitCodeOfError } from '../../src/app/cli/output/exit-code.ts';
import {
  AuditError,
  CertificateError,
  DecodeError,
  DepositError,
  EngineError,
  SourceError,
  TrustError,
  UsageError,
  ValidatorSetError,
} from '../../src/core/base/errors.ts';
import { ROOT } from '../helpers/vectors.ts';

// A formatter may line the columns up.
const plain = (text: string) => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
const page = (name: string) => plain(readFileSync(join(ROOT, 'docs', name), 'utf8'));

const entries = publicNames();

it('names in each @param a parameter that is there', () => {
  const wrong: string[] = [];
  for (const file of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(join(ROOT, 'src', file), 'utf8');
    for (const [, comment, name, parameters] of text.matchAll(
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export (?:async )?function\*? (\w+)(?:<[^(]*>)?\(([\s\S]*?)\)(?::|\s*\{)/g,
    ))
      for (const [, param] of /(?:^|,)\s*[[{]/.test(parameters!) ? [] : comment!.matchAll(/@param (\w+)/g))
        if (!new RegExp(`\\b${param}\\??[:,=\\s}]`).test(parameters!)) wrong.push(`${file} ${name}: @param ${param}`);
  }
  expect(wrong).toEqual([]);
});

it('sends nobody in a comment of a public file to a function that only this repository can call', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.includes('assembly'),
  );
  const own = sources.flatMap((file) => [
    ...readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(/^export (?:async )?function\*? ([a-z]+[A-Z]\w*)/gm),
  ]);
  const known = new Set(entries.flatMap(({ names }) => names.map(({ name }) => name.split('.').at(-1)!)));
  const hidden = new Set(own.map(([, name]) => name!).filter((name) => !known.has(name)));
  expect(hidden.size).toBeGreaterThan(500);
  const wrong = new Set<string>();
  for (const { name, comment, file } of entries.flatMap(({ names }) => names)) {
    const inner = name.split('.').at(-1)!;
    const text = readFileSync(file, 'utf8');
    // The members of the declaration, up to the next one.
    const [body = ''] =
      new RegExp(`\\b(?:interface|type|class) ${inner}\\b[\\s\\S]*?(?=\\nexport |\\ndeclare |$)`).exec(text) ?? [];
    const members = [...body.matchAll(/\/\*\*[\s\S]*?\*\//g)].join('\n');
    for (const [, word] of `${comment}\n${members}`.matchAll(/`(\w+)(?:\([^`]*)?`/g))
      if (hidden.has(word!) && !new RegExp(`\\b${word}\\??[:(]`).test(text)) wrong.add(`${name}: ${word}`);
  }
  expect([...wrong]).toEqual([]);
});

describe.each(entries)('$entry', ({ entry, names }) => {
  it('has a doc comment on every exported name', () => {
    expect(names.filter(({ comment }) => comment === '').map(({ name }) => name)).toEqual([]);
  });

  it('says in the first sentence of each comment what the name is', () => {
    expect(names.flatMap(({ name, comment }) => notAlone(comment)?.concat(': ', name) ?? [])).toEqual([]);
  });

  it('exports no value that this list does not see', async () => {
    const values = Object.keys(await import(entry));
    expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(values));
  });
});

it.each(['@throws UsageError', 'The same for a stream', 'Source: ton `x.tl`', 'Reads it.', ''])(
  'a comment that begins with %j does not say what a name is',
  (comment) => {
    expect(notAlone(comment)).toBeTypeOf('string');
    expect(notAlone(`Reads the header of one block. ${comment}`)).toBeUndefined();
  },
);

it('counts the names of all entries', () => {
  expect(entries).toHaveLength(8);
  expect(entries.reduce((sum, { names }) => sum + names.length, 0)).toBeGreaterThan(350);
});

it('docs/api.md lists them all: npm run docs', () => {
  expect(page('api.md')).toContain(plain(apiList()));
});

/** The class that throws codes of each first word. */
const CLASSES = {
  decode: DecodeError,
  validators: ValidatorSetError,
  usage: UsageError,
  trust: TrustError,
  cert: CertificateError,
  deposit: DepositError,
  audit: AuditError,
  source: SourceError,
  engine: EngineError,
} as const;

describe('the table of errors', () => {
  const codes = errorCodes();

  it('names the exit code that the command ends with', () => {
    const sections = page('errors.md').split(/^## /m).slice(1);
    expect(sections).toHaveLength(Object.keys(CLASSES).length);
    for (const [kind, Class] of Object.entries(CLASSES)) {
      const section = sections.find((text) => text.startsWith(`\`${Class.name}\``));
      const [, usual, more = ''] = /^Exit code (\d)(.*)\.$/m.exec(section!)!;
      for (const { code } of codes.filter((one) => one.code.startsWith(`${kind}/`))) {
        const [, own = usual] = new RegExp(`\`${code}\` (\\d)`).exec(more) ?? [];
        const error = new (Class as new (code: string, message: string) => Error)(code, ''); // each takes codes of its kind
        expect([code, exitCodeOfError(error)]).toEqual([code, Number(own)]);
      }
    }
  });

  it('has every code of the types, once', () => {
    const text = readFileSync(join(ROOT, 'src/core/base/errors.ts'), 'utf8');
    const typed = [
      ...text.matchAll(/'((?:decode|validators|engine|usage|trust|cert|deposit|audit|source)\/[a-z0-9-]+)'/g),
    ];
    expect(new Set(codes.map(({ code }) => code))).toEqual(new Set(typed.map(([, code]) => code)));
    expect(new Set(codes.map(({ code }) => code)).size).toBe(codes.length);
  });

  it.each(codes)('says cause and remedy of $code', ({ cause, remedy }) => {
    expect(cause.length).toBeGreaterThan(10);
    expect(remedy.length).toBeGreaterThan(5);
  });

  it('is docs/errors.md: npm run docs', () => {
    expect(page('errors.md')).toBe(plain(errorPage()));
  });
});

it('docs/verdicts.md has every verdict and every reason of undecided', () => {
  const text = readFileSync(join(ROOT, 'src/core/verify/report.ts'), 'utf8');
  const [, reasons = ''] = /export type UndecidedReason =([\s\S]+?);\n\n/.exec(text) ?? [];
  const statuses = [...text.matchAll(/readonly status: '([a-z]+)'/g)].map(([, status]) => status);
  const named = [...reasons.matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(([, reason]) => reason);
  expect(named.length).toBeGreaterThan(6);
  const rows = [...page('verdicts.md').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual([...new Set(statuses), ...named]);
});
