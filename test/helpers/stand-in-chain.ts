/**
 * The recorded blocks as a chain that a server can answer from: signatures, headers (read from the recorded cells) and
 * config parameters of key blocks. Read with a library that the package itself does not use.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Cell, Dictionary, type Slice } from '@ton/core';
import { readVector, readVectorBytes, realCases, VECTORS } from './vectors.ts';

export type Json = Record<string, unknown>;

export interface RecordedBlock {
  readonly seqno: number;
  /** `result` of the recorded signature answer. */
  readonly signatures: Json & { readonly id: Json };
  /** Read from the recorded cells when first asked for; some blocks came without. */
  header(): Json | undefined;
  /** Where its validator set stands, under vectors/. */
  readonly validatorsFile: string;
}

export interface Chain {
  readonly init: Json;
  readonly blocks: ReadonlyMap<number, RecordedBlock>;
  /** BoC of a config parameter as of a key block. */
  configParam(keyBlockSeqno: number, param: number): Buffer | undefined;
}

const MAINNET_INIT = {
  '@type': 'ton.blockIdExt',
  workchain: -1,
  shard: '0',
  seqno: 0,
  root_hash: 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=',
  file_hash: 'XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=',
};
/** Made up: it only has to differ from mainnet's. */
const OTHER_INIT = { ...MAINNET_INIT, root_hash: Buffer.alloc(32, 1).toString('base64') };

function blockRoot(path: string): Cell {
  const [root] = Cell.fromBoc(Buffer.from(readVectorBytes(path)));
  if (root === undefined) throw new Error(`no root in ${path}`);
  return root.isExotic ? root.refs[0]! : root; // a Merkle proof holds the block below it
}

/** block_info#9bc7a987, up to prev_key_block_seqno. Source: ton `crypto/block/block.tlb`. */
export function readHeader(root: Cell, id: Json, globalId = -239): Json {
  const info = root.refs[0]!.beginParse(true);
  info.skip(32);
  const version = info.loadUint(32);
  info.skip(1); // not_master
  const [after_merge, before_split, after_split, want_split, want_merge, is_key_block] = Array.from({ length: 6 }, () =>
    info.loadBit(),
  );
  info.skip(1); // vert_seqno_incr
  const flags = info.loadUint(8);
  const seqno = info.loadUint(32);
  const vert_seqno = info.loadUint(32);
  info.skip(2 + 6 + 32 + 64);
  const gen_utime = info.loadUint(32);
  const start_lt = info.loadUintBig(64).toString();
  const end_lt = info.loadUintBig(64).toString();
  const validator_list_hash_short = info.loadInt(32); // servers print it signed
  const catchain_seqno = info.loadUint(32);
  const min_ref_mc_seqno = info.loadUint(32);
  const prev_key_block_seqno = info.loadUint(32);
  if (seqno !== id.seqno) throw new Error(`header of ${seqno}, not of ${id.seqno}`);
  return {
    '@type': 'blocks.header',
    id,
    global_id: globalId,
    version,
    flags,
    after_merge,
    after_split,
    before_split,
    want_merge,
    want_split,
    validator_list_hash_short,
    catchain_seqno,
    min_ref_mc_seqno,
    is_key_block,
    prev_key_block_seqno,
    start_lt,
    end_lt,
    gen_utime,
    vert_seqno,
    prev_blocks: [{ ...id, seqno: seqno - 1, root_hash: ZERO_HASH, file_hash: ZERO_HASH }],
  };
}
const ZERO_HASH = Buffer.alloc(32).toString('base64');

function skipCurrencies(slice: Slice): void {
  slice.skip(slice.loadUint(4) * 8);
  slice.loadMaybeRef();
}

/** masterchain_block_extra#cca5 of a key block. Source: ton `crypto/block/block.tlb`. */
function readConfig(root: Cell): Dictionary<number, Cell> {
  const extra = root.refs[3]!;
  const custom = extra.refs.at(-1)!.beginParse(true);
  custom.skip(16);
  if (!custom.loadBit()) throw new Error('no key block');
  custom.loadMaybeRef(); // shard_hashes
  custom.loadMaybeRef(); // shard_fees, then what they add up to
  skipCurrencies(custom);
  skipCurrencies(custom);
  custom.loadRef();
  custom.skip(256); // config_addr
  return Dictionary.loadDirect(Dictionary.Keys.Uint(32), Dictionary.Values.Cell(), custom.loadRef());
}

const HEADER_FILES = ['block.boc', 'dest-proof.boc', 'header-proof.boc'];

function firstFile(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((path) => existsSync(join(VECTORS, path)));
}

/** Made when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** @param network which of the recorded blocks: `mainnet` or `testnet` */
export function readChain(network: 'mainnet' | 'testnet' = 'mainnet'): Chain {
  const blocks = new Map<number, RecordedBlock>();
  const proofs: { readonly block: RecordedBlock; readonly file: string }[] = [];
  const keyBlockFiles = new Map<number, string>();
  for (const one of realCases) {
    if (!one.id.startsWith(network) || !one.expected.final || one.validators_file === undefined) continue;
    const folder = join('real', dirname(one.signatures_file));
    const { result } = readVector<{ result: RecordedBlock['signatures'] }>(join('real', one.signatures_file));
    const headerFile = firstFile(folder, HEADER_FILES);
    const block: RecordedBlock = {
      seqno: one.seqno,
      signatures: result,
      header: once(() => (headerFile === undefined ? undefined : readHeader(blockRoot(headerFile), result.id))),
      validatorsFile: join('real', one.validators_file),
    };
    blocks.set(one.seqno, block);
    if (one.key_block === true) keyBlockFiles.set(one.seqno, join(folder, 'block.boc'));
    const proof = firstFile(folder, ['config-proof.boc']);
    if (proof !== undefined) proofs.push({ block, file: proof });
  }
  if (network === 'mainnet') keyBlockFiles.set(38603051, 'real/mainnet-2024-06/key-block-38603051.boc');
  const configs = new Map<number, Dictionary<number, Cell>>();
  return {
    init: network === 'mainnet' ? MAINNET_INIT : OTHER_INIT,
    blocks,
    configParam(keyBlockSeqno, param) {
      const proof = proofs.find(({ block }) => block.header()?.prev_key_block_seqno === keyBlockSeqno);
      const file = keyBlockFiles.get(keyBlockSeqno) ?? proof?.file;
      if (file === undefined) return undefined;
      const config = configs.get(keyBlockSeqno) ?? readConfig(blockRoot(file));
      configs.set(keyBlockSeqno, config);
      return config.get(param)?.toBoc();
    },
  };
}
