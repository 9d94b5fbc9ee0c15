import { describe, expect, it } from 'vitest';
import { verifyHeader } from '../../src/chain.ts';
import { parseSignatureList } from '../../src/core/block/signature-list.ts';
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
});
