/** Bundles the command and the page of reports anew from what is compiled: tests of the command run what users run, and nothing older. */
import { join } from 'node:path';
import { ROOT } from './vectors.ts';

export default async function setup(): Promise<void> {
  const { bundleCommand } = (await import(join(ROOT, 'scripts', 'bundle-command.mjs'))) as {
    bundleCommand: () => Promise<void>;
  };
  await bundleCommand();
  const { bundleReportPage } = (await import(join(ROOT, 'scripts', 'bundle-report-page.mjs'))) as {
    bundleReportPage: () => Promise<void>;
  };
  await bundleReportPage();
}
