/** Paths as words of a shell: what is printed can be pasted, and holds no character that a terminal would act on. */
import { printable } from '../../core/base/errors.ts';

const PLAIN = /^[\w./~+:@%,=-]+$/;

/** A path as one word of a POSIX shell; with control characters in it, one of bash and its likes. */
export function shellWord(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path; // no option
  if (PLAIN.test(word) && !word.startsWith('~')) return word;
  if (printable(word, word.length) === word) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const bytes = [...Buffer.from(word)].map((byte) => {
    const char = String.fromCharCode(byte);
    return PLAIN.test(char) ? char : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `$'${bytes.join('')}'`;
}
