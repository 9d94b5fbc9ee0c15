/**
 * `ton-finality/report`: a report in words: as JSON, whose shape is a public contract (`schemas/report-2.json`), and as the
 * text that the command prints. It computes no verdict. Runs anywhere.
 */
export { type ReportJson, reportToJson } from './app/report/json.ts';
export { renderSigners, renderText } from './app/report/text.ts';
