/** A survey as one page that needs nothing else: the page as it was built, with the data in its place. */
import type { Survey } from '../../audit/survey/survey.ts';
import { pageDataOf } from './page-data.ts';

/** Where the data goes. `scripts/bundle-report-page.mjs` sees to it that it stands there once. */
const PLACE = '"ton-finality:data"';

/** JSON that no reader of HTML takes for markup: without `<`, `>`, `&` and whatever ends a line. */
function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @param template the built page */
export function renderAuditHtml(survey: Survey, template: string): string {
  const parts = template.split(PLACE);
  if (parts.length !== 2) throw new Error(`the page has ${parts.length - 1} places for its data`);
  return parts.join(inertJson(pageDataOf(survey)));
}
