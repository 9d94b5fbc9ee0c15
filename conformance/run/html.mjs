/** Results as one page without script or anything from elsewhere. */
import { SCORES } from './score.mjs';

const escaped = (text) => String(text).replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
table{border-collapse:collapse;margin:1rem 0;width:100%}th,td{border-bottom:1px solid #d0d7de;padding:.3rem .6rem;text-align:right}
th:first-child,td:first-child{text-align:left}td.text{text-align:left;overflow-wrap:anywhere}.bad{background:#ffdce0;font-weight:600}.good{background:#dafbe1}
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}.bad{background:#67060c}.good{background:#033a16}}`;

function table(title, rows) {
  const head = SCORES.map((name) => `<th scope="col">${escaped(name)}</th>`).join('');
  const body = Object.entries(rows).map(([name, counts]) => {
    const cells = SCORES.map((score) => {
      const isBad = counts[score] > 0 && score !== 'passed' && score !== 'unsupported';
      return `<td${isBad ? ' class="bad"' : ''}>${counts[score]}</td>`;
    });
    return `<tr><th scope="row">${escaped(name)}</th>${cells.join('')}</tr>`;
  });
  return `<h2>${escaped(title)}</h2><table><thead><tr><th scope="col"></th>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

export function html(results, cases) {
  const byId = new Map(cases.map((one) => [one.id, one]));
  const { implementation, version, language, suite, notPassed, faults } = results;
  const rows = notPassed.map(
    ({ id, score, rule, detail = '' }) =>
      `<tr><td class="text"><code>${escaped(id)}</code><br>${escaped(byId.get(id)?.comment ?? '')}</td><td>${escaped(score)}</td><td class="text">${escaped(rule)}</td><td class="text">${escaped(detail)}</td></tr>`,
  );
  const list =
    rows.length === 0
      ? '<p class="good">Every case that was asked passed.</p>'
      : `<table><thead><tr><th scope="col">case</th><th scope="col">score</th><th scope="col">rule</th><th scope="col">its words</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  const title = `${implementation} ${version}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}: conformance</title><style>${STYLE}</style></head><body>
<h1>${escaped(title)}</h1>
<p>${escaped(language)}; ${suite.cases} cases of suite ${escaped(suite.version)}, <code>${escaped(suite.sha256)}</code>. A <em>wrong accept</em> is unsound: it takes for true what is not proven. A <em>wrong reject</em> is unusable.</p>
${table('In all', { all: results.totals })}
${table('By operation', results.byOperation)}
${table('By flag', results.byFlag)}
<h2>Not passed</h2>${list}
${faults.length === 0 ? '' : `<h2>Faults</h2><ul>${faults.map((one) => `<li>${escaped(one)}</li>`).join('')}</ul>`}
</body></html>\n`;
}
