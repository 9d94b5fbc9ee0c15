/**
 * What stands on `Object.prototype` asks for nothing: another package of the process may have put it there. Every public function
 * gives with it what it gives without, whatever option it would be.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FinalityError } from '../../src/core/base/errors.ts';
import * as root from '../../src/index.ts';
import { parseGlobalConfig } from '../../src/net/lite-api/global-config.ts';
import * as servers from '../../src/servers.ts';
import { CALLS, ENTRIES, PARTS } from '../helpers/public-calls.ts';
import { httpJson } from '../helpers/real.ts';
import { everyNth } from '../helpers/share.ts';

type Function = (...args: readonly unknown[]) => unknown;

/** Whatever would make something more readily believed, or another question of it. */
const OPTIONS: Readonly<Record<string, unknown>> = {
  acceptClaimed: true,
  acceptUnbound: true,
  anchor: PARTS.key100.id,
  bag: 'optional',
  checkpoint: PARTS.checkpoint,
  context: { nowSeconds: 1 },
  expect: PARTS.set.blockId,
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
        for (const [at, [name, value]] of Object.entries(OPTIONS).entries()) {
          // Both ways; by turns in a quick run, the other way round where no options are given.
          for (const enumerable of everyNth([false, true], 2, at + given.length)) {
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
      const { verdict, validators: said } = root.verifyBlock(set, given, { context: { nowSeconds: 1 } });
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

/** What sources name, so whatever member they could read; not what the language itself asks for. */
function namesInSources(): ReadonlySet<string> {
  const names = new Set<string>();
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.startsWith('cli')) continue;
    for (const [name] of readFileSync(join('src', file), 'utf8').matchAll(/[A-Za-z_]\w*/g)) names.add(name);
  }
  const plain =
    'return then next done value get set writable enumerable configurable length name message stack cause toJSON';
  for (const name of [...Object.getOwnPropertyNames(Object.prototype), ...plain.split(' ')]) names.delete(name);
  return names;
}

/** Which of these members are read of `Object.prototype` meanwhile, by files of `src`: each finds nothing there. */
function readOfPrototype(names: ReadonlySet<string>, run: () => void): readonly string[] {
  const found = new Set<string>();
  let isQuiet = false;
  for (const name of names) {
    Object.defineProperty(Object.prototype, name, {
      configurable: true,
      get() {
        if (isQuiet) return undefined;
        isQuiet = true;
        const [, , reader = ''] = (new Error().stack ?? '').split('\n');
        if (/[/\\]src[/\\]/.test(reader)) found.add(`${name}: ${reader.replace(/.*src[/\\]([^:]*).*/, '$1')}`);
        isQuiet = false;
        return undefined;
      },
      set(value) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
  try {
    run();
  } finally {
    for (const name of names) delete (Object.prototype as Record<string, unknown>)[name];
  }
  return [...found].sort();
}

describe('a member that is left out', () => {
  const { set, validators } = PARTS;
  const { validators: list, totalWeight } = validators;
  const entries = list.map(({ publicKey, weight }) => ({
    public_key: Buffer.from(publicKey).toString('hex'),
    weight: String(weight),
  }));
  const header = { source: 'given' } as const;
  const server = { ip: 1, port: 1, id: { '@type': 'pub.ed25519', key: `${'A'.repeat(43)}=` } };
  const zero = { root_hash: server.id.key, file_hash: server.id.key };
  /** What a caller hands in that says as little as it may. */
  const sparse: Readonly<Record<string, () => unknown>> = {
    'a set as a list': () => root.parseValidatorSet({ main: 2, validators: entries }),
    'a set by hand': () => root.verifyBlock(set, { validators: list, totalWeight, provenance: { kind: 'given' } }),
    'a header by hand': () => root.verifyBlock(set, validators, { context: { header } }),
    'a configuration': () => parseGlobalConfig({ liteservers: [server], validator: { zero_state: zero } }),
    'blocks without a list': () => servers.toncenter.raw.parseMasterchainShardState({ transactions: [] }),
    'the head': () =>
      servers.toncenter.raw.parseMasterchainInfo(httpJson('v2-getMasterchainInfo-python-41579322.json')),
    'a block': () => servers.toncenter.raw.parseBlockHeader(httpJson('v2-getBlockHeader-python-39984096.json')),
    'an error': () => servers.toncenter.raw.parseMasterchainInfo(httpJson('v2-error-503-cpp-extra.json')),
  };
  const calls = [
    ...Object.entries(CALLS).flatMap(([entry, named]) =>
      Object.entries(named).map(([name, { args }]) => ({
        name,
        run: (ENTRIES[entry] as Record<string, Function>)[name]!,
        args,
      })),
    ),
    ...Object.entries(sparse).map(([name, run]) => ({ name, run, args: [] })),
  ].filter(({ name }) => name !== 'createWorkerPool'); // it starts threads, which no prototype of ours reaches

  it('is not looked for on the prototype of all objects', () => {
    const run = () => calls.map(({ name, run, args }) => `${name}: ${outcome(run, args)}`);
    const wanted = run();
    let got: readonly string[] = [];
    const read = readOfPrototype(namesInSources(), () => {
      got = run();
    });
    expect(read).toEqual([]);
    expect(got).toEqual(wanted);
  });

  it('of a set made here is none of its text', () => {
    expect(`${root.createValidatorSet(list)}, ${String(root.createValidatorSet(list))}`).toBe(
      '[object ValidatorSet], [object ValidatorSet]',
    );
    expect(Object.keys(root.createValidatorSet(list))).toEqual(['validators', 'totalWeight', 'provenance']);
  });

  it('of JSON makes no old set fresh, and no block one of a network that is not named', () => {
    const json = { main: 3, validators: entries };
    const judged = (given: root.ValidatorSet) => root.verifyBlock(set, given, { context: { nowSeconds: 1 } }).verdict;
    const wanted = judged(root.parseValidatorSet(json));
    expect(wanted).toMatchObject({ status: 'undecided', reason: 'unknown-age' });
    for (const [name, value] of Object.entries({ utime_until: 9, global_id: 5, shuffle_mc_validators: true })) {
      const got = polluted(name, value, true, () => root.parseValidatorSet(json));
      expect(Object.keys(got), name).toEqual(['validators', 'totalWeight', 'provenance']);
      expect(judged(got)).toEqual(wanted);
    }
  });
});
