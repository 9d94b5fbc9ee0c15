/** Doc comments of the public surface: every export has a sentence that stands alone, and every example in a comment runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import { describe, expect, it } from 'vitest';
import { publicNames } from '../../scripts/public-names.mjs';
import { ROOT } from '../helpers/vectors.ts';

interface Example {
  readonly name: string;
  readonly code: string;
}

/** The example of each function of a source, without the stars of its comment. */
function examplesIn(text: string): readonly Example[] {
  const found = text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:async )?function\*? (\w+)/g);
  return [...found].flatMap(([, comment, name]) => {
    const [, code] = /@example\n \* ```ts\n([\s\S]*?) \* ```/.exec(comment!) ?? [];
    return code === undefined ? [] : [{ name: name!, code: code.replace(/^ \* ?/gm, '') }];
  });
}

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);
const texts = sources.map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'));
const examples = texts.flatMap(examplesIn);

/** Runs an example against the sources, and gives the lines that it prints. */
async function run(code: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const load = (name: string) => import(join(ROOT, 'src', `${name.split('/')[1] ?? 'index'}.ts`));
  const body = code.replace(/^import (\{[^}]*\}) from '(ton-finality[^']*)';$/gm, "const $1 = await load('$2');");
  const AsyncFunction = (async () => {}).constructor as new (
    ...words: string[]
  ) => (...given: unknown[]) => Promise<void>;
  await new AsyncFunction('load', 'console', body)(load, {
    log: (...words: unknown[]) => lines.push(format(...words)),
  });
  return lines;
}

/** What an example says that its lines print: the comment at the end of each `console.log`. */
const promised = (code: string) => [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, words]) => words);

describe('the example of', () => {
  it.each(examples.map(({ name, code }) => [name, code]))('%s prints what it says', async (_, code) => {
    const said = promised(code);
    expect(said.length).toBeGreaterThan(0);
    expect(await run(code)).toEqual(said.map((words) => words!.replace(/, because .*$/, '')));
  });
});

const functions = new Set(
  publicNames().flatMap(({ names }) => names.filter(({ kind }) => kind === 'function').map(({ name }) => name)),
);

it('has examples of public functions, of no fewer than before, and none that does not run', () => {
  expect(texts.join().match(/@example\b/g)).toHaveLength(examples.length);
  expect(examples.filter(({ name }) => functions.has(name)).length).toBeGreaterThanOrEqual(15);
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
