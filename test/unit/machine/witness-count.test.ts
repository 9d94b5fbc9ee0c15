/** Servers of one address block, or of one host name, are one witness. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { voicesOf } from '../../../src/net/machine/witness-count.ts';

const lite = (host: string, port = 4924) => ({
  name: `lite://${host.includes(':') ? `[${host}]` : host}:${port}/0f1e2d3c`,
});
/** As how many witnesses servers with these hosts count. */
const count = (...hosts: readonly string[]) => voicesOf(hosts.map((host, at) => lite(host, 1000 + at)));

describe('servers count as one witness', () => {
  it.each([
    ['in one /24', '198.51.100.1', '198.51.100.255'],
    ['in one /48', '2001:db8:1::1', '2001:db8:1:ffff::2'],
    ['in one /48, written in two ways', '2001:db8:1::1', '2001:0DB8:0001:0:0:0:0:2'],
    ['in one /48, with no group left out', '2001:db8:1:1:1:1:1:1', '2001:db8:1:2:3:4:5:6'],
    ['at an address and the same one mapped', '198.51.100.1', '::ffff:198.51.100.7'],
    ['at an address and the same one mapped, in groups', '198.51.100.1', '::ffff:c633:6407'],
    ['at an address and the same one, compatible', '198.51.100.1', '::198.51.100.7'],
    ['at an address and the same one translated', '198.51.100.1', '64:ff9b::198.51.100.7'],
    ['at an address and the same one by 6to4', '198.51.100.1', '2002:c633:6407::1'],
    ['at two hosts of one link', 'fe80::1%eth0', 'fe80::2%eth1'],
    ['at one address in other numbers', '198.51.100.1', '0xc6.063.0x64.7'],
    ['at one address in fewer parts', '198.51.100.1', '198.51.25607'],
    ['at one address as one number', '198.51.100.1', '3325256711'],
    ['at an address and the same one mapped, of some interface', '198.51.100.1', '::ffff:198.51.100.7%eth0'],
    ['at one address with a zero before it', '89.51.100.1', '089.51.100.2'],
    ['at one address with a zero before digits that octal numbers have too', '79.51.100.1', '079.51.100.2'],
    ['of one host name', 'Node.Example', 'node.example.'],
    ['of one name that only ends like this machine', 'mylocalhost', 'mylocalhost'],
    ['of one name that only begins like this machine', 'localhost.example', 'localhost.example'],
  ])('%s', (_, one, other) => {
    expect([count(one), count(one, other), count(other, one)]).toEqual([1, 1, 1]);
  });
});

describe('servers count as two witnesses', () => {
  it.each([
    ['of two /24', '198.51.100.1', '198.51.101.1'],
    ['of two blocks that differ in the first byte', '198.51.100.1', '197.51.100.1'],
    ['of two /48', '2001:db8:1::1', '2001:db8:2::1'],
    ['of two /48 that share their last groups', '2001:db8:1::5', '2003:db8:1::5'],
    ['at IPv6 and at the same numbers as IPv4', '2001:db8:1::1', '32.1.13.1'],
    ['by 6to4 of two /24', '2002:c633:6407::1', '2002:c633:6507::1'],
    ['translated, of two /24', '64:ff9b::198.51.100.7', '64:ff9b::198.51.101.7'],
    ['translated and under another prefix', '64:ff9b::198.51.100.7', '64:ff9c::198.51.100.7'],
    ['of two host names', 'a.example', 'b.example'],
    ['of a name that only looks like an address', '198.51.100.1', '198.51.100.x'],
    ['of names of five numbers', '198.51.100.1.2', '198.51.100.1.3'],
    ['of names of five numbers, the last of them 0', '198.51.100.1.0', '198.51.100.2.0'],
    ['of a name with a number that no system takes', '10.51.100.1', '1e1.51.100.1'],
    ['of a name whose last number is just too large', '198.51.0.1', '198.51.65536'],
    ['on this machine, each group written', '0:0:0:0:0:0:0:1', '0:0:0:0:0:0:0:1'],
    ['of names of numbers that are too large', '198.51.100.256', '198.51.100.257'],
    ['of names of a number that is too large', '256.51.100.1', '256.51.100.2'],
    ['on this machine', '127.0.0.1', '127.0.0.1'],
    ['on this machine, at several addresses', '127.0.0.1', '127.0.0.2'],
    ['on this machine over IPv6', '::1', '0:0:0:0:0:0:0:1'],
    ['on this machine, mapped', '::ffff:127.0.0.1', '::ffff:127.0.0.1'],
    ['on this machine by name', 'localhost', 'LOCALHOST.'],
    ['on this machine by a longer name', 'one.localhost', 'one.localhost'],
    ['on another machine whose name ends so', 'mylocalhost', 'yourlocalhost'],
  ])('%s', (_, one, other) => {
    expect([count(one), count(one, other), count(other, one)]).toEqual([1, 2, 2]);
  });

  it('where each is to count', () => {
    const servers = ['198.51.100.1', '198.51.100.2', '198.51.100.3'].map((host) => lite(host));
    expect(voicesOf(servers, undefined, true)).toBe(3);
    expect(voicesOf(servers, servers[0], true)).toBe(2);
  });

  it('of an IPv6 address with nothing but its last group', () => {
    expect(count('::2', '::3')).toBe(1); // an IPv4 address, compatible
    expect(count('::1', '::2')).toBe(2);
  });
});

