/**
 * The members of a lite server's answer, each with its place, and the answer again with one of them at an extreme. Written on the
 * schema alone, so that it shares no line with the reader under test.
 */
import { u32, u64 } from './tl-answers.ts';

type Kind = 'int' | 'long' | 'hash' | 'bool' | 'bytes' | 'count';

interface Member {
  /** As in `last.seqno`. */
  readonly name: string;
  readonly kind: Kind;
  readonly at: number;
  readonly length: number;
}

/** A layout: `name:kind` in the order of the schema; `id` and `zero` are ids, `[…]` is a vector of what is in it. */
const LAYOUTS: Readonly<Record<string, string>> = {
  f5e0cca8: 'mode:int version:int capabilities:long last:id utime:int now:int state:hash init:zero',
  '19822d75': 'id:id mode:int proof:bytes',
  '51c77970': 'id:id shardblk:id shard_proof:bytes proof:bytes state:bytes',
  '47edde0e': 'id:id proof:bytes transaction:bytes',
  '0bc6266f': 'ids:[id] transactions:bytes',
  '2f277bae': 'mode:int id:id state_proof:bytes config_proof:bytes',
  '7aa0621d': 'masterchain:id links:[link]',
  c1d2d08e: 'complete:bool from:id to:id steps:[step]',
};
const PARTS: Readonly<Record<string, string>> = {
  id: 'workchain:int shard:long seqno:int root:hash file:hash',
  zero: 'workchain:int root:hash file:hash',
  link: 'id:id proof:bytes',
  signature: 'node:hash signature:bytes',
};
/** Of a step, and of its signatures, the constructor says which they are. */
const BOXED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  step: {
    ef1b7eef: 'to_key:bool from:id to:id dest:bytes proof:bytes state:bytes',
    '1cce0f52': 'to_key:bool from:id to:id dest:bytes config:bytes set:set',
  },
  set: {
    e6a644f6: 'hash:int catchain:int signatures:[signature]',
    '009824ac': 'catchain:int hash:int signatures:[signature] session:hash slot:int candidate:bytes',
  },
};

const SIZES = { int: 4, long: 8, hash: 32, bool: 4, count: 4 } as const;

/** Every member of an answer; of a vector the first element. */
export function membersOf(answer: Buffer): readonly Member[] {
  const found: Member[] = [];
  let at = 4;
  const boxed = () => {
    at += 4;
    return answer.subarray(at - 4, at).toString('hex');
  };
  const bytesLength = () => {
    const short = answer[at]!;
    const [head, length] = short < 254 ? [1, short] : [4, answer.readUIntLE(at + 1, 3)];
    return Math.ceil((head + length) / 4) * 4;
  };
  function one(name: string, kind: string, isKept: boolean): void {
    const vector = /^\[(.*)\]$/.exec(kind)?.[1];
    if (vector !== undefined) {
      const count = answer.readUInt32LE(at);
      one(`${name}.count`, 'count', isKept);
      for (let k = 0; k < count; k++) one(`${name}[${k}]`, vector, isKept && k === 0);
    } else if (kind in BOXED) {
      const layout = BOXED[kind]![boxed()];
      if (layout === undefined) throw new Error(`unknown ${kind}`);
      all(name, layout, isKept);
    } else if (kind in PARTS) all(name, PARTS[kind]!, isKept);
    else {
      const length = kind === 'bytes' ? bytesLength() : SIZES[kind as keyof typeof SIZES];
      if (isKept) found.push({ name, kind: kind as Kind, at, length });
      at += length;
    }
  }
  function all(path: string, layout: string, isKept: boolean): void {
    for (const part of layout.split(' ')) {
      const [name, kind] = part.split(':') as [string, string];
      one(path === '' ? name : `${path}.${name}`, kind, isKept);
    }
  }
  const layout = LAYOUTS[answer.subarray(0, 4).toString('hex')];
  if (layout === undefined) return []; // an error
  all('', layout, true);
  if (at !== answer.length) throw new Error('the layout is not that of the answer');
  return found;
}

const INTS = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff].map(u32);
const EXTREMES: Readonly<Record<Kind, readonly Buffer[]>> = {
  int: INTS,
  count: INTS,
  long: [0n, 1n, (1n << 63n) - 1n, 1n << 63n, (1n << 64n) - 1n].map(u64),
  hash: [Buffer.alloc(32), Buffer.alloc(32, 0xff)],
  bool: [Buffer.from('b5757299', 'hex'), Buffer.from('379779bc', 'hex'), u32(0)],
  bytes: [u32(0), Buffer.from([3, 0, 0, 0]), Buffer.from([0xfe, 0xff, 0xff, 0xff])],
};

/** A change of one member, by the name of the member and the value in hex. */
export interface Extreme {
  readonly name: string;
  readonly value: Buffer;
}

/** All changes of one member of an answer. */
export function extremesOf(answer: Buffer): readonly Extreme[] {
  return membersOf(answer).flatMap(({ name, kind }) => EXTREMES[kind].map((value) => ({ name, value })));
}

/** An answer with one member changed; as it is where it has no such member. */
export function withExtreme(answer: Buffer, { name, value }: Extreme): Buffer {
  const member = membersOf(answer).find((one) => one.name === name);
  if (member === undefined) return answer;
  const { at, length } = member;
  return Buffer.concat([answer.subarray(0, at), value, answer.subarray(at + length)]);
}
