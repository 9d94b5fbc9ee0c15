/** Cases as the suite has them, and a book that collects those of one operation. */
import { createHash } from 'node:crypto';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { seededRandom } from '../../test/helpers/cells.ts';

/** All of the suite follows from this and the sources. */
export const SUITE_SEED = 'ton-finality conformance 1';
export const SUITE_VERSION = '1.1.0';

export type Json = Readonly<Record<string, unknown>>;

/** One case of the suite. */
export interface Case {
  readonly id: string;
  readonly operation: string;
  readonly comment: string;
  readonly rule: string;
  /** The spelling of the same rule, such as ordinary or simplex signatures. */
  readonly form: string;
  readonly flags: readonly string[];
  readonly twin?: string;
  readonly source?: string;
  readonly input: Json;
  readonly expect: { readonly result: 'accept' | 'reject' | 'either'; readonly value?: Json; readonly reason?: string };
}

/** Where a case stands, and what it shows. */
export interface Place {
  readonly rule: string;
  readonly form: string;
  readonly flags?: readonly string[];
  readonly source?: string;
}

/** Cases of one operation. An id is operation/rule/form/name. */
export class Book {
  readonly operation: string;
  readonly cases: Case[] = [];
  readonly #ids = new Set<string>();

  constructor(operation: string) {
    this.operation = operation;
  }

  #add(place: Place, name: string, comment: string, rest: Pick<Case, 'input' | 'expect' | 'twin'>): string {
    const { rule, form, flags = [], source } = place;
    const id = `${this.operation}/${rule}/${form}/${name}`;
    if (this.#ids.has(id)) throw new Error(`two cases of the id ${id}`);
    this.#ids.add(id);
    const { input, expect, twin } = rest;
    this.cases.push({
      id,
      operation: this.operation,
      comment,
      rule,
      form,
      flags,
      ...(twin === undefined ? {} : { twin }),
      ...(source === undefined ? {} : { source }),
      input,
      expect,
    });
    return id;
  }

  /** A case that must be accepted. @returns its id, for its twins */
  accept(place: Place, name: string, comment: string, input: Json, value?: Json): string {
    const expect = { result: 'accept' as const, ...(value === undefined ? {} : { value }) };
    return this.#add(place, name, comment, { input, expect });
  }

  /** A case that must be refused. @param twin what it differs from in one thing */
  reject(place: Place, name: string, comment: string, input: Json, twin?: string): string {
    const expect = { result: 'reject' as const };
    return this.#add(place, name, comment, { input, expect, ...(twin === undefined ? {} : { twin }) });
  }

  /** A case on which sane implementations differ. */
  either(place: Place, name: string, comment: string, input: Json, reason: string, value?: Json): string {
    const expect = { result: 'either' as const, reason, ...(value === undefined ? {} : { value }) };
    return this.#add(place, name, comment, { input, expect });
  }

  /** A good case, and bad ones that differ from it in one thing each. `input` of those is laid over that of the good one. */
  pair(place: Place, name: string, good: Good, bad: readonly Bad[], odd: readonly Odd[] = []): void {
    const { comment, input, value } = good;
    const twin = this.accept(place, `${name}good`, comment, input, value);
    for (const one of bad) this.reject(place, `${name}${one.name}`, one.comment, { ...input, ...one.input }, twin);
    for (const one of odd) {
      this.either(place, `${name}${one.name}`, one.comment, { ...input, ...one.input }, one.reason, one.value);
    }
  }
}

export interface Good {
  readonly comment: string;
  readonly input: Json;
  readonly value?: Json;
}

export interface Bad {
  readonly name: string;
  readonly comment: string;
  readonly input: Json;
}

/** On which sane implementations differ. */
export interface Odd extends Bad {
  readonly reason: string;
  readonly value?: Json;
}

export const bad = (name: string, comment: string, input: Json): Bad => ({ name, comment, input });
export const odd = (name: string, comment: string, reason: string, input: Json, value?: Json): Odd => ({
  name,
  comment,
  reason,
  input,
  ...(value === undefined ? {} : { value }),
});

/** Numbers in [0, 1) that depend on a name alone, so that a new case changes no other. */
export function randomOf(name: string): () => number {
  return seededRandom(createHash('sha256').update(`${SUITE_SEED} ${name}`).digest().readUInt32BE(0));
}

/** A whole number from 0 up to, not including, `most`. */
export const below = (random: () => number, most: number): number => Math.floor(random() * most);

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A block id as cases have it. */
export function blockJson({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): Json {
  return { workchain, shard: shard.toString(), seqno, rootHash: hex(rootHash), fileHash: hex(fileHash) };
}
