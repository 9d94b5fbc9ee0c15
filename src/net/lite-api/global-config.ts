/**
 * Reads global.config.json: addresses of lite servers, and the network they belong to. All of it is a hint: an attacker
 * who can change the file can name other servers, and no server is trusted. Only what a user pins on purpose becomes a
 * trust anchor.
 */
import { DecodeError } from '../../core/base/errors.ts';
import { readBase64Exact, readHash256, readInt32, readInt64, readUint32 } from '../../core/base/fields.ts';
import { requireList, requireObject } from '../../core/base/json-structure.ts';
import {
  MASTERCHAIN_SHARD,
  MASTERCHAIN_WORKCHAIN,
  MAX_CONFIG_SERVERS,
  MAX_HOST_CHARS,
  PUBLIC_KEY_BYTES,
} from '../../core/base/limits.ts';
import { type BlockIdExt, requireMasterchain } from '../../core/block/block-id.ts';

/** The address of one lite server, and the key that identifies it. */
export interface LiteServer {
  /** A host name, an IPv4 address, or an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /**
   * The Ed25519 public key, 32 bytes. It protects against an attacker between you and the server, not against the
   * server.
   */
  readonly publicKey: Uint8Array;
}

/**
 * A parsed global configuration: servers to ask, and the network they should belong to. These are hints, and nothing is
 * proven.
 */
export interface GlobalConfig {
  readonly servers: readonly LiteServer[];
  /** Server entries that cannot be read, each with its path in the file and the reason. */
  readonly unreadable: readonly DecodeError[];
  /** The zerostate, which identifies the network. */
  readonly zerostate: BlockIdExt;
  /** The block the file proposes to start from. It is a suggestion: pin it only if you trust the origin of the file. */
  readonly suggestedAnchor?: BlockIdExt;
  /** Blocks of hardforks, which have no signatures. */
  readonly hardforks: readonly BlockIdExt[];
}

/** Reads an IPv4 address as an int32, with its first number in the highest byte. */
function readIp(value: unknown, path: string): string {
  const ip = readInt32(value, path) >>> 0;
  return [24, 16, 8, 0].map((shift) => (ip >>> shift) & 0xff).join('.');
}

const HOST = /^[0-9A-Za-z_](?:[0-9A-Za-z_.-]*[0-9A-Za-z_])?$/;
/** Whether a text is an IPv6 address, which a URL has in brackets. */
function isIpv6(text: string): boolean {
  return /^[0-9A-Fa-f:.]+$/.test(text) && URL.canParse(`http://[${text}]`);
}

/** Whether a text can be the host of a server: a name or an address, without spaces, slashes and the like. */
export function isHost(text: string): boolean {
  return text.length <= MAX_HOST_CHARS && (text.includes(':') ? isIpv6(text) : HOST.test(text));
}

export function isPort(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535;
}

function readServer(value: unknown, path: string): LiteServer {
  const json = requireObject(value, path);
  const { hostname, port } = json;
  const id = requireObject(json.id, `${path}.id`);
  if (hostname !== undefined && !(typeof hostname === 'string' && isHost(hostname))) {
    throw new DecodeError('decode/shape', 'expected a host name', { path: `${path}.hostname` });
  }
  if (!isPort(port)) throw new DecodeError('decode/range', 'expected a port, 1 to 65535', { path: `${path}.port` });
  if (id['@type'] !== 'pub.ed25519') {
    throw new DecodeError('decode/shape', 'expected "pub.ed25519"', { path: `${path}.id.@type` });
  }
  return Object.freeze({
    host: typeof hostname === 'string' ? hostname : readIp(json.ip, `${path}.ip`),
    port,
    publicKey: readBase64Exact(id.key, `${path}.id.key`, PUBLIC_KEY_BYTES),
  });
}

/** Reads a block id. @param shard the value where the file names no shard: a zerostate has 0 or nothing */
function readBlock(value: unknown, path: string): BlockIdExt {
  const json = requireObject(value, path);
  const shard = json.shard === undefined ? MASTERCHAIN_SHARD : readInt64Number(json.shard, `${path}.shard`);
  const id = {
    workchain: json.workchain === undefined ? MASTERCHAIN_WORKCHAIN : readInt32(json.workchain, `${path}.workchain`),
    shard: shard === 0n ? MASTERCHAIN_SHARD : shard,
    seqno: json.seqno === undefined ? 0 : readUint32(json.seqno, `${path}.seqno`),
    rootHash: readHash256(json.root_hash, `${path}.root_hash`),
    fileHash: readHash256(json.file_hash, `${path}.file_hash`),
  };
  return Object.freeze(requireMasterchain(id, path));
}

/**
 * Reads the shard, which the file has as a JSON number. JSON.parse rounds it, but -2^63 is a power of two, and exact.
 */
function readInt64Number(value: unknown, path: string): bigint {
  if (typeof value === 'string') return readInt64(value, path);
  if (value === 0) return 0n;
  if (value === Number(MASTERCHAIN_SHARD)) return MASTERCHAIN_SHARD;
  throw new DecodeError('decode/range', 'expected the shard of the masterchain', { path });
}

/**
 * Reads a global configuration in the form of ton.org and of private networks. `liteservers_v2` is left out, because
 * those servers hold only a slice of history. A server entry that cannot be read is left out as well.
 * @param json the parsed file, such as https://ton.org/global.config.json
 * @returns servers to ask, the zerostate of the network, and entries that could not be read
 * @throws DecodeError naming the member
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseGlobalConfig } from 'ton-finality/servers';
 * const { servers, zerostate } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * console.log(servers.length > 0, zerostate.seqno); // true 0
 * ```
 */
export function parseGlobalConfig(json: unknown): GlobalConfig {
  const object = requireObject(json, '');
  const servers = requireList(object.liteservers, MAX_CONFIG_SERVERS, 'liteservers');
  const validator = requireObject(object.validator, 'validator');
  const { zero_state, init_block, hardforks = [] } = validator;
  const forks = requireList(hardforks, MAX_CONFIG_SERVERS, 'validator.hardforks');
  const zerostate = readBlock(zero_state, 'validator.zero_state');
  if (zerostate.seqno !== 0) {
    throw new DecodeError('decode/range', `expected 0, got ${zerostate.seqno}`, { path: 'validator.zero_state.seqno' });
  }
  const unreadable: DecodeError[] = [];
  const read = servers.flatMap((server, at) => {
    try {
      return [readServer(server, `liteservers[${at}]`)];
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      unreadable.push(error);
      return [];
    }
  });
  return Object.freeze({
    servers: Object.freeze(read),
    unreadable: Object.freeze(unreadable),
    zerostate,
    ...(init_block === undefined ? {} : { suggestedAnchor: readBlock(init_block, 'validator.init_block') }),
    hardforks: Object.freeze(forks.map((block, at) => readBlock(block, `validator.hardforks[${at}]`))),
  });
}
