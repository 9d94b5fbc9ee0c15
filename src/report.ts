/**
 * `ton-finality/report`: renders a report as JSON, whose shape is a public contract (`schemas/report-3.json`), or as
 * the text that the command prints. Computes no verdict. Runs anywhere.
 */

export { renderText } from './app/report/render-report.ts';
export { type ReportJson, reportToJson } from './app/report/report-json.ts';
