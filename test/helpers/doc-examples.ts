/** The examples in doc comments of functions. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './vectors.ts';

export interface DocExample {
  /** The function that the comment is about. */
  readonly name: string;
  readonly code: string;
}

/** The text of every source. */
export function sourceTexts(): readonly string[] {
  const names = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'));
}

/** The example of each function of a source, without the stars of its comment. */
export function examplesIn(text: string): readonly DocExample[] {
  const found = text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:async )?function\*? (\w+)/g);
  return [...found].flatMap(([, comment, name]) => {
    const [, code] = /@example\n \* ```ts\n([\s\S]*?) \* ```/.exec(comment!) ?? [];
    return code === undefined ? [] : [{ name: name!, code: code.replace(/^ \* ?/gm, '') }];
  });
}
