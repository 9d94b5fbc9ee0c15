/**
 * Reads and writes the text forms of account ids (a workchain and 256 bits), and determines the shard of an account. An
 * id does not say whether the account exists.
 */
import { badOption, requireInt32, requireMembers } from '../base/arguments.ts';
import { decodeBase64, decodeHex, encodeBase64, encodeHex, equalBytes } from '../base/bytes.ts';
import { DecodeError } from '../base/errors.ts';
import { HASH_BYTES } from '../base/limits.ts';
import { flag, readOptions, text } from '../base/options.ts';
import { ownBytesOf } from '../base/own-bytes.ts';
import { type BlockIdExt, formatBlockPlace } from '../block/block-id.ts';
import { trustError } from '../chain/shared-checks.ts';
import { requireWord } from './fact-checks.ts';

/** The id of an account. The 256 bits alone identify one account in every workchain. */
export interface AccountId {
  /** int32: 0 for the basechain, -1 for the masterchain. */
  readonly workchain: number;
  /** 32 bytes. */
  readonly address: Uint8Array;
}

/** An account as an argument: an id, or an `Address` of `@ton/core`, whose two members are read. Facts name an id. */
export type AccountLike = AccountId | { readonly workChain: number; readonly hash: Uint8Array };

/** An account id together with the flags of its text form. */
export interface ParsedAccountId extends AccountId {
  /** raw: `workchain:hex`; user-friendly: 48 characters of base64 with a checksum. */
  readonly form: 'raw' | 'user-friendly';
  /** Flags of the user-friendly form. */
  readonly bounceable?: boolean;
  /** Written for test networks only: money sent to it on mainnet is likely a mistake. */
  readonly testOnly?: boolean;
}

const BOUNCEABLE = 0x11;
const NOT_BOUNCEABLE = 0x51;
const TEST_ONLY = 0x80;
const USER_FRIENDLY_CHARS = 48;
const RAW = /^(-?[0-9]{1,10}):([0-9a-f]{64})$/i;

/** CRC-16/XMODEM: polynomial 1021, nothing reflected, from zero. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x1021)) & 0xffff;
  }
  return crc;
}

const EITHER_FORM = 'expected workchain:hex, or the 48 characters that a wallet shows';

function notAnAccount(message = EITHER_FORM): DecodeError {
  return new DecodeError('decode/shape', message, { path: 'account' });
}

/**
 * Reads an account id in raw form or in user-friendly form, with either alphabet of base64. Source: TEP-2; ton
 * `crypto/block/block.cpp`, StdAddress::parse_addr.
 * @param text `workchain:hex`, or 48 characters of base64 with a checksum
 * @returns the id, with its form and, for the user-friendly form, the flags
 * @throws DecodeError `decode/shape`, also for a wrong checksum
 * @example
 * ```ts
 * import { parseAccountId } from 'ton-finality/facts';
 * const { workchain } = parseAccountId(`0:${'00'.repeat(32)}`);
 * console.log(workchain); // 0
 * ```
 */
export function parseAccountId(text: string): ParsedAccountId {
  if (typeof text !== 'string') throw notAnAccount();
  const raw = RAW.exec(text);
  if (raw !== null) {
    const workchain = Number(raw[1]);
    const address = decodeHex(raw[2]!);
    if (address === undefined || workchain !== (workchain | 0)) throw notAnAccount();
    return Object.freeze({ workchain, address, form: 'raw' });
  }
  // One alphabet or the other, not a mixture.
  const isMixed = /[-_]/.test(text) && /[+/]/.test(text);
  const bytes = isMixed ? undefined : decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
  if (bytes === undefined || text.length !== USER_FRIENDLY_CHARS) throw notAnAccount();
  if (crc16(bytes.subarray(0, 34)) !== bytes[34]! * 256 + bytes[35]!) {
    throw notAnAccount('the checksum does not match');
  }
  const tag = bytes[0]! & ~TEST_ONLY;
  if (tag !== BOUNCEABLE && tag !== NOT_BOUNCEABLE) throw notAnAccount(`unknown kind of account ${bytes[0]}`);
  return Object.freeze({
    workchain: (bytes[1]! << 24) >> 24,
    address: bytes.slice(2, 34),
    form: 'user-friendly',
    bounceable: tag === BOUNCEABLE,
    testOnly: (bytes[0]! & TEST_ONLY) !== 0,
  });
}

