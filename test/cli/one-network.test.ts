/** Blocks that the right keys signed elsewhere: the command refuses them in every form, with one code. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkpointFromKeyBlock, checkpointToJson } from '../../src/core/chain/checkpoint.ts';
import { type SetKind, toAnswer } from '../helpers/make-block.ts';
import { type BlockForm, committee, configCell, makeBlock, signBlock } from '../helpers/make-chain.ts';
import { runCli } from '../helpers/warm-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'ton-finality-network-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const a = committee('a');
const config = configCell({ elected: a });
const key = makeBlock({ seqno: 100, signedBy: a, prevKeyBlockSeqno: 50, config });
writeFileSync(at('checkpoint.json'), JSON.stringify(checkpointToJson(checkpointFromKeyBlock(key.boc, key.id))));

const under = ['--checkpoint', at('checkpoint.json')];
const shown = ['--signatures', at('signatures.json'), '--block', at('block.boc')];
const FORMS: Readonly<Record<string, readonly string[]>> = {
  verify: ['verify', at('signatures.json'), ...under, '--block', at('block.boc')],
  'verify --strict': [
    'verify',
    at('signatures.json'),
    ...under,
    '--block',
    at('block.boc'),
    '--strict',
    '--now',
    '1500000',
  ],
  prove: [
    'prove',
    'transaction',
    at('block.boc'),
    '--account',
    `-1:${'07'.repeat(32)}`,
    '--lt',
    '5',
    ...under,
    ...shown,
  ],
  certify: ['certify', ...under, ...shown, '--out', at('out.fin.boc')],
  'checkpoint advance': [
    ...['checkpoint', 'advance', ...under, '--key-block', at('block.boc'), '--signatures', at('signatures.json')],
    ...['--now', '1500000', '--out', at('next.json')],
  ],
};

async function run(form: string, over: Partial<BlockForm>, kind: SetKind) {
  const block = makeBlock({ seqno: 200, signedBy: a, prevKeyBlockSeqno: 100, config, ...over });
  writeFileSync(at('block.boc'), block.boc);
  writeFileSync(at('signatures.json'), JSON.stringify({ ok: true, result: toAnswer(signBlock(block, a, kind)) }));
  const { code, stdout, stderr } = await runCli([...FORMS[form]!, '--json']);
  return { code, error: stderr === '' ? stdout.slice(0, 40) : (JSON.parse(stderr) as { code: string }).code };
}

describe.each(Object.keys(FORMS))('%s', (form) => {
  it.each(['ordinary', 'simplex'] as const)(
    'takes an honest block and no stranger, with %s signatures',
    async (kind) => {
      expect((await run(form, {}, kind)).code).toBe(form === 'prove' ? 1 : 0); // the transaction is proven absent
      for (const [over, error] of [
        [{ globalId: 5 }, 'trust/wrong-network'],
        [{ vertSeqno: 2 }, 'trust/hardfork'],
        [{ hardfork: true }, 'trust/hardfork'],
        [{ genUtime: 1_499_999 }, 'trust/backwards'],
      ] as const) {
        expect(await run(form, over, kind)).toEqual({ code: 2, error });
      }
      const other = await run(form, { prevKeyBlockSeqno: 50, catchainSeqno: 200 }, kind);
      if (form.startsWith('verify')) expect(other.code).toBe(4);
      else expect(other).toEqual({ code: 2, error: 'trust/not-next' });
    },
  );
});
