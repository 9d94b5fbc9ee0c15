/** Prints what the benches measured, for people. */
import type { Timing } from './harness.ts';
import type { Run } from './main.ts';

function line(...cells: readonly (string | number)[]): void {
  const [name, ...numbers] = cells;
  const columns = numbers.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell).padStart(10));
  process.stdout.write(`${String(name).padEnd(50)}${columns.join('')}\n`);
}

function printTimings(title: string, timings: readonly Timing[]): void {
  line(`\n${title}`, 'ms', 'p10', 'p90', 'x first');
  for (const { name, medianMs, p10Ms, p90Ms, ratio } of timings) line(name, medianMs, p10Ms, p90Ms, ratio);
}

/** All that one Node version showed. */
export function printRun(run: Run): void {
  line(`\nNode ${run.node}, OpenSSL ${run.openssl}`);
  line('steady, us a signature', 'median', 'p10', 'p90', 'x node', 'x noble');
  for (const row of run.steady) line(row.name, row.microseconds, row.p10, row.p90, row.timesNode, row.timesNoble);
  line('\ntables of 100 keys', 'MiB', 'build ms');
  for (const row of run.tables) line(row.name, row.tableBytes / 2 ** 20, row.buildMs);
  line('\nwidth 7, one thread and two', 'one us', 'two us', 'x one');
  line('', run.threads.one, run.threads.two, run.threads.twoThreads);
  line('the same, 30 blocks at once', '', run.threads.twoMany, run.threads.twoThreadsMany);
  line('\nfresh process, ms', 'block 1', 'block 2', 'block 3', 'first 100', 'slowest');
  for (const row of run.cold.rows) {
    line(row.name, row.block1Ms, row.block2Ms, row.block3Ms, row.first100Ms, row.slowestAfterFirstMs);
  }
  const { firstCalls } = run;
  line(`\ncalls 2 to 200, ${firstCalls.processes} fresh processes`, 'ms', 'x node');
  line('p99', firstCalls.p99Ms, firstCalls.p99TimesNode);
  line('slowest', firstCalls.worstMs, firstCalls.worstTimesNode);
  line('the kernel has taken over by call', String(firstCalls.takeoverCall));
  line('calls 100 to 200, times faster', firstCalls.from100TimesNode);
  line('\na fresh process of the command', 'ms', 'x node');
  for (const row of run.start) line(row.name, row.medianMs, row.timesNode);
  line('\nblocks of one ring', 'us', 'x node');
  for (const row of run.growth.blocks) line(String(row.count), row.microseconds, row.timesNode);
  line('\nvalidators', 'us', 'x node', 'MiB');
  for (const row of run.growth.validators) {
    line(String(row.count), row.microseconds, row.timesNode, row.tableBytes / 2 ** 20);
  }
  printTimings('from JSON text to report, 100 signatures', run.endToEnd);
  for (const [file, timings] of Object.entries(run.chain.cells)) printTimings(`parse and hash ${file}`, timings);
  printTimings('three links of a lite server’s proof', run.chain.walk);
}
