/** Participation, a line for each validator: RFC 4180, digits and hex only, so that no program takes a cell for a formula. */
import type { Survey } from '../../audit/survey/survey.ts';

const HEADER = 'publicKey,weight,sets,blocks,signed,absent,bad,participation,firstBlock,lastBlock';

interface Membership {
  weight: string;
  sets: number;
  first: number;
  last: number;
}

/** What sets say of each validator: its newest weight, and the blocks that its sets signed first and last. */
export function membershipsOf({ sets, keys }: Survey): Membership[] {
  const list: Membership[] = keys.map(() => ({ weight: '0', sets: 0, first: 0, last: 0 }));
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

/** In the order in which the sets name them; an empty cell where a validator was never asked to sign. */
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
