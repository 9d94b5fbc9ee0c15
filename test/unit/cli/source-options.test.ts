import { describe, expect, it } from 'vitest';
import { parseOptions } from '../../../src/cli/options.ts';
import { readSourcePlan, SOURCE_OPTIONS } from '../../../src/cli/source-options.ts';

const X = ['--base-url', 'https://x'];

function plan(...words: string[]) {
  const { values, positionals } = parseOptions(words, SOURCE_OPTIONS);
  return readSourcePlan(positionals[0]!, values, () => {});
}

describe('a command line about servers', () => {
  it.each([
    [['5'], /for a file of that name write \.\/5|expected a server/],
    [['0', ...X], /expected a seqno from 1/],
    [['4294967296', ...X], /expected a seqno from 1/],
    [['file.json', ...X], /expected a SEQNO or latest with it, got a file/],
    [['file.json', '--quorum', '2'], /--quorum: expected --base-url with it/],
    [['file.json', '--save', 'x'], /--save: expected --base-url with it/],
    [['latest', ...X, '--quorum', '2'], /expected 1 to 1, the number of --base-url/],
    [['latest', ...X, '--quorum', '0'], /expected 1 to 1/],
    [['latest', ...X, '--quorum', '1e0'], /expected 1 to 1/],
    [['latest', ...X, '--api-key-env', 'NOT_SET_ANYWHERE'], /NOT_SET_ANYWHERE is not set/],
    [['latest', ...X, '--api-key-env', '-', '--api-key-env', '-'], /expected at most one for each --base-url/],
    [['latest', ...X, '--network', 'devnet'], /expected mainnet or testnet, got "devnet"/],
    [['latest', ...X, '--rate', '0'], /--rate: expected a number above 0/],
    [['latest', ...X, '--rate', 'Infinity'], /--rate: expected a number above 0/],
    [['latest', ...X, '--deadline', '-1'], /--deadline: expected a number above 0/],
    [['latest', ...X, '--validators-from', 'friend'], /expected server, got "friend"/],
  ])('that cannot be carried out is a usage error: %j', (words, message) => {
    expect(() => plan(...words)).toThrow(message);
    expect(() => plan(...words)).toThrow(expect.objectContaining({ code: 'usage/bad-option' }) as Error);
  });

  it('without servers is one about a file', () => {
    expect(plan('file.json')).toBeUndefined();
    expect(plan('-')).toBeUndefined();
    expect(plan('./5')).toBeUndefined();
  });

  it('names the block, the servers and how many must agree', () => {
    const words = ['--base-url', 'https://a/v2', '--base-url', 'https://b/v2', '--quorum', '2', '--network', 'mainnet'];
    expect(plan('latest', ...words, '--v3-url', 'https://a/v3')).toMatchObject({
      wanted: 'latest',
      v2: [{ baseUrl: 'https://a/v2' }, { baseUrl: 'https://b/v2' }],
      v3: { baseUrl: 'https://a/v3' },
      need: 2,
      network: 'mainnet',
      claimedSet: false,
    });
    expect(plan('7', ...X)).toMatchObject({ wanted: 7, need: undefined, v3: undefined });
  });

  it('shares one pace among the servers of one host, which counts them together', () => {
    const { v2, v3 } = plan('7', '--base-url', 'https://a/v2', '--base-url', 'https://b', '--v3-url', 'https://a/v3')!;
    expect(v3?.pace).toBe(v2[0]?.pace);
    expect(v2[1]?.pace).not.toBe(v2[0]?.pace);
  });
});
