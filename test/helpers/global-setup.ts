/** Bundles the command and the page of reports anew from what is compiled: tests of the command run what users run, and nothing older. */
import { join } from 'node:path';
import { ROOT } from './vectors.ts';

export default async function setup(): Promise<void> {
  const [{ bundleCommand }, { bundleReportPage }] = await Promise.all([
    import(join(ROOT, 'scripts', 'bundle-command.mjs')) as Promise<{ bundleCommand: () => Promise<void> }>,
    import(join(ROOT, 'scripts', 'bundle-report-page.mjs')) as Promise<{ bundleReportPage: () => Promise<void> }>,
  ]);
  await Promise.all([bundleCommand(), bundleReportPage()]);
}
