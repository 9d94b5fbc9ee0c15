/**
 * Doc comments of the public surface. Every export has a sentence that is clear by itself. Every function has its parameters,
 * its result, what it throws, and an example that runs.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { format } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicNames } from '../../scripts/public-names.mjs';
import { examplesIn, sourceTexts } from '../helpers/doc-examples.ts';
import { type ExampleServers, startExampleServers } from '../helpers/example-servers.ts';
import { ROOT } from '../helpers/vectors.ts';

const texts = sourceTexts();
const examples = texts.flatMap(examplesIn);

/** Runs an example against the sources, and gives the lines that it prints. */
async function run(code: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const load = (name: string) =>
    import(name.startsWith('ton-finality') ? join(ROOT, 'src', `${name.split('/')[1] ?? 'index'}.ts`) : name);
  const body = code.replace(/^import (\{[^}]*\}) from '([^']+)';$/gm, "const $1 = await load('$2');");
  const AsyncFunction = (async () => {}).constructor as new (
    ...words: string[]
  ) => (...given: unknown[]) => Promise<void>;
  await new AsyncFunction('load', 'console', body)(load, {
    log: (...words: unknown[]) => lines.push(format(...words)),
  });
  return lines;
}

/** What an example says that its lines print: the comment at the end of each `console.log`. */
const promised = (code: string) => [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, words]) => words);

describe('the example of', () => {
  let servers: ExampleServers;
  beforeAll(async () => {
    servers = await startExampleServers();
  });
  afterAll(() => servers.close());

  it.each(examples.map(({ name, code }) => [name, code]))('%s prints what it says', async (_, code) => {
    const said = promised(code);
    expect(said.length).toBeGreaterThan(0);
    expect(await servers.run(code, run)).toEqual(said.map((words) => words!.replace(/, because .*$/, '')));
  });
});

it('has only examples that run', () => {
  expect(texts.join().match(/@example\b/g)).toHaveLength(examples.length);
});

interface Signature {
  readonly comment: string;
  readonly parameters: readonly string[];
  readonly result: string;
}

/** The text up to the bracket that closes, and its parts between commas, of which those in inner brackets are none. */
function untilClosed(text: string): { readonly parts: readonly string[]; readonly rest: string } {
  const parts = [''];
  let depth = 0;
  for (const [at, letter] of [...text].entries()) {
    if (depth === 0 && letter === ')')
      return { parts: parts.filter((part) => part.trim() !== ''), rest: text.slice(at + 1) };
    if ('([{'.includes(letter) || (letter === '<' && text[at + 1] !== '=')) depth++;
    if (')]}'.includes(letter) || (letter === '>' && text[at - 1] !== '=')) depth--;
    if (depth === 0 && letter === ',') parts.push('');
    else parts[parts.length - 1] += letter;
  }
  throw new Error('a function without an end of its parameters');
}

/** The first declaration of a function, which has its comment: of several signatures as well. */
function signatureOf(source: string, name: string): Signature {
  const text = readFileSync(join(ROOT, source), 'utf8');
  const [head, comment = ''] = new RegExp(
    `(?:/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n)?export (?:async )?function\\*? ${name}\\b(?:<[^(]*>)?\\(`,
  ).exec(text)!;
  const { parts, rest } = untilClosed(text.slice(text.indexOf(head) + head.length));
  const [, result = ''] = /^: ([\s\S]*?)(?: \{\n|;\n)/.exec(rest) ?? [];
  return { comment, parameters: parts.map((part) => /^\s*(?:\.\.\.)?(\w*)/.exec(part)![1]!), result };
}

/** What a comment of a function has to say, and does not: its parameters by name, its result, its errors, an example. */
function missingIn({ comment, parameters, result }: Signature): readonly string[] {
  const has = (tag: string) => new RegExp(`@${tag}\\b(?!\\.)`).test(comment);
  return [
    ...parameters.filter((name) => !has(`param ${name}`)).map((name) => `@param ${name}`),
    ...(/^(?:Promise<)?(?:void|never)>?$/.test(result) || has('returns') ? [] : ['@returns']),
    ...(has('throws') ? [] : ['@throws']),
    ...(has('example') ? [] : ['@example']),
  ];
}

/** Each public function with the source that declares it. */
const declared = new Map(
  publicNames().flatMap(({ names }) =>
    names
      .filter(({ kind }) => kind === 'function')
      .map(({ name, file }) => {
        const source = relative(join(ROOT, 'build'), file).replace(/\.d\.ts$/, '.ts');
        return [name.split('.').at(-1)!, source] as const;
      }),
  ),
);

/** Functions that never throw, whatever they get. */
const NEVER_THROWS: readonly string[] = ['chooseEngine'];

/** Functions whose comment still lacks something, by the wing of `src`. These lists may only become shorter. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  net: [],
};

it('says of each public function its parameters, its result, its errors and an example', () => {
  const lacking = [...declared].flatMap(([name, source]) => {
    const missing = missingIn(signatureOf(source, name)).filter(
      (what) => what !== '@throws' || !NEVER_THROWS.includes(name),
    );
    return missing.length > 0 ? [{ wing: source.split('/')[1]!, name, missing }] : [];
  });
  const known = ({ wing, name }: { readonly wing: string; readonly name: string }) => WITHOUT[wing]?.includes(name);
  expect(declared.size).toBeGreaterThan(90);
  expect(lacking.filter((one) => !known(one))).toEqual([]);
  const names = lacking.map(({ name }) => name);
  expect(
    Object.values(WITHOUT)
      .flat()
      .filter((name) => !names.includes(name)),
  ).toEqual([]); // take these off the lists
});

it('begins every doc comment of an export with a sentence that stands alone', () => {
  const wrong = publicNames().flatMap(({ entry, names }) =>
    names
      .filter(({ kind, comment }) =>
        kind === 'function'
          ? !/^[A-Z][a-z]+s\b/.test(comment)
          : !/^(?:[A-Z`(0-9']|liteServer\.)/.test(comment) ||
            /^(?:The same|Source:|It |Its |Those |Of |As )/.test(comment),
      )
      .map(({ name, comment }) => `${entry} ${name}: ${comment.slice(0, 60)}`),
  );
  expect(wrong).toEqual([]);
});
