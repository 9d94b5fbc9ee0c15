import { describe, expect, it } from 'vitest';
import { verifyHeader } from '../../src/chain.ts';
import { parseSignatureList } from '../../src/core/block/signature-set.ts';
import { parseValidatorSet } from '../../src/core/validators/from-json.ts';
import { validatorListHashShort } from '../../src/core/validators/list-hash-short.ts';
import { realBytes, realJson } from '../helpers/real.ts';
import { runCli } from '../helpers/warm-cli.ts';

const validators = (...words: string[]) => runCli(['validators', ...words]);
const real = (path: string) => `vectors/real/${path}`;

describe('validators', () => {
  it('prints the set of a key block in the shape that verify reads, with ADNL addresses and shuffle', async () => {
    const { code, stdout, stderr } = await validators(real('mainnet-2024-06/key-block-38603051.boc'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const printed = JSON.parse(stdout) as { validators: Record<string, string>[]; shuffle_mc_validators: boolean };
    const recorded = realJson('mainnet-2024-06/block-38607075/validators.json') as { validators: object[] };
    expect(printed).toMatchObject(recorded);
    expect(printed.shuffle_mc_validators).toBe(true);
    expect(printed.validators.every(({ adnl_addr }) => /^[0-9a-f]{64}$/.test(adnl_addr!))).toBe(true);
    // What is printed is enough to compute the hash that a block names.
    const block = 'mainnet-2024-06/block-38607075';
    const { blockId } = parseSignatureList(realJson(`${block}/signatures.json`));
    const header = verifyHeader(realBytes(`${block}/header-proof.boc`), blockId);
    const computed = validatorListHashShort(parseValidatorSet(printed), header.catchainSeqno);
    expect(computed).toBe(header.validatorListHashShort);
  });

  it('prints previous, current and next set of a whole configuration, equal to the single parameters', async () => {
    for (const [number, set] of [
      [32, 'previous'],
      [34, 'current'],
      [36, 'next'],
    ] as const) {
      const whole = await validators(real('mainnet-2024-06/key-block-38616744.boc'), '--set', set);
      const single = await validators(real(`config/mainnet-38616744-param${number}.json`));
      const { shuffle_mc_validators: shuffle, ...rest } = JSON.parse(whole.stdout) as Record<string, unknown>;
      expect(shuffle).toBe(true);
      expect(JSON.parse(single.stdout)).toEqual(rest);
    }
  });

  it('reads a zerostate, a Merkle proof, and standard input', async () => {
    const zero = await validators('-', '--json');
    expect(zero.code).toBe(2);
    const stdin = realBytes('mainnet-genesis/zerostate.boc');
    const piped = await runCli(['validators', '-'], { stdin });
    expect(JSON.parse(piped.stdout)).toMatchObject({
      total: 5,
      main: 5,
      total_weight: '85',
      shuffle_mc_validators: false,
    });
    const proof = await validators(real('mainnet-2026-04-simplex/block-59379986/config-proof.boc'));
    expect(JSON.parse(proof.stdout)).toMatchObject({ main: 100, total: 368 });
  });

  it('refuses a block that is no key block, a set that is not there, and files of another kind', async () => {
    const plain = await validators(real('testnet-2025-02/block-27683263/block.boc'), '--json');
    expect(plain.code).toBe(2);
    expect(JSON.parse(plain.stderr)).toMatchObject({ code: 'trust/not-key-block' });
    const none = await validators(real('mainnet-genesis/zerostate.boc'), '--set', 'next');
    expect(none.stderr).toContain('the configuration has no next validator set');
    for (const path of [
      'config/mainnet-38616744-param28.json',
      'chains.json',
      'mainnet-genesis/block-1/block-proof.boc',
    ]) {
      expect((await validators(real(path))).code, path).toBe(2);
    }
    expect((await validators(real('mainnet-genesis/zerostate.boc'), '--set', 'last')).stderr).toContain(
      '--set: expected',
    );
    expect((await validators()).stderr).toContain('expected one FILE or -');
    expect((await validators('--help')).stdout).toMatch(/^usage: ton-finality validators/);
  });
});
