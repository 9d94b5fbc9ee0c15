/**
 * What stands on `Object.prototype` asks for nothing: another package of the process may have put it there. Every public function
 * gives with it what it gives without, whatever option it would be.
 */
import { describe, expect, it } from 'vitest';
import { FinalityError } from '../../src/base/errors.ts';
import * as root from '../../src/index.ts';
import { CALLS, ENTRIES, PARTS } from '../helpers/public-calls.ts';

type Function = (...args: readonly unknown[]) => unknown;

/** Whatever would make something more readily believed, or another question of it. */
const OPTIONS: Readonly<Record<string, unknown>> = {
  acceptClaimed: true,
  acceptUnbound: true,
  anchor: PARTS.key100.id,
  bag: 'optional',
  checkpoint: PARTS.checkpoint,
  evidence: { nowSeconds: 1 },
  expect: PARTS.set.blockId,
  expected: PARTS.set.blockId,
  form: 'user-friendly',
  hash: new Uint8Array(32),
  keep: 'all',
  limit: 0,
  maxHeadAgeSeconds: 1,
  message: 0,
  nowSeconds: 1,
  onDefect: 'ignore',
  provenance: { kind: 'claimed', source: 'nobody' },
  requireSuccess: true,
  reverse: true,
  shuffle: true,
  testOnly: true,
  threshold: { num: 9n, den: 10n },
  to: PARTS.key100.id,
};

/** What a call comes to, as text: what is read of it must not be read of a prototype. */
function outcome(run: Function, args: readonly unknown[]): string {
  const words = (value: unknown) =>
    JSON.stringify(value, (key, member) => {
      if (key === 'toJSON') return undefined;
      if (typeof member === 'bigint') return `${member}n`;
      return member instanceof Uint8Array ? Buffer.from(member).toString('hex') : member;
    });
  try {
    const value = run(...args);
    const { verdict } = Object(value) as { verdict?: object };
    return words(verdict === undefined ? value : { verdict });
  } catch (error) {
    return error instanceof FinalityError ? `${error.code} ${error.message}` : `raw: ${error}`;
  }
}

function polluted<T>(name: string, value: unknown, enumerable: boolean, run: () => T): T {
  Object.defineProperty(Object.prototype, name, { value, enumerable, configurable: true, writable: true });
  try {
    return run();
  } finally {
    delete (Object.prototype as Record<string, unknown>)[name];
  }
}

const rows = Object.entries(CALLS).flatMap(([entry, calls]) =>
  Object.entries(calls)
    .filter(([, { options }]) => options !== undefined)
    .map(([name, call]) => ({ name, call, run: (ENTRIES[entry] as Record<string, Function>)[name]! })),
);

describe('an option that stands on the prototype of all objects', () => {
  it.each(rows.filter(({ name }) => name !== 'createWorkerPool' && name !== 'createKernelEngine'))(
    'is none of $name',
    ({ call, run }) => {
      const { args, needed = args.length } = call;
      const calls = [args, args.slice(0, needed)];
      for (const given of calls) {
        const wanted = outcome(run, given);
        for (const [name, value] of Object.entries(OPTIONS)) {
          for (const enumerable of [false, true]) {
            expect(
              polluted(name, value, enumerable, () => outcome(run, given)),
              name,
            ).toBe(wanted);
          }
        }
      }
    },
  );

  it('is no member of a set that says less, made here or put together by hand', () => {
    const { set, validators } = PARTS;
    const { validators: list, totalWeight } = validators;
    const made = root.createValidatorSet(list);
    const byHand = { validators: list, totalWeight, provenance: { kind: 'given' as const } };
    const named = new (class {
      validators = list;
      totalWeight = totalWeight;
      provenance = { kind: 'given' as const };
      get utimeUntil() {
        return 7;
      }
    })();
    const read = (given: root.ValidatorSet) => {
      const { verdict, validators: said } = root.verifyBlock(set, given, { evidence: { nowSeconds: 1 } });
      return JSON.stringify([verdict, said.count, root.validatorListHashShort?.(given, 3)]);
    };
    const wanted = { made: read(made), byHand: read(byHand), named: read(named) };
    expect(wanted.made).toContain('unknown-age');
    expect(wanted.named).not.toContain('unknown-age');
    for (const [name, value] of Object.entries({ utimeUntil: 5_000, globalId: 5, shuffle: false })) {
      const got = polluted(name, value, false, () => ({ made: read(made), byHand: read(byHand), named: read(named) }));
      expect(got, name).toEqual(wanted);
    }
  });

  it('makes no claimed set final, and no certificate without an anchor', () => {
    const { set, validators } = PARTS;
    const claimed = root.createValidatorSet(validators.validators, { provenance: { kind: 'claimed', source: 'x' } });
    const without = root.verifyBlock(set, claimed).verdict;
    expect(without).toMatchObject({ status: 'undecided', reason: 'claimed-set' });
    const { verdict, policy } = polluted('acceptClaimed', true, false, () => root.verifyBlock(set, claimed));
    expect(verdict).toEqual(without);
    expect(policy.acceptClaimed).toBe(false);
  });
});
