/**
 * `ton-finality/report`: a report in words: as JSON, whose shape is a public contract (`schemas/report-3.json`), and as the
 * text that the command prints. It computes no verdict. Runs anywhere.
 */

export { renderText } from './app/report/render-report.ts';
export { type ReportJson, reportToJson } from './app/report/report-json.ts';
