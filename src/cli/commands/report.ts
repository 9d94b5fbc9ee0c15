/** `ton-finality report`: what the ledger of an audit comes to, in words, in files for machines, and as a page to look at. */
import { basename, resolve } from 'node:path';
import { type Conclusion, conclusionOf, type Survey } from '../../audit/survey/survey.ts';
import { type SurveyedLedger, surveyLedger } from '../../audit/survey/survey-ledger.ts';
import { UsageError } from '../../base/errors.ts';
import { MAX_SEQNO } from '../../base/limits.ts';
import { renderAuditCsv } from '../../report/audit/csv.ts';
import { auditSummaryToJson } from '../../report/audit/json.ts';
import { renderAuditJunit } from '../../report/audit/junit.ts';
import { renderAuditText } from '../../report/audit/text.ts';
import { EXIT } from '../exit-code.ts';
import { readCount } from '../input/counts.ts';
import { withFlagName } from '../input/error-with-flag.ts';
import { type OptionTable, type ParsedOptions, parseOptions } from '../input/options.ts';
import { printJson, printNote, printResult } from '../output.ts';
import { requireNoInput, requireWritable, writeFileAtomically } from '../write-file.ts';

const REPORT_USAGE = `usage: ton-finality report FILE [--html FILE] [--csv FILE] [--junit FILE] [--json] [--to N]

Reads the ledger of an audit, checks every line of it, and says what it comes to. Asks no server and verifies no signature
again: for that, audit again with --from-files.

  --html FILE                       one page to look at, with all it needs in it and no network
  --csv FILE                        participation, a line for each validator
  --junit FILE                      JUnit XML, for CI
  --json                            the summary as one JSON object, schema audit-summary-1.json
  --to N                            count blocks up to N only, as of an audit that is not finished

exit code: 0 all blocks final, else 1 some not final, else 3 some not fetched or the audit unfinished, else 4 some
undecided; 2 for a ledger that was changed, or bad options`;

const OPTIONS = {
  html: { type: 'string' },
  csv: { type: 'string' },
  junit: { type: 'string' },
  json: { type: 'boolean' },
  to: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

type Options = ParsedOptions<typeof OPTIONS>['values'];

const EXIT_OF: Readonly<Record<Conclusion, number>> = {
  final: EXIT.final,
  'not-final': EXIT.notFinal,
  'not-fetched': EXIT.sourceFailed,
  undecided: EXIT.undecided,
};

/** Each file that can be asked for. The page is loaded only when it is. */
const RENDERERS = {
  csv: async () => renderAuditCsv,
  junit: async () => renderAuditJunit,
  html: async () => {
    const { readPageTemplate } = await import('../page-template.ts');
    const { renderAuditHtml } = await import('../../report/audit/html.ts');
    const { readVersion } = await import('../version.ts');
    const [template, version] = await Promise.all([readPageTemplate(), readVersion()]);
    const tool = `ton-finality ${version}`;
    return (survey: Survey, ledger: string) => renderAuditHtml(survey, template, { ledger: basename(ledger), tool });
  },
} as const satisfies Record<string, () => Promise<(survey: Survey, ledger: string) => string>>;

const FILES = ['csv', 'junit', 'html'] as const;

/** Looks at all names before the ledger is read, which can take a while. */
function requirePlaces(options: Options, ledger: string): void {
  const taken = new Map<string, string>();
  for (const name of FILES) {
    const file = options[name];
    if (file === undefined) continue;
    requireWritable(file, `--${name}`);
    requireNoInput(file, [ledger], `--${name}`);
    const other = taken.get(resolve(file));
    if (other !== undefined) {
      throw new UsageError('usage/bad-option', `expected a file of its own, got that of --${other}`, {
        path: `--${name}`,
      });
    }
    taken.set(resolve(file), name);
  }
}

async function survey(ledger: string, to: number | undefined): Promise<SurveyedLedger> {
  try {
    return await surveyLedger(ledger, to === undefined ? {} : { to });
  } catch (error) {
    if (!(error instanceof UsageError) || error.path !== 'to') throw error;
    return withFlagName('--to', () => {
      throw error;
    });
  }
}

/** @param words the command line after `report` @returns the exit code */
export async function reportCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, OPTIONS);
  if (options.help === true) {
    await printResult(REPORT_USAGE);
    return 0;
  }
  const [ledger] = positionals;
  if (ledger === undefined || positionals.length > 1) {
    throw new UsageError('usage/bad-option', 'expected the file of one ledger', {
      hint: 'see ton-finality report --help',
    });
  }
  const to = options.to === undefined ? undefined : readCount('to', options.to, 1, MAX_SEQNO);
  requirePlaces(options, ledger);
  const { survey: found, tailBytes } = await survey(ledger, to);
  if (tailBytes > 0) await printNote(`${tailBytes} bytes after the last whole line are left out`);
  for (const name of FILES) {
    const file = options[name];
    if (file === undefined) continue;
    const render = await RENDERERS[name]();
    writeFileAtomically(file, render(found, ledger));
  }
  if (options.json === true) await printJson(auditSummaryToJson(found));
  else await printResult(renderAuditText(found));
  return EXIT_OF[conclusionOf(found)];
}
