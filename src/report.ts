/**
 * `ton-finality/report`: renders the report of one block as JSON, whose shape is a public contract
 * (`schemas/report-3.json`), or as the text that the command prints. Computes no verdict. Runs anywhere. The report of a
 * ledger comes from the command `ton-finality report`.
 */

export { renderText } from './app/report/render-report.ts';
export { type ReportJson, reportToJson } from './app/report/report-json.ts';
