/** The command against servers that want to end it, hang it or silence it: own raw sockets, nothing of the client in them. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawReply, type RawServer, startRawServer } from '../../helpers/raw-server.ts';
import { type StandIn, startStandIn } from '../../helpers/stand-in.ts';
import { runCli } from '../../helpers/warm-cli.ts';

const SIMPLEX = ['59379986', '--validators', 'vectors/real/mainnet-2026-04-simplex/block-59379986/validators.json'];
const ORDINARY = ['46920655', '--validators', 'vectors/real/mainnet-2025-04/block-46920655/validators.json'];
const DEADLINE_SECONDS = 3;
/** What is allowed beyond the deadline, in time of the command's own. */
const SLACK_MS = 2_000;

/** What ended a process of 0.1.0: six layers of gzip around a body that is cut. */
function killer(): RawReply {
  let body: Uint8Array = Buffer.from(`{"ok":true,"result":{"x":"${'x'.repeat(5000)}"}}`);
  for (let i = 0; i < 6; i++) body = gzipSync(body);
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\ncontent-encoding: ${Array(6).fill('gzip').join(', ')}`;
  return { pieces: [Buffer.from(`${head}\r\n\r\n`), body.subarray(0, body.length >> 1)], after: 'end' };
}

const HOSTILE: Readonly<Record<string, RawReply>> = {
  killer: killer(),
  resetter: { pieces: [Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"ok":')], after: 'reset' },
  hanger: { pieces: [Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{')], after: 'hang' },
  'sender of bodies where none belong': {
    pieces: [Buffer.from('HTTP/1.1 204 No Content\r\ncontent-length: 99999\r\n\r\nx')],
    after: 'hang',
  },
  'sender of 65 000 empty rows': {
    pieces: [Buffer.from(`HTTP/1.1 200 OK\r\n\r\n{"blocks":[${Array(65_000).fill('{}').join(',')}]}`)],
    after: 'end',
  },
};

const servers: Record<string, RawServer> = {};
let honest: StandIn;
beforeAll(async () => {
  for (const [name, reply] of Object.entries(HOSTILE)) servers[name] = await startRawServer(() => reply);
  honest = await startStandIn();
});
afterAll(async () => {
  await Promise.all(Object.values(servers).map((server) => server.close()));
  await honest.close();
});

const hostile = (name: string) => ['--base-url', `${servers[name]!.origin}/api/v2`];
const honestTwice = () => ['--base-url', `${honest.origin}/api/v2`, '--base-url', `${honest.origin}/python/api/v2`];

async function verify(...words: string[]) {
  const limits = ['--rate', '1000', '--deadline', String(DEADLINE_SECONDS)];
  return await runCli(['verify', ...words, ...limits, '--json']);
}

describe('verify', () => {
  it.each([[], ['--quorum', '2']])('ends with 3 in time where all servers are hostile %j', async (...quorum) => {
    const all = ['killer', 'resetter', 'hanger'].flatMap(hostile);
    const { code, stdout, stderr, ownMs } = await verify(...SIMPLEX, ...all, ...quorum);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({
      schema: 'ton-finality/error@2',
      code: expect.stringMatching(/^source\//),
    });
    expect(ownMs).toBeLessThan(DEADLINE_SECONDS * 1000 + SLACK_MS);
  });

  describe.each(Object.keys(HOSTILE))('beside an honest majority, with a %s among the servers', (name) => {
    it('a Simplex block is final', async () => {
      const { code, stdout } = await verify(...SIMPLEX, ...hostile(name), ...honestTwice(), '--quorum', '2');
      expect(JSON.parse(stdout)).toMatchObject({
        verdict: { status: 'final' },
        bound: expect.arrayContaining(['seqno']),
      });
      expect(code).toBe(0);
    });

    it('an ordinary block is undecided, for its number, and final where that is accepted', async () => {
      const words = [...ORDINARY, ...hostile(name), ...honestTwice(), '--quorum', '2'];
      const undecided = await verify(...words);
      expect(JSON.parse(undecided.stdout).verdict).toEqual({ status: 'undecided', reason: 'unbound-id' });
      expect(undecided.code).toBe(4);
      expect((await verify(...words, '--accept-unbound')).code).toBe(0);
    });
  });

  it('has one time limit for all servers together, however many there are', async () => {
    const many = await Promise.all(Array.from({ length: 6 }, () => startRawServer(() => HOSTILE.hanger!)));
    const urls = many.flatMap(({ origin }) => ['--base-url', `${origin}/api/v2`]);
    const { code, ownMs } = await verify(...SIMPLEX, ...urls);
    await Promise.all(many.map((server) => server.close()));
    expect(code).toBe(3);
    expect(ownMs).toBeLessThan(DEADLINE_SECONDS * 1000 + SLACK_MS);
  });

  it.each(Object.keys(HOSTILE))('loses no verdict to a v3 server that is a %s, and warns', async (name) => {
    const v3 = ['--v3-url', `${servers[name]!.origin}/api/v3`];
    const { code, stdout } = await verify(...SIMPLEX, '--base-url', `${honest.origin}/api/v2`, ...v3);
    const { verdict, warnings } = JSON.parse(stdout);
    expect(verdict).toEqual({ status: 'final' });
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'not-cross-checked' }));
    expect(code).toBe(0);
  });
});
