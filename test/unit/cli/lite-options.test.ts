import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { readWords } from '../../../src/app/cli/command.ts';
import { LITE_RUN_OPTIONS, readLitePlan } from '../../../src/app/cli/input/lite-options.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { globalConfigOf, liteFlags } from '../../helpers/lite-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'lite-options-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.restoreAllMocks());

/** A server that is named and not asked. */
const server = (port: number, publicKey: Uint8Array = newKey()) => ({ port, publicKey });
const newKey = () => generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
const [one, other] = [server(4001), server(4002)];

it.each([
  ['is given by --lite too', one],
  ['has the key of one that --lite gives', server(4003, one.publicKey)],
  ['has the address of one that --lite gives', server(4001)],
])('a server of --config that %s is left out, and a note names it', async (_, same) => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text: unknown, done: unknown) => {
    (done as () => void)();
    return said.push(String(text)) > 0;
  });
  const config = join(folder, 'global.json');
  writeFileSync(config, JSON.stringify(globalConfigOf(new LiteChain({ length: 1 }), [same, other])));
  const { options } = readWords({ options: LITE_RUN_OPTIONS }, ['--config', config, ...liteFlags(one)]);
  const plan = await readLitePlan(options);
  expect(plan?.servers.map(({ port }) => port)).toEqual([4001, 4002]);
  expect(said).toEqual([
    expect.stringMatching(
      new RegExp(
        `: skipping one server: lite://127\\.0\\.0\\.1:${same.port}/\\S+: it has the key or the address of another server\n$`,
      ),
    ),
  ]);
});
