/** What a real lite server said about one block, request by request: `vectors/live/answers`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { VECTORS } from './vectors.ts';

interface JsonId {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

interface LiveIndex {
  readonly answers: readonly {
    readonly file: string;
    readonly request: string;
    readonly constructor: string;
    readonly account?: string;
    readonly lt?: string;
    readonly hash?: string;
    readonly params?: readonly number[];
    readonly shard_block?: JsonId;
  }[];
  readonly block: JsonId;
  readonly key_block: JsonId;
  readonly zerostate: JsonId;
}

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

export function idOf(json: JsonId): BlockIdExt {
  const { workchain, seqno } = json;
  return {
    workchain,
    shard: BigInt(json.shard),
    seqno,
    rootHash: bytes(json.root_hash),
    fileHash: bytes(json.file_hash),
  };
}

const folder = join(VECTORS, 'live', 'answers');
export const liveIndex = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as LiveIndex; // our own file

export const LIVE = {
  block: idOf(liveIndex.block),
  keyBlock: idOf(liveIndex.key_block),
  zerostate: idOf(liveIndex.zerostate),
};

export function liveAnswer(file: string): Uint8Array {
  return Uint8Array.from(readFileSync(join(folder, file)));
}

/** The recorded answer to a request, byte for byte the one that was recorded. */
const byRequest = new Map(liveIndex.answers.map(({ request, file }) => [request, file]));
export function answerLive(request: Uint8Array): Uint8Array | undefined {
  const file = byRequest.get(Buffer.from(request).toString('hex'));
  return file === undefined ? undefined : liveAnswer(file);
}
