/** What an operator does around hardforks, changed keys and upgrades: the page is run as it is, against a network that has them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { writeGlobalConfig, writeZerostateCheckpoint } from '../../helpers/lite-cli.ts';
import { type LiteStandIn, type LiteStandInOptions, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { newerFrom } from '../../helpers/newer-network.ts';
import { commandExamples } from '../../helpers/readme.ts';
import { shownOutput } from '../../helpers/run-examples.ts';
import { ROOT } from '../../helpers/vectors.ts';
import { runWarm } from '../../helpers/warm-cli.ts';

const HARDFORK = 50;
const folder = mkdtempSync(join(tmpdir(), 'ton-finality-upgrades-'));
const at = (name: string) => join(folder, name);

let before: LiteChain;
let after: LiteChain;
let chain: LiteChain;
let isNewer = false;
const servers: LiteStandIn[] = [];

beforeAll(async () => {
  const common = { firstUtime: Math.floor(Date.now() / 1000) - 69, hasStates: true };
  before = new LiteChain({ ...common, length: 57 });
  const forkOver = (seqno: number) => ({ vertSeqno: 2, hardfork: seqno === HARDFORK });
  after = new LiteChain({ ...common, length: 70, forkAt: HARDFORK, forkOver });
  chain = before;
  for (let count = 0; count < 2; count++) {
    const newer = newerFrom(after, 60);
    const answer: LiteStandInOptions['answer'] = (asked) => (isNewer ? newer(asked) : chain.answer(asked));
    servers.push(await startLiteStandIn({ answer }));
  }
  const write = (name: string, of: readonly LiteStandIn[]) => {
    writeFileSync(at(name), readFileSync(writeGlobalConfig(folder, before, of)));
  };
  write('global.config.json', servers);
  write('old-key.config.json', [{ ...servers[0]!, publicKey: new Uint8Array(32).fill(9) } as LiteStandIn, servers[1]!]);
  const zerostate = readFileSync(writeZerostateCheckpoint(folder, before));
  for (const name of ['checkpoint.json', 'older.json']) writeFileSync(at(name), zerostate);
});
afterAll(async () => {
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true });
});

const sections = readFileSync(join(ROOT, 'docs', 'upgrades.md'), 'utf8')
  .split(/^## /m)
  .slice(1);
const commands = sections.flatMap((section) => {
  const title = section.slice(0, section.indexOf('\n'));
  return commandExamples(section).map((example) => ({ title, ...example }));
});

/** What commands end with that are refused after a hardfork; the others end with 0. */
const CODES: readonly (readonly [RegExp, number])[] = [
  [/^sync --checkpoint (?:older|checkpoint)\.json .*/, 3],
  [/--state state\.json$/, 2],
];

/** What stands on disk is what the next command begins with, so they run in the order of the page. */
describe.sequential('docs/upgrades.md', () => {
  it.each(commands)('$title: $command', async ({ title, command, output }) => {
    chain = title.startsWith('The validators') ? before : after;
    isNewer = title.startsWith('A new version of the protocol');
    const { rootHash, fileHash } = after.id(HARDFORK);
    const words = command
      .replace('$ROOT_HASH', encodeHex(rootHash))
      .replace('$FILE_HASH', encodeHex(fileHash))
      .split(' ')
      .slice(1);
    const run = await runWarm(words, { cwd: folder, env: {} });
    const refused = CODES.find(([pattern]) => pattern.test(command.slice(13)));
    const failing = isNewer ? [command, 3] : title.startsWith('A hardfork') ? refused : undefined;
    expect(run.code, run.both).toBe(failing?.[1] ?? 0);
    expect(`${run.both.trimEnd()}\n`).toMatch(shownOutput(output, 'global.config.json'));
  });
});
