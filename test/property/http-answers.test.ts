/** Laws of reading answers: whatever JSON comes, a value or a DecodeError, nothing else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/core/base/errors.ts';
import { parseShardBlockProof } from '../../src/core/chain/shard-block-proof.ts';
import { classifyFailure } from '../../src/net/toncenter/classify.ts';
import { parseMasterchainShardState } from '../../src/net/toncenter-api/masterchain-shard-state.ts';
import {
  parseBlockHeader,
  parseConfigInfo,
  parseConsensusBlock,
  parseLookupBlock,
  parseMasterchainInfo,
  parseShards,
} from '../../src/net/toncenter-api/v2-answers.ts';
import { share } from '../helpers/share.ts';
import { readVector } from '../helpers/vectors.ts';

const transaction = readVector('http/v3-transaction-single-2026-82744100.json');
const READERS: [string, (json: unknown) => unknown, unknown][] = [
  ['getBlockHeader', parseBlockHeader, readVector('http/v2-getBlockHeader-python-30497145.json')],
  ['lookupBlock', parseLookupBlock, readVector('http/v2-lookupBlock-python-39984096.json')],
  ['shards', parseShards, readVector('http/v2-shards-python-2024-4shards.json')],
  ['getMasterchainInfo', parseMasterchainInfo, readVector('http/v2-getMasterchainInfo-python-41579322.json')],
  ['getConsensusBlock', parseConsensusBlock, readVector('http/v2-getConsensusBlock-python-jsonrpc.json')],
  ['getShardBlockProof', parseShardBlockProof, readVector('http/v2-getShardBlockProof-python-30497145.json')],
  ['getConfigParam', parseConfigInfo, readVector('http/v2-getConfigParam-1-python.json')],
  ['blocks', parseMasterchainShardState, readVector('http/v3-blocks-testnet-2024.json')],
  ['transactions', parseMasterchainShardState, { transactions: [transaction], address_book: {} }],
];

function outcome(read: (json: unknown) => unknown, json: unknown): 'value' | DecodeError {
  try {
    read(json);
    return 'value';
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

/** Every place in a JSON value, as a list of keys. */
function places(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    places(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...inner];
}

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy: Record<string | number, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...(value as object) };
  Object.assign(copy, { [key]: replaced((value as Record<string | number, unknown>)[key], rest, by) });
  return copy;
}

const STRANGE: unknown[] = [
  null,
  undefined,
  true,
  -1,
  1.5,
  2 ** 53,
  -(2 ** 63),
  '',
  '0x',
  '-0',
  '9'.repeat(100),
  'AAAA',
  [],
  {},
  [null],
  { __proto__: null },
];

describe('reading an answer', () => {
  it.each(READERS)(
    'takes the recorded one, and gives a value or a DecodeError for any JSON: %s',
    (_, read, recorded) => {
      expect(outcome(read, recorded)).toBe('value');
      fc.assert(
        fc.property(fc.jsonValue(), (json) => void outcome(read, json)),
        { numRuns: share(60, 200), seed: 11 },
      );
    },
  );

  it.each(READERS)(
    'with any one place changed gives a value or a DecodeError that names a path: %s',
    (_, read, recorded) => {
      for (const place of places(recorded)) {
        for (const strange of STRANGE) {
          const result = outcome(read, replaced(recorded, place, strange));
          if (result !== 'value' && place.length > 2)
            expect(result.path, `${place} = ${JSON.stringify(strange)}`).toBeTruthy();
        }
      }
    },
  );

  it('that failed always has a class, whatever the status and the body', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('v2' as const, 'v3' as const),
        fc.integer({ min: 100, max: 599 }),
        fc.jsonValue(),
        fc.string(),
        (api, status, json, text) => {
          expect(classifyFailure(api, status, json, text).code).toMatch(/^source\/[a-z-]+$/);
        },
      ),
      { numRuns: share(150, 500), seed: 12 },
    );
  });
});
