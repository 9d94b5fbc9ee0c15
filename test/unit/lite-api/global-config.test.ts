import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { ZEROSTATES } from '../../../src/core/base/limits.ts';
import { MAINNET } from '../../../src/core/chain/anchors.ts';
import { liteServerLabel, requireLiteServer } from '../../../src/net/lite/server-address.ts';
import { parseGlobalConfig } from '../../../src/net/lite-api/global-config.ts';

const KEY = 'n4VDnSCUuSpjnCyUk9e3QOOd6o0ItSWYbTnW3Wnn8wk=';
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

/** The form of https://ton.org/global.config.json, with mainnet's own zerostate and init block. */
const mainnet = () => ({
  '@type': 'config.global',
  dht: { anything: 1 },
  liteservers: [
    { ip: -2018135749, port: 53312, id: { '@type': 'pub.ed25519', key: KEY } },
    { hostname: 'lite.example.org', port: 1, id: { '@type': 'pub.ed25519', key: KEY }, provided: 'by somebody' },
  ],
  liteservers_v2: [{ ip: 1, slices: [] }],
  validator: {
    '@type': 'validator.config.global',
    zero_state: {
      workchain: -1,
      shard: -(2 ** 63),
      seqno: 0,
      root_hash: base64(ZEROSTATES.mainnet.rootHash),
      file_hash: base64(ZEROSTATES.mainnet.fileHash),
    },
    init_block: {
      workchain: -1,
      shard: -(2 ** 63),
      seqno: 46894135,
      root_hash: base64(encodeHex(MAINNET.initBlock.rootHash)),
      file_hash: base64(encodeHex(MAINNET.initBlock.fileHash)),
    },
    hardforks: [
      {
        file_hash: KEY,
        seqno: 8536841,
        root_hash: KEY,
        workchain: -1,
        shard: -(2 ** 63),
      },
    ],
  },
});

type Config = ReturnType<typeof mainnet>;
function changed(change: (config: Config) => void): Config {
  const config = mainnet();
  change(config);
  return config;
}

describe('a global configuration', () => {
  it('gives servers, their addresses read as signed integers, and the network', () => {
    const { servers, zerostate, suggestedAnchor, hardforks } = parseGlobalConfig(mainnet());
    expect(servers.map(({ host, port }) => `${host}:${port}`)).toEqual(['135.181.177.59:53312', 'lite.example.org:1']);
    expect(Buffer.from(servers[0]!.publicKey).toString('base64')).toBe(KEY);
    expect(encodeHex(zerostate.rootHash)).toBe(ZEROSTATES.mainnet.rootHash);
    expect(encodeHex(zerostate.fileHash)).toBe(ZEROSTATES.mainnet.fileHash);
    expect(suggestedAnchor).toEqual(MAINNET.initBlock);
    expect(hardforks.map(({ seqno }) => seqno)).toEqual([8536841]);
  });

  it('needs no init block, and takes a zerostate with shard 0 or none', () => {
    const config: unknown = {
      liteservers: [],
      validator: { zero_state: { root_hash: mainnet().validator.zero_state.root_hash, file_hash: KEY, shard: 0 } },
    };
    expect(parseGlobalConfig(config)).toMatchObject({ servers: [], zerostate: { workchain: -1, seqno: 0 } });
    expect(parseGlobalConfig(config).suggestedAnchor).toBeUndefined();
  });

  it.each<[string, (config: Config) => void]>([
    ['liteservers[0].ip', (config) => Object.assign(config.liteservers[0]!, { ip: 2 ** 31 })],
    ['liteservers[0].port', (config) => Object.assign(config.liteservers[0]!, { port: 65536 })],
    ['liteservers[1].hostname', (config) => Object.assign(config.liteservers[1]!, { hostname: 'a b' })],
    ['liteservers[1].hostname', (config) => Object.assign(config.liteservers[1]!, { hostname: 'x'.repeat(300) })],
    ['liteservers[0].id.@type', (config) => Object.assign(config.liteservers[0]!.id, { '@type': 'pub.aes' })],
    ['liteservers[0].id.key', (config) => Object.assign(config.liteservers[0]!.id, { key: 'AAAA' })],
  ])('leaves out a server with a wrong %s, and names it', (path, change) => {
    const { servers, unreadable } = parseGlobalConfig(changed(change));
    expect(servers.map(({ host }) => host)).toEqual([
      path.startsWith('liteservers[0]') ? 'lite.example.org' : '135.181.177.59',
    ]);
    expect(unreadable).toEqual([expect.objectContaining({ name: 'DecodeError', path })]);
  });

  it.each<[string, (config: Config) => void]>([
    ['validator.zero_state.seqno', (config) => Object.assign(config.validator.zero_state, { seqno: 1 })],
    ['validator.zero_state.workchain', (config) => Object.assign(config.validator.zero_state, { workchain: 0 })],
    ['validator.init_block.shard', (config) => Object.assign(config.validator.init_block, { shard: 2 ** 62 })],
    ['validator.hardforks[0].root_hash', (config) => Object.assign(config.validator.hardforks[0]!, { root_hash: 'x' })],
  ])('is refused with a wrong %s, which is named', (path, change) => {
    expect(() => parseGlobalConfig(changed(change))).toThrowError(expect.objectContaining({ path }));
  });

  it('is refused when it is none, or names a flood of servers', () => {
    for (const json of [null, [], 'x', {}, { liteservers: [] }, { liteservers: {}, validator: {} }]) {
      expect(() => parseGlobalConfig(json)).toThrowError(expect.objectContaining({ name: 'DecodeError' }));
    }
    const flood = changed((config) => Object.assign(config, { liteservers: Array(2000).fill(config.liteservers[0]) }));
    expect(() => parseGlobalConfig(flood)).toThrow(/at most 1024/);
  });
});

