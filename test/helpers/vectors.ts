/** Reads the vectors, and knows where they are from both `test/` and `build/test/`. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(from: string): string {
  return existsSync(join(from, 'package.json')) ? from : findRoot(dirname(from));
}

/** The project's folder. */
export const ROOT: string = findRoot(dirname(fileURLToPath(import.meta.url)));

export const VECTORS: string = join(ROOT, 'vectors');

export function readVectorBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(join(VECTORS, path)));
}

export function readVector<T = unknown>(path: string): T {
  return JSON.parse(readFileSync(join(VECTORS, path), 'utf8')) as T; // our own file, its shape is what the caller says
}

export interface RealCase {
  readonly id: string;
  readonly seqno: number;
  readonly kind: 'ordinary' | 'simplex';
  readonly signatures_file: string;
  readonly validators_file?: string;
  readonly key_block?: boolean;
  readonly catchain_seqno?: number;
  readonly validator_list_hash_short?: number;
  readonly expected: {
    readonly signatures: number;
    readonly valid: number;
    readonly invalid: number;
    readonly unknown_node: number;
    readonly main_validators: number;
    readonly signed_weight: string;
    readonly main_weight: string;
    readonly final: boolean;
    readonly verifiable?: false;
  };
}

export const realCases: readonly RealCase[] = readVector<RealCase[]>('real/index.json');

/** The only real simplex case: 66 signatures, 66.7132 percent, minimal. */
export const SIMPLEX_CASE = 'real/mainnet-2026-04-simplex/block-59379986';
/** An ordinary mainnet block with 95 signatures of 100. */
export const ORDINARY_CASE = 'real/mainnet-2025-04/block-46920655';

export function readAnswer(folder: string) {
  return readVector<{ ok: boolean; result: Record<string, unknown> & { signatures: Record<string, string>[] } }>(
    `${folder}/signatures.json`,
  );
}

export interface Ed25519Vector {
  readonly name: string;
  readonly public_key: string;
  readonly message: string;
  readonly signature: string;
  readonly openssl: boolean;
}

export const ED25519_FILES = [
  'cctv',
  'ed25519-cr-yp-to',
  'generated',
  'rfc8032',
  'speccheck',
  'wycheproof',
  'zip215',
] as const;

export function readEd25519Vectors(file: (typeof ED25519_FILES)[number]): readonly Ed25519Vector[] {
  return readVector<Ed25519Vector[]>(`ed25519/${file}.json`);
}

export function fromHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
