/** JSON text to a value, stricter than `JSON.parse`: a key that stands twice in one object is refused, not overwritten. */
import { DecodeError } from '../base/errors.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The end of the string that opens at `from`, past its closing quote. The text is valid JSON, so there is one. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** The first key that stands twice in one object of valid JSON text. One pass, no recursion. */
function repeatedKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []; // keys seen in each open object; undefined for an array
  let previousString: string | undefined;
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    if (char === '"') {
      const end = endOfString(text, at);
      previousString = text.slice(at, end);
      at = end;
      continue;
    }
    if (char === '{') open.push(new Set());
    else if (char === '[') open.push(undefined);
    else if (char === '}' || char === ']') open.pop();
    else if (char === ':' && previousString !== undefined) {
      const key: unknown = JSON.parse(previousString); // two spellings of one key, by escapes, are one key
      const keys = open.at(-1);
      if (keys?.has(String(key))) return String(key);
      keys?.add(String(key));
    }
    at += 1;
  }
  return undefined;
}

/**
 * @param name the file, for errors
 * @throws DecodeError `decode/shape`, never with a piece of the text in its message but the repeated key
 */
export function parseJsonText(text: string, name: string): unknown {
  if (text.trim() === '') throw new DecodeError('decode/shape', 'expected JSON, got nothing', { path: name });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const hint = text.trimStart().startsWith('<')
      ? 'this is HTML or XML: a proxy answered instead of the API'
      : 'give the JSON as the server sent it';
    throw new DecodeError('decode/shape', 'expected JSON, got text that is none', { path: name, hint, cause });
  }
  const key = repeatedKey(text);
  if (key !== undefined) {
    throw new DecodeError('decode/shape', `the key ${JSON.stringify(key.slice(0, 64))} stands twice in one object`, {
      path: name,
    });
  }
  return value;
}

/** `undefined` for text that is no JSON. */
export function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
