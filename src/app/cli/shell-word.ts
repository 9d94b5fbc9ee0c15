/** Quotes paths for a shell: what is printed can be pasted, and contains no character that a terminal acts on. */
import { printable } from '../../core/base/errors.ts';

const PLAIN = /^[\w./~+:@%,=-]+$/;

/** Returns a path as one word of a POSIX shell; with control characters in it, of bash and similar shells. */
export function shellWord(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path; // not an option
  if (PLAIN.test(word) && !word.startsWith('~')) return word;
  if (printable(word, word.length) === word) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const bytes = [...Buffer.from(word)].map((byte) => {
    const char = String.fromCharCode(byte);
    return PLAIN.test(char) ? char : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `$'${bytes.join('')}'`;
}
