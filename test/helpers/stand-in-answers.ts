/** What a toncenter-compatible server says to each operation: in the Python and the C++ form, v3 in both shapes. */

import type { Chain, Json, RecordedBlock } from './stand-in-chain.ts';
import { readVector } from './vectors.ts';

export type Form = 'python' | 'cpp';

/** Status and body of one answer. */
export interface Reply {
  readonly status: number;
  readonly body: Json;
}

export interface Question {
  readonly operation: string;
  readonly query: URLSearchParams;
}

/** The chain as one server sees it now. */
export interface View {
  readonly chain: Chain;
  readonly form: Form;
  readonly latest: number;
  /** v3 as documented (`transactions`) instead of as served (`blocks`). */
  readonly documented: boolean;
}

const HEX_SHARD = '8000000000000000';

export function v2Error(form: Form, status: number, error: string): Reply {
  const body = { ok: false, error, code: status };
  return { status, body: form === 'cpp' ? { ...body, '@extra': '1752770909:_:0.052' } : body };
}

function v2Success(form: Form, result: Json): Reply {
  if (form === 'cpp') return { status: 200, body: { ok: true, result, '@extra': '1755516054:12:56.903' } };
  return { status: 200, body: { ok: true, result: { ...result, '@extra': '1730410970.0881805:0:0.718530258924173' } } };
}

function notReady(form: Form, seqno: number, latest: number): Reply {
  const known = form === 'cpp' ? ` (last known masterchain block: ${latest})` : '';
  const text = `LITE_SERVER_NOTREADY: cannot find block (-1,${HEX_SHARD}) seqno=${seqno}: seqno not in db${known}`;
  return v2Error(form, 500, text);
}

function blockAt(view: View, seqno: number): RecordedBlock | undefined {
  return seqno <= view.latest ? view.chain.blocks.get(seqno) : undefined;
}

function withoutExtra({ '@extra': _, ...rest }: Json): Json {
  return rest;
}

/** The fields only the Python server sends. */
function headerIn(form: Form, { flags, vert_seqno, ...header }: Json): Json {
  return form === 'python' ? { ...header, flags, vert_seqno } : header;
}

function proofOf({ query }: Question, block: RecordedBlock, form: Form): Reply {
  const from = block.signatures.id;
  const asked = Number(query.get('from_seqno') ?? block.seqno);
  if (asked !== block.seqno) return v2Error(form, 500, 'LITE_SERVER_UNKNOWN: cannot load block proof');
  return v2Success(form, { '@type': 'blocks.shardBlockProof', from, mc_id: from, links: [], mc_proof: [] });
}

function configOf(view: View, { query }: Question): Reply {
  const { form } = view;
  const seqno = Number(query.get('seqno'));
  const boc = view.chain.configParam(seqno, Number(query.get('config_id') ?? query.get('param')));
  if (boc === undefined) return v2Error(form, 500, 'cannot extract config parameter: not found');
  return v2Success(form, { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes: boc.toString('base64') } });
}

const SHARDS = readVector<{ result: Json }>('http/v2-shards-python-30497145.json').result;
const KNOWN = new Set([
  'getMasterchainInfo',
  'getMasterchainBlockSignatures',
  'getBlockHeader',
  'lookupBlock',
  'shards',
  'getShards',
  'getShardBlockProof',
  'getConfigParam',
  'getConfigAll',
  'getConsensusBlock',
]);

export function answerV2(view: View, question: Question): Reply {
  const { operation, query } = question;
  const { form, latest } = view;
  const isMissing =
    !KNOWN.has(operation) || (form === 'python' && (operation === 'getShards' || operation === 'getConfigAll'));
  if (isMissing) return v2Error(form, 404, 'Not Found');
  const last = view.chain.blocks.get(latest)!.signatures.id;
  if (operation === 'getMasterchainInfo') {
    const state_root_hash = 'X8Yj/jPzkH5lAYHchUTaURywL/eQrqQfx9YfHr/Tdys=';
    return v2Success(form, { '@type': 'blocks.masterchainInfo', last, state_root_hash, init: view.chain.init });
  }
  if (operation === 'getConsensusBlock') {
    const type = form === 'cpp' ? { '@type': 'ext.blocks.consensusBlock' } : {};
    return v2Success(form, {
      ...type,
      consensus_block: latest,
      timestamp: form === 'cpp' ? 1730411902 : 1730411902.161,
    });
  }
  const text = query.get('seqno');
  if (text === null) return v2Error(form, 422, 'failed to validate request: seqno should be positive');
  const seqno = Number(text);
  if (!(seqno > 0)) return v2Error(form, 422, 'failed to parse get request: failed to parse seqno');
  if (operation === 'getConfigParam' || operation === 'getConfigAll') return configOf(view, question);
  const block = blockAt(view, seqno);
  // Signatures are read through the block before, which is the one the text names.
  const missing = operation === 'getMasterchainBlockSignatures' ? seqno - 1 : seqno;
  if (block === undefined) return notReady(form, missing, latest);
  switch (operation) {
    case 'getMasterchainBlockSignatures':
      return v2Success(form, withoutExtra(block.signatures));
    case 'getBlockHeader': {
      const header = block.header();
      return header === undefined ? notReady(form, seqno, latest) : v2Success(form, headerIn(form, header));
    }
    case 'lookupBlock':
      return v2Success(form, block.signatures.id);
    case 'getShardBlockProof':
      return proofOf(question, block, form);
    default:
      return v2Success(form, withoutExtra(SHARDS));
  }
}

const ROW = readVector<{ blocks: Json[] }>('http/v3-blocks-testnet-2024.json').blocks[0]!;
const TRANSACTION = readVector<Json>('http/v3-transaction-single-2026-82744100.json');

function rowOf(block: RecordedBlock): Json {
  const header = block.header() ?? {};
  const {
    is_key_block = false,
    catchain_seqno = 0,
    gen_utime = 0,
    prev_blocks: _,
    id: _id,
    '@type': _type,
    ...rest
  } = header;
  return {
    ...ROW,
    ...rest,
    ...Object.fromEntries(
      ['workchain', 'seqno', 'root_hash', 'file_hash'].map((key) => [key, block.signatures.id[key]]),
    ),
    shard: HEX_SHARD,
    key_block: is_key_block,
    gen_catchain_seqno: catchain_seqno,
    gen_utime: String(gen_utime),
    master_ref_seqno: 0,
    masterchain_block_ref: { workchain: -1, shard: HEX_SHARD, seqno: block.seqno },
    prev_blocks: [{ workchain: -1, shard: HEX_SHARD, seqno: block.seqno - 1 }],
  };
}

export function answerV3(view: View, { operation, query }: Question): Reply {
  if (operation !== 'masterchainBlockShardState') {
    return { status: 500, body: { error: `internal server error: Cannot GET /api/v3/${operation}` } };
  }
  const block = blockAt(view, Number(query.get('seqno')));
  if (block === undefined) return { status: 404, body: { error: 'blocks not found' } };
  if (!view.documented) return { status: 200, body: { blocks: [rowOf(block), ROW] } };
  const { seqno } = block;
  return { status: 200, body: { address_book: {}, transactions: [{ ...TRANSACTION, mc_block_seqno: seqno }] } };
}
