/**
 * Nothing a caller passes is ignored: every public function of the entries that verify, called wrongly in every place. What
 * comes of it is a typed error that names the place, never a raw TypeError and never a value.
 */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as chain from '../../src/chain.ts';
import { FinalityError } from '../../src/core/base/errors.ts';
import * as root from '../../src/index.ts';
import { CALLS, ENTRIES, PARTS } from '../helpers/public-calls.ts';

const { answer, bareAnswer, set, validators, coverage, good, checkpoint, config, key, none, key100 } = PARTS;

type Function = (...args: readonly unknown[]) => unknown;
const rows = Object.entries(CALLS).flatMap(([entry, calls]) =>
  Object.entries(calls).map(([name, call]) => {
    const run = (ENTRIES[entry] as Record<string, Function>)[name]!;
    return { entry, name, call, run };
  }),
);

/** Called wrongly in test/unit/files: any text is a name of a file, and a call here would write it. */
const OF_FILES: ReadonlySet<string> = new Set(['keepCheckpoint', 'readCheckpoint', 'writeCheckpoint']);

/** What stands for an argument by mistake. */
const GARBAGE: readonly unknown[] = [
  undefined,
  null,
  true,
  5,
  -1,
  1.5,
  5n,
  'text',
  'https://toncenter.com/api/v2',
  '{"ok":true}',
  none,
  [1],
  {},
  { ok: true, result: {} },
  answer,
  bareAnswer,
  set,
  validators,
  coverage,
  good,
  checkpoint,
  set.blockId,
  config,
  new Uint8Array(0),
  key,
  Buffer.from('text'),
  new Date(0),
  () => {},
  Symbol('x'),
  Promise.resolve(set),
  new Map(),
];

/** What a call comes to: a typed error, or a value. */
async function outcome(run: Function, args: readonly unknown[]): Promise<FinalityError | 'value'> {
  try {
    const value = await run(...args);
    if (typeof value === 'object' && value !== null && 'close' in value) await (value.close as () => unknown)();
    return 'value';
  } catch (error) {
    if (error instanceof FinalityError) return error;
    throw new Error(`a raw error of ${run.name}: ${String(error)}`, { cause: error });
  }
}

function replaced(args: readonly unknown[], place: number, value: unknown): readonly unknown[] {
  return args.map((arg, at) => (at === place ? value : arg));
}

const same = (x: unknown, y: unknown) => x === y || (typeof x === typeof y && typeof x !== 'object');

describe('every public function', () => {
  it.each(Object.entries(ENTRIES))('of %s is called here', (entry, names) => {
    const functions = Object.entries(names).filter(
      ([, value]) => typeof value === 'function' && !(value.prototype instanceof Error),
    );
    expect(Object.keys(CALLS[entry]!).sort()).toEqual(
      functions
        .filter(([name]) => !OF_FILES.has(name))
        .map(([name]) => name)
        .sort(),
    );
  });

  it.each(rows)('$name of $entry takes a right call', async ({ name, call, run }) => {
    const got = await outcome(run, call.args);
    // The zerostate is a real one; five bytes are not it.
    expect(got, String(got)).toEqual(name === 'checkpointFromZerostate' ? expect.any(FinalityError) : 'value');
  });

  it.each(rows)('$name of $entry refuses whatever else stands in a place, in words', async ({ name, call, run }) => {
    for (const [place, right] of call.args.entries()) {
      for (const wrong of GARBAGE) {
        const isLeftOut = wrong === undefined && place >= (call.needed ?? call.args.length);
        if (isLeftOut || same(wrong, right)) continue;
        const args = replaced(call.args, place, wrong);
        const got = await outcome(run, args);
        if (got === 'value') {
          const isNoOptions = isEmpty(wrong) && call.options?.includes(place) === true;
          const isRight = isNoOptions || call.alsoRight?.includes(wrong) === true;
          expect(isRight, `${name}, argument ${place}: ${inspect(wrong)}`).toBe(true);
        } else {
          expect(got.message.length, got.message).toBeGreaterThan(10);
        }
      }
    }
  });

  it.each(rows.filter(({ call }) => call.args.length > 1))(
    '$name of $entry refuses arguments in another order',
    async ({ call, run }) => {
      const { args, anyOrder = false } = call;
      for (const [i, first] of args.entries()) {
        for (const [j, second] of args.entries()) {
          if (i >= j || (isEmpty(first) && isEmpty(second)) || (anyOrder && j === 1)) continue;
          const got = await outcome(run, replaced(replaced(args, i, second), j, first));
          expect(got, `${i} and ${j}`).toBeInstanceOf(FinalityError);
        }
      }
    },
  );

  it.each(rows.filter(({ call }) => call.options !== undefined))(
    '$name of $entry refuses options that it does not know, by name',
    async ({ call, run }) => {
      for (const place of call.options ?? []) {
        for (const key of ['requireBoundID', 'policy', 'nowSecond', '__proto__x']) {
          const options = { ...(call.args[place] as object), [key]: true };
          const got = await outcome(run, replaced(call.args, place, options));
          expect(got).toMatchObject({ code: 'usage/bad-option', path: expect.stringContaining(key) });
        }
      }
    },
  );
});

it.each([
  ['raw JSON', answer],
  ['raw JSON', bareAnswer],
  ['raw JSON', { main: 1, validators: [] }],
  ['raw JSON', chain.checkpointToJson(checkpoint)],
  ['a report', good],
  ['a coverage', coverage],
  ['a validator set', validators],
  ['a checkpoint', checkpoint],
  ['a block id', set.blockId],
  ['a validator config', config],
  ['an engine', root.referenceEngine],
  ['a promise', Promise.resolve(set)],
])('a call is told that it got %s', (name, value) => {
  expect(() => chain.verifyHeader(value as never, key100.id)).toThrow(`got ${name}`);
});

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
