/** Command-line words to values. Unknown flags, missing values and malformed numbers are usage errors. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { decodeBase64, decodeHex } from '../../../core/base/bytes.ts';
import { UsageError } from '../../../core/base/errors.ts';
import { HASH_BYTES } from '../../../core/base/limits.ts';

export type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** Typed flags and the words that are none. */
export type ParsedOptions<T extends OptionTable> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

const NEGATIVE_NUMBER = /^-[0-9]+(?::[0-9a-f]{64})?$/i;

/** `--list-hash -5` as `--list-hash=-5`: servers print uint32 fields as negative numbers, accounts of the masterchain start with -1. */
function joinNegativeValues(words: readonly string[], options: OptionTable): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    const takesValue = before?.startsWith('--') && options[before.slice(2)]?.type === 'string';
    if (takesValue && NEGATIVE_NUMBER.test(word)) joined[joined.length - 1] = `${before}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** Where a mistake in a command line is explained. */
export function helpHint(command?: string): string {
  return `see ton-finality ${command === undefined ? '' : `${command} `}--help`;
}

/** Of two values for one flag the second would win in silence. */
function requireOnce(words: readonly string[], options: OptionTable): void {
  const { tokens } = parseArgs({ args: [...words], options, allowPositionals: true, strict: true, tokens: true });
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option' || options[token.name]?.multiple === true) continue;
    if (seen.has(token.name)) {
      throw new UsageError('usage/bad-option', 'expected it once, got it twice', { path: `--${token.name}` });
    }
    seen.add(token.name);
  }
}

/**
 * @param command whose help says more
 * @throws UsageError `bad-option` in the words of the option that does not fit
 */
export function parseOptions<T extends OptionTable>(
  words: readonly string[],
  options: T,
  command?: string,
): ParsedOptions<T> {
  try {
    // Whoever asks for help gets it, whatever stands beside it: `verify --lite --help` names no server yet.
    const args = words.includes('--help') ? ['--help'] : joinNegativeValues(words, options);
    requireOnce(args, options);
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const said = cause instanceof Error ? (cause.message.split(/\.\s/)[0] ?? '') : 'unreadable options';
    const message = said.charAt(0).toLowerCase() + said.slice(1).replace(/\.$/, '');
    throw new UsageError('usage/bad-option', message, { hint: helpHint(command), cause });
  }
}

function badValue(option: string, wanted: string, got: string): UsageError {
  return new UsageError('usage/bad-option', `expected ${wanted}, got ${JSON.stringify(got.slice(0, 80))}`, {
    path: `--${option}`,
  });
}

/** uint32, or the negative int32 that servers print for it. */
export function readUint32Option(option: string, text: string): number {
  const value = /^(?:0|-?[1-9][0-9]{0,9})$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= -0x80000000 && value <= 0xffffffff)) throw badValue(option, 'a 32-bit integer', text);
  return value >>> 0;
}

/** Unix time in seconds, uint32: never negative, so that a sign cannot make it the far future. */
export function readSecondsOption(option: string, text: string): number {
  const value = /^(?:0|[1-9][0-9]{0,9})$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 0xffffffff)) throw badValue(option, 'a Unix time in whole seconds', text);
  return value;
}

/** 32 bytes in hex, or in the base64 that servers print. */
export function readHashOption(option: string, text: string): Uint8Array {
  const bytes = text.length === 2 * HASH_BYTES ? decodeHex(text) : decodeBase64(text);
  if (bytes?.length !== HASH_BYTES) throw badValue(option, '32 bytes in hex or base64', text);
  return bytes;
}

/** `N/D` as a threshold. Whether it is at least 2/3 is the policy's business. */
export function readThresholdOption(option: string, text: string): { readonly num: bigint; readonly den: bigint } {
  const parts = /^([0-9]{1,20})\/([0-9]{1,20})$/.exec(text);
  if (parts === null) throw badValue(option, 'a fraction as in 3/4', text);
  return { num: BigInt(parts[1]!), den: BigInt(parts[2]!) };
}
