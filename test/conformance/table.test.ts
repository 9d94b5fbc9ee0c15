/** The table of rules and the suite hold each other: every rule has its cases, and every case its rule. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../scripts/error-table.mjs';
import { rulePage, rules } from '../../scripts/rule-table.mjs';
import { ROOT } from '../helpers/vectors.ts';
import { type Case, CONFORMANCE, runner } from './runner.ts';

const { cases } = runner.readSuite(join(CONFORMANCE, 'suite'));
const byId = new Map(cases.map((one) => [one.id, one]));
const others = cases.filter(({ operation }) => operation !== 'ed25519');
const table = rules();

/** A case to be refused, with its twin: the same rule in the same spelling, to be accepted. */
function pairOf(one: Case): string | undefined {
  const twin = one.twin === undefined ? undefined : byId.get(one.twin);
  if (one.expect.result !== 'reject' || twin?.expect.result !== 'accept') return undefined;
  const isSame = twin.operation === one.operation && twin.rule === one.rule && twin.form === one.form;
  return isSame ? `${one.operation} ${one.rule} ${one.form}` : undefined;
}

describe('the table of rules', () => {
  it('names each rule once, with a function of ours that is there and codes that there are', () => {
    expect(new Set(table.map(({ id }) => id)).size).toBe(table.length);
    const codes = new Set(errorCodes().map(({ code }) => code));
    for (const { id, ours, codes: own } of table) {
      const source = readFileSync(join(ROOT, ours.file), 'utf8');
      expect(
        new RegExp(`\\b(function\\*?|class|const) ${ours.function}\\b`).test(source),
        `${id}: ${ours.function}`,
      ).toBe(true);
      expect(
        own.filter((code) => !codes.has(code)),
        id,
      ).toEqual([]);
    }
  });

  it('has the rule of every case, and for every rule a case to be accepted and one to be refused that is its twin', () => {
    const known = new Set(table.map(({ id }) => id));
    expect(cases.filter(({ rule }) => !known.has(rule)).map(({ id }) => id)).toEqual([]);
    const paired = new Set(cases.filter((one) => pairOf(one) !== undefined).map(({ rule }) => rule));
    expect(table.filter(({ id }) => !paired.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it('is docs/rules.md: npm run docs', () => {
    const plain = (text: string) =>
      text
        .replace(/ *\| */g, '|')
        .replace(/-{3,}/g, '---')
        .trim();
    expect(plain(readFileSync(join(ROOT, 'docs/rules.md'), 'utf8'))).toBe(plain(rulePage()));
  });
});

describe('the suite', () => {
  it('has the shape that its schema says', () => {
    const schema = JSON.parse(readFileSync(join(CONFORMANCE, 'schemas/suite-1.json'), 'utf8')) as {
      $defs: { case: object };
    };
    const valid = new Ajv.default({ strict: false }).compile({ ...schema.$defs.case, $defs: schema.$defs });
    for (const one of cases) expect(valid(one) ? [] : valid.errors, one.id).toEqual([]);
  });

  it('has at least 1000 cases beside ed25519, 150 pairs of rule and form, and 40 % to be refused', () => {
    expect(others.length).toBeGreaterThanOrEqual(1000);
    const pairs = new Set(others.map((one) => pairOf(one)?.replace(/^\S+ /, '')).filter((pair) => pair !== undefined));
    expect(pairs.size).toBeGreaterThanOrEqual(150);
    expect(others.filter(({ expect: { result } }) => result === 'reject').length / others.length).toBeGreaterThan(0.4);
  });

  it('has at most 40 cases of one template: of one operation, rule and form', () => {
    const counts = new Map<string, number>();
    for (const { operation, rule, form } of others) {
      const key = `${operation}/${rule}/${form}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 40)).toEqual([]);
  });

  it('gives every case to be refused a twin to be accepted from which it differs, but for recorded ones', () => {
    for (const one of others.filter(({ expect: { result } }) => result === 'reject')) {
      if (one.twin === undefined) {
        expect(one.source, one.id).toBeDefined();
        continue;
      }
      expect(pairOf(one), one.id).toBeDefined();
      expect(JSON.stringify(one.input), one.id).not.toBe(JSON.stringify(byId.get(one.twin)!.input));
    }
  });

  it('asks nothing twice: no two cases of an operation have one input', () => {
    const seen = new Map<string, string>();
    for (const { id, operation, input } of others) {
      const key = `${operation} ${JSON.stringify(input)}`;
      const before = seen.get(key);
      // A good case may be the twin of several rules.
      const isGood =
        before !== undefined &&
        byId.get(before)!.expect.result === 'accept' &&
        byId.get(id)!.expect.result === 'accept';
      expect(before === undefined || isGood ? undefined : before, id).toBeUndefined();
      seen.set(key, id);
    }
  });

  it('says of each case on which implementations differ why they do', () => {
    for (const {
      id,
      expect: { result, reason },
    } of cases)
      expect(reason !== undefined, id).toBe(result === 'either');
  });
});
