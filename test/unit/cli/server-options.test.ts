import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readWords } from '../../../src/app/cli/command.ts';
import { readSourcePlan, SOURCE_OPTIONS } from '../../../src/app/cli/input/server-options.ts';
import type { UsageError } from '../../../src/core/base/errors.ts';

const X = ['--base-url', 'https://x'];

function plan(...words: string[]) {
  const given = readWords({ options: SOURCE_OPTIONS, words: { wanted: 'one', count: [1, 1] } }, words);
  return readSourcePlan(given.words[0]!, given.options);
}

describe('a command line about servers', () => {
  it.each<readonly [readonly string[], RegExp]>([
    [['5'], /expected a server to fetch block 5 from/],
    [['latest'], /expected a server to fetch the newest block from/],
    [['0', ...X], /expected a seqno from 1/],
    [['4294967296', ...X], /expected a seqno from 1/],
    [['file.json', ...X], /requires a SEQNO or latest, got a file/],
    [['file.json', '--quorum', '2'], /--quorum: requires --base-url/],
    [['file.json', '--save', 'x'], /--save: requires --base-url/],
    [['latest', ...X, '--quorum', '2'], /expected 1 to 1, the number of --base-url/],
    [['latest', ...X, '--quorum', '0'], /expected 1 to 9999/],
    [['latest', ...X, '--quorum', '1e0'], /expected 1 to 9999/],
    [['latest', ...X, '--api-key-env', 'NOT_SET_ANYWHERE'], /variable for the key of --base-url 1 is not set/],
    [['latest', ...X, '--api-key-env', '-', '--api-key-env', '-'], /expected at most one for each --base-url/],
    [['latest', ...X, '--network', 'devnet'], /expected mainnet or testnet, got "devnet"/],
    ...['0', '0.009', '1000.1', 'Infinity', '1e3', '-1', '9'.repeat(400), '', ' 1'].map(
      (rate) => [['latest', ...X, `--rate=${rate}`], /--rate: expected 0.01 to 1000, got/] as const,
    ),
    ...['0', '0.05', '3601', 'Infinity', '-1', '9'.repeat(400), '0x10'].map(
      (deadline) => [['latest', ...X, `--deadline=${deadline}`], /--deadline: expected 0.1 to 3600, got/] as const,
    ),
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

  it('takes rates and time limits up to their bounds', () => {
    expect(plan('7', ...X, '--deadline', '0.1')?.deadlineMs).toBe(100);
    expect(plan('7', ...X, '--deadline', '3600', '--rate', '1000')?.deadlineMs).toBe(3_600_000);
    expect(plan('7', ...X, '--rate', '0.01')).toBeDefined();
  });

  it('shares one pace among the servers of one host, which counts them together', () => {
    const { v2, v3 } = plan('7', '--base-url', 'https://a/v2', '--base-url', 'https://b', '--v3-url', 'https://a/v3')!;
    expect(v3?.pace).toBe(v2[0]?.pace);
    expect(v2[1]?.pace).not.toBe(v2[0]?.pace);
  });

  it('never repeats what was given as the name of a variable: it may be the key', () => {
    const key = '0123456789abcdef-secret';
    const error = (() => {
      try {
        return plan('7', ...X, '--api-key-env', key);
      } catch (error) {
        return error as UsageError;
      }
    })();
    expect(error).toMatchObject({ path: '--api-key-env', hint: 'pass the name of the variable, not the key' });
    expect(JSON.stringify(error) + (error as UsageError).message).not.toContain(key);
  });

  describe('with two URLs on one host', () => {
    const urls = ['--base-url', 'https://a/1', '--base-url', 'https://a/2'];
    const v3 = ['--v3-url', 'https://a/v3'];
    const keysOf = (...words: string[]) => {
      const { v2, v3: third } = plan('7', ...urls, ...v3, ...words)!;
      return [...v2, third!].map(({ apiKey }) => apiKey);
    };
    beforeAll(() => {
      vi.stubEnv('KEY_ONE', 'one');
      vi.stubEnv('KEY_TWO', 'two');
    });
    afterAll(() => {
      vi.unstubAllEnvs();
    });

    it('gives each URL its own key, and v3 none of several', () => {
      expect(keysOf('--api-key-env', 'KEY_ONE', '--api-key-env', 'KEY_TWO')).toEqual(['one', 'two', undefined]);
      expect(keysOf('--api-key-env', '-', '--api-key-env', 'KEY_TWO')).toEqual([undefined, 'two', undefined]);
      expect(keysOf('--api-key-env', 'KEY_ONE')).toEqual(['one', undefined, undefined]);
    });

    it('gives v3 the key that all URLs of its host have', () => {
      expect(keysOf('--api-key-env', 'KEY_ONE', '--api-key-env', 'KEY_ONE')).toEqual(['one', 'one', 'one']);
    });

    it('paces by key: what is asked without one counts apart', () => {
      const { v2 } = plan('7', ...urls, '--api-key-env', 'KEY_ONE')!;
      expect(v2[0]?.pace).not.toBe(v2[1]?.pace);
    });
  });
});
