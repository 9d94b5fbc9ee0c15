/** The JSON of a finished audit, and its schema. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { checkLedger } from '../../../src/app/audit/read-ledger.ts';
import { auditJson } from '../../../src/app/cli/output/print-audit.ts';

const schema = JSON.parse(readFileSync('schemas/audit-result-1.json', 'utf8')) as object;
const fits = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(schema);

it('names the first block of each reason and fits the schema, as the output without these members does', async () => {
  const file = 'vectors/audit/mixed.ndjson';
  const { state } = await checkLedger(file);
  const { firstBlocks, ...older } = auditJson(state, file);
  expect(Object.keys(firstBlocks!)).toEqual(Object.keys(older.reasons!));
  expect(firstBlocks).toEqual(Object.fromEntries(state.counts.firstBlocks));
  for (const json of [{ ...older, firstBlocks }, older]) {
    expect(fits(JSON.parse(JSON.stringify(json))), JSON.stringify(fits.errors)).toBe(true);
  }
  expect(fits({ ...older, firstBlocks: { 'unbound-id': '5' } })).toBe(false);
});