/** How to write an account. */
export interface AccountFormat {
  /** Default 'raw'. */
  readonly form?: 'raw' | 'user-friendly';
  /** Default true. */
  readonly bounceable?: boolean;
  /** Default false. */
  readonly testOnly?: boolean;
}

/** Writes `workchain:hex`. @throws UsageError for anything but an account */
export function rawAccountId(account: AccountLike): string {
  const { workchain, address } = requireAccount(account);
  return `${workchain}:${encodeHex(address)}`;
}

/**
 * Writes an account id as text. The user-friendly form uses the alphabet of URLs.
 * @param account an id, or an `Address` of `@ton/core`
 * @param format `form` (default `raw`; or `user-friendly`), and for the latter `bounceable` (default true) and
 * `testOnly` (default false)
 * @returns the text
 * @throws UsageError for anything but an account, and for a workchain that the form has no room for
 * @example
 * ```ts
 * import { formatAccountId, parseAccountId } from 'ton-finality/facts';
 * const account = parseAccountId(`0:${'00'.repeat(32)}`);
 * console.log(formatAccountId(account).slice(0, 4)); // 0:00
 * ```
 */
export function formatAccountId(account: AccountLike, format: AccountFormat = {}): string {
  const { form, bounceable, testOnly } = readOptions(format, '', {
    form: text('raw'),
    bounceable: flag(true),
    testOnly: flag(false),
  });
  requireWord(form, 'form', 'raw', 'user-friendly');
  if (form === 'raw') return rawAccountId(account);
  const { workchain, address } = requireAccount(account);
  if (workchain < -128 || workchain > 127) {
    throw badOption(`no room for workchain ${workchain} in this form`, 'account');
  }
  const bytes = new Uint8Array(36);
  bytes.set([(bounceable ? BOUNCEABLE : NOT_BOUNCEABLE) | (testOnly ? TEST_ONLY : 0), workchain & 0xff]);
  bytes.set(address, 2);
  const crc = crc16(bytes.subarray(0, 34));
  bytes.set([crc >> 8, crc & 0xff], 34);
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_');
}

/** Copies and freezes an account that the caller passes. @throws UsageError `usage/bad-option` */
export function requireAccount(account: AccountLike, path = 'account'): AccountId {
  const hint = 'parseAccountId reads one';
  const given = requireMembers(account, 'an account', path, hint) as Readonly<Record<string, unknown>>;
  const has = (...names: string[]) => names.some((name) => Object.hasOwn(given, name));
  const isAddress = has('workChain', 'hash');
  if (isAddress && has('workchain', 'address')) throw badOption('expected one form of an account', path);
  const [number, bits] = isAddress ? (['workChain', 'hash'] as const) : (['workchain', 'address'] as const);
  const workchain = requireInt32(given[number], `${path}.${number}`);
  const address = ownBytesOf(HASH_BYTES, given[bits], `${path}.${bits}`);
  return Object.freeze({ workchain, address });
}

/** Whether two ids are equal. */
export function sameAccount(a: AccountId, b: AccountId): boolean {
  return a.workchain === b.workchain && equalBytes(a.address, b.address);
}

/** The first 64 bits of an address, by which shards are divided. */
export function shardKey({ address }: AccountId): bigint {
  return new DataView(address.buffer, address.byteOffset).getBigUint64(0);
}

/**
 * Whether the range of a shard contains an account. The masterchain has one shard. Source: ton `ton/ton-shard.h`,
 * shard_contains.
 */
export function shardContains(shard: { workchain: number; shard: bigint }, account: AccountId): boolean {
  if (shard.workchain !== account.workchain) return false;
  const bits = BigInt.asUintN(64, shard.shard);
  const mark = bits & -bits;
  return ((bits ^ shardKey(account)) & BigInt.asUintN(64, -2n * mark)) === 0n;
}

/** Formats an account for messages: raw form, shortened. */
export function shortAccount({ workchain, address }: AccountId): string {
  return `${workchain}:${encodeHex(address).slice(0, 12)}…`;
}

/** Requires that a block's shard holds an account. @throws TrustError `trust/wrong-shard` */
export function requireInShard(id: BlockIdExt, account: AccountId): void {
  if (shardContains(id, account)) return;
  const hint = 'verifyShardTop finds the block that can';
  throw trustError(
    'trust/wrong-shard',
    `block ${formatBlockPlace(id)} cannot hold ${shortAccount(account)}`,
    'account',
    hint,
  );
}
