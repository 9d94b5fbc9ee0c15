/**
 * Renders participation as CSV (RFC 4180), a line for each validator. Cells contain only digits and hex, so that no program takes a cell
 * for a formula.
 */
import type { Survey } from '../../audit/survey/survey.ts';

const HEADER = 'publicKey,weight,sets,blocks,signed,absent,bad,participation,firstBlock,lastBlock';

/** Summarises the sets of each validator: its newest weight, and the first and last block that they signed. */
export function membershipsOf({ sets, keys }: Survey) {
  const list = keys.map(() => ({ weight: '0', sets: 0, first: 0, last: 0 }));
  for (const { members, weights, first, last } of sets) {
    for (const [n, validator] of members.entries()) {
      const one = list[validator]!;
      one.weight = weights[n]!;
      one.sets += 1;
      if (first !== 0) one.first = one.first === 0 ? first : Math.min(one.first, first);
      one.last = Math.max(one.last, last);
    }
  }
  return list;
}

/** Renders validators in the order in which sets name them. A cell is empty if the validator was in no set that signed. */
export function renderAuditCsv(survey: Survey): string {
  const memberships = membershipsOf(survey);
  const lines = survey.keys.map((key, n) => {
    const { weight, sets, first, last } = memberships[n]!;
    const { blocks, absent, bad } = survey.totals[n]!;
    const signed = blocks - absent - bad;
    const participation = blocks === 0 ? '' : (Math.floor((signed * 1e6) / blocks) / 1e6).toFixed(6);
    return [key, weight, sets, blocks, signed, absent, bad, participation, first || '', last || ''].join(',');
  });
  return [HEADER, ...lines, ''].join('\r\n');
}
