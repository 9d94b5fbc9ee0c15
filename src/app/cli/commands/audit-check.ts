/** `ton-finality audit check`: fetches and judges the blocks of a ledger again, and compares each with its row. */

import { present } from '../../../core/base/present.ts';
import { type CheckAgainResult, checkAgain, outcomeOfCheck } from '../../audit/check-again.ts';
import { readPlan } from '../../audit/read-ledger.ts';
import { counted, row, rows } from '../../report/layout.ts';
import { defineCommand } from '../command.ts';
import { AUDIT_SOURCE_OPTIONS, MAX_FAILURES_OPTION, readAuditSource, readAuditTrust } from '../input/audit-inputs.ts';
import { flagOfOption } from '../input/flag-in-error.ts';
import { option } from '../input/option-rows.ts';
import { QUIET_OPTION } from '../input/shared-options.ts';
import { auditProgress } from '../output/audit-progress.ts';
import { EXIT } from '../output/exit-code.ts';
import { printJson, printResult } from '../output/print.ts';
import { printTail } from '../output/print-audit.ts';

/** The reason of blocks without a row, which the text says next to the ledger. */
const UNFINISHED = 'unfinished';

function headline({ looked, agree, difference, unchecked, plan: head, last }: CheckAgainResult): string {
  if (difference !== undefined) {
    const { seqno, member, ledger, blocks } = difference;
    return `DIFFERS: block ${seqno}: ${member} is ${JSON.stringify(ledger)} in the ledger, ${JSON.stringify(blocks)} according to its blocks`;
  }
  if (looked === 0) return 'NOT CHECKED: the ledger has no row';
  const range = `masterchain blocks ${head.from} to ${last}`;
  const left = unchecked.get(UNFINISHED) ?? 0;
  const open = [...unchecked.values()].reduce((sum, count) => sum + count, -left);
  if (open > 0) return `NOT CHECKED: ${open} of ${counted('row', looked)} of ${range} could not be compared`;
  if (agree === 0) return `NOT CHECKED: ${counted('row', looked)} of ${range} looked at, and each is open`;
  const found = `${agree} of ${counted('row', looked)} of ${range}`;
  return left === 0
    ? `AGREES: ${found}`
    : `NOT CHECKED: ${found} agree, but the ledger lacks ${counted('block', left)}`;
}

const SETS = {
  ledger: 'the set that the ledger names; compare it with a set from an independent source',
  given: 'the set you passed',
  proven: 'proven from your checkpoint',
} as const;

function textOf(result: CheckAgainResult, ledger: string): string {
  const { rows: all, looked, seed, saysNothing, unchecked, sets, plan: head, last } = result;
  const unfinished = last < head.to ? `, unfinished: it ends before block ${last + 1} of ${head.to}` : '';
  const report = saysNothing === 1 ? 'reports' : 'report';
  return [
    headline(result),
    ...rows({
      ledger: `${ledger}${unfinished}`,
      set: head.trust.kind === 'given' ? `${SETS[sets]}, ${head.trust.set}` : SETS[sets],
      sample: seed === undefined ? undefined : `${looked} of ${counted('row', all)}, --seed ${seed}`,
      open:
        saysNothing === 0
          ? undefined
          : `${counted('row', saysNothing)} ${report} a block that was not fetched or is undecided`,
    }),
    ...[...unchecked].flatMap(([why, count]) =>
      why === UNFINISHED ? [] : row('unchecked', `${counted('row', count)}: ${why}`),
    ),
  ].join('\n');
}

function jsonOf(result: CheckAgainResult) {
  const { plan, last, rows, looked, agree, saysNothing, unchecked, difference = null, seed = null, sets } = result;
  const { from, to } = plan;
  const counts = { from, to, last, rows, looked, agree, saysNothing, unchecked: Object.fromEntries(unchecked) };
  return { schema: 'ton-finality/audit-check@1', outcome: outcomeOfCheck(result), ...counts, difference, seed, sets };
}

const EXIT_OF = { agrees: EXIT.final, differs: EXIT.notFinal, unchecked: EXIT.sourceFailed } as const;

export const auditCheckCommand = defineCommand({
  usage: [
    'LEDGER (--from-files DIR|FILE | --base-url URL | --lite ...) [--validators FILE | --checkpoint FILE] [options]',
  ],
  about: `Fetches the blocks of a ledger again and judges them by the policy in its first line. Stops at the first row that differs. A ledger contains no signatures, so it is a record, not a proof: run this command on a ledger that someone else made.

If the ledger was made with a checkpoint, pass that checkpoint. If it was made with a given validator set, the set named in the ledger is used unless you pass yours; compare it with a set from an independent source.`,
  words: { wanted: 'the file of one ledger', count: [1, 1], rows: [['LEDGER', 'the file']] },
  options: {
    sample: option.count('N', 1, 1_000_000, 'check N random rows instead of all rows'),
    seed: {
      ...option.text('TEXT', 'choose the same rows for the same seed; by default the seed is random and printed'),
      needs: ['sample'],
    },
    'any-signers': option.flag(
      'accept different signatures of a block if its verdict is the same; servers may hold different lists',
    ),
    ...MAX_FAILURES_OPTION,
    ...QUIET_OPTION,
    json: option.flag('print the result as one JSON object, schema audit-check-1.json'),
    ...AUDIT_SOURCE_OPTIONS,
  },
  examples: [
    'audit check rows.ndjson --config g.json --checkpoint c.json --sample 100',
    'audit check rows.ndjson --from-files answers',
  ],
  exit: '0 all checked rows agree, 1 a row differs, 2 bad input or a modified ledger, 3 the ledger is unfinished, some rows could not be compared, all are open, or the sources failed',
  async run({ options, words }) {
    const ledger = words[0]!; // exactly one is given
    // A ledger may itself name its only set.
    const isNamed = options.validators !== undefined || options.checkpoint !== undefined;
    const trust = isNamed ? await readAuditTrust(options) : {};
    const { from, to } = (await readPlan(ledger)) ?? { from: 1, to: 1 }; // for the progress
    const { blocks, close } = await readAuditSource(options);
    const progress = auditProgress(from, to, options);
    const result = await checkAgain({
      ledger,
      blocks,
      ...trust,
      ...present({ sample: options.sample, seed: options.seed, maxFailures: options['max-failures'] }),
      anySigners: options['any-signers'],
      onRow: (row) => progress.add(row),
    })
      .catch(flagOfOption('checkpoint', 'validators'))
      .finally(async () => {
        progress.end();
        await close();
      });
    await printTail(result.tailBytes, options.json);
    if (options.json) await printJson(jsonOf(result));
    else await printResult(textOf(result, ledger));
    return EXIT_OF[outcomeOfCheck(result)];
  },
});