describe('the host of a server', () => {
  it.each([
    '::',
    '::1',
    '1::',
    '2001:db8::',
    '2001:db8::1',
    '::ffff:127.0.0.1',
    '64:ff9b::192.0.2.33',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:1.2.3.4',
    '1:2:3:4:5:6:7::',
    'FE80::ABCD',
    '1.2.3.4',
    'localhost',
    'a-b.example.org',
  ])('may be %s, in a file and on a command line', (host) => {
    const { servers, unreadable } = parseGlobalConfig(
      changed((config) => Object.assign(config.liteservers[0]!, { hostname: host })),
    );
    expect(unreadable).toEqual([]);
    expect(servers[0]!.host).toBe(host);
    const spelled = host.includes(':') ? `[${host}]` : host;
    const server = requireLiteServer(`${spelled}:1:${KEY}`);
    expect(server.host).toBe(host);
    expect(liteServerLabel(server)).toMatch(new RegExp(`^lite://${spelled.replace(/[[\]]/g, '\\$&')}:1/`));
  });

  it.each([
    ':',
    ':1',
    '1:',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '12345::',
    'g::',
    '::1.2.3',
    '::1.2.3.256',
    '1.2.3.4::',
    '1:2:3:4:5:6:7:1.2.3.4',
    'host:1',
    '::1%eth0',
    '-a',
    'a.',
  ])('is not %s', (host) => {
    const { unreadable } = parseGlobalConfig(
      changed((config) => Object.assign(config.liteservers[0]!, { hostname: host })),
    );
    expect(unreadable).toEqual([expect.objectContaining({ path: 'liteservers[0].hostname' })]);
    expect(() => requireLiteServer(`[${host}]:1:${KEY}`)).toThrow();
  });
});

describe('HOST:PORT:KEY', () => {
  it.each([
    [`1.2.3.4:4924:${KEY}`, '1.2.3.4', 4924],
    [`lite.example.org:1:${KEY}`, 'lite.example.org', 1],
    [`[2001:db8::1]:65535:${KEY}`, '2001:db8::1', 65535],
  ])('%s is read', (text, host, port) => {
    const server = requireLiteServer(text);
    expect(server).toMatchObject({ host, port });
    expect(liteServerLabel(server)).toMatch(host.includes(':') ? /^lite:\/\/\[2001:db8::1\]:/ : /^lite:\/\/[^[]/);
  });

  it.each([
    '',
    '1.2.3.4',
    `1.2.3.4:${KEY}`,
    `1.2.3.4:0:${KEY}`,
    `1.2.3.4:65536:${KEY}`,
    `2001:db8::1:1:${KEY}`,
    `a b:1:${KEY}`,
    `1.2.3.4:1:${'A'.repeat(43)}=`,
    `1.2.3.4:1:${KEY} `,
  ])('%j is refused without being repeated', (text) => {
    expect(() => requireLiteServer(text)).toThrowError(expect.objectContaining({ code: 'usage/bad-option' }));
  });
});
