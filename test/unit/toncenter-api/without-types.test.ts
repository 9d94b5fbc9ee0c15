import { describe, expect, it } from 'vitest';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { parseShardBlockProof } from '../../../src/core/chain/shard-block-proof.ts';
import {
  parseBlockHeader,
  parseConfigInfo,
  parseConsensusBlock,
  parseLookupBlock,
  parseMasterchainInfo,
  parseShards,
} from '../../../src/net/toncenter-api/v2-answers.ts';
import { ORDINARY_CASE, readAnswer, readVector, SIMPLEX_CASE } from '../../helpers/vectors.ts';

/** The JSON without any `@type`, or with this one in each place. */
function retyped(json: unknown, type?: unknown): unknown {
  if (Array.isArray(json)) return json.map((one) => retyped(one, type));
  if (typeof json !== 'object' || json === null) return json;
  const kept = Object.entries(json).filter(([key]) => type !== undefined || key !== '@type');
  return Object.fromEntries(kept.map(([key, one]) => [key, key === '@type' ? type : retyped(one, type)]));
}

const READERS: [string, (json: unknown) => unknown, string][] = [
  ['getBlockHeader', parseBlockHeader, 'v2-getBlockHeader-python-30497145'],
  ['lookupBlock', parseLookupBlock, 'v2-lookupBlock-python-39984096'],
  ['shards', parseShards, 'v2-shards-python-2024-4shards'],
  ['getMasterchainInfo', parseMasterchainInfo, 'v2-getMasterchainInfo-python-41579322'],
  ['getConsensusBlock', parseConsensusBlock, 'v2-getConsensusBlock-python-jsonrpc'],
  ['getShardBlockProof', parseShardBlockProof, 'v2-getShardBlockProof-python-30497145'],
  ['getConfigParam', parseConfigInfo, 'v2-getConfigParam-1-python'],
];

describe('an answer without any @type', () => {
  it.each(READERS)('reads the same: %s', (_, read, file) => {
    const json = readVector(`http/${file}.json`);
    expect(read(retyped(json))).toEqual(read(json));
  });

  it.each(READERS.filter(([name]) => name !== 'getConsensusBlock'))('but not with a wrong one: %s', (_, read, file) => {
    for (const type of ['blocks.other', null, 1]) {
      expect(() => read(retyped(readVector(`http/${file}.json`), type))).toThrow(/@type: expected .*, got/);
    }
  });

  it.each([ORDINARY_CASE, SIMPLEX_CASE])('is no signature set, whose kind only its type tells: %s', (folder) => {
    const { result } = readAnswer(folder);
    const { '@type': _, ...untyped } = result;
    expect(() => parseSignatureList(untyped)).toThrow('@type: expected "blocks.blockSignatures"');
    const signatures = retyped(result.signatures);
    expect(parseSignatureList({ ...result, signatures })).toEqual(parseSignatureList(result));
  });
});
