/** The runner of the suite as its tests use it: plain JavaScript, which depends on nothing of the library. */
import { join } from 'node:path';
import { ROOT } from '../helpers/vectors.ts';

export const CONFORMANCE = join(ROOT, 'conformance');

/** A case of the suite. */
export interface Case {
  readonly id: string;
  readonly operation: string;
  readonly comment: string;
  readonly rule: string;
  readonly form: string;
  readonly flags: readonly string[];
  readonly twin?: string;
  readonly source?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect: {
    readonly result: 'accept' | 'reject' | 'either';
    readonly value?: Readonly<Record<string, unknown>>;
    readonly reason?: string;
  };
}

export interface Outcome {
  readonly answer?: { readonly id: string; readonly result: string; readonly value?: object; readonly detail?: string };
  readonly fault?: 'crash' | 'timeout';
  readonly detail?: string;
}

export interface Fed {
  readonly hello: { readonly implementation: string; readonly operations: readonly string[] };
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly faults: readonly string[];
}

export interface Listener {
  line(text: string): void;
  overlong(): void;
  exit(why: string): void;
}

export interface Results {
  readonly totals: Readonly<Record<string, number>>;
  readonly byFlag: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly notPassed: readonly { readonly id: string; readonly score: string; readonly detail?: string }[];
  readonly operations: readonly string[];
  readonly faults: readonly string[];
  asExpected?: boolean;
}

interface Runner {
  feed(cases: readonly object[], how: object, options?: object): Promise<Fed>;
  score(one: object, outcome: object | undefined): { readonly score: string; readonly detail?: string };
  resultsOf(suite: object, cases: readonly object[], fed: Fed): Results;
  differences(results: Results, expected: object, ids: ReadonlySet<string>): readonly string[];
  readSuite(folder: string): { readonly version: string; readonly sha256: string; readonly cases: readonly Case[] };
  suiteText(suite: object): string;
  junit(results: Results, cases: readonly object[]): string;
  html(results: Results, cases: readonly object[]): string;
}

const load = async (name: string) => (await import(join(CONFORMANCE, 'run', name))) as Runner; // its own exports are a part of it
const parts = await Promise.all(['feed.mjs', 'score.mjs', 'read-suite.mjs', 'junit.mjs', 'html.mjs'].map(load));
export const runner: Runner = Object.assign({}, ...parts) as Runner; // all of them
