/** Runs the benches and prints ratios; `--json` for machines, `--quick` for a glance. Nothing here asserts a time. */
import { endToEnd } from './end-to-end.ts';
import { printVerifyLoop, verifyLoop } from './verify-loop.ts';

const isQuick = process.argv.includes('--quick');
const results = {
  node: process.version,
  rounds: isQuick ? 15 : 60,
  endToEnd: await endToEnd(isQuick ? 15 : 60),
  verifyLoop: await verifyLoop({ quick: isQuick }),
};
if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else {
  console.table(results.endToEnd);
  printVerifyLoop(results.verifyLoop);
}
