/** Renders a survey as one self-contained page: the built page with the data inserted. */
import type { Survey } from '../../audit/survey/survey.ts';
import { inert } from './escape-markup.ts';
import { type AboutReport, pageDataOf } from './page-data.ts';
import { headlineOfAudit, renderAuditText } from './summary-text.ts';

/** Placeholders for words and data. `scripts/bundle-report-page.mjs` checks that each occurs once. */
const WORDS = '<!-- verdict -->';
const DATA = '"ton-finality:data"';

/** Returns JSON that HTML cannot read as markup: without `<`, `>`, `&` and line separators. */
function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function put(page: string, place: string, what: string): string {
  const parts = page.split(place);
  if (parts.length !== 2) throw new Error(`the page has ${parts.length - 1} places for ${place}`);
  return parts.join(what);
}

/** Renders the verdict as text, for readers without scripts. */
function verdictInWords(survey: Survey, { ledger, tool }: AboutReport): string {
  const headline = headlineOfAudit(survey);
  const rest = renderAuditText(survey).slice(headline.length).trimStart();
  const about = [...(ledger === undefined ? [] : [`of ${ledger}`]), ...(tool === undefined ? [] : [`by ${tool}`])];
  const made = about.length === 0 ? '' : `<p>Report ${inert(about.join(', '))}</p>`;
  return `<h1>${inert(headline)}</h1><pre>${inert(rest)}</pre>${made}`;
}

/** @param template the built page @param about name of the ledger's file and version of this program, if they are to be shown */
export function renderAuditHtml(survey: Survey, template: string, about: AboutReport = {}): string {
  return put(put(template, DATA, inertJson(pageDataOf(survey, about))), WORDS, verdictInWords(survey, about));
}
