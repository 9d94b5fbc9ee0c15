/** Errors as plain values, with the part of the form that they are about. */
import { DecodeError, FinalityError } from '../src/index.ts';
import type { ErrorJson, Part, Trouble } from './protocol.ts';

/** Carries an error out of the part of the form in which it came up. */
class PartError extends Error {
  readonly part: Part;

  constructor(part: Part, cause: unknown) {
    super(part, { cause });
    this.part = part;
  }
}

/** The innermost part is the one that is wrong. */
const asPart = (part: Part, error: unknown) => (error instanceof PartError ? error : new PartError(part, error));

/** Runs what is done with one part. @throws PartError */
export function inPart<T>(part: Part, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asPart(part, error);
  }
}

/** Does the same as `inPart` for a call that returns a promise. */
export async function inPartAsync<T>(part: Part, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw asPart(part, error);
  }
}

function errorToJson(error: unknown): ErrorJson {
  const known = error instanceof FinalityError ? error : undefined;
  return {
    schema: 'ton-finality/error@2',
    code: known?.code ?? 'internal',
    path: known?.path ?? null,
    message: (error instanceof Error && error.message) || 'unknown failure',
    hint: known?.hint ?? null,
  };
}

export function troubleOf(error: unknown): Trouble {
  return error instanceof PartError
    ? { part: error.part, error: errorToJson(error.cause) }
    : { part: undefined, error: errorToJson(error) };
}

/** Describes an input that is rejected before it is read. */
export function tooLarge(part: Part, name: string, maxBytes: number): Trouble {
  const error = new DecodeError('decode/too-large', `expected at most ${maxBytes} bytes, got more`, { path: name });
  return troubleOf(new PartError(part, error));
}
