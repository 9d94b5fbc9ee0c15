/** Random numbers that are the same for the same words: every stream is named, so that taking a part away leaves the others. */

/** Numbers from 0 up to, not with, 1. */
export interface Random {
  (): number;
  /** An integer from `low` to `high`, both among them. */
  int(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** One of the names, as often as its weight says. */
  weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T;
}

function hashOf(words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  const text = words.join('/');
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** mulberry32, begun from what the words hash to. */
export function numbers(...words: readonly (string | number)[]): () => number {
  let state = hashOf(words);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function random(...words: readonly (string | number)[]): Random {
  const next = numbers(...words);
  return Object.assign(next, {
    int: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    chance: (share: number) => next() < share,
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!,
    weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T {
      const entries = Object.entries(weights) as [T, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      return entries.at(-1)![0];
    },
  });
}
