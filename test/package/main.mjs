/** The package from its tarball, as a user has it: `npm run test:package`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPages, checkPools } from './bundles.mjs';
import { runDockerfile } from './container.mjs';
import { chooseForNode, importEntries, runCommand, runFirstProgram } from './runs.mjs';
import { install, lookOver, pack } from './tarball.mjs';
import { checkTypes } from './types.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'ton-finality-package-'));
try {
  const folder = await install(await pack(scratch), scratch);
  lookOver(folder);
  await importEntries(folder);
  await chooseForNode(folder);
  await runCommand(folder);
  await runFirstProgram(folder);
  await checkTypes(folder);
  await checkPools(folder);
  await checkPages(folder);
  runDockerfile(scratch);
  console.log('the package is what its documents say');
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