describe('the host of a server', () => {
  it('is that of its label, over HTTP too', () => {
    const names = [
      'https://a.example/api/v2',
      'https://a.example:8081/api/v3',
      'http://[2001:db8::1]:80/',
      'lite://[2001:db8::2]:1/a',
    ];
    expect(voicesOf(names.map((name) => ({ name })))).toBe(2);
    expect(voicesOf([{ name: 'HTTPS://a.example?x' }, { name: 'https://a.example#y' }])).toBe(1);
  });

  it('is the one that is given, whatever the label', () => {
    const servers = ['one', 'two'].map((name) => ({ name, host: '198.51.100.1' }));
    expect(voicesOf(servers)).toBe(1);
    const odd = ['no:address', 'no:address', 'nor:this', 'x]@one/', 'x]@two/'];
    expect(voicesOf(odd.map((host, at) => ({ name: `server ${at}`, host })))).toBe(4);
    expect(voicesOf([{ name: 'lite://198.51.100.1:1/a', host: '203.0.113.1' }], lite('198.51.100.1'))).toBe(1);
  });

  it('is not known of a source that has a name of its own: each counts', () => {
    expect(voicesOf([{ name: 'a' }, { name: 'b' }, { name: 'first of (https://a.example/)' }])).toBe(3);
    const joined = [1, 2].map((at) => ({ name: `first of (https://a.example/${at})` }));
    expect(voicesOf(joined)).toBe(2);
    expect(voicesOf([{ name: 'a' }, { name: 'a' }])).toBe(1);
    expect(voicesOf([{ name: '1://a.example/1' }, { name: '1://a.example/2' }])).toBe(2);
  });
});

describe('whoever gave the proof', () => {
  it('is no witness of it, nor is a server of its block', () => {
    const [prover, neighbour, other] = ['198.51.100.1', '198.51.100.2', '203.0.113.1'].map((host) => lite(host));
    expect(voicesOf([neighbour!], prover)).toBe(0);
    expect(voicesOf([neighbour!, other!], prover)).toBe(1);
    expect(voicesOf([prover!], prover)).toBe(0);
    expect(voicesOf([], prover)).toBe(0);
  });

  it('leaves other servers of this machine theirs', () => {
    expect(voicesOf([lite('127.0.0.1', 2)], lite('127.0.0.1', 1))).toBe(1);
    expect(voicesOf([lite('127.0.0.1', 1)], lite('127.0.0.1', 1))).toBe(0);
  });
});

it('the same address counts the same in every form, and any number of servers in one block is one witness', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const hex = (n: number) => n.toString(16);
  fc.assert(
    fc.property(byte, byte, byte, fc.array(byte, { minLength: 1, maxLength: 8 }), (a, b, c, hosts) => {
      const forms = (d: number) => [
        `${a}.${b}.${c}.${d}`,
        `0x${hex(a)}.0${b.toString(8)}.${c * 256 + d}`,
        String(((a * 256 + b) * 256 + c) * 256 + d),
        `::ffff:${a}.${b}.${c}.${d}`,
        `64:FF9B::${hex(a * 256 + b)}:${hex(c * 256 + d)}`,
        `2002:${hex(a * 256 + b)}:${hex(c * 256 + d)}::${hex(d)}`,
      ];
      const all = hosts.flatMap(forms);
      const isOwn = a === 127;
      expect(count(...all)).toBe(isOwn ? all.length : 1);
      const others = hosts.map((d) => `${a}.${b}.${(c + 1) % 256}.${d}`);
      if (!isOwn) expect(count(...all, ...others)).toBe(2);
    }),
  );
});
