/** `ton-finality report`: renders the ledger of an audit as text, as files for machines, and as a page. */
import { basename, resolve } from 'node:path';
import { printable, type UsageError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import { seqnoOf } from '../../audit/ledger-lines.ts';
import { readLedger } from '../../audit/read-ledger.ts';
import { conclusionOf, type Survey, surveyLedger } from '../../audit/survey/survey.ts';
import { requireNoInput, requireWritable, writeFileInPieces } from '../../files/write-file.ts';
import { renderAuditCsv } from '../../report/audit/csv.ts';
import { BLOCKS_CSV_HEADER, blockCsvRow } from '../../report/audit/csv-blocks.ts';
import { renderAuditJunit } from '../../report/audit/junit.ts';
import { auditSummaryToJson } from '../../report/audit/summary-json.ts';
import { renderAuditText } from '../../report/audit/summary-text.ts';
import { defineCommand } from '../command.ts';
import { flagOfOption } from '../input/flag-in-error.ts';
import { MAX_NAME_CHARS } from '../input/input-log.ts';
import { badFlag, type OptionTable, type OptionValues, option } from '../input/option-rows.ts';
import { EXIT_OF_AUDIT } from '../output/exit-code.ts';
import { printJson, printResult, printText } from '../output/print.ts';
import { printTail } from '../output/print-audit.ts';
import { readPageTemplate, readVersion } from '../package-files.ts';
import { beforeStop } from '../stop.ts';

const FILE_OPTIONS = {
  html: option.text('FILE', 'write one self-contained HTML page that makes no network request'),
  csv: option.text('FILE', 'write participation as CSV, one line for each validator'),
  'csv-blocks': option.text('FILE', 'write CSV with one line for each block: verdict, weights, margin, set, time'),
  junit: option.text(
    'FILE',
    'write JUnit XML, for CI; one FILE may be -, which replaces the summary on standard output',
  ),
} satisfies OptionTable;

type ReportFlags = OptionValues<typeof FILE_OPTIONS> & { readonly json: boolean };

const FILES = ['csv', 'csv-blocks', 'junit', 'html'] as const;
type FileName = (typeof FILES)[number];

/** Characters that are written at a time. */
const PIECE_CHARS = 1 << 16;

/** Reads the ledger again after every line was checked: no output is written for an invalid ledger. */
async function* blockRows(ledger: string, last: number): AsyncGenerator<string> {
  let text = BLOCKS_CSV_HEADER;
  for await (const line of readLedger(ledger)) {
    const isRow = line.type === 'block' || line.type === 'failure';
    if (isRow && seqnoOf(line) > last) break; // the user gave the limit, and the row existed in the first pass
    text += blockCsvRow(line);
    if (text.length < PIECE_CHARS) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Renders one file. The page is loaded only if it is needed. */
async function* piecesOf(name: FileName, found: Survey, ledger: string): AsyncGenerator<string> {
  if (name === 'csv-blocks') yield* blockRows(ledger, Math.min(found.last, found.to));
  else if (name === 'csv') yield renderAuditCsv(found);
  else if (name === 'junit') yield renderAuditJunit(found);
  else {
    const { renderAuditHtml } = await import('../../report/audit/html.ts');
    const tool = `ton-finality ${await readVersion()}`;
    yield renderAuditHtml(found, await readPageTemplate(), { ledger: basename(ledger), tool });
  }
}

/** Prints until the end, or until the reader closes. */
async function printPieces(pieces: AsyncGenerator<string>): Promise<void> {
  for await (const piece of pieces) if (!(await printText(piece))) return;
}

function twice(name: FileName, other: string): UsageError {
  return badFlag(name, `expected a different file, got that of ${other}`);
}

/** Checks all file names before the ledger is read, which can take long. */
function requirePlaces(options: ReportFlags, ledger: string): void {
  const taken = new Map<string, string>();
  for (const name of FILES) {
    const file = options[name];
    if (file === undefined) continue;
    if (file !== '-') requireWritable(file, `--${name}`);
    else if (options.json) throw twice(name, '--json');
    const place = file === '-' ? file : resolve(file);
    if (file !== '-') requireNoInput(file, [ledger], `--${name}`);
    const other = taken.get(place);
    if (other !== undefined) throw twice(name, `--${other}`);
    taken.set(place, name);
  }
}

export const reportCommand = defineCommand({
  usage: ['FILE [--html FILE] [--csv FILE] [--csv-blocks FILE] [--junit FILE] [--json] [--to N]'],
  about:
    'Reads the ledger of an audit, checks every line and prints a summary. Asks no server and verifies no signatures, because a ledger contains none; ton-finality audit check does that.',
  words: { wanted: 'the file of one ledger', count: [1, 1], rows: [['FILE', 'the ledger']] },
  options: {
    ...FILE_OPTIONS,
    json: option.flag('print the summary as one JSON object, schema audit-summary-1.json'),
    to: option.seqno('summarize only the blocks up to N'),
  },
  examples: ['report rows.ndjson --html audit.html', 'report rows.ndjson --json'],
  exit: '0 all blocks final; else 1 some not final; else 3 some not fetched or the audit unfinished; else 4 some undecided. 2 a modified ledger or bad options',
  async run({ options, words }) {
    const ledger = words[0]!; // exactly one is given
    requirePlaces(options, ledger);
    const { survey: found, tailBytes } = await surveyLedger(ledger, present({ to: options.to })).catch(
      flagOfOption('to'),
    );
    await printTail(tailBytes, options.json);
    for (const name of FILES) {
      const file = options[name];
      if (file === undefined) continue;
      const pieces = piecesOf(name, found, ledger);
      if (file === '-') await printPieces(pieces);
      else await writeFileInPieces(file, pieces, beforeStop);
    }
    if (FILES.some((name) => options[name] === '-')) return EXIT_OF_AUDIT[conclusionOf(found)];
    const run = { version: await readVersion(), ledger: printable(ledger, MAX_NAME_CHARS) };
    if (options.json) await printJson(auditSummaryToJson(found, run));
    else await printResult(renderAuditText(found, run));
    return EXIT_OF_AUDIT[conclusionOf(found)];
  },
});
