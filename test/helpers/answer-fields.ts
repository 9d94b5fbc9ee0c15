/** Names each byte of an answer of a lite server by the member of the TL schema that it belongs to. Reads the schema lines beside the ids. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './vectors.ts';

interface Constructor {
  readonly name: string;
  readonly members: readonly (readonly [name: string, type: string])[];
}

/** Bare types of other schemas. */
const BARE: Readonly<Record<string, string>> = {
  'tonNode.blockIdExt': 'workchain:int shard:long seqno:int root_hash:int256 file_hash:int256',
  'tonNode.zeroStateIdExt': 'workchain:int root_hash:int256 file_hash:int256',
  'liteServer.signature': 'node_id_short:int256 signature:bytes',
  'liteServer.shardBlockLink': 'id:tonNode.blockIdExt proof:bytes',
};
const SIZES: Readonly<Record<string, number>> = { '#': 4, int: 4, Bool: 4, long: 8, int256: 32 };

const membersOf = (text: string) =>
  [...text.matchAll(/(\w+):(\([^)]*\)|\S+)/g)].map(([, name, type]) => [name!, type!] as const);

const SCHEMA = new Map<number, Constructor>();
for (const file of ['src/core/tl/constructors.ts', 'src/net/lite-api/constructors.ts']) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  for (const [, line, id] of text.matchAll(/\/\*\* (\S+ .*?) = \S+ \*\/\nexport const \w+ = (0x[0-9a-f]+)/g)) {
    SCHEMA.set(Number(id), { name: line!.split(' ')[0]!, members: membersOf(line!) });
  }
}

/** A run of bytes, the last one not included. */
export interface Field {
  /** As `liteServer.partialBlockProof.steps.dest_proof`, `… length` and `… padding` of bytes beside it. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** @throws Error for an answer that the schema does not lead through to its end */
export function fieldsOf(answer: Uint8Array): readonly Field[] {
  const view = Buffer.from(answer);
  const fields: Field[] = [];
  let at = 0;
  const take = (name: string, size: number) => {
    fields.push({ name, from: at, to: at + size });
    at += size;
  };
  const readBytes = (path: string) => {
    const isLong = view[at] === 254;
    const length = isLong ? view.readUIntLE(at + 1, 3) : view[at]!;
    const head = isLong ? 4 : 1;
    take(`${path} length`, head);
    take(path, length);
    take(`${path} padding`, (4 - ((head + length) % 4)) % 4);
  };
  const readType = (path: string, type: string): void => {
    const vector = /^\(vector (.*)\)$/.exec(type)?.[1];
    if (vector !== undefined) {
      const count = view.readUInt32LE(at);
      take(`${path} count`, 4);
      for (let k = 0; k < count; k++) readType(path, vector);
    } else if (type === 'bytes') readBytes(path);
    else if (SIZES[type] !== undefined) take(path, SIZES[type]);
    else if (BARE[type] !== undefined)
      for (const [name, own] of membersOf(BARE[type])) readType(`${path}.${name}`, own);
    else readBoxed(`${path}.`);
  };
  const readBoxed = (path: string) => {
    const { name, members } = SCHEMA.get(view.readUInt32LE(at))!;
    take(`${path}${name} id`, 4);
    for (const [member, type] of members) readType(`${path}${name.replace('liteServer.', '')}.${member}`, type);
  };
  readBoxed('');
  if (at !== view.length) throw new Error(`${view.length - at} bytes behind the answer`);
  return fields;
}
